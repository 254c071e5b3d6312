import { changeFiles, describeFiles } from '../../files/index.ts';
import { statement, type Transaction } from '../../storage/index.ts';
import type { Field, Stored, StoredLink, Tracker } from '../../trackers/index.ts';
import { writeComment } from '../comments.ts';
import { findNeighbourIds, recordMentions, recordReferences } from '../links/index.ts';
import { type ArtifactRow, type Document, linkField, type WrittenChanges, writeChanges } from '../model.ts';
import type { Change } from './change.ts';
import type { Changes } from './changes.ts';
import {
  countAsLast,
  type FirstChangeset,
  insertRow,
  insertRowAndChangeset,
  record,
  updateRow,
} from './consequences.ts';
import { countIn } from './counters.ts';
import { noteEffects } from './side-effects.ts';
import { requireBoundedText } from './text-bounds.ts';
import type { GovernedChanges } from './workflow.ts';

interface NewChangeset extends WrittenChanges {
  readonly artifactId: number;
  readonly by: number;
  readonly at: number;
  readonly comment: string | null;
}

const columnsOf = (p: NewChangeset) => ({
  artifact_id: p.artifactId,
  submitted_by: p.by,
  submitted_on: p.at,
  changes: p.changes,
  field_ids: p.fieldIds,
  comment: p.comment,
});

const insertChangeset = statement((sql, p: NewChangeset) =>
  sql.insertInto('changeset').values(columnsOf(p)).returning('id'),
);

const insertNumbered = statement((sql, p: NewChangeset & { readonly id: number }) =>
  sql.insertInto('changeset').values({ id: p.id, ...columnsOf(p) }),
);

/** Writes a changeset and gives its id. */
export async function addChangeset(tx: Transaction, changeset: NewChangeset): Promise<number> {
  const [stored] = await tx.all(insertChangeset, changeset);
  if (stored === undefined) throw new Error('The new changeset has no id.');
  return stored.id;
}

/** The groups that alone may see the artifact, by its new values; undefined when no such field changes. */
export function newGrants(values: ReadonlyMap<Field, Stored>): readonly number[] | undefined {
  for (const [field, value] of values) {
    const groups = field.type.value?.grantedGroups?.(value);
    if (groups !== undefined) return groups;
  }
  return undefined;
}

const filesIn = ({ type }: Field, value: Stored | undefined) =>
  (value === undefined ? undefined : type.value?.files?.(value)) ?? [];

const noDescriptions: ReadonlyMap<number, string> = new Map();

const descriptionsIn = ({ type }: Field, value: Stored | undefined) =>
  (value === undefined ? undefined : type.value?.fileDescriptions?.(value)) ?? noDescriptions;

/** Attaches files that came, removes those that went, and describes those that are described anew. */
async function writeFiles(
  tx: Transaction,
  artifactId: number,
  values: Changes['values'],
  document: Document,
): Promise<{ fileFields: number[]; released: readonly string[] }> {
  const released: string[] = [];
  const fileFields: number[] = [];
  for (const [field, value] of values) {
    const [before, after] = [filesIn(field, document[field.id]), filesIn(field, value)];
    if (before.length + after.length === 0) continue;
    released.push(...(await changeFiles(tx, { artifactId, fieldId: field.id }, { before, after })));
    const old = descriptionsIn(field, document[field.id]);
    await describeFiles(
      tx,
      [...descriptionsIn(field, value)].filter(([id, description]) => old.get(id) !== description),
    );
    fileFields.push(field.id);
  }
  return { fileFields, released };
}

/** Whether who sees the artifact may have changed, which its neighbours show. */
function changesVisibilityOf({ grants, semantics }: Tracker, values: Changes['values']): boolean {
  const contributor = semantics.contributor?.fieldId;
  const isAssigned = grants.assignee.length > 0 && [...values.keys()].some(({ id }) => id === contributor);
  return isAssigned || newGrants(values) !== undefined;
}

/** The moment of a change: never in the same second as the one before. */
export const nextMoment = (previous: number, now: number) =>
  Math.max(now, (Math.floor(previous / 1000) + 1) * 1000);

const writtenChanges = (tracker: Tracker, { values, links }: Changes): WrittenChanges => {
  const changes: Record<string, Stored> = {};
  for (const [field, value] of values) changes[field.id] = value;
  const field = linkField(tracker);
  if (links !== undefined && field !== undefined) changes[field.id] = links;
  return writeChanges(changes);
};

