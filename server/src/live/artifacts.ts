import {
  type ArtifactRow,
  couldSee,
  findArtifacts,
  mayReadComment,
  parseComment,
  parseDocument,
  type ReadContext,
  versionTag,
  viewFor,
  visibleOf,
} from '../artifacts/index.ts';
import type { ArtifactFacts, ChangesetFacts, LeavingFacts, LiveFacts } from '../kernel/events.ts';
import { entriesOf } from '../search/index.ts';
import { type Reader, statement } from '../storage/index.ts';
import type { TrackerView } from '../trackers/index.ts';
import { deedOf, type Message, type Teller } from './model.ts';

type Place = Pick<ArtifactFacts, 'trackerId' | 'projectId'>;

const uriOf = (id: number) => `artifacts/${id}`;
const placeOf = ({ trackerId, projectId }: Place) => ({
  tracker: `trackers/${trackerId}`,
  project: `projects/${projectId}`,
});
const topicsOf = ({ trackerId, projectId }: Place) => [`trackers/${trackerId}`, `projects/${projectId}`];

/** How an artifact is seen now; undefined where it is gone or not for the viewer. */
async function seenNow(readContext: ReadContext, id: number) {
  const [seen] = await visibleOf(readContext, await findArtifacts(readContext.reader, [id]));
  return seen;
}

interface Telling {
  readonly what: string;
  readonly id: number;
  readonly place: Place;
  readonly row?: ArtifactRow | undefined;
  readonly fields?: readonly number[];
  readonly changesetId?: number | undefined;
}

/** The message about one artifact; with its version, where there is one to read. */
function artifactMessage(
  { facts: { by }, client }: { readonly facts: ArtifactFacts; readonly client: string | null },
  { what, id, place, row, fields = [], changesetId }: Telling,
): Message {
  const etag = row === undefined ? {} : { etag: `"${versionTag(row)}"` };
  const changeset = changesetId === undefined ? {} : { changeset_id: changesetId };
  const data = { uri: uriOf(id), ...placeOf(place), what, ...etag, ...changeset, fields };
  return { event: 'artifact', data: { ...data, ...deedOf(by, client) } };
}

/** Where an artifact is now: it may have gone on since it was written about. */
const placeIn = ({ tracker }: TrackerView): Place => ({
  trackerId: tracker.id,
  projectId: tracker.project.id,
});

const readableIn = (view: TrackerView, ids: readonly number[]) =>
  ids.filter((id) => {
    const field = view.tracker.elementById.get(id);
    return field !== undefined && view.canRead(field);
  });

const commentOf = statement((sql, p: { id: number; artifactId: number }) =>
  sql
    .selectFrom('changeset')
    .select('comment')
    .where('id', '=', p.id)
    .where('artifact_id', '=', p.artifactId),
);

/** Whether a changeset has a text that the viewer may read. */
async function hasReadableComment(
  reader: Reader,
  view: TrackerView,
  { artifactId, changesetId }: Pick<ChangesetFacts, 'artifactId' | 'changesetId'>,
): Promise<boolean> {
  const row = await reader.first(commentOf, { id: changesetId, artifactId });
  const comment = row === undefined ? null : parseComment(row.comment);
  return comment !== null && comment.content !== '' && mayReadComment(view, comment);
}

/** Those who submitted it or have to do it. */
async function ownersOf({ artifactId }: ArtifactFacts, readContext: ReadContext): Promise<number[]> {
  const seen = await seenNow(readContext, artifactId);
  if (seen === undefined) return [];
  const { row, view } = seen;
  const field = view.tracker.elementById.get(view.tracker.semantics.contributor?.fieldId ?? 0);
  const value = field && parseDocument(row.document)[field.id];
  return [row.submitted_by, ...(field === undefined ? [] : entriesOf(field, value).values)];
}

export const artifactCreated: Teller<'artifact.created'> = {
  topicsOf,
  peopleOf: ownersOf,
  async messagesFor(occasion, readContext) {
    const { artifactId: id, changesetId, fieldIds } = occasion.facts;
    const seen = await seenNow(readContext, id);
    if (seen === undefined) return [];
    const { row, view } = seen;
    const fields = readableIn(view, fieldIds);
    return [
      artifactMessage(occasion, { what: 'created', id, place: placeIn(view), row, fields, changesetId }),
    ];
  },
};

