import { listField } from '../lists/index.ts';

/** Radio buttons: one value. */
export const rbField = listField({ code: 'rb', isMultiple: false });
