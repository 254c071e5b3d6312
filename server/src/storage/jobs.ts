import { hour, isWaitOver, minute } from '../kernel/clock.ts';
import { holderHere, isGone } from '../kernel/holder.ts';
import { systemViewer, type Viewer } from '../kernel/viewer.ts';
import { blobOperations } from './blobs/index.ts';
import type { Calls } from './calls.ts';
import type { Reader, Transaction } from './database.ts';
import { eventLogOperations } from './event-log.ts';
import { statement } from './statement.ts';
import type { Tables } from './tables.ts';

/** Work that is done again and again, by one thread of one process at a time. */
export interface PeriodicJob {
  readonly name: string;
  /** Milliseconds between the end of a run and the beginning of the next. */
  readonly every: number;
}

/** For so long a job is left to whoever claimed it, unless they say that they go on. */
const lease = (3 * minute) / 4;
const signPause = lease / 3;

/** A job that failed is tried again after this time, or its usual one, whichever is shorter. */
const pauseAfterFailure = hour;

type JobRow = Tables['job'];

/** Whether somebody works on it, as far as anybody can tell. */
const isHeld = ({ holder, held_until }: JobRow) =>
  holder !== null && !isGone(holder) && !isWaitOver(held_until, lease);

const isDue = (row: JobRow, every: number) =>
  row.holder === null ? isWaitOver(row.due_at, every) : !isHeld(row);

const allJobs = statement((sql) => sql.selectFrom('job').selectAll());

/** Those of the jobs that are due, told without writing. */
export async function findDueJobs<Job extends PeriodicJob>(
  reader: Reader,
  jobs: readonly Job[],
): Promise<Job[]> {
  const rows = new Map((await reader.all(allJobs, {})).map((row) => [row.name, row]));
  return jobs.filter(({ name, every }) => {
    const row = rows.get(name);
    return row === undefined || isDue(row, every);
  });
}

/**
 * Claims the next run of a job. Of all threads and processes that ask, one gets it; the others are told no until it is
 * settled and its pause is over, or whoever claimed it must have died.
 */
async function claimJob(
  tx: Transaction,
  _: Viewer,
  { name, every, holder }: PeriodicJob & { readonly holder: string },
): Promise<boolean> {
  const insert = tx.sql.insertInto('job').values({ name, due_at: 0, holder: null, held_until: 0 });
  await tx.run(insert.onConflict((conflict) => conflict.column('name').doNothing()));
  const [row] = await tx.lock(tx.sql.selectFrom('job').selectAll().where('name', '=', name));
  if (row === undefined || !isDue(row, every)) return false;
  const claim = tx.sql.updateTable('job').set({ holder, held_until: Date.now() + lease });
  await tx.run(claim.where('name', '=', name));
  return true;
}

/** Tells that whoever claimed the job goes on. */
async function keepJob(
  tx: Transaction,
  _: Viewer,
  { name, holder }: { readonly name: string; readonly holder: string },
): Promise<void> {
  const keep = tx.sql.updateTable('job').set({ held_until: Date.now() + lease });
  await tx.run(keep.where('name', '=', name).where('holder', '=', holder));
}

/** The run is over; the next one is due after the pause. One that somebody else has taken over is left to them. */
async function settleJob(
  tx: Transaction,
  _: Viewer,
  { name, pause, holder }: { readonly name: string; readonly pause: number; readonly holder: string },
): Promise<void> {
  const settle = tx.sql.updateTable('job').set({ due_at: Date.now() + pause, holder: null });
  await tx.run(settle.where('name', '=', name).where('holder', '=', holder));
}

/** Writes something that nobody needs, which shows that something can be written; `Database.requireRoom` tells whether there is room for more. */
async function proveWritable(tx: Transaction, _: Viewer, __: undefined): Promise<void> {
  const proof = { name: 'prove-writable', due_at: Date.now(), holder: null, held_until: 0 };
  const insert = tx.sql.insertInto('job').values(proof);
  await tx.run(
    insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ due_at: proof.due_at })),
  );
}

const jobOperations = { claimJob, keepJob, settleJob };
export type JobOperations = Calls<typeof jobOperations>;

/**
 * Does a job if it is due, and tells whether it was done here. One that is cut off in the middle is due again within a
 * minute, wherever that happens.
 */
export async function doJob(
  { claimJob: claim, keepJob: keep, settleJob: settle }: JobOperations,
  { name, every }: PeriodicJob,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const holder = holderHere;
  if (!(await claim(systemViewer, { name, every, holder }))) return false;
  // One that is not heard may be taken over: better twice than not at all.
  const signs = setInterval(() => void keep(systemViewer, { name, holder }).catch(() => {}), signPause);
  let next = Math.min(every, pauseAfterFailure);
  try {
    await work();
    next = every;
  } finally {
    clearInterval(signs);
    await settle(systemViewer, { name, pause: next, holder });
  }
  return true;
}

export const storageOperations = {
  ...jobOperations,
  proveWritable,
  ...blobOperations,
  ...eventLogOperations,
};
