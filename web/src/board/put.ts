import type { ArtifactRow } from '@atelier/client/routes';
import { useRef } from 'react';
import { possibleChoices } from '../fields/index.ts';
import { newUuid } from '../kernel/uuid.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, notify, withdraw } from '../shell/index.ts';
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

/** Why a card may not come, where a limit is strict; what is said of it otherwise. */
interface LimitWords {
  readonly refused?: string;
  readonly warned?: string;
}

/** What a limit says to a card that comes, after others that have just come. */
function useLimits(props: BoardProps, board: Board) {
  const { tracker, plan } = props;
  const { board: words } = useMessages();
  const formats = useFormats();
  return (row: ArtifactRow, { column, lane }: Cell, come: number): LimitWords => {
    const limit = plan.limits.get(column);
    if (limit === undefined) return {};
    const isHere = board.columnOf(row) === column;
    if (isHere && (!isForEach(props) || laneIdOf(row, plan) === lane)) return {};
    const { carried } = board;
    const present = isForEach(props)
      ? board.cellUris({ column, lane }).filter((one) => one !== row.uri).length
      : (board.sizeOf(column) ?? 0) - (carried?.uri === row.uri && carried.spot.column === column ? 1 : 0);
    const others = present + come;
    if (others < limit.max) return {};
    const [name, max] = [board.columnNamed(column), formats.number(limit.max)];
    if (limit.isStrict && tracker.is_administrator !== true)
      return { refused: words.limitRefused(name, max) };
    return { warned: words.limitWarned(name, formats.number(others + 1), max) };
  };
}

/** Puts cards into a cell, before the card that stands at a place there; with a value where they are to get exactly that. */
export type Put = (uris: readonly string[], cell: Cell, index: number, value?: string) => void;

export function usePut(props: BoardProps, board: Board): Put {
  const { plan, by } = props;
  const { board: words } = useMessages();
  const wordsOfLimit = useLimits(props, board);
  const choiceOf = (id: string) =>
    board.columns.flatMap(({ values }) => values).find((value) => value.id === id)?.choice ??
    possibleChoices(by).find((choice) => choice.id === id);
  /** What another lane means for a card. */
  const ofLane = (lane: string): Pick<Drop, 'lane' | 'parent'> => {
    const found = board.lanes.find(({ id }) => id === lane);
    if (plan.lanesBy === undefined) return {};
    if (plan.lanesBy === parentLanes) return { parent: found?.parent ?? null };
    return { lane: { field: plan.lanesBy, choice: found?.choice } };
  };
  /** Says which cards did not come, and why. */
  const tellRefused = (refused: ReadonlyMap<string, readonly string[]>, isOne: boolean) => {
    for (const [reason, cards] of refused)
      notify({ kind: 'bad', text: isOne ? reason : words.notMoved(cards.join(', '), reason) });
  };
  const latest = useRef<Put>(() => undefined);
  const put: Put = (uris, cell, index, value) => {
    const rows = uris.flatMap((uri) => board.rows.get(uri) ?? []);
    const isOne = rows.length === 1;
    const present = board.cellUris(cell);
    const others = present.filter((one) => !uris.includes(one));
    const { carried } = board;
    const drawn = carried === undefined ? present : present.filter((one) => one !== carried.uri);
    const at = drawn.slice(0, index).filter((one) => !uris.includes(one)).length;
    const isElsewhere = (row: ArtifactRow) =>
      board.columnOf(row) !== cell.column || laneIdOf(row, plan) !== cell.lane;
    const isMoved = rows.some(isElsewhere);
    if (isOne && !isMoved && at === present.indexOf(uris[0] ?? '') && carried === undefined) return;
    const spot = { ...cell, before: others[at], after: others[at - 1] };
    const wishes: Drop[] = [];
    const refused = new Map<string, readonly string[]>();
    let warned: string | undefined;
    for (const row of rows) {
      const verdict = board.verdictsFor([row.uri])(cell.column);
      const limit = wordsOfLimit(row, cell, wishes.length);
      const reason = verdict.isAllowed ? limit.refused : (verdict.reason ?? '');
      if (reason !== undefined) {
        refused.set(reason, [...(refused.get(reason) ?? []), row.xref]);
        continue;
      }
      warned = limit.warned ?? warned;
      const ways = verdict.ways.map((way) => ({ ...way, choice: choiceOf(way.id) }));
      const wanted = ways.filter(({ id }) => value === undefined || id === value);
      wishes.push({
        row,
        spot,
        ...(board.columnOf(row) === cell.column &&
        (value ?? valueIdOf(row, by.name)) === valueIdOf(row, by.name)
          ? {}
          : { column: { field: by, ways: wanted.length === 0 ? ways : wanted } }),
        ...(laneIdOf(row, plan) === cell.lane ? {} : ofLane(cell.lane)),
      });
    }
    tellRefused(refused, isOne);
    if (wishes.length === 0) return;
    const warning = newUuid();
    if (warned !== undefined) notify({ text: warned, change: warning });
    const back = wishes.map(({ row }) => {
      const from = { column: board.columnOf(row), lane: laneIdOf(row, plan) };
      const place = Math.max(0, board.cellUris(from).indexOf(row.uri));
      return () => latest.current([row.uri], from, place, valueIdOf(row, by.name));
    });
    const undoAll = () => {
      for (const undo of back) undo();
    };
    void board.drop(wishes, undoAll).then((stored) => {
      // Nobody came, after all.
      if (stored === 0) withdraw(warning);
    });
    const [first] = rows;
    if (isOne && !isMoved && first !== undefined)
      announce(words.isRanked(first.xref, at + 1, others.length + 1));
  };
  latest.current = put;
  return put;
}
