import { forbidden, invalid, invalidMember, notFound, Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { requireProjectWritable } from '../projects/index.ts';
import { readRevisions, statement, type Transaction } from '../storage/index.ts';
import { type Field, maySeeTrackersOf, type Trackers, type TrackerView, viewOf } from '../trackers/index.ts';
import { type FileLabel, uploadLifetime } from './model.ts';
import { lockQuotaOf } from './store.ts';

export interface NewUpload extends FileLabel {
  readonly fieldId: number;
  readonly size: number;
  /** Bytes of one file at the most. */
  readonly largest: number;
  /** Bytes of all uploads of one person that are not attached. */
  readonly quota: number;
}

export interface Reservation {
  readonly id: number;
  readonly name: string;
  readonly size: number;
}

const noField = () => notFound('There is no such field.');

const trackerOfField = statement((sql, p: { id: number }) =>
  sql.selectFrom('tracker_field').select('tracker_id').where('id', '=', p.id),
);

/** The field and the view of its tracker, when the viewer may see the tracker. */
async function requireField(
  tx: Transaction,
  viewer: Viewer,
  id: number,
  trackers: Trackers,
): Promise<{ field: Field; view: TrackerView }> {
  const row = await tx.first(trackerOfField, { id });
  const revisions = await readRevisions(tx);
  const tracker = row && (await trackers.find(tx, row.tracker_id, revisions));
  const field = tracker?.elementById.get(id);
  if (tracker === undefined || field === undefined) throw noField();
  const projectAccess = await trackers.projectAccess(tx, viewer, tracker.project.id, revisions);
  if (projectAccess.project !== undefined) requireProjectWritable(projectAccess.project);
  const view = viewOf(tracker, projectAccess);
  if (!maySeeTrackersOf(viewer, projectAccess) || !view.canView) throw noField();
  return { field, view };
}

/** A file field that the viewer may put files in. */
async function requireWritableField(
  tx: Transaction,
  viewer: Viewer,
  id: number,
  trackers: Trackers,
): Promise<void> {
  const { field, view } = await requireField(tx, viewer, id, trackers);
  if (!field.isUsed) throw invalid(`The field ${view.nameOf(field)} is not used.`);
  if (field.type.value?.files === undefined)
    throw invalid(`The field ${view.nameOf(field)} does not hold files.`);
  if (!view.canSubmitField(field) && !view.canUpdate(field))
    throw forbidden(`You may neither submit nor update the field ${view.nameOf(field)}.`);
}

const reservedAlike = statement((sql, p: { fieldId: number; name: string; size: number; now: number }) =>
  sql
    .selectFrom('attachment')
    .select(['id', 'submitted_by as owner'])
    .where('field_id', '=', p.fieldId)
    .where('state', '=', 'upload')
    .where('name', '=', p.name)
    .where('expected_size', '=', p.size)
    .where('expires_at', '>', p.now),
);

/** The reservation that stands for the same file, if it is the viewer's own. */
async function standingReservation(
  tx: Transaction,
  viewer: Viewer,
  { fieldId, name, size }: NewUpload,
  now: number,
): Promise<number | undefined> {
  // Whoever reserves for the same field waits here, so that no two get the same.
  await tx.lock(tx.sql.selectFrom('tracker_field').select('id').where('id', '=', fieldId));
  const alike = await tx.all(reservedAlike, { fieldId, name, size, now });
  const own = alike.find(({ owner }) => owner === viewer.userId);
  if (own === undefined && alike.length > 0)
    throw new Refusal('conflict', `Somebody else is uploading "${name}" of the same size to this field.`);
  return own?.id;
}

const reservedBytes = statement((sql, p: { owner: number; now: number }) =>
  sql
    .selectFrom('attachment')
    .select(({ fn }) => fn.sum<number | null>('expected_size').as('bytes'))
    .where('submitted_by', '=', p.owner)
    .where('state', '=', 'upload')
    // Archives of projects have a limit of their own.
    .where('field_id', 'is not', null)
    .where('expires_at', '>', p.now),
);

async function requireRoom(
  tx: Transaction,
  { userId }: Viewer,
  { size, quota }: NewUpload,
  now: number,
): Promise<void> {
  const row = await tx.first(reservedBytes, { owner: userId, now });
  const bytes = row?.bytes ?? 0;
  if (bytes + size > quota)
    throw new Refusal(
      'too-large',
      `Your unfinished uploads have ${bytes} bytes; with ${size} more they exceed the quota of ${quota}.`,
    );
}

/** A file whose bytes are still to come. */
interface Expected {
  /** Null for one that no field will take. */
  readonly fieldId: number | null;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly size: number;
}

/** Makes the row that an upload fills. Gives its id. */
export async function insertUpload(
  tx: Transaction,
  viewer: Viewer,
  { fieldId, name, type, description, size }: Expected,
): Promise<number> {
  const now = Date.now();
  const row = {
    submitted_by: viewer.userId,
    artifact_id: null,
    field_id: fieldId,
    name,
    type,
    description,
    size: 0,
    created_at: now,
    state: 'upload' as const,
    expected_size: size,
    expires_at: now + uploadLifetime,
  };
  const [made] = await tx.all(tx.sql.insertInto('attachment').values(row).returning('id'));
  if (made === undefined) throw new Error('The new upload has no id.');
  return made.id;
}

/** Reserves an upload for a field, or gives the one that its owner began already. */
export async function reserveUpload(
  tx: Transaction,
  viewer: Viewer,
  upload: NewUpload,
  trackers: Trackers,
): Promise<Reservation> {
  const { fieldId, name, type, description, size, largest } = upload;
  await requireWritableField(tx, viewer, fieldId, trackers);
  if (size > largest)
    throw invalidMember('file_size', `The file has ${size} bytes, and at most ${largest} are allowed.`);
  const now = Date.now();
  await lockQuotaOf(tx, viewer.userId);
  const known = await standingReservation(tx, viewer, upload, now);
  if (known !== undefined) return { id: known, name, size };
  await requireRoom(tx, viewer, upload, now);
  const id = await insertUpload(tx, viewer, { fieldId, name, type, description, size });
  return { id, name, size };
}
