import { count } from '../field-kit/index.ts';
import { listField } from '../lists/index.ts';

/** A select box for any number of values. */
export const msbField = listField({ code: 'msb', isMultiple: true, properties: { size: count(7) } });
