import type { Viewer } from '../../kernel/viewer.ts';
import { contains, type Expression, type RawBuilder, type SqlBool, sql } from '../../storage/index.ts';
import { type Condition, type Fact, noneValue, type Range, type TrackerView } from '../../trackers/index.ts';
import { isIdOfVisible } from '../visibility.ts';

/** Which other ends of links count: those that the viewer sees. */
export interface Ends {
  /** How they see the trackers of ends that must be looked at one by one; `isRestricted`: only those for certain groups. */
  readonly seen?: { readonly views: readonly TrackerView[]; readonly isRestricted: boolean };
  /** Trackers of ends that need not be looked at. */
  readonly among?: FarTrackers;
}

export interface FarTrackers {
  /** Trackers of which the viewer sees everything. */
  readonly whole: readonly number[];
  /** Trackers of which they see what is not for certain groups. */
  readonly open: readonly number[];
  /** Whether the links of the tracker that is asked about lead nowhere else. */
  readonly isEverywhere: boolean;
}

/** What the index is asked one by one. Beside what can be searched for: what tells who may see an artifact. */
export type Leaf =
  | Exclude<Condition, { is: 'anything' | 'nothing' | 'all of' | 'any of' | 'not' | 'linked' | 'referenced' }>
  | (Extract<Condition, { is: 'linked' }> & Ends)
  /** `far`: how the viewer sees the tracker of the other end. */
  | { readonly is: 'referenced'; readonly id: number; readonly far: TrackerView }
  | { readonly is: 'in tracker' }
  | { readonly is: 'restricted' }
  | { readonly is: 'granted'; readonly groups: readonly number[] }
  /** A comment for everybody, and one for those groups; null: for any. */
  | { readonly is: 'commented publicly' }
  | { readonly is: 'commented privately'; readonly groups: readonly number[] | null }
  | InSpans;

/** Instants and days in a range. */
export type Ranged = Extract<Condition, { is: 'measured' | 'fact' }>;

/** Spans of days by their numbers, the last one included; the infinite leave a side open. */
export interface Spans {
  readonly first: number;
  readonly last: number;
}

/** A range of whole spans, which postings tell. */
export interface InSpans {
  readonly is: 'in spans';
  readonly of: Ranged;
  readonly spans: Spans;
}

/** A condition of which nothing is left to be found out but what the index tells. */
export type Plan =
  | Leaf
  | { readonly is: 'anything' }
  | { readonly is: 'nothing' }
  | { readonly is: 'all of' | 'any of'; readonly plans: readonly Plan[] }
  | { readonly is: 'not'; readonly plan: Plan };

/** Whose artifacts are looked for, and where. */
export interface SearchScope {
  readonly view: TrackerView;
  readonly viewer: Viewer;
}

/** Rows that each tell one artifact. */
export interface Rows {
  /** The column that has its id. */
  readonly id: string;
  readonly from: string;
  readonly where: readonly Expression<SqlBool>[];
}

/** The order of artifacts, spelled as the index of it has it. */
export const rankColumn = sql<number>`coalesce(artifact.rank, artifact.id * 1048576)`;

const factColumns: Readonly<Record<Fact, RawBuilder<number>>> = {
  id: sql<number>`artifact.id`,
  number: sql<number>`artifact.number`,
  rank: rankColumn,
  submittedOn: sql<number>`artifact.submitted_on`,
  modifiedOn: sql<number>`artifact.modified_on`,
};
export const factColumn = (fact: Fact) => factColumns[fact];

const is = (column: string, value: number | string) => sql<SqlBool>`${sql.raw(column)} = ${value}`;
/** Numbers are written out: a statement over many trackers would have more parameters than engines take. */
const isIn = (column: string, values: readonly number[]) =>
  sql<SqlBool>`${sql.raw(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`;

