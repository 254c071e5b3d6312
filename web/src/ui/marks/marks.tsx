import type { CSSProperties, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import type { IconName } from '../icons/names.ts';
import styles from './marks.module.css';

/** A name of the palette, an old `#RRGGBB`, or nothing. */
export type Colour = string | null | undefined;

const OLD_COLOUR = /^#[0-9a-f]{6}$/i;

type Coloured = { 'data-color': string; style?: CSSProperties };

/** Attributes that give `--dot`, `--soft` and `--ink` to what is inside. */
export function coloured(colour: Colour): Coloured {
  if (colour === null || colour === undefined || colour === '') return { 'data-color': '' };
  if (!OLD_COLOUR.test(colour)) return { 'data-color': colour };
  const style: CSSProperties & Record<'--dot', string> = { '--dot': colour };
  return { 'data-color': 'old', style };
}

/** A tracker: a filled square in its colour. */
export function TrackerMark({ colour }: { colour: Colour }) {
  return <span {...coloured(colour)} className={styles['square']} aria-hidden="true" />;
}

/** A value of any list but the status: full, or hollow without a colour. */
export function Dot({ colour }: { colour: Colour }) {
  return <span {...coloured(colour)} className={styles['dot']} aria-hidden="true" />;
}

/** How far a value of the status is: quarters among the open ones, then done or given up. */
export type StatusStage = 'empty' | 'quarter' | 'half' | 'three-quarters' | 'done' | 'dropped';

const PIES: Partial<Record<StatusStage, string>> = {
  quarter: 'M7 7V3.4A3.6 3.6 0 0 1 10.6 7z',
  half: 'M7 7V3.4a3.6 3.6 0 0 1 0 7.2z',
  'three-quarters': 'M7 7V3.4A3.6 3.6 0 1 1 3.4 7z',
};

/** A value of the status semantic. */
export function StatusRing({
  colour,
  stage,
  size = 14,
}: {
  colour: Colour;
  stage: StatusStage;
  size?: number;
}) {
  const isClosed = stage === 'done' || stage === 'dropped';
  return (
    <svg
      {...coloured(colour)}
      className={styles['ring']}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      aria-hidden="true"
    >
      {isClosed ? (
        <circle cx="7" cy="7" r="7" className={styles['ringFull']} />
      ) : (
        <circle cx="7" cy="7" r="6.25" />
      )}
      {PIES[stage] && <path d={PIES[stage]} className={styles['pie']} />}
      {stage === 'done' && <path d="M4.2 7.2l2 2 3.7-4" className={styles['sign']} />}
      {stage === 'dropped' && <path d="M4.9 4.9l4.2 4.2m0-4.2l-4.2 4.2" className={styles['sign']} />}
    </svg>
  );
}

/** A token: a label, a value of an open list, a group. */
export function Chip({
  colour,
  children,
  onRemove,
}: {
  colour?: Colour;
  children: string;
  onRemove?: () => void;
}) {
  const { ui } = useMessages();
  return (
    <span {...coloured(colour)} className={styles['chip']}>
      <span className={styles['chipWords']}>{children}</span>
      {onRemove && (
        <AriaButton
          className={styles['chipRemove'] ?? ''}
          aria-label={ui.remove(children)}
          onPress={onRemove}
        >
          <Icon name="x" size={12} />
        </AriaButton>
      )}
    </span>
  );
}

/** A chip that means something: private, over a limit, refused. */
export function MeaningChip({
  meaning,
  icon,
  children,
}: {
  meaning: Meaning;
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <span className={classes(styles['chip'], styles[meaning])}>
      {icon && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

export type Meaning = 'good' | 'care' | 'bad' | 'info';

/** A fact without colour: REST, SVN. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles['tag']}>{children}</span>;
}

/** Petrol only for what is unread; everything else that is counted is plain. */
export function Count({ value, isUnread = false }: { value: ReactNode; isUnread?: boolean }) {
  return <span className={isUnread ? styles['unread'] : styles['count']}>{value}</span>;
}

/** A change that is not stored yet. */
export function NotSavedYet() {
  const { ui } = useMessages();
  return <span className={styles['notSaved']} role="img" aria-label={ui.notSavedYet} />;
}

/** Empty cells and fields. */
export function EmptyDash() {
  const { ui } = useMessages();
  return (
    <span className={styles['dash']}>
      <span aria-hidden="true">–</span>
      <span className={styles['unseen']}>{ui.none}</span>
    </span>
  );
}

/** For screen readers alone. */
export function Unseen({ children }: { children: ReactNode }) {
  return <span className={styles['unseen']}>{children}</span>;
}

export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg
      className={styles['logo']}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d="M3 9.2L11 6V21H3zM13 5.2L21 2V12.5H13zM13 14.5H21V21H13z" />
    </svg>
  );
}
