import { valuelessElement } from '../field-kit/index.ts';

/** A column inside a fieldset. */
export const columnElement = valuelessElement('column', { kind: 'container', parents: ['fieldset'] });
