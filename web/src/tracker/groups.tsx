import { ChoiceMark, type StatusStages } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { Icon } from '../ui/index.ts';
import styles from './table.module.css';

/** Rows with the same value: how many there are, and what is said of them. */
export interface Group {
  readonly key: string;
  readonly label: string;
  readonly colour: string | null;
  readonly person?: { readonly id: number; readonly name: string } | undefined;
  readonly count: number;
}

export interface GroupHeadingProps {
  readonly group: Group;
  readonly isFolded: boolean;
  readonly stages: StatusStages | undefined;
  readonly onToggle: () => void;
}

export function GroupHeading({ group, isFolded, stages, onToggle }: GroupHeadingProps) {
  const { tracker: words } = useMessages();
  const formats = useFormats();
  const { key, label, colour, person, count } = group;
  return (
    <div role="row" className={styles['group']}>
      <div role="rowheader" className={styles['groupHead']} tabIndex={-1}>
        <button
          type="button"
          className={styles['fold']}
          aria-expanded={!isFolded}
          aria-label={isFolded ? words.unfold(label) : words.fold(label)}
          onClick={onToggle}
        >
          <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={14} />
        </button>
        <ChoiceMark choice={{ id: key, name: label, colour, person, source: {} }} stages={stages} />
        <span className={styles['groupName']}>{label}</span>
        <span className={styles['groupCount']}>{formats.number(count)}</span>
      </div>
    </div>
  );
}
