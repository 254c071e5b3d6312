import { changeFiles } from '../../files/index.ts';
import {
  indexComments,
  indexFiles,
  indexNew,
  noteChanged,
  noteNewLinks,
  reindex,
} from '../../search/index.ts';
import { statement, type Transaction } from '../../storage/index.ts';
import type { Field, Stored, StoredLink, Tracker } from '../../trackers/index.ts';
import { findNeighbourIds } from '../links/references.ts';
import { recordReferences } from '../links/text-references.ts';
import { type ArtifactRow, type Document, linkField } from '../model.ts';
import { foundComment, type StoredComment, writeComment } from '../read/comments.ts';
import { touchSurroundings } from '../store.ts';
import { keepTotals } from '../totals/kept/update.ts';
import type { Change } from './change.ts';
import { countIn } from './counters.ts';
import { recordPerson } from './people.ts';
import { noteEffects } from './side-effects.ts';
import { requireBoundedText } from './text-bounds.ts';
import type { GovernedChanges } from './workflow.ts';

/** All that one changeset changes. */
export interface Changes {
  readonly values: ReadonlyMap<Field, Stored>;
  /** The complete forward links, when they change. */
  readonly links: readonly StoredLink[] | undefined;
  readonly comment: StoredComment | undefined;
}

interface NewChangeset {
  readonly artifactId: number;
  readonly by: number;
  readonly at: number;
  readonly changes: string;
  readonly comment: string | null;
}

const insertChangeset = statement((sql, p: NewChangeset) =>
  sql
    .insertInto('changeset')
    .values({
      artifact_id: p.artifactId,
      submitted_by: p.by,
      submitted_on: p.at,
      changes: p.changes,
      comment: p.comment,
    })
    .returning('id'),
);

/** Writes a changeset and gives its id. */
export async function addChangeset(tx: Transaction, changeset: NewChangeset): Promise<number> {
  const [stored] = await tx.all(insertChangeset, changeset);
  if (stored === undefined) throw new Error('The new changeset has no id.');
  return stored.id;
}

const updateArtifact = statement(
  (sql, p: { id: number; document: string; by: number; at: number; isRestricted: 0 | 1 }) =>
    sql
      .updateTable('artifact')
      .set((row) => ({
        document: p.document,
        version: row('version', '+', 1),
        modified_by: p.by,
        modified_on: p.at,
        is_restricted: p.isRestricted,
      }))
      .where('id', '=', p.id),
);

/** Everything at the other end of a link or reference of this artifact, which also is found by it. */
async function touchNeighbours(tx: Transaction, id: number): Promise<void> {
  const neighbours = await findNeighbourIds(tx, id);
  await touchSurroundings(tx, neighbours);
  await noteChanged(tx, neighbours);
}

const linkColumns = ['source_id', 'target_id', 'type'] as const;

/** Writes the forward links as they shall be, and tells those at the other ends. */
export async function writeLinks(
  tx: Transaction,
  id: number,
  before: readonly StoredLink[],
  after: readonly StoredLink[],
): Promise<void> {
  const kept = new Map(after);
  const known = new Map(before);
  const gone = before.filter(([other]) => !kept.has(other)).map(([other]) => other);
  const changed = after.filter(([other, type]) => known.get(other) !== type);
  if (gone.length > 0) {
    const links = tx.sql.deleteFrom('artifact_link').where('source_id', '=', id);
    await tx.run(links.where('target_id', 'in', gone));
  }
  for (const [target_id, type] of changed.filter(([other]) => known.has(other))) {
    const link = tx.sql.updateTable('artifact_link').set({ type }).where('source_id', '=', id);
    await tx.run(link.where('target_id', '=', target_id));
  }
  const fresh = changed.filter(([other]) => !known.has(other));
  await tx.insertMany(
    'artifact_link',
    linkColumns,
    fresh.map(([other, type]) => [id, other, type]),
  );
  if (fresh.length > 0)
    await noteNewLinks(
      tx,
      id,
      fresh.map(([other]) => other),
    );
  const others = [...gone, ...changed.map(([other]) => other)];
  await touchSurroundings(tx, others);
  await noteChanged(tx, others);
}

/** The groups that alone may see the artifact, by its new values; undefined when no such field changes. */
export function newGrants(values: ReadonlyMap<Field, Stored>): readonly number[] | undefined {
  for (const [field, value] of values) {
    const groups = field.type.value?.grantedGroups?.(value);
    if (groups !== undefined) return groups;
  }
  return undefined;
}

