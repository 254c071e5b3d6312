import { valuelessElement } from '../field-kit/index.ts';

/** An empty line in the form. */
export const linebreakElement = valuelessElement('linebreak', {
  kind: 'static',
  parents: ['column', 'fieldset', null],
});
