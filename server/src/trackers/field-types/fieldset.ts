import { valuelessElement } from '../field-kit/index.ts';

/** A titled part of the form. */
export const fieldsetElement = valuelessElement('fieldset', {
  kind: 'container',
  parents: [null],
  isCollapsible: true,
});
