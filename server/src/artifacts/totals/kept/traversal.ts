import type { Reader } from '../../../storage/index.ts';
import type { Tracker } from '../../../trackers/index.ts';
import { type Document, parseDocument, withoutTexts } from '../../model.ts';
import { eachArtifact, inParts, type VisibilityRow } from '../../store.ts';
import type { ReadContext } from '../../visibility.ts';
import { contributionOf, summedField } from '../contributions.ts';
import { addUp, exactOf, type Sum, zeroSum } from './exact.ts';
import {
  type Below,
  bothBelow,
  findKept,
  findShared,
  type KeptTotal,
  nothingBelow,
  type WorkedOut,
} from './rows.ts';
import type { ViewerReach } from './viewer-reach.ts';

interface Node {
  readonly visibility: VisibilityRow;
  readonly tracker: Tracker | undefined;
  readonly document: Document;
}

function findTargets(reader: Reader, ids: readonly number[]) {
  const query = reader.sql.selectFrom('artifact_link').select(['source_id', 'target_id']);
  return inParts(ids, (some) => reader.all(query.where('source_id', 'in', some)));
}

/** The part of the graph of artifacts that sums have looked at so far. */
export class Graph {
  readonly #readContext: Pick<ReadContext, 'reader' | 'trackers' | 'revisions'>;
  readonly #nodes = new Map<number, Node>();
  readonly #targets = new Map<number, number[]>();

  constructor(readContext: Pick<ReadContext, 'reader' | 'trackers' | 'revisions'>) {
    this.#readContext = readContext;
  }

  get reader(): Reader {
    return this.#readContext.reader;
  }

