import { findAccountsByEmail } from '../../identity/index.ts';
import { isStorable } from '../../kernel/text.ts';
import { isObject, scalarText } from '../../kernel/values.ts';
import { isAnonymous } from '../../kernel/viewer.ts';
import { attributeOf, childrenOf, type XmlElement } from '../../kernel/xml.ts';
import { formatGroupId } from '../../projects/index.ts';
import {
  amendedIds,
  amendedItems,
  changeOf,
  familyOfList,
  itemsCell,
  itemsIn,
  itemsOf,
  joinedItems,
  labelItem,
  line,
  listCell,
  listColumnType,
  member,
  namesSame,
  neededMember,
  refuseCommon,
  refuseTooMany,
  strangerItem,
  textProperty,
  typedItem,
  typedPersonItem,
  valueElement,
  wrongValue,
} from '../field-kit/index.ts';
import type {
  ArchiveReading,
  ArchiveWriting,
  Entry,
  FieldType,
  MovingContext,
  ShowingContext,
  WritingContext,
} from '../field-type.ts';
import {
  bindOf,
  criterionIds,
  describeTypedValues,
  everValueById,
  findTypedValue,
  initialValues,
  isSameSet,
  isTakenForValue,
  type Lookup,
  listComparing,
  listedAmong,
  plainId,
  refuseUnknown,
  shownIds,
  typedLabels,
  typedLike,
  typedValueFor,
} from '../lists/index.ts';
import { type Field, noneValue } from '../model.ts';

/** Ids of predefined values as numbers, `o12` for the value that somebody typed. */
type OpenValues = readonly (number | string)[];

const isTyped = (id: number | string): id is string => typeof id === 'string';
const typedId = (id: string) => Number(id.slice(1));
const predefined = (value: OpenValues) => value.filter((id) => typeof id === 'number');
const longestLabel = 255;

/** What the artifact has in the field already, which stays also where nobody can choose it any more. */
interface Present {
  /** The predefined values. */
  readonly ids: readonly number[];
  /** All values by the ids that answers show them by. */
  readonly byShownId: ReadonlyMap<unknown, number | string>;
}

/** The id by which an answer names one of the values. */
const shownId = (field: Field, id: number | string) =>
  isTyped(id) ? id : (shownIds(field, [id])[0] ?? String(id));

const presentIn = (field: Field, stored: OpenValues): Present => ({
  ids: predefined(stored),
  byShownId: new Map(stored.map((id) => [shownId(field, id), id])),
});

function labelIn(field: Field, value: unknown): string {
  const label = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (label.trim() === '' || !isStorable(label)) throw wrongValue(field, 'A value needs a text of its own.');
  if ([...label].length > longestLabel)
    throw wrongValue(field, `A value must have at most ${longestLabel} characters.`);
  return label;
}

const emailForm = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/;

/** What a text that names no predefined value becomes; lists of people take addresses only, lists of groups nothing. */
async function typed(field: Field, label: string, context: WritingContext): Promise<string> {
  const kind = field.bind?.kind;
  if (kind === 'ugroups') throw wrongValue(field, `There is no user group ${JSON.stringify(label)}.`);
  if (kind === 'users' && !emailForm.test(label))
    throw wrongValue(
      field,
      `${JSON.stringify(label)} is neither a user who can be chosen nor an e-mail address.`,
    );
  return `o${await typedValueFor(context.tx, field.id, label)}`;
}

async function fromLabel(
  field: Field,
  input: unknown,
  context: WritingContext,
  present: Present,
): Promise<number | string> {
  const label = labelIn(field, input);
  return (await bindOf(field).named(field, label, context, present.ids)) ?? typed(field, label, context);
}

/** In an object a label is one that people type, also when a predefined value is called the same. */
async function fromTypedLabel(field: Field, input: unknown, context: WritingContext): Promise<string> {
  return typed(field, labelIn(field, input), context);
}

