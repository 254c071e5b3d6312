import type { Field } from '../trackers/index.ts';
import { isSum } from './contributions.ts';
import { shownSum } from './kept-totals/exact.ts';
import { findReady } from './kept-totals/names.ts';
import { findKept } from './kept-totals/rows.ts';
import { Graph, sumUp, sumUpKept } from './kept-totals/traversal.ts';
import type { Artifact } from './model.ts';
import type { Sight } from './visibility.ts';

/** Sums by artifact and field: `42 301`. */
export type Totals = ReadonlyMap<string, number | null>;

export const totalKey = (artifactId: number, fieldId: number) => `${artifactId} ${fieldId}`;

interface WantedTotal {
  readonly id: number;
  readonly field: Field;
}

/** Sums of one name that are kept; those that do not hold are worked out. Without a row nothing is linked. */
async function readKept(graph: Graph, name: string, wanted: readonly WantedTotal[]) {
  const kept = await findKept(
    graph.reader,
    name,
    wanted.map(({ id }) => id),
  );
  const totals = new Map<number, number | null>();
  for (const { id } of wanted) {
    const own = kept.get(id);
    const sum = own?.isStale ? await sumUpKept(graph, name, own) : own;
    totals.set(id, sum === undefined ? null : shownSum(sum));
  }
  return totals;
}

async function readLooking(graph: Graph, name: string, wanted: readonly WantedTotal[]) {
  const totals = new Map<number, number | null>();
  for (const { id } of wanted) totals.set(id, shownSum(await sumUp(graph, name, id)));
  return totals;
}

const sumsIn = ({ view: { shown } }: Artifact) => shown.filter(isSum);

/** All sums that some artifacts show. */
export interface ShownTotals {
  readonly totals: Totals;
  /** Whether whatever changes one of them also raises the counter of an artifact's surroundings. */
  readonly areKept: boolean;
}

export async function readTotals(sight: Sight, artifacts: readonly Artifact[]): Promise<ShownTotals> {
  const graph = new Graph(sight);
  const wanted = artifacts.flatMap((artifact) =>
    sumsIn(artifact).map((field) => ({ id: artifact.row.id, field })),
  );
  const byName = Map.groupBy(wanted, ({ field }) => field.name);
  const ready = await findReady(sight.reader, [...byName.keys()]);
  const totals = new Map<string, number | null>();
  for (const [name, some] of byName) {
    const read = ready.has(name) ? readKept : readLooking;
    const sums = await read(graph, name, some);
    for (const { id, field } of some) totals.set(totalKey(id, field.id), sums.get(id) ?? null);
  }
  return { totals, areKept: ready.size === byName.size };
}