/** What a changeset made of an artifact. */
export interface SavedChangeset {
  readonly changesetId: number;
  readonly row: ArtifactRow;
  /** Bytes of files that nothing may need any more. */
  readonly released: readonly string[];
}

/** An artifact that is locked, before a changeset. */
export interface StoredArtifact {
  readonly row: ArtifactRow;
  readonly document: Document;
  readonly links: readonly StoredLink[];
  /** What the changeset is to be called, where that was asked for already: nobody waits for it then. */
  readonly changesetId?: number | undefined;
}

async function writeChangeset(
  tx: Transaction,
  id: number | undefined,
  changeset: NewChangeset,
): Promise<number> {
  if (id === undefined) return addChangeset(tx, changeset);
  await tx.write(insertNumbered, { id, ...changeset });
  return id;
}

/** Adds a changeset to an artifact, with everything that follows from it. */
export async function saveChangeset(
  change: Change,
  tracker: Tracker,
  artifact: StoredArtifact,
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
  const groups = newGrants(changes.values);
  const wasRestricted = row.is_restricted === 1;
  const isRestricted = groups === undefined ? wasRestricted : groups.length > 0;
  const updated = await updateRow(tx, row, {
    ...{ document: newDocument, is_restricted: isRestricted ? 1 : 0 },
    ...{ modified_by: by, modified_on: at },
  });
  const comment = changes.comment === undefined ? null : writeComment(changes.comment);
  const changeset = { artifactId: id, by, at, ...writtenChanges(tracker, changes), comment };
  const changesetId = await writeChangeset(tx, artifact.changesetId, changeset);
  const { fileFields, released } = await writeFiles(tx, id, changes.values, document);
  const changesVisibility = changesVisibilityOf(tracker, changes.values);
  const { links } = artifact;
  const written = await record(change, updated, {
    before: { tracker, document, links, isRestricted: wasRestricted },
    after: { tracker, document: next, links: changes.links ?? links, isRestricted },
    ...{ values: changes.values, groups, fileFields, changesVisibility },
    changeset: { id: changesetId, comment: changes.comment },
    neighbours: changesVisibility ? await findNeighbourIds(tx, id) : [],
    // Whoever changed it last is known already.
    people: { submitters: [], editors: row.modified_by === by ? [] : [by] },
    writeReferences: () => writeReferences(change, id, changes, { changesetId, before: document }),
  });
  await noteEffects(change, tracker, { id, document, links }, changes);
  return { changesetId, row: written, released };
}

const writeReferences = async (
  { tx, references }: Change,
  id: number,
  { values, comment }: Changes,
  more: { readonly changesetId: number; readonly before: Document },
): Promise<void> => {
  const written = { values, comment, ...more };
  await recordReferences(tx, id, written, references);
  await recordMentions(tx, id, written, references);
};

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
  const groups = newGrants(changes.values) ?? [];
  const isRestricted = groups.length > 0;
  const restricted = isRestricted ? 1 : 0;
  const first = { by, at, ...writtenChanges(tracker, changes) };
  const { made, changesetId } = await insertBoth(tx, first, {
    tracker_id: tracker.id,
    number: tx.locksRows ? 0 : await countIn(tx, tracker.id, restricted),
    ...{ submitted_by: by, submitted_on: at, modified_by: by, modified_on: at },
    ...{ version: 1, related_version: 0, is_restricted: restricted, document: text },
  });
  const { id } = made;
  const { fileFields } = await writeFiles(tx, id, changes.values, {});
  const row = await record(change, made, {
    before: undefined,
    after: { tracker, document, links: changes.links ?? [], isRestricted },
    ...{ values: changes.values, groups, fileFields, neighbours: [], changesVisibility: false },
    changeset: { id: changesetId, comment: undefined },
    people: { submitters: [by], editors: [by] },
    writeReferences: () => writeReferences(change, id, changes, { changesetId, before: {} }),
  });
  await noteEffects(change, tracker, { id, document: {}, links: [] }, changes);
  // Where others write at the same time the counter comes last: it keeps out whoever creates one in the same tracker. Its number is
  // in the database then, and not in the row that is given.
  if (tx.locksRows) await countAsLast(tx, tracker.id, restricted, id);
  return { row, changesetId };
}

async function insertBoth(tx: Transaction, first: FirstChangeset, row: Parameters<typeof insertRow>[1]) {
  if (tx.isRemote) return insertRowAndChangeset(tx, row, first);
  const made = await insertRow(tx, row);
  return { made, changesetId: await addChangeset(tx, { artifactId: made.id, ...first, comment: null }) };
}
