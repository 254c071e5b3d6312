import { changeFiles, moveFiles } from '../../files/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { LeavingFacts } from '../../kernel/events.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { indexFiles, indexNew, noteChanged, noteLinkedTrackers, reindex } from '../../search/index.ts';
import { statement, type Transaction } from '../../storage/index.ts';
import { type Field, type MovingContext, type Stored, typedValueFor } from '../../trackers/index.ts';
import { findNeighbourIds } from '../links/references.ts';
import { type ArtifactRow, type Document, linkField } from '../model.ts';
import { writeComment } from '../read/comments.ts';
import { findForwardLinks, lockArtifactAndRevisions, touchSurroundings } from '../store.ts';
import { keepTotals } from '../totals/kept/update.ts';
import { type ArtifactDeps, beginChange, type Change } from '../write/change.ts';
import { addChangeset, indexComment, newGrants, nextMoment } from '../write/changeset.ts';
import { countIn, countOut } from '../write/counters.ts';
import { lockWithNeighbours } from '../write/locks.ts';
import { announce, leavingFacts, placeOf } from '../write/outbox.ts';
import { recordPerson } from '../write/people.ts';
import { storedComment } from '../write/update.ts';
import { moveComments } from './comment-groups.ts';
import { type Move, type MoveRequest, requireMove } from './move.ts';
import { moveReferences } from './references.ts';
import { movedValues, moveHistory } from './values.ts';

/** How much of the history is ready for the other tracker, as it was at a revision of the structure. */
export interface MoveProgress {
  readonly structure: number;
  readonly after: number;
}

/** A long history takes several transactions; then the progress is given, for the next one. */
export type MoveStep =
  | { readonly isDone: false; readonly progress: MoveProgress }
  | { readonly isDone: true; readonly released: readonly string[] };

const changeTracker = statement(
  (
    sql,
    p: Pick<ArtifactRow, 'id' | 'tracker_id' | 'number' | 'document' | 'is_restricted'> & {
      by: number;
      at: number;
    },
  ) =>
    sql
      .updateTable('artifact')
      .set((row) => ({
        tracker_id: p.tracker_id,
        number: p.number,
        document: p.document,
        is_restricted: p.is_restricted,
        version: row('version', '+', 1),
        surroundings: row('surroundings', '+', 1),
        modified_by: p.by,
        modified_on: p.at,
      }))
      .where('id', '=', p.id),
);

/** The values by the fields that have them now. */
function valuesByField({ to }: Move, document: Document): ReadonlyMap<Field, Stored> {
  const values = new Map<Field, Stored>();
  for (const field of to.elements) {
    const value = document[field.id];
    if (value !== undefined) values.set(field, value);
  }
  return values;
}

async function moveIndex(
  tx: Transaction,
  { artifact: { row, document, view } }: Move,
  values: ReadonlyMap<Field, Stored>,
): Promise<void> {
  for (const field of view.tracker.elements)
    await reindex(tx, row.id, field, { before: document[field.id], after: undefined });
  await indexNew(tx, row.id, values);
}

async function replaceGrants(tx: Transaction, artifact_id: number, groups: readonly number[]): Promise<void> {
  await tx.run(tx.sql.deleteFrom('artifact_grant').where('artifact_id', '=', artifact_id));
  const rows = groups.map((group_id) => ({ artifact_id, group_id }));
  if (rows.length > 0) await tx.run(tx.sql.insertInto('artifact_grant').values(rows));
}

/** Files go with their field; those of a field that nothing takes over are removed. */
async function moveAttachments(
  tx: Transaction,
  { artifact: { row, document }, takers }: Move,
): Promise<readonly string[]> {
  const released: string[] = [];
  for (const [field, taker] of takers) {
    const files = field.type.value?.files;
    if (files === undefined) continue;
    const place = { artifactId: row.id, fieldId: field.id };
    const before = files(document[field.id] ?? []);
    if (taker === undefined) released.push(...(await changeFiles(tx, place, { before, after: [] })));
    else {
      await moveFiles(tx, place, taker.id);
      await indexFiles(tx, { artifactId: row.id, fieldId: taker.id });
    }
    await indexFiles(tx, place);
  }
  return released;
}

/** Without a field for links the artifact has none; what others link to it stays. */
async function dropLinks(tx: Transaction, { artifact: { row, view }, takers }: Move): Promise<void> {
  const field = linkField(view.tracker);
  if (field === undefined || takers.get(field) !== undefined) return;
  await tx.run(tx.sql.deleteFrom('artifact_link').where('source_id', '=', row.id));
}

/** Both counters in the order of their trackers, so that two moves do not wait for each other. Gives the new number. */
async function recount(tx: Transaction, { artifact: { row }, to }: Move, restricted: 0 | 1): Promise<number> {
  const leave = () => countOut(tx, row.tracker_id, row.is_restricted);
  if (row.tracker_id < to.id) await leave();
  const number = await countIn(tx, to.id, restricted);
  if (row.tracker_id > to.id) await leave();
  return number;
}

