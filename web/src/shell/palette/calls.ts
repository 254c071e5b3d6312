import {
  getArtifactWatching,
  listKeptQueries,
  putArtifactWatching,
  quickSearch,
} from '@atelier/client/routes';
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

/** What is found by `GET /quick_search`; kept queries have a list of their own. */
const kinds = [
  'projects',
  'trackers',
  'artifacts',
  'people',
  'reports',
  'dashboards',
  'repositories',
] as const;
/** Of each kind. */
const most = 8;

/** What the server finds by the words of the palette; without words what one likes and visited. */
export function useQuickSearch(typed: string, isWanted: boolean): Found {
  const words = useSettled(typed);
  const { data } = useQuery({
    queryKey: ['quick-search', words],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      const [found, queriesFound] = await Promise.all([
        client.call(quickSearch, { query: { words, kinds: [...kinds] }, signal }),
        words === '' ? [] : client.call(listKeptQueries, { query: { words, limit: most }, signal }),
      ]);
      const placesOf = (kind: (typeof kinds)[number]): readonly FoundPlace[] =>
        found[kind].map(({ uri, label, detail, color, html_url: address }) => ({
          uri,
          label,
          detail: detail ?? '',
          color,
          to: pageOf(window.location.origin, address),
        }));
      const kept = queriesFound.map(({ uri, title, project, html_url: to }) => ({
        ...{ uri, label: title, detail: project?.label ?? '', color: null, to },
      }));
      return { ...Object.fromEntries(kinds.map((kind) => [kind, placesOf(kind)])), queries: kept };
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
