import { plus } from '../kernel/numbers.ts';
import type { Reader } from '../storage/index.ts';
import type { Field, Tracker } from '../trackers/index.ts';
import { type Artifact, type ArtifactRow, type Document, parseDocument } from './model.ts';
import { findArtifacts, inParts } from './store.ts';
import type { Sight } from './visibility.ts';

/** Sums by artifact and field: `42 301`. */
export type Totals = ReadonlyMap<string, number | null>;

export const totalKey = (artifactId: number, fieldId: number) => `${artifactId} ${fieldId}`;

interface Node {
  readonly tracker: Tracker | undefined;
  readonly document: Document;
}

/** The part of the graph of artifacts that sums have looked at so far. */
class Graph {
  readonly #sight: Sight;
  readonly #nodes = new Map<number, Node>();
  readonly #targets = new Map<number, number[]>();

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /** Ids of the artifacts that these link to, whoever may see them. */
  async targets(ids: readonly number[]): Promise<number[]> {
    const unknown = ids.filter((id) => !this.#targets.has(id));
    if (unknown.length > 0) {
      for (const id of unknown) this.#targets.set(id, []);
      const rows = await findTargets(this.#sight.reader, unknown);
      for (const { source_id, target_id } of rows) this.#targets.get(source_id)?.push(target_id);
    }
    return ids.flatMap((id) => this.#targets.get(id) ?? []);
  }

  async nodes(ids: readonly number[]): Promise<readonly (readonly [number, Node])[]> {
    const unknown = ids.filter((id) => !this.#nodes.has(id));
    for (const row of await findArtifacts(this.#sight.reader, unknown)) await this.#add(row);
    return ids.flatMap((id) => {
      const node = this.#nodes.get(id);
      return node === undefined ? [] : [[id, node] as const];
    });
  }

  async #add(row: ArtifactRow): Promise<void> {
    const { trackers, reader, revisions } = this.#sight;
    const tracker = await trackers.find(reader, row.tracker_id, revisions);
    this.#nodes.set(row.id, { tracker, document: parseDocument(row.document) });
  }
}

function findTargets(reader: Reader, ids: readonly number[]) {
  const query = reader.sql.selectFrom('artifact_link').select(['source_id', 'target_id']);
  return inParts(ids, (some) => reader.all(query.where('source_id', 'in', some)));
}

/** What one artifact adds to sums of fields of this name. */
export function contributionOf(
  tracker: Tracker | undefined,
  name: string,
  document: Document,
): number | null | 'descend' {
  if (tracker === undefined || tracker.isDeleted) return null;
  const field = tracker.elements.find((element) => element.isUsed && element.name === name);
  return field?.type.value?.contribution?.(field, document[field.id]) ?? null;
}

/** Sums level by level over what is linked; each artifact counts once, so that loops end. */
async function sum(graph: Graph, root: number, { name }: Field): Promise<number | null> {
  const seen = new Set([root]);
  let total: number | null = null;
  let level = [root];
  while (level.length > 0) {
    const fresh = [...new Set(await graph.targets(level))].filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    level = [];
    for (const [id, { tracker, document }] of await graph.nodes(fresh)) {
      const part = contributionOf(tracker, name, document);
      if (part === 'descend') level.push(id);
      else if (part !== null) total = plus(total ?? 0, part);
    }
  }
  // A sum beyond all numbers is none that JSON could carry.
  return Number.isFinite(total) ? total : null;
}

export async function readTotals(sight: Sight, artifacts: readonly Artifact[]): Promise<Totals> {
  const graph = new Graph(sight);
  const totals = new Map<string, number | null>();
  for (const { row, view } of artifacts)
    for (const field of view.shown)
      if (field.type.value?.needs?.includes('totals'))
        totals.set(totalKey(row.id, field.id), await sum(graph, row.id, field));
  return totals;
}
