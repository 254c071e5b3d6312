import { listField } from '../field-kit/list.ts';

/** Check boxes: any number of values. */
export const cbField = listField({ code: 'cb', isMultiple: true });
