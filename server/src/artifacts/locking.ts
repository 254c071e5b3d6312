import { isObject } from '../kernel/values.ts';
import type { Transaction } from '../storage/index.ts';
import { findNeighbourIds } from './references.ts';
import { findLinks } from './store.ts';

function idsIn(wish: unknown): number[] {
  return (Array.isArray(wish) ? wish : [wish]).flatMap((item) => {
    const id = isObject(item) ? Number(item['id']) : 0;
    return Number.isSafeInteger(id) && id > 0 ? [id] : [];
  });
}

/** The artifacts that get or lose a link if these entries are accepted. */
async function linkedAnew(tx: Transaction, id: number, entries: readonly unknown[]): Promise<number[]> {
  const wishes = entries.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { links, all_links: all, parent } = entry;
    return [links, all, parent].filter((wish) => wish !== undefined && wish !== null);
  });
  if (wishes.length === 0) return [];
  const linked = new Set(id === 0 ? [] : (await findLinks(tx, [id])).map((link) => link.id));
  return [...new Set(wishes.flatMap(idsIn)).symmetricDifference(linked)];
}

/** What a text may refer to: every number behind a `#`. */
function namedIn(text: unknown): number[] {
  if (typeof text !== 'string') return [];
  return [...text.matchAll(/#(\d{1,15})(?!\d)/g)].map(([, digits]) => Number(digits));
}

const contentOf = (entry: unknown) => {
  const value = isObject(entry) ? entry['value'] : undefined;
  return isObject(value) ? value['content'] : value;
};

const closesSight = (entry: unknown) =>
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

/**
 * Locks an artifact (0: one that is being made) together with all that a change of it may touch, in the order of their
 * ids: whoever changes several artifacts that are linked to each other would else wait for the other in a circle. Reads
 * the request as it came, so that it may lock too many; what it misses is found out by the database and tried again.
 */
export async function lockAround(
  tx: Transaction,
  id: number,
  { entries, comment = '', hasSums }: { entries: readonly unknown[]; comment?: string; hasSums: boolean },
): Promise<void> {
  if (!tx.locksRows) return;
  const named = [...entries.map(contentOf), comment].flatMap(namedIn);
  const around = id !== 0 && entries.some(closesSight) ? await findNeighbourIds(tx, id) : [];
  const linked = await linkedAnew(tx, id, entries);
  const sums = hasSums && entries.length > 0 ? await summedIn(tx, [id, ...linked]) : [];
  const ids = new Set([...linked, ...named, ...around, ...sums]);
  if (ids.size === 0) return;
  const all = tx.sql.selectFrom('artifact').select('id').orderBy('id');
  await tx.lock(all.where('id', 'in', [...ids.add(id)]));
}
