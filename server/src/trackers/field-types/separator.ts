import { element } from '../field-kit/index.ts';

/** A line across the form. */
export const separatorElement = element('separator', {
  kind: 'static',
  parents: ['column', 'fieldset', null],
});
