import { type Reader, type SqlBuilder, statement, type Transaction } from '../storage/index.ts';

/*
 * What temporary files of somebody come to is kept, since each chunk asks for it: adding them up takes the longer the more there are.
 * Every file that becomes temporary, grows or is so no more is told to `changeUsage`. Whoever changes a file has locked it before: the
 * row of the sums is locked last, and until the transaction ends.
 */

/** How many temporary files somebody has, and how large they are together. */
export interface Usage {
  readonly files: number;
  readonly bytes: number;
}

interface UsageChange extends Usage {
  readonly owner: number;
}

const changedUsage = statement((sql, p: UsageChange) =>
  sql
    .insertInto('temporary_usage')
    .values({ account_id: p.owner, files: p.files, bytes: p.bytes })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((row) => ({
        files: row('temporary_usage.files', '+', p.files),
        bytes: row('temporary_usage.bytes', '+', p.bytes),
      })),
    )
    .returning(['files', 'bytes']),
);

/** Adds to what temporary files of somebody come to, and gives that, those included that expired. */
export async function changeUsage(tx: Transaction, change: UsageChange): Promise<Usage> {
  const [usage] = await tx.all(changedUsage, change);
  if (usage === undefined) throw new Error('The usage was not kept.');
  return usage;
}

/** A file that is temporary no more. */
interface FormerFile {
  readonly owner: number;
  readonly size: number;
}

/** Takes files out that are temporary no more. */
export async function lowerUsage(tx: Transaction, files: readonly FormerFile[]): Promise<void> {
  // In one order, so that no two wait for each other.
  const owners = [...new Set(files.map(({ owner }) => owner))].sort((a, b) => a - b);
  for (const owner of owners) {
    const sizes = files.filter((file) => file.owner === owner).map(({ size }) => size);
    await changeUsage(tx, {
      owner,
      files: -sizes.length,
      bytes: -sizes.reduce((sum, size) => sum + size, 0),
    });
  }
}

const expiredOf = (sql: SqlBuilder, owner: number, now: number) =>
  sql
    .selectFrom('attachment')
    .where('submitted_by', '=', owner)
    .where('state', '=', 'temporary')
    .where('expires_at', '<=', now)
    .select(({ fn }) => [fn.countAll<number>().as('gone'), fn.sum<number | null>('size').as('gone_bytes')]);

const usageOf = statement((sql, p: { owner: number; now: number }) =>
  sql
    .selectFrom('temporary_usage')
    .innerJoin(expiredOf(sql, p.owner, p.now).as('expired'), (join) => join.onTrue())
    .select(['files', 'bytes', 'gone', 'gone_bytes'])
    .where('account_id', '=', p.owner),
);

/** What the temporary files of somebody come to; those that expired are not theirs any more, removed or not. */
export async function readUsage(reader: Reader, owner: number): Promise<Usage> {
  const row = await reader.first(usageOf, { owner, now: Date.now() });
  if (row === undefined) return { files: 0, bytes: 0 };
  return { files: row.files - row.gone, bytes: row.bytes - (row.gone_bytes ?? 0) };
}
