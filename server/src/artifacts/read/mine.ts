import { type Page, slice } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { IdPage } from '../../search/index.ts';
import {
  type Expression,
  expressionBuilder,
  type Reader,
  readRevisions,
  type SqlBool,
  type Tables,
} from '../../storage/index.ts';
import { noneValue, type Trackers, type TrackerView } from '../../trackers/index.ts';
import { inParts } from '../store.ts';
import { isVisible, type ReadContext, viewFor } from '../visibility.ts';

/** Open artifacts that have to do with the viewer. */
export interface OwnArtifacts extends Page {
  readonly submittedBy: boolean;
  readonly assignedTo: boolean;
}

const on = expressionBuilder<Tables, 'artifact'>();

function hasValue(fieldId: number, values: readonly number[]): Expression<SqlBool> {
  const entries = on
    .selectFrom('artifact_value')
    .select('artifact_value.artifact_id')
    .whereRef('artifact_value.artifact_id', '=', 'artifact.id')
    .where('artifact_value.field_id', '=', fieldId);
  return on.exists(values.length === 0 ? entries : entries.where('artifact_value.value', 'in', values));
}

/** True, in a query over `artifact`, for the open artifacts of a tracker. Without a status all of them are open. */
export function isOpen({ tracker }: TrackerView): Expression<SqlBool> {
  const { status } = tracker.semantics;
  if (status === undefined) return on.lit(true);
  const { fieldId, openIds } = status;
  if (openIds.length === 0) return on.lit(false);
  const open = hasValue(fieldId, openIds);
  return openIds.includes(noneValue) ? on.or([open, on.not(hasValue(fieldId, []))]) : open;
}

async function trackersWithOwn(reader: Reader, userId: number): Promise<number[]> {
  const people = reader.sql
    .selectFrom('tracker_person')
    .select('tracker_id')
    .where('account_id', '=', userId);
  return (await reader.all(people.where('role', '=', 'submitter'))).map((row) => row.tracker_id);
}

/** Of all trackers on the platform, those with an artifact that is assigned to somebody. */
async function trackersWithAssigned(reader: Reader, userId: number): Promise<number[]> {
  const { sql } = reader;
  const contributors = sql.selectFrom('semantic').select(['tracker_id', 'settings']);
  const rows = await reader.all(contributors.where('name', '=', 'contributor'));
  const trackers = new Map(rows.map((row) => [Number(JSON.parse(row.settings).fieldId), row.tracker_id]));
  const values = sql.selectFrom('artifact_value').select('field_id').distinct().where('value', '=', userId);
  const fields = await inParts([...trackers.keys()], (some) =>
    reader.all(values.where('field_id', 'in', some)),
  );
  return fields.flatMap((row) => trackers.get(row.field_id) ?? []);
}

/** The trackers in which something was submitted by the viewer or is assigned to them. */
async function trackersOf(reader: Reader, { userId }: Viewer, wish: OwnArtifacts): Promise<number[]> {
  const submitted = wish.submittedBy ? await trackersWithOwn(reader, userId) : [];
  const assigned = wish.assignedTo ? await trackersWithAssigned(reader, userId) : [];
  return [...new Set([...submitted, ...assigned])];
}

/** Those in one tracker: a condition that an index answers beside conditions that narrow it. */
function ownIn(view: TrackerView, viewer: Viewer, wish: OwnArtifacts): Expression<SqlBool> {
  const contributor = view.tracker.semantics.contributor?.fieldId;
  const mine = [
    ...(wish.submittedBy ? [on('artifact.submitted_by', '=', viewer.userId)] : []),
    ...(wish.assignedTo && contributor !== undefined
      ? [on('artifact.id', 'in', assignedTo(contributor, viewer.userId))]
      : []),
  ];
  return on.and([
    on('artifact.tracker_id', '=', view.tracker.id),
    on.or(mine),
    isOpen(view),
    isVisible(view, viewer),
  ]);
}

const assignedTo = (fieldId: number, userId: number) =>
  on
    .selectFrom('artifact_value')
    .select('artifact_value.artifact_id')
    .where('artifact_value.field_id', '=', fieldId)
    .where('artifact_value.value', '=', userId);

async function viewsOf(readContext: ReadContext, wish: OwnArtifacts): Promise<TrackerView[]> {
  const views: TrackerView[] = [];
  for (const id of await trackersOf(readContext.reader, readContext.viewer, wish)) {
    const view = await viewFor(readContext, id);
    const { project } = view
      ? await readContext.trackers.projectAccess(
          readContext.reader,
          readContext.viewer,
          view.tracker.project.id,
          readContext.revisions,
        )
      : { project: undefined };
    if (view !== undefined && project?.status === 'active') views.push(view);
  }
  return views;
}

/** Open artifacts in active projects that the viewer submitted or is assigned to, by id. Runs off the event loop. */
export async function findOwnArtifacts(
  reader: Reader,
  viewer: Viewer,
  wish: OwnArtifacts,
  trackers: Trackers,
): Promise<IdPage> {
  const readContext: ReadContext = { reader, viewer, trackers, revisions: await readRevisions(reader) };
  const ids: number[] = [];
  // One after the other: a single query over very many trackers would be larger than engines take.
  for (const view of await viewsOf(readContext, wish)) {
    const query = reader.sql
      .selectFrom('artifact')
      .select('id')
      .where(ownIn(view, viewer, wish));
    for (const { id } of await reader.all(query)) ids.push(id);
  }
  const { items, size } = slice(
    ids.sort((left, right) => left - right),
    wish,
  );
  return { ids: items, size };
}
