import { isObject } from '../kernel/values.ts';
import type { Field, ShownFacts, Stored, StoredLink, TrackerView } from '../trackers/index.ts';
import { rankOf } from './ranks.ts';

export { linkField } from '../search/index.ts';

/** One row of the artifact table. */
export interface ArtifactRow {
  readonly id: number;
  readonly tracker_id: number;
  readonly number: number;
  readonly submitted_by: number;
  readonly submitted_on: number;
  readonly version: number;
  readonly modified_by: number;
  readonly modified_on: number;
  readonly related_version: number;
  readonly is_restricted: 0 | 1;
  readonly document: string;
  /** Null for the rank that it was made with. */
  readonly rank: number | null;
}

/** What fields that have no value of their own show. */
export const factsOf = (row: ArtifactRow): ShownFacts => ({
  id: row.id,
  number: row.number,
  rank: rankOf(row),
  submittedBy: row.submitted_by,
  submittedOn: row.submitted_on,
  modifiedBy: row.modified_by,
  modifiedOn: row.modified_on,
});

/** The current values by field id. */
export type Document = Readonly<Record<string, Stored>>;

export const parseDocument = (text: string): Document => JSON.parse(text);

/** Longer lists of fields are not kept beside the changes: an entry of an index has no room for them. */
const longestFieldIds = 2000;

/** Changes as a changeset keeps them, and the fields that they are of: those are read where the changes may be long. */
export interface WrittenChanges {
  readonly changes: string;
  readonly fieldIds: string | null;
}

export function writeChanges(changes: Document): WrittenChanges {
  // Numbers among the keys of an object are in ascending order.
  const fieldIds = Object.keys(changes).join(' ');
  return {
    changes: JSON.stringify(changes),
    fieldIds: fieldIds.length > longestFieldIds ? null : fieldIds,
  };
}

/** The fields that a changeset changes; undefined where only its changes tell. */
export function fieldIdsIn(fieldIds: string | null): readonly number[] | undefined {
  if (fieldIds === null) return undefined;
  return fieldIds === '' ? [] : fieldIds.split(' ').map(Number);
}

/** Characters of the longest date. */
const longestPlain = 40;

/** The values without texts, for those who keep many documents and look at numbers, dates and lists. */
export const withoutTexts = (document: Document): Document =>
  Object.fromEntries(
    Object.entries(document).filter(([, value]) =>
      typeof value === 'string' ? value.length <= longestPlain : !isObject(value),
    ),
  );

/** A field that is shown before it ever had a value had none: setting it to nothing changes nothing. */
export function isSameValue(field: Field, stored: Stored | undefined, value: Stored): boolean {
  const rules = field.type.value;
  const before = stored === undefined && rules?.isAlwaysShown ? null : stored;
  if (before === undefined) return false;
  return rules?.isSame === undefined ? before === value : rules.isSame(before, value, field);
}

/** An artifact that the viewer may see. */
export interface Artifact {
  readonly row: ArtifactRow;
  readonly view: TrackerView;
  readonly document: Document;
}

/** An artifact at the other end of a link or reference. */
export interface Neighbour {
  readonly id: number;
  /** How the viewer sees its tracker. */
  readonly view: TrackerView;
}

export interface Links {
  readonly forward: readonly StoredLink[];
  readonly reverse: readonly StoredLink[];
}

export interface CrossReference {
  /** As it is written in texts: `bug #10`. */
  readonly keyword: string;
  readonly value: string;
  readonly projectId: number;
  readonly direction: 'in' | 'out' | 'both';
}