/** Told to those alone who see something of it: a changed field, or what was said. */
export const artifactUpdated: Teller<'artifact.updated'> = {
  topicsOf,
  peopleOf: ownersOf,
  async messagesFor(occasion, readContext) {
    const { artifactId: id, changesetId, fieldIds } = occasion.facts;
    const seen = await seenNow(readContext, id);
    if (seen === undefined) return [];
    const { row, view } = seen;
    const fields = readableIn(view, fieldIds);
    const what = fields.length > 0 ? 'changed' : 'commented';
    if (fields.length === 0 && !(await hasReadableComment(readContext.reader, view, occasion.facts)))
      return [];
    return [artifactMessage(occasion, { what, id, place: placeIn(view), row, fields, changesetId })];
  },
};

export const commentEdited: Teller<'comment.edited'> = {
  topicsOf,
  peopleOf: ownersOf,
  async messagesFor(occasion, readContext) {
    const { artifactId: id, changesetId } = occasion.facts;
    const seen = await seenNow(readContext, id);
    const row = await readContext.reader.first(commentOf, { id: changesetId, artifactId: id });
    const comment = row === undefined ? null : parseComment(row.comment);
    // One that was removed has no text any more, and those who could read it are to see that.
    if (seen === undefined || comment === null || !mayReadComment(seen.view, comment)) return [];
    const telling = { what: 'commented', id, place: placeIn(seen.view), row: seen.row, changesetId };
    return [artifactMessage(occasion, telling)];
  },
};

export const artifactRestored: Teller<'artifact.restored'> = {
  topicsOf,
  peopleOf: ownersOf,
  async messagesFor(occasion, readContext) {
    const { artifactId: id } = occasion.facts;
    const seen = await seenNow(readContext, id);
    if (seen === undefined) return [];
    return [artifactMessage(occasion, { what: 'restored', id, place: placeIn(seen.view), row: seen.row })];
  },
};

/** Whether the viewer could see an artifact in a tracker that it left. */
async function couldSeeIn(readContext: ReadContext, left: LeavingFacts & Place): Promise<boolean> {
  const view = await viewFor(readContext, left.trackerId);
  return view !== undefined && couldSee(readContext.reader, readContext.viewer, view, left);
}

export const artifactDeleted: Teller<'artifact.deleted'> = {
  topicsOf,
  peopleOf: async ({ submittedBy, assignees }) => [submittedBy, ...assignees],
  async messagesFor(occasion, readContext) {
    const { facts } = occasion;
    if (!(await couldSeeIn(readContext, facts))) return [];
    return [artifactMessage(occasion, { what: 'deleted', id: facts.artifactId, place: facts })];
  },
};

/** Whoever may not see where it went, but could see it before, hears that it left, and nothing of what it is now. */
export const artifactMoved: Teller<'artifact.moved'> = {
  topicsOf: (facts) => [...topicsOf(facts), ...topicsOf(facts.from)],
  peopleOf: ownersOf,
  async messagesFor(occasion, readContext) {
    const { artifactId: id, changesetId, from } = occasion.facts;
    const [seen, wasSeen] = [await seenNow(readContext, id), await couldSeeIn(readContext, from)];
    if (seen === undefined)
      return wasSeen ? [artifactMessage(occasion, { what: 'moved', id, place: from })] : [];
    const telling = { what: 'moved', id, place: placeIn(seen.view), row: seen.row, changesetId };
    const { event, data } = artifactMessage(occasion, telling);
    return [{ event, data: wasSeen ? { ...data, from: placeOf(from).tracker } : data }];
  },
};

/** One message a tracker, however many artifacts were moved. */
export const artifactRanked: Teller<'artifact.ranked'> = {
  topicsOf: ({ trackerIds, projectIds }) => [
    ...trackerIds.map((id) => `trackers/${id}`),
    ...projectIds.map((id) => `projects/${id}`),
  ],
  async messagesFor({ facts, client }, readContext) {
    const seen = await visibleOf(readContext, await findArtifacts(readContext.reader, facts.artifactIds));
    const byTracker = Map.groupBy(seen, ({ view }) => view);
    return [...byTracker].map(([view, some]) =>
      rankMessage(
        facts,
        client,
        view,
        some.map(({ row }) => row.id),
      ),
    );
  },
};

function rankMessage(
  { by }: LiveFacts['artifact.ranked'],
  client: string | null,
  view: TrackerView,
  ids: readonly number[],
): Message {
  const uris = ids.map(uriOf);
  const data = { uri: uris[0] ?? '', uris, ...placeOf(placeIn(view)), what: 'ranked', fields: [] };
  return { event: 'artifact', data: { ...data, ...deedOf(by, client) } };
}
