import { numberField } from '../field-kit/index.ts';

/** A whole number. */
export const intField = numberField({
  code: 'int',
  isWhole: true,
  form: /^[+-]*\d+$/,
  words: 'Expecting an integer.',
});
