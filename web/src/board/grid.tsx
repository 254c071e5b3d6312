import { type RefObject, useId, useMemo, useRef, useState } from 'react';
import { type Messages, useMessages } from '../messages/index.ts';
import { Button, classes } from '../ui/index.ts';
import { AddCard } from './add.tsx';
import styles from './board.module.css';
import type { CardActs } from './card.tsx';
import { Cell } from './cell.tsx';
import type { Column } from './columns.ts';
import { FoldedColumn } from './folded.tsx';
import { type ColumnAct, ColumnHead } from './head.tsx';
import { useBoardKeys } from './keys.ts';
import { LaneHead } from './lane-head.tsx';
import type { Lane } from './lanes.ts';
import type { CardMenuProps } from './menu.tsx';
import { newValues } from './new-card.ts';
import { limitedIn, type Put } from './put.ts';
import { type Limit, writtenColumns, writtenLimits } from './settings.ts';
import { type Board, type BoardProps, toggled } from './use-board.ts';

export interface BoardGridProps {
  readonly props: BoardProps;
  readonly board: Board;
  readonly put: Put;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The menu of a card: where it may go from here, with all that are selected if it is. */
function menuFor(
  { props, board, put }: BoardGridProps,
  uri: string,
  words: Messages['board'],
  close: () => void,
): CardMenuProps | undefined {
  const row = board.rows.get(uri);
  const column = board.columns.find(({ id }) => id === board.columnOf(row));
  if (row === undefined || column === undefined) return undefined;
  const uris = board.withSelected(uri);
  const verdictOf = board.verdictsFor(uris);
  const cell = { column: column.id, lane: board.laneOf(uri) };
  return {
    name: uris.length > 1 ? words.nCardsSaid(uris.length) : row.xref,
    columnName: board.nameOf(column),
    columns: board.columns
      .filter(({ id }) => uris.some((one) => board.columnOf(board.rows.get(one)) !== id))
      .map((value) => ({ value, name: board.nameOf(value), verdict: verdictOf(value.id) })),
    stages: board.stages,
    mayRank: row.may_update,
    onMove: (id) => put(uris, { ...cell, column: id }, 0),
    onEdge: (edge) => put(uris, cell, edge === 'top' ? 0 : board.cellUris(cell).length),
    isSelected: board.selected.includes(uri),
    onSelect: () => board.toggleSelected(uri),
    onOpen: () => props.onOpen(row),
    onClose: close,
  };
}

/** What can be set at the head of a column. */
function columnActs({ props: { plan, onSettings }, board }: BoardGridProps) {
  const setColumns = (columns: readonly (readonly string[])[]) =>
    onSettings({ column_ids: writtenColumns(columns) });
  return {
    act: (id: string, act: ColumnAct) => {
      const order = board.columns.map(({ ids }) => ids);
      const at = board.columns.findIndex((column) => column.id === id);
      const [own = [], next = []] = order.slice(at);
      if (act === 'fold') onSettings({ collapsed_ids: [...plan.folded, id].map(Number) });
      else if (act === 'hide') setColumns(order.toSpliced(at, 1));
      else if (act === 'join') setColumns(order.toSpliced(at, 2, [...own, ...next]));
      else if (act === 'split') setColumns(order.toSpliced(at, 1, ...own.map((one) => [one])));
      else setColumns(order.toSpliced(at, 1).toSpliced(act === 'left' ? at - 1 : at + 1, 0, own));
    },
    unfold: (id: string) =>
      onSettings({ collapsed_ids: [...plan.folded].filter((one) => one !== id).map(Number) }),
    limit: (id: string, limit: Limit | undefined, countsAllLanes: boolean) => {
      const limits = new Map(plan.limits);
      if (limit === undefined) limits.delete(id);
      else limits.set(id, limit);
      onSettings({ limits: writtenLimits(limits), limits_count_all_swimlanes: countsAllLanes });
    },
  };
}

const colourOf = (tracker: unknown): string | undefined => {
  const color: unknown = typeof tracker === 'object' && tracker !== null ? Reflect.get(tracker, 'color') : '';
  return typeof color === 'string' ? color : undefined;
};

/** Columns side by side, cut into lanes where there are some. */
export function BoardGrid(given: BoardGridProps) {
  const { props, board, put, scroller } = given;
  const { tracker, plan, by } = props;
  const { board: words } = useMessages();
  const howTo = useId();
  const [opened, setOpened] = useState<string>();
  const [adding, setAdding] = useState<string>();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const set = columnActs(given);
  const laneNamed = (id: string) => {
    const lane = board.lanes.find((one) => one.id === id);
    return lane === undefined || !board.hasLanes ? '' : board.laneName(lane);
  };
  const keys = useBoardKeys({
    scroller,
    columns: board.shown.map(({ id }) => id),
    lanes: board.lanes.filter(({ id }) => !folded.has(id)).map(({ id }) => id),
    cellUris: board.cellUris,
    countIn: (cell) => (board.hasLanes ? board.cellUris(cell).length : (board.sizeOf(cell.column) ?? 0)),
    rowOf: (uri) => board.rows.get(uri),
    verdictsFor: board.verdictsFor,
    carried: board.carried,
    setCarried: board.setCarried,
    put: (uri, cell, index) => put(board.withSelected(uri), cell, index),
    withSelected: board.withSelected,
    hasSelected: board.selected.length > 0,
    toggleSelected: board.toggleSelected,
    deselect: board.deselect,
    nameOfColumn: board.columnNamed,
    nameOfLane: laneNamed,
    open: props.onOpen,
    openMenu: setOpened,
  });
  const closeMenu = (uri: string) => () => {
    setOpened(undefined);
    keys.focus(uri);
  };
  const now = {
    open: props.onOpen,
    stand: keys.stand,
    select: board.toggleSelected,
    countWith: (uri: string) => board.withSelected(uri).length,
    menu: (uri: string) => menuFor(given, uri, words, closeMenu(uri)),
  };
  const latest = useRef(now);
  latest.current = now;
  // Cards are drawn anew when they change, and not because one of these is another function.
  const acts = useMemo(
    (): CardActs => ({
      open: (row) => latest.current.open(row),
      stand: (uri) => latest.current.stand(uri),
      select: (uri) => latest.current.select(uri),
      countWith: (uri) => latest.current.countWith(uri),
      openMenu: setOpened,
      menuOf: (uri) => latest.current.menu(uri),
    }),
    [],
  );
  const selected = useMemo(() => new Set(board.selected), [board.selected]);
  /** The first of its values that something new may begin with. */
  const newIn = ({ values }: Column, lane?: Lane, title?: string) => {
    const card = { tracker, by, view: props.view, me: board.me, plan, lane, title };
    return values
      .map(({ id }) => newValues({ ...card, column: id }))
      .find((entries) => entries !== undefined);
  };
  const keyOf = (value: Column, lane: Lane | undefined) => `${lane?.id}|${value.id}`;

  const headOf = (value: Column, place: number) => (
    <div key={value.id} className={styles['headPlace']} style={{ gridColumn: place + 1, gridRow: 1 }}>
      <ColumnHead
        column={value}
        name={board.nameOf(value)}
        nameOfNext={nameOfNext(place)}
        size={board.sizeOf(value.id)}
        limit={plan.limits.get(value.id)}
        limited={limitedIn(props, board, value.id)}
        limitsCountAllLanes={plan.limitsCountAllLanes}
        hasLanes={board.hasLanes}
        stages={board.stages}
        isFirst={place === 0}
        isLast={place === board.columns.length - 1}
        onLimit={(limit, countsAll) => set.limit(value.id, limit, countsAll)}
        onAct={(act) => set.act(value.id, act)}
        onAdd={newIn(value) === undefined ? undefined : () => setAdding(keyOf(value, board.lanes[0]))}
      />
    </div>
  );
  const cellOf = (value: Column, place: number, lane: Lane, index: number) => {
    const name = board.nameOf(value);
    const key = keyOf(value, lane);
    return (
      <div
        key={key}
        className={styles['cellPlace']}
        style={{ gridColumn: place + 1, gridRow: board.hasLanes ? index * 2 + 3 : 2 }}
      >
        <Cell
          column={value.id}
          lane={lane.id}
          columnName={name}
          name={board.hasLanes ? `${name}, ${board.laneName(lane)}` : name}
          isFirstLane={index === 0}
          rows={board
            .cellUris({ column: value.id, lane: lane.id })
            .flatMap((uri) => board.rows.get(uri) ?? [])}
          look={board.look}
          acts={acts}
          howTo={howTo}
          current={keys.current}
          opened={props.opened}
          selected={selected}
          carried={board.carried?.uri}
          menuFor={opened}
          saving={board.saving}
          onEnd={board.readOn(value.id)}
          add={
            newIn(value) !== undefined && (
              <AddCard
                tracker={tracker}
                columnName={name}
                isOpen={adding === key}
                onOpenChange={(isOpen) => setAdding(isOpen ? key : undefined)}
                valuesWith={(title) => newIn(value, lane, title) ?? []}
              />
            )
          }
        />
      </div>
    );
  };
  const nameOfNext = (place: number): string | undefined => {
    const next = board.columns[place + 1];
    return next === undefined ? undefined : board.nameOf(next);
  };
  const widths = board.columns.map(({ id }) => (plan.folded.has(id) ? '40px' : 'var(--board-column)'));
  return (
    <section
      ref={scroller}
      className={classes(styles['board'], board.hasLanes && styles['laned'])}
      aria-label={words.boardOf(tracker.label)}
      aria-busy={board.isComing}
      onKeyDown={keys.onKeyDown}
    >
      <p id={howTo} hidden>
        {words.howTo}
      </p>
      <div className={styles['grid']} style={{ gridTemplateColumns: widths.join(' ') }}>
        {board.columns.map((value, place) =>
          plan.folded.has(value.id) ? (
            <FoldedColumn
              key={value.id}
              name={board.nameOf(value)}
              count={value.count}
              column={place + 1}
              rows={board.hasLanes ? board.lanes.length * 2 + 1 : 2}
              onUnfold={() => set.unfold(value.id)}
            />
          ) : (
            headOf(value, place)
          ),
        )}
        {board.lanes.map((lane, index) => [
          board.hasLanes && (
            <LaneHead
              key={`lane ${lane.id}`}
              lane={lane}
              name={board.laneName(lane)}
              row={index * 2 + 2}
              isFolded={folded.has(lane.id)}
              colour={colourOf(tracker.parent)}
              onToggle={() => setFolded(toggled(folded, lane.id))}
            />
          ),
          board.hasLanes && folded.has(lane.id)
            ? null
            : board.columns.map((value, place) =>
                plan.folded.has(value.id) ? null : cellOf(value, place, lane, index),
              ),
        ])}
      </div>
      {board.selected.length > 0 && (
        <p className={styles['selectedBar']}>
          <strong>{words.nSelected(board.selected.length)}</strong>
          <span className={styles['selectedHint']}>{words.selectedHint}</span>
          <Button size="small" onPress={board.deselect}>
            {words.deselect}
          </Button>
        </p>
      )}
    </section>
  );
}
