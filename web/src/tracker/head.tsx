import type { Tracker } from '@atelier/client/routes';
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { type ColumnWish, type SortKey, sortedBy } from '../kernel/filters.ts';
import { useMessages } from '../messages/index.ts';
import { classes, Icon, Menu, MenuItem } from '../ui/index.ts';
import type { TableColumn } from './columns.ts';
import { type Edge, useEdgeDrag } from './edge-drag.ts';
import styles from './table.module.css';
import { titleField, type View, type ViewChange } from './view.ts';

export interface TableHeadProps {
  readonly columns: readonly TableColumn[];
  readonly tracker: Tracker;
  readonly view: View;
  readonly isAllSelected: boolean;
  readonly isSomeSelected: boolean;
  readonly onSelectAll: () => void;
  readonly onChangeView: (change: ViewChange) => void;
}

/** The heads of the columns: a press sorts, one with Shift sorts by several. */
export const TableHead = memo(function TableHead(props: TableHeadProps) {
  const { columns, tracker, view, isAllSelected, isSomeSelected, onSelectAll, onChangeView } = props;
  const { tracker: words } = useMessages();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSomeSelected && !isAllSelected;
  });
  const sort = (name: string, keepsOthers: boolean) =>
    onChangeView((now) => ({ sort: sortedBy(now.sort, name, keepsOthers) }));
  const title = titleField(tracker);
  // Nobody drags a column before they point at the heads.
  const [isPointedAt, setPointedAt] = useState(false);
  const drop = (name: string, beside: string, edge: Edge) => {
    const moved = view.columns.find((column) => column.name === name);
    if (moved === undefined) return;
    const others = view.columns.filter((column) => column !== moved);
    const place = others.findIndex((column) => column.name === beside) + (edge === 'left' ? 0 : 1);
    onChangeView({ columns: others.toSpliced(place, 0, moved) });
  };
  return (
    <div role="rowgroup" className={styles['head']} onPointerEnter={() => setPointedAt(true)}>
      <div role="row" aria-rowindex={1} className={styles['row']}>
        <div role="columnheader" className={styles['boxCell']}>
          <input
            ref={box}
            type="checkbox"
            className={styles['box']}
            aria-label={words.selectAll}
            checked={isAllSelected}
            onChange={onSelectAll}
          />
        </div>
        <Head label={words.id} name="id" sort={view.sort} onSort={sort} className={styles['id']} />
        <Head
          label={title?.label ?? words.title}
          name={title?.name ?? 'id'}
          sort={view.sort}
          onSort={sort}
          className={styles['title']}
        />
        {columns.map((column, index) => (
          <Head
            key={column.name}
            label={column.label}
            name={column.name}
            sort={view.sort}
            onSort={sort}
            className={column.isRight ? styles['right'] : undefined}
            isDraggable={isPointedAt}
            onDrop={(name, edge) => drop(name, column.name, edge)}
          >
            <ColumnMenu column={column} index={index} view={view} onChangeView={onChangeView} />
            <WidthHandle
              column={column}
              onWidth={(width) => onChangeView({ columns: withWidth(view.columns, column.name, width) })}
            />
          </Head>
        ))}
      </div>
    </div>
  );
});

const withWidth = (columns: readonly ColumnWish[], name: string, width: number): readonly ColumnWish[] =>
  columns.map((column) => (column.name === name ? { ...column, width } : column));

interface HeadProps {
  readonly label: string;
  readonly name: string;
  readonly sort: readonly SortKey[];
  readonly onSort: (name: string, keepsOthers: boolean) => void;
  readonly className?: string | undefined;
  readonly isDraggable?: boolean | undefined;
  readonly onDrop?: ((name: string, edge: Edge) => void) | undefined;
  readonly children?: React.ReactNode;
}

