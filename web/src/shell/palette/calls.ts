import { getArtifactWatching, putArtifactWatching, quickSearch } from '@atelier/client/routes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { idOfUri, pageOf } from '../../kernel/addresses.ts';
import { client, queries } from '../../store/index.ts';

/** Something that the server found by its name. */
export interface FoundPlace {
  readonly uri: string;
  readonly label: string;
  readonly detail: string;
  readonly color: string | null;
  readonly to: string;
}

export type Found = Readonly<Partial<Record<string, readonly FoundPlace[]>>>;

/** What was typed, as soon as no more keys come for a moment. */
function useSettled(words: string): string {
  const [settled, setSettled] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), 80);
    return () => clearTimeout(timer);
  }, [words]);
  return settled;
}

/** Kinds that have a page. */
const kinds = ['projects', 'trackers', 'artifacts', 'people'] as const;

/** What the server finds by the words of the palette; without words what one likes and visited. */
export function useQuickSearch(typed: string, isWanted: boolean): Found {
  const words = useSettled(typed);
  const { data } = useQuery({
    queryKey: ['quick-search', words],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      const found = await client.call(quickSearch, { query: { words, kinds: [...kinds] }, signal });
      const placesOf = (kind: (typeof kinds)[number]): readonly FoundPlace[] =>
        found[kind].map(({ uri, label, detail, color, html_url: address }) => ({
          uri,
          label,
          detail: detail ?? '',
          color,
          to: pageOf(window.location.origin, address),
        }));
      return Object.fromEntries(kinds.map((kind) => [kind, placesOf(kind)]));
    },
  });
  return isWanted ? (data ?? {}) : {};
}

const watchingKey = (uri: string) => [uri, 'watching'] as const;

/** Whether one hears of an artifact; absent until it is known. */
export function useWatching(uri: string | undefined): boolean | undefined {
  const { data } = useQuery({
    queryKey: watchingKey(uri ?? ''),
    enabled: uri !== undefined,
    queryFn: async ({ signal }) =>
      (await client.call(getArtifactWatching, { params: { id: idOfUri(uri ?? '') }, signal })).is_watching,
  });
  return data;
}

export async function setWatching(uri: string, is: boolean): Promise<void> {
  await client.call(putArtifactWatching, { params: { id: idOfUri(uri) }, body: { is_watching: is } });
  await queries.invalidateQueries({ queryKey: watchingKey(uri) });
}