async function fromId(
  field: Field,
  input: unknown,
  context: WritingContext,
  { byShownId }: Present,
): Promise<number | string> {
  const kept = byShownId.get(scalarText(input)?.trim());
  if (kept !== undefined) return kept;
  if (typeof input === 'string' && /^o\d{1,15}$/.test(input.trim())) {
    const id = typedId(input.trim());
    if (await findTypedValue(context.tx, field.id, id)) return `o${id}`;
    throw wrongValue(field, `${JSON.stringify(input)} is not the id of one of its values.`);
  }
  const [id] = await bindOf(field).accept(field, [input], context);
  if (id === undefined)
    throw wrongValue(field, `${JSON.stringify(input)} is not the id of one of its values.`);
  return id;
}

async function fromEmail(
  field: Field,
  input: unknown,
  context: WritingContext,
  present: Present,
): Promise<number | string> {
  const email = labelIn(field, input);
  const accounts = await findAccountsByEmail(context.tx, email);
  for (const { name } of accounts) {
    const id = await bindOf(field).named(field, name, context, present.ids);
    if (id !== undefined) return id;
  }
  return typed(field, email, context);
}

async function fromName(
  field: Field,
  input: unknown,
  context: WritingContext,
  present: Present,
): Promise<number> {
  const name = labelIn(field, input);
  const id = await bindOf(field).named(field, name, context, present.ids);
  if (id === undefined) throw wrongValue(field, `${JSON.stringify(name)} cannot be chosen here.`);
  return id;
}

/** How the values of each bind may be named in an object, in the order in which the names are looked at. */
const namings = {
  static: { id: fromId, label: fromTypedLabel },
  users: { id: fromId, username: fromName, email: fromEmail },
  ugroups: { id: fromId, short_name: fromName },
};

async function fromObject(
  field: Field,
  input: unknown,
  context: WritingContext,
  present: Present,
): Promise<number | string> {
  const naming = namings[field.bind?.kind ?? 'static'];
  for (const [name, read] of Object.entries(naming)) {
    const value = isObject(input) ? member(input, name) : undefined;
    if (value !== undefined) return read(field, value, context, present);
  }
  throw wrongValue(field, `Each of \`bind_value_objects\` needs one of ${Object.keys(naming).join(', ')}.`);
}

async function accept(
  field: Field,
  entry: Entry,
  context: WritingContext,
  stored: OpenValues = [],
): Promise<OpenValues> {
  const value = member(entry, 'value');
  const objects = isObject(value) ? neededMember(value, 'bind_value_objects', context, []) : undefined;
  const labels = neededMember(entry, 'bind_value_ids', context, []);
  const input = objects ?? labels;
  if (!Array.isArray(input))
    throw wrongValue(field, 'The entry needs `value.bind_value_objects` or `bind_value_ids`, an array.');
  refuseTooMany(field, input);
  const read = objects === undefined ? fromLabel : fromObject;
  const present = presentIn(field, stored);
  const ids: (number | string)[] = [];
  for (const item of input) ids.push(await read(field, item, context, present));
  return [...new Set(ids)].filter((id) => id !== noneValue);
}

async function amended(
  field: Field,
  entry: Entry,
  stored: OpenValues,
  context: WritingContext,
): Promise<OpenValues> {
  const named = amendedIds(field, entry, 'add_value_ids');
  const removed = amendedIds(field, entry, 'remove_value_ids');
  refuseCommon(field, named, removed, ['add_value_ids', 'remove_value_ids']);
  const present = presentIn(field, stored);
  const { byShownId } = present;
  const added: (number | string)[] = [];
  for (const id of named) added.push(await fromId(field, id, context, present));
  for (const label of amendedItems(field, entry, 'add_values'))
    added.push(await fromLabel(field, label, context, present));
  refuseUnknown(
    field,
    removed.filter((id) => !byShownId.has(id) && !/^o\d{1,15}$/.test(id)),
  );
  const gone = new Set(removed.map((id) => byShownId.get(id)));
  return [...new Set([...stored.filter((id) => !gone.has(id)), ...added])].filter((id) => id !== noneValue);
}

/** The members that hold the label of an object: of a value, a person or a group. */
const labelMembers = ['label', 'display_name', 'short_name'];

