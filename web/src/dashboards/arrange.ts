import type { DashboardWidget } from '@atelier/client/routes';

/** A widget while it is arranged; a new one has no id yet. */
export interface Tile extends Omit<DashboardWidget, 'id'> {
  /** Tells tiles apart for as long as they are arranged. */
  readonly key: string;
  readonly id?: number | undefined;
}

export interface TileCell {
  readonly width: number;
  readonly tiles: readonly Tile[];
}

export interface TileRow {
  readonly cells: readonly TileCell[];
}

export type Rows = readonly TileRow[];

/** Columns of a row, and the narrowest cell that can be read. */
export const columns = 12;
export const narrowest = 3;
const mostCells = columns / narrowest;

export interface TilePlace {
  readonly row: number;
  readonly cell: number;
  readonly at: number;
}

export function placeOf(rows: Rows, key: string): TilePlace | undefined {
  for (const [row, { cells }] of rows.entries())
    for (const [cell, { tiles }] of cells.entries()) {
      const at = tiles.findIndex((tile) => tile.key === key);
      if (at >= 0) return { row, cell, at };
    }
  return undefined;
}

const tileAt = (rows: Rows, { row, cell, at }: TilePlace) => rows[row]?.cells[cell]?.tiles[at];
const cellAt = (rows: Rows, row: number, cell: number) => rows[row]?.cells[cell];

/** Without what has nothing in it. */
const tidy = (rows: Rows): Rows =>
  rows
    .map(({ cells }) => ({ cells: cells.filter(({ tiles }) => tiles.length > 0) }))
    .filter(({ cells }) => cells.length > 0);

const widthOf = ({ cells }: TileRow) => cells.reduce((sum, { width }) => sum + width, 0);

/** Makes the cells of a row narrower until they fit, the widest first. */
function fitted(row: TileRow): TileRow {
  const cells = row.cells.map((cell) => ({ ...cell, width: Math.max(narrowest, cell.width) }));
  while (cells.reduce((sum, { width }) => sum + width, 0) > columns) {
    const widest = cells.reduce((best, cell) => (cell.width > best.width ? cell : best));
    widest.width -= 1;
  }
  return { cells };
}

const withRow = (rows: Rows, row: number, change: (row: TileRow) => TileRow): Rows =>
  rows.map((one, at) => (at === row ? change(one) : one));
const withCell = (rows: Rows, row: number, cell: number, change: (cell: TileCell) => TileCell): Rows =>
  withRow(rows, row, ({ cells }) => ({ cells: cells.map((one, at) => (at === cell ? change(one) : one)) }));

/** Takes a tile out; cells and rows that it leaves empty stay, so that places still mean the same. */
const without = (rows: Rows, { row, cell, at }: TilePlace): Rows =>
  withCell(rows, row, cell, (one) => ({ ...one, tiles: one.tiles.filter((_, index) => index !== at) }));

/** Where a tile can be put: as a row of its own, as a cell beside others, or into a cell above or below a tile. */
export type Target =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'cell'; readonly row: number; readonly cell: number }
  | { readonly kind: 'stack'; readonly row: number; readonly cell: number; readonly at: number };

const filledCells = ({ cells }: TileRow) => cells.filter(({ tiles }) => tiles.length > 0).length;

function insert(rows: Rows, tile: Tile, width: number, target: Target): Rows | undefined {
  if (target.kind === 'row') return rows.toSpliced(target.row, 0, { cells: [{ width, tiles: [tile] }] });
  const row = rows[target.row];
  if (row === undefined) return undefined;
  if (target.kind === 'stack')
    return withCell(rows, target.row, target.cell, (cell) => ({
      ...cell,
      tiles: cell.tiles.toSpliced(target.at, 0, tile),
    }));
  if (filledCells(row) >= mostCells) return undefined;
  return withRow(rows, target.row, ({ cells }) => ({
    cells: cells.toSpliced(target.cell, 0, { width, tiles: [tile] }),
  }));
}

/** Moves a tile; the same rows where it cannot go there. */
export function moveTo(rows: Rows, key: string, target: Target): Rows {
  const from = placeOf(rows, key);
  const tile = from && tileAt(rows, from);
  if (from === undefined || tile === undefined) return rows;
  const width = cellAt(rows, from.row, from.cell)?.width ?? columns;
  // Within its own cell everything below it moves up when it is taken out.
  const isSame = target.kind === 'stack' && target.row === from.row && target.cell === from.cell;
  const to = isSame && target.at > from.at ? { ...target, at: target.at - 1 } : target;
  const moved = insert(without(rows, from), tile, width, to);
  return moved === undefined ? rows : tidy(moved).map(fitted);
}

export type Direction = 'up' | 'down' | 'left' | 'right';

