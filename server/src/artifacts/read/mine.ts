import { type Page, slice } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type IdPage, rankColumn } from '../../search/index.ts';
import {
  type Expression,
  expressionBuilder,
  isOneOf,
  type Reader,
  type SqlBool,
  sql,
  type Tables,
} from '../../storage/index.ts';
import type { TrackerView } from '../../trackers/index.ts';
import { hiddenComments } from '../comments.ts';
import { isOpen } from '../open.ts';
import { readArtifacts } from '../several.ts';
import { inParts } from '../store.ts';
import { readTimeframes, readTotals } from '../totals/index.ts';
import { isVisible, type ReadContext, viewFor } from '../visibility.ts';

/** Open artifacts that have to do with the viewer. */
export interface OwnArtifacts extends Page {
  readonly submittedBy: boolean;
  readonly assignedTo: boolean;
  /** Those that the viewer asked to hear of. */
  readonly watched: boolean;
  /** Those in which a text that the viewer may read names them. */
  readonly mentioned: boolean;
  readonly order: 'id' | 'updated' | 'due' | 'rank';
}

const on = expressionBuilder<Tables, 'artifact' | 'mention'>();

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

async function trackersWithWatched(reader: Reader, userId: number): Promise<number[]> {
  const query = reader.sql
    .selectFrom('watch')
    .innerJoin('artifact', 'artifact.id', 'watch.item_id')
    .select('artifact.tracker_id')
    .distinct()
    .where('watch.kind', '=', 'artifact')
    .where('watch.account_id', '=', userId);
  return (await reader.all(query)).map((row) => row.tracker_id);
}

const watchedBy = (userId: number) =>
  on
    .selectFrom('watch')
    .select('watch.item_id')
    .where('watch.kind', '=', 'artifact')
    .where('watch.account_id', '=', userId);

async function trackersWithMentions(reader: Reader, userId: number): Promise<number[]> {
  const query = reader.sql
    .selectFrom('mention')
    .innerJoin('artifact', 'artifact.id', 'mention.artifact_id')
    .select('artifact.tracker_id')
    .distinct()
    .where('mention.account_id', '=', userId);
  return (await reader.all(query)).map((row) => row.tracker_id);
}

/** Comments that name the viewer and that they may not read, by tracker: these were given to other groups. */
async function hiddenMentions(
  reader: Reader,
  views: readonly TrackerView[],
  userId: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const query = reader.sql
    .selectFrom('mention')
    .innerJoin('artifact', 'artifact.id', 'mention.artifact_id')
    .select(['mention.changeset_id', 'artifact.tracker_id'])
    .where('mention.account_id', '=', userId)
    .where('mention.origin', 'like', 'comment:%');
  const viewOf = new Map(views.map((view) => [view.tracker.id, view]));
  const named = new Map<number, TrackerView>();
  for (const { changeset_id, tracker_id } of await reader.all(query)) {
    const view = viewOf.get(tracker_id);
    if (view !== undefined) named.set(changeset_id, view);
  }
  const hidden = await hiddenComments(reader, named);
  return Map.groupBy(hidden, (changesetId) => named.get(changesetId)?.tracker.id ?? 0);
}

/** Named in a field or a comment that the viewer may read. */
function mentionedIn(reader: Reader, view: TrackerView, userId: number, hidden: readonly number[]) {
  const inComments = on('mention.origin', 'like', 'comment:%');
  const isHidden = isOneOf(reader.isRemote, sql.ref('mention.changeset_id'), hidden);
  const inFields = view.shown.map(({ id }) => `field:${id}`);
  const places = [
    hidden.length === 0 ? inComments : on.and([inComments, on.not(isHidden)]),
    ...(inFields.length === 0 ? [] : [on('mention.origin', 'in', inFields)]),
  ];
  return on
    .selectFrom('mention')
    .select('mention.artifact_id')
    .where('mention.account_id', '=', userId)
    .where(on.or(places));
}

/** The trackers in which something has to do with the viewer, in one of the senses that are asked for. */
async function trackersOf(reader: Reader, { userId }: Viewer, input: OwnArtifacts): Promise<number[]> {
  const submitted = input.submittedBy ? await trackersWithOwn(reader, userId) : [];
  const assigned = input.assignedTo ? await trackersWithAssigned(reader, userId) : [];
  const watched = input.watched ? await trackersWithWatched(reader, userId) : [];
  const mentioned = input.mentioned ? await trackersWithMentions(reader, userId) : [];
  return [...new Set([...submitted, ...assigned, ...watched, ...mentioned])];
}

