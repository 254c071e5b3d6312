import { contains, sql } from '../../../storage/index.ts';
import { IdSet } from '../id-set.ts';
import { askWords } from '../postings/index.ts';
import { isReadable } from '../predicates.ts';
import type { SearchRun, TextLeaf } from '../search-index.ts';
import { all, joined, type SqlPiece } from '../sql.ts';

/** The artifacts of the rows of a table that meet the conditions. */
async function artifactsIn(
  { readContext, clock }: SearchRun,
  table: 'artifact_text' | 'comment_text',
  ...conditions: readonly SqlPiece[]
): Promise<IdSet> {
  clock.check();
  const [row] = await all<{ ids: string | null }>(
    readContext.reader,
    sql`select ${joined(sql`artifact_id`)} as ids from ${sql.raw(table)} where ${sql.join([...conditions], sql` and `)}`,
  );
  const found = new IdSet();
  found.addList(row?.ids ?? '');
  return found;
}

/** Looked up one by one: asked in the words that its index of parts knows, the database would ask that for all texts first. */
const isAmong = (some: IdSet, part: string) => [
  sql`artifact_id = any(${some.all()}::bigint[])`,
  sql`strpos(text, ${part}) > 0`,
];

/** Words tell who has a part that stands inside one. For all else the database looks, by its own index of the parts of texts. */
export async function findContaining(
  searchRun: SearchRun,
  { fieldId, part }: TextLeaf,
  within: IdSet,
): Promise<IdSet> {
  const look = (some: readonly SqlPiece[]) =>
    artifactsIn(searchRun, 'artifact_text', sql`field_id = ${fieldId}`, ...some);
  const everywhere = [contains('text', part)];
  if (within.size <= searchRun.limits.few) return look(isAmong(within, part));
  const told = await askWords(searchRun, { fieldId, part }, within);
  if (told === undefined) return look(everywhere);
  const { found, waiting, untold } = told;
  if (!waiting.isEmpty) found.addAll(await look(isAmong(waiting, part)));
  if (!untold.isEmpty) found.addAll((await look(everywhere)).and(untold));
  return found;
}

/** Those within alone, where they are few. */
export function findCommented(searchRun: SearchRun, part: string, within: IdSet): Promise<IdSet> {
  const some = within.size <= searchRun.limits.few ? isAmong(within, part) : [contains('text', part)];
  return artifactsIn(searchRun, 'comment_text', sql`${isReadable(searchRun.scope.view)}`, ...some);
}
