/** What is known of an element of a form to say where it may stand. */
export interface PlacedElement {
  readonly id: number;
  readonly parentId: number | null;
  readonly rank: number;
  /** Types of containers that it may stand in; null for the form itself. */
  readonly parents: readonly (string | null)[];
  readonly type: string;
}

export interface FormNode<Element extends PlacedElement> {
  readonly element: Element;
  readonly children: readonly FormNode<Element>[];
}

/** In a container, or in the form itself; before a neighbour, or at the end. */
export interface FormPlace {
  readonly parentId: number | null;
  readonly nextId: number | null;
}

const byRank = (one: PlacedElement, other: PlacedElement) => one.rank - other.rank || one.id - other.id;

/** The form as a tree. What stands in something that is not in the form stands in the form itself. */
export function formTree<Element extends PlacedElement>(elements: readonly Element[]): FormNode<Element>[] {
  const ids = new Set(elements.map(({ id }) => id));
  const below = (parentId: number | null): FormNode<Element>[] =>
    elements
      .filter((element) =>
        parentId === null
          ? element.parentId === null || !ids.has(element.parentId)
          : element.parentId === parentId,
      )
      .sort(byRank)
      .map((element) => ({ element, children: below(element.id) }));
  return below(null);
}

interface Moving {
  readonly id?: number | undefined;
  readonly parents: readonly (string | null)[];
}

/** All places where something may stand, in the order in which they are read; without those inside of itself. */
export function placesFor<Element extends PlacedElement>(
  tree: readonly FormNode<Element>[],
  { id, parents }: Moving,
): FormPlace[] {
  const within = (parent: Element | null, nodes: readonly FormNode<Element>[]): FormPlace[] => {
    const isAllowed = parents.includes(parent?.type ?? null);
    const parentId = parent?.id ?? null;
    const others = nodes.filter(({ element }) => element.id !== id);
    const places = others.flatMap(({ element, children }) => [
      ...(isAllowed ? [{ parentId, nextId: element.id }] : []),
      ...within(element, children),
    ]);
    return isAllowed ? [...places, { parentId, nextId: null }] : places;
  };
  return within(null, tree);
}

/** Where an element stands now. */
export function placeOf<Element extends PlacedElement>(
  tree: readonly FormNode<Element>[],
  id: number,
): FormPlace | undefined {
  const find = (parent: Element | null, nodes: readonly FormNode<Element>[]): FormPlace | undefined => {
    const index = nodes.findIndex(({ element }) => element.id === id);
    if (index !== -1) return { parentId: parent?.id ?? null, nextId: nodes[index + 1]?.element.id ?? null };
    for (const { element, children } of nodes) {
      const found = find(element, children);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(null, tree);
}

export const isSamePlace = (one: FormPlace, other: FormPlace): boolean =>
  one.parentId === other.parentId && one.nextId === other.nextId;

/** One place further on, or back, in the order in which the form is read; undefined at its ends. */
export function nextPlace<Element extends PlacedElement>(
  tree: readonly FormNode<Element>[],
  element: Element,
  step: 1 | -1,
): FormPlace | undefined {
  const now = placeOf(tree, element.id);
  if (now === undefined) return undefined;
  const places = placesFor(tree, element);
  return places[places.findIndex((place) => isSamePlace(place, now)) + step];
}

/** The elements with one of them at another place; ranks among its new neighbours are made anew. */
export function moved<Element extends PlacedElement>(
  elements: readonly Element[],
  id: number,
  { parentId, nextId }: FormPlace,
): Element[] {
  const element = elements.find((one) => one.id === id);
  if (element === undefined) return [...elements];
  const others = elements.filter((one) => one.id !== id && one.parentId === parentId).sort(byRank);
  const index = nextId === null ? others.length : others.findIndex((one) => one.id === nextId);
  const order = others.toSpliced(index === -1 ? others.length : index, 0, element);
  const ranks = new Map(order.map((one, rank) => [one.id, rank]));
  return elements.map((one) =>
    ranks.has(one.id)
      ? { ...one, rank: ranks.get(one.id) ?? one.rank, ...(one.id === id ? { parentId } : {}) }
      : one,
  );
}
