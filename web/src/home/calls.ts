import {
  type Artifact,
  getHeartbeats,
  getHistory,
  getTracker,
  type Heartbeats,
  listDashboards,
  listOwnArtifacts,
  listProjects,
  listRows,
  type OwnArtifact,
  type Project,
} from '@atelier/client/routes';
import { replaceEqualDeep, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { idOfUri, writeSearch } from '../kernel/addresses.ts';
import { usualOperator, writeFilters } from '../kernel/filters.ts';
import { trackersOf } from '../shell/index.ts';
import {
  artifactFacet,
  atMostOnceASecond,
  client,
  feed,
  knownThing,
  type ListSource,
  type LiveTopic,
  listAddress,
  onChangeEvent,
  projectFacet,
  queries,
  trackerFacet,
  useLive,
  useStanding,
} from '../store/index.ts';

const self = { id: 'self' };
/** Projects whose news are listened to: a stream is about 30 things at the most. */
const mostHeard = 20;
/** Rows that are there at once; the others of a list that is looked at follow. */
const first = 50;
const atOnce = 250;
const most = 1000;

/** In which sense artifacts are mine; each is one question. */
export type WorkSense = 'assigned' | 'submitted' | 'mentioned' | 'watched';

const questions: Readonly<Record<WorkSense, { readonly query: object; readonly order: 'due' | 'updated' }>> =
  {
    assigned: { query: { assigned_to: true }, order: 'due' },
    submitted: { query: { submitted_by: true }, order: 'updated' },
    mentioned: { query: { mentioned: true }, order: 'updated' },
    watched: { query: { watched: true }, order: 'updated' },
  };

/** One of my artifacts; one that was closed here stays in sight until the page is left. */
export type WorkArtifact = OwnArtifact & { readonly isClosed?: boolean };

export interface Work {
  readonly artifacts: readonly WorkArtifact[];
  /** How many there are in all; as many as are listed but for people with very many. */
  readonly size: number;
  /** Whether all that will be listed is here. */
  readonly isWhole: boolean;
}

const workKey = ['users/self', 'work'] as const;

/** A part of a list as it was read; what was closed since is still in it. */
interface WorkPart {
  readonly artifacts: readonly WorkArtifact[];
  readonly size: number;
}

/** Reads one sense from a place to another, or to the end of the list. */
async function readWork(sense: WorkSense, from: number, to: number, signal: AbortSignal): Promise<WorkPart> {
  const { query, order } = questions[sense];
  const artifacts: OwnArtifact[] = [];
  for (;;) {
    const offset = from + artifacts.length;
    const { body, page } = await client.send(listOwnArtifacts, {
      params: self,
      query: { query: JSON.stringify(query), order, limit: Math.min(atOnce, to - offset), offset },
      signal,
    });
    artifacts.push(...body);
    const size = page?.size ?? from + artifacts.length;
    if (body.length === 0 || from + artifacts.length >= Math.min(size, to)) return { artifacts, size };
  }
}

/** Ids of what was closed on this page. */
const closedHere = new Set<number>();

/** What was closed here stays where it was, whatever else makes the list be read again. */
function withClosed(before: WorkPart | undefined, now: WorkPart): WorkPart {
  const listed = new Set(now.artifacts.map(({ id }) => id));
  const artifacts = [...now.artifacts];
  before?.artifacts.forEach((artifact, place) => {
    if (closedHere.has(artifact.id) && !listed.has(artifact.id)) artifacts.splice(place, 0, artifact);
  });
  return replaceEqualDeep(before, { artifacts, size: now.size + artifacts.length - now.artifacts.length });
}

const workQuery = (sense: WorkSense, part: 'beginning' | 'following', from: number, to: number) => ({
  queryKey: [...workKey, sense, part],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readWork(sense, from, to, signal),
  // Both are of this query.
  structuralSharing: (before: unknown, now: unknown) =>
    withClosed(before as WorkPart | undefined, now as WorkPart),
});

/** What moved between the two readings is in both. */
function together(beginning: WorkPart, following: WorkPart | undefined): Work {
  const known = new Set(beginning.artifacts.map(({ id }) => id));
  const others = following?.artifacts.filter(({ id }) => !known.has(id)) ?? [];
  const artifacts = [...beginning.artifacts, ...others];
  const closed = artifacts.filter(({ isClosed }) => isClosed === true).length;
  const isWhole = following !== undefined || beginning.artifacts.length >= beginning.size;
  return { artifacts, size: beginning.size - closed, isWhole };
}

/** A list, and what kept it from being read. */
export interface AskedWork {
  readonly work: Work | undefined;
  readonly error: Error | null;
  readonly isAsking: boolean;
  askAgain(): void;
}

/** Open artifacts that are mine, in one sense or the other. Of a list that nobody looks at, its beginning tells how many there are. */
export function useWork(sense: WorkSense, isLookedAt: boolean): AskedWork {
  const beginning = useQuery(workQuery(sense, 'beginning', 0, first));
  const { data } = beginning;
  const hasMore = data !== undefined && data.size > data.artifacts.length;
  const following = useQuery({
    ...workQuery(sense, 'following', first, most),
    enabled: isLookedAt && hasMore,
  });
  const rest = hasMore ? following.data : undefined;
  const work = useMemo(() => (data === undefined ? undefined : together(data, rest)), [data, rest]);
  const missing = data === undefined ? beginning : rest === undefined ? following : undefined;
  return {
    work,
    error: missing?.error ?? null,
    isAsking: beginning.isFetching,
    askAgain: () => void missing?.refetch(),
  };
}

function withStored(work: WorkPart, stored: Artifact, etag: string | undefined): WorkPart {
  const known = work.artifacts.find(({ id }) => id === stored.id);
  if (known === undefined) return work;
  const change: WorkArtifact = {
    ...known,
    title: stored.title ?? null,
    full_status: stored.full_status ?? null,
    last_modified_date: stored.last_modified_date,
    etag: etag ?? known.etag,
    isClosed: !stored.is_open,
  };
  return {
    ...work,
    artifacts: work.artifacts.map((artifact) => (artifact === known ? change : artifact)),
  };
}

/** Rows follow what is stored of them; what leaves the list by it is not torn away under the pointer. */
export function followStored(): () => void {
  closedHere.clear();
  return onChangeEvent((event) => {
    if (event.kind !== 'stored') return;
    const { artifact } = event;
    const etag = knownThing(artifact.uri, artifactFacet)?.etag;
    if (artifact.is_open) closedHere.delete(artifact.id);
    else closedHere.add(artifact.id);
    queries.setQueriesData<WorkPart>({ queryKey: workKey }, (work) =>
      work === undefined ? undefined : withStored(work, artifact, etag),
    );
    // What is being read may be older than this.
    if (queries.isFetching({ queryKey: workKey }) > 0) void queries.invalidateQueries({ queryKey: workKey });
  });
}

/** What others do to my work, or give me to do, is seen at once. */
export function useLiveWork(): void {
  const { user, memberships } = useStanding();
  const projects = memberships.slice(0, mostHeard).map(({ project }): LiveTopic => `projects/${project.id}`);
  useLive(user === null ? undefined : ['user', ...projects], ({ event }) => {
    if (event === 'artifact')
      atMostOnceASecond('work', () => void queries.invalidateQueries({ queryKey: workKey }));
  });
}

/** Dashboards of my own: further tabs. */
export const useOwnDashboards = () =>
  useQuery({
    queryKey: ['dashboards', 'own'],
    queryFn: ({ signal }) => client.call(listDashboards, { query: {}, signal }),
  });

/** A tracker of mine with open artifacts that nobody is assigned to. */
export interface Unassigned {
  readonly id: number;
  readonly label: string;
  readonly color: string;
  readonly project: string;
  readonly count: number;
  /** The table that shows them. */
  readonly address: string;
}

const mostProjects = 5;
const mostTrackers = 8;

async function unassignedIn(trackerId: number, signal: AbortSignal): Promise<Unassigned[]> {
  const { body: tracker, etag } = await client.send(getTracker, { params: { id: trackerId }, signal });
  feed(tracker.uri, trackerFacet, { body: tracker, etag });
  const nameOf = (id: number | undefined) => tracker.fields.find((field) => field.field_id === id)?.name;
  const { contributor, status } = tracker.semantics;
  const [assignee, state] = [nameOf(contributor?.field_id), nameOf(status?.field_id)];
  if (assignee === undefined) return [];
  const open = (status?.value_ids ?? []).map(String);
  const filters = [
    { name: assignee, operator: 'empty', values: [''] },
    ...(state === undefined || open.length === 0
      ? []
      : [{ name: state, operator: usualOperator, values: open }]),
  ];
  const criteria = Object.fromEntries(
    filters.map(({ name, operator, values }) => [
      name,
      { operator, value: operator === 'empty' ? '' : values },
    ]),
  );
  const { page } = await client.send(listRows, {
    params: { id: trackerId },
    query: { query: JSON.stringify(criteria), limit: 1, columns: ['@comments'] },
    signal,
  });
  const count = page?.size ?? 0;
  const address = `/trackers/${trackerId}?${writeSearch({ f: writeFilters(filters) })}`;
  const { label, color_name: color, project } = tracker;
  return count === 0 ? [] : [{ id: trackerId, label, color, project: project.label, count, address }];
}

/** What one could take up: open artifacts of one's projects that nobody is assigned to, tracker by tracker. */
export function useUnassigned(): readonly Unassigned[] | undefined {
  const { memberships } = useStanding();
  const projects = memberships.slice(0, mostProjects).map(({ project }) => project.uri);
  const { data } = useQuery({
    queryKey: ['users/self', 'unassigned', projects.join()],
    queryFn: async ({ signal }) => {
      const overviews = await Promise.all(projects.map(trackersOf));
      const busy = overviews.flat().filter(({ openCount }) => openCount > 0);
      const found = await Promise.all(busy.slice(0, mostTrackers).map(({ id }) => unassignedIn(id, signal)));
      return found.flat();
    },
  });
  return data;
}

/** What was visited last. */
export const useVisited = () =>
  useQuery({
    queryKey: ['users/self', 'visited'],
    queryFn: async ({ signal }) => (await client.call(getHistory, { params: self, signal })).entries,
  });

export type HeartbeatEntry = Heartbeats['entries'][number];

/** What happened last in the first five of one's projects, newest first. */
export function useActivity(): { readonly entries: readonly HeartbeatEntry[]; readonly isKnown: boolean } {
  const { memberships } = useStanding();
  const answers = useQueries({
    queries: memberships.slice(0, 5).map(({ project }) => ({
      queryKey: [project.uri, 'heartbeats'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.call(getHeartbeats, { params: { id: idOfUri(project.uri) }, signal }),
    })),
  });
  const entries = answers.flatMap(({ data }) => data?.entries ?? []);
  return {
    entries: entries.toSorted((left, right) => (left.updated_at < right.updated_at ? 1 : -1)),
    isKnown: answers.every(({ isFetched }) => isFetched),
  };
}

export interface ProjectQuestion {
  readonly words: string;
  readonly isMine: boolean;
  readonly order: 'name' | 'activity';
}

/** Projects that one may see, by words, among one's own or all. */
export function projectsSource({ words, isMine, order }: ProjectQuestion): ListSource<Project> {
  const question = { ...(words === '' ? {} : { words }), ...(isMine ? { is_member_of: true } : {}) };
  const query = Object.keys(question).length === 0 ? {} : { query: JSON.stringify(question) };
  return {
    address: listAddress('/projects', { ...question, order }),
    pageSize: 50,
    read: async (offset, limit, signal) => {
      const { body, page } = await client.send(listProjects, {
        query: { ...query, order, limit, offset },
        signal,
      });
      return { items: body, size: page?.size ?? body.length };
    },
    uriOf: ({ uri }) => uri,
    facet: projectFacet,
  };
}
