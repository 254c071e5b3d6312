import { isObject } from '../../kernel/values.ts';
import { attributeOf, childrenOf, element, type XmlElement } from '../../kernel/xml.ts';
import {
  amendedItems,
  amendedNumbers,
  changeOf,
  fileSearch,
  integerIn,
  itemsCell,
  itemsIn,
  joinedItems,
  member,
  namesSame,
  neededMember,
  refuseCommon,
  refuseTooMany,
  wrongValue,
} from '../field-kit/index.ts';
import type {
  ArchiveReading,
  Entry,
  FieldType,
  KeptFile,
  ShowingContext,
  WritingContext,
} from '../field-type.ts';
import { isSameSet } from '../lists/index.ts';
import type { Field } from '../model.ts';

type Files = readonly KeptFile[];

const idOf = (file: KeptFile) => (typeof file === 'number' ? file : file[0]);
const idsOf = (files: Files) => files.map(idOf);
const descriptionOf = (file: KeptFile) => (typeof file === 'number' ? undefined : file[1]);

const descriptionsOf = (files: Files): ReadonlyMap<number, string> =>
  new Map(files.filter((file) => typeof file !== 'number'));

/** The id that an item names: alone, or with a description. */
function fileIdIn(field: Field, item: unknown): number {
  const id = integerIn(isObject(item) ? item['id'] : item);
  if (id === undefined) throw wrongValue(field, `${JSON.stringify(item)} is not a file id.`);
  return id;
}

/** The description that an item gives; undefined where it gives none. */
function descriptionIn(field: Field, item: unknown): string | undefined {
  const description = isObject(item) ? (member(item, 'description') ?? undefined) : undefined;
  if (description === undefined || typeof description === 'string') return description;
  throw wrongValue(field, `The description of file #${fileIdIn(field, item)} must be a text.`);
}

/** The files that the field shall hold, with what they shall be described by; clients write an empty list as an empty text, too. */
function filesIn(
  field: Field,
  entry: Entry,
  context: Pick<WritingContext, 'isXml'>,
): { ids: number[]; descriptions: ReadonlyMap<number, string> } {
  const value = neededMember(entry, 'value', context, []);
  const items = value === undefined ? undefined : itemsIn(value);
  if (items === undefined) throw wrongValue(field, 'The entry needs `value`, an array of file ids.');
  refuseTooMany(field, items);
  const ids = items.map((item) => fileIdIn(field, item));
  return { ids: [...new Set(ids)], descriptions: describedIn(field, items) };
}

function describedIn(field: Field, items: readonly unknown[]): ReadonlyMap<number, string> {
  const descriptions = new Map<number, string>();
  for (const item of items) {
    const description = descriptionIn(field, item);
    if (description !== undefined) descriptions.set(fileIdIn(field, item), description);
  }
  return descriptions;
}

/** Files keep the descriptions that they have, unless they are given others. */
async function described(
  ids: readonly number[],
  present: Files,
  wanted: ReadonlyMap<number, string>,
  context: WritingContext,
): Promise<Files> {
  const kept = descriptionsOf(present);
  const changed = wanted.size === 0 ? wanted : await context.newDescriptions(wanted);
  return ids.map((id) => {
    const description = changed.get(id) ?? kept.get(id);
    return description === undefined ? id : [id, description];
  });
}

function isSame(left: Files, right: Files): boolean {
  const descriptions = descriptionsOf(right);
  return (
    isSameSet(idsOf(left), idsOf(right)) &&
    left.every((file) => descriptionOf(file) === descriptions.get(idOf(file)))
  );
}

/** An entry as answers give it describes the files instead of naming them. */
function isEcho(_field: Field, entry: Entry, stored: Files): boolean {
  if (!Object.hasOwn(entry, 'file_descriptions') || Object.hasOwn(entry, 'value')) return false;
  const files = itemsIn(entry['file_descriptions']);
  const ids = files?.map((file) => (isObject(file) ? file['id'] : undefined));
  return ids !== undefined && namesSame(ids, idsOf(stored));
}

