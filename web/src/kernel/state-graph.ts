/** A step from a state, or from nothing, to a state. */
export interface GraphEdge {
  readonly id: number;
  readonly from: number | null;
  readonly to: number;
}

/** How many steps each state is away from a new artifact; states that cannot be reached are not in it. */
function distances(edges: readonly GraphEdge[]): Map<number, number> {
  const found = new Map<number, number>();
  let border: (number | null)[] = [null];
  for (let steps = 0; border.length > 0; steps++) {
    const here = new Set(border);
    const next = edges.filter(({ from, to }) => here.has(from) && !found.has(to)).map(({ to }) => to);
    border = [...new Set(next)];
    for (const id of border) if (id !== null) found.set(id, steps);
  }
  return found;
}

/** States that no way from a new artifact leads to. */
export function unreachable(states: readonly number[], edges: readonly GraphEdge[]): number[] {
  const reached = distances(edges);
  return states.filter((id) => !reached.has(id));
}

/** States that can be reached and from which nothing leads on. */
export function deadEnds(states: readonly number[], edges: readonly GraphEdge[]): number[] {
  const reached = distances(edges);
  return states.filter((id) => reached.has(id) && !edges.some(({ from }) => from === id));
}

export interface NodeSize {
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode {
  /** Null: a new artifact. */
  readonly id: number | null;
  /** The middle of it. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly id: number;
  /** A path of SVG, from the rim of one node to the rim of the other. */
  readonly path: string;
  /** A point of it where it can be taken hold of: nearer to where it begins, so that the way back has its own. */
  readonly handle: { readonly x: number; readonly y: number };
}

export interface GraphPicture {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

const gap = { across: 72, down: 36 };
const edgeOfPicture = 24;
/** How far apart two lines between the same nodes run. */
const apart = 6;

/** A line between neighbours needs none. */
const roomFor = (steps: number) => (steps < 2 ? 0 : 18 + steps * 16);

/** States from left to right by how far they are away, in their own order from above; what cannot be reached stands below. */
export function graphPicture(
  states: readonly number[],
  edges: readonly GraphEdge[],
  { width, height }: NodeSize,
): GraphPicture {
  const reached = distances(edges);
  const last = Math.max(-1, ...reached.values());
  const columns: (number | null)[][] = [[null]];
  for (let distance = 0; distance <= last; distance++)
    columns.push(states.filter((id) => reached.get(id) === distance));
  const most = Math.max(1, ...columns.map((column) => column.length));
  const lost = states.filter((id) => !reached.has(id));
  const far = edges.map(
    ({ from, to }) => (reached.get(to) ?? 0) - (from === null ? -1 : (reached.get(from) ?? 0)),
  );
  /** Room for lines that go over or below others, as far as there are any. */
  const over = roomFor(Math.max(0, ...far));
  const under = roomFor(Math.max(0, ...far.map((steps) => -steps)));
  const tall = most * height + (most - 1) * gap.down;
  const middle = edgeOfPicture + over + tall / 2;
  const places = new Map<number | null, { column: number; x: number; y: number }>();
  for (const [column, ids] of columns.entries())
    for (const [row, id] of ids.entries())
      places.set(id, {
        column,
        x:
          column === 0
            ? edgeOfPicture + 8
            : edgeOfPicture + 16 + gap.across / 2 + width / 2 + (column - 1) * (width + gap.across),
        y: middle + (row - (ids.length - 1) / 2) * (height + gap.down),
      });
  const below = middle + tall / 2 + under + height;
  for (const [index, id] of lost.entries())
    places.set(id, {
      column: index + 1,
      x: edgeOfPicture + 16 + gap.across / 2 + width / 2 + index * (width + gap.across),
      y: below,
    });
  const furthest = Math.max(...[...places.values()].map(({ x }) => x));
  return {
    nodes: [...places].map(([id, { x, y }]) => ({ id, x, y })),
    edges: edges.flatMap(({ id, from, to }) => {
      const [start, end] = [places.get(from), places.get(to)];
      if (start === undefined || end === undefined) return [];
      const line = lineBetween(start, end, { isNew: from === null, width, height });
      return [{ id, path: pathOf(line), handle: pointOn(line, 0.4) }];
    }),
    width: furthest + width / 2 + edgeOfPicture,
    height: (lost.length > 0 ? below + height / 2 : middle + tall / 2 + under) + edgeOfPicture,
  };
}

interface Point {
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A curve: where it begins, the two points that bend it, where it ends. */
type Line = readonly [Spot, Spot, Spot, Spot];

const pathOf = ([start, one, other, end]: Line) =>
  `M${start.x} ${start.y}C${one.x} ${one.y} ${other.x} ${other.y} ${end.x} ${end.y}`;

function pointOn([start, one, other, end]: Line, part: number): Spot {
  const rest = 1 - part;
  const at = (name: 'x' | 'y') =>
    rest ** 3 * start[name] +
    3 * rest ** 2 * part * one[name] +
    3 * rest * part ** 2 * other[name] +
    part ** 3 * end[name];
  return { x: at('x'), y: at('y') };
}

function lineBetween(
  start: Point,
  end: Point,
  { isNew, width, height }: NodeSize & { readonly isNew: boolean },
): Line {
  const half = width / 2;
  const steps = end.column - start.column;
  const isLevel = Math.abs(start.y - end.y) < 1;
  if (steps === 1 || (steps > 1 && !isLevel) || isNew) {
    const from = { x: start.x + (isNew ? 6 : half), y: start.y - (isNew ? 0 : apart) };
    const to = { x: end.x - half - 2, y: end.y - (isNew ? 0 : apart) };
    const bend = Math.max(20, (to.x - from.x) / 2);
    return [from, { x: from.x + bend, y: from.y }, { x: to.x - bend, y: to.y }, to];
  }
  if (steps === -1) {
    const from = { x: start.x - half, y: start.y + apart };
    const to = { x: end.x + half + 2, y: end.y + apart };
    const bend = Math.max(20, (from.x - to.x) / 2);
    return [from, { x: from.x - bend, y: from.y }, { x: to.x + bend, y: to.y }, to];
  }
  if (steps === 0) {
    const bow = start.x + half + 28;
    const from = { x: start.x + half, y: start.y + apart };
    const to = { x: end.x + half + 2, y: end.y + apart };
    return [from, { x: bow, y: from.y }, { x: bow, y: to.y }, to];
  }
  // Over the others when it leads on, below them when it leads back.
  const side = steps > 0 ? -1 : 1;
  const from = { x: start.x - side * apart, y: start.y + side * (height / 2) };
  const to = { x: end.x + side * apart, y: end.y + side * (height / 2 + 2) };
  const bow = 18 + Math.abs(steps) * 16;
  const level = side < 0 ? Math.min(from.y, to.y) - bow : Math.max(from.y, to.y) + bow;
  return [from, { x: from.x, y: level }, { x: to.x, y: level }, to];
}
