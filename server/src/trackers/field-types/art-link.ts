import { isObject } from '../../kernel/values.ts';
import { attributeOf, childrenOf, element, type XmlElement } from '../../kernel/xml.ts';
import {
  alwaysWritten,
  amendedItems,
  amendedNumbers,
  amendingIn,
  arrayCell,
  changeOf,
  integerIn,
  itemsIn,
  itemsOf,
  joinedItems,
  member,
  neededMember,
  numberCriterion,
  refuseCommon,
  switchedOn,
  wrongValue,
} from '../field-kit/index.ts';
import type {
  ArchiveReading,
  Entry,
  FieldType,
  LinkRequest,
  StoredLink,
  WritingContext,
} from '../field-type.ts';
import type { Field } from '../model.ts';
import { allOf, type Condition, type LinkEnd, not, type Range } from '../query/index.ts';

function listIn(field: Field, entry: Entry, name: string): readonly unknown[] | undefined {
  const value = member(entry, name);
  if (value === undefined) return undefined;
  const items = itemsIn(value);
  if (items === undefined) throw wrongValue(field, `\`${name}\` must be an array.`);
  return items;
}

function targetIn(field: Field, item: unknown, name: string): { id: number; item: Entry } {
  const id = isObject(item) ? integerIn(member(item, 'id')) : undefined;
  if (id === undefined || id < 1 || !isObject(item))
    throw wrongValue(field, `Each of \`${name}\` needs an \`id\`, the id of an artifact.`);
  return { id, item };
}

/** One link to each artifact: of several, the last one counts. */
function once(links: readonly StoredLink[]): StoredLink[] {
  return [...new Map(links.map((link) => [link[0], link])).values()];
}

function forwardLinks(field: Field, items: readonly unknown[], name = 'links'): StoredLink[] {
  return once(
    items.map((input): StoredLink => {
      const { id, item } = targetIn(field, input, name);
      const type = member(item, 'type');
      return [id, typeof type === 'string' ? type : ''];
    }),
  );
}

const directions: readonly unknown[] = ['forward', 'reverse'];

function directedLink(field: Field, input: unknown, context: WritingContext) {
  const { id, item } = targetIn(field, input, 'all_links');
  const direction = member(item, 'direction');
  if (!directions.includes(direction))
    throw wrongValue(field, 'Each of `all_links` needs a `direction`, "forward" or "reverse".');
  const type = neededMember(item, 'type', context, '');
  if (typeof type !== 'string')
    throw wrongValue(field, 'Each of `all_links` needs a `type`, empty for a link without type.');
  return { link: [id, type] as const, isForward: direction === 'forward' };
}

function allLinks(field: Field, items: readonly unknown[], context: WritingContext): LinkRequest {
  const links = items.map((item) => directedLink(field, item, context));
  const of = (isForward: boolean) =>
    once(links.filter((item) => item.isForward === isForward).map(({ link }) => link));
  return { forward: of(true), reverse: of(false) };
}

function parentIn(field: Field, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const id = isObject(value) ? integerIn(member(value, 'id')) : undefined;
  if (id === undefined) throw wrongValue(field, '`parent.id` must be an integer.');
  return id;
}

/** XML writes an empty list as nothing: it is one alone in its entry, and beside the links of the other direction. */
function withEmptyLists(entry: Entry): Entry {
  const isEmpty = (name: string) => Object.hasOwn(entry, name) && entry[name] === null;
  const isAlone =
    ['links', 'parent', 'all_links'].every((name) => member(entry, name) === undefined) &&
    amendingIn(entry).length === 0;
  if (isEmpty('links') && (isAlone || Object.hasOwn(entry, 'reverse_links'))) return { ...entry, links: [] };
  return isEmpty('all_links') && isAlone ? { ...entry, all_links: [] } : entry;
}

/** Links that are added and taken away, beside a parent where one is named. */
function amendedLinks(field: Field, entry: Entry, parent: number | undefined): LinkRequest {
  const added = forwardLinks(field, amendedItems(field, entry, 'add_links'), 'add_links');
  const removed = amendedNumbers(field, entry, 'remove_links');
  const ids = added.map(([id]) => id);
  refuseCommon(field, ids, removed, ['add_links', 'remove_links']);
  return { added, removed, ...(parent === undefined ? {} : { parent }) };
}