const isLabelOf = (object: unknown, label: unknown) =>
  isObject(object) && labelMembers.some((name) => object[name] === label);

/** The ids by which answers name what is stored. */
const storedIds = (field: Field, stored: OpenValues) => [
  ...shownIds(field, predefined(stored)),
  ...stored.filter(isTyped),
];

const idsOf = (objects: readonly unknown[]) =>
  objects.map((item) => (isObject(item) ? item['id'] : undefined));

/**
 * Names of people are shown as each viewer likes them, so that only the objects beside them tell who is meant. Labels
 * that do not belong to the objects are a wish for other values.
 */
function isReadBack(field: Field, entry: Entry, stored: OpenValues): boolean {
  if (!Object.hasOwn(entry, 'bind_value_objects')) return false;
  const objects = itemsIn(entry['bind_value_objects']) ?? [];
  const labels = itemsIn(entry['bind_value_ids'] ?? null) ?? [];
  const isWhole =
    labels.length === objects.length && labels.every((label, at) => isLabelOf(objects[at], label));
  return isWhole && namesSame(idsOf(objects), storedIds(field, stored));
}

/** Somebody who left, or a value that is gone, can still be sent where it is: as it was read, or in the form of a change. */
function isEcho(field: Field, entry: Entry, stored: OpenValues): boolean {
  if (!Object.hasOwn(entry, 'value')) return isReadBack(field, entry, stored);
  const value = member(entry, 'value');
  const objects = isObject(value) ? member(value, 'bind_value_objects') : undefined;
  return Array.isArray(objects) && namesSame(idsOf(objects), storedIds(field, stored));
}

/** What somebody typed; into a list of people they can only type addresses. */
function typedLabel({ bind }: Field, id: string, context: ShowingContext): string {
  return bind?.kind === 'users' ? context.typedAddress(typedId(id)) : context.typedValue(typedId(id));
}

/** Predefined values first, as the form shows them, then the typed ones. */
function show(field: Field, value: OpenValues, context: ShowingContext): string {
  const bind = bindOf(field);
  const known = predefined(value);
  const typedObjects = value
    .filter(isTyped)
    .map((id) => `{"id":"${id}","label":${JSON.stringify(typedLabel(field, id, context))}}`);
  const objects = [...(known.length === 0 ? [] : bind.show(field, known, context)), ...typedObjects];
  const labels = flat(field, value, context).map((label) => JSON.stringify(label));
  const kind = field.bind?.kind ?? 'static';
  return `"bind_type":"${kind}","bind_value_objects":[${objects.join(',')}],"bind_value_ids":[${labels.join(',')}]`;
}

const typedIn = (field: Field, value: OpenValues, context: ShowingContext) =>
  value.filter(isTyped).map((id) => typedLabel(field, id, context));

const flat = (field: Field, value: OpenValues, context: ShowingContext) => [
  ...bindOf(field).labels(field, predefined(value), context),
  ...typedIn(field, value, context),
];

function cell(field: Field, value: OpenValues, context: ShowingContext): string {
  const asItem = (label: string) =>
    field.bind?.kind === 'users' ? strangerItem(label, context) : labelItem(label, null);
  return listCell([
    ...bindOf(field).items(field, predefined(value), context),
    ...typedIn(field, value, context).map(asItem),
  ]);
}

function rowCell(field: Field, value: OpenValues, context: ShowingContext): string {
  const arePeople = field.bind?.kind === 'users';
  const asItem = (id: string) => {
    const label = typedLabel(field, id, context);
    return arePeople ? typedPersonItem(id, label, context) : typedItem(id, label);
  };
  return itemsCell([
    ...bindOf(field).rowItems(field, predefined(value), context),
    ...value.filter(isTyped).map(asItem),
  ]);
}

