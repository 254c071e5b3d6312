import type { Field } from '../../trackers/index.ts';
import type { Artifact } from '../model.ts';
import type { ReadContext } from '../visibility.ts';
import { isSum } from './contributions.ts';
import {
  findKept,
  findReady,
  Graph,
  type Sum,
  shownSum,
  sumUp,
  sumUpKept,
  ViewerReach,
} from './kept/index.ts';

/** A sum as the viewer is shown it. */
export interface ShownTotal {
  readonly value: number | null;
  /** Whether something that it is made from is left out, because the viewer may not see it or not read its field. */
  readonly isPartial: boolean;
}

export const noTotal: ShownTotal = { value: null, isPartial: false };

/** Sums by artifact and field: `42 301`. */
export type Totals = ReadonlyMap<string, ShownTotal>;

export const totalKey = (artifactId: number, fieldId: number) => `${artifactId} ${fieldId}`;

const shown = (sum: (Sum & { readonly isPartial?: boolean }) | undefined): ShownTotal =>
  sum === undefined ? noTotal : { value: shownSum(sum), isPartial: sum.isPartial ?? false };

/** Where sums are looked for, and who is shown them. */
interface SearchRun {
  readonly graph: Graph;
  readonly viewerReach: ViewerReach;
}

/**
 * Sums of one name that are kept. Those that do not hold are worked out, and so are those that are made from something that
 * the viewer may not be told of. Without a row nothing is linked.
 */
async function readKept({ graph, viewerReach }: SearchRun, name: string, ids: readonly number[]) {
  const kept = await findKept(graph.reader, name, ids);
  const totals = new Map<number, ShownTotal>();
  for (const id of ids) {
    const own = kept.get(id);
    const isAsKept = own === undefined || (!own.isStale && (await viewerReach.seesAll(name, own)));
    totals.set(id, shown(isAsKept ? own : await sumUpKept(graph, name, own, { viewerReach })));
  }
  return totals;
}

async function readSearchRun({ graph, viewerReach }: SearchRun, name: string, ids: readonly number[]) {
  const totals = new Map<number, ShownTotal>();
  for (const id of ids) totals.set(id, shown(await sumUp(graph, name, id, viewerReach)));
  return totals;
}

const sumsIn = ({ view: { shown: fields } }: Artifact) => fields.filter(isSum);

/** All sums that some artifacts show. */
export interface ShownTotals {
  readonly totals: Totals;
  /** Whether whatever changes one of them also raises the counter of an artifact's related data. */
  readonly areKept: boolean;
}

interface WantedTotal {
  readonly id: number;
  readonly field: Field;
}

export async function readTotals(
  readContext: ReadContext,
  artifacts: readonly Artifact[],
): Promise<ShownTotals> {
  const searchRun = { graph: new Graph(readContext), viewerReach: new ViewerReach(readContext) };
  const wanted = artifacts.flatMap((artifact) =>
    sumsIn(artifact).map((field): WantedTotal => ({ id: artifact.row.id, field })),
  );
  const byName = Map.groupBy(wanted, ({ field }) => field.name);
  const ready = await findReady(readContext.reader, [...byName.keys()]);
  const totals = new Map<string, ShownTotal>();
  for (const [name, some] of byName) {
    const read = ready.has(name) ? readKept : readSearchRun;
    const ids = some.map(({ id }) => id);
    const sums = await read(searchRun, name, ids);
    for (const { id, field } of some) totals.set(totalKey(id, field.id), sums.get(id) ?? noTotal);
  }
  return { totals, areKept: ready.size === byName.size };
}
