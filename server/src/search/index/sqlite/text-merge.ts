import { type Reader, sql, statement, type Transaction } from '../../../storage/index.ts';
import { textId } from '../entries.ts';
import { all } from '../sql.ts';

/** Texts of one transaction, and their bytes, but for the last one: others wait meanwhile. */
const most = { texts: 500, bytes: 20_000 };

interface WaitingSize {
  readonly id: number;
  readonly bytes: number;
}

interface WaitingText {
  readonly id: number;
  /** Null where there is none any more. */
  readonly text: string | null;
}

/** As `textId` numbers them. */
const waiting = sql`from text_pending
  left join artifact_text on field_id = text_pending.id >> 32 and artifact_text.artifact_id = text_pending.id & 4294967295
  left join comment_text on changeset_id = text_pending.id`;

/** How long they are is told without reading them. */
const waitingSizes = sql`select text_pending.id as id,
  coalesce(octet_length(artifact_text.text), octet_length(comment_text.text), 0) as bytes ${waiting}
  order by text_pending.id limit ${sql.lit(most.texts)}`;

const waitingTexts = (last: number) => sql`select text_pending.id as id,
  coalesce(artifact_text.text, comment_text.text) as text ${waiting}
  where text_pending.id <= ${last} order by text_pending.id`;

/** The last of those that are taken in at once. */
function lastOf(sizes: readonly WaitingSize[]): number {
  let bytes = 0;
  for (const size of sizes) {
    bytes += size.bytes;
    if (bytes > most.bytes) return size.id;
  }
  return sizes.at(-1)?.id ?? -1;
}

const removePart = statement((builder, p: { id: number }) =>
  builder.deleteFrom('text_part').where('rowid', '=', p.id),
);

const insertPart = statement((builder, p: { id: number; text: string }) =>
  builder.insertInto('text_part').values({ rowid: p.id, text: p.text }),
);

const settled = statement((builder, p: { id: number }) =>
  builder.deleteFrom('text_pending').where('id', '=', p.id),
);

/** Comments have no words of their own. */
const hasWords = (id: number) => id >= textId(1, 0);

const pendWords = statement((builder, p: { id: number; ticket: number }) =>
  builder
    .insertInto('word_pending')
    .values({ id: p.id, ticket: p.ticket })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ticket: p.ticket })),
);

/** A number above all that were given before. */
async function nextTicket(tx: Transaction): Promise<number> {
  const [row] = await all<{ ticket: number }>(
    tx,
    sql`insert into word_block (field_id, block, build) values (0, 0, 1)
      on conflict (field_id, block) do update set build = word_block.build + 1 returning build as ticket`,
  );
  return row?.ticket ?? 0;
}

/** Takes some texts into the index of their parts. */
export async function mergeTexts(tx: Transaction): Promise<void> {
  const last = lastOf(await all<WaitingSize>(tx, waitingSizes));
  const texts = await all<WaitingText>(tx, waitingTexts(last));
  const ticket = await nextTicket(tx);
  for (const { id, text } of texts) {
    await tx.run(removePart, { id });
    if (text !== null) await tx.run(insertPart, { id, text });
    await tx.run(settled, { id });
    if (hasWords(id)) await tx.run(pendWords, { id, ticket });
  }
}

/** Whether there are more texts than this that the index of parts does not have. */
export async function hasTextsToMerge(reader: Reader, than: number): Promise<boolean> {
  const query = reader.sql.selectFrom('text_pending').select('id').limit(1).offset(than);
  return (await reader.first(query)) !== undefined;
}
