import type { Tracker } from '@atelier/client/routes';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { fieldTypes } from '../../fields/index.ts';
import { useMessages } from '../../messages/index.ts';
import { classes, Icon } from '../../ui/index.ts';
import { fieldNamed } from '../view.ts';
import { CellField } from './cell-field.tsx';
import { ColumnHead } from './column-head.tsx';
import { type ImportColumn, idTarget } from './columns.ts';
import styles from './csv.module.css';
import { useReason } from './reason.tsx';
import { idIn, type RowState } from './use-import.ts';

const rowHeight = 34;
/** For what a cell offers below the last row. */
const roomBelow = 300;

/** A cell: the place of its row in the file, and of its column. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface GridActs {
  /** Brings a cell into sight and opens it. */
  show(cell: CellPlace): void;
}

interface ImportGridProps {
  readonly tracker: Tracker;
  readonly name: string;
  readonly columns: readonly ImportColumn[];
  readonly rows: readonly RowState[];
  /** As spreadsheets number them. */
  readonly numbers: readonly number[];
  /** Places of the rows that are shown. */
  readonly shown: readonly number[];
  readonly isLocked: boolean;
  readonly acts: Ref<GridActs>;
  onEdit(cell: CellPlace, text: string): void;
  onMatch(column: number, target: string | null): void;
}

function widthOf(tracker: Tracker, { target, from }: ImportColumn): string {
  if (target === idTarget) return '92px';
  const field = target === null ? undefined : fieldNamed(tracker, target);
  if (field !== undefined && field.field_id === tracker.semantics.title?.field_id)
    return 'minmax(320px, 1fr)';
  if (field !== undefined && fieldTypes[field.type]?.isWide === true) return '240px';
  return `${Math.max(132, Math.min(240, from.length * 8 + 40))}px`;
}