function sideways(rows: Rows, from: TilePlace, step: -1 | 1): Target | 'swap' | undefined {
  const cells = rows[from.row]?.cells ?? [];
  const isAlone = cells[from.cell]?.tiles.length === 1;
  if (!isAlone) return { kind: 'cell', row: from.row, cell: step > 0 ? from.cell + 1 : from.cell };
  return cells[from.cell + step] === undefined ? undefined : 'swap';
}

function upOrDown(rows: Rows, from: TilePlace, step: -1 | 1): Target | undefined {
  const { row, cell, at } = from;
  const tiles = cellAt(rows, row, cell)?.tiles ?? [];
  if (tiles[at + step] !== undefined) return { kind: 'stack', row, cell, at: step > 0 ? at + 2 : at - 1 };
  const isAlone = rows[row]?.cells.length === 1 && tiles.length === 1;
  if (!isAlone) return { kind: 'row', row: step > 0 ? row + 1 : row };
  const next = rows[row + step];
  if (next === undefined) return undefined;
  const hasRoom = next.cells.length < mostCells && widthOf(next) + narrowest <= columns;
  const last = next.cells.length - 1;
  if (hasRoom) return { kind: 'cell', row: row + step, cell: step > 0 ? 0 : last + 1 };
  return step > 0
    ? { kind: 'stack', row: row + 1, cell: 0, at: 0 }
    : { kind: 'stack', row: row - 1, cell: last, at: next.cells[last]?.tiles.length ?? 0 };
}

/** One step by the keyboard; the same rows where there is none. Every place can be reached. */
export function step(rows: Rows, key: string, direction: Direction): Rows {
  const from = placeOf(rows, key);
  if (from === undefined) return rows;
  const by = direction === 'up' || direction === 'left' ? -1 : 1;
  const isUpright = direction === 'up' || direction === 'down';
  const target = isUpright ? upOrDown(rows, from, by) : sideways(rows, from, by);
  if (target === undefined) return rows;
  if (target !== 'swap') return moveTo(rows, key, target);
  return withRow(rows, from.row, ({ cells }) => {
    const [one, other] = [cells[from.cell], cells[from.cell + by]];
    return {
      cells: cells.map((cell, at) =>
        at === from.cell ? (other ?? cell) : at === from.cell + by ? (one ?? cell) : cell,
      ),
    };
  });
}

/** Makes the cell of a tile so wide; those after it, then those before it, give way. */
export function resize(rows: Rows, key: string, wanted: number): Rows {
  const place = placeOf(rows, key);
  const cells = place && rows[place.row]?.cells;
  if (place === undefined || cells === undefined) return rows;
  const width = Math.max(narrowest, Math.min(wanted, columns - (cells.length - 1) * narrowest));
  const widths = cells.map((cell, at) => (at === place.cell ? width : cell.width));
  const order = [...widths.keys()].filter((at) => at > place.cell);
  order.push(...[...widths.keys()].filter((at) => at < place.cell).reverse());
  let over = widths.reduce((sum, one) => sum + one, 0) - columns;
  for (const at of order) {
    const given = Math.max(0, Math.min(over, (widths[at] ?? 0) - narrowest));
    widths[at] = (widths[at] ?? 0) - given;
    over -= given;
  }
  return withRow(rows, place.row, () => ({
    cells: cells.map((cell, at) => ({ ...cell, width: widths[at] ?? cell.width })),
  }));
}

export function remove(rows: Rows, key: string): Rows {
  const place = placeOf(rows, key);
  return place === undefined ? rows : tidy(without(rows, place));
}

export function replaceTile(rows: Rows, tile: Tile): Rows {
  const place = placeOf(rows, tile.key);
  if (place === undefined) return rows;
  return withCell(rows, place.row, place.cell, (cell) => ({
    ...cell,
    tiles: cell.tiles.map((one) => (one.key === tile.key ? tile : one)),
  }));
}

/** A new tile goes beside the last one where there is room, else below everything. */
export function add(rows: Rows, tile: Tile, width: number): Rows {
  const last = rows.at(-1);
  const hasRoom = last !== undefined && widthOf(last) + width <= columns;
  const target: Target = hasRoom
    ? { kind: 'cell', row: rows.length - 1, cell: last.cells.length }
    : { kind: 'row', row: rows.length };
  return insert(rows, tile, width, target) ?? rows;
}

/** The same on top of what somebody else saved: what they took away comes back as new, but for what is hidden here. */
export function onto(rows: Rows, current: Rows): Rows {
  const known = new Set(tilesIn(current).map(({ id }) => id));
  const isThere = ({ id }: Tile) => id === undefined || known.has(id);
  return tidy(
    rows.map(({ cells }) => ({
      cells: cells.map(({ width, tiles }) => ({
        width,
        tiles: tiles
          .filter((tile) => isThere(tile) || !tile.is_hidden)
          .map((tile) => (isThere(tile) ? tile : { ...tile, id: undefined })),
      })),
    })),
  );
}

export const tilesIn = (rows: Rows): readonly Tile[] =>
  rows.flatMap(({ cells }) => cells.flatMap(({ tiles }) => tiles));
