import type { Viewer } from '../../kernel/viewer.ts';
import { noteChanged } from '../../search/index.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import type { ParentChange } from '../../trackers/index.ts';
import { raiseRelatedVersions } from '../store.ts';
import { childType } from './plan.ts';

/** Links from artifacts of one tracker to those of another that are to be of one type. */
interface Retyping {
  readonly parentId: number;
  readonly childId: number;
  /** `_is_child`; empty where they are children no more. */
  readonly type: string;
  /** Artifacts of the parent tracker up to this one are done. */
  readonly afterId: number;
}

/** Artifacts whose links are looked at in one transaction. */
const atOnce = 200;

async function nextArtifacts(tx: Transaction, { parentId, afterId }: Retyping): Promise<number[]> {
  const query = tx.sql.selectFrom('artifact').select('id').where('tracker_id', '=', parentId);
  const rows = await tx.all(query.where('id', '>', afterId).orderBy('id').limit(atOnce));
  return rows.map(({ id }) => id);
}

/** Those of their links that have another type than they shall have. */
async function linksToChange(tx: Transaction, { childId, type }: Retyping, ids: readonly number[]) {
  const links = tx.sql
    .selectFrom('artifact_link')
    .innerJoin('artifact', 'artifact.id', 'artifact_link.target_id')
    .select(['artifact_link.source_id', 'artifact_link.target_id'])
    .where('artifact_link.source_id', 'in', ids)
    .where('artifact.tracker_id', '=', childId);
  return tx.all(
    type === childType
      ? links.where('artifact_link.type', '<>', childType)
      : links.where('artifact_link.type', '=', childType),
  );
}

/** Retypes the links of some artifacts; gives the last of them, undefined when there were no more. History stays. */
async function retypeSome(tx: Transaction, retyping: Retyping): Promise<number | undefined> {
  const ids = await nextArtifacts(tx, retyping);
  if (ids.length === 0) return undefined;
  const found = await linksToChange(tx, retyping, ids);
  const sources = [...new Set(found.map(({ source_id }) => source_id))];
  if (sources.length > 0 && tx.locksRows)
    await tx.lock(tx.sql.selectFrom('artifact').select('id').where('id', 'in', sources).orderBy('id'));
  // Read again: whoever held one of them may have changed its links.
  const links = tx.locksRows && sources.length > 0 ? await linksToChange(tx, retyping, sources) : found;
  for (const [source, some] of Map.groupBy(links, ({ source_id }) => source_id)) {
    const change = tx.sql.updateTable('artifact_link').set({ type: retyping.type });
    const targets = some.map(({ target_id }) => target_id);
    await tx.write(change.where('source_id', '=', source).where('target_id', 'in', targets));
  }
  const ends = links.flatMap(({ source_id, target_id }) => [source_id, target_id]);
  await raiseRelatedVersions(tx, ends);
  await noteChanged(tx, ends);
  return ids.length < atOnce ? undefined : ids.at(-1);
}

/** Retypes what can be retyped at once, and leaves the rest to `retypeLinks`. */
async function begin(tx: Transaction, retyping: Retyping): Promise<void> {
  const { parentId, childId, type } = retyping;
  const superseded = tx.sql.deleteFrom('link_retyping').where('parent_id', '=', parentId);
  await tx.write(superseded.where('child_id', '=', childId));
  const after_id = await retypeSome(tx, retyping);
  if (after_id === undefined) return;
  const rest = { parent_id: parentId, child_id: childId, type, after_id };
  await tx.write(tx.sql.insertInto('link_retyping').values(rest));
}

/** Links to artifacts of a tracker are those to children as long as theirs is its parent. */
export async function parentChanged(
  tx: Transaction,
  _viewer: Viewer,
  { trackerId: childId, formerParentId, parentId }: ParentChange,
): Promise<void> {
  if (formerParentId !== null) await begin(tx, { parentId: formerParentId, childId, type: '', afterId: 0 });
  if (parentId !== null) await begin(tx, { parentId, childId, type: childType, afterId: 0 });
}

export async function hasLinksToRetype(reader: Reader): Promise<boolean> {
  return (await reader.first(reader.sql.selectFrom('link_retyping').select('id').limit(1))) !== undefined;
}

/** Goes on where the last one stopped; tells whether there is more to do. */
export async function retypeLinks(tx: Transaction, _viewer: Viewer, _input: undefined): Promise<boolean> {
  const [row] = await tx.lock(tx.sql.selectFrom('link_retyping').selectAll().orderBy('id').limit(1));
  if (row === undefined) return false;
  const { id, parent_id: parentId, child_id: childId, type, after_id: afterId } = row;
  const after_id = await retypeSome(tx, { parentId, childId, type, afterId });
  if (after_id === undefined) await tx.write(tx.sql.deleteFrom('link_retyping').where('id', '=', id));
  else await tx.write(tx.sql.updateTable('link_retyping').set({ after_id }).where('id', '=', id));
  return true;
}
