import { isObject, numberIn } from '../../kernel/values.ts';
import { ConcurrentChange, type Revisions, statement, type Transaction } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import { findNeighbourIds } from '../links/index.ts';
import type { ArtifactRow } from '../model.ts';
import {
  findLightArtifactAndRevisions,
  findLinks,
  type LinkRow,
  lockArtifactAndRevisions,
} from '../store.ts';

function idsIn(input: unknown): number[] {
  return (Array.isArray(input) ? input : [input]).flatMap((item) => {
    const id = numberIn(isObject(item) ? item['id'] : item);
    return Number.isSafeInteger(id) && id > 0 ? [id] : [];
  });
}

/** What the entries wish for in the way of links, as it came. */
const linkEntries = (entries: readonly unknown[]): unknown[] =>
  entries.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const {
      links,
      all_links: all,
      reverse_links: reverse,
      parent,
      add_links: added,
      remove_links: removed,
    } = entry;
    return [links, all, reverse, parent, added, removed].filter(
      (input) => input !== undefined && input !== null,
    );
  });

/** What a text may refer to: every number behind a `#`. */
function namedIn(text: unknown): number[] {
  if (typeof text !== 'string') return [];
  return [...text.matchAll(/#(\d{1,15})(?!\d)/g)].map(([, digits]) => Number(digits));
}

const contentOf = (entry: unknown) => {
  const value = isObject(entry) ? entry['value'] : undefined;
  return isObject(value) ? value['content'] : value;
};

/** The origins of the references that the texts among the entries may replace. */
const originsOf = (entries: readonly unknown[]): string[] =>
  entries.flatMap((entry) =>
    isObject(entry) && typeof contentOf(entry) === 'string' ? `field:${numberIn(entry['field_id'])}` : [],
  );

const referredTo = statement((sql, p: { id: number }) =>
  sql
    .selectFrom('cross_reference')
    .select(['origin', 'target_id'])
    .where('source_kind', '=', 'artifact')
    .where('source_id', '=', p.id)
    .where('target_kind', '=', 'artifact'),
);

const grantsVisibility = (entry: unknown) =>
  isObject(entry) && isObject(entry['value']) && Object.hasOwn(entry['value'], 'granted_groups');

/** More sums than this are not locked beforehand. */
const mostSums = 500;

/** Artifacts with sums that take one of these in, however far up. */
async function summedIn(tx: Transaction, ids: readonly number[]): Promise<number[]> {
  const found = new Set<number>();
  const above = tx.sql
    .selectFrom('artifact_link')
    .innerJoin('artifact_total', 'artifact_total.artifact_id', 'artifact_link.source_id')
    .select('artifact_link.source_id')
    .distinct();
  for (let level = ids; level.length > 0 && found.size < mostSums; ) {
    const rows = await tx.all(above.where('artifact_link.target_id', 'in', level));
    level = rows.map(({ source_id }) => source_id).filter((id) => !found.has(id));
    for (const id of level) found.add(id);
  }
  return [...found];
}

const assigning = [
  'bind_value_ids',
  'bind_value_objects',
  'add_value_ids',
  'remove_value_ids',
  'add_values',
] as const;

const assigns = (entry: unknown): entry is Readonly<Record<string, unknown>> =>
  isObject(entry) && assigning.some((name) => Object.hasOwn(entry, name));

/** The place of an artifact, and what tells whether what is known of its tracker still holds. */
interface FoundPlace {
  readonly row: Pick<ArtifactRow, 'tracker_id'>;
  readonly revisions: Revisions;
}

/** Whether the change may decide anew who sees the artifact, which its neighbours show. */
async function maySeeChange(
  tx: Transaction,
  { id, entries, trackers }: ChangeRequest,
  reading: Promise<FoundPlace | undefined> | undefined,
): Promise<boolean> {
  if (entries.some(grantsVisibility)) return true;
  const chosen = entries.filter(assigns).map((entry) => numberIn(entry['field_id']));
  const found = chosen.length === 0 ? undefined : await (reading ?? findLightArtifactAndRevisions(tx, id));
  const tracker = found && (await trackers.find(tx, found.row.tracker_id, found.revisions));
  const contributor = tracker?.semantics.contributor?.fieldId;
  return (
    tracker !== undefined &&
    tracker.grants.assignee.length > 0 &&
    chosen.some((field) => field === contributor)
  );
}

/** A change of an artifact (0: one that is being made), as it was asked for. */
export interface ChangeRequest {
  readonly id: number;
  readonly entries: readonly unknown[];
  /** Whatever else it brings that may name artifacts: a comment, or values in another form. */
  readonly text?: string | undefined;
  /** The changeset whose comment is edited. */
  readonly changesetId?: number;
  readonly trackers: Trackers;
}

/**
 * All artifacts that the change may touch beside its own, as things are now; too many rather than too few. `reading`: the artifact itself,
 * where somebody reads it already.
 */
async function findTouched(
  tx: Transaction,
  change: ChangeRequest,
  reading?: Promise<FoundPlace | undefined>,
): Promise<Set<number>> {
  const { id, entries, text, changesetId } = change;
  const touched = new Set([...entries.map(contentOf), text].flatMap(namedIn));
  const requests = linkEntries(entries);
  for (const named of requests.flatMap(idsIn)) touched.add(named);
  if (id === 0) return withSums(tx, change, touched);
  const origins = [...originsOf(entries), ...(changesetId === undefined ? [] : [`comment:${changesetId}`])];
  // Asked together, so that they are waited for once.
  const [links, areNeighboursTouched, referred] = await Promise.all([
    requests.length > 0 ? findLinks(tx, [id]) : [],
    maySeeChange(tx, change, reading),
    origins.length > 0 ? tx.all(referredTo, { id }) : [],
  ]);
  for (const link of links) touched.add(link.id);
  for (const { origin, target_id } of referred) if (origins.includes(origin)) touched.add(target_id);
  if (areNeighboursTouched) for (const other of await findNeighbourIds(tx, id)) touched.add(other);
  return withSums(tx, change, touched);
}

/** The artifacts and those with sums above them. */
async function withSums(
  tx: Transaction,
  { id, entries, trackers }: ChangeRequest,
  touched: Set<number>,
): Promise<Set<number>> {
  if (!trackers.hasSums || entries.length === 0) return touched;
  for (const above of await summedIn(tx, [id, ...touched])) touched.add(above);
  return touched;
}

const attempts = 10;

/**
 * Locks an artifact (0: none yet) together with all that `find` gives, all at once and in the order of their ids: whoever
 * changes several artifacts that are linked to each other would else wait for the other in a circle. What is found before
 * the locks are had may be old; then everything is let go and locked anew.
 */
async function lockTogether(
  tx: Transaction,
  id: number,
  find: () => Promise<Iterable<number>>,
): Promise<void> {
  const touched = new Set(await find());
  for (let attempt = 0; attempt < attempts; attempt++) {
    const locked = new Set(touched).add(id);
    const isSettled = await tx.tentatively(async () => {
      const rows = tx.sql
        .selectFrom('artifact')
        .select('id')
        .where('id', 'in', [...locked]);
      await tx.lock(rows.orderBy('id'));
      for (const other of await find()) touched.add(other);
      return touched.isSubsetOf(locked);
    });
    if (isSettled) return;
  }
  throw new ConcurrentChange('The neighbours of the artifact change all the time.');
}

/** What `lockFor` read of an artifact that it locked. */
export interface LockedArtifact {
  readonly found: { readonly row: ArtifactRow; readonly revisions: Revisions } | undefined;
  readonly links: readonly LinkRow[];
  /** For the changeset that may come of it: behind the lock, so that those of one artifact have theirs in their order. */
  readonly changesetId: number | undefined;
}

/**
 * Locks an artifact, with all that a change of it may touch. Most changes touch nothing else: so the artifact itself is locked and read in
 * the trip that looks for others, and let go again where there are some, which are locked before it by the order of their ids.
 * Gives what was read, where it was read.
 */
export async function lockFor(tx: Transaction, change: ChangeRequest): Promise<LockedArtifact | undefined> {
  if (!tx.locksRows) return undefined;
  let locked: LockedArtifact | undefined;
  const isAlone = await tx.tentatively(async () => {
    const reading = lockArtifactAndRevisions(tx, change.id);
    const [touched, found, links, [changesetId]] = await Promise.all([
      findTouched(tx, change, reading),
      reading,
      findLinks(tx, [change.id]),
      tx.newIds('changeset', 1),
    ]);
    locked = { found, links, changesetId };
    return touched.size === 0;
  });
  if (isAlone) return locked;
  await lockTogether(tx, change.id, () => findTouched(tx, change));
  return undefined;
}

/** Locks an artifact with all that a change of it may touch. */
export async function lockAround(tx: Transaction, change: ChangeRequest): Promise<void> {
  if (!tx.locksRows) return;
  const touched = await findTouched(tx, change);
  if (touched.size > 0) await lockTogether(tx, change.id, () => findTouched(tx, change));
}

/** Locks an artifact with everything at the other end of a link or reference of it, and what else is named. */
export async function lockWithNeighbours(
  tx: Transaction,
  id: number,
  others: readonly number[] = [],
): Promise<void> {
  if (!tx.locksRows) return;
  await lockTogether(tx, id, async () => [...(await findNeighbourIds(tx, id)), ...others]);
}
