import { arriving } from './arriving.tsx';
import { numberFilterWords } from './filter-words.ts';
import { type Field, type FieldValue, isMembers, membersIn, numberIn, textIn, withValue } from './model.ts';
import { simpleType } from './simple.ts';

type Direction = 'forward' | 'reverse';
export type ArtifactLink = {
  readonly id: number;
  readonly type: string;
  readonly direction: Direction;
  readonly colour: string;
};

const colourOf = (tracker: unknown): string => (isMembers(tracker) ? textIn(tracker['color']) : '');

export function linksIn(value: FieldValue | undefined): ArtifactLink[] {
  const read = (member: string, direction: Direction) =>
    membersIn(value?.[member]).map((link) => ({
      id: numberIn(link['id']) ?? 0,
      type: textIn(link['type']),
      direction,
      colour: colourOf(link['tracker']),
    }));
  return [...read('links', 'forward'), ...read('reverse_links', 'reverse')];
}

export const CHILD_LINK = '_is_child';

export const isChildLink = ({ type, direction }: ArtifactLink): boolean =>
  type === CHILD_LINK && direction === 'forward';
export const isParentLink = ({ type, direction }: ArtifactLink): boolean =>
  type === CHILD_LINK && direction === 'reverse';

const asMember = ({ id, type }: ArtifactLink) => ({
  id,
  type: type === '' ? null : type,
  uri: `artifacts/${id}`,
});

/** Links from the other side are written there: they are sent only where they were changed. */
export function withLinks(field: Field, links: readonly ArtifactLink[], changesReverse: boolean): FieldValue {
  return withValue(field, {
    links: links.filter(({ direction }) => direction === 'forward').map(asMember),
    reverse_links: links.filter(({ direction }) => direction === 'reverse').map(asMember),
    changes_reverse: changesReverse,
  });
}

export const artLinkType = simpleType('art_link', {
  holds: 'links',
  isForWholeForm: true,
  Reader: arriving((parts) => parts.LinksReader),
  Control: arriving((parts) => parts.LinksControl),
  Filter: arriving((parts) => parts.NumberFilter),
  filterWords: numberFilterWords,
  isChoice: true,
  groupedBy: 'parent',
  isWide: true,
  entryOf: (field, value) => {
    const links = linksIn(value);
    const forward = links
      .filter(({ direction }) => direction === 'forward')
      .map(({ id, type }) => ({ id, type }));
    if (value['changes_reverse'] !== true) return { field_id: field.field_id, links: forward };
    return {
      field_id: field.field_id,
      all_links: links.map(({ id, type, direction }) => ({ id, type, direction })),
    };
  },
  cellOf: (_field, value) => ({ value: linksIn(value).filter(({ direction }) => direction === 'forward') }),
  valueOfCell: (field, cell) => withValue(field, { links: cell.value, reverse_links: [] }),
  defaultOf: () => undefined,
  isEmpty: (value) => linksIn(value).length === 0,
  summary: (value, formats) => formats.list(linksIn(value).map(({ id }) => `#${id}`)),
});
