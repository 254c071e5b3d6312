import { type RefObject, useId, useMemo, useRef, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { AddCard } from './add.tsx';
import { valueIdOf } from './allowed.ts';
import styles from './board.module.css';
import type { CardActs } from './card.tsx';
import { Cell } from './cell.tsx';
import type { Value } from './columns.ts';
import { FoldedColumn } from './folded.tsx';
import { type ColumnAct, ColumnHead } from './head.tsx';
import { useBoardKeys } from './keys.ts';
import { LaneHead } from './lane-head.tsx';
import type { Lane } from './lanes.ts';
import type { CardMenuProps } from './menu.tsx';
import { newValues } from './new-card.ts';
import { limitedIn, type Put } from './put.ts';
import { type Limit, writtenLimits } from './settings.ts';
import type { Board, BoardProps } from './use-board.ts';

export interface BoardGridProps {
  readonly props: BoardProps;
  readonly board: Board;
  readonly put: Put;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The menu of a card: where it may go from here. */
function menuFor(
  { props, board, put }: BoardGridProps,
  uri: string,
  close: () => void,
): CardMenuProps | undefined {
  const row = board.rows.get(uri);
  const column = board.columns.find(({ id }) => id === valueIdOf(row, props.by.name));
  if (row === undefined || column === undefined) return undefined;
  const verdictOf = board.verdictsFor(uri);
  const cell = { column: column.id, lane: board.laneOf(uri) };
  return {
    name: row.xref,
    column,
    columnName: board.nameOf(column),
    columns: board.columns.map((value) => ({
      value,
      name: board.nameOf(value),
      verdict: verdictOf(value.id),
    })),
    stages: board.stages,
    mayRank: row.may_update,
    onMove: (id) => put(uri, { ...cell, column: id }, 0),
    onEdge: (edge) => put(uri, cell, edge === 'top' ? 0 : board.cellUris(cell).length),
    onOpen: () => props.onOpen(row),
    onClose: close,
  };
}

/** What can be set at the head of a column. */
function columnActs({ props: { plan, onSettings }, board }: BoardGridProps) {
  const setColumns = (ids: readonly string[]) => onSettings({ column_ids: ids.map(Number) });
  return {
    act: (id: string, act: ColumnAct) => {
      const order = board.columns.map((column) => column.id);
      const at = order.indexOf(id);
      if (act === 'fold') onSettings({ collapsed_ids: [...plan.folded, id].map(Number) });
      else if (act === 'hide') setColumns(order.filter((one) => one !== id));
      else setColumns(order.toSpliced(at, 1).toSpliced(act === 'left' ? at - 1 : at + 1, 0, id));
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

function toggled(all: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(all);
  if (!next.delete(id)) next.add(id);
  return next;
}

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
    put,
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
    menu: (uri: string) => menuFor(given, uri, closeMenu(uri)),
  };
  const latest = useRef(now);
  latest.current = now;
  // Cards are drawn anew when they change, and not because one of these is another function.
  const acts = useMemo(
    (): CardActs => ({
      open: (row) => latest.current.open(row),
      stand: (uri) => latest.current.stand(uri),
      openMenu: setOpened,
      menuOf: (uri) => latest.current.menu(uri),
    }),
    [],
  );
  const newIn = (column: string, lane?: Lane, title?: string) =>
    newValues({ tracker, by, column, view: props.view, me: board.me, plan, lane, title });
  const keyOf = (value: Value, lane: Lane | undefined) => `${lane?.id}|${value.id}`;

  const headOf = (value: Value, place: number) => (
    <div key={value.id} className={styles['headPlace']} style={{ gridColumn: place + 1, gridRow: 1 }}>
      <ColumnHead
        value={value}
        name={board.nameOf(value)}
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
        onAdd={newIn(value.id) === undefined ? undefined : () => setAdding(keyOf(value, board.lanes[0]))}
      />
    </div>
  );
  const cellOf = (value: Value, place: number, lane: Lane, index: number) => {
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
          carried={board.carried?.uri}
          menuFor={opened}
          saving={board.saving}
          onEnd={board.readOn(value.id)}
          add={
            newIn(value.id) !== undefined && (
              <AddCard
                tracker={tracker}
                columnName={name}
                isOpen={adding === key}
                onOpenChange={(isOpen) => setAdding(isOpen ? key : undefined)}
                valuesWith={(title) => newIn(value.id, lane, title) ?? []}
              />
            )
          }
        />
      </div>
    );
  };
  const widths = board.columns.map(({ id }) => (plan.folded.has(id) ? '40px' : 'var(--board-column)'));
  return (
    <section
      ref={scroller}
      className={styles['board']}
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
    </section>
  );
}
