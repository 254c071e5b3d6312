import { ForbiddenError, NotFoundError } from '@atelier/client';
import {
  createQuery,
  createWidget,
  deleteQuery,
  getContent,
  getProjectNamed,
  getQueryContent,
  listKeptQueries,
  listLinkedArtifacts,
  listProjects,
  listProjectTrackers,
  listWidgets,
  putQuery,
  quickSearch,
  type SavedQuery,
  type Tracker,
} from '@atelier/client/routes';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { BuiltProjects } from '../kernel/built-query.ts';
import {
  client,
  type Facet,
  type ListSource,
  listAddress,
  markListOld,
  queries,
  useStanding,
} from '../store/index.ts';

/** A cell of what a query found, by the type of its column. */
export type QueryCell = Readonly<Record<string, unknown>>;
export type QueryRow = Readonly<Record<string, QueryCell>>;

export interface QueryColumn {
  readonly name: string;
  readonly type: string;
}

/** A query that is kept, or its text; `widgetId` or `dashboardId`: where it stands, for what it says about its own project. */
export type AskedQuery =
  | { readonly id: string; readonly text?: undefined }
  | {
      readonly text: string;
      readonly widgetId?: number | undefined;
      readonly dashboardId?: number | undefined;
      readonly id?: undefined;
    };

export type QuerySource = ListSource<QueryRow, readonly QueryColumn[]>;

const rowFacet: Facet<QueryRow> = { name: 'query row' };

const isCell = (value: unknown): value is QueryCell => typeof value === 'object' && value !== null;

const rowOf = (artifact: Readonly<Record<string, unknown>>): QueryRow =>
  Object.fromEntries(
    Object.entries(artifact).flatMap(([name, cell]) => (isCell(cell) ? [[name, cell]] : [])),
  );

/** As many as the server gives at once. */
const pageSize = 50;

export const idOfRow = (row: QueryRow): number => Number(row['@artifact']?.['id'] ?? 0);

/** What a query finds, page by page. */
export function contentSource(asked: AskedQuery): QuerySource {
  const address =
    asked.id === undefined
      ? listAddress('/crosstracker_query/content', {
          text: asked.text,
          widget: asked.widgetId,
          dashboard: asked.dashboardId,
        })
      : `/crosstracker_query/${asked.id}/content`;
  return {
    address,
    pageSize,
    read: async (offset, limit, signal) => {
      const { body, page } =
        asked.id === undefined
          ? await client.send(getContent, {
              query: { query: JSON.stringify(bodyOf(asked)), limit, offset },
              signal,
            })
          : await client.send(getQueryContent, {
              params: { id: asked.id },
              query: { limit, offset },
              signal,
            });
      return {
        items: body.artifacts.map(rowOf),
        size: page?.size ?? body.artifacts.length,
        more: body.selected,
      };
    },
    // Which columns a row has is up to the query, so it is kept under it.
    uriOf: (row) => `artifacts/${idOfRow(row)}?${address}`,
    facet: rowFacet,
  };
}

const bodyOf = ({ text, widgetId, dashboardId }: AskedQuery & { readonly text: string }) => ({
  tql_query: text,
  ...(widgetId === undefined ? {} : { widget_id: widgetId }),
  ...(dashboardId === undefined ? {} : { dashboard_id: dashboardId }),
});

export interface LinkedArtifact {
  readonly id: number;
  readonly xref: string;
  readonly title: string;
  readonly color: string;
}

/** What is linked with an artifact, in both directions. */
export function useLinked(id: number, isWanted: boolean) {
  return useQuery({
    queryKey: ['queries', 'linked', id],
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<readonly LinkedArtifact[]> => {
      const found = await client.call(listLinkedArtifacts, { params: { id }, query: { limit: 50 }, signal });
      const all = Array.isArray(found) ? [] : found.collection;
      return all.map((one) => ({
        id: one.id,
        xref: one.xref,
        title: one.title ?? '',
        color: one.tracker.color_name,
      }));
    },
  });
}

/** Projects whose trackers are read to know what can be asked for. */
const mostProjects = 12;

const isTracker = (one: object): one is Tracker => 'fields' in one;

async function projectIdOf(name: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    return (await client.call(getProjectNamed, { params: { shortname: name }, signal })).id;
  } catch (error) {
    // The server tells about it when the query is run.
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return undefined;
    throw error;
  }
}

/** Ids of the projects that a query looks through; at most as many as are worth reading. */
export function useScopeProjects(
  projects: BuiltProjects | undefined,
  own: number | undefined,
): readonly number[] {
  const { memberships } = useStanding();
  const names = projects?.is === 'named' ? projects.names.slice(0, mostProjects) : [];
  const found = useQueries({
    queries: names.map((name) => {
      const known = memberships.find(({ project }) => project.shortname === name)?.project.id;
      return {
        queryKey: ['queries', 'project', name, known],
        staleTime: 300_000,
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          known ?? (await projectIdOf(name, signal)) ?? null,
      };
    }),
  });
  if (projects === undefined) return [];
  if (projects.is === 'mine') return memberships.slice(0, mostProjects).map(({ project }) => project.id);
  if (projects.is === 'named') return found.flatMap(({ data }) => data ?? []);
  return own === undefined ? [] : [own];
}

/** Trackers of projects with their whole forms, as far as they are known. */
export function useScopeTrackers(projectIds: readonly number[]): readonly Tracker[] {
  const answers = useQueries({
    queries: projectIds.map((id) => ({
      queryKey: ['queries', 'trackers', id],
      staleTime: 60_000,
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Tracker[]> => {
        const query = { representation: 'full', limit: 50 } as const;
        const found: readonly object[] = await client.call(listProjectTrackers, {
          params: { id },
          query,
          signal,
        });
        return found.filter(isTracker);
      },
    })),
    combine: (all) => all.flatMap(({ data }) => data ?? []),
  });
  return answers;
}

