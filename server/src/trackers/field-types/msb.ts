import { count } from '../field-kit/entry.ts';
import { listField } from '../field-kit/list.ts';

/** A select box for any number of values. */
export const msbField = listField({ code: 'msb', isMultiple: true, properties: { size: count(7) } });
