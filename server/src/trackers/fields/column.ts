import { element } from './element.ts';

/** A column inside a fieldset. */
export const columnElement = element('column', { kind: 'container', parents: ['fieldset'] });
