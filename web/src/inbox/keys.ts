import { useMessages } from '../messages/index.ts';
import { notify, tellFault, useCommands } from '../shell/index.ts';
import type { Notification } from '../store/index.ts';
import { turnWatching } from './calls.ts';

/** Watches or mutes an artifact, or no longer, and says which. */
function useTurnWatching() {
  const { artifact: words } = useMessages();
  return (entry: Notification, member: 'is_watching' | 'is_muted') =>
    void turnWatching(entry.artifact.id, member)
      .then(({ is_watching: isWatching, is_muted: isMuted }) => {
        const [yes, no] =
          member === 'is_watching' ? [words.nowWatched, words.notWatched] : [words.muted, words.unmuted];
        notify({ text: (member === 'is_watching' ? isWatching : isMuted) ? yes : no });
      })
      .catch(tellFault);
}

export interface InboxKeys {
  readonly current: Notification | undefined;
  /** Whether an artifact is open beside the list. */
  readonly hasOpen: boolean;
  readonly isAllDone: boolean;
  move(step: number): void;
  open(entry: Notification): void;
  close(): void;
  done(entry: Notification): void;
  allDone(): void;
  turnRead(entry: Notification): void;
  snooze(entry: Notification): void;
}

/** The commands of the inbox, most of them about the entry at hand. */
export function useInboxKeys(keys: InboxKeys): void {
  const { inbox, artifact: artifactWords } = useMessages();
  const turn = useTurnWatching();
  const { current, hasOpen, isAllDone, move, open, close, done, allDone, turnRead, snooze } = keys;
  const forCurrent = (run: (entry: Notification) => void) => ({
    ...(current === undefined ? { reasonNot: inbox.keys.noEntry } : {}),
    run: () => {
      if (current !== undefined) run(current);
    },
  });
  useCommands([
    { id: 'next-row', name: inbox.keys.next, keys: ['j', 'arrowdown'], isHidden: true, run: () => move(1) },
    {
      id: 'previous-row',
      name: inbox.keys.previous,
      keys: ['k', 'arrowup'],
      isHidden: true,
      run: () => move(-1),
    },
    { id: 'open-row', name: inbox.keys.open, keys: 'o', isHidden: true, ...forCurrent(open) },
    { id: 'inbox.done', name: inbox.keys.done, keys: 'e', icon: 'check', ...forCurrent(done) },
    {
      id: 'inbox.all-done',
      name: inbox.keys.allDone,
      keys: 'shift+e',
      icon: 'check',
      ...(isAllDone ? { reasonNot: inbox.keys.nothing } : {}),
      run: allDone,
    },
    { id: 'inbox.unread', name: inbox.keys.unread, keys: 'u', icon: 'mail', ...forCurrent(turnRead) },
    { id: 'inbox.snooze', name: inbox.keys.snooze, keys: 'h', icon: 'clock', ...forCurrent(snooze) },
    {
      id: 'artifact.watch',
      name: artifactWords.watch,
      keys: 'w',
      icon: 'eye',
      ...forCurrent((entry) => turn(entry, 'is_watching')),
    },
    {
      id: 'artifact.mute',
      name: artifactWords.mute,
      keys: 'shift+w',
      icon: 'bell-off',
      ...forCurrent((entry) => turn(entry, 'is_muted')),
    },
    ...(hasOpen ? [{ id: 'inbox.close', name: inbox.keys.close, keys: 'escape', run: close }] : []),
  ]);
}
