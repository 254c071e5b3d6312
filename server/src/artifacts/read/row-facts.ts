import { isAnonymous } from '../../kernel/viewer.ts';
import { canReadLinks, isReadableComment } from '../../search/index.ts';
import { type Reader, sql } from '../../storage/index.ts';
import type { Field, TrackerView } from '../../trackers/index.ts';
import { childType } from '../links/index.ts';
import type { Artifact } from '../model.ts';
import { isOpen } from '../open.ts';
import { readArtifacts } from '../several.ts';
import { inParts } from '../store.ts';
import { amountOf, readTimeframes, type Timeframe, type Totals } from '../totals/index.ts';
import type { ReadContext } from '../visibility.ts';
import { linksOf, type RelatedData } from './related.ts';

/** What rows show beside the values of fields. */
export type RowFact = 'timeframe' | 'progress' | 'parent' | 'children' | 'comments';

export interface Children {
  readonly open: number;
  readonly closed: number;
}

/** A link between two artifacts, as one of them has it. */
export interface RowLink {
  readonly id: number;
  readonly type: string;
  readonly direction: 'forward' | 'reverse';
}

/** Facts about artifacts by their ids; what was not asked for is empty. */
export interface RowFacts {
  /** Whether the viewer may change something of them. */
  readonly mayUpdate: boolean;
  readonly timeframes: ReadonlyMap<number, Timeframe>;
  /** From 0 to 1. */
  readonly progress: ReadonlyMap<number, number>;
  readonly parents: ReadonlyMap<number, Artifact>;
  readonly children: ReadonlyMap<number, Children>;
  readonly comments: ReadonlyMap<number, number>;
}

/** The links of an artifact that the viewer may read, to artifacts that they see. */
export function rowLinks({ row, view }: Artifact, related: RelatedData): RowLink[] {
  const { forward, reverse } = linksOf(related, row.id);
  const { neighbours } = related;
  const seen = forward.filter(([id]) => neighbours.has(id));
  const telling = reverse.filter(([id]) => {
    const neighbour = neighbours.get(id);
    return neighbour !== undefined && canReadLinks(neighbour.view);
  });
  return [
    ...(canReadLinks(view) ? seen : []).map(([id, type]) => ({ id, type, direction: 'forward' as const })),
    ...telling.map(([id, type]) => ({ id, type, direction: 'reverse' as const })),
  ];
}

const isChild = ({ type, direction }: RowLink) => type === childType && direction === 'forward';
const isParent = ({ type, direction }: RowLink) => type === childType && direction === 'reverse';

/** Those of some artifacts that are open, whatever tracker they are in. */
async function openAmong(
  reader: Reader,
  related: RelatedData,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const byView = Map.groupBy(ids, (id) => related.neighbours.get(id)?.view);
  const open = new Set<number>();
  for (const [view, own] of byView) {
    if (view === undefined) continue;
    const query = reader.sql.selectFrom('artifact').select('id').where(isOpen(view));
    for (const { id } of await inParts(own, (some) => reader.all(query.where('id', 'in', some))))
      open.add(id);
  }
  return open;
}

async function readChildren(
  { reader }: ReadContext,
  artifacts: readonly Artifact[],
  related: RelatedData,
): Promise<ReadonlyMap<number, Children>> {
  const ids = new Map(
    artifacts.map((artifact) => [
      artifact.row.id,
      rowLinks(artifact, related)
        .filter(isChild)
        .map(({ id }) => id),
    ]),
  );
  const open = await openAmong(reader, related, [...new Set([...ids.values()].flat())]);
  return new Map(
    [...ids].map(([id, own]) => {
      const count = own.filter((child) => open.has(child)).length;
      return [id, { open: count, closed: own.length - count }];
    }),
  );
}