/** Infinite bounds leave a side open. */
function within(
  column: RawBuilder<unknown>,
  { from, to, isFromOpen, isToOpen }: Range,
): Expression<SqlBool>[] {
  const isBound = (bound: number | undefined): bound is number =>
    bound !== undefined && Number.isFinite(bound);
  if (from === Number.POSITIVE_INFINITY || to === Number.NEGATIVE_INFINITY || Number.isNaN(from ?? to ?? 0))
    return [sql<SqlBool>`1 = 0`];
  return [
    ...(isBound(from) ? [sql<SqlBool>`${column} ${sql.raw(isFromOpen ? '>' : '>=')} ${bound(from)}`] : []),
    ...(isBound(to) ? [sql<SqlBool>`${column} ${sql.raw(isToOpen ? '<' : '<=')} ${bound(to)}`] : []),
  ];
}

/** Columns of whole numbers are compared with numbers that need not be whole. */
const bound = (value: number) => sql<number>`cast(${value} as double precision)`;

const readableBy = (groups: readonly number[] | null): Expression<SqlBool>[] => {
  if (groups === null) return [];
  if (groups.length === 0) return [sql<SqlBool>`1 = 0`];
  return [
    sql<SqlBool>`(${sql.join(
      groups.map((id) => contains('readers', `,${id},`)),
      sql` or `,
    )})`,
  ];
};

/** Groups whose private comments the viewer reads; null: all. */
export const commentGroups = ({ isAdmin, groups }: TrackerView) => (isAdmin ? null : groups);

const rows = (id: string, from: string, where: readonly Expression<SqlBool>[]): Rows => ({ id, from, where });

function filledRows(fieldId: number, { tracker }: TrackerView): Rows {
  const value = tracker.elementById.get(fieldId)?.type.value;
  const own = is('field_id', fieldId);
  if (value?.indexed !== undefined)
    return rows('artifact_id', 'artifact_value', [own, sql<SqlBool>`value <> ${noneValue}`]);
  return rows('artifact_id', value?.measured === undefined ? 'artifact_text' : 'artifact_measure', [own]);
}

export type Linked = Extract<Leaf, { is: 'linked' }>;

/** The columns of the ends of links: of the artifact that is asked about, and of the other one. */
export const endColumns = ({ direction }: Pick<Linked, 'direction'>): readonly [own: string, far: string] =>
  direction === 'forward'
    ? ['artifact_link.source_id', 'artifact_link.target_id']
    : ['artifact_link.target_id', 'artifact_link.source_id'];

/** True for links whose other end is in one of these trackers, and counts there without a look at who sees it. */
function isAmong(far: string, { whole, open, isEverywhere }: FarTrackers): Expression<SqlBool>[] {
  const inOpen = open.length === 0 ? undefined : isIn('other.tracker_id', open);
  if (isEverywhere) {
    const restricted = sql`select other.id from artifact as other where other.is_restricted = 1 and ${inOpen}`;
    return inOpen === undefined ? [] : [sql<SqlBool>`${sql.ref(far)} not in (${restricted})`];
  }
  const inWhole = whole.length === 0 ? [] : [isIn('other.tracker_id', whole)];
  const either = [
    ...inWhole,
    ...(inOpen === undefined ? [] : [sql`(${inOpen} and other.is_restricted = 0)`]),
  ];
  const ends = sql`select 1 from artifact as other where other.id = ${sql.ref(far)} and (${sql.join(either, sql` or `)})`;
  return [sql<SqlBool>`exists (${ends})`];
}

/** True for the links of a type whose other end counts. */
export function isCounted(linked: Linked, viewer: Viewer): Expression<SqlBool>[] {
  const { type, seen, among } = linked;
  const [, far] = endColumns(linked);
  return [
    ...(type === undefined ? [] : [is('artifact_link.type', type)]),
    ...(seen === undefined ? [] : [isIdOfVisible(far, seen, viewer)]),
    ...(among === undefined ? [] : isAmong(far, among)),
  ];
}

/** The rows of links that a leaf means. */
function linkedRows(linked: Linked, viewer: Viewer): Rows {
  const { end } = linked;
  const [own, far] = endColumns(linked);
  const counted = isCounted(linked, viewer);
  switch (end.is) {
    case 'anything':
      return rows(own, 'artifact_link', counted);
    case 'artifact':
      return rows(own, 'artifact_link', [is(far, end.id), ...counted]);
    case 'id in':
      return rows(own, 'artifact_link', [...within(sql.raw(far), end.range), ...counted]);
    case 'id matching':
    case 'tracker':
      throw new Error('Patterns and names of trackers are looked for before the index is asked.');
  }
}

