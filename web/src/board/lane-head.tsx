import { ChoiceMark } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { Icon, TrackerMark } from '../ui/index.ts';
import styles from './board.module.css';
import type { Lane } from './lanes.ts';

export interface LaneHeadProps {
  readonly lane: Lane;
  readonly name: string;
  /** Its place in the grid. */
  readonly row: number;
  readonly isFolded: boolean;
  /** Of the tracker of parents. */
  readonly colour: string | undefined;
  readonly onToggle: () => void;
}

/** The name of a lane across all columns, and how much of it is done. */
export function LaneHead({ lane, name, row, isFolded, colour, onToggle }: LaneHeadProps) {
  const { board: words } = useMessages();
  const formats = useFormats();
  const { parent, choice, uris, done } = lane;
  const share = uris.length === 0 ? 0 : done / uris.length;
  return (
    <div className={styles['lane']} style={{ gridRow: row }}>
      <span className={styles['laneWords']}>
        <button
          type="button"
          className={styles['fold']}
          aria-expanded={!isFolded}
          aria-label={isFolded ? words.unfoldLane(name) : words.foldLane(name)}
          onClick={onToggle}
        >
          <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={14} />
        </button>
        {parent !== undefined && <TrackerMark colour={colour} />}
        {choice !== undefined && <ChoiceMark choice={choice} />}
        {parent === undefined ? (
          <span className={styles['laneName']}>{name}</span>
        ) : (
          <>
            <span className={styles['laneXref']}>{parent.xref}</span>
            <span className={styles['laneName']}>{parent.title}</span>
          </>
        )}
        <span className={styles['count']}>
          {parent === undefined
            ? formats.number(uris.length)
            : words.laneProgress(formats.number(done), formats.number(uris.length))}
        </span>
        {parent !== undefined && (
          <span className={styles['progress']} aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
        )}
      </span>
    </div>
  );
}
