import { attributeOf, type XmlElement } from '../kernel/xml.ts';
import { groupNamed } from './group-names.ts';
import { type Likeness, placeWords, type Warn, type WarningCode } from './model.ts';
import { type ArchivedPeople, anonymous, personOf } from './people.ts';

/** Ids up to here mean the same everywhere: nothing chosen, and the groups that every project has. */
const lastFixedId = 100;

export interface DraftContext {
  readonly people: ArchivedPeople;
  /** Names of the groups that the project defines. */
  readonly groups: readonly string[];
  readonly warn: Warn;
}

/** Gives numbers to what a tracker of an archive has, and knows what its names mean. */
export class DraftNumbers {
  readonly fields = new Map<string, number>();
  readonly items = new Map<string, number>();
  /** The project's own groups by the numbers that they have in the draft. */
  readonly groups: ReadonlyMap<number, string>;
  readonly #groupIds: ReadonlyMap<string, number>;
  readonly #people: ArchivedPeople;
  readonly #warn: Warn;
  readonly #place: string;
  #last = lastFixedId;

  constructor(place: string, { people, groups, warn }: DraftContext) {
    this.#place = place;
    this.#people = people;
    this.#warn = warn;
    this.groups = new Map(groups.map((name) => [++this.#last, name]));
    this.#groupIds = new Map([...this.groups].map(([id, name]) => [name, id]));
  }

  warn(
    code: WarningCode,
    { name, attributes, line }: Pick<XmlElement, 'name' | 'attributes' | 'line'>,
    text: string,
    like?: Likeness,
  ): void {
    const place = `${this.#place}/${placeWords(name, attributes['ID'] ?? attributes['REF'])}`;
    this.#warn({ code, place, line, text, like });
  }

  /** Without an ID nothing can refer to it. Of several with one ID the first is what it means; each of them is there. */
  #number(numbers: Map<string, number>, element: XmlElement): number {
    const number = ++this.#last;
    const key = attributeOf(element, 'ID') ?? ` ${number}`;
    if (numbers.has(key))
      this.warn('invalid_value', element, `The ID ${key} is there twice; it means the first of them.`);
    else numbers.set(key, number);
    return number;
  }

  numberField(element: XmlElement): number {
    return this.#number(this.fields, element);
  }

  numberItem(element: XmlElement): number {
    return this.#number(this.items, element);
  }

  group(name: string): number | undefined {
    return groupNamed(name, this.#groupIds);
  }

  person(reference: XmlElement): number | undefined {
    const id = personOf(this.#people, reference);
    return id === anonymous || id === lastFixedId ? undefined : id;
  }

  /** The field that a `REF` means. */
  field(reference: XmlElement | undefined): number | undefined {
    return reference && this.fields.get(attributeOf(reference, 'REF') ?? '');
  }

  item(reference: XmlElement): number | undefined {
    return this.items.get(attributeOf(reference, 'REF') ?? '');
  }
}
