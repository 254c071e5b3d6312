import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { useFormats, useMessages } from '../messages/index.ts';
import { useKnownTrackers } from '../shell/index.ts';
import { coloured, EmptyPlace, Skeleton, TrackerMark } from '../ui/index.ts';
import { useStatusCounts } from './calls.ts';
import styles from './projects.module.css';

/** Trackers with how much of each is open. */
export function TrackerList({ uri, create }: { readonly uri: string; readonly create?: ReactNode }) {
  const { projects } = useMessages();
  const formats = useFormats();
  const trackers = useKnownTrackers(uri);
  if (trackers === undefined) return <Skeleton lines={4} />;
  return (
    <>
      {trackers.length === 0 && (
        <EmptyPlace icon="list-details" name={projects.noTrackers} actions={create}>
          {projects.noTrackersWords}
        </EmptyPlace>
      )}
      <ul>
        {trackers.map(({ id, uri: trackerUri, label, color, openCount, totalCount }) => (
          <li key={id}>
            <Link href={`/trackers/${id}`} className={styles['tracker'] ?? ''}>
              <TrackerMark colour={color} />
              <span className={styles['trackerName']}>{label}</span>
              <span className={styles['trackerWords']}>
                <StatusBar uri={trackerUri} open={openCount} total={totalCount} color={color} />
              </span>
              <span className={styles['trackerCount']}>
                <strong>{formats.number(openCount)}</strong> {projects.ofTotal(formats.number(totalCount))}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How much of a tracker is open, by status where it has one. The numbers beside it say how much in all. */
function StatusBar({
  uri,
  open,
  total,
  color,
}: {
  readonly uri: string;
  readonly open: number;
  readonly total: number;
  readonly color: string;
}) {
  const counts = useStatusCounts(total === 0 ? undefined : uri);
  const parts = counts ?? [{ id: 'open', label: '', color, count: open }];
  const words = counts?.map(({ label, count }) => `${label} ${count}`).join(', ');
  return (
    <span className={styles['bar']} title={words}>
      {total > 0 &&
        parts.map(({ id, color: own, count }) => (
          <span key={id} {...coloured(own)} style={{ width: `${(count / total) * 100}%` }} />
        ))}
    </span>
  );
}
