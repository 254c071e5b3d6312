import type { XmlElement } from '../../kernel/xml.ts';
import type {
  ArchiveReading,
  ArchiveWriting,
  DescribingContext,
  Description,
  MovingContext,
  SearchContext,
  ShowingContext,
  WritingContext,
} from '../field-type.ts';
import type { Field, ListValue, Tracker } from '../model.ts';

/** A value of a list in an archive, before it has a place and a colour. */
export type ArchivedItem = Omit<ListValue, 'rank' | 'color'>;

/** What the items of a list in an archive mean. */
export interface ArchivedItems {
  readonly groups: readonly number[];
  readonly values: readonly ArchivedItem[];
}

/** Around a form that is read from an archive. */
export interface FormReading {
  /** A number for an item of the archive; the same for the same item. */
  valueFor(item: XmlElement): number;
  group(name: string): number | undefined;
  /** An unknown group, or a source of people that there is not here. */
  warn(code: 'unknown_group' | 'invalid_value', item: XmlElement, text: string): void;
}

/** How a list works with one kind of values. Values are ids; none at all is the empty list. */
export interface BindRules {
  /** Whether values look the same to everybody for as long as the tracker does not change. */
  readonly isFixed: boolean;
  /** The stored ids of those that a request gives anew; refuses what cannot be chosen in the field. */
  accept(field: Field, ids: readonly unknown[], context: WritingContext): Promise<readonly number[]>;
  /**
   * The id that a text stands for: a label, a user name, the name of a group. What the artifact has already is known by its name, too,
   * also where nobody can choose it any more.
   */
  named(
    field: Field,
    text: string,
    context: WritingContext,
    present: readonly number[],
  ): Promise<number | undefined>;
  /**
   * The ids that texts mean to a search: of values with such a label, of people, of groups. `present`: values that are meant also
   * where nobody can choose them any more.
   */
  searched(
    field: Field,
    texts: readonly string[],
    context: SearchContext,
    present?: readonly number[],
  ): Promise<readonly number[]>;
  /** Whether somebody can be a value; absent where values are no people. */
  self?(field: Field, id: number, context: SearchContext): Promise<boolean>;
  /** The defaults, without those that nobody can choose any more. */
  defaults(field: Field, context: Pick<WritingContext, 'tx' | 'tracker'>): Promise<readonly number[]>;
  /** The stored id that means here what an id of a field of another tracker means there. */
  counterpart(field: Field, id: number, from: Field, context: MovingContext): Promise<number | undefined>;
  /** Elements of `values` in an answer, as JSON. */
  show(field: Field, value: readonly number[], context: ShowingContext): readonly string[];
  /** Elements of `bind_value_ids`, as JSON. */
  showIds(field: Field, value: readonly number[]): readonly string[];
  labels(field: Field, value: readonly number[], context: ShowingContext): readonly string[];
  /** Names by which `searched` finds the values again. */
  names(field: Field, value: readonly number[], context: ShowingContext): readonly string[];
  /** Items of a cell in the answer to a query, as JSON. */
  items(field: Field, value: readonly number[], context: ShowingContext): readonly string[];
  /** Items of a cell of a row, as JSON. */
  rowItems(field: Field, value: readonly number[], context: ShowingContext): readonly string[];
  /** The text by which each entry that artifacts have is sorted. */
  sortTexts(field: Field, context: SearchContext): Promise<ReadonlyMap<number, string>>;
  /** `value` of a change in an archive; 100 for nothing chosen. */
  toArchive(field: Field, id: number, context: ArchiveWriting): XmlElement | Promise<XmlElement>;
  /** The stored id that a `value` of an archive means; 100 for nothing chosen, undefined when it means nothing. */
  fromArchive(field: Field, value: XmlElement, context: ArchiveReading): number | undefined;
  /** The stored id that a label in an archive means. */
  namedInArchive(field: Field, label: string, context: ArchiveReading): number | undefined;
  /** `item`s of the list in an archive; `nameOf` names groups. */
  toItems(field: Field, nameOf: (groupId: number) => string | undefined): readonly XmlElement[];
  fromItems(items: readonly XmlElement[], context: FormReading): ArchivedItems;
  describe(field: Field, context: DescribingContext): Promise<Description>;
  /** `bindings.list` of the tracker structure. */
  sources(
    field: Field,
    tracker: Tracker,
  ): readonly { readonly id: number | string; readonly label: string }[];
}