/** A table as it came, with what is wrong in its cells: the only grid with lines between columns. */
export function ImportGrid(props: ImportGridProps) {
  const { tracker, name, columns, rows, numbers, shown, isLocked, acts, onEdit, onMatch } = props;
  const { csv: words } = useMessages();
  const scroller = useRef<HTMLDivElement>(null);
  const [spot, setSpot] = useState({ at: 0, column: 0 });
  const [edited, setEdited] = useState<CellPlace>();
  const wanted = useRef<{ readonly at: number; readonly column: number }>(undefined);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Rows stand below the heads, which stick.
    scrollPaddingStart: 60,
  });
  const go = (at: number, column: number) => {
    const next = {
      at: Math.max(0, Math.min(shown.length - 1, at)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    };
    setSpot(next);
    wanted.current = next;
    virtual.scrollToIndex(next.at);
  };
  useEffect(() => {
    const cell = wanted.current;
    if (cell === undefined || edited !== undefined) return;
    const selector = `[data-at="${cell.at}"][data-column="${cell.column}"]`;
    const element = scroller.current?.querySelector<HTMLElement>(selector);
    if (element === null || element === undefined) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  useImperativeHandle(acts, () => ({
    show({ row, column }) {
      const at = shown.indexOf(row);
      if (at < 0) return;
      setSpot({ at, column });
      virtual.scrollToIndex(at, { align: 'center' });
      setEdited(isLocked ? undefined : { row, column: Math.max(0, column) });
    },
  }));
  /** Where the cell stood that was written to last. */
  const written = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is filtered begins at the top.
  useLayoutEffect(() => {
    // What was put right leaves the rows that are wrong: whoever did it goes on with the next of them.
    const isNext = written.current !== undefined && document.activeElement === document.body;
    if (isNext && shown.length > 0) go(written.current ?? 0, spot.column);
    else setSpot((before) => ({ ...before, at: 0 }));
  }, [shown.length]);

  const edit = (row: number, column: number) => {
    const target = columns[column]?.target ?? null;
    if (!isLocked && target !== null && rows[row]?.isDone !== true) setEdited({ row, column });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = shown[spot.at];
    const isOfCell = event.target instanceof HTMLElement && event.target.dataset['column'] !== undefined;
    if (!isOfCell || row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(spot.at + 1, spot.column),
      ArrowUp: () => go(spot.at - 1, spot.column),
      ArrowLeft: () => go(spot.at, spot.column - 1),
      ArrowRight: () => go(spot.at, spot.column + 1),
      PageDown: () => go(spot.at + 10, spot.column),
      PageUp: () => go(spot.at - 10, spot.column),
      Home: () => go(spot.at, 0),
      End: () => go(spot.at, columns.length - 1),
      Enter: () => edit(row, spot.column),
      F2: () => edit(row, spot.column),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const finish = (cell: CellPlace, text: string | undefined, step: number) => {
    setEdited(undefined);
    written.current = shown.indexOf(cell.row);
    if (text !== undefined) onEdit(cell, text);
    go(shown.indexOf(cell.row), cell.column + step);
  };
  const hasIds = columns.some(({ target }) => target === idTarget);
  const style: CSSProperties & Record<'--columns', string> = {
    '--columns': `64px ${columns.map((column) => widthOf(tracker, column)).join(' ')}`,
  };
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={words.grid(name)}
      aria-rowcount={shown.length + 1}
      aria-colcount={columns.length + 1}
      className={styles['grid']}
      style={style}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={styles['heads']}>
        <div role="row" className={styles['gridRow']}>
          <div role="columnheader" className={classes(styles['headCell'], styles['number'])}>
            {words.row}
          </div>
          {columns.map((column) => (
            <ColumnHead
              key={column.place}
              tracker={tracker}
              column={column}
              columns={columns}
              isLocked={isLocked}
              onMatch={(target) => onMatch(column.place, target)}
            />
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        className={styles['rows']}
        style={{ height: virtual.getTotalSize() + (edited === undefined ? 0 : roomBelow) }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const place = shown[index] ?? 0;
          const row = rows[place];
          if (row === undefined) return null;
          return (
            <div
              key={place}
              role="row"
              aria-rowindex={index + 2}
              className={classes(
                styles['gridRow'],
                styles['bodyRow'],
                edited?.row === place && styles['editing'],
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              <RowNumber number={numbers[place] ?? place + 2} row={row} hasIds={hasIds} />
              {columns.map((column, at) => {
                const cell = { row: place, column: at };
                if (edited?.row === place && edited.column === at)
                  return (
                    <CellField
                      key={column.place}
                      tracker={tracker}
                      column={column}
                      row={row}
                      number={numbers[place] ?? place + 2}
                      onDone={(text, step) => finish(cell, text, step)}
                    />
                  );
                return (
                  <Cell
                    key={column.place}
                    row={row}
                    column={column}
                    columns={columns}
                    at={index}
                    index={at}
                    hasFocus={spot.at === index && spot.column === at}
                    onOpen={() => {
                      setSpot({ at: index, column: at });
                      edit(place, at);
                    }}
                    onFocus={() => setSpot({ at: index, column: at })}
                  />
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The number that a spreadsheet gives a row, and what is wrong with it as a whole. */
function RowNumber({
  number,
  row,
  hasIds,
}: {
  readonly number: number;
  readonly row: RowState;
  readonly hasIds: boolean;
}) {
  const { csv: words } = useMessages();
  const reason = useReason(row.faults.get(-1));
  // Without a column of ids, what a row became is told here.
  const made = hasIds ? undefined : row.id;
  return (
    <div
      role="rowheader"
      className={classes(styles['number'], reason !== undefined && styles['bad'])}
      title={reason}
    >
      {reason !== undefined && <Icon name="alert-circle" size={14} label={words.faultLabel(reason)} />}
      {made === undefined ? (
        number
      ) : (
        <Link to="/artifacts/$id" params={{ id: String(made) }} tabIndex={-1}>
          {`#${made}`}
        </Link>
      )}
    </div>
  );
}

interface CellProps {
  readonly row: RowState;
  readonly column: ImportColumn;
  readonly columns: readonly ImportColumn[];
  readonly at: number;
  readonly index: number;
  readonly hasFocus: boolean;
  onOpen(): void;
  onFocus(): void;
}

function Cell({ row, column, columns, at, index, hasFocus, onOpen, onFocus }: CellProps) {
  const { csv: words } = useMessages();
  const { place, target } = column;
  const text = row.cells[place] ?? '';
  const reason = useReason(row.faults.get(place));
  const isFixed = row.fixed.has(place) && reason === undefined;
  const isChanged = row.changed.has(place) && reason === undefined && !isFixed;
  const look = classes(
    styles['cell'],
    target === null && styles['leftOut'],
    target === idTarget && styles['id'],
    reason !== undefined && styles['bad'],
    isFixed && styles['good'],
    isChanged && styles['changed'],
  );
  return (
    <div
      role="gridcell"
      tabIndex={hasFocus ? 0 : -1}
      data-at={at}
      data-column={index}
      className={look}
      title={reason ?? text}
      aria-invalid={reason !== undefined}
      onFocus={onFocus}
      onDoubleClick={onOpen}
      onPointerUp={() => reason !== undefined && onOpen()}
    >
      {isChanged && <span className={styles['dot']} role="img" aria-label={words.changedLabel} />}
      <span className={styles['cellText']}>
        {target === idTarget ? <RowId row={row} columns={columns} text={text} /> : text || '–'}
      </span>
      {reason !== undefined && <Icon name="alert-circle" size={14} label={words.faultLabel(reason)} />}
      {isFixed && <Icon name="check" size={14} label={words.fixed} />}
    </div>
  );
}

/** Which artifact a row is about, or became. */
function RowId({
  row,
  columns,
  text,
}: {
  readonly row: RowState;
  readonly columns: readonly ImportColumn[];
  readonly text: string;
}) {
  const { csv: words } = useMessages();
  const id = row.id ?? (row.isDone ? idIn(columns, row) : undefined);
  if (id !== undefined)
    return (
      <Link to="/artifacts/$id" params={{ id: String(id) }} tabIndex={-1}>
        {id}
      </Link>
    );
  if (text.trim() !== '') return text;
  return <span className={styles['new']}>{words.newRow}</span>;
}
