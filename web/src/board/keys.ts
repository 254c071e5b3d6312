import type { ArtifactRow } from '@atelier/client/routes';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { announce, useCommands } from '../shell/index.ts';
import type { Verdict } from './allowed.ts';
import type { Spot } from './arrange.ts';
import type { Cell } from './drag.ts';

/** A card that is carried by keys: seen where it would come to stand, and nothing is stored yet. */
export interface Carried {
  readonly uri: string;
  readonly spot: Spot;
  readonly index: number;
}

export interface BoardKeys {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Those that are open, from left to right. */
  readonly columns: readonly string[];
  readonly lanes: readonly string[];
  cellUris(cell: Cell): readonly string[];
  /** How many cards a cell has, also those that were not read yet. */
  countIn(cell: Cell): number;
  rowOf(uri: string): ArtifactRow | undefined;
  verdictsFor(uris: readonly string[]): (column: string) => Verdict;
  readonly carried: Carried | undefined;
  setCarried(carried: Carried | undefined): void;
  /** With all that are selected, if it is. */
  put(uri: string, cell: Cell, index: number): void;
  withSelected(uri: string): readonly string[];
  readonly hasSelected: boolean;
  toggleSelected(uri: string): void;
  deselect(): void;
  nameOfColumn(id: string): string;
  nameOfLane(id: string): string;
  open(row: ArtifactRow): void;
  openMenu(uri: string): void;
}

