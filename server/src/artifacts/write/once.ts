import { day } from '../../kernel/clock.ts';
import { notFound, Refusal } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { readRevisions, type Transaction } from '../../storage/index.ts';
import type { WriteContext } from '../context.ts';
import { requireVisible, type WrittenArtifact } from '../read/index.ts';
import { findArtifact, findLinks } from '../store.ts';

/** By what a write is recognised that is sent once more. */
export interface RequestKey {
  readonly key: string;
  /** Stands for all that was asked for. */
  readonly digest: string;
}

/** A write that may carry such a key. */
export interface RepeatableWrite {
  readonly requestKey?: RequestKey | undefined;
}

/** Keys are remembered for so long. */
const remembered = day;

/** How what came of a write is kept and told again. */
interface Kept<Output> {
  keep(output: Output): unknown;
  tellAgain(kept: unknown, writeContext: WriteContext): Promise<Output>;
}

type Write<Input, Output> = (writeContext: WriteContext, input: Input) => Promise<Output>;

const isBefore = (at: number) => at < Date.now() - remembered;

/** Whether the key is new: then it is taken, and whoever comes with the same one waits for the end of this transaction. */
async function isNew(tx: Transaction, { userId }: Viewer, { key, digest }: RequestKey): Promise<boolean> {
  const own = tx.sql.deleteFrom('request_key').where('account_id', '=', userId).where('key', '=', key);
  await tx.write(own.where('made_at', '<', Date.now() - remembered));
  const row = { account_id: userId, key, digest, outcome: null, made_at: Date.now() };
  const insert = tx.sql.insertInto('request_key').values(row);
  return (await tx.run(insert.onConflict((conflict) => conflict.doNothing()))) > 0;
}

async function outcomeOf(tx: Transaction, { userId }: Viewer, { key, digest }: RequestKey): Promise<unknown> {
  const query = tx.sql.selectFrom('request_key').selectAll().where('account_id', '=', userId);
  const row = await tx.first(query.where('key', '=', key));
  if (row === undefined || isBefore(row.made_at) || row.outcome === null)
    throw new Refusal('unavailable', 'A request with the same Idempotency-Key is being dealt with.', {
      retryAfter: 1,
    });
  if (row.digest !== digest)
    throw new Refusal('conflict', 'The Idempotency-Key was used for another request. Nothing was changed.');
  return JSON.parse(row.outcome);
}

/** The write, done once for a key; who sends the same again is told what came of it, and nothing is written. */
export const repeatable =
  <Input, Output>(
    write: Write<Input, Output>,
    { keep, tellAgain }: Kept<Output>,
  ): Write<Input & RepeatableWrite, Output> =>
  async (writeContext, input) => {
    const { requestKey } = input;
    if (requestKey === undefined) return write(writeContext, input);
    const { tx, viewer } = writeContext;
    if (!(await isNew(tx, viewer, requestKey)))
      return tellAgain(await outcomeOf(tx, viewer, requestKey), writeContext);
    const output = await write(writeContext, input);
    const own = tx.sql.updateTable('request_key').where('account_id', '=', viewer.userId);
    const outcome = JSON.stringify(keep(output) ?? null);
    await tx.write(own.set({ outcome }).where('key', '=', requestKey.key));
    return output;
  };

/** What is kept of a written artifact: the rest is read anew. */
interface KeptArtifact {
  readonly id: number;
  readonly changesetId: number | null;
}

const isKept = (kept: unknown): kept is KeptArtifact =>
  typeof kept === 'object' && kept !== null && 'id' in kept && typeof kept.id === 'number';

/**
 * A written artifact is told again as it is now. `isReference`: the answer names it and the tracker that it is in, and shows
 * nothing of it, so that it is enough to see that tracker.
 */
export const keptArtifact = ({ isReference }: { readonly isReference: boolean }): Kept<WrittenArtifact> => ({
  keep: ({ row: { id }, changesetId = null }): KeptArtifact => ({ id, changesetId }),
  async tellAgain(kept, { tx, viewer, trackers }) {
    const row = isKept(kept) ? await findArtifact(tx, kept.id) : undefined;
    if (row === undefined || !isKept(kept)) throw notFound('The artifact is gone meanwhile.');
    const revisions = await readRevisions(tx);
    if (isReference) await trackers.require(tx, viewer, row.tracker_id, revisions);
    else await requireVisible({ reader: tx, viewer, trackers, revisions }, row);
    const links = await findLinks(tx, [row.id]);
    return { row, revisions, links, released: [], changesetId: kept.changesetId ?? undefined };
  },
});

/** What is small and the same for everybody is kept as it is. */
export const keptWhole = <Output>(): Kept<Output> => ({
  keep: (output) => output,
  // It was written by `keep` of the same work.
  tellAgain: async (kept) => kept as Output,
});

/** A request whose parts are written each by itself. */
interface RequestInParts extends RepeatableWrite {
  readonly ids: readonly number[];
}

/**
 * What the parts of a request are. One that is sent again has those of the first time, whatever its search would find now; with
 * another body it is refused whole, before any of its parts is written.
 */
export const settleParts = repeatable(
  async (_: WriteContext, { ids }: RequestInParts): Promise<readonly number[]> => ids,
  keptWhole(),
);

/** Forgets keys whose time is over. */
export async function purgeRequestKeys(tx: Transaction): Promise<void> {
  await tx.write(tx.sql.deleteFrom('request_key').where('made_at', '<', Date.now() - remembered));
}