async function recordPeople(tx: Transaction, { artifact: { row }, to }: Move, mover: number): Promise<void> {
  const authors = tx.sql.selectFrom('changeset').select('submitted_by').distinct();
  const rows = await tx.all(authors.where('artifact_id', '=', row.id));
  await recordPerson(tx, to.id, 'submitter', row.submitted_by);
  for (const id of new Set([mover, ...rows.map(({ submitted_by }) => submitted_by)]))
    await recordPerson(tx, to.id, 'editor', id);
}

/** The last changeset says where the artifact comes from. */
async function addMoveChangeset(
  change: Change,
  { artifact: { row, view }, to }: Move,
  { at, leaving }: { readonly at: number; readonly leaving: LeavingFacts },
): Promise<void> {
  const { tx, viewer } = change.context;
  const { name, project } = view.tracker;
  const body = `Artifact was moved from '${name}' tracker in '${project.label}' project.`;
  const comment = await storedComment(change, { body, format: 'text' }, at);
  const stored = comment === undefined ? null : writeComment(comment);
  const changeset = { artifactId: row.id, by: viewer.userId, at, changes: '{}', comment: stored };
  const changesetId = await addChangeset(tx, changeset);
  await indexComment(tx, { artifactId: row.id, changesetId }, comment);
  const facts = {
    ...{ artifactId: row.id, ...placeOf(to), by: viewer.userId },
    ...{ changesetId, fieldIds: [] },
  };
  await announce(change, 'artifact.updated', [to], () => facts);
  const from = { ...placeOf(view.tracker), ...leaving };
  await announce(change, 'artifact.moved', [view.tracker, to], () => ({ ...facts, from }));
}

/** Everything of a move but the history, which is ready. */
async function finishMove(change: Change, move: Move, context: MovingContext): Promise<readonly string[]> {
  const { tx, viewer } = change.context;
  const { artifact, to } = move;
  const { id } = artifact.row;
  const neighbours = await findNeighbourIds(tx, id);
  const leaving = await leavingFacts(tx, artifact);
  const document = await movedValues(move, artifact.document, context);
  const values = valuesByField(move, document);
  const groups = newGrants(values) ?? [];
  const isRestricted = groups.length > 0 ? 1 : 0;
  const links = await findForwardLinks(tx, id);
  await moveIndex(tx, move, values);
  await replaceGrants(tx, id, groups);
  await dropLinks(tx, move);
  const released = await moveAttachments(tx, move);
  await moveReferences(tx, id, move);
  await moveComments(tx, id, artifact.view.tracker, to);
  await touchSurroundings(tx, neighbours);
  await noteChanged(tx, neighbours);
  const at = nextMoment(artifact.row.modified_on, change.context.now);
  await addMoveChangeset(change, move, { at, leaving });
  await recordPeople(tx, move, viewer.userId);
  await tx.run(changeTracker, {
    id,
    tracker_id: to.id,
    number: await recount(tx, move, isRestricted),
    document: JSON.stringify(document),
    is_restricted: isRestricted,
    by: viewer.userId,
    at,
  });
  await noteLinkedTrackers(tx, [id]);
  await keepTotals(tx, change.readContext, {
    id,
    before: {
      tracker: artifact.view.tracker,
      document: artifact.document,
      links,
      isRestricted: artifact.row.is_restricted === 1,
    },
    after: {
      tracker: to,
      document,
      links: await findForwardLinks(tx, id),
      isRestricted: isRestricted === 1,
    },
  });
  return released;
}

/** Moves an artifact to another tracker, or does the next part of that. No workflow is asked. */
export async function moveArtifact(
  tx: Transaction,
  viewer: Viewer,
  { id, trackerId, progress }: MoveRequest & { readonly progress?: MoveProgress | undefined },
  deps: ArtifactDeps,
): Promise<MoveStep> {
  await lockWithNeighbours(tx, id);
  const found = await lockArtifactAndRevisions(tx, id);
  if (found === undefined) throw notFound('There is no such artifact.');
  const { row, revisions } = found;
  const readContext = { reader: tx, viewer, trackers: deps.trackers, revisions };
  const move = await requireMove(readContext, row, trackerId);
  const change = beginChange(tx, readContext, move.to, id, deps);
  const context: MovingContext = {
    reader: tx,
    tracker: move.to,
    render: (content, format) => change.references.render(content, format),
    typedValue: (field, label) => typedValueFor(tx, field.id, label),
  };
  const { structure } = revisions;
  const begun = progress?.structure === structure ? progress.after : 0;
  const { after, isLast } = await moveHistory(tx, move, begun, context);
  if (!isLast) return { isDone: false, progress: { structure, after } };
  return { isDone: true, released: await finishMove(change, move, context) };
}
