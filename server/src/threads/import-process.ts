import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData } from 'node:worker_threads';
import type { ClaimedImport } from '../archive/index.ts';
import { second } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { Refusal, type RefusalData, unavailable } from '../kernel/errors.ts';

/** What the process that imports is told when it starts. */
export interface ImportOrder extends ClaimedImport {
  readonly config: Config;
}

/** And the last that it says. */
export type ImportProcessOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly refusal: RefusalData }
  | { readonly kind: 'failed'; readonly error: string };

const beginning = fileURLToPath(new URL('../../bin/process.mjs', import.meta.url));
/** Of what a process complained about, the end is kept for the log. */
const longestComplaint = 4000;

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly complaint: string;
}

function start({ importMemory }: Config): ChildProcess {
  const bundle = getEnvironmentData('bundle');
  return fork(beginning, ['importer', ...(typeof bundle === 'string' ? [bundle] : [])], {
    execArgv: [`--max-old-space-size=${importMemory}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // What a terminal sends to all of its processes is not meant for it, not even while it starts.
    detached: true,
  });
}

async function listen(child: ChildProcess, order: ImportOrder) {
  let outcome: ImportProcessOutcome | undefined;
  let complaint = '';
  child.on('message', (message: ImportProcessOutcome) => {
    outcome = message;
  });
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    complaint = (complaint + part).slice(-longestComplaint);
  });
  const ended = once(child, 'close');
  // One that ends before it has read its order is told of by its end.
  child.send(order, () => {});
  const [code, signal] = await ended;
  const ending: Ending = { code, signal, complaint };
  return { outcome, ending };
}

/** Why a process ended that had not come to an end, in words for whoever waits for the import. */
function deathOf({ code, signal, complaint }: Ending, { importMemory }: Config): Refusal {
  const cause = `It ended with ${signal ?? code}: ${complaint}`;
  if (signal === 'SIGABRT' || code === 134)
    return unavailable(
      `It needs more memory than the ${importMemory} MiB that an import may take (ATELIER_IMPORT_MEMORY).`,
      { cause },
    );
  if (signal !== null)
    return unavailable(`The process that imported it was ended by ${signal}, perhaps for want of memory.`, {
      cause,
    });
  return unavailable(`The process that imported it ended unexpectedly, with code ${code}.`, { cause });
}

/**
 * Runs one import in a process with a limit of memory and of time. Throws what kept the import from being done; the death of
 * the process is such a thing, and a stop of the service brings it about. What it began is then removed by whoever comes next.
 */
export async function importInProcess(
  config: Config,
  { seconds, ...claimed }: ClaimedImport & { readonly seconds: number },
  stopping: AbortSignal,
): Promise<void> {
  stopping.throwIfAborted();
  const child = start(config);
  let isLate = false;
  const end = () => child.kill('SIGKILL');
  const alarm = setTimeout(() => {
    isLate = true;
    end();
  }, seconds * second);
  stopping.addEventListener('abort', end);
  try {
    const { outcome, ending } = await listen(child, { ...claimed, config });
    if (isLate) throw unavailable(`It took longer than the ${seconds} seconds that an import may take.`);
    if (outcome === undefined) throw deathOf(ending, config);
    if (outcome.kind === 'refused') throw Refusal.fromData(outcome.refusal);
    if (outcome.kind === 'failed') throw new Error(outcome.error);
  } finally {
    clearTimeout(alarm);
    stopping.removeEventListener('abort', end);
  }
}
