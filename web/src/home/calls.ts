import {
  type Artifact,
  getHeartbeats,
  getHistory,
  type Heartbeats,
  listArtifacts,
  listOwnArtifacts,
  listProjects,
  type Project,
} from '@atelier/client/routes';
import { useQueries, useQuery } from '@tanstack/react-query';
import { idOfUri } from '../kernel/addresses.ts';
import {
  artifactFacet,
  client,
  feed,
  type ListSource,
  listAddress,
  projectFacet,
  useStanding,
} from '../store/index.ts';

const self = { id: 'self' };
const most = 250;
const atOnce = 100;

/** The tabs that are answered by a list of artifacts. */
export type WorkTab = 'assigned' | 'submitted';

const questions: Readonly<Record<WorkTab, object>> = {
  assigned: { assigned_to: true },
  submitted: { submitted_by: true },
};

/** Artifacts by their ids, in that order; each is kept as a thing, so that its page is there at once. */
async function readArtifacts(ids: readonly number[], signal: AbortSignal): Promise<readonly Artifact[]> {
  const found: Artifact[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const query = JSON.stringify({ id: ids.slice(from, from + atOnce) });
    const { collection } = await client.call(listArtifacts, { query: { query, limit: atOnce }, signal });
    found.push(...collection);
  }
  for (const artifact of found) feed(artifact.uri, artifactFacet, { body: artifact });
  return found;
}

export interface Work {
  readonly artifacts: readonly Artifact[];
  /** How many there are in all. */
  readonly size: number;
}

/** Open artifacts that are mine, in one sense or the other. */
export const useWork = (tab: WorkTab) =>
  useQuery({
    queryKey: ['users/self', 'work', tab],
    queryFn: async ({ signal }): Promise<Work> => {
      const query = JSON.stringify(questions[tab]);
      const { body, page } = await client.send(listOwnArtifacts, {
        params: self,
        query: { query, limit: most },
        signal,
      });
      const artifacts = await readArtifacts(
        body.map(({ id }) => id),
        signal,
      );
      return { artifacts, size: page?.size ?? artifacts.length };
    },
  });

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