/** What a value of an open list of another tracker is here, if anything: values of the tracker itself can be typed anew. */
async function counterpartsOf(
  field: Field,
  id: number | string,
  from: Field,
  context: MovingContext,
): Promise<(number | string)[]> {
  if (!isTyped(id)) {
    const known = await bindOf(field).counterpart(field, id, from, context);
    if (known !== undefined) return [known];
    return from.bind?.kind === 'static' ? typedAnew(field, everValueById(from, id)?.label, context) : [];
  }
  const label = (await typedLabels(context.reader, [typedId(id)])).get(typedId(id));
  const listed = field.bind?.kind === 'static' ? field.bind.values : [];
  const same = listed.find((value) => value.label === label);
  return same === undefined ? typedAnew(field, label, context) : [same.id];
}

async function typedAnew(field: Field, label: string | undefined, context: MovingContext): Promise<string[]> {
  return label === undefined ? [] : [`o${await context.typedValue(field, label)}`];
}

const quoted = /^"(?:[^"]|"")*"$/;

/** A label in quotes is one that somebody typed, to the letter. */
const typedInQuotes = (text: string) =>
  quoted.test(text) ? text.slice(1, -1).replaceAll('""', '"') : undefined;

/** One text may hold several labels with commas between them. */
const labelsIn = (text: string) =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');

/** Whether a label without quotes would be read as something else. */
const needsQuotes = (field: Field, label: string) =>
  label.includes(',') || label.trim() !== label || quoted.test(label) || isTakenForValue(field, label);

const labelText = (field: Field, label: string) =>
  needsQuotes(field, label) ? `"${label.replaceAll('"', '""')}"` : label;
const isLabel = (value: XmlElement) => ['label', undefined].includes(attributeOf(value, 'format'));

/** Lists of groups take no typed values. */
async function typedInArchive(field: Field, label: string, context: ArchiveReading): Promise<string[]> {
  const isLong = [...label].length > longestLabel;
  if (field.bind?.kind === 'ugroups' || label.trim() === '' || isLong || !isStorable(label)) return [];
  return [`o${await context.typedValue(field, label)}`];
}

/** A predefined value, else one that is typed. */
async function labelled(field: Field, label: string, context: ArchiveReading): Promise<(number | string)[]> {
  const known = bindOf(field).namedInArchive(field, label, context);
  return known === undefined ? typedInArchive(field, label, context) : [known];
}

async function valuesIn(
  field: Field,
  value: XmlElement,
  context: ArchiveReading,
): Promise<(number | string)[]> {
  if (value.text.trim() === '') return [];
  if (!isLabel(value))
    return [await bindOf(field).fromArchive(field, value, context)].filter((id) => id !== undefined);
  const inQuotes = typedInQuotes(value.text.trim());
  if (inQuotes !== undefined) return typedInArchive(field, inQuotes, context);
  const found: (number | string)[] = [];
  for (const label of labelsIn(value.text)) found.push(...(await labelled(field, label, context)));
  return found;
}

async function readArchived(field: Field, change: XmlElement, context: ArchiveReading): Promise<OpenValues> {
  const found: (number | string)[] = [];
  for (const value of childrenOf(change, 'value')) {
    const values = await valuesIn(field, value, context);
    if (values.length === 0 && value.text.trim() !== '')
      context.warn(
        'invalid_value',
        `${JSON.stringify(value.text.slice(0, 50))} is no value of ${field.name}.`,
      );
    found.push(...values);
  }
  return [...new Set(found)].filter((id) => id !== noneValue);
}

/** Predefined values are numbered `b12` in open lists. */
async function writtenValue(field: Field, id: number | string, context: ArchiveWriting): Promise<XmlElement> {
  if (isTyped(id)) return valueElement(labelText(field, await context.typedLabel(typedId(id))), 'label');
  const value = await bindOf(field).toArchive(field, id, context);
  return attributeOf(value, 'format') === 'id' ? valueElement(`b${value.text}`, 'id') : value;
}

async function writeArchived(field: Field, value: OpenValues, context: ArchiveWriting): Promise<XmlElement> {
  const values = await Promise.all(value.map((id) => writtenValue(field, id, context)));
  const bind = { bind: field.bind?.kind ?? 'static' };
  return changeOf(field, 'open_list', values.length === 0 ? [valueElement('')] : values, bind);
}

/** Larger numbers than this are ids of nothing, like this one. */
const knownNumber = (digits: string) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER);

