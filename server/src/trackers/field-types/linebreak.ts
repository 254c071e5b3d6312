import { element } from '../field-kit/index.ts';

/** An empty line in the form. */
export const linebreakElement = element('linebreak', {
  kind: 'static',
  parents: ['column', 'fieldset', null],
});
