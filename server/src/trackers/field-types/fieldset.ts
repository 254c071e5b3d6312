import { element } from '../field-kit/index.ts';

/** A titled part of the form. */
export const fieldsetElement = element('fieldset', {
  kind: 'container',
  parents: [null],
  isCollapsible: true,
});
