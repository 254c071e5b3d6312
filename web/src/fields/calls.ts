import {
  type Artifact,
  listArtifacts,
  listPeople,
  type ProjectPerson,
  quickSearch,
  renderText,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client } from '../store/index.ts';

const none: readonly never[] = [];

/** People whom one can choose in a project, by what was typed. */
export function usePeople(projectId: number, words: string, isWanted: boolean) {
  const { data, isFetching } = useQuery({
    queryKey: [`projects/${projectId}/people`, words],
    queryFn: ({ signal }) => people(projectId, words, signal),
    enabled: isWanted,
    placeholderData: (before) => before,
  });
  return { people: data ?? none, isAsking: isFetching };
}

export function people(projectId: number, words: string, signal?: AbortSignal): Promise<ProjectPerson[]> {
  return client.call(listPeople, { params: { id: projectId }, query: { query: words, limit: 20 }, signal });
}

/** An artifact that can be linked. */
export interface FoundArtifact {
  readonly id: number;
  readonly xref: string;
  readonly title: string;
}

/** By its number, or by words of its title. */
export async function findArtifacts(
  words: string,
  projectId: number,
  signal?: AbortSignal,
): Promise<FoundArtifact[]> {
  const query = { words, kinds: ['artifacts'], ...(/\d/.test(words) ? {} : { project_id: projectId }) };
  const { artifacts } = await client.call(quickSearch, { query, signal });
  return artifacts.map(({ id, label, detail }) => ({
    id,
    xref: detail.split(' · ')[0] ?? detail,
    title: label,
  }));
}

const mostIds = 100;

/** Artifacts by their ids, as far as one may see them; each is then known by itself too. */
export function useArtifacts(ids: readonly number[]): {
  readonly artifacts: readonly Artifact[];
  readonly isAsking: boolean;
} {
  const wanted = [...new Set(ids)].sort((left, right) => left - right).slice(0, mostIds);
  const { data, isFetching } = useQuery({
    queryKey: ['artifacts', 'brief', ...wanted],
    queryFn: async ({ signal }) => {
      const query = { query: JSON.stringify({ id: wanted }), limit: mostIds };
      const { collection } = await client.call(listArtifacts, { query, signal });
      return collection;
    },
    enabled: wanted.length > 0,
    placeholderData: (before) => before,
  });
  return { artifacts: wanted.length === 0 ? none : (data ?? none), isAsking: isFetching };
}

/** What a text would look like were it saved. */
export async function rendered(projectId: number, text: string): Promise<string> {
  return (await client.call(renderText, { params: { id: projectId }, body: { text } })).html;
}
