import type { LiveEvent } from '@atelier/client';
import type { PlatformAbout } from '@atelier/client/routes';
import type { Query } from '@tanstack/react-query';
import { mayPass, queries } from './queries.ts';
import { markOld } from './things.ts';

/** What the platform is, as `session.ts` keeps it. */
const aboutKey = ['platform', 'about'] as const;

/** Milliseconds between two times that the same is asked because of others: they may be many. */
const spacing = 1000;

const waiting = new Map<string, () => void>();
const doneAt = new Map<string, number>();

/** Does something at once, and then at most once a second, however often it is asked for. */
export function atMostOnceASecond(name: string, run: () => void): void {
  if (waiting.has(name)) return void waiting.set(name, run);
  const rest = (doneAt.get(name) ?? 0) + spacing - Date.now();
  waiting.set(name, run);
  setTimeout(
    () => {
      const latest = waiting.get(name);
      waiting.delete(name);
      doneAt.set(name, Date.now());
      latest?.();
    },
    Math.max(0, rest),
  );
}

/** Lists below a tracker whose places nobody looks at while they change: rows of tables are their room's own. */
const isListOf = (tracker: string) => (address: unknown) =>
  typeof address === 'string' && address.startsWith(`${tracker}/`) && !address.includes('/artifact_rows');

const isUnread = ({ state: { isInvalidated, error } }: Query) =>
  isInvalidated && (error === null || mayPass(error));

/** Marks as old what an event is about: what is seen is read anew, the rest when somebody comes to it. */
export function refreshFor(event: LiveEvent): void {
  switch (event.event) {
    case 'artifact':
      for (const uri of event.uris ?? [event.uri]) if (event.what !== 'ranked') markOld(uri);
      return atMostOnceASecond(event.tracker, () => {
        const isOld = isListOf(event.tracker);
        void queries.invalidateQueries({
          predicate: ({ queryKey: [kind, address] }) => kind === 'list' && isOld(address),
        });
      });
    case 'tracker':
    case 'project':
    case 'report':
    case 'svn':
    case 'import':
    case 'dashboard':
      for (const uri of [event.uri, event.event === 'report' ? event.tracker : undefined])
        if (uri !== undefined) atMostOnceASecond(uri, () => markOld(uri));
      return;
    case 'standing':
      return atMostOnceASecond('standing', () => markOld('users/self'));
    case 'notification':
      return;
    case 'hello':
      // The server is there, perhaps again and with another build: what could not be read meanwhile is read now. What it refused it would
      // refuse again, and a page that listens for something else whenever it asks anew would go on for ever.
      if (event.build !== '' && queries.getQueryData<PlatformAbout>(aboutKey)?.build !== event.build)
        markOld(aboutKey[0]);
      return void queries.invalidateQueries({ predicate: isUnread });
    case 'reset':
      return void queries.invalidateQueries();
    default:
  }
}
