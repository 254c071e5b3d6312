import { useFormats, useMessages } from '../messages/index.ts';
import { Icon } from '../ui/index.ts';
import styles from './board.module.css';

export interface FoldedColumnProps {
  readonly name: string;
  readonly count: number;
  /** Its place in the grid, and over how many rows of it. */
  readonly column: number;
  readonly rows: number;
  readonly onUnfold: () => void;
}

/** A column of which only the name is seen. */
export function FoldedColumn({ name, count, column, rows, onUnfold }: FoldedColumnProps) {
  const { board: words } = useMessages();
  const formats = useFormats();
  return (
    <button
      type="button"
      className={styles['folded']}
      style={{ gridColumn: column, gridRow: `1 / span ${rows}` }}
      aria-label={words.unfold(name)}
      onClick={onUnfold}
    >
      <Icon name="chevron-right" size={14} />
      <span className={styles['foldedName']}>
        {name} <span className={styles['count']}>{formats.number(count)}</span>
      </span>
    </button>
  );
}
