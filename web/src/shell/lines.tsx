import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useMessages } from '../messages/index.ts';
import { sendWaiting, useAbout, usePendingChanges } from '../store/index.ts';
import { Note, NoteAction } from '../ui/index.ts';
import styles from './frame.module.css';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const useIsOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Changes that wait longer than a moment: what is stored at once is not told. */
function useWaitingLong(isOnline: boolean): number {
  // Without a network nothing is even tried.
  const changes = usePendingChanges().filter(
    ({ attempts, state }) => (attempts > 0 || !isOnline) && state !== 'conflict',
  );
  const count = changes.length;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (count === 0) {
      setLong(false);
      return undefined;
    }
    const timer = setTimeout(() => setLong(true), 300);
    return () => clearTimeout(timer);
  }, [count]);
  return isLong ? count : 0;
}

/** The build that this page was loaded with; another one now means that there is a new version. */
function useIsOutdated(): boolean {
  const build = useAbout()?.build;
  const first = useRef(build);
  if (first.current === undefined || first.current === '') first.current = build;
  return build !== undefined && build !== '' && first.current !== build;
}

/** Lines below the bar that tell about the connection and the application itself. */
export function Lines() {
  const { shell } = useMessages();
  const isOnline = useIsOnline();
  const waiting = useWaitingLong(isOnline);
  const isOutdated = useIsOutdated();
  return (
    <div className={styles['lines']}>
      {!isOnline && (
        <Note meaning="care" icon="wifi-off">
          {shell.offline}
        </Note>
      )}
      {waiting > 0 && (
        <Note
          meaning="care"
          icon="clock"
          actions={<NoteAction onPress={sendWaiting}>{shell.sendNow}</NoteAction>}
        >
          {shell.waiting(waiting)}
        </Note>
      )}
      {isOutdated && (
        <Note
          meaning="info"
          icon="refresh"
          actions={<NoteAction onPress={() => window.location.reload()}>{shell.reload}</NoteAction>}
        >
          {shell.newVersion}
        </Note>
      )}
    </div>
  );
}
