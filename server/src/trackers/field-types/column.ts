import { element } from '../field-kit/index.ts';

/** A column inside a fieldset. */
export const columnElement = element('column', { kind: 'container', parents: ['fieldset'] });
