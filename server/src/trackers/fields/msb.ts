import { count } from './entry.ts';
import { listField } from './list.ts';

/** A select box for any number of values. */
export const msbField = listField({ code: 'msb', isMultiple: true, properties: { size: count(7) } });
