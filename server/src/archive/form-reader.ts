import { fold } from '../kernel/text.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  isTrue,
  listedIn,
  textOf,
  type XmlElement,
} from '../kernel/xml.ts';
import {
  type Bind,
  bindKinds,
  bindRules,
  type Field,
  type FieldType,
  type FormReading,
  fieldTypes,
  type ListValue,
  propertiesFromArchive,
} from '../trackers/index.ts';
import type { DraftNumbers } from './draft-numbers.ts';
import { clipped } from './words.ts';

/** A form element before anything is known of who may do what with it. */
export type DraftField = Omit<Field, 'grants' | 'head' | 'trackerId' | 'projectId'>;

const noBind: Bind = {
  kind: 'static',
  groups: [],
  isAlphabetic: false,
  defaults: [],
  values: [],
  removed: [],
};

const hexOf = (element: XmlElement) =>
  ['r', 'g', 'b'].map((part) => {
    const value = Number(attributeOf(element, part));
    return value >= 0 && value <= 255 ? Math.floor(value).toString(16).padStart(2, '0') : '';
  });

/** A colour of the palette, whose names had underscores once; empty for what is no name of a colour. */
export function colourNamed(text: string): string {
  const name = text.trim().replaceAll('_', '-');
  return /^[a-z]+(-[a-z]+)*$/.test(name) ? name : '';
}

/** A colour of the palette, or one of the old ones. */
function colourIn(decorator: XmlElement): string {
  const name = attributeOf(decorator, 'tlp_color_name');
  if (name !== undefined && name !== '') return colourNamed(name);
  const parts = hexOf(decorator);
  return parts.includes('') ? '' : `#${parts.join('').toUpperCase()}`;
}

/** By what the archive calls the values; having none is called nothing. */
function coloursIn(bind: XmlElement): ReadonlyMap<string, string> {
  const decorators = listedIn(bind, 'decorators', 'decorator');
  return new Map(decorators.map((decorator) => [attributeOf(decorator, 'REF') ?? '', colourIn(decorator)]));
}

/** Defaults refer to items; those of people to accounts. */
function defaultsIn(bind: XmlElement, numbers: DraftNumbers): number[] {
  return listedIn(bind, 'default_values', 'value').flatMap((value) => {
    const item = attributeOf(value, 'REF');
    return (item === undefined ? numbers.person(value) : numbers.items.get(item)) ?? [];
  });
}

function readBind(type: FieldType, element: XmlElement | undefined, numbers: DraftNumbers): Bind | null {
  if (type.binds === undefined) return null;
  const kind = bindKinds.find((name) => element !== undefined && name === attributeOf(element, 'type'));
  if (element === undefined || kind === undefined) return noBind;
  const items = listedIn(element, 'items', 'item');
  const context: FormReading = {
    valueFor: (item) => numbers.numberItem(item),
    group: (name) => numbers.group(name),
    warn: (code, item, text) => numbers.warn(code, item, text),
  };
  const { groups, values } = bindRules(kind).fromItems(items, context);
  const colours = coloursIn(element);
  const keys = new Map(
    items.map((item) => [numbers.items.get(attributeOf(item, 'ID') ?? ''), attributeOf(item, 'ID')]),
  );
  const complete = values.map(
    (value, rank): ListValue => ({ ...value, rank, color: colours.get(keys.get(value.id) ?? '-') ?? '' }),
  );
  const isAlphabetic = isTrue(attributeOf(element, 'is_rank_alpha'));
  const defaults = [...new Set(defaultsIn(element, numbers))];
  return {
    kind,
    groups,
    isAlphabetic,
    defaults: type.isMultiple ? defaults : defaults.slice(0, 1),
    noneColor: colours.get('') || undefined,
    values: complete,
    removed: [],
  };
}

/** A short name made from a label: queries and the API know no others than these. */
const nameFrom = (label: string) => fold(label.trim()).replace(/[^a-z0-9_-]/gu, '_');

const lastPlace = 1_000_000_000;

/** Where an element stands among others; so far away as a number can say is far enough. */
const placeOf = (element: XmlElement) =>
  Math.max(-lastPlace, Math.min(lastPlace, Number.parseInt(attributeOf(element, 'rank') ?? '', 10) || 0));

const longestName = 255;
const longestSuffix = 100;

