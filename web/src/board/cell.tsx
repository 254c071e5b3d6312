import type { ArtifactRow } from '@atelier/client/routes';
import { type ReactNode, useEffect, useRef } from 'react';
import { useMessages } from '../messages/index.ts';
import { classes, Icon } from '../ui/index.ts';
import styles from './board.module.css';
import { Card, type CardActs, type CardLook } from './card.tsx';
import { useDragOver, useDropPlace, verdictWhileDragged } from './drag.ts';

export interface CellProps {
  readonly column: string;
  readonly columnName: string;
  readonly lane: string;
  /** For screen readers: the column, and the lane where there are some. */
  readonly name: string;
  readonly isFirstLane: boolean;
  readonly rows: readonly ArtifactRow[];
  readonly look: CardLook;
  readonly acts: CardActs;
  readonly current: string | undefined;
  readonly opened: number | undefined;
  readonly selected: ReadonlySet<string>;
  readonly carried: string | undefined;
  readonly menuFor: string | undefined;
  readonly saving: ReadonlySet<string>;
  readonly howTo: string;
  /** More cards are to be read, once the end is seen. */
  readonly onEnd: (() => void) | undefined;
  readonly add: ReactNode;
}

/** The cards of a column within a lane; while one is dragged, it says whether it may come here. */
export function Cell(props: CellProps) {
  const { column, columnName, lane, name, rows, look, acts, isFirstLane, onEnd, howTo } = props;
  const place = useRef<HTMLDivElement>(null);
  useDropPlace(place, { column, lane });
  const over = useDragOver({ column, lane });
  const target = typeof over === 'number' ? over : undefined;
  const cards: ReactNode[] = rows.map((row) => (
    <Card
      key={row.uri}
      row={row}
      look={look}
      acts={acts}
      howTo={howTo}
      isCurrent={props.current === row.uri}
      isOpen={props.opened === row.id}
      isSelected={props.selected.has(row.uri)}
      isCarried={props.carried === row.uri}
      isSaving={props.saving.has(row.uri)}
      hasMenu={props.menuFor === row.uri}
    />
  ));
  if (target !== undefined)
    cards.splice(target, 0, <Target key="target" columnName={columnName} column={column} />);
  return (
    <div
      ref={place}
      data-cell={`${lane}|${column}`}
      className={classes(
        styles['cell'],
        over === 'refused' && styles['refused'],
        (over === 'allowed' || target !== undefined) && styles['allowed'],
        target !== undefined && styles['opening'],
      )}
    >
      {over === 'refused' && isFirstLane && <Refused column={column} />}
      <ul className={styles['cards']} aria-label={name}>
        {cards}
      </ul>
      {onEnd !== undefined && <End onSeen={onEnd} />}
      <div className={styles['foot']}>{props.add}</div>
    </div>
  );
}

/** Where the card would come to stand, and what that asks for. */
function Target({ column, columnName }: { readonly column: string; readonly columnName: string }) {
  const { board: words } = useMessages();
  const asks = verdictWhileDragged(column)?.asks;
  return (
    <li className={styles['target']} aria-hidden="true">
      <strong>{words.moveTo(columnName)}</strong>
      {asks !== undefined && <span>{asks}</span>}
    </li>
  );
}

function Refused({ column }: { readonly column: string }) {
  return (
    <p className={styles['reason']}>
      <Icon name="lock" size={14} />
      <span>{verdictWhileDragged(column)?.reason}</span>
    </p>
  );
}

/** The end of what was read of a column: the rest is asked for when it comes into sight. */
function End({ onSeen }: { readonly onSeen: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={place} className={styles['end']} />;
}
