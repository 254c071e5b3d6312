import { firstName } from '../fields/index.ts';
import { Deed, personOf } from '../shell/index.ts';
import { Face, RelativeTime } from '../ui/index.ts';
import styles from './activity.module.css';
import type { HeartbeatEntry } from './calls.ts';

/** What happened, newest first: who, what, when. */
export function Activity({
  entries,
  isNarrow = false,
}: {
  readonly entries: readonly HeartbeatEntry[];
  readonly isNarrow?: boolean;
}) {
  return (
    <ul className={isNarrow ? styles['narrow'] : styles['wide']}>
      {entries.map((entry) => (
        <li key={`${entry.updated_at} ${entry.html_message}`} className={styles['entry']}>
          {entry.user !== null && <Face {...personOf(entry.user)} />}
          <div className={styles['words']}>
            {entry.user !== null && (
              <span className={styles['who']}>{firstName(personOf(entry.user).name)} </span>
            )}
            <Deed {...entry} />
          </div>
          <RelativeTime at={entry.updated_at} className={styles['time'] ?? ''} />
        </li>
      ))}
    </ul>
  );
}
