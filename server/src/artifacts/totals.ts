import type { Field } from '../trackers/index.ts';
import { isSum } from './contributions.ts';
import { shownSum } from './kept-totals/exact.ts';
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

/** All sums that these artifacts show, by the names of their fields. */
export async function readTotals(sight: Sight, artifacts: readonly Artifact[]): Promise<Totals> {
  const graph = new Graph(sight);
  const ready = await sight.trackers.sums(sight.reader, sight.revisions);
  const wanted = artifacts.flatMap((artifact) =>
    sumsIn(artifact).map((field) => ({ id: artifact.row.id, field })),
  );
  const totals = new Map<string, number | null>();
  for (const [name, some] of Map.groupBy(wanted, ({ field }) => field.name)) {
    const sums = ready.get(name) ? await readKept(graph, name, some) : await readLooking(graph, name, some);
    for (const { id, field } of some) totals.set(totalKey(id, field.id), sums.get(id) ?? null);
  }
  return totals;
}

/** Whether whatever changes a sum that these artifacts show also raises the counter of their surroundings. */
export async function haveKeptTotals(
  { trackers, reader, revisions }: Sight,
  artifacts: readonly Artifact[],
): Promise<boolean> {
  const names = new Set(artifacts.flatMap(sumsIn).map(({ name }) => name));
  if (names.size === 0) return true;
  const ready = await trackers.sums(reader, revisions);
  return [...names].every((name) => ready.get(name) === true);
}
