import { readSettings } from '../../identity/index.ts';
import { minute, second } from '../../kernel/clock.ts';
import type { Database } from '../../storage/index.ts';
import { dueCalls, hostsIn, isAllowedAddress, type JobCall } from './ci-jobs.ts';

/** Less than the time for which calls that were taken are left alone. */
const patience = 10 * second;
const mostAttempts = 3;

/** How a call ended, and when it is worth another try. */
export interface CallOutcome {
  readonly id: number;
  readonly retryAt: number | undefined;
  /** What went wrong, for the log. */
  readonly fault: string | undefined;
}

/** Whether there is anything to do, told without writing. */
export async function hasDueCalls(database: Database): Promise<boolean> {
  database.renew();
  return (await database.first(dueCalls(database).select('id').limit(1))) !== undefined;
}

const wordsOf = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** Where nobody was reached, the same call may be made again; where no answer came in time, it may have arrived. */
const mayRetry = (error: unknown, { attempts }: JobCall) =>
  error instanceof TypeError && attempts + 1 < mostAttempts;

/** Sends the form, follows nothing, and looks at the status alone. */
async function send({ url, body }: JobCall): Promise<string | undefined> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  });
  await answer.body?.cancel();
  return answer.ok ? undefined : `the answer had the status ${answer.status}`;
}

async function outcomeOf(call: JobCall, hosts: readonly string[]): Promise<CallOutcome> {
  const { id, url } = call;
  const done = { id, retryAt: undefined };
  if (!isAllowedAddress(url, hosts)) return { ...done, fault: 'the host is not allowed' };
  try {
    return { ...done, fault: await send(call) };
  } catch (error) {
    const retryAt = mayRetry(error, call) ? Date.now() + (call.attempts + 1) * minute : undefined;
    return { id, retryAt, fault: wordsOf(error) };
  }
}

/** Makes calls that were taken, all at once. */
export async function makeCalls(database: Database, calls: readonly JobCall[]): Promise<CallOutcome[]> {
  const hosts = hostsIn((await readSettings(database)).run_job_hosts);
  return Promise.all(calls.map((call) => outcomeOf(call, hosts)));
}
