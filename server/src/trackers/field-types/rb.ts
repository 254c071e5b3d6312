import { listField } from '../field-kit/list.ts';

/** Radio buttons: one value. */
export const rbField = listField({ code: 'rb', isMultiple: false });
