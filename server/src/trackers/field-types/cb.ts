import { listField } from '../lists/index.ts';

/** Check boxes: any number of values. */
export const cbField = listField({ code: 'cb', isMultiple: true });