/** Reads the form of a tracker, leaving out what there is not here. */
export class FormReader {
  readonly fields: DraftField[] = [];
  readonly #elements = new Map<number, XmlElement>();
  readonly #numbers: DraftNumbers;
  readonly #names = new Set<string>();
  /** What the last of several with one short name has at its end. */
  readonly #suffixes = new Map<string, string>();
  readonly #types = new Set<FieldType>();

  constructor(numbers: DraftNumbers) {
    this.#numbers = numbers;
  }

  /** What a field was read from. */
  elementOf({ id }: Pick<DraftField, 'id'>): Pick<XmlElement, 'name' | 'attributes' | 'line'> {
    return this.#elements.get(id) ?? { name: 'formElement', attributes: {}, line: 1 };
  }

  /** All elements below this one. */
  read(parent: XmlElement, parentId: number | null): void {
    const children = childrenOf(parent, 'formElements').flatMap(({ children }) => children);
    for (const child of children) {
      if (child.name === 'formElement') this.#readElement(child, parentId);
      else this.#warnOfType(child);
    }
  }

  /** As much as there is to say of an element. */
  #describe(element: XmlElement): string {
    const id = attributeOf(element, 'ID')?.trim();
    const name = textOf(element, 'name').trim() || textOf(element, 'label').trim();
    const type = attributeOf(element, 'type')?.trim();
    return [
      element.name,
      ...(id ? [id] : []),
      ...(name === '' ? [] : [`"${clipped(name)}"`]),
      ...(type ? [`of the type ${clipped(type)}`] : ['without a type']),
    ].join(' ');
  }

  #warnOfType(element: XmlElement): void {
    const like = { what: 'form elements are no fields of this platform', subject: this.#describe(element) };
    this.#numbers.warn(
      'unknown_field_type',
      element,
      `${this.#describe(element)} is no field of this platform.`,
      like,
    );
  }

  /** The type of an element that can be taken over. */
  #typeOf(element: XmlElement): FieldType | undefined {
    const code = attributeOf(element, 'type') ?? '';
    if (code === 'shared') return undefined;
    const type = fieldTypes.get(code);
    const label = textOf(element, 'label').trim();
    if (type === undefined) this.#warnOfType(element);
    else if (label === '')
      this.#numbers.warn('skipped_element', element, `${this.#describe(element)} has no label.`);
    else if (type.isUnique && this.#types.has(type))
      this.#numbers.warn(
        'skipped_element',
        element,
        `${this.#describe(element)}: a tracker has one of this type only.`,
      );
    else return type;
    return undefined;
  }

  /** The short name; undefined where so many have the same that there is none left. */
  #nameOf(element: XmlElement): string | undefined {
    const wanted = (textOf(element, 'name').trim().toLowerCase() || nameFrom(textOf(element, 'label'))).slice(
      0,
      longestName,
    );
    let suffix = this.#suffixes.get(wanted) ?? '';
    while (this.#names.has(wanted + suffix) && suffix.length <= longestSuffix)
      suffix = suffix === '' ? '_1' : `${suffix}1`;
    this.#suffixes.set(wanted, suffix);
    if (suffix.length > longestSuffix) return undefined;
    const name = wanted + suffix;
    if (name !== wanted)
      this.#numbers.warn(
        'invalid_value',
        element,
        `The short name ${wanted} is there twice; it became ${name}.`,
      );
    this.#names.add(name);
    return name;
  }

  #readElement(element: XmlElement, parentId: number | null): void {
    const type = this.#typeOf(element);
    if (type === undefined) return;
    const name = this.#nameOf(element);
    if (name === undefined)
      return this.#numbers.warn(
        'skipped_element',
        element,
        `${this.#describe(element)}: too many have its short name.`,
      );
    this.#types.add(type);
    const id = this.#numbers.numberField(element);
    this.#elements.set(id, element);
    const flag = (name: string, byDefault: boolean) => isTrue(attributeOf(element, name), byDefault);
    this.fields.push({
      id,
      parentId,
      type,
      name,
      label: textOf(element, 'label'),
      description: textOf(element, 'description'),
      rank: placeOf(element),
      isRequired: type.kind === 'field' && flag('required', false),
      isUsed: flag('use_it', true),
      hasNotifications: flag('notifications', false),
      properties: propertiesFromArchive(type, childOf(element, 'properties'), (text) =>
        this.#numbers.warn('invalid_value', element, text),
      ),
      bind: readBind(type, childOf(element, 'bind'), this.#numbers),
    });
    if (type.kind === 'container') this.read(element, id);
  }
}
