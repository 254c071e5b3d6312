import { element } from './element.ts';

/** A line across the form. */
export const separatorElement = element('separator', {
  kind: 'static',
  parents: ['column', 'fieldset', null],
});
