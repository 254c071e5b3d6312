import { abandonFiles } from '../../files/index.ts';
import { readSettings } from '../../identity/index.ts';
import { forbidden, notFound, type RateLimit } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { recordInHistory } from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { type Field, loadRemovedElements } from '../../trackers/index.ts';
import type { WriteContext } from '../context.ts';
import { lockAllowance, useAllowance } from '../deletion-limit.ts';
import { findNeighbourIds } from '../links/index.ts';
import type { Artifact, ArtifactRow, Document } from '../model.ts';
import { deleteReferences } from '../move/index.ts';
import { findForwardLinks, lockArtifactAndRevisions } from '../store.ts';
import { titleIn } from '../title.ts';
import type { ReadContext } from '../visibility.ts';
import {
  countOut,
  lockWithNeighbours,
  recordDeletion,
  requireUpdatable,
  type WriteScope,
} from '../write/index.ts';
import { type ArchivedState, isSameState, readState } from './model.ts';

/** An artifact that shall be deleted. */
export interface Deletion {
  readonly id: number;
  /** The artifact as it was when its archive was written. */
  readonly state: ArchivedState;
  /** The name of the archive; null: none is kept. */
  readonly archive: string | null;
}

/** `isDone` false: there is something that the archive does not tell of. */
export type DeletionOutcome =
  | { readonly isDone: true; readonly allowance: RateLimit }
  | { readonly isDone: false };

/** Refuses unless the viewer may delete the artifact. */
export async function requireDeletable(readContext: ReadContext, row: ArtifactRow): Promise<Artifact> {
  const artifact = await requireUpdatable(readContext, row);
  if (!artifact.view.isAdmin) throw forbidden('Only administrators of the tracker may delete its artifacts.');
  return artifact;
}

/** Values of fields that were removed are indexed as well. */
async function allFieldsOf(tx: Transaction, { view: { tracker }, document }: Artifact): Promise<Field[]> {
  const isKnown = Object.keys(document).every((id) => tracker.elementById.has(Number(id)));
  return [...tracker.elements, ...(isKnown ? [] : await loadRemovedElements(tx, tracker.id))];
}

const fileFieldsOf = (fields: readonly Field[], document: Document): number[] =>
  fields
    .filter(({ id, type }) => type.value?.files !== undefined && document[id] !== undefined)
    .map(({ id }) => id);

/**
 * Takes an artifact out with all that hangs on it. Its history stays behind, where nobody sees it: that may be long, and
 * is removed later. `isUntold`: nobody hears of it.
 */
export async function takeOut(
  scope: WriteScope,
  artifact: Artifact,
  { isUntold }: { readonly isUntold: boolean },
): Promise<void> {
  const { tx } = scope;
  const { row, view, document } = artifact;
  const { id, is_restricted } = row;
  const links = await findForwardLinks(tx, id);
  const neighbours = await findNeighbourIds(tx, id);
  const fields = await allFieldsOf(tx, artifact);
  await abandonFiles(tx, id);
  await recordDeletion(scope, {
    ...{ id, submittedBy: row.submitted_by, isUntold },
    before: { tracker: view.tracker, document, links, isRestricted: is_restricted === 1 },
    values: new Map(fields.map((field) => [field, undefined])),
    ...{ groups: undefined, fileFields: fileFieldsOf(fields, document), changeset: undefined, neighbours },
    changesVisibility: true,
    people: { submitters: [], editors: [] },
    writeReferences: () => deleteReferences(tx, id),
  });
  await countOut(tx, row.tracker_id, is_restricted);
}

async function writeDown(
  tx: Transaction,
  viewer: Viewer,
  { row, view, document }: Artifact,
  archive: string | null,
): Promise<void> {
  const { tracker } = view;
  const deleted = {
    artifact_id: row.id,
    tracker_id: tracker.id,
    title: titleIn(tracker, document),
    deleted_by: viewer.userId,
    deleted_on: Date.now(),
    archive,
    has_remains: 1 as const,
    restorer: null,
    restorer_until: null,
  };
  await tx.write(tx.sql.insertInto('deleted_artifact').values(deleted));
  const subject = `artifact ${row.id} of tracker ${tracker.id} (${tracker.name})`;
  await recordInHistory(tx, viewer, tracker.project.id, { event: 'tracker_artifact_delete', subject });
}

/** Deletes an artifact, when it still is what its archive tells. */
export async function deleteArtifact(
  writeContext: WriteContext,
  { id, state, archive }: Deletion,
): Promise<DeletionOutcome> {
  const { tx, viewer, trackers, listeners } = writeContext;
  await lockWithNeighbours(tx, id);
  const found = await lockArtifactAndRevisions(tx, id);
  if (found === undefined) throw notFound('There is no such artifact.');
  const readContext = { reader: tx, viewer, trackers, revisions: found.revisions };
  const artifact = await requireDeletable(readContext, found.row);
  const allowance = await lockAllowance(tx, viewer);
  const mustArchive = archive === null && (await readSettings(tx)).archive_deleted_items;
  if (mustArchive || !isSameState(state, await readState(tx, found.row))) return { isDone: false };
  await takeOut({ tx, readContext, listeners }, artifact, { isUntold: false });
  await writeDown(tx, viewer, artifact, archive);
  return { isDone: true, allowance: await useAllowance(tx, viewer, allowance) };
}
