import { Link } from '@tanstack/react-router';
import { ChoiceMark, type StatusStages } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { classes, Icon } from '../ui/index.ts';
import styles from './table.module.css';
import { addressOf, type DateStep } from './view.ts';

/** Rows with the same value: how many there are, and what is said of them. */
export interface Group {
  readonly key: string;
  readonly label: string;
  readonly colour: string | null;
  /** What all of them are children of. */
  readonly parent?: { readonly id: number; readonly xref: string; readonly title: string } | undefined;
  readonly person?: { readonly id: number; readonly name: string } | undefined;
  readonly count: number;
  /** Of the fields of numbers that are shown. */
  readonly sums: readonly { readonly label: string; readonly sum: number }[];
}

export interface GroupHeadingProps {
  readonly group: Group;
  readonly isFolded: boolean;
  readonly stages: StatusStages | undefined;
  /** How long a group is, where it is one of days. */
  readonly step: DateStep | undefined;
  readonly onToggle: () => void;
  /**
   * A row of the grid; a heading of a list of cards; or the copy that stays in sight while its rows go by, which is there for the eye and
   * the mouse alone.
   */
  readonly kind: 'row' | 'card' | 'copy';
}

/** A day, a week by its first day, or a month in words. */
export function useGroupName({ label }: Group, step: DateStep | undefined): string {
  const { tracker: words } = useMessages();
  const formats = useFormats();
  if (step === undefined || !/^\d{4}-\d\d-\d\d$/.test(label)) return label;
  if (step === 'month') return formats.month(label);
  return step === 'week' ? words.weekOf(formats.longDay(label)) : formats.longDay(label);
}

export function GroupHeading(props: GroupHeadingProps) {
  const { group, isFolded, stages, step, onToggle, kind } = props;
  const { tracker: words } = useMessages();
  const formats = useFormats();
  const { key, colour, parent, person, count, sums } = group;
  const label = useGroupName(group, step);
  const [isRow, isCopy] = [kind === 'row', kind === 'copy'];
  const isMarked = step === undefined && parent === undefined && key !== 'null';
  return (
    <div
      role={isRow ? 'row' : undefined}
      aria-hidden={isCopy || undefined}
      className={classes(styles['group'], isCopy && styles['stuckGroup'])}
    >
      <div role={isRow ? 'rowheader' : undefined} className={styles['groupHead']} tabIndex={-1}>
        <button
          type="button"
          className={styles['fold']}
          aria-expanded={!isFolded}
          aria-label={isFolded ? words.unfold(label) : words.fold(label)}
          tabIndex={isCopy ? -1 : undefined}
          onClick={onToggle}
        >
          <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={14} />
        </button>
        {isMarked && (
          <ChoiceMark choice={{ id: key, name: label, colour, person, source: {} }} stages={stages} />
        )}
        {parent === undefined ? (
          <span className={styles['groupName']}>{label}</span>
        ) : (
          <Link
            to={addressOf(parent)}
            className={classes(styles['groupName'], styles['groupParent'])}
            tabIndex={isCopy ? -1 : undefined}
          >
            <span className={styles['groupCount']}>{parent.xref}</span> <span dir="auto">{parent.title}</span>
          </Link>
        )}
        <span className={styles['groupCount']}>{formats.number(count)}</span>
        {sums.map(({ label: name, sum }) => (
          <span key={name} className={styles['groupSum']}>
            {name} <strong>{formats.number(sum)}</strong>
          </span>
        ))}
      </div>
    </div>
  );
}