async function writeGrants(
  tx: Transaction,
  { id, tracker_id, is_restricted }: Pick<ArtifactRow, 'id' | 'tracker_id' | 'is_restricted'>,
  groups: readonly number[],
): Promise<void> {
  await tx.run(tx.sql.deleteFrom('artifact_grant').where('artifact_id', '=', id));
  if (groups.length > 0) {
    const rows = groups.map((group_id) => ({ artifact_id: id, group_id }));
    await tx.run(tx.sql.insertInto('artifact_grant').values(rows));
  }
  const difference = (groups.length > 0 ? 1 : 0) - is_restricted;
  if (difference === 0) return;
  const count = tx.sql
    .updateTable('tracker_counter')
    .set((row) => ({ restricted: row('restricted', '+', difference) }));
  await tx.run(count.where('tracker_id', '=', tracker_id));
}

const filesIn = ({ type }: Field, value: Stored | undefined) =>
  (value === undefined ? undefined : type.value?.files?.(value)) ?? [];

/** Attaches files that came, and removes those that went. Gives the bytes that nothing may need any more. */
async function writeFiles(
  tx: Transaction,
  artifactId: number,
  values: Changes['values'],
  document: Document,
): Promise<readonly string[]> {
  const released: string[] = [];
  for (const [field, value] of values) {
    const [before, after] = [filesIn(field, document[field.id]), filesIn(field, value)];
    if (before.length + after.length === 0) continue;
    const place = { artifactId, fieldId: field.id };
    released.push(...(await changeFiles(tx, place, { before, after })));
    await indexFiles(tx, place);
  }
  return released;
}

/** Whether who sees the artifact may have changed, which its neighbours show. */
function changesVisibility({ grants, semantics }: Tracker, values: Changes['values']): boolean {
  const contributor = semantics.contributor?.fieldId;
  const isAssigned = grants.assignee.length > 0 && [...values.keys()].some(({ id }) => id === contributor);
  return isAssigned || newGrants(values) !== undefined;
}

/** The moment of a change: never in the same second as the one before. */
export const nextMoment = (previous: number, now: number) =>
  Math.max(now, (Math.floor(previous / 1000) + 1) * 1000);

const changesText = (tracker: Tracker, { values, links }: Changes): string => {
  const changes: Record<string, Stored> = {};
  for (const [field, value] of values) changes[field.id] = value;
  const field = linkField(tracker);
  if (links !== undefined && field !== undefined) changes[field.id] = links;
  return JSON.stringify(changes);
};

/** What a changeset made of an artifact. */
export interface SavedChangeset {
  readonly changesetId: number;
  readonly row: ArtifactRow;
  /** Bytes of files that nothing may need any more. */
  readonly released: readonly string[];
}

/** Keeps what a new comment is found by. */
export async function indexComment(
  tx: Transaction,
  place: { readonly artifactId: number; readonly changesetId: number },
  comment: StoredComment | undefined,
): Promise<void> {
  const found = comment && foundComment(place, comment);
  if (found !== undefined) await indexComments(tx, [found]);
}

/** Adds a changeset to an artifact that is locked, with everything that follows from it. */
export async function saveChangeset(
  change: Change,
  tracker: Tracker,
  artifact: { row: ArtifactRow; document: Document; links: readonly StoredLink[] },
  changes: GovernedChanges,
  at: number,
): Promise<SavedChangeset> {
  const { tx, viewer } = change.context;
  const by = viewer.userId;
  const { row, document } = artifact;
  const { id } = row;
  const next: Record<string, Stored> = { ...document };
  for (const [field, value] of changes.values) next[field.id] = value;
  const newDocument = JSON.stringify(next);
  requireBoundedText(next, newDocument.length, document);
  for (const [field, value] of changes.values)
    await reindex(tx, id, field, { before: document[field.id], after: value });
  const grants = newGrants(changes.values);
  if (grants !== undefined) await writeGrants(tx, row, grants);
  const isRestricted = grants === undefined ? row.is_restricted : grants.length > 0 ? 1 : 0;
  await tx.run(updateArtifact, { id, document: newDocument, by, at, isRestricted });
  const comment = changes.comment === undefined ? null : writeComment(changes.comment);
  const text = changesText(tracker, changes);
  const changesetId = await addChangeset(tx, { artifactId: id, by, at, changes: text, comment });
  await indexComment(tx, { artifactId: id, changesetId }, changes.comment);
  await noteChanged(tx, [id]);
  if (changes.links !== undefined) await writeLinks(tx, id, artifact.links, changes.links);
  const released = await writeFiles(tx, id, changes.values, document);
  await recordReferences(
    tx,
    id,
    { values: changes.values, comment: changes.comment, changesetId, before: document },
    change.references,
  );
  const isSeenAnew = changesVisibility(tracker, changes.values);
  if (isSeenAnew) await touchNeighbours(tx, id);
  // Whoever changed it last is known already.
  if (row.modified_by !== by) await recordPerson(tx, tracker.id, 'editor', by);
  await keepTotals(tx, change.readContext, {
    id,
    before: { tracker, document, links: artifact.links, isRestricted: row.is_restricted === 1 },
    after: {
      tracker,
      document: next,
      links: changes.links ?? artifact.links,
      isRestricted: isRestricted === 1,
    },
    changesVisibility: isSeenAnew,
  });
  const before = { id, document, links: artifact.links };
  await noteEffects(change, tracker, before, { ...changes, changesetId }, 'artifact.updated');
  const version = row.version + 1;
  const changed = { version, modified_by: by, modified_on: at, is_restricted: isRestricted } as const;
  return { changesetId, row: { ...row, ...changed, document: newDocument }, released };
}

