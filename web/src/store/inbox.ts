import { type Notification, patchNotifications } from '@atelier/client/routes';
import { useState } from 'react';
import { client } from './client.ts';
import { queries } from './queries.ts';
import { knownUnread } from './session.ts';
import { inboxKey, tellUnread } from './unread.ts';

export type { Notification };

/** From which change on an artifact has news, as far as lists have told it on this visit. */
const news = new Map<number, number>();

/** Remembers what is new in artifacts, so that they can show it after their entries were read. */
export function noteNews(entries: readonly Notification[]): void {
  for (const { artifact, is_read: isRead, first_changeset_id: first } of entries)
    if (!isRead) news.set(artifact.id, first);
}

/** The first change of an artifact that is new to whoever opens it now; undefined where nothing is told. */
export function useNews(artifactId: number): number | undefined {
  const [first] = useState(() => ({ artifactId, changeset: news.get(artifactId) }));
  return first.artifactId === artifactId ? first.changeset : undefined;
}

/** Which entries are changed, and how. */
export interface InboxChange {
  readonly ids?: number[];
  readonly artifact_id?: number;
  readonly until?: string;
  readonly is_read?: boolean;
  readonly is_done?: boolean;
  readonly snoozed_until?: string | null;
}

/** Changes entries; what is unread then is seen wherever it is counted. */
export async function changeInbox(change: InboxChange): Promise<void> {
  const { unread } = await client.call(patchNotifications, { params: { id: 'self' }, body: change });
  tellUnread(unread);
}

/** Who looks at an artifact has read what they were told of it. */
export async function readInInbox(artifactId: number): Promise<void> {
  if (knownUnread() === 0) return;
  markInInbox((entry) => entry.artifact.id === artifactId, { is_read: true });
  await changeInbox({ artifact_id: artifactId, is_read: true });
  news.delete(artifactId);
}

interface Pages {
  readonly pages: readonly { readonly items: readonly Notification[]; readonly size: number }[];
}

const hasPages = (data: unknown): data is Pages =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);

/** Shows entries as they will be, in all lists that are kept, before the server has said so. */
export function markInInbox(
  isMeant: (entry: Notification) => boolean,
  state: Partial<Pick<Notification, 'is_read' | 'is_done' | 'snoozed_until'>>,
): void {
  queries.setQueriesData({ queryKey: [...inboxKey, 'list'] }, (data: unknown) => {
    if (!hasPages(data)) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((entry) => (isMeant(entry) ? { ...entry, ...state } : entry)),
    }));
    return { ...data, pages };
  });
}
