import {
  type ArchivedFile,
  addRestoredPieces,
  dropRestored,
  insertRestored,
  type StoredPart,
} from '../../files/index.ts';
import { notFound, Refusal } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { recordInHistory, requireProjectWritable } from '../../projects/index.ts';
import { indexComments } from '../../search/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { loadRemovedElements, maySeeTrackersOf, type Tracker } from '../../trackers/index.ts';
import { foundComment, parseComment } from '../comments.ts';
import type { WriteContext } from '../context.ts';
import type { ReadContext } from '../visibility.ts';
import { readContextIn } from '../visibility.ts';
import { clearSome, restorerPatience } from './cleanup.ts';
import type { ArchivedChangeset, ArchivedFacts } from './model.ts';
import { putBack } from './reinsert.ts';

/** Somebody who brings an artifact back; whoever began last goes on. */
export interface Restorer {
  readonly id: number;
  readonly token: string;
}

const gone = () => notFound('There is no such deleted artifact.');

/** The deleted artifact, which nobody else touches before the transaction ends, in a tracker that the viewer administers. */
async function requireRestorable(
  writeContext: WriteContext,
  id: number,
): Promise<{ readContext: ReadContext; tracker: Tracker; archive: string }> {
  const { tx, viewer, trackers } = writeContext;
  const own = tx.sql.selectFrom('deleted_artifact').select(['tracker_id', 'archive']);
  const [row] = await tx.lock(own.where('artifact_id', '=', id));
  const readContext = await readContextIn(tx, viewer, trackers);
  const { revisions } = readContext;
  const tracker = row && (await trackers.find(tx, row.tracker_id, revisions));
  if (tracker === undefined || row === undefined || row.archive === null) throw gone();
  const projectAccess = await trackers.projectAccess(tx, viewer, tracker.project.id, revisions);
  const { isAdmin } = await trackers.view(tx, viewer, tracker, revisions);
  if (!isAdmin || !maySeeTrackersOf(viewer, projectAccess)) throw gone();
  if (projectAccess.project !== undefined) requireProjectWritable(projectAccess.project);
  if (tracker.isDeleted) throw new Refusal('conflict', 'The tracker of the artifact is deleted.');
  return { readContext, tracker, archive: row.archive };
}

async function mark(tx: Transaction, { id, token }: Restorer): Promise<void> {
  const row = tx.sql.updateTable('deleted_artifact').where('artifact_id', '=', id);
  const restorer_until = Date.now() + restorerPatience;
  await tx.write(row.set({ has_remains: 1, restorer: token, restorer_until }));
}

/** Refuses when somebody else has begun to bring the artifact back, or has done so. */
async function requireRestorer(tx: Transaction, restorer: Restorer): Promise<void> {
  const own = tx.sql.selectFrom('deleted_artifact').select('restorer').where('artifact_id', '=', restorer.id);
  const [row] = await tx.lock(own);
  if (row?.restorer !== restorer.token)
    throw new Refusal('conflict', 'Somebody else brings the artifact back at this moment.');
  await mark(tx, restorer);
}

/** Begins to bring an artifact back. Gives the name of its archive. */
export async function beginRestoration(
  writeContext: WriteContext,
  restorer: Restorer,
): Promise<{ archive: string }> {
  const { archive } = await requireRestorable(writeContext, restorer.id);
  await mark(writeContext.tx, restorer);
  return { archive };
}

/** Clears away what is left of the artifact and of earlier attempts; gives whether that was all. */
export async function clearForRestoration(
  tx: Transaction,
  _: Viewer,
  { files, ...restorer }: Restorer & { readonly files: readonly number[] },
): Promise<boolean> {
  await requireRestorer(tx, restorer);
  return (await clearSome(tx, restorer.id)) && (await dropRestored(tx, files));
}

const versionColumns = ['changeset_id', 'version', 'comment'] as const;

function foundIn({ row }: ArchivedChangeset) {
  const present = parseComment(row.comment);
  return present === null
    ? undefined
    : foundComment({ changesetId: row.id, artifactId: row.artifact_id }, present);
}

/** Puts a part of the history back. Nobody sees it before the artifact is there. */
export async function restoreChangesets(
  tx: Transaction,
  _: Viewer,
  { changesets, ...restorer }: Restorer & { readonly changesets: readonly ArchivedChangeset[] },
): Promise<void> {
  await requireRestorer(tx, restorer);
  const rows = changesets.map(({ row }) => row);
  await tx.write(tx.sql.insertInto('changeset').values(rows));
  const versions = changesets.flatMap(({ row: { id }, versions: old }) =>
    old.map((comment, index) => [id, index + 1, comment] as const),
  );
  await tx.insertMany('comment_version', versionColumns, versions);
  await indexComments(
    tx,
    changesets.flatMap((changeset) => foundIn(changeset) ?? []),
  );
}

/** Puts a file back that nobody sees yet. */
export async function restoreFile(
  tx: Transaction,
  _: Viewer,
  { file, ...restorer }: Restorer & { readonly file: ArchivedFile },
): Promise<void> {
  await requireRestorer(tx, restorer);
  await insertRestored(tx, file);
}

/** Gives bytes to a file that is being put back; false when they may be gone again. */
export async function restoreBytes(
  tx: Transaction,
  _: Viewer,
  { fileId, part, ...restorer }: Restorer & { readonly fileId: number; readonly part: StoredPart },
): Promise<boolean> {
  await requireRestorer(tx, restorer);
  return addRestoredPieces(tx, fileId, part);
}

/** The artifact is back, with everything that was put back for it. */
export async function finishRestoration(
  writeContext: WriteContext,
  { facts, ...restorer }: Restorer & { readonly facts: ArchivedFacts },
): Promise<void> {
  const { tx, viewer, listeners } = writeContext;
  const { readContext, tracker } = await requireRestorable(writeContext, restorer.id);
  await requireRestorer(tx, restorer);
  const elements = [...tracker.elements, ...(await loadRemovedElements(tx, tracker.id))];
  await putBack({ tx, readContext, listeners }, facts, { tracker, elements });
  await tx.write(tx.sql.deleteFrom('deleted_artifact').where('artifact_id', '=', restorer.id));
  const subject = `artifact ${restorer.id} of tracker ${tracker.id} (${tracker.name})`;
  await recordInHistory(tx, viewer, tracker.project.id, { event: 'tracker_artifact_restore', subject });
}
