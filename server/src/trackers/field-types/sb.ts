import { listField } from '../lists/index.ts';

/** A select box: one value. */
export const sbField = listField({ code: 'sb', isMultiple: false });
