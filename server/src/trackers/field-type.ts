import type { Account } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { XmlElement } from '../kernel/xml.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import type { Governance } from './governance.ts';
import type { Comparison, Condition, Criterion, CriterionOperator, Fact } from './query/index.ts';
import type { TextFormat } from './text/index.ts';
import type {
  Bind,
  BindKind,
  FieldPermission,
  Grants,
  KeptSettings,
  ProjectReference,
  Properties,
  Semantics,
  TrackerPermission,
} from './tracker-parts.ts';

/*
 * What a field is and what its type knows of it: they name each other, so they are one file. `FieldType`, at the end, is the
 * contract that every file of `field-types/` fulfils; what it asks for is above it, by subject.
 */

/** A form element of a tracker: a field, a container, or something that only stands there. */
export interface Field {
  readonly id: number;
  readonly trackerId: number;
  readonly projectId: number;
  readonly parentId: number | null;
  readonly type: FieldType;
  /** Short name. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly rank: number;
  readonly isRequired: boolean;
  readonly isUsed: boolean;
  readonly hasNotifications: boolean;
  readonly properties: Properties;
  readonly bind: Bind | null;
  readonly grants: Grants<FieldPermission>;
  /** The JSON with which each of its values begins. */
  readonly head: string;
}

/** A tracker with all that is known of its form, as of one revision. Shared and never changed. */
export interface Tracker extends Governance {
  readonly id: number;
  readonly project: ProjectReference;
  readonly name: string;
  /** Short name, and the word of its references: `bug #12`. */
  readonly itemName: string;
  readonly description: string;
  readonly color: string;
  readonly notificationLevel: number;
  readonly parentId: number | null;
  readonly hasPrivateComments: boolean;
  readonly isDeleted: boolean;
  readonly kept: KeptSettings;
  /** Everything that was not deleted, in the order of the form. */
  readonly elements: readonly Field[];
  readonly elementById: ReadonlyMap<number, Field>;
  readonly semantics: Semantics;
  readonly grants: Grants<TrackerPermission>;
  /** User groups that the project defined: short names by id. */
  readonly projectGroups: ReadonlyMap<number, string>;
}

export interface StoredText {
  readonly content: string;
  readonly format: TextFormat;
  /** Rendered and sanitised; absent where it would be the content itself. */
  readonly html?: string;
  /** Version of the renderer that made `html`. */
  readonly renderer?: number;
}
/** A link to another artifact: its id and the type of the link. */
export type StoredLink = readonly [id: number, type: string];

/** An attached file: its id, and its description where that was changed after the file came. */
export type KeptFile = number | readonly [id: number, description: string];

/** A value as documents of artifacts keep it: JSON. */
export type Stored =
  | null
  | string
  | number
  | StoredText
  | readonly number[]
  | readonly (number | string)[]
  | readonly StoredLink[]
  | readonly KeptFile[];

/** One entry of `values` in a request. */
export type Entry = Readonly<Record<string, unknown>>;

/** What a type needs beside the stored value to show it; the reader of artifacts fetches it for many at once. */
export type Need = 'links' | 'references' | 'files' | 'totals' | 'burndown' | 'typed values';

/** What is known of the artifact whose value is shown. */
export interface ShownFacts {
  readonly id: number;
  readonly number: number;
  readonly rank: number;
  readonly submittedBy: number;
  readonly submittedOn: Instant;
  readonly modifiedBy: number;
  readonly modifiedOn: Instant;
}

/** Around a value that is shown. All texts are JSON. */
export interface ShowingContext {
  readonly publicUrl: string;
  readonly artifact: ShownFacts;
  /** The full form of a user as this viewer may see it; 100 and unknown ones are the anonymous user. */
  user(id: number): string;
  /** What cells show of a user. */
  person(id: number): string;
  /** The name of a user as this viewer wants to see names. */
  userName(id: number): string;
  /** The name of their account; empty for nobody. */
  userLogin(id: number): string;
  /** The reference form of a user group; undefined when it is gone. */
  group(id: number): string | undefined;
  /** The name by which people know a user group. */
  groupLabel(id: number): string | undefined;
  /** The label of a value that somebody typed into an open list. */
  typedValue(id: number): string;
  /** As `typedValue`, where that is an e-mail address, which is not for everybody. */
  typedAddress(id: number): string;
  /** A file; without a description, with the one that it came with. */
  file(id: number, description?: string): string | undefined;
  /** `links` of this value, or of the present state when there is none. */
  links(value: readonly StoredLink[] | undefined): string;
  reverseLinks(): string;
  references(): string;
  /** Sum over the linked artifacts that this viewer may see, null when nothing contributes. */
  total(field: Field): { readonly value: number | null; readonly isPartial: boolean };
  burndown(): string;
}