const numberArtifact = statement((sql, p: { id: number; number: number }) =>
  sql.updateTable('artifact').set({ number: p.number }).where('id', '=', p.id),
);

const insertArtifact = statement((sql, p: Omit<ArtifactRow, 'id' | 'rank'>) =>
  sql
    .insertInto('artifact')
    .values({
      tracker_id: p.tracker_id,
      number: p.number,
      submitted_by: p.submitted_by,
      submitted_on: p.submitted_on,
      version: p.version,
      modified_by: p.modified_by,
      modified_on: p.modified_on,
      surroundings: p.surroundings,
      is_restricted: p.is_restricted,
      document: p.document,
    })
    .returning('id'),
);

/** Makes an artifact with its first changeset. */
export async function insertNew(
  change: Change,
  changes: GovernedChanges,
): Promise<{ readonly row: ArtifactRow; readonly changesetId: number }> {
  const { tx, viewer, tracker, now: at } = change.context;
  const by = viewer.userId;
  const document: Record<string, Stored> = {};
  for (const [field, value] of changes.values) document[field.id] = value;
  const text = JSON.stringify(document);
  requireBoundedText(document, text.length);
  const grants = newGrants(changes.values) ?? [];
  const isRestricted = grants.length > 0 ? 1 : 0;
  const row = {
    tracker_id: tracker.id,
    number: tx.locksRows ? 0 : await countIn(tx, tracker.id, isRestricted),
    submitted_by: by,
    submitted_on: at,
    version: 1,
    modified_by: by,
    modified_on: at,
    surroundings: 0,
    is_restricted: isRestricted,
    document: text,
  } as const;
  const [made] = await tx.all(insertArtifact, row);
  if (made === undefined) throw new Error('The new artifact has no id.');
  const { id } = made;
  const changesetId = await addChangeset(tx, {
    artifactId: id,
    by,
    at,
    changes: changesText(tracker, changes),
    comment: null,
  });
  await indexNew(tx, id, changes.values);
  if (isRestricted === 1)
    await tx.run(
      tx.sql.insertInto('artifact_grant').values(grants.map((group_id) => ({ artifact_id: id, group_id }))),
    );
  if (changes.links !== undefined) await writeLinks(tx, id, [], changes.links);
  await writeFiles(tx, id, changes.values, {});
  await recordReferences(
    tx,
    id,
    { values: changes.values, comment: undefined, changesetId, before: {} },
    change.references,
  );
  await recordPerson(tx, tracker.id, 'submitter', by);
  await recordPerson(tx, tracker.id, 'editor', by);
  const after = { tracker, document, links: changes.links ?? [], isRestricted: isRestricted === 1 };
  await keepTotals(tx, change.readContext, { id, before: undefined, after });
  const before = { id, document: {}, links: [] };
  await noteEffects(change, tracker, before, { ...changes, changesetId }, 'artifact.created');
  if (!tx.locksRows) return { row: { id, rank: null, ...row }, changesetId };
  // Where others write at the same time the counter comes last: it keeps out whoever creates one in the same tracker.
  const number = await countIn(tx, tracker.id, isRestricted);
  await tx.run(numberArtifact, { id, number });
  return { row: { id, rank: null, ...row, number }, changesetId };
}
