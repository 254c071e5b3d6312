import {
  type Artifact,
  getArtifact,
  listParentArtifacts,
  type ParentArtifact,
  type QuickResult,
  quickSearch,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client } from '../store/index.ts';

const LEAST_LETTERS = 6;
const MOST = 3;

/** Up to three artifacts whose title is like what is typed. */
export function useLookAlikes(title: string, projectId: number): readonly QuickResult[] {
  const words = title.trim().split(/\s+/).slice(0, 6).join(' ');
  const { data } = useQuery({
    queryKey: ['artifacts', 'alike', projectId, words],
    queryFn: async ({ signal }) => {
      const query = { words, project_id: projectId, kinds: ['artifacts'] };
      return (await client.call(quickSearch, { query, signal })).artifacts;
    },
    enabled: words.length >= LEAST_LETTERS,
    placeholderData: (before) => before,
  });
  return words.length >= LEAST_LETTERS ? (data ?? []).slice(0, MOST) : [];
}

/** The artifact of which a new one is to be a copy. */
export function useOriginal(id: number | undefined): Artifact | undefined {
  const { data } = useQuery({
    queryKey: [`artifacts/${id}`, 'original'],
    queryFn: ({ signal }) => client.call(getArtifact, { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
  });
  return data;
}

/** Open artifacts of the tracker above: one of them can be the parent. */
export function useParents(trackerId: number): readonly ParentArtifact[] {
  const { data } = useQuery({
    queryKey: [`trackers/${trackerId}`, 'parents'],
    queryFn: ({ signal }) =>
      client.call(listParentArtifacts, { params: { id: trackerId }, query: { limit: 1000 }, signal }),
  });
  return data ?? [];
}