/** Arrows, j and k go from card to card; Space picks one up, arrows carry it, Space drops it, Escape gives it back. */
export function useBoardKeys(keys: BoardKeys) {
  const { scroller, columns, lanes, cellUris, rowOf, carried, setCarried } = keys;
  const { board: words } = useMessages();
  const [stood, setStood] = useState<string>();
  const wanted = useRef<string>(undefined);
  const cells = lanes.flatMap((lane) => columns.map((column) => ({ lane, column })));
  const cellOf = (uri: string | undefined) =>
    cells.find((cell) => uri !== undefined && cellUris(cell).includes(uri));
  const first = cells.flatMap(cellUris)[0];
  const current = cellOf(stood) === undefined ? first : stood;

  const find = (uri: string) =>
    scroller.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(uri)}"]`);
  const focus = (uri: string) => {
    wanted.current = uri;
    setStood(uri);
    find(uri)?.focus();
  };
  // A card that comes to stand elsewhere is drawn anew, and would lose the focus.
  useEffect(() => {
    const uri = wanted.current;
    if (uri === undefined) return;
    const element = find(uri);
    if (element !== undefined && element !== null && document.activeElement !== element) element.focus();
    if (carried === undefined) wanted.current = undefined;
  });

  const go = (uri: string | undefined) => {
    if (uri === undefined) return;
    focus(uri);
    const cell = cellOf(uri);
    const row = rowOf(uri);
    if (cell === undefined || row === undefined) return;
    const all = cellUris(cell);
    announce(
      words.cardSaid(
        `${row.xref} ${row.title ?? ''}`,
        keys.nameOfColumn(cell.column),
        all.indexOf(uri) + 1,
        keys.countIn(cell),
      ),
    );
  };
  const step = (by: 1 | -1) => {
    const cell = cellOf(current);
    // Whoever is nowhere on the board comes to the card that they stood on, or to the first one.
    const isOnCard = scroller.current?.contains(document.activeElement?.closest('[data-card]') ?? null);
    if (cell === undefined || current === undefined || !isOnCard) return go(current);
    const all = lanes.flatMap((lane) => cellUris({ lane, column: cell.column }));
    go(all[all.indexOf(current) + by]);
  };
  const sideways = (by: 1 | -1) => {
    const cell = cellOf(current);
    if (cell === undefined || current === undefined) return go(first);
    const at = cellUris(cell).indexOf(current);
    for (let place = columns.indexOf(cell.column) + by; columns[place] !== undefined; place += by) {
      const all = cellUris({ lane: cell.lane, column: columns[place] ?? '' });
      if (all.length > 0) return go(all[Math.min(at, all.length - 1)]);
    }
  };

  const carryTo = (uri: string, cell: Cell, index: number) => {
    const others = cellUris(cell).filter((one) => one !== uri);
    const at = Math.max(0, Math.min(others.length, index));
    wanted.current = uri;
    setCarried({ uri, index: at, spot: { ...cell, before: others[at], after: others[at - 1] } });
    const count = keys.countIn(cell) + (cellUris(cell).includes(uri) ? 0 : 1);
    const { asks } = keys.verdictsFor(keys.withSelected(uri))(cell.column);
    const said = words.carriedTo(keys.nameOfColumn(cell.column), keys.nameOfLane(cell.lane), at + 1, count);
    announce(asks === undefined ? said : `${said}, ${asks}`);
  };
  /** The card, or how many go with it. */
  const nameOf = ({ uri, xref }: ArtifactRow): string => {
    const count = keys.withSelected(uri).length;
    return count > 1 ? words.nCardsSaid(count) : xref;
  };
  const pickUp = (uri: string) => {
    const cell = cellOf(uri);
    const row = rowOf(uri);
    if (cell === undefined || row === undefined) return;
    if (!row.may_update) return announce(words.mayNot);
    const all = cellUris(cell);
    const at = all.indexOf(uri);
    setStood(uri);
    wanted.current = uri;
    setCarried({ uri, index: at, spot: { ...cell, before: all[at + 1], after: all[at - 1] } });
    announce(words.pickedUp(nameOf(row), keys.nameOfColumn(cell.column), at + 1, keys.countIn(cell)));
  };
  const giveBack = ({ uri }: Carried) => {
    setCarried(undefined);
    wanted.current = uri;
    const row = rowOf(uri);
    if (row !== undefined)
      announce(words.givenBack(nameOf(row), keys.nameOfColumn(cellBefore.current?.column ?? '')));
  };
  const cellBefore = useRef<Cell>(undefined);
  useEffect(() => {
    if (carried === undefined) cellBefore.current = cellOf(current);
  });
  const dropIt = ({ uri, spot, index }: Carried) => {
    setCarried(undefined);
    wanted.current = uri;
    keys.put(uri, { column: spot.column, lane: spot.lane }, index);
  };
  const carrySideways = (held: Carried, by: 1 | -1) => {
    const verdictOf = keys.verdictsFor(keys.withSelected(held.uri));
    for (let place = columns.indexOf(held.spot.column) + by; columns[place] !== undefined; place += by) {
      const column = columns[place] ?? '';
      if (verdictOf(column).isAllowed) return carryTo(held.uri, { lane: held.spot.lane, column }, held.index);
    }
  };
  const carryAlong = (held: Carried, by: 1 | -1) => {
    const { column, lane } = held.spot;
    const others = cellUris({ column, lane }).filter((uri) => uri !== held.uri).length;
    const next = held.index + by;
    if (next >= 0 && next <= others) return carryTo(held.uri, { column, lane }, next);
    const other = lanes[lanes.indexOf(lane) + by];
    if (other === undefined) return;
    carryTo(held.uri, { column, lane: other }, by > 0 ? 0 : Number.POSITIVE_INFINITY);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const uri = event.target instanceof HTMLElement ? event.target.dataset['card'] : undefined;
    if (uri === undefined || event.altKey || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const held = carried;
    const moves: Readonly<Record<string, () => void>> =
      held === undefined
        ? {
            ArrowDown: () => step(1),
            ArrowUp: () => step(-1),
            ArrowLeft: () => sideways(-1),
            ArrowRight: () => sideways(1),
            ' ': () => pickUp(uri),
            ...(keys.hasSelected ? { Escape: keys.deselect } : {}),
          }
        : {
            ArrowDown: () => carryAlong(held, 1),
            ArrowUp: () => carryAlong(held, -1),
            ArrowLeft: () => carrySideways(held, -1),
            ArrowRight: () => carrySideways(held, 1),
            ' ': () => dropIt(held),
            Enter: () => dropIt(held),
            Escape: () => giveBack(held),
            Tab: () => undefined,
          };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  useCommands([
    { id: 'board.next', name: words.next, keys: 'j', run: () => step(1), isHidden: true },
    { id: 'board.previous', name: words.previous, keys: 'k', run: () => step(-1), isHidden: true },
    {
      id: 'board.open',
      name: words.open,
      keys: 'o',
      run: () => {
        const row = current === undefined ? undefined : rowOf(current);
        if (row !== undefined) keys.open(row);
      },
    },
    {
      id: 'board.select',
      name: words.select,
      keys: 'x',
      icon: 'checkbox',
      run: () => current !== undefined && keys.toggleSelected(current),
    },
    {
      id: 'board.move',
      name: words.moveCard,
      keys: 'shift+m',
      icon: 'arrow-right',
      run: () => current !== undefined && keys.openMenu(current),
    },
  ]);
  return { current, stand: setStood, focus, onKeyDown };
}
