import { type FormNode, formTree, type PlacedElement } from '../../kernel/form-places.ts';
import type { FieldSettings } from '../calls.ts';
import { formElementType } from '../form-elements.ts';

/** An element of the form with what says where it may stand. */
export interface BuiltElement extends PlacedElement {
  readonly settings: FieldSettings;
}

export type BuiltNode = FormNode<BuiltElement>;

export const builtElement = (settings: FieldSettings): BuiltElement => ({
  id: settings.field_id,
  parentId: settings.parent_id,
  rank: settings.rank,
  type: settings.type,
  parents: formElementType(settings.type).parents,
  settings,
});

/** What stands in the form, what waits outside of it, and what was removed. */
export interface BuiltForm {
  readonly elements: readonly BuiltElement[];
  readonly tree: readonly BuiltNode[];
  readonly unused: readonly FieldSettings[];
  readonly removed: readonly FieldSettings[];
}

export function builtForm(all: readonly FieldSettings[]): BuiltForm {
  const elements = all.filter((one) => one.is_used && !one.is_removed).map(builtElement);
  return {
    elements,
    tree: formTree(elements),
    unused: all.filter((one) => !one.is_used && !one.is_removed),
    removed: all.filter((one) => one.is_removed),
  };
}

/** Elements in the order in which the form is read. */
export const inReadingOrder = (nodes: readonly BuiltNode[]): BuiltElement[] =>
  nodes.flatMap(({ element, children }) => [element, ...inReadingOrder(children)]);
