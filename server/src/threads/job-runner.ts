import { second } from '../kernel/clock.ts';
import type { JobResult, Metrics } from '../kernel/metrics.ts';
import { type Database, doJob, findDueJobs, type JobOperations, type PeriodicJob } from '../storage/index.ts';
import { type FaultLog, JobFaults } from './job-faults.ts';

/**
 * Work that nobody waits for, done again and again, and never twice at once in one process.
 * `run` may throw: that is counted, and logged while it is new; the next run comes in its time. One that takes long looks at `stopping`
 * between its parts, and leaves the rest to whoever starts next.
 */
export interface Job<Deps> extends PeriodicJob {
  /** `platform`: one process does it for all, however many there are. `process`: every process does it for itself. */
  readonly scope: 'platform' | 'process';
  readonly run: (deps: Deps, stopping: AbortSignal) => Promise<unknown>;
}

/** What the runner itself works with. */
export interface RunnerDeps {
  readonly database: Database;
  readonly operations: JobOperations;
  readonly log: FaultLog;
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

/** How often is looked for jobs of the platform: more often than any is due, so that one that was cut off waits for nothing else. */
const lookPause = 5 * second;

/** Runs the jobs of a table, each by itself: none waits for another that takes long. */
export class JobRunner<Deps> {
  readonly #own: RunnerDeps;
  readonly #deps: Deps;
  readonly #ofProcess: readonly Job<Deps>[];
  readonly #ofPlatform: readonly Job<Deps>[];
  readonly #timers: NodeJS.Timeout[] = [];
  /** What runs now, by the name of the job. */
  readonly #running = new Map<string, Promise<void>>();
  /** Jobs that somebody wants once more as soon as their run is over. */
  readonly #wanted = new Set<string>();
  readonly #stop = new AbortController();
  readonly #faults: JobFaults;

  constructor(jobs: readonly Job<Deps>[], deps: Deps, own: RunnerDeps) {
    this.#own = own;
    this.#faults = new JobFaults(own.log);
    this.#deps = deps;
    this.#ofPlatform = jobs.filter(({ scope }) => scope === 'platform');
    const look = () => this.#runDue();
    this.#ofProcess = [
      ...jobs.filter(({ scope }) => scope === 'process'),
      { name: 'look-for-due-jobs', every: lookPause, scope: 'process', run: look },
    ];
  }

  /** Runs everything that is due, and goes on with it until the stop. */
  start(): void {
    for (const job of this.#ofProcess) {
      this.#begin(job);
      this.#timers.push(setInterval(() => this.#begin(job), job.every));
    }
  }

  /** Runs a job of this process ahead of its time; if it runs already, once more right afterwards. */
  wake(name: string): void {
    const job = this.#ofProcess.find((one) => one.name === name);
    if (job === undefined) throw new Error(`No job of this process is called ${name}.`);
    if (this.#running.has(name)) this.#wanted.add(name);
    else this.#begin(job);
  }

  /**
   * Nothing begins any more, and what runs is told to end and waited for: for so many milliseconds at the most. What is not
   * over by then is cut off with the process, and done by whoever starts next.
   */
  async stop(patience: number): Promise<void> {
    this.#stop.abort();
    for (const timer of this.#timers) clearInterval(timer);
    const { promise: isEnough, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patience);
    await Promise.race([Promise.all(this.#running.values()), isEnough]);
    clearTimeout(timer);
  }

  #begin(job: Job<Deps>): void {
    const { name } = job;
    if (this.#stop.signal.aborted || this.#running.has(name)) return;
    const run = this.#run(job).finally(() => {
      this.#running.delete(name);
      if (this.#wanted.delete(name)) this.#begin(job);
    });
    this.#running.set(name, run);
  }

  /** One run, from which nothing is thrown. */
  async #run(job: Job<Deps>): Promise<void> {
    const begun = performance.now();
    let result: JobResult | undefined = 'failed';
    try {
      result = (await this.#perform(job)) ? 'done' : undefined;
      if (result === 'done') this.#faults.worked(job.name);
    } catch (error) {
      this.#tell(job, error);
    }
    if (result !== undefined)
      this.#own.metrics.jobEnded(job.name, result, (performance.now() - begun) / second);
  }

  /** Tells whether it was done here. */
  async #perform(job: Job<Deps>): Promise<boolean> {
    const work = async () => job.run(this.#deps, this.#stop.signal);
    if (job.scope === 'platform') return doJob(this.#own.operations, job, work);
    await work();
    return true;
  }

  #tell({ name }: Job<Deps>, error: unknown): void {
    // What is cut off by a stop is done by whoever starts next.
    if (!this.#stop.signal.aborted) this.#faults.failed(name, error);
  }

  async #runDue(): Promise<void> {
    this.#own.database.renew();
    for (const job of await findDueJobs(this.#own.database, this.#ofPlatform)) this.#begin(job);
  }
}
