import {
  getArtifactWatching,
  listNotifications,
  putArtifactWatching,
  type Watching,
} from '@atelier/client/routes';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, inboxKey, type Notification, noteNews, queries } from '../store/index.ts';

export const inboxTabs = ['inbox', 'unread', 'snoozed', 'done'] as const;
export type InboxTab = (typeof inboxTabs)[number];

export const inboxReasons = ['mention', 'assigned', 'chosen', 'commented', 'submitted', 'watching'] as const;
export type InboxReason = (typeof inboxReasons)[number];

/** Which part of the inbox is looked at. */
export interface InboxWish {
  readonly tab: InboxTab;
  readonly reason?: InboxReason | undefined;
  readonly projectId?: number | undefined;
}

const pageSize = 50;
const self = { id: 'self' };

/** Whether an entry still belongs into a part of the inbox; what was read stays where it is seen. */
function belongs({ is_done: isDone, snoozed_until: until }: Notification, tab: InboxTab): boolean {
  if (tab === 'done') return isDone;
  return !isDone && (until !== null) === (tab === 'snoozed');
}

/** What was unread when one came stays until one leaves: nothing goes away under the pointer because it was read. */
function useStaying(entries: readonly Notification[], wish: InboxWish): readonly Notification[] {
  const place = JSON.stringify(wish);
  const seen = useRef({ place, entries: new Map<number, Notification>() });
  if (seen.current.place !== place) seen.current = { place, entries: new Map() };
  if (wish.tab !== 'unread') return entries;
  const all = seen.current.entries;
  const ids = new Set(entries.map(({ id }) => id));
  for (const [id, entry] of all) if (!ids.has(id)) all.set(id, { ...entry, is_read: true });
  for (const entry of entries) all.set(entry.id, entry);
  return [...all.values()].sort((left, right) => Date.parse(right.date) - Date.parse(left.date));
}

/** The entries of a part of the inbox; more of them on demand. */
export function useInbox({ tab, reason, projectId }: InboxWish) {
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [...inboxKey, 'list', tab, reason, projectId],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        state: tab,
        limit: pageSize,
        offset: pageParam,
        ...(reason === undefined ? {} : { reason }),
        ...(projectId === undefined ? {} : { project_id: projectId }),
      };
      const { body, page } = await client.send(listNotifications, { params: self, query, signal });
      noteNews(body);
      return { items: body, size: page?.size ?? body.length, next: pageParam + body.length };
    },
    initialPageParam: 0,
    getNextPageParam: ({ next, size, items }) => (next < size && items.length > 0 ? next : undefined),
    staleTime: 0,
  });
  const entries = useStaying(data?.pages.flatMap(({ items }) => items) ?? [], { tab, reason, projectId });
  return {
    entries: entries.filter((entry) => belongs(entry, tab)),
    error,
    isFirst: isPending,
    isAsking: isFetching,
    askAgain: () => void refetch(),
    showMore: hasNextPage ? () => void fetchNextPage() : undefined,
  };
}

async function sizeOf(state: InboxTab, signal: AbortSignal): Promise<number> {
  const { body, page } = await client.send(listNotifications, {
    params: self,
    query: { state, limit: 0 },
    signal,
  });
  return page?.size ?? body.length;
}

/** How many entries there are in the inbox, and how many are put off. */
export function useInboxSizes(): { readonly inbox: number; readonly snoozed: number } | undefined {
  return useQuery({
    queryKey: [...inboxKey, 'sizes'],
    queryFn: async ({ signal }) => {
      const [inbox, snoozed] = await Promise.all([sizeOf('inbox', signal), sizeOf('snoozed', signal)]);
      return { inbox, snoozed };
    },
    staleTime: 0,
  }).data;
}

/** Waits for no list that was asked for before now. */
export function leaveInbox(): void {
  void queries.cancelQueries({ queryKey: [...inboxKey, 'list'] });
}

/** Reads the inbox anew, after something in it was changed. */
export const askInboxAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: inboxKey });

/** Turns watching or muting of an artifact around; gives how it is then. */
export async function turnWatching(id: number, member: 'is_watching' | 'is_muted'): Promise<Watching> {
  const params = { id };
  const before = await client.call(getArtifactWatching, { params });
  const body = { [member]: !before[member] };
  const watching = await client.call(putArtifactWatching, { params, body });
  await queries.invalidateQueries({ queryKey: [`artifacts/${id}`, 'watching'] });
  return watching;
}