async function accept(
  field: Field,
  entry: Entry,
  context: WritingContext,
  present: Files = [],
): Promise<Files> {
  const { ids, descriptions } = filesIn(field, entry, context);
  await context.checkFiles(field, ids);
  return described(ids, present, descriptions, context);
}

/** Each item of `describe_files` says which file, and what it is described by. */
function amendedDescriptions(field: Field, entry: Entry): ReadonlyMap<number, string> {
  const items = amendedItems(field, entry, 'describe_files');
  if (items.some((item) => descriptionIn(field, item) === undefined))
    throw wrongValue(field, 'Items of `describe_files` need `id` and `description`, a text.');
  return describedIn(field, items);
}

async function amended(field: Field, entry: Entry, present: Files, context: WritingContext): Promise<Files> {
  const named = amendedNumbers(field, entry, 'add_files');
  const removed = amendedNumbers(field, entry, 'remove_files');
  refuseCommon(field, named, removed, ['add_files', 'remove_files']);
  const before = idsOf(present);
  const added = named.filter((id) => !before.includes(id));
  await context.checkFiles(field, added);
  const ids = [...before.filter((id) => !removed.includes(id)), ...added];
  const descriptions = amendedDescriptions(field, entry);
  const stranger = [...descriptions.keys()].find((id) => !ids.includes(id));
  if (stranger !== undefined)
    throw wrongValue(field, `File #${stranger} in \`describe_files\` is not in this field.`);
  return described(ids, present, descriptions, context);
}

/** Files that are named for the first time are added; others stay, unless lists are known to be complete. */
function readArchived(
  _field: Field,
  change: XmlElement,
  context: ArchiveReading,
  before: Files | undefined,
): Files | undefined {
  const named = childrenOf(change, 'value').flatMap((value) => {
    const reference = attributeOf(value, 'ref');
    return reference === undefined ? [] : (context.file(reference) ?? []);
  });
  const files = context.hasCompleteFiles ? named : [...idsOf(before ?? []), ...named];
  return files.length === 0 && before === undefined ? undefined : [...new Set(files)];
}

const shownFiles = (files: Files, context: ShowingContext): string[] =>
  files.flatMap((file) => context.file(idOf(file), descriptionOf(file)) ?? []);

/** Attached files. */
export const fileField: FieldType<Files> = {
  code: 'file',
  kind: 'field',
  amending: { members: ['add_files', 'remove_files', 'describe_files'], whole: ['value'] },
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  properties: {},
  archived: {
    type: 'file',
    isRepeated: true,
    async write(field, value, context) {
      const files = await context.files(idsOf(value));
      const values = files.map((id) => element('value', { ref: `fileinfo_${id}` }));
      return changeOf(field, 'file', values.length === 0 ? [element('value')] : values);
    },
    read: readArchived,
  },
  search: fileSearch,
  describe: ({ id }, { largestFile }) => ({
    extra: { file_creation_uri: `tracker_fields/${id}/files`, max_size_upload: largestFile },
  }),
  cell: {
    write: (_field, value = [], context) =>
      joinedItems(shownFiles(value, context).map((file) => JSON.parse(file).name)),
  },
  row: {
    type: () => 'files',
    cell: (_field, value = [], context) => itemsCell(shownFiles(value, context)),
  },
  value: {
    needs: ['files'],
    accept,
    amend: (field, entry, present = [], context) => amended(field, entry, present, context),
    isEmpty: (value) => value.length === 0,
    isEmptyRemoval: true,
    isSame,
    isEcho,
    show: (_field, value = [], context) => `"file_descriptions":[${shownFiles(value, context).join(',')}]`,
    files: idsOf,
    fileDescriptions: descriptionsOf,
  },
};