/** True for a reference that stands in a text which the viewer may read. */
function isReadableOrigin(view: TrackerView): Expression<SqlBool> {
  const fields = view.tracker.elements.filter((field) => view.canRead(field)).map(({ id }) => `field:${id}`);
  const changeset = sql`case when origin like 'comment:%' then cast(substr(origin, 9) as bigint) end`;
  const comments = sql`select 1 from comment_text where changeset_id = ${changeset} and ${isReadable(view)}`;
  return sql<SqlBool>`(origin in (${sql.join(['', ...fields])}) or exists (${comments}))`;
}

/** Texts of the artifacts asked about that name the other one, and its texts that name them. */
function referenceRows(id: number, own: TrackerView, far: TrackerView): Rows[] {
  const kinds = [is('source_kind', 'artifact'), is('target_kind', 'artifact')];
  return [
    rows('source_id', 'cross_reference', [...kinds, is('target_id', id), isReadableOrigin(own)]),
    rows('target_id', 'cross_reference', [...kinds, is('source_id', id), isReadableOrigin(far)]),
  ];
}

/** The rows that tell which artifacts a leaf means; they may tell of artifacts in other trackers, too. */
export function rowsOf(leaf: Exclude<Leaf, { is: 'these' }>, scope: SearchScope): Rows[] {
  const { view, viewer } = scope;
  const inTracker = is('artifact.tracker_id', view.tracker.id);
  const artifacts = (...where: Expression<SqlBool>[]) => [
    rows('artifact.id', 'artifact', [inTracker, ...where]),
  ];
  switch (leaf.is) {
    case 'in tracker':
      return artifacts();
    case 'restricted':
      return artifacts(is('artifact.is_restricted', 1));
    case 'granted':
      return [rows('artifact_id', 'artifact_grant', [isIn('group_id', leaf.groups)])];
    case 'listed':
      return [
        rows('artifact_id', 'artifact_value', [is('field_id', leaf.fieldId), isIn('value', leaf.entries)]),
      ];
    case 'filled':
      return [filledRows(leaf.fieldId, view)];
    case 'measured':
      return [
        rows('artifact_id', 'artifact_measure', [
          is('field_id', leaf.fieldId),
          ...within(sql.raw('value'), leaf.range),
        ]),
      ];
    case 'containing':
    case 'file':
      return [
        rows('artifact_id', 'artifact_text', [is('field_id', leaf.fieldId), contains('text', leaf.part)]),
      ];
    case 'fact':
      return artifacts(...within(factColumns[leaf.fact], leaf.range));
    case 'in spans':
      return rowsOf(leaf.of, scope);
    case 'by':
      return artifacts(
        isIn(leaf.who === 'submitter' ? 'artifact.submitted_by' : 'artifact.modified_by', leaf.accountIds),
      );
    case 'commented':
      return commentRows(leaf.part, view);
    case 'commented publicly':
      return [rows('artifact_id', 'comment_text', [sql<SqlBool>`readers is null`])];
    case 'commented privately':
      return [
        rows('artifact_id', 'comment_text', [sql<SqlBool>`readers is not null`, ...readableBy(leaf.groups)]),
      ];
    case 'linked':
      return [linkedRows(leaf, viewer)];
    case 'referenced':
      return referenceRows(leaf.id, view, leaf.far);
    case 'matching':
    case 'fact matching':
      throw new Error('Patterns are looked for before the index is asked.');
  }
}

/** True for a row of `comment_text` that the viewer may read. */
export function isReadable(view: TrackerView): Expression<SqlBool> {
  const [readable = sql<SqlBool>`1 = 1`] = readableBy(commentGroups(view));
  return sql<SqlBool>`(readers is null or ${readable})`;
}

const commentRows = (part: string, view: TrackerView) => [
  rows('artifact_id', 'comment_text', [contains('text', part), isReadable(view)]),
];
