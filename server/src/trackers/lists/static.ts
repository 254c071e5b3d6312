import { compareNames, fold } from '../../kernel/text.ts';
import { attributeOf, element, isTrue, textOf, type XmlElement } from '../../kernel/xml.ts';
import { integerIn, labelItem, valueElement, wrongValue } from '../field-kit/index.ts';
import type { ArchiveReading } from '../field-type.ts';
import { type Bind, type Field, type ListValue, noneValue } from '../model.ts';
import type { ArchivedItem, BindRules, FormReading } from './bind-rules.ts';

const valuesOf = ({ bind }: Field): Bind['values'] => bind?.values ?? [];

const indexes = new WeakMap<Bind['values'], ReadonlyMap<number, ListValue>>();

function valueIn(values: Bind['values'], id: number): ListValue | undefined {
  const index = indexes.get(values) ?? new Map(values.map((value) => [value.id, value]));
  indexes.set(values, index);
  return index.get(id);
}

/** A value that can be chosen, or could be once. */
export const everValueById = ({ bind }: Field, id: number): ListValue | undefined =>
  bind === null ? undefined : (valueIn(bind.values, id) ?? valueIn(bind.removed, id));

/** All values that artifacts may have. */
export const everValue = ({ bind }: Field): readonly ListValue[] =>
  bind === null ? [] : [...bind.values, ...bind.removed];

/** The three parts of a colour of the old palette. */
function partsOf(color: string): string {
  if (!color.startsWith('#')) return 'null';
  const [r, g, b] = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  return `{"r":${r},"g":${g},"b":${b}}`;
}

/** The colour of a value of the palette; null for any other. */
export const paletteColor = (color: string): string | null =>
  color === '' || color.startsWith('#') ? null : color;

const written = new WeakMap<ListValue, string>();

function write(value: ListValue): string {
  const known = written.get(value);
  if (known !== undefined) return known;
  const { id, label, color, isHidden } = value;
  const named = JSON.stringify(paletteColor(color));
  const text = `{"id":${id},"label":${JSON.stringify(label)},"color":${partsOf(color)},"tlp_color":${named},"is_hidden":${isHidden}}`;
  written.set(value, text);
  return text;
}

const rowItems = new WeakMap<ListValue, string>();

function rowItem(value: ListValue): string {
  const known = rowItems.get(value);
  if (known !== undefined) return known;
  const { id, label, color } = value;
  const text = JSON.stringify({ id, label, color: paletteColor(color) });
  rowItems.set(value, text);
  return text;
}

