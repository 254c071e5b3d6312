/** Elements of a form that hold no value: two that others stand in, and three that only stand there. */
export type ElementShape = 'group' | 'column' | 'space' | 'rule' | 'words';

const shapes: Readonly<Record<string, ElementShape>> = {
  fieldset: 'group',
  column: 'column',
  linebreak: 'space',
  separator: 'rule',
  staticrichtext: 'words',
};

/** Undefined where it is a field. */
export const shapeOf = ({ type }: { readonly type: string }): ElementShape | undefined => shapes[type];

export const isContainer = (element: { readonly type: string }): boolean =>
  shapeOf(element) === 'group' || shapeOf(element) === 'column';
