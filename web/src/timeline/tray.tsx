import type { ArtifactRow } from '@atelier/client/routes';
import { type PointerEvent, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import type { ViewProps } from '../tracker/index.ts';
import { classes, Icon } from '../ui/index.ts';
import styles from './tray.module.css';

interface TrayProps {
  readonly rows: readonly ArtifactRow[];
  readonly size: number;
  /** At the right of what is seen; below it otherwise. */
  readonly isBeside?: boolean;
  readonly hint: string;
  readonly onOpen: ViewProps['onOpen'];
  /** Gives it the day that is usual here. */
  readonly onPut: (row: ArtifactRow) => void;
  readonly onDropAt: (row: ArtifactRow, at: { readonly x: number; readonly y: number }) => void;
}

/** What has no days yet: dragged to one, or put on one by a key. */
export function Tray({ rows, size, isBeside = false, hint, onOpen, onPut, onDropAt }: TrayProps) {
  const { timeline: words } = useMessages();
  const [isFolded, setFolded] = useState(false);
  const [carried, setCarried] = useState<{ readonly uri: string; readonly x: number; readonly y: number }>();
  const begin = (event: PointerEvent<HTMLElement>, row: ArtifactRow) => {
    if (event.button !== 0 || !row.may_update) return;
    const from = { x: event.clientX, y: event.clientY };
    let isCarried = false;
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      isCarried ||= Math.hypot(x - from.x, y - from.y) > 4;
      if (isCarried) setCarried({ uri: row.uri, x: x - from.x, y: y - from.y });
    };
    const end = ({ clientX: x, clientY: y, type }: globalThis.PointerEvent) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      setCarried(undefined);
      if (isCarried && type === 'pointerup') onDropAt(row, { x, y });
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  };
  if (size === 0) return null;
  return (
    <section
      className={classes(styles['tray'], isBeside && styles['beside'], isFolded && styles['folded'])}
      aria-label={words.withoutDates}
    >
      <button
        type="button"
        className={styles['head']}
        aria-expanded={!isFolded}
        onClick={() => setFolded(!isFolded)}
      >
        <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={14} />
        <b>{words.withoutDates}</b> <span>{size}</span>
      </button>
      {!isFolded && (
        <>
          <p className={styles['hint']}>{hint}</p>
          <ul className={styles['cards']}>
            {rows.map((row) => (
              <li key={row.uri}>
                <button
                  type="button"
                  className={classes(styles['card'], row.may_update && styles['movable'])}
                  style={
                    carried?.uri === row.uri
                      ? {
                          transform: `translate(${carried.x}px, ${carried.y}px)`,
                          zIndex: 5,
                          pointerEvents: 'none',
                        }
                      : undefined
                  }
                  aria-description={row.may_update ? words.howToPut : undefined}
                  onPointerDown={(event) => begin(event, row)}
                  onKeyDown={(event) => {
                    if (event.key !== 'd' || event.ctrlKey || event.metaKey || !row.may_update) return;
                    event.preventDefault();
                    event.stopPropagation();
                    onPut(row);
                  }}
                  onClick={() => onOpen(row)}
                >
                  <span className={styles['id']}>#{row.id}</span> {row.title}
                </button>
              </li>
            ))}
            {size > rows.length && <li className={styles['hint']}>{words.more(size - rows.length)}</li>}
          </ul>
        </>
      )}
    </section>
  );
}
