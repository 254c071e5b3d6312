import { useRef } from 'react';
import { type Field, possibleChoices } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, notify } from '../shell/index.ts';
import { valueIdOf } from './allowed.ts';
import type { Cell } from './drag.ts';
import { laneIdOf } from './lanes.ts';
import type { Drop } from './moves.ts';
import { parentLanes } from './settings.ts';
import type { Board, BoardProps } from './use-board.ts';

/** Whether limits are for each lane by itself. */
const isForEach = ({ plan }: BoardProps) => !plan.limitsCountAllLanes && plan.lanesBy !== undefined;

/** How many cards a limit is about: those of the column, or of the fullest of its cells. */
export function limitedIn(props: BoardProps, { lanes, cellUris, sizeOf }: Board, column: string): number {
  if (!isForEach(props)) return sizeOf(column) ?? 0;
  return Math.max(0, ...lanes.map(({ id: lane }) => cellUris({ column, lane }).length));
}

/** Says that a limit is passed; gives why a card may not come, where it is strict. */
function useLimits(props: BoardProps, board: Board) {
  const { tracker, plan, by } = props;
  const { board: words } = useMessages();
  const formats = useFormats();
  return (uri: string, { column, lane }: Cell): string | undefined => {
    const limit = plan.limits.get(column);
    const row = board.rows.get(uri);
    if (limit === undefined || row === undefined) return undefined;
    const isHere = valueIdOf(row, by.name) === column;
    if (isHere && (!isForEach(props) || laneIdOf(row, plan) === lane)) return undefined;
    const { carried } = board;
    const others = isForEach(props)
      ? board.cellUris({ column, lane }).filter((one) => one !== uri).length
      : (board.sizeOf(column) ?? 0) - (carried?.uri === uri && carried.spot.column === column ? 1 : 0);
    if (others < limit.max) return undefined;
    const [name, max] = [board.columnNamed(column), formats.number(limit.max)];
    if (limit.isStrict && tracker.is_administrator !== true) return words.limitRefused(name, max);
    notify({ text: words.limitWarned(name, formats.number(others + 1), max) });
    return undefined;
  };
}

export type Put = (uri: string, cell: Cell, index: number) => void;

/** Puts a card into a cell, before the card that stands at a place there. */
export function usePut(props: BoardProps, board: Board): Put {
  const { plan, by } = props;
  const { board: words } = useMessages();
  const reasonOfLimit = useLimits(props, board);
  const refuse = (text: string) => void notify({ kind: 'bad', text });
  const choiceOf = (field: Field, id: string) =>
    board.columns.find((value) => value.id === id && field === by)?.choice ??
    possibleChoices(field).find((choice) => choice.id === id);
  /** What another lane means for a card. */
  const ofLane = (lane: string): Pick<Drop, 'lane' | 'parent'> => {
    const found = board.lanes.find(({ id }) => id === lane);
    if (plan.lanesBy === undefined) return {};
    if (plan.lanesBy === parentLanes) return { parent: found?.parent ?? null };
    return { lane: { field: plan.lanesBy, choice: found?.choice } };
  };
  const latest = useRef<Put>(() => undefined);
  const put: Put = (uri, cell, index) => {
    const row = board.rows.get(uri);
    if (row === undefined) return;
    const present = board.cellUris(cell);
    const others = present.filter((one) => one !== uri);
    const own = present.indexOf(uri);
    const isCarried = board.carried !== undefined;
    const at = own >= 0 && own < index && !isCarried ? index - 1 : index;
    const [from, lane] = [valueIdOf(row, by.name), laneIdOf(row, plan)];
    const isMoved = from !== cell.column || lane !== cell.lane;
    if (!isMoved && at === own && !isCarried) return;
    const verdict = board.verdictsFor(uri)(cell.column);
    if (!verdict.isAllowed) return refuse(verdict.reason ?? '');
    const reason = reasonOfLimit(uri, cell);
    if (reason !== undefined) return refuse(reason);
    const wish: Drop = {
      row,
      spot: { ...cell, before: others[at], after: others[at - 1] },
      ...(from === cell.column ? {} : { column: { field: by, choice: choiceOf(by, cell.column) } }),
      ...(lane === cell.lane ? {} : ofLane(cell.lane)),
      asks: verdict.asks !== undefined,
    };
    const before = Math.max(0, board.cellUris({ column: from, lane }).indexOf(uri));
    void board.drop(wish, () => latest.current(uri, { column: from, lane }, before));
    if (!isMoved) announce(words.isRanked(row.xref, at + 1, others.length + 1));
  };
  latest.current = put;
  return put;
}