/** Those in one tracker: a condition that an index answers beside conditions that narrow it. */
function ownIn(
  { reader, viewer }: ReadContext,
  view: TrackerView,
  input: OwnArtifacts,
  hidden: readonly number[],
): Expression<SqlBool> {
  const contributor = view.tracker.semantics.contributor?.fieldId;
  const mine = [
    ...(input.submittedBy ? [on('artifact.submitted_by', '=', viewer.userId)] : []),
    ...(input.assignedTo && contributor !== undefined
      ? [on('artifact.id', 'in', assignedTo(contributor, viewer.userId))]
      : []),
    ...(input.watched ? [on('artifact.id', 'in', watchedBy(viewer.userId))] : []),
    ...(input.mentioned ? [on('artifact.id', 'in', mentionedIn(reader, view, viewer.userId, hidden))] : []),
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

async function viewsOf(readContext: ReadContext, input: OwnArtifacts): Promise<TrackerView[]> {
  const views: TrackerView[] = [];
  for (const id of await trackersOf(readContext.reader, readContext.viewer, input)) {
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

const nothingHidden: ReadonlyMap<number, readonly number[]> = new Map();

/** Trackers that are asked about by one statement: over a network each is waited for, elsewhere others get their turn in between. */
const mostTrackers = { remote: 20, local: 1 };

/** Open artifacts in active projects that have to do with the viewer. Runs off the event loop. */
export async function findOwnArtifacts(readContext: ReadContext, input: OwnArtifacts): Promise<IdPage> {
  const { reader, viewer } = readContext;
  const views = await viewsOf(readContext, input);
  const hidden = input.mentioned ? await hiddenMentions(reader, views, viewer.userId) : nothingHidden;
  const found: Found[] = [];
  // Not all by one: a single query over very many trackers would be larger than engines take.
  const atOnce = reader.isRemote ? mostTrackers.remote : mostTrackers.local;
  for (let start = 0; start < views.length; start += atOnce) {
    const [first, ...others] = views.slice(start, start + atOnce).map((view) =>
      reader.sql
        .selectFrom('artifact')
        .select(['id', 'tracker_id', 'modified_on', rankColumn.as('rank')])
        .where(ownIn(readContext, view, input, hidden.get(view.tracker.id) ?? [])),
    );
    const rows = first === undefined ? [] : await reader.all(first.unionAll(others));
    // One by one: somebody may have more of them than a call takes arguments.
    for (const row of rows) found.push(row);
  }
  // Elsewhere nothing is ever due, and nothing has to be read to know it.
  const timed = new Set(
    views.filter(({ tracker }) => tracker.semantics.timeframe !== undefined).map(({ tracker }) => tracker.id),
  );
  const dated =
    input.order === 'due' ? found.filter((row) => timed.has(row.tracker_id)).map(({ id }) => id) : [];
  const { items, size } = slice(ordered(found, input.order, await dueDates(readContext, dated)), input);
  return { ids: items.map(({ id }) => id), size };
}

interface Found {
  readonly id: number;
  readonly tracker_id: number;
  readonly modified_on: number;
  readonly rank: number;
}

/** Artifacts whose times are worked out at once. */
const atOnce = 500;

/** When each of them is due; those without a date come last. */
async function dueDates(
  readContext: ReadContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const due = new Map<number, number>();
  for (let at = 0; at < ids.length; at += atOnce) {
    readContext.reader.turn?.check();
    const artifacts = await readArtifacts(readContext, ids.slice(at, at + atOnce));
    const { totals } = await readTotals(readContext, artifacts);
    for (const [id, { end }] of await readTimeframes(readContext, artifacts, totals))
      if (end !== null) due.set(id, end);
  }
  return due;
}

function ordered(
  found: readonly Found[],
  order: OwnArtifacts['order'],
  due: ReadonlyMap<number, number>,
): Found[] {
  const keys = {
    id: ({ id }: Found) => id,
    updated: ({ modified_on }: Found) => -modified_on,
    due: ({ id }: Found) => due.get(id) ?? Number.MAX_SAFE_INTEGER,
    rank: ({ rank }: Found) => Number(rank),
  };
  const key = keys[order];
  return found.toSorted((left, right) => key(left) - key(right) || left.id - right.id);
}