function acceptLinks(field: Field, input: Entry, context: WritingContext): LinkRequest {
  const entry = context.isXml ? withEmptyLists(input) : input;
  const links = listIn(field, entry, 'links');
  const all = listIn(field, entry, 'all_links');
  const parent = parentIn(field, member(entry, 'parent'));
  if (amendingIn(entry).length > 0) return amendedLinks(field, entry, parent);
  if (all !== undefined) {
    if (links !== undefined || parent !== undefined)
      throw wrongValue(field, '`all_links` cannot be combined with `links` or `parent`.');
    return allLinks(field, all, context);
  }
  if (links === undefined && parent === undefined)
    throw wrongValue(field, 'The entry needs `links`, `parent` or `all_links`.');
  return {
    ...(links === undefined ? {} : { forward: forwardLinks(field, links) }),
    ...(parent === undefined ? {} : { parent }),
  };
}

/** All links that there are after the changeset. */
function readArchived({ name }: Field, change: XmlElement, context: ArchiveReading): StoredLink[] {
  return once(
    childrenOf(change, 'value').flatMap((value): StoredLink[] => {
      const id = context.artifact(value.text.trim());
      if (id !== undefined) return [[id, attributeOf(value, 'nature')?.trim() ?? '']];
      const text = `${name} links to artifact ${value.text.trim().slice(0, 50)}, which is not in the archive.`;
      if (value.text.trim() !== '') context.warn('unknown_link_target', text);
      return [];
    }),
  );
}

const linkedTo = (end: LinkEnd): Condition => ({ is: 'linked', direction: 'forward', end });

/** Criteria look at the ids of the artifacts that this one links to. */
const linkedIds = {
  isWhole: true,
  within(_field: Field, range: Range) {
    const { from, to } = range;
    const isOne = from !== undefined && from === to && Number.isSafeInteger(from);
    return linkedTo(isOne ? { is: 'artifact', id: from } : { is: 'id in', range });
  },
  matching(_field: Field, pattern: string, isNot: boolean) {
    const matching = linkedTo({ is: 'id matching', pattern });
    return isNot ? allOf([linkedTo({ is: 'anything' }), not(matching)]) : matching;
  },
};

/** `12` for a link without a type, `12 _is_child` for one that has one. */
function linkIn(field: Field, item: string): Entry {
  const [, id, type = ''] = /^#?(\d{1,15})(?:\s+(\S+))?$/.exec(item) ?? [];
  if (id === undefined)
    throw wrongValue(field, `${JSON.stringify(item)} is no link: write ids, each with its type behind it.`);
  return { id: Number(id), type };
}

/** Links as `context.links` writes them. */
const keptLinks = (links: string): readonly { readonly id: number; readonly type: string | null }[] =>
  JSON.parse(links);

function linkItems(links: string): string[] {
  return keptLinks(links).map(({ id, type }) => (type === null ? String(id) : `${id} ${type}`));
}

/** Links as cells show them. */
function rowLinks(links: string): unknown[] {
  return keptLinks(links).map(({ id, type }) => ({ id, type, direction: 'forward' }));
}

const properties = { can_edit_reverse_links: switchedOn(1) };

/** Links to other artifacts. The present ones are rows of their own; history keeps each state as a value. */
export const artLinkField: FieldType<readonly StoredLink[]> = {
  code: 'art_link',
  kind: 'field',
  amending: { members: ['add_links', 'remove_links'], whole: ['links', 'all_links'] },
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  isUnique: true,
  properties,
  archivedProperties: alwaysWritten(properties),
  archived: {
    type: 'art_link',
    async write(field, value, context) {
      const links = await context.links(value);
      const values = links.map(([id, type]) =>
        element('value', { nature: type === '' ? undefined : type }, String(id)),
      );
      return changeOf(field, 'art_link', values);
    },
    read: readArchived,
  },
  search: {
    operators: ['contains'],
    filled: linkedTo({ is: 'anything' }),
    criterion: (field, { value }) => numberCriterion(linkedIds, field, value),
  },
  describe: (_field, { allowedLinkTypes }) => ({ extra: { allowed_types: allowedLinkTypes } }),
  acceptLinks,
  cell: {
    write: (_field, value, context) => joinedItems(linkItems(context.links(value))),
    read: (field, cell) => ({ links: itemsOf(field, cell).map((item) => linkIn(field, item)) }),
  },
  row: {
    type: () => 'links',
    cell: (_field, value, context) => arrayCell(rowLinks(context.links(value))),
  },
  value: {
    isAlwaysShown: true,
    needs: ['links'],
    isEmpty: (value) => value.length === 0,
    show: (_field, value, context) =>
      `"links":${context.links(value)},"reverse_links":${context.reverseLinks()}`,
  },
};
