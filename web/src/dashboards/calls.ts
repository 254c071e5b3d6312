import { ApiError } from '@atelier/client';
import {
  type BodyOf,
  countArtifacts,
  createDashboard,
  type Dashboard,
  deleteDashboard,
  getDashboard,
  getHeartbeats,
  getHistory,
  getReportSettings,
  getTrends,
  getWidget,
  listArtifacts,
  listDashboards,
  listOwnArtifacts,
  listReports,
  listRows,
  listWidgets,
  type MinimalDashboard,
  putDashboard,
  renderText,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { idOfUri } from '../kernel/addresses.ts';
import { trackersOf } from '../shell/index.ts';
import {
  atMostOnceASecond,
  client,
  type Facet,
  feed,
  type LiveTopic,
  onChangeEvent,
  queries,
  useLive,
  useStanding,
  useThing,
} from '../store/index.ts';
import type { Rows, Tile, TileRow } from './arrange.ts';
import { statesAsked } from './states-asked.ts';

export type { Dashboard, MinimalDashboard };

const dashboardFacet: Facet<Dashboard> = {
  name: 'full',
  read: (uri, signal) => client.send(getDashboard, { params: { id: idOfUri(uri) }, signal }),
};

const listKey = (project: string | undefined) => ['dashboards', project ?? 'own'] as const;

/** Under which topic changes of dashboards are told. */
const topicOf = (project: string | undefined): LiveTopic =>
  project === undefined ? 'user' : `projects/${idOfUri(project)}`;

/** Dashboards of a project, or one's own. */
export function useDashboards(project: string | undefined) {
  const { user } = useStanding();
  const isAsked = project !== undefined || user !== null;
  const answer = useQuery({
    queryKey: listKey(project),
    enabled: isAsked,
    queryFn: ({ signal }) =>
      client.call(listDashboards, {
        query: project === undefined ? {} : { project_id: idOfUri(project) },
        signal,
      }),
  });
  useLive(isAsked ? topicOf(project) : undefined, ({ event }) => {
    if (event === 'dashboard' || event === 'reset') void answer.refetch();
  });
  return answer;
}

/** One dashboard, followed as others change it. */
export function useDashboard(id: number) {
  const found = useThing(`dashboards/${id}`, dashboardFacet);
  const { thing } = found;
  const project = thing?.project_id ?? undefined;
  useLive(
    thing === undefined ? undefined : topicOf(project === undefined ? undefined : `projects/${project}`),
    () => {
      // What is told of the dashboard itself marks it as old by itself.
    },
  );
  return found;
}

const listIsOld = () => queries.invalidateQueries({ queryKey: ['dashboards'] });

function keep(dashboard: Dashboard): Dashboard {
  feed(dashboard.uri, dashboardFacet, { body: dashboard });
  void listIsOld();
  return dashboard;
}

export async function makeDashboard(body: BodyOf<typeof createDashboard>): Promise<Dashboard> {
  return keep(await client.call(createDashboard, { body }));
}

const givenTile = ({ id, kind, title, settings, is_hidden: isHidden }: Tile) => ({
  ...(id === undefined ? {} : { id }),
  kind,
  ...(isHidden ? {} : { title, settings }),
});

const givenRows = (rows: Rows) =>
  rows.map(({ cells }: TileRow) => ({
    cells: cells.map(({ width, tiles }) => ({ width, widgets: tiles.map(givenTile) })),
  }));

export interface Wish {
  readonly title: string;
  readonly rows: Rows;
  readonly isDefault?: boolean | undefined;
}

/** Somebody else saved first. */
export class Overtaken extends Error {
  readonly current: Dashboard;
  constructor(current: Dashboard) {
    super('Somebody else saved first.');
    this.current = current;
  }
}

const isDashboard = (value: unknown): value is Dashboard =>
  typeof value === 'object' && value !== null && 'rows' in value && 'version' in value;

export async function saveDashboard(
  { id, version }: Pick<Dashboard, 'id' | 'version'>,
  { title, rows, isDefault }: Wish,
): Promise<Dashboard> {
  const body = {
    version,
    title,
    rows: givenRows(rows),
    ...(isDefault === undefined ? {} : { is_default: isDefault }),
  };
  try {
    return keep(await client.call(putDashboard, { params: { id }, body }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const current = await client.call(getDashboard, { params: { id } });
    if (!isDashboard(current)) throw error;
    throw new Overtaken(keep(current));
  }
}

/** Changes a part of a dashboard; whatever others have stored of it meanwhile stays. */
export async function changeDashboard(
  dashboard: Dashboard,
  change: (now: Dashboard) => Wish,
): Promise<Dashboard> {
  try {
    return await saveDashboard(dashboard, change(dashboard));
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return changeDashboard(error.current, change);
  }
}

export async function removeDashboard({ id }: Pick<Dashboard, 'id'>): Promise<void> {
  await client.call(deleteDashboard, { params: { id } });
  queries.removeQueries({ queryKey: [`dashboards/${id}`] });
  await listIsOld();
}

/** Asks for what a widget shows, and again when something happens where that is. */
function useFresh<Answer>(
  name: readonly unknown[],
  topics: LiveTopic | readonly LiveTopic[] | undefined,
  read: (signal: AbortSignal) => Promise<Answer>,
  isAsked = true,
) {
  const own = useId();
  const answer = useQuery({
    queryKey: ['widget', ...name],
    enabled: isAsked,
    queryFn: ({ signal }) => read(signal),
    // A widget that cannot be had says so soon; the others do not wait for it.
    retry: 1,
  });
  useLive(isAsked ? topics : undefined, ({ event }) => {
    if (
      event === 'artifact' ||
      event === 'report' ||
      event === 'tracker' ||
      event === 'svn' ||
      event === 'reset'
    )
      atMostOnceASecond(`widget ${own}`, () => void answer.refetch());
  });
  return answer;
}

/** What is changed here is seen on the dashboard, too. */
export const followOwnChanges = (): (() => void) =>
  onChangeEvent(({ kind }) => {
    if (kind === 'stored') void queries.invalidateQueries({ queryKey: ['widget'] });
  });

/** An artifact that a widget is about, read as one of a list: seeing the widget is no visit of it, and its notices stay unread. */
export function useArtifactOnWall(id: number) {
  const answer = useFresh(['artifact', id], undefined, async (signal) => {
    const query = { query: JSON.stringify({ id: [id] }) };
    const [artifact = null] = (await client.call(listArtifacts, { query, signal })).collection;
    return artifact;
  });
  const tracker = answer.data?.tracker.id;
  useLive(tracker === undefined ? undefined : `trackers/${tracker}`, ({ event }) => {
    if (event === 'artifact' || event === 'reset')
      atMostOnceASecond(`artifact on wall ${id}`, () => void answer.refetch());
  });
  return answer;
}

export const useCount = (trackerId: number, query: string) =>
  useFresh(['count', trackerId, query], `trackers/${trackerId}`, async (signal) => {
    const asked = { by: ['is_open'], ...(query === '' ? {} : { expert_query: query }) };
    return (await client.call(countArtifacts, { params: { id: trackerId }, query: asked, signal })).size;
  });

/** Days that the line beside a number tells of. */
const daysOfLine = 30;

/** The number of each day, as far as the history knows it. */
export interface CountTrend {
  readonly values: readonly number[];
  /** Whether it tells how many there were; else how many there were of those that are found today. */
  readonly isWhole: boolean;
}

type Series = readonly { readonly label: string; readonly values: readonly (number | null)[] }[];

/** One line out of several, up to today. */
const summed = (series: Series): readonly number[] => {
  const days = Math.max(0, ...series.map(({ values }) => values.filter((value) => value !== null).length));
  return Array.from({ length: days }, (_, day) =>
    series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0),
  );
};

/** How the number of a query came to be: the history tells how many were in a state, and when those of today began. */
export function useCountTrend(trackerId: number, query: string, status: string | undefined) {
  return useFresh(
    ['count-trend', trackerId, query, status],
    `trackers/${trackerId}`,
    async (signal): Promise<CountTrend> => {
      const asked = status === undefined ? undefined : statesAsked(query, status);
      const rest = asked?.rest ?? query;
      const from = new Date(Date.now() - daysOfLine * 86_400_000).toISOString().slice(0, 10);
      const { series } = await client.call(getTrends, {
        params: { id: trackerId },
        query: {
          kind: asked === undefined ? 'total' : 'states',
          from,
          ...(rest === '' ? {} : { expert_query: rest }),
        },
        signal,
      });
      const wanted =
        asked === undefined
          ? series.filter(({ key }) => key === 'all')
          : series.filter(({ label }) => asked.labels.includes(label.toLowerCase()));
      return { values: summed(wanted), isWhole: query === '' || asked !== undefined };
    },
  );
}

export const useReportSettings = (id: number | undefined) =>
  useFresh(
    ['report', id],
    undefined,
    (signal) => client.call(getReportSettings, { params: { id: id ?? 0 }, signal }),
    id !== undefined,
  );

/** Rows that a tile shows. */
const mostRows = 10;

export const useReportRows = (trackerId: number | undefined, reportId: number) =>
  useFresh(
    ['rows', trackerId, reportId],
    trackerId === undefined ? undefined : `trackers/${trackerId}`,
    async (signal) => {
      const { body, page } = await client.send(listRows, {
        params: { id: trackerId ?? 0 },
        query: { report_id: reportId, limit: mostRows },
        signal,
      });
      return { rows: body.rows, size: page?.size ?? body.rows.length };
    },
    trackerId !== undefined,
  );

const self = { id: 'self' };

const roleQueries = {
  assigned: { assigned_to: true },
  submitted: { submitted_by: true },
  mentioned: { mentioned: true },
  watched: { watched: true },
} as const;
export type Role = keyof typeof roleQueries;
export const roles = Object.keys(roleQueries) as readonly Role[];

/** Projects whose news are listened to: a stream is about 30 things at the most. */
const mostHeard = 20;

function useOwnTopics(): readonly LiveTopic[] {
  const { memberships } = useStanding();
  return [
    'user',
    ...memberships.slice(0, mostHeard).map(({ project }): LiveTopic => `projects/${project.id}`),
  ];
}

export function useMine(role: Role) {
  const topics = useOwnTopics();
  const { user } = useStanding();
  return useFresh(
    ['mine', role],
    topics,
    async (signal) => {
      const query = {
        query: JSON.stringify(roleQueries[role]),
        order: role === 'assigned' ? ('due' as const) : ('updated' as const),
        limit: mostRows,
      };
      const { body, page } = await client.send(listOwnArtifacts, { params: self, query, signal });
      return { artifacts: body, size: page?.size ?? body.length };
    },
    user !== null,
  );
}

export function useRecent() {
  const { user } = useStanding();
  return useFresh(
    ['recent'],
    undefined,
    async (signal) => (await client.call(getHistory, { params: self, signal })).entries.slice(0, mostRows),
    user !== null,
  );
}

export const useActivity = (projectId: number) =>
  useFresh(['activity', projectId], `projects/${projectId}`, (signal) =>
    client.call(getHeartbeats, { params: { id: projectId }, signal }),
  );

/** A text as it is shown. Outside of projects nothing can refer to their things: any of one's own serves. */
export function useRendered(projectId: number | null, text: string) {
  const { memberships } = useStanding();
  const place = projectId ?? memberships[0]?.project.id;
  return useFresh(
    ['text', place, text],
    undefined,
    async (signal) =>
      (
        await client.call(renderText, {
          params: { id: place ?? 0 },
          body: { text, format: 'commonmark' },
          signal,
        })
      ).html,
    place !== undefined && text !== '',
  );
}

/** A tracker that a widget can be about. */
export interface OfferedTracker {
  readonly id: number;
  readonly label: string;
  readonly project: string;
}

/** Trackers of a project, or of all of one's own. */
export function useTrackers(projectId: number | null) {
  const { memberships } = useStanding();
  const own = memberships.map(({ project }) => ({ id: project.id, label: project.label_without_icon }));
  const first =
    own.find(({ id }) => id === projectId) ?? (projectId === null ? undefined : { id: projectId, label: '' });
  const places = [...(first === undefined ? [] : [first]), ...own.filter(({ id }) => id !== projectId)];
  return useQuery({
    queryKey: ['widget-trackers', places.map(({ id }) => id).join()],
    queryFn: async (): Promise<readonly OfferedTracker[]> => {
      const found = await Promise.all(
        places.slice(0, mostHeard).map(async ({ id, label: project }) => {
          const trackers = await trackersOf(`projects/${id}`);
          return trackers.map((tracker) => ({ id: tracker.id, label: tracker.label, project }));
        }),
      );
      return found.flat();
    },
  });
}

/** Reports of a tracker with how they show what they find. */
export const useReports = (trackerId: number | undefined) =>
  useQuery({
    queryKey: ['widget-reports', trackerId],
    enabled: trackerId !== undefined,
    queryFn: async ({ signal }) => {
      const params = { id: trackerId ?? 0 };
      const reports = await client.call(listReports, { params, query: { limit: 100 }, signal });
      return Promise.all(reports.map(({ id }) => client.call(getReportSettings, { params: { id }, signal })));
    },
  });

/** Queries that are kept: of the project, and one's own. */
export const useKeptQueries = (projectId: number | null, isAsked: boolean) =>
  useQuery({
    queryKey: ['widget-queries', projectId],
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const lists = await Promise.all([
        client.call(listWidgets, { query: {}, signal }),
        ...(projectId === null
          ? []
          : [client.call(listWidgets, { query: { project_id: projectId }, signal })]),
      ]);
      const kept = await Promise.all(
        lists.flat().map(({ id }) => client.call(getWidget, { params: { id }, signal })),
      );
      return kept.flatMap(({ queries: found }) => found);
    },
  });
