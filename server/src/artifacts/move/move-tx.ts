import { changeFiles, moveFiles } from '../../files/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Transaction } from '../../storage/index.ts';
import { type Field, type MovingContext, type Stored, typedValueFor } from '../../trackers/index.ts';
import { writeComment } from '../comments.ts';
import type { WriteContext } from '../context.ts';
import { findNeighbourIds } from '../links/index.ts';
import { type Document, linkField, writeChanges } from '../model.ts';
import { findForwardLinks, lockArtifactAndRevisions } from '../store.ts';
import {
  addChangeset,
  beginChange,
  type Change,
  countIn,
  countOut,
  lockWithNeighbours,
  moveRow,
  newGrants,
  nextMoment,
  record,
  storedComment,
} from '../write/index.ts';
import { moveComments } from './comment-groups.ts';
import type { Move, MoveRequest } from './model.ts';
import { requireMove } from './plan.ts';
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

/** The values by the fields that have them now. */
function valuesByField({ to }: Move, document: Document): ReadonlyMap<Field, Stored> {
  const values = new Map<Field, Stored>();
  for (const field of to.elements) {
    const value = document[field.id];
    if (value !== undefined) values.set(field, value);
  }
  return values;
}

/** The values that go with their fields, and those that come. */
function changedValues(
  { artifact: { view } }: Move,
  values: ReadonlyMap<Field, Stored>,
): ReadonlyMap<Field, Stored | undefined> {
  const gone = view.tracker.elements.map((field) => [field, undefined] as const);
  return new Map<Field, Stored | undefined>([...gone, ...values]);
}

/** Files go with their field; those of a field that nothing takes over are removed. */
async function moveAttachments(
  tx: Transaction,
  { artifact: { row, document }, takers }: Move,
): Promise<{ released: readonly string[]; fileFields: readonly number[] }> {
  const released: string[] = [];
  const fileFields: number[] = [];
  for (const [field, taker] of takers) {
    const files = field.type.value?.files;
    if (files === undefined) continue;
    const place = { artifactId: row.id, fieldId: field.id };
    const before = files(document[field.id] ?? []);
    if (taker === undefined) released.push(...(await changeFiles(tx, place, { before, after: [] })));
    else {
      await moveFiles(tx, place, taker.id);
      fileFields.push(taker.id);
    }
    fileFields.push(field.id);
  }
  return { released, fileFields };
}

/** Without a field for links the artifact has none; what others link to it stays. */
const keepsLinks = ({ artifact: { view }, takers }: Move): boolean => {
  const field = linkField(view.tracker);
  return field === undefined || takers.get(field) !== undefined;
};

/** Both counters in the order of their trackers, so that two moves do not wait for each other. Gives the new number. */
async function recount(tx: Transaction, { artifact: { row }, to }: Move, restricted: 0 | 1): Promise<number> {
  const leave = () => countOut(tx, row.tracker_id, row.is_restricted);
  if (row.tracker_id < to.id) await leave();
  const number = await countIn(tx, to.id, restricted);
  if (row.tracker_id > to.id) await leave();
  return number;
}

/** Everybody who ever changed the artifact, its mover among them. */
async function editorsOf(tx: Transaction, { artifact: { row } }: Move, mover: number): Promise<number[]> {
  const authors = tx.sql.selectFrom('changeset').select('submitted_by').distinct();
  const rows = await tx.all(authors.where('artifact_id', '=', row.id));
  return [...new Set([mover, ...rows.map(({ submitted_by }) => submitted_by)])];
}

/** The last changeset says where the artifact comes from. */
async function addMoveChangeset(change: Change, { artifact: { row, view } }: Move, at: number) {
  const { tx, viewer } = change.context;
  const { name, project } = view.tracker;
  const body = `Artifact was moved from '${name}' tracker in '${project.label}' project.`;
  const comment = await storedComment(change, { body, format: 'text' }, at);
  const stored = comment === undefined ? null : writeComment(comment);
  const changeset = { artifactId: row.id, by: viewer.userId, at, ...writeChanges({}), comment: stored };
  return { id: await addChangeset(tx, changeset), comment };
}

/** Everything of a move but the history, which is ready. */
async function finishMove(change: Change, move: Move, context: MovingContext): Promise<readonly string[]> {
  const { tx, viewer } = change.context;
  const { artifact, to } = move;
  const { row } = artifact;
  const { id, submitted_by } = row;
  const neighbours = await findNeighbourIds(tx, id);
  const document = await movedValues(move, artifact.document, context);
  const values = valuesByField(move, document);
  const groups = newGrants(values) ?? [];
  const isRestricted = groups.length > 0;
  const links = await findForwardLinks(tx, id);
  const { released, fileFields } = await moveAttachments(tx, move);
  await moveComments(tx, id, artifact.view.tracker, to);
  const at = nextMoment(row.modified_on, change.context.now);
  const changeset = await addMoveChangeset(change, move, at);
  const moved = await moveRow(tx, row, {
    ...{ tracker_id: to.id, number: await recount(tx, move, isRestricted ? 1 : 0) },
    ...{ document: JSON.stringify(document), is_restricted: isRestricted ? 1 : 0 },
    ...{ modified_by: viewer.userId, modified_on: at },
  });
  const { tracker } = artifact.view;
  await record(change, moved, {
    before: { tracker, document: artifact.document, links, isRestricted: row.is_restricted === 1 },
    after: { tracker: to, document, links: keepsLinks(move) ? links : [], isRestricted },
    ...{ values: changedValues(move, values), groups, fileFields, neighbours, changeset },
    changesVisibility: true,
    people: { submitters: [submitted_by], editors: await editorsOf(tx, move, viewer.userId) },
    writeReferences: () => moveReferences(tx, id, move),
  });
  return released;
}

/** Moves an artifact to another tracker, or does the next part of that. No workflow is asked. */
export async function moveArtifact(
  writeContext: WriteContext,
  { id, trackerId, progress }: MoveRequest & { readonly progress?: MoveProgress | undefined },
): Promise<MoveStep> {
  const { tx, viewer, trackers } = writeContext;
  await lockWithNeighbours(tx, id);
  const found = await lockArtifactAndRevisions(tx, id);
  if (found === undefined) throw notFound('There is no such artifact.');
  const { row, revisions } = found;
  const readContext = { reader: tx, viewer, trackers, revisions };
  const move = await requireMove(readContext, row, trackerId);
  const change = beginChange(writeContext, readContext, move.to, id);
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
