import { listField } from './list.ts';

/** Radio buttons: one value. */
export const rbField = listField({ code: 'rb', isMultiple: false });