/**
 * The entry of the index that an id of a criterion means. In an array `b12` is a predefined value and `o7` a typed one;
 * groups are known by their own ids, too, by which the form lists them.
 */
function searchedId(field: Field, item: unknown, isInList: boolean): number | undefined {
  const text = typeof item === 'string' || typeof item === 'number' ? String(item).trim() : '';
  const [, prefix, digits = text] = (isInList && /^([bo])(\d+)$/.exec(text)) || [];
  if (prefix === 'o') return -knownNumber(digits);
  const id = prefix === 'b' ? knownNumber(digits) : plainId(digits);
  const isValue = id !== undefined && everValueById(field, id) !== undefined;
  return isValue ? id : (groupValue(field, text) ?? id);
}

const groupValue = ({ bind, projectId }: Field, text: string): number | undefined =>
  bind?.values.find(({ groupId }) => groupId !== null && formatGroupId(groupId, projectId) === text)?.id;

/** The entries of the index that texts of a query mean. Typed addresses of people are not for everybody. */
const searchedEntries: Lookup = async (field, texts, context) => {
  const known = await bindOf(field).searched(field, texts, context);
  if (field.bind?.kind === 'users' && isAnonymous(context.viewer)) return known;
  return [...known, ...(await typedLike(context.reader, field.id, texts)).map((id) => -id)];
};

/** An open list: any number of values, and people may add some. */
export const tblField: FieldType<OpenValues> = {
  code: 'tbl',
  kind: 'field',
  amending: {
    members: ['add_value_ids', 'remove_value_ids', 'add_values'],
    whole: ['bind_value_ids', 'value'],
  },
  parents: ['column', 'fieldset', null],
  isUpdatable: true,
  isSubmittable: true,
  roles: ['status'],
  binds: ['static', 'users', 'ugroups'],
  isMultiple: true,
  isOpen: true,
  properties: { hint: line('Type in a search term') },
  async describe(field, context) {
    const extra = { hint: textProperty(field.properties, 'hint') };
    const closed = await bindOf(field).describe(field, context);
    return { ...closed, values: await describeTypedValues(field, context, closed.values), extra };
  },
  value: {
    needs: ['typed values'],
    accept,
    initial: initialValues,
    isEmpty: (value) => value.length === 0,
    isSame: isSameSet,
    isEcho,
    amend: (field, entry, stored = [], context) => amended(field, entry, stored, context),
    show: (field, value = [], context) => show(field, value, context),
    flat: (field, value = [], context) => flat(field, value, context),
    indexed: (_field, value) =>
      value.length === 0 ? [noneValue] : value.map((id) => (isTyped(id) ? -typedId(id) : id)),
    typedValues: (value) => value.filter(isTyped).map(typedId),
  },
  cell: {
    write: (field, value = [], context) =>
      joinedItems([
        ...bindOf(field).names(field, predefined(value), context),
        ...typedIn(field, value, context),
      ]),
    read: (field, cell) => ({ bind_value_ids: itemsOf(field, cell) }),
  },
  row: {
    type: listColumnType,
    cell: (field, value = [], context) => rowCell(field, value, context),
    sort: 'list',
  },
  archived: { type: 'open_list', alsoReads: ['list'], write: writeArchived, read: readArchived },
  search: {
    operators: ['contains'],
    criterion: (field, { value }) =>
      listedAmong(
        field,
        criterionIds(field, value, (item, isInList) => searchedId(field, item, isInList)),
      ),
  },
  across: {
    family: familyOfList,
    compare: listComparing(searchedEntries),
    cell: (field, value = [], context) => cell(field, value, context),
  },
  move: {
    family: ({ bind }) => `any of ${bind?.kind}`,
    async take(field, value, from, context) {
      const ids = Array.isArray(value) ? value.filter((id) => !Array.isArray(id)) : [];
      const found: (number | string)[] = [];
      for (const id of ids) found.push(...(await counterpartsOf(field, id, from, context)));
      return { value: [...new Set(found)], isWhole: found.length === ids.length };
    },
  },
};