async function readParents(
  readContext: ReadContext,
  artifacts: readonly Artifact[],
  related: RelatedData,
): Promise<ReadonlyMap<number, Artifact>> {
  const parentIds = new Map<number, number>();
  for (const artifact of artifacts) {
    const parent = rowLinks(artifact, related).find(isParent);
    if (parent !== undefined) parentIds.set(artifact.row.id, parent.id);
  }
  const read = await readArtifacts(readContext, [...new Set(parentIds.values())]);
  const parents = new Map(read.map((artifact) => [artifact.row.id, artifact]));
  const found = new Map<number, Artifact>();
  for (const [id, parentId] of parentIds) {
    const parent = parents.get(parentId);
    if (parent !== undefined) found.set(id, parent);
  }
  return found;
}

/** How many comments of each the viewer may read. */
async function countComments(
  reader: Reader,
  artifacts: readonly Artifact[],
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const [view, own] of Map.groupBy(artifacts, (artifact) => artifact.view)) {
    const query = reader.sql
      .selectFrom('comment_text')
      .select(['artifact_id', sql<number>`count(*)`.as('size')])
      .where(isReadableComment(view))
      .groupBy('artifact_id');
    const ids = own.map(({ row }) => row.id);
    const rows = await inParts(ids, (some) => reader.all(query.where('artifact_id', 'in', some)));
    for (const { artifact_id, size } of rows) counts.set(artifact_id, Number(size));
  }
  return counts;
}

function readable({ tracker, canRead }: TrackerView, id: number): Field | undefined {
  const field = tracker.elementById.get(id);
  return field?.isUsed && canRead(field) ? field : undefined;
}

/** How much of the work is done; undefined where nothing tells it. */
function progressOf(
  artifact: Artifact,
  totals: Totals,
  children: ReadonlyMap<number, Children>,
): number | undefined {
  const { view, row } = artifact;
  const { progress } = view.tracker.semantics;
  if (progress === undefined) return undefined;
  if ('linkType' in progress) {
    const { open, closed } = children.get(row.id) ?? { open: 0, closed: 0 };
    return open + closed === 0 ? undefined : closed / (open + closed);
  }
  const [total, remaining] = [progress.totalFieldId, progress.remainingFieldId].map((id) => {
    const field = readable(view, id);
    const amount = field && amountOf(artifact, field, totals);
    return amount?.isPartial === false ? amount.value : null;
  });
  if (total == null || remaining == null || total <= 0) return undefined;
  return Math.min(1, Math.max(0, 1 - remaining / total));
}

function progressOfAll(
  artifacts: readonly Artifact[],
  totals: Totals,
  children: ReadonlyMap<number, Children>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const artifact of artifacts) {
    const progress = progressOf(artifact, totals, children);
    if (progress !== undefined) found.set(artifact.row.id, progress);
  }
  return found;
}

/** Whether the viewer may change something of the artifacts of a tracker that they see. */
async function mayUpdateIn(
  { reader, viewer, trackers, revisions }: ReadContext,
  { tracker, shown, canUpdate }: TrackerView,
): Promise<boolean> {
  if (isAnonymous(viewer) || !shown.some(canUpdate)) return false;
  const { project } = await trackers.projectAccess(reader, viewer, tracker.project.id, revisions);
  return project?.status === 'active';
}

const none: ReadonlyMap<number, never> = new Map<number, never>();

/** Facts about artifacts of one tracker, for all of them at once. */
export async function readRowFacts(
  readContext: ReadContext,
  artifacts: readonly Artifact[],
  related: RelatedData,
  wanted: ReadonlySet<RowFact>,
): Promise<RowFacts> {
  const [first] = artifacts;
  const needsChildren = wanted.has('children') || wanted.has('progress');
  const children = needsChildren ? await readChildren(readContext, artifacts, related) : none;
  return {
    mayUpdate: first !== undefined && (await mayUpdateIn(readContext, first.view)),
    timeframes: wanted.has('timeframe') ? await readTimeframes(readContext, artifacts, related.totals) : none,
    progress: wanted.has('progress') ? progressOfAll(artifacts, related.totals, children) : none,
    parents: wanted.has('parent') ? await readParents(readContext, artifacts, related) : none,
    children,
    comments: wanted.has('comments') ? await countComments(readContext.reader, artifacts) : none,
  };
}
