import { listNotifications } from '@atelier/client/routes';
import { client } from './client.ts';
import { useLive } from './live.ts';
import { queries } from './queries.ts';
import { setUnread, useStanding } from './session.ts';

// What every page tells of the inbox; what is done in it comes later.

/** Under which lists of the inbox are kept. */
export const inboxKey = ['users/self', 'notifications'] as const;

/** How many entries of the inbox are unread. */
export const useUnread = (): number => useStanding().unread_notifications;

/** Other tabs of this browser show the same. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('atelier.inbox');
if (channel !== undefined)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'number') return;
    setUnread(data);
    void queries.invalidateQueries({ queryKey: inboxKey });
  };

/** The server said so in an answer. */
export function tellUnread(unread: number): void {
  setUnread(unread);
  channel?.postMessage(unread);
}

/** Reads anew how many entries are unread. */
async function countUnread(): Promise<void> {
  const query = { state: 'unread', limit: 0 } as const;
  const { page } = await client.send(listNotifications, { params: { id: 'self' }, query });
  if (page !== undefined) setUnread(page.size);
}

/** Hears of what comes into the inbox, and of what was read elsewhere. */
export function useLiveInbox(): void {
  const { user } = useStanding();
  useLive(user === null ? undefined : 'user', (event) => {
    if (event.event === 'notification') setUnread(event.unread);
    else if (event.event === 'reset') void countUnread().catch(() => undefined);
    else return;
    void queries.invalidateQueries({ queryKey: inboxKey });
  });
}
