import { numberField } from '../field-kit/index.ts';

/** A decimal number. */
export const floatField = numberField({
  code: 'float',
  isWhole: false,
  form: /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/,
  words: 'Expecting a number.',
});
