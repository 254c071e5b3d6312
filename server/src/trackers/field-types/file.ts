import { isObject } from '../../kernel/values.ts';
import { attributeOf, childrenOf, element, type XmlElement } from '../../kernel/xml.ts';
import {
  amendedNumbers,
  changeOf,
  fileSearch,
  integerIn,
  itemsCell,
  itemsIn,
  joinedItems,
  member,
  namesSame,
  refuseCommon,
  refuseTooMany,
  wrongValue,
} from '../field-kit/index.ts';
import type { ArchiveReading, Entry, FieldType, WritingContext } from '../field-type.ts';
import { isSameSet } from '../lists/index.ts';
import type { Field } from '../model.ts';

/** The ids of the files that the field shall hold; clients write an empty list as an empty text, too. */
function idsIn(field: Field, entry: Entry): number[] {
  const value = member(entry, 'value');
  const items = value === undefined ? undefined : itemsIn(value);
  if (items === undefined) throw wrongValue(field, 'The entry needs `value`, an array of file ids.');
  refuseTooMany(field, items);
  const ids = items.map((input) => {
    const id = integerIn(input);
    if (id === undefined) throw wrongValue(field, `${JSON.stringify(input)} is not a file id.`);
    return id;
  });
  return [...new Set(ids)];
}

/** An entry as answers give it describes the files instead of naming them. */
function isEcho(_field: Field, entry: Entry, stored: readonly number[]): boolean {
  if (!Object.hasOwn(entry, 'file_descriptions') || Object.hasOwn(entry, 'value')) return false;
  const files = itemsIn(entry['file_descriptions']);
  const ids = files?.map((file) => (isObject(file) ? file['id'] : undefined));
  return ids !== undefined && namesSame(ids, stored);
}

async function accept(field: Field, entry: Entry, context: WritingContext): Promise<readonly number[]> {
  const ids = idsIn(field, entry);
  await context.checkFiles(field, ids);
  return ids;
}

async function amended(
  field: Field,
  entry: Entry,
  present: readonly number[],
  context: WritingContext,
): Promise<readonly number[]> {
  const named = amendedNumbers(field, entry, 'add_files');
  const removed = amendedNumbers(field, entry, 'remove_files');
  refuseCommon(field, named, removed, ['add_files', 'remove_files']);
  const added = named.filter((id) => !present.includes(id));
  await context.checkFiles(field, added);
  return [...present.filter((id) => !removed.includes(id)), ...added];
}

/** Files that are named for the first time are added; others stay, unless lists are known to be complete. */
function readArchived(
  _field: Field,
  change: XmlElement,
  context: ArchiveReading,
  before: readonly number[] | undefined,
): readonly number[] | undefined {
  const named = childrenOf(change, 'value').flatMap((value) => {
    const reference = attributeOf(value, 'ref');
    return reference === undefined ? [] : (context.file(reference) ?? []);
  });
  const files = context.hasCompleteFiles ? named : [...(before ?? []), ...named];
  return files.length === 0 && before === undefined ? undefined : [...new Set(files)];
}

/** Attached files. */
export const fileField: FieldType<readonly number[]> = {
  code: 'file',
  kind: 'field',
  amending: { members: ['add_files', 'remove_files'], whole: ['value'] },
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  properties: {},
  archived: {
    type: 'file',
    isRepeated: true,
    async write(field, value, context) {
      const files = await context.files(value);
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
      joinedItems(value.flatMap((id) => context.file(id) ?? []).map((file) => JSON.parse(file).name)),
  },
  row: {
    type: () => 'files',
    cell: (_field, value = [], context) => itemsCell(value.flatMap((id) => context.file(id) ?? [])),
  },
  value: {
    needs: ['files'],
    accept,
    amend: (field, entry, present = [], context) => amended(field, entry, present, context),
    isEmpty: (value) => value.length === 0,
    isSame: isSameSet,
    isEcho,
    show: (_field, value = [], context) =>
      `"file_descriptions":[${value.flatMap((id) => context.file(id) ?? []).join(',')}]`,
    files: (value) => value,
  },
};
