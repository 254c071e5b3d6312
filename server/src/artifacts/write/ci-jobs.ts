import { readSettings } from '../../identity/index.ts';
import { latestEnd, minute } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import type { Tracker } from '../../trackers/index.ts';

/** A job of a build server that a change asks for. */
export interface WantedJob {
  readonly url: string;
  /** The label of the value that the change leads to. */
  readonly state: string;
}

/** Hosts that may be called, as `host` or `host:port`. */
export const hostsIn = (setting: string): readonly string[] =>
  setting
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== '');

/** Whether the administrator allows calls to this address. A port that is not the usual one must be named, the usual one may be. */
export function isAllowedAddress(url: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { host, hostname, port, protocol } = new URL(url);
  const usual = `${hostname}:${protocol === 'https:' ? 443 : 80}`;
  return hosts.includes(host) || (port === '' && hosts.includes(usual));
}

const buildsByItself = /\/buildWithParameters[?/]/;

const addressOf = (url: string) => (buildsByItself.test(url) ? url : `${url}/build`);

function formOf(parameters: Readonly<Record<string, string | number>>): string {
  const list = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return new URLSearchParams({ json: JSON.stringify({ parameter: list }) }).toString();
}

/** Leaves the calls to whoever works them off once the change is stored; without any allowed host there are none. */
export async function queueJobs(
  tx: Transaction,
  { userId }: Viewer,
  { artifactId, tracker }: { artifactId: number; tracker: Tracker },
  jobs: readonly WantedJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  const hosts = hostsIn((await readSettings(tx)).run_job_hosts);
  const rows = jobs
    .filter(({ url }) => isAllowedAddress(url, hosts))
    .map(({ url, state }) => ({
      url: addressOf(url),
      body: formOf({
        userId,
        projectId: tracker.project.id,
        artifactId,
        trackerId: tracker.id,
        triggerFieldValue: state,
      }),
      attempts: 0,
      due_at: 0,
    }));
  if (rows.length > 0) await tx.write(tx.sql.insertInto('job_call').values(rows));
}

/** A call on its way. */
export interface JobCall {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
}

/** Calls that are taken at once. */
const mostCalls = 10;
/** How long a call that was taken is left to whoever took it. */
const lease = minute;
/** No call waits for longer, taken or to be tried again. */
const longestWait = 5 * minute;

/** Calls whose time has come, or that wait for one that was set before the clock was set back. */
export const dueCalls = ({ sql }: Pick<Reader, 'sql'>, now = Date.now()) =>
  sql
    .selectFrom('job_call')
    .where((call) => call.or([call('due_at', '<=', now), call('due_at', '>', latestEnd(longestWait, now))]));

/** Takes calls that are due: nobody else gets them until they are settled, or their taker must have died. */
export async function takeJobCalls(tx: Transaction, _viewer: Viewer, _input: undefined): Promise<JobCall[]> {
  const now = Date.now();
  const due = dueCalls(tx, now).select(['id', 'url', 'body', 'attempts']);
  const calls = await tx.lock(due.orderBy('id').limit(mostCalls));
  if (calls.length === 0) return [];
  const take = tx.sql
    .updateTable('job_call')
    .set((row) => ({ due_at: now + lease, attempts: row('attempts', '+', 1) }));
  const ids = calls.map(({ id }) => id);
  await tx.write(take.where('id', 'in', ids));
  return calls;
}

/** A call that was made is forgotten; one that was not is due again after a pause, or given up. */
export async function settleJobCall(
  tx: Transaction,
  _viewer: Viewer,
  { id, retryAt }: { id: number; retryAt: number | undefined },
): Promise<void> {
  const change =
    retryAt === undefined
      ? tx.sql.deleteFrom('job_call').where('id', '=', id)
      : tx.sql.updateTable('job_call').set({ due_at: retryAt }).where('id', '=', id);
  await tx.write(change);
}