function chosen(field: Field, ids: readonly number[]): ListValue[] {
  const values: ListValue[] = [];
  for (const id of ids) {
    const value = everValueById(field, id);
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** The default values that are still there for everybody. */
export const visibleDefaults = (field: Field): number[] =>
  (field.bind?.defaults ?? []).filter((id) => valueIn(valuesOf(field), id)?.isHidden === false);

/** The value with the number that a `value` of an archive has; open lists put a `b` before it, and older archives of ours a `-`. */
export function numberedInArchive(field: Field, value: XmlElement, context: ArchiveReading) {
  const text = value.text.trim();
  if (text === '' || text === String(noneValue)) return noneValue;
  for (const item of [`V${text}`, text, text.replace(/^b(?=-?\d+$)/, 'V')]) {
    const id = context.item(item);
    if (id !== undefined && everValueById(field, id) !== undefined) return id;
  }
  return undefined;
}

/** Letter case does not count where an archive names values by their labels. */
const isMeantBy =
  (text: string) =>
  ({ label }: ListValue): boolean =>
    label.toLowerCase() === text.trim().toLowerCase();

function labelled(field: Field, text: string): number | undefined {
  return (valuesOf(field).find(({ label }) => label === text) ?? valuesOf(field).find(isMeantBy(text)))?.id;
}

/** Whether a text in an archive is taken for a value that the field defines; removed ones are in archives as well. */
export const isTakenForValue = (field: Field, text: string): boolean =>
  everValue(field).some(isMeantBy(text));

/**
 * The number that a value has in an archive, where no two may be alike. A group that is a value of an open list by itself is
 * known by its id below zero, in every such list: there the number of the field goes in front.
 */
export const archivedNumber = ({ id: fieldId }: Field, id: number): string =>
  id < 0 ? `${fieldId}${String(-id).padStart(9, '0')}` : String(id);

export const archivedValue = (field: Field, id: number): XmlElement =>
  id === noneValue ? valueElement('') : valueElement(archivedNumber(field, id), 'id');

/** Values that were removed are still in history: archives have them hidden. */
export function archivedValues({ bind }: Field): readonly ListValue[] {
  if (bind === null) return [];
  const all = [...bind.values, ...bind.removed.map((value) => ({ ...value, isHidden: true }))];
  return bind.isAlphabetic ? all.sort((left, right) => compareNames(left.label, right.label)) : all;
}

export function archivedItem(
  field: Field,
  { id, isHidden, description }: ListValue,
  label: string,
): XmlElement {
  const words = description === '' ? '' : [element('description', {}, description)];
  return element('item', { ID: `V${archivedNumber(field, id)}`, label, is_hidden: isHidden }, words);
}

export const itemFrom = (item: XmlElement, context: FormReading): ArchivedItem => ({
  id: context.valueFor(item),
  label: attributeOf(item, 'label') ?? '',
  description: textOf(item, 'description'),
  isHidden: isTrue(attributeOf(item, 'is_hidden')),
  groupId: null,
});

/** Values that the tracker defines. */
export const staticBind: BindRules = {
  isFixed: true,
  async accept(field, ids) {
    return ids.map((input) => {
      const id = integerIn(input);
      if (id === undefined || valueIn(valuesOf(field), id) === undefined)
        throw wrongValue(field, `${JSON.stringify(input)} is not the id of one of its values.`);
      return id;
    });
  },
  async named(field, text) {
    return valuesOf(field).find(({ label }) => label === text)?.id;
  },
  async searched(field, texts) {
    const sought = new Set(texts.map(fold));
    return valuesOf(field).flatMap(({ id, label }) => (sought.has(fold(label)) ? id : []));
  },
  defaults: async (field) => visibleDefaults(field),
  async counterpart(field, id, from) {
    const meant = everValueById(from, id);
    return valuesOf(field).find(({ label }) => label === meant?.label)?.id;
  },
  show: (field, ids) => chosen(field, ids).map(write),
  showIds: (field, ids) => chosen(field, ids).map(({ id }) => String(id)),
  labels: (field, ids) => chosen(field, ids).map(({ label }) => label),
  names: (field, ids) => chosen(field, ids).map(({ label }) => label),
  items: (field, ids) => chosen(field, ids).map(({ label, color }) => labelItem(label, paletteColor(color))),
  rowItems: (field, ids) => chosen(field, ids).map(rowItem),
  sortTexts: async (field) => new Map(everValue(field).map(({ id, label }) => [id, label])),
  async describe(field) {
    const defaults = chosen(field, field.bind?.defaults ?? []).filter(({ isHidden }) => !isHidden);
    return {
      values: valuesOf(field).map(({ id, label, isHidden, color }) => ({
        id,
        label,
        is_hidden: isHidden,
        value_color: color,
      })),
      default_value: defaults.map(({ id, label }) => ({ id, label })),
    };
  },
  sources: () => [],
  toArchive: archivedValue,
  fromArchive: (field, value, context) =>
    attributeOf(value, 'format') === 'id' || value.text.trim() === ''
      ? numberedInArchive(field, value, context)
      : (labelled(field, value.text) ?? numberedInArchive(field, value, context)),
  namedInArchive: labelled,
  toItems: (field) => archivedValues(field).map((value) => archivedItem(field, value, value.label)),
  fromItems: (items, context) => ({
    groups: [],
    values: items.map((item) => itemFrom(item, context)).filter(({ label }) => label.trim() !== ''),
  }),
};
