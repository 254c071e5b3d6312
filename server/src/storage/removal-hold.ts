import { randomUUID } from 'node:crypto';
import { isWaitOver, minute } from '../kernel/clock.ts';
import { Refusal } from '../kernel/errors.ts';
import { holderHere, isGone } from '../kernel/holder.ts';
import type { Database, Reader, Transaction } from './database.ts';
import { statement } from './statement.ts';

/*
 * Whoever copies what the rows of one state of the database point to, while others go on, asks that nothing of it is removed until
 * they are done. Rows may go meanwhile; bytes and folders wait. Several may ask at once.
 */

/** For so long nothing is removed, unless whoever asked says that they go on. */
const lease = (3 * minute) / 4;
const signPause = lease / 3;

const namedAs = 'hold-removals ';

const allHolds = statement((sql) =>
  sql.selectFrom('job').select(['name', 'holder', 'held_until']).where('name', 'like', `${namedAs}%`),
);

type Hold = Awaited<ReturnType<typeof findHolds>>[number];

const findHolds = (reader: Reader) => reader.all(allHolds, {});

const isOver = ({ holder, held_until }: Hold) =>
  holder === null || isGone(holder) || isWaitOver(held_until, lease);

/** Whether somebody needs all that was pointed to until now. */
export async function areRemovalsHeld(reader: Reader): Promise<boolean> {
  return (await findHolds(reader)).some((hold) => !isOver(hold));
}

const remove = (tx: Transaction, names: readonly string[]) =>
  tx.run(tx.sql.deleteFrom('job').where('name', 'in', names));

async function beginHold(tx: Transaction, name: string): Promise<void> {
  const over = (await findHolds(tx)).filter(isOver);
  if (over.length > 0)
    await remove(
      tx,
      over.map((hold) => hold.name),
    );
  const hold = { name, due_at: 0, holder: holderHere, held_until: Date.now() + lease };
  await tx.run(tx.sql.insertInto('job').values(hold));
}

const keepHold = (tx: Transaction, name: string) =>
  tx.run(
    tx.sql
      .updateTable('job')
      .set({ held_until: Date.now() + lease })
      .where('name', '=', name),
  );

/**
 * Lets work see everything that rows point to when it begins, for as long as it takes. Where the database takes no writes, because
 * its disk is full for example, the work is done all the same: hardly anything can be removed then.
 */
export async function holdRemovals<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const name = `${namedAs}${randomUUID()}`;
  const write = async (change: (tx: Transaction) => Promise<unknown>) => {
    await database.transaction(async (tx) => {
      await change(tx);
    });
  };
  try {
    await write((tx) => beginHold(tx, name));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return work();
  }
  const signs = setInterval(() => void write((tx) => keepHold(tx, name)).catch(() => {}), signPause);
  try {
    return await work();
  } finally {
    clearInterval(signs);
    // One that cannot be taken away is over by itself.
    await write((tx) => remove(tx, [name])).catch(() => {});
  }
}