/** Around a value that is written. */
export interface WritingContext {
  readonly tx: Transaction;
  readonly viewer: Viewer;
  readonly tracker: Tracker;
  /** The format of texts that come without one. */
  textFormat(): Promise<TextFormat>;
  readonly now: Instant;
  /** Whether the request is XML, which writes empty lists, empty texts and nothing at all alike. */
  readonly isXml: boolean;
  /** Safe HTML of a text, with its references as links. */
  render(content: string, format: TextFormat): Promise<string>;
  /** Refuses files that the viewer may not attach here. */
  checkFiles(field: Field, ids: readonly number[]): Promise<void>;
  /** Descriptions as files keep them, without those that files have already; refuses what is too long. */
  newDescriptions(wanted: ReadonlyMap<number, string>): Promise<ReadonlyMap<number, string>>;
}

/** Members of an entry by which single items are added to a value and taken away. */
export interface Amending {
  readonly members: readonly string[];
  /** Members that say the whole value; never together with the others. */
  readonly whole: readonly string[];
}

/** How the values of a type are written, kept and shown. */
export interface ValueRules<S extends Stored> {
  /** Part of `values_by_field`. */
  readonly isAlphanumeric?: true;
  /** Shown even when nothing was ever stored. */
  readonly isAlwaysShown?: true;
  readonly needs?: readonly Need[];
  /** Reads one entry of a request; refuses what is not a value. Absent where what is sent is ignored. */
  accept?(field: Field, entry: Entry, context: WritingContext, present: S | undefined): S | Promise<S>;
  /** The whole value that comes of adding and taking away single items; what is there already is never refused. */
  amend?(field: Field, entry: Entry, present: S | undefined, context: WritingContext): S | Promise<S>;
  /** Reads one member of `values_by_field`; absent where that is not allowed. */
  acceptByName?(field: Field, entry: Entry, context: WritingContext): S | Promise<S>;
  /** What a new artifact gets when nothing is sent; undefined: no value at all. */
  initial?(field: Field, context: WritingContext): S | undefined | Promise<S | undefined>;
  /** Whether a required field may not have this value. */
  isEmpty?(value: S): boolean;
  /** The empty value only takes away what is there: a field that never had a value stays without one. */
  readonly isEmptyRemoval?: true;
  isSame?(left: S, right: S, field: Field): boolean;
  /**
   * Whether the entry is the stored value as an answer gave it, or names the same value in another way. Such an entry
   * changes nothing and is never refused, even where it would not be accepted as a new value.
   */
  isEcho?(field: Field, entry: Entry, stored: S, context: WritingContext): boolean;
  /** The members of the entry after its label, as JSON without braces. */
  show(field: Field, value: S | undefined, context: ShowingContext): string;
  /** One simple value for flat output. */
  flat?(field: Field, value: S | undefined, context: ShowingContext): FlatValue;
  /** Entries of the list value index. */
  indexed?(field: Field, value: S): readonly number[];
  /** The number by which the value is found in ranges: one, and none for an empty value. */
  measured?(field: Field, value: S): readonly number[];
  /** How far apart measures may be that one posting has together; absent where ranges are told by rows alone. */
  measureSpan?(field: Field): number;
  /** Whether measures may lie in any way, near together or far apart, so that postings have them sorted. */
  readonly hasSortedMeasures?: boolean;
  /** Settings of a field that change what `measured` gives. */
  readonly measuredBy?: readonly string[];
  /** The words of a value that is not empty, in which parts are looked for; without markup. */
  searchable?(value: S): string;
  /** What the value adds to a sum over artifacts; `descend`: what the artifacts linked to it add. Null: nothing. */
  contribution?(field: Field, value: S | undefined): number | null | 'descend';
  /** The moment that the value names; null when there is none. */
  instant?(value: S | undefined, artifact: ShownFacts, field: Field): Instant | null;
  /** Whether that moment stands for its whole day. */
  isWholeDay?(value: S, field: Field): boolean;
  /** Texts in which references are looked for. */
  texts?(value: S): readonly StoredText[];
  /** Groups that alone may see the artifact; none: no restriction. */
  grantedGroups?(value: S): readonly number[];
  /** Ids of the attached files. */
  files?(value: S): readonly number[];
  /** Descriptions that files were given after they came, by their ids. */
  fileDescriptions?(value: S): ReadonlyMap<number, string>;
  /** Ids of the values that people typed. */
  typedValues?(value: S): readonly number[];
}

