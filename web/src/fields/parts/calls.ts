import { getMembership } from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../store/index.ts';
import { type FoundArtifact, findArtifacts } from '../calls.ts';

const none: readonly FoundArtifact[] = [];

/** Ids of all groups of projects that one is in, asked for where it matters; absent until it is known. */
export function useOwnGroups(isWanted: boolean): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ['users/self', 'groups'],
    queryFn: ({ signal }) =>
      client.call(getMembership, {
        params: { id: 'self' },
        query: { scope: 'project', format: 'id' },
        signal,
      }),
    enabled: isWanted,
  });
  return data?.map(String);
}

export function useFoundArtifacts(words: string, projectId: number) {
  const { data, isFetching } = useQuery({
    queryKey: ['artifacts', 'found', projectId, words],
    queryFn: ({ signal }) => findArtifacts(words, projectId, signal),
    enabled: words.trim() !== '',
    placeholderData: (before) => before,
  });
  return { found: words.trim() === '' ? none : (data ?? none), isAsking: isFetching };
}

const mostShown = 200_000;

/** The beginning of a file as text, for those who only want to look at it. */
export function useFileText(address: string | null): string | undefined {
  const { data } = useQuery({
    queryKey: ['file text', address],
    queryFn: async ({ signal }) => {
      const response = await client.bytes(address ?? '', { signal });
      return (await response.text()).slice(0, mostShown);
    },
    enabled: address !== null,
    gcTime: 0,
  });
  return data;
}
