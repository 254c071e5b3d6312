import { Link } from 'react-aria-components';
import { useFormats, useMessages } from '../messages/index.ts';
import { useProjectTrackers } from '../shell/index.ts';
import { EmptyPlace, TrackerMark } from '../ui/index.ts';
import styles from './projects.module.css';

/** Trackers with how much of each is open. */
export function TrackerList({ uri }: { readonly uri: string }) {
  const { projects } = useMessages();
  const formats = useFormats();
  const trackers = useProjectTrackers(uri);
  return (
    <>
      {trackers.length === 0 && (
        <EmptyPlace icon="list-details" name={projects.noTrackers}>
          {projects.noTrackersWords}
        </EmptyPlace>
      )}
      <ul>
        {trackers.map(({ id, label, color, openCount, totalCount }) => (
          <li key={id}>
            <Link href={`/trackers/${id}`} className={styles['tracker'] ?? ''}>
              <TrackerMark colour={color} />
              <span className={styles['trackerName']}>{label}</span>
              <span className={styles['trackerWords']}>
                <OpenBar open={openCount} total={totalCount} color={color} />
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

/** How much of a tracker is open. The numbers beside it say the same. */
function OpenBar({
  open,
  total,
  color,
}: {
  readonly open: number;
  readonly total: number;
  readonly color: string;
}) {
  return (
    <svg
      className={styles['bar']}
      data-color={color}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect width={total === 0 ? 0 : (open / total) * 100} height="8" />
    </svg>
  );
}
