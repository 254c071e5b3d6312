import { holdNew, insertAttached, type NewAttachment } from '../../files/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type FoundComment, type IndexRows, indexRowsOf, textOfFiles } from '../../search/index.ts';
import { statement, type Transaction } from '../../storage/index.ts';
import type { Field, Stored, StoredLink, Tracker } from '../../trackers/index.ts';
import { foundComment, type StoredComment, writeComment } from '../comments.ts';
import { linkField, type WrittenChanges, writeChanges } from '../model.ts';
import { linksIn } from '../totals/index.ts';
import {
  insertRows,
  type LinkToStore,
  newGrants,
  recordImported,
  recordImportedLinks,
  requireBoundedText,
  type UnrecordedRows,
} from '../write/index.ts';

/** An artifact that a text refers to, and the word with which it does. */
export type ReferenceTarget = readonly [id: number, keyword: string];

/** A changeset of another time or place. */
export interface PastChangeset {
  readonly by: number;
  readonly at: number;
  /** The address of somebody without an account. */
  readonly email: string | null;
  /** The new values, those of the link field among them. */
  readonly values: ReadonlyMap<Field, Stored>;
  /** All versions of its comment, the present one last. */
  readonly comments: readonly StoredComment[];
  readonly references: readonly ReferenceTarget[];
}

/** An artifact with all that ever happened to it. */
export interface PastArtifact {
  readonly id: number;
  readonly changesets: readonly PastChangeset[];
  /** What its present texts refer to, by the ids of their fields. */
  readonly references: ReadonlyMap<number, readonly ReferenceTarget[]>;
  readonly files: readonly NewAttachment[];
}

/** Rows that are ready to be stored. Plain data: they are made where nobody waits for it. */
export interface ReadyChangeset extends WrittenChanges {
  readonly artifactId: number;
  readonly by: number;
  readonly at: number;
  readonly email: string | null;
  readonly comment: string | null;
  readonly olderComments: readonly string[];
  /** What its comment is found by; the changeset has no id yet. */
  readonly found: FoundComment | undefined;
  readonly references: readonly ReferenceTarget[];
}

export interface ReadyArtifact {
  readonly id: number;
  readonly submittedBy: number;
  readonly submittedOn: number;
  readonly modifiedBy: number;
  readonly modifiedOn: number;
  readonly version: number;
  readonly document: string;
  readonly groups: readonly number[];
  readonly rows: IndexRows;
  readonly references: readonly (readonly [fieldId: number, ...ReferenceTarget])[];
  readonly files: readonly NewAttachment[];
}

export interface ReadyHistory {
  readonly artifact: ReadyArtifact;
  readonly changesets: readonly ReadyChangeset[];
  /** The present links. */
  readonly links: readonly StoredLink[];
}

function ready(artifactId: number, changeset: PastChangeset): ReadyChangeset {
  const changes: Record<string, Stored> = {};
  for (const [field, value] of changeset.values) changes[field.id] = value;
  const written = writeChanges(changes);
  requireBoundedText(changes, written.changes.length);
  const comments = changeset.comments.map(writeComment);
  const { by, at, email, references } = changeset;
  const present = changeset.comments.at(-1);
  return {
    artifactId,
    by,
    at,
    email,
    ...written,
    comment: comments.at(-1) ?? null,
    olderComments: comments.slice(0, -1),
    found: present && foundComment({ artifactId, changesetId: 0 }, present),
    references,
  };
}

/** The values after all changesets, the links apart. */
function finalValues(tracker: Tracker, changesets: readonly PastChangeset[]) {
  const values = new Map<Field, Stored>();
  for (const changeset of changesets) for (const [field, value] of changeset.values) values.set(field, value);
  const field = linkField(tracker);
  const links = linksIn(field && values.get(field));
  if (field !== undefined) values.delete(field);
  return { values, links };
}

/** What an artifact is found by, its present files among it. */
function withFiles(
  rows: IndexRows,
  values: ReadonlyMap<Field, Stored>,
  files: readonly NewAttachment[],
): IndexRows {
  const texts = [...values].flatMap(([{ id, type }, value]) => {
    const present = type.value?.files?.(value) ?? [];
    const own = files.filter((file) => present.includes(file.id)).sort((left, right) => left.id - right.id);
    return own.length === 0 ? [] : [[id, textOfFiles(own)] as const];
  });
  return texts.length === 0 ? rows : { ...rows, texts: [...rows.texts, ...texts] };
}

/** Makes the rows of an artifact whose first changeset is its creation. */
export function prepareHistory(tracker: Tracker, past: PastArtifact): ReadyHistory {
  const { id, changesets, files } = past;
  const [first, last] = [changesets[0], changesets.at(-1)];
  if (first === undefined || last === undefined) throw new Error('An artifact has a changeset at least.');
  const { values, links } = finalValues(tracker, changesets);
  const document: Record<string, Stored> = {};
  for (const [field, value] of values) document[field.id] = value;
  const text = JSON.stringify(document);
  requireBoundedText(document, text.length);
  const references = [...past.references].flatMap(([fieldId, targets]) =>
    targets.map((target) => [fieldId, ...target] as const),
  );
  return {
    artifact: {
      id,
      submittedBy: first.by,
      submittedOn: first.at,
      modifiedBy: last.by,
      modifiedOn: last.at,
      version: changesets.length,
      document: text,
      groups: newGrants(values) ?? [],
      rows: withFiles(indexRowsOf(values), values, files),
      references,
      files,
    },
    changesets: changesets.map((changeset) => ready(id, changeset)),
    links,
  };
}

