import { firstName } from '../fields/index.ts';
import { pageOf } from '../kernel/addresses.ts';
import { personOf } from '../shell/index.ts';
import { Face, RelativeTime, RichText } from '../ui/index.ts';
import styles from './activity.module.css';
import type { HeartbeatEntry } from './calls.ts';

/** Links of the API lead to pages without a detour. */
const withPages = (html: string): string =>
  html.replaceAll(/href="([^"]*)"/g, (_, href: string) => `href="${pageOf(window.location.origin, href)}"`);

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
            <div lang="en">
              <RichText html={withPages(entry.html_message)} />
            </div>
          </div>
          <RelativeTime at={entry.updated_at} className={styles['time'] ?? ''} />
        </li>
      ))}
    </ul>
  );
}
