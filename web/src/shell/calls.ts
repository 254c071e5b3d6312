import {
  listMembers,
  listProjectServices,
  listProjectSvn,
  listTrackerArtifacts,
  listTrackerOverviews,
  type MinimalUser,
  type ProjectService,
  type SvnRepository,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { idOfUri } from '../kernel/addresses.ts';
import {
  atMostOnceASecond,
  client,
  onChangeEvent,
  queries,
  useLive,
  useMembership,
  useProject,
} from '../store/index.ts';

/** A tracker as the sidebar and menus know it. */
export interface TrackerEntry {
  readonly id: number;
  readonly uri: string;
  readonly label: string;
  readonly color: string;
  readonly itemName: string;
  readonly description: string;
  readonly openCount: number;
  readonly totalCount: number;
  readonly maySubmit: boolean;
  readonly parentId: number | null;
  readonly isAdministered: boolean;
  readonly lastUpdate: string | null;
}

export const trackersKey = (project: string) => [project, 'trackers'] as const;

const trackersQuery = (project: string) => ({
  queryKey: trackersKey(project),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly TrackerEntry[]> => {
    const overviews = await client.call(listTrackerOverviews, { params: { id: idOfUri(project) }, signal });
    return overviews.map((overview) => ({
      id: overview.id,
      uri: overview.uri,
      label: overview.label,
      color: overview.color_name,
      itemName: overview.item_name,
      description: overview.description,
      openCount: overview.open_count,
      totalCount: overview.total_count,
      maySubmit: overview.may_submit,
      parentId: overview.parent_id,
      isAdministered: overview.is_administrator,
      lastUpdate: overview.last_update_date,
    }));
  },
});

/** The same, for lists that are made of them: the sidebar has mostly asked for them already. */
export const trackersOf = (project: string) => queries.fetchQuery(trackersQuery(project));

/** Trackers of a project, by name, with how many open artifacts each has. */
export const useProjectTrackers = (project: string | undefined): readonly TrackerEntry[] =>
  useKnownTrackers(project) ?? [];

const countAgain = (project: string) =>
  atMostOnceASecond(`trackers of ${project}`, () => {
    void queries.invalidateQueries({ queryKey: trackersKey(project) });
  });

/** Undefined until they are known. */
export function useKnownTrackers(project: string | undefined): readonly TrackerEntry[] | undefined {
  useLive(project === undefined ? undefined : `projects/${idOfUri(project)}`, ({ event }) => {
    if (project !== undefined && (event === 'artifact' || event === 'tracker')) countAgain(project);
  });
  // What one does oneself is not told by events.
  useEffect(
    () =>
      onChangeEvent(({ kind }) => {
        if (kind === 'stored' && project !== undefined) countAgain(project);
      }),
    [project],
  );
  const { data } = useQuery({ ...trackersQuery(project ?? ''), enabled: project !== undefined });
  return data;
}

/** Of the newest artifact of a tracker that one may see. */
export function useFirstArtifact(tracker: number | undefined): number | undefined {
  const { data } = useQuery({
    queryKey: [`trackers/${tracker}`, 'newest'],
    enabled: tracker !== undefined,
    queryFn: async ({ signal }): Promise<number | null> => {
      const query = { limit: 1, order: 'desc' as const };
      const [first] = await client.call(listTrackerArtifacts, {
        params: { id: tracker ?? 0 },
        query,
        signal,
      });
      return first?.id ?? null;
    },
  });
  return data ?? undefined;
}

const repositoriesKey = (project: string) => [project, 'svn'] as const;

/** The repositories of a project, up to 50. */
export function useRepositories(project: string | undefined): readonly SvnRepository[] {
  const { data } = useQuery({
    queryKey: repositoriesKey(project ?? ''),
    enabled: project !== undefined,
    staleTime: 300_000,
    queryFn: async ({ signal }): Promise<SvnRepository[]> => {
      const { repositories } = await client.call(listProjectSvn, {
        params: { id: idOfUri(project ?? '') },
        query: { limit: 50 },
        signal,
      });
      return repositories;
    },
    // The page of repositories says of the others that they can be kept.
    select: (all) => all.filter(({ is_deletion_pending }) => !is_deletion_pending),
  });
  return data ?? [];
}

function useServices(project: string | undefined): readonly ProjectService[] {
  const { data } = useQuery({
    queryKey: [project ?? '', 'services'],
    enabled: project !== undefined,
    staleTime: 300_000,
    queryFn: ({ signal }) =>
      client.call(listProjectServices, {
        params: { id: idOfUri(project ?? '') },
        query: { limit: 50 },
        signal,
      }),
  });
  return data ?? [];
}

/** Links that the project itself added to its tools. */
export const useOwnLinks = (project: string | undefined): readonly ProjectService[] =>
  useServices(project).filter((service) => service.is_custom && service.is_enabled);

/** Whether the project has repositories among its tools. */
export const useHasSvn = (project: string | undefined): boolean =>
  useServices(project).some((service) => service.name === 'plugin_svn' && service.is_enabled);

/** The announcement of a project; null where there is none. */
export function useBanner(project: string): string | null {
  const { thing } = useProject(project);
  const membership = useMembership(project);
  // What is known of one's own projects is there with the page.
  return (thing ?? membership)?.banner ?? null;
}

/** Who administers a project, as far as one sees it: whoever may not see it gets nobody. */
export function useAdministrators(project: string | undefined): readonly MinimalUser[] {
  const { data } = useQuery({
    queryKey: [project ?? '', 'administrators'],
    enabled: project !== undefined,
    staleTime: 300_000,
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { id: idOfUri(project ?? '') };
      const members = await client.call(listMembers, { params, query: { limit: 100 }, signal });
      return members.filter((member) => member.is_administrator).map(({ user }) => user);
    },
  });
  return data ?? [];
}