/** Some of what an import has ready. */
export interface ReadyBatch {
  readonly trackerId: number;
  readonly artifacts: readonly ReadyArtifact[];
  /** Of artifacts of this batch and of earlier ones, in the order of history. */
  readonly changesets: readonly ReadyChangeset[];
  /** What `removalMark` said before the bytes of the files were stored. */
  readonly mark: number;
}

const changesetColumns = [
  'id',
  'artifact_id',
  'submitted_by',
  'submitted_on',
  'changes',
  'field_ids',
  'comment',
  'email',
] as const;
const versionColumns = ['changeset_id', 'version', 'comment'] as const;
const raiseCounter = statement((sql, p: { trackerId: number; count: number; restricted: number }) =>
  sql
    .updateTable('tracker_counter')
    .set((row) => ({
      last_number: row('last_number', '+', p.count),
      artifacts: row('artifacts', '+', p.count),
      restricted: row('restricted', '+', p.restricted),
    }))
    .where('tracker_id', '=', p.trackerId)
    .returning('last_number'),
);

const isRestricted = ({ groups }: ReadyArtifact) => (groups.length > 0 ? 1 : 0);

async function insertArtifacts(
  tx: Transaction,
  trackerId: number,
  artifacts: readonly ReadyArtifact[],
): Promise<UnrecordedRows> {
  const count = artifacts.length;
  if (count === 0) return insertRows(tx, []);
  const restricted = artifacts.filter((artifact) => isRestricted(artifact) === 1).length;
  const [counter] = await tx.all(raiseCounter, { trackerId, count, restricted });
  const first = (counter?.last_number ?? count) - count + 1;
  const rows = artifacts.map(
    (artifact, index) =>
      [
        artifact.id,
        trackerId,
        first + index,
        artifact.submittedBy,
        artifact.submittedOn,
        artifact.version,
        artifact.modifiedBy,
        artifact.modifiedOn,
        0,
        isRestricted(artifact),
        artifact.document,
      ] as const,
  );
  return insertRows(tx, rows);
}

/** Each reference once, and none of an artifact to itself. */
function referenceRows(sourceId: number, origin: string, targets: readonly ReferenceTarget[]) {
  const once = new Map(targets.map((target) => [target.join(' '), target]));
  return [...once.values()]
    .filter(([id]) => id !== sourceId)
    .map(([id, keyword]) => ['artifact', sourceId, origin, 'artifact', id, keyword] as const);
}

function fieldReferences({ id, references }: ReadyArtifact) {
  const byField = Map.groupBy(references, ([fieldId]) => fieldId);
  return [...byField].flatMap(([fieldId, own]) =>
    referenceRows(
      id,
      `field:${fieldId}`,
      own.map(([, target, keyword]) => [target, keyword]),
    ),
  );
}

/** Stores changesets, and gives them with their ids, in their order. */
async function insertChangesets(tx: Transaction, changesets: readonly ReadyChangeset[]) {
  const ids = changesets.length === 0 ? [] : await tx.newIds('changeset', changesets.length);
  const numbered = changesets.map((changeset, index) => ({ ...changeset, id: ids[index] ?? 0 }));
  await tx.insertMany(
    'changeset',
    changesetColumns,
    numbered.map(
      ({ id, artifactId, by, at, changes, fieldIds, comment, email }) =>
        [id, artifactId, by, at, changes, fieldIds, comment, email] as const,
    ),
  );
  await tx.insertMany(
    'comment_version',
    versionColumns,
    numbered.flatMap(({ id, olderComments }) =>
      olderComments.map((comment, index) => [id, index + 1, comment] as const),
    ),
  );
  return numbered;
}

/**
 * Stores artifacts that nobody sees yet, as they are: no permission, workflow or rule is asked, nobody is told. Gives the
 * ids of the changesets, or undefined when the bytes of files may be gone again; then nothing was stored.
 */
export async function insertHistory(
  tx: Transaction,
  _: Viewer,
  batch: ReadyBatch,
): Promise<readonly number[] | undefined> {
  const { trackerId, artifacts, changesets, mark } = batch;
  const files = artifacts.flatMap(({ id, files: own }) => own.map((file) => ({ ...file, artifactId: id })));
  if (!(await holdNew(tx, files, mark))) return undefined;
  const rows = await insertArtifacts(tx, trackerId, artifacts);
  await insertAttached(tx, files);
  const numbered = await insertChangesets(tx, changesets);
  const inComments = numbered.flatMap(({ id, artifactId, references }) =>
    referenceRows(artifactId, `comment:${id}`, references),
  );
  await recordImported(tx, rows, {
    ...{ trackerId, artifacts, editors: new Set(changesets.map(({ by }) => by)) },
    comments: numbered.flatMap(({ id, found }) => (found === undefined ? [] : { ...found, changesetId: id })),
    references: [...inComments, ...artifacts.flatMap(fieldReferences)],
  });
  return numbered.map(({ id }) => id);
}

/** Stores present links between artifacts that are all there. */
export const insertLinks = (
  tx: Transaction,
  _: Viewer,
  { links }: { readonly links: readonly LinkToStore[] },
): Promise<void> => recordImportedLinks(tx, links);
