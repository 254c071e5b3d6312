import {
  type ArtifactRow,
  couldSee,
  findArtifacts,
  mayReadComment,
  movedEnds,
  parseComment,
  parseDocument,
  type ReadContext,
  readChange,
  versionTag,
  viewFor,
  visibleOf,
} from '../artifacts/index.ts';
import { viewerFor } from '../identity/index.ts';
import type { ArtifactFacts, CommentFacts, LeavingFacts, LiveFacts } from '../kernel/events.ts';
import { groupIds } from '../projects/index.ts';
import { entriesOf } from '../search/index.ts';
import { type Reader, statement } from '../storage/index.ts';
import type { Field, Tracker, TrackerView } from '../trackers/index.ts';
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

const commentById = statement((sql, p: { id: number; artifactId: number }) =>
  sql
    .selectFrom('changeset')
    .select('comment')
    .where('id', '=', p.id)
    .where('artifact_id', '=', p.artifactId),
);

/** What a changeset says. */
async function commentOf(reader: Reader, { artifactId, changesetId }: CommentFacts) {
  const row = await reader.first(commentById, { id: changesetId, artifactId });
  return row === undefined ? null : parseComment(row.comment);
}

/** Those of the assignees who may read the field that names them: what is told under `user` tells them that it does. */
async function knowingAssignees(
  readContext: ReadContext,
  { id: trackerId, elementById, semantics }: Tracker,
  assigneesIn: (field: Field) => readonly number[],
): Promise<number[]> {
  const field = elementById.get(semantics.contributor?.fieldId ?? 0);
  if (field === undefined) return [];
  const assignees = assigneesIn(field);
  if (field.grants.read.includes(groupIds.everybody)) return [...assignees];
  const knowing: number[] = [];
  for (const id of assignees) {
    const viewer = await viewerFor(readContext.reader, id);
    const view = viewer && (await viewFor({ ...readContext, viewer }, trackerId));
    if (view?.canRead(field)) knowing.push(id);
  }
  return knowing;
}

/** Those who submitted it or have to do it. */
async function ownersOf({ artifactId }: ArtifactFacts, readContext: ReadContext): Promise<number[]> {
  const seen = await seenNow(readContext, artifactId);
  if (seen === undefined) return [];
  const { row, view } = seen;
  const assignees = await knowingAssignees(
    readContext,
    view.tracker,
    (field) => entriesOf(field, parseDocument(row.document)[field.id]).values,
  );
  return [row.submitted_by, ...assignees];
}

/** The same of one that is gone. */
async function formerOwners(
  { trackerId, submittedBy, assignees }: LeavingFacts & Place,
  readContext: ReadContext,
): Promise<number[]> {
  const view = await viewFor(readContext, trackerId);
  const knowing = view && (await knowingAssignees(readContext, view.tracker, () => assignees));
  return [submittedBy, ...(knowing ?? [])];
}

type Seen = NonNullable<Awaited<ReturnType<typeof seenNow>>>;
type Told = Pick<Telling, 'what' | 'fields' | 'changesetId'>;

/** Tells those of an artifact who see it now. `toldOf` says what it was for them: undefined where it was nothing. */
const toldOfSeen = <
  Kind extends 'artifact.created' | 'artifact.updated' | 'comment.edited' | 'artifact.restored',
>(
  toldOf: (
    facts: LiveFacts[Kind],
    seen: Seen,
    readContext: ReadContext,
  ) => Told | undefined | Promise<Told | undefined>,
): Teller<Kind> => ({
  topicsOf,
  peopleOf: ownersOf,
  async messagesFor({ facts, client }, readContext) {
    const seen = await seenNow(readContext, facts.artifactId);
    const told = seen && (await toldOf(facts, seen, readContext));
    if (seen === undefined || told === undefined) return [];
    const { row, view } = seen;
    const telling = { ...told, id: facts.artifactId, place: placeIn(view), row };
    return [artifactMessage({ facts, client }, telling)];
  },
});

export const artifactCreated = toldOfSeen<'artifact.created'>(({ changesetId, fieldIds }, { view }) => ({
  what: 'created',
  fields: readableIn(view, fieldIds),
  changesetId,
}));

/** Asked for once, however many people are told of the change. */
const endsMoved = new WeakMap<LiveFacts['artifact.updated'], Promise<readonly number[]>>();

async function findEndsMoved(
  reader: Reader,
  facts: LiveFacts['artifact.updated'],
  field: Field,
  tracker: Tracker,
) {
  const change = await readChange(reader, tracker, facts);
  return change === undefined ? [] : movedEnds(change, field);
}

/** Links are seen by those who see one of the artifacts at their other ends: the field alone is no news to others. */
async function seesLinks(
  facts: LiveFacts['artifact.updated'],
  field: Field,
  view: TrackerView,
  readContext: ReadContext,
) {
  const asked = endsMoved.get(facts) ?? findEndsMoved(readContext.reader, facts, field, view.tracker);
  endsMoved.set(facts, asked);
  const others = await findArtifacts(readContext.reader, await asked);
  return (await visibleOf(readContext, others)).length > 0;
}

/** The fields in which the viewer sees something change. */
async function fieldsSeen(facts: LiveFacts['artifact.updated'], view: TrackerView, readContext: ReadContext) {
  const fields: number[] = [];
  for (const id of readableIn(view, facts.fieldIds)) {
    const field = view.tracker.elementById.get(id);
    const isLinks = field?.type.acceptLinks !== undefined;
    if (!isLinks || (await seesLinks(facts, field, view, readContext))) fields.push(id);
  }
  return fields;
}

/** Told to those alone who see something of it: a changed field, or what was said. */
export const artifactUpdated = toldOfSeen<'artifact.updated'>(async (facts, { view }, readContext) => {
  const { changesetId } = facts;
  const fields = await fieldsSeen(facts, view, readContext);
  if (fields.length > 0) return { what: 'changed', fields, changesetId };
  const comment = await commentOf(readContext.reader, facts);
  const isSaid = comment !== null && comment.content !== '' && mayReadComment(view, comment);
  return isSaid ? { what: 'commented', changesetId } : undefined;
});

/** One that was removed has no text any more, and those who could read it are to see that. */
export const commentEdited = toldOfSeen<'comment.edited'>(async (facts, { view }, { reader }) => {
  const comment = await commentOf(reader, facts);
  const isTold = comment !== null && mayReadComment(view, comment);
  return isTold ? { what: 'commented', changesetId: facts.changesetId } : undefined;
});

export const artifactRestored = toldOfSeen<'artifact.restored'>(() => ({ what: 'restored' }));

/** Whether the viewer could see an artifact in a tracker that it left. */
async function couldSeeIn(readContext: ReadContext, left: LeavingFacts & Place): Promise<boolean> {
  const view = await viewFor(readContext, left.trackerId);
  return view !== undefined && couldSee(readContext.reader, readContext.viewer, view, left);
}

export const artifactDeleted: Teller<'artifact.deleted'> = {
  topicsOf,
  peopleOf: formerOwners,
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