export type FlatValue = string | number | null | readonly string[];

/** What is asked of the links of an artifact. Each list is complete for what it covers, but for what is added or removed. */
export interface LinkRequest {
  readonly forward?: readonly StoredLink[];
  readonly reverse?: readonly StoredLink[];
  /** Links that come to those that are there; never together with `forward`. */
  readonly added?: readonly StoredLink[];
  /** Artifacts that are linked no more. */
  readonly removed?: readonly number[];
  /** An artifact that becomes a parent of this one. */
  readonly parent?: number;
}

/** Around a form element that is described to a viewer. */
export interface DescribingContext {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly tracker: Tracker;
  /** The format in which the viewer likes to edit texts. */
  readonly textFormat: TextFormat;
  /** Largest attachment in bytes. */
  readonly largestFile: number;
  /** Wire form of the link types that the project allows. */
  readonly allowedLinkTypes: readonly unknown[];
  /** Wire forms, made by those who know them. */
  users(ids: readonly number[]): Promise<readonly unknown[]>;
  /** How accounts stand among the possible values of a list, in the order in which the viewer sees them. */
  userValues(accounts: readonly Account[]): readonly unknown[];
  /** Undefined when the group is gone. */
  group(id: number): unknown;
}

/** The parts of a form element's representation that its type decides. */
export interface Description {
  readonly values?: unknown;
  readonly default_value?: unknown;
  /** Members that only this type has. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What fields of a type can mean: `date` begins and ends a timeframe, `amount` is a duration or an effort. */
export type SemanticRole =
  | 'title'
  | 'description'
  | 'status'
  | 'contributor'
  | 'date'
  | 'amount'
  | 'initial_effort';

/** One setting of a type: its value unless given, and the check of a given one, which returns what to store. */
export interface PropertyRule {
  readonly initial: string | number | null;
  check(value: unknown, name: string): string | number | null;
  /** How it is shown, where that differs from how it is kept. */
  show?(value: string | number | null): string | number | null;
}

/** How a workflow gives a field its value. */
export interface WorkflowRules<S extends Stored> {
  /** The setting that a request gives; undefined when it is none. */
  setting(input: unknown): string | number | undefined;
  /** What settings there are, in words. */
  readonly accepts: string;
  value(field: Field, setting: string | number, now: Instant): S;
}

/** Around values that go over to a field of another tracker. */
export interface MovingContext {
  readonly reader: Reader;
  /** The tracker that they go to. */
  readonly tracker: Tracker;
  /** Safe HTML of a text, with its references as links. */
  render(content: string, format: TextFormat): Promise<string>;
  /** The id of a value that somebody typed into an open list, made when it is new. */
  typedValue(field: Field, label: string): Promise<number>;
}

/** What a value became in a field of another tracker. */
export interface Moved<S extends Stored> {
  readonly value: S;
  /** Whether nothing of it was lost. */
  readonly isWhole: boolean;
}

/** How a field takes over values of fields of another tracker. */
export interface MoveRules<S extends Stored> {
  /** Fields of one family take over the values of each other. */
  family(field: Field): string;
  take(field: Field, value: Stored, from: Field, context: MovingContext): Promise<Moved<S>>;
}

/** Around a search. */
export interface SearchContext {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly tracker: Tracker;
  readonly now: Instant;
}

/** How the fields of a type are searched. */
export interface SearchRules {
  /** Operators that its criteria take. */
  readonly operators: readonly CriterionOperator[];
  /** What a criterion means, undefined when that is nothing; refuses what is not a value. */
  criterion(
    field: Field,
    criterion: Criterion,
    context: SearchContext,
  ): Condition | undefined | Promise<Condition | undefined>;
  /** When a field counts as filled, where that is not told by its rows of the index; null: nothing tells it. */
  readonly filled?: Condition | null;
  /** What a comparison of a query means; refuses what the field cannot be compared to. Absent: queries cannot name it. */
  compare?(field: Field, comparison: Comparison, context: SearchContext): Condition | Promise<Condition>;
}

type Compare = (
  field: Field,
  comparison: Comparison,
  context: SearchContext,
) => Condition | Promise<Condition>;

/** Fields of one short name in several trackers are one thing when they are of one family. */
export type Family =
  | 'number'
  | 'text'
  | 'date'
  | 'date with time'
  | 'static list'
  | 'user list'
  | 'user group list';

/** How the fields of a type take part in queries over several trackers. */
export interface AcrossRules<S extends Stored> {
  family(field: Field): Family;
  /** Where such queries compare otherwise than those of one tracker do. */
  compare?: Compare;
  /** What a column shows, as JSON. */
  cell(field: Field, value: S | undefined, context: ShowingContext): string;
}

/** What every artifact has: queries over several trackers know it by this name, whatever fields show it. */
export interface AlwaysThere {
  readonly name: '@id' | '@submitted_on' | '@last_update_date' | '@submitted_by' | '@last_update_by';
  compare: Compare;
}

/** Around a cell that is read. */
export interface CellReading extends SearchContext {
  /** The present value of an artifact that exists. */
  readonly stored: Stored | undefined;
  /** The format of texts that are new; undefined: the one that the viewer prefers. */
  readonly textFormat: TextFormat | undefined;
  /** What stands first in days whose year stands last; undefined: nobody knows, and they are none. */
  readonly dateOrder: DateOrder | undefined;
}

export type DateOrder = 'day_first' | 'month_first';

/** How a value stands in one cell of a table, for people and their spreadsheets. */
export interface CellRules<S extends Stored> {
  /** The cell says which artifact its row is about. */
  readonly isArtifactId?: true;
  write(field: Field, value: S | undefined, context: ShowingContext): string;
  /**
   * The entry that a cell asks for; refuses a cell that means nothing. What `write` gives means the same value again.
   * Absent where cells are not read: the platform fills the field, or its values are more than words.
   */
  read?(field: Field, cell: string, context: CellReading): Entry | Promise<Entry>;
}

/** Around a value that is written into an archive. */
export interface ArchiveWriting {
  /** An element of this name that refers to somebody; 100 is nobody. */
  user(name: string, id: number): Promise<XmlElement>;
  /** The name of a user group; undefined when it is gone. */
  group(id: number): string | undefined;
  typedLabel(id: number): Promise<string>;
  /** Those of the links that the archive shall have. */
  links(links: readonly StoredLink[]): Promise<readonly StoredLink[]>;
  /** Those of the files that the archive shall have. */
  files(ids: readonly number[]): Promise<readonly number[]>;
}

/** What archives say when a value cannot be taken over; the change is still read. */
export type ValueWarning = 'invalid_value' | 'unknown_reference' | 'unknown_link_target' | 'unknown_group';

/** Around a value that is read from an archive. */
export interface ArchiveReading {
  /** The account that an element refers to; 100 for nobody, undefined when there is none. */
  user(reference: XmlElement): number | undefined;
  /** The account that had this id where the archive comes from. */
  userNumbered(id: string): number | undefined;
  /** The list value that an item of the archive became. */
  item(id: string): number | undefined;
  group(name: string): number | undefined;
  /** The id of a value that somebody typed into an open list, made when it is new. */
  typedValue(field: Field, label: string): Promise<number>;
  artifact(id: string): number | undefined;
  file(reference: string): number | undefined;
  /** Whether lists of files are complete: then those that are not named any more were removed. */
  readonly hasCompleteFiles: boolean;
  /** A text with the addresses that its files have here. */
  relocated(content: string, format: TextFormat): string;
  /** Safe HTML of a text, with its references as links. */
  render(content: string, format: TextFormat): Promise<string>;
  warn(code: ValueWarning, text: string): void;
}

/** How values of a type stand in the changesets of an archive. */
export interface ArchivedValue<S extends Stored> {
  /** The `type` of a change. */
  readonly type: string;
  /** Other types of changes whose content means the same. */
  readonly alsoReads?: readonly string[];
  /** Stands in every changeset, whether it changed or not. */
  readonly isRepeated?: true;
  write(field: Field, value: S, context: ArchiveWriting): XmlElement | Promise<XmlElement>;
  /** Undefined: nothing changes. */
  read(
    field: Field,
    change: XmlElement,
    context: ArchiveReading,
    before: S | undefined,
  ): S | undefined | Promise<S | undefined>;
}

/** How settings of a type stand in archives, where that is not each under its name. */
export interface ArchivedProperties {
  write(properties: Properties): Readonly<Record<string, string | number | undefined>>;
  /** The settings that attributes give, still to be checked. */
  read(attributes: XmlElement['attributes']): Readonly<Record<string, unknown>>;
}

/** What kind of cells a column of rows has. */
export type RowColumnType =
  | 'numeric'
  | 'text'
  | 'date'
  | 'user'
  | 'list_user'
  | 'list_static'
  | 'list_user_group'
  | 'files'
  | 'links'
  | 'references';

/** How texts stand in cells. */
export interface CellTexts {
  /** Characters of the longest one that is not cut. */
  readonly longest: number;
  /** Whether they are shown as they were written, with their format; else without markup. */
  readonly isSource: boolean;
}

/** What rows are sorted by: rows of the index, or something that every artifact has. */
export type RowSort = 'measure' | 'text' | 'list' | Fact | 'submitter' | 'editor';

/** How the fields of a type stand in a column of rows. */
export interface RowRules<S extends Stored> {
  type(field: Field): RowColumnType;
  /** The cell as JSON. */
  cell(field: Field, value: S | undefined, context: ShowingContext, texts: CellTexts): string;
  /** Absent where rows cannot be sorted by it. */
  readonly sort?: RowSort;
}

/**
 * All that is particular to one type of form element. Nothing outside this folder asks which type it has before it:
 * what differs between types is a member of this interface.
 */
export interface FieldType<S extends Stored = Stored> {
  readonly code: string;
  readonly kind: 'field' | 'container' | 'static';
  /** Types of the parents it may have; null stands for the root. */
  readonly parents: readonly (string | null)[];
  readonly isUpdatable: boolean;
  readonly isSubmittable: boolean;
  /** At most one in a tracker. */
  readonly isUnique?: true;
  /** For lists: the binds it can have, the first one by default. */
  readonly binds?: readonly BindKind[];
  readonly isMultiple?: boolean;
  /** For lists: it takes more values than those that it was given. */
  readonly isOpen?: true;
  /** What its fields can mean in the semantics of a tracker. */
  readonly roles?: readonly SemanticRole[];
  /** Each viewer may have it collapsed, and a workflow hide it. */
  readonly isCollapsible?: true;
  /** `bindings` of a field that is filled by the platform but shown like a list. */
  readonly bindings?: { readonly type: BindKind; readonly list: readonly { id: number; label: string }[] };
  readonly properties: Readonly<Record<string, PropertyRule>>;
  /** Refuses properties that are right each by itself, but not together. */
  checkProperties?(properties: Properties): void;
  /** Properties that are shown but never stored. */
  shownProperties?(properties: Properties): Properties;
  describe?(field: Field, context: DescribingContext): Description | Promise<Description>;
  readonly value?: ValueRules<S>;
  /** Present where a transition of a workflow can set the field. */
  readonly workflow?: WorkflowRules<S>;
  /** Absent where values go over as they are, and to fields of the same type only. */
  readonly move?: MoveRules<S>;
  /** Absent where it cannot be searched. */
  readonly search?: SearchRules;
  /** Absent where it has no column in tables. */
  readonly cell?: CellRules<S>;
  /** Absent where it has no column in rows. */
  readonly row?: RowRules<S>;
  /** Absent where queries over several trackers cannot name its fields. */
  readonly across?: AcrossRules<S>;
  /** Present where its fields show what every artifact has. */
  readonly alwaysThere?: AlwaysThere;
  /** Absent where archives have each setting under its name. */
  readonly archivedProperties?: ArchivedProperties;
  /** Absent where no values are stored. */
  readonly archived?: ArchivedValue<S>;
  /** Absent where a value is always written whole. */
  readonly amending?: Amending;
  /** Present where an entry asks for links instead of a value. */
  acceptLinks?(field: Field, entry: Entry, context: WritingContext): LinkRequest;
}
