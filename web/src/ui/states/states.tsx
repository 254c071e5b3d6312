import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../icons/icon.tsx';
import type { IconName } from '../icons/names.ts';
import { later } from '../later.ts';
import marks from '../marks/marks.module.css';
import type { Meaning } from '../marks/marks.tsx';
import { Unseen } from '../marks/marks.tsx';
import styles from './states.module.css';

const request = later(() => import('./request-id.tsx'));

const MEANING_ICONS: Record<Meaning, IconName> = {
  good: 'circle-check',
  care: 'alert-triangle',
  bad: 'alert-circle',
  info: 'info-circle',
};

export type NoteProps = {
  meaning: Meaning;
  icon?: IconName;
  /** Buttons or links after the words. */
  actions?: ReactNode;
  /** Told at once by screen readers. */
  isAlert?: boolean;
  children: ReactNode;
  className?: string;
};

/** A line inside the page: offline, a new version, a limit, something refused. */
export function Note({ meaning, icon, actions, isAlert = false, children, className }: NoteProps) {
  return (
    <div className={classes(styles['note'], marks[meaning], className)} role={isAlert ? 'alert' : 'note'}>
      <Icon name={icon ?? MEANING_ICONS[meaning]} />
      <span className={styles['noteWords']}>{children}</span>
      {actions}
    </div>
  );
}

/** A button inside a note: words with a line under them. */
export function NoteAction({ children, onPress }: { children: string; onPress: () => void }) {
  return (
    <button type="button" className={styles['noteAction']} onClick={onPress}>
      {children}
    </button>
  );
}

/** One sentence and *Undo*, on the ground that says: this has just happened. */
export function Toast({
  children,
  action,
  onClose,
}: {
  children: ReactNode;
  action?: ReactNode;
  onClose?: () => void;
}) {
  const { ui } = useMessages();
  return (
    <div className={styles['toast']}>
      <span className={styles['toastWords']}>{children}</span>
      {action}
      {onClose && (
        <button type="button" className={styles['toastClose']} aria-label={ui.close} onClick={onClose}>
          <Icon name="x" size={14} />
        </button>
      )}
    </div>
  );
}

export type EmptyPlaceProps = {
  icon: IconName;
  name: string;
  /** What this place is for. */
  children?: ReactNode;
  /** One plain button, and quiet ones after it. */
  actions?: ReactNode;
};

export function EmptyPlace({ icon, name, children, actions }: EmptyPlaceProps) {
  return (
    <div className={styles['place']}>
      <Icon name={icon} size={24} className={styles['placeIcon'] ?? ''} />
      <div className={styles['placeWords']}>
        <p className={styles['placeName']}>{name}</p>
        {children !== undefined && <p>{children}</p>}
        {actions !== undefined && <div className={styles['placeActions']}>{actions}</div>}
      </div>
    </div>
  );
}

export type ErrorPlaceProps = {
  title?: string;
  /** The server's words. */
  words?: string;
  requestId?: string | null | undefined;
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
};

function Request({ id }: { readonly id: string }) {
  const { RequestId } = request.use();
  return <RequestId id={id} />;
}

/** One part that failed: the others stay. */
export function ErrorPlace({ title, words, requestId, onRetry, children }: ErrorPlaceProps) {
  const { ui } = useMessages();
  return (
    <div className={styles['place']} role="alert">
      <Icon name="alert-circle" size={24} className={styles['badIcon'] ?? ''} />
      <div className={styles['placeWords']}>
        <p className={styles['placeName']}>{title ?? ui.couldNotLoad}</p>
        {words !== undefined && <p lang="en">{words}</p>}
        {children}
        {onRetry && (
          <div className={styles['placeActions']}>
            <Button onPress={onRetry}>{ui.tryAgain}</Button>
          </div>
        )}
        {requestId && (
          <Suspense>
            <Request id={requestId} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** True when the given time has passed: what is quick never shows that it was waited for. */
function useLater(milliseconds: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isLater;
}

const WIDTHS = ['92%', '74%', '84%', '58%'];

/** Bars where text will be, after 150 ms; they hold their room from the start and do not move. */
export function Skeleton({ lines = 4, className }: { lines?: number; className?: string }) {
  const { ui } = useMessages();
  const isLater = useLater(150);
  return (
    <div
      className={classes(styles['skeleton'], !isLater && styles['waiting'], className)}
      role="status"
      data-outline
    >
      <Unseen>{isLater ? ui.loading : ''}</Unseen>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other name
        <span key={line} style={{ width: WIDTHS[line % WIDTHS.length] }} />
      ))}
    </div>
  );
}

/** A line at the top while what is seen is asked again, after 400 ms. */
export function AskingLine({ isAsking }: { isAsking: boolean }) {
  return isAsking ? <RunningLine /> : null;
}

function RunningLine() {
  const { ui } = useMessages();
  const isLater = useLater(400);
  return isLater ? <div className={styles['asking']} role="progressbar" aria-label={ui.asking} /> : null;
}