  /** Ids of the artifacts that these link to, whoever may see them. */
  async targets(ids: readonly number[]): Promise<number[]> {
    const unknown = ids.filter((id) => !this.#targets.has(id));
    if (unknown.length > 0) {
      for (const id of unknown) this.#targets.set(id, []);
      for (const { source_id, target_id } of await findTargets(this.reader, unknown))
        this.#targets.get(source_id)?.push(target_id);
    }
    return ids.flatMap((id) => this.#targets.get(id) ?? []);
  }

  async nodes(ids: readonly number[]): Promise<readonly (readonly [number, Node])[]> {
    const { reader, trackers, revisions } = this.#readContext;
    const unknown = ids.filter((id) => !this.#nodes.has(id));
    for await (const row of eachArtifact(reader, unknown)) {
      const tracker = await trackers.find(reader, row.tracker_id, revisions);
      const { id, tracker_id, submitted_by, is_restricted } = row;
      const visibility = { id, tracker_id, submitted_by, is_restricted };
      this.#nodes.set(id, { visibility, tracker, document: withoutTexts(parseDocument(row.document)) });
    }
    return ids.flatMap((id) => {
      const node = this.#nodes.get(id);
      return node === undefined ? [] : [[id, node] as const];
    });
  }
}

/** What is known beside the artifacts themselves: sums further down that hold, and what is reached in several ways. */
interface Knowledge {
  kept(ids: readonly number[]): Promise<ReadonlyMap<number, KeptTotal>>;
  shared(ids: readonly number[]): Promise<ReadonlySet<number>>;
}

const ignorant: Knowledge = { kept: async () => new Map(), shared: async () => new Set() };

const keptBelow = (reader: Reader, name: string, viewerReach: ViewerReach | undefined): Knowledge => ({
  async kept(ids) {
    const found = await findKept(reader, name, ids);
    if (viewerReach === undefined) return found;
    for (const [id, kept] of found) if (!(await viewerReach.seesAll(name, kept))) found.delete(id);
    return found;
  },
  shared: (ids) => findShared(reader, name, ids, { least: 2 }),
});

/** A sum as far as somebody may be told it. */
export interface SeenSum extends WorkedOut {
  /** Whether something was left out. */
  readonly isPartial: boolean;
}

/** Sums up level by level what is linked; each artifact counts once, so that loops end. */
class Summation {
  readonly #graph: Graph;
  readonly #name: string;
  readonly #knowledge: Knowledge;
  readonly #viewerReach: ViewerReach | undefined;
  readonly #root: number;
  readonly #seen: Set<number>;
  #sum: Sum = zeroSum;
  #below: Below = nothingBelow;
  #isShared = false;
  #isPartial = false;

  constructor(
    graph: Graph,
    name: string,
    root: number,
    { knowledge, viewerReach }: { knowledge: Knowledge; viewerReach: ViewerReach | undefined },
  ) {
    this.#graph = graph;
    this.#name = name;
    this.#root = root;
    this.#seen = new Set([root]);
    this.#knowledge = knowledge;
    this.#viewerReach = viewerReach;
  }

  /** Undefined when more artifacts than that had to be looked at. */
  async run(most: number): Promise<SeenSum | undefined> {
    let level = [this.#root];
    while (level.length > 0) {
      const targets = await this.#graph.targets(level);
      if (this.#seen.size + targets.length > most) return undefined;
      level = await this.#descend(targets);
    }
    return { ...this.#sum, ...this.#below, isShared: this.#isShared, isPartial: this.#isPartial };
  }

  /** Adds what stands on the next level; gives those of it whose own sums must be looked for. */
  async #descend(targets: readonly number[]): Promise<number[]> {
    if (targets.includes(this.#root)) this.#isShared = true;
    const fresh = [...new Set(targets)].filter((id) => !this.#seen.has(id));
    const shared = await this.#knowledge.shared(fresh);
    if (shared.size > 0) this.#isShared = true;
    const further: number[] = [];
    for (const [id, { tracker, document }] of await this.#countedAmong(fresh)) {
      const part = contributionOf(tracker, this.#name, document);
      if (part === 'descend') further.push(id);
      else if (part !== null) this.#add({ sum: exactOf(part), parts: 1 });
    }
    for (const id of fresh) this.#seen.add(id);
    return this.#withoutKept(further);
  }

  /** Those of the artifacts that are part of the sum, as far as the viewer may know of them. */
  async #countedAmong(ids: readonly number[]): Promise<readonly (readonly [number, Node])[]> {
    const nodes = await this.#graph.nodes(ids);
    const parts = nodes.filter(([, { tracker }]) => summedField(tracker, this.#name) !== undefined);
    const told = await this.#viewerReach?.toldAmong(
      this.#name,
      parts.map(([, { visibility }]) => visibility),
    );
    const counted = told === undefined ? parts : parts.filter(([id]) => told.has(id));
    if (counted.length < parts.length) this.#isPartial = true;
    this.#noteBelow(counted);
    return counted;
  }

  #noteBelow(nodes: readonly (readonly [number, Node])[]): void {
    const rows = nodes.map(([, { visibility }]) => visibility);
    this.#below = bothBelow(this.#below, {
      trackers: new Set(rows.map(({ tracker_id }) => tracker_id)),
      hasRestricted: rows.some(({ is_restricted }) => is_restricted === 1),
    });
  }

  #add(sum: Sum): void {
    this.#sum = addUp(this.#sum, sum);
  }

  /** A sum that holds and whose parts nothing else takes in is as good as its parts. */
  async #withoutKept(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const kept = await this.#knowledge.kept(ids);
    return ids.filter((id) => {
      const own = kept.get(id);
      if (own === undefined || own.isStale || own.isShared) return true;
      this.#add(own);
      this.#below = bothBelow(this.#below, own);
      return false;
    });
  }
}

/** The sum over what an artifact links to, found by looking at all of it; for a viewer, at what they may see. */
export async function sumUp(
  graph: Graph,
  name: string,
  root: number,
  viewerReach?: ViewerReach,
): Promise<SeenSum | undefined> {
  return new Summation(graph, name, root, { knowledge: ignorant, viewerReach }).run(Number.POSITIVE_INFINITY);
}

/**
 * The same with the help of the sums that are kept; undefined when that takes a look at more artifacts than `most`. An
 * artifact never counts in its own sum: where a number set by hand may be part of sums below, those do not help.
 */
export async function sumUpKept(
  graph: Graph,
  name: string,
  { artifactId, isManual }: Pick<KeptTotal, 'artifactId' | 'isManual'>,
  {
    most = Number.POSITIVE_INFINITY,
    viewerReach,
  }: { most?: number; viewerReach?: ViewerReach | undefined } = {},
): Promise<SeenSum | undefined> {
  const isPart = isManual && (await findShared(graph.reader, name, [artifactId], { least: 1 })).size > 0;
  const usual = keptBelow(graph.reader, name, viewerReach);
  const knowledge = isPart ? { ...usual, kept: ignorant.kept } : usual;
  return new Summation(graph, name, artifactId, { knowledge, viewerReach }).run(most);
}