function Head(props: HeadProps) {
  const { label, name, sort, onSort, className, isDraggable = false, onDrop, children } = props;
  const element = useRef<HTMLDivElement>(null);
  const edge = useEdgeDrag(element, {
    isOn: isDraggable,
    kind: 'column',
    key: name,
    onDrop: (dropped, at) => onDrop?.(dropped, at),
  });
  const key = sort.find((one) => one.name === name);
  const direction = key === undefined ? 'none' : key.isDescending ? 'descending' : 'ascending';
  const place = sort.length > 1 && key !== undefined ? sort.indexOf(key) + 1 : undefined;
  return (
    <div
      ref={element}
      role="columnheader"
      aria-sort={direction}
      title={label}
      className={classes(
        styles['headCell'],
        className,
        edge === 'left' && styles['dropLeft'],
        edge === 'right' && styles['dropRight'],
      )}
    >
      <button
        type="button"
        className={classes(styles['headButton'], key !== undefined && styles['sorted'])}
        onClick={(event) => onSort(name, event.shiftKey)}
      >
        <span className={styles['headWords']}>{label}</span>
        {key !== undefined && <Icon name={key.isDescending ? 'arrow-down' : 'arrow-up'} size={14} />}
        {place !== undefined && <span className={styles['sortPlace']}>{place}</span>}
      </button>
      {children}
    </div>
  );
}

interface ColumnMenuProps {
  readonly column: TableColumn;
  readonly index: number;
  readonly view: View;
  readonly onChangeView: (change: ViewChange) => void;
}

/** Everything that is done with a mouse at the head of a column, for everybody. */
function ColumnMenu({ column, index, view, onChangeView }: ColumnMenuProps) {
  const { tracker: words } = useMessages();
  const { columns, sort } = view;
  const sortAs = (isDescending: boolean) =>
    onChangeView({
      sort: [{ name: column.name, isDescending }, ...sort.filter(({ name }) => name !== column.name)].slice(
        0,
        5,
      ),
    });
  const move = (by: number) => {
    const next = columns.filter((_, place) => place !== index);
    const moved = columns[index];
    if (moved === undefined) return;
    onChangeView({ columns: next.toSpliced(index + by, 0, moved) });
  };
  const acts: Readonly<Record<string, () => void>> = {
    up: () => sortAs(false),
    down: () => sortAs(true),
    left: () => move(-1),
    right: () => move(1),
    remove: () => onChangeView({ columns: columns.filter(({ name }) => name !== column.name) }),
  };
  return (
    <Menu
      aria-label={words.columnActions(column.label)}
      placement="bottom end"
      onAction={(key) => acts[String(key)]?.()}
      trigger={
        <AriaButton aria-label={words.columnActions(column.label)} className={styles['headMenu'] ?? ''}>
          <Icon name="chevron-down" size={13} />
        </AriaButton>
      }
    >
      <MenuItem id="up" icon="arrow-up" second={words.sortedUp}>
        {words.sortBy(column.label)}
      </MenuItem>
      <MenuItem id="down" icon="arrow-down" second={words.sortedDown}>
        {words.sortBy(column.label)}
      </MenuItem>
      {index > 0 ? (
        <MenuItem id="left" icon="arrow-left">
          {words.moveLeft}
        </MenuItem>
      ) : null}
      {index < columns.length - 1 ? (
        <MenuItem id="right" icon="arrow-right">
          {words.moveRight}
        </MenuItem>
      ) : null}
      <MenuItem id="remove" icon="x">
        {words.removeColumn}
      </MenuItem>
    </Menu>
  );
}

const step = 16;

/** The edge of a column: dragged, or moved by arrows. */
function WidthHandle({
  column,
  onWidth,
}: {
  readonly column: TableColumn;
  readonly onWidth: (width: number) => void;
}) {
  const { tracker: words } = useMessages();
  const [dragged, setDragged] = useState<{ readonly from: number; readonly width: number }>();
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged({ from: event.clientX, width: column.width });
  };
  const move = (event: PointerEvent) => {
    if (dragged !== undefined) onWidth(Math.max(48, dragged.width + event.clientX - dragged.from));
  };
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0;
    if (by === 0) return;
    event.preventDefault();
    onWidth(Math.max(48, column.width + by));
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={words.widthOf(column.label)}
      aria-valuenow={Math.round(column.width)}
      aria-valuemin={48}
      aria-valuemax={900}
      tabIndex={0}
      className={styles['handle']}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={() => setDragged(undefined)}
      onKeyDown={press}
    />
  );
}
