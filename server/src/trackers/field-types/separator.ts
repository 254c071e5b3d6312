import { valuelessElement } from '../field-kit/index.ts';

/** A line across the form. */
export const separatorElement = valuelessElement('separator', {
  kind: 'static',
  parents: ['column', 'fieldset', null],
});
