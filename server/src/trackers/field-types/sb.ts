import { listField } from '../field-kit/list.ts';

/** A select box: one value. */
export const sbField = listField({ code: 'sb', isMultiple: false });
