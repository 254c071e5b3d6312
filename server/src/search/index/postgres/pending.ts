import { sql, statement, type Transaction } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { blockSize } from '../id-set.ts';
import type { Merge, WordPlace } from '../search-index.ts';

/*
 * What changed, for the postings. Every change adds notes of its own, which the database numbers: transactions that change what the same
 * artifact is found by do not wait for each other. A merge forgets exactly those that it has seen.
 */

const pend = statement((builder, p: { ids: readonly number[] }) => ({
  compile: () =>
    sql<unknown>`insert into search_pending (artifact_id) select unnest(${p.ids}::bigint[])`.compile(builder),
}));

const pendWordsOf = statement((builder, p: { ids: readonly number[] }) => ({
  compile: () =>
    sql<unknown>`insert into word_pending (id) select unnest(${p.ids}::bigint[])`.compile(builder),
}));

const pendBoth = statement((builder, p: { ids: readonly number[]; texts: readonly number[] }) => ({
  compile: () =>
    sql<unknown>`with texts as (insert into word_pending (id) select unnest(${p.texts}::bigint[]))
      insert into search_pending (artifact_id) select unnest(${p.ids}::bigint[])`.compile(builder),
}));

/** The database itself knows the parts of texts; only words are derived. Comments have none. */
const withWords = (textIds: readonly number[]) => textIds.filter((id) => id >= textId(1, 0));

/** A search asks rows about these artifacts until they are merged. */
export async function noteChanged(
  tx: Transaction,
  ids: readonly number[],
  textIds: readonly number[] = [],
): Promise<void> {
  const texts = withWords(textIds);
  if (ids.length === 0) await noteTexts(tx, texts);
  else if (texts.length === 0) await tx.write(pend, { ids });
  else await tx.write(pendBoth, { ids, texts });
}

export async function noteTexts(tx: Transaction, textIds: readonly number[]): Promise<void> {
  const ids = withWords(textIds);
  if (ids.length > 0) await tx.write(pendWordsOf, { ids });
}

const run = (tx: Transaction, query: ReturnType<typeof sql<unknown>>) =>
  tx.write({ compile: () => query.compile(tx.sql) });

export function settle(tx: Transaction, notes: Merge['artifacts']): Promise<void> {
  const ids = notes.map(([id]) => id);
  const tickets = notes.map(([, ticket]) => ticket);
  return run(
    tx,
    sql`delete from search_pending using unnest(${ids}::bigint[], ${tickets}::bigint[]) as merged (id, number)
      where artifact_id = merged.id and ticket = merged.number`,
  );
}

export function pendBlock(tx: Transaction, block: number): Promise<void> {
  const [from, to] = [block * blockSize, (block + 1) * blockSize];
  return run(
    tx,
    sql`insert into search_pending (artifact_id) select id from artifact where id >= ${from} and id < ${to}`,
  );
}

export function pendWords(tx: Transaction, { fieldId, block }: WordPlace): Promise<void> {
  const [from, to] = [block * blockSize, (block + 1) * blockSize];
  return run(
    tx,
    sql`insert into word_pending (id) select ${textId(fieldId, 0)}::bigint + artifact_id from artifact_text
      where field_id = ${fieldId} and artifact_id >= ${from} and artifact_id < ${to}`,
  );
}

export function settleWords(
  tx: Transaction,
  { fieldId, block }: WordPlace,
  tickets: readonly number[],
): Promise<void> {
  const from = textId(fieldId, block * blockSize);
  return run(
    tx,
    sql`delete from word_pending where id >= ${from} and id < ${from + blockSize}
      and ticket = any(${tickets}::bigint[])`,
  );
}

/** For a database in which nothing is merged yet: rows tell of all artifacts and texts until they are. */
export async function pendEverything(tx: Transaction): Promise<void> {
  await run(tx, sql`insert into search_pending (artifact_id) select id from artifact`);
  await run(
    tx,
    sql`insert into word_pending (id) select field_id * ${textId(1, 0)}::bigint + artifact_id from artifact_text`,
  );
}