export interface FoundProject {
  readonly name: string;
  readonly label: string;
}

const ownProjects: BuiltProjects = { is: 'mine' };

/** One's own projects; for those who are in none, some that they see. Undefined until that is known. */
export function useFirstProjects(): BuiltProjects | undefined {
  const isMember = useStanding().memberships.length > 0;
  const { data, isPending } = useQuery({
    queryKey: ['queries', 'first projects'],
    enabled: !isMember,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<BuiltProjects> => {
      const found = await client.call(listProjects, { query: { limit: 10 }, signal });
      return found.length === 0 ? ownProjects : { is: 'named', names: found.map((one) => one.shortname) };
    },
  });
  return isMember || !isPending ? (data ?? ownProjects) : undefined;
}

/** Projects whose names have some words: for choosing one that one is no member of. */
export function useFoundProjects(words: string): readonly FoundProject[] {
  const { data } = useQuery({
    queryKey: ['queries', 'projects', words],
    enabled: words.trim() !== '',
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { projects } = await client.call(quickSearch, { query: { words, kinds: ['projects'] }, signal });
      return projects.map(({ label, html_url: address, detail }) => ({
        name: /\/projects\/([^/?#]+)/.exec(address)?.[1] ?? detail,
        label,
      }));
    },
  });
  return data ?? [];
}

/** A query that is kept, and where: of one's own, or of a project. */
export interface KeptQuery extends SavedQuery {
  readonly widgetId: number;
  /** Undefined for one's own. */
  readonly project?: { readonly id: number; readonly label: string; readonly shortname: string } | undefined;
  readonly mayChange: boolean;
}

const keptKey = ['queries', 'kept'] as const;
/** Kept queries that are offered at the most. */
const mostKept = 500;

/** Queries that are kept: one's own, then those of one's projects. Undefined until they are known. */
export function useKeptQueries(): {
  readonly all: readonly KeptQuery[] | undefined;
  readonly error: Error | null;
  readonly isAsking: boolean;
  askAgain(): void;
} {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keptKey,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const kept = await client.call(listKeptQueries, { query: { limit: mostKept }, signal });
      return kept.map(
        ({ widget_id: widgetId, may_change: mayChange, project, ...query }): KeptQuery => ({
          ...query,
          widgetId,
          mayChange,
          project: project ?? undefined,
        }),
      );
    },
  });
  return { all: data, error, isAsking: isFetching, askAgain: () => void refetch() };
}

/** Where a query is kept. */
export interface QueryPlace {
  /** Undefined: among one's own. */
  readonly projectId: number | undefined;
}

/** The first widget of a place; the first query that is kept there makes it. */
async function widgetOf({ projectId }: QueryPlace, title: string): Promise<number> {
  const of = projectId === undefined ? {} : { project_id: projectId };
  const [first] = await client.call(listWidgets, { query: { ...of, limit: 1 } });
  if (first !== undefined) return first.id;
  return (await client.call(createWidget, { body: { ...of, title } })).id;
}

export interface QueryWish {
  readonly text: string;
  readonly title: string;
  readonly description: string;
}

const bodyWith = (widgetId: number, { text, title, description }: QueryWish) => ({
  widget_id: widgetId,
  tql_query: text,
  title,
  description,
});

/** Keeps a query; gives its id. */
export async function keepQuery(place: QueryPlace, wish: QueryWish, widgetTitle: string): Promise<string> {
  const widgetId = await widgetOf(place, widgetTitle);
  const { id } = await client.call(createQuery, { body: bodyWith(widgetId, wish) });
  await queries.invalidateQueries({ queryKey: keptKey });
  return id;
}

export async function changeKept(kept: KeptQuery, wish: QueryWish): Promise<void> {
  await client.call(putQuery, {
    params: { id: kept.id },
    body: { ...bodyWith(kept.widgetId, wish), is_default: kept.is_default },
  });
  await markListOld(contentSource({ id: kept.id }).address);
  await queries.invalidateQueries({ queryKey: keptKey });
}

export async function deleteKept(kept: KeptQuery): Promise<void> {
  await client.call(deleteQuery, { params: { id: kept.id } });
  await queries.invalidateQueries({ queryKey: keptKey });
}

/** Pages that are read at the same time for a file. */
const atOnce = 4;

/** All rows of a query, in their order. */
export async function readAll(
  source: QuerySource,
  onProgress: (read: number, size: number) => void,
  signal: AbortSignal,
): Promise<{ readonly columns: readonly QueryColumn[]; readonly rows: readonly QueryRow[] }> {
  const first = await source.read(0, source.pageSize, signal);
  const pages = new Map([[0, first.items]]);
  const offsets = Array.from(
    { length: Math.max(0, Math.ceil(first.size / source.pageSize) - 1) },
    (_, page) => (page + 1) * source.pageSize,
  );
  let read = first.items.length;
  onProgress(read, first.size);
  const next = async (): Promise<void> => {
    const offset = offsets.shift();
    if (offset === undefined) return;
    const { items } = await source.read(offset, source.pageSize, signal);
    pages.set(offset, items);
    read += items.length;
    onProgress(read, first.size);
    await next();
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  const sorted = [...pages].sort(([one], [other]) => one - other);
  return { columns: first.more ?? [], rows: sorted.flatMap(([, items]) => items) };
}
