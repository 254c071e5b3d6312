import { histogramSamples, labelText, type Metric, metricText, type Sample } from './metric-text.ts';
import { NamedRows, slotsOf, sumsByName } from './named-rows.ts';

/** Upper bounds of the latency buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** What is counted beside requests, and what it means. */
const occasions = {
  mails_sent: 'Mails that the mail server took.',
  mails_given_up: 'Mails that the mail server refused for good, or for a day.',
  mail_attempts_failed: 'Tries to send a mail that failed, whether or not there are more.',
  webhook_deliveries_made: 'Deliveries that receivers of webhooks took.',
  webhook_deliveries_given_up: 'Deliveries that a receiver refused for a day, or that must not be made.',
  webhook_attempts_failed: 'Tries to deliver to a webhook that failed, whether or not there are more.',
  webhook_receivers_given_up:
    'Receivers of webhooks that took nothing for a day, so that their webhook was switched off.',
  answers_cut: 'Answers that were cut, because their callers did not take them.',
  streams_cut: 'Streams of events that were cut, because whoever listens did not read.',
  answers_put_off:
    'Answers that were refused for now, because others held all the memory that there is for them.',
  events_given_up: 'Events of which nobody could be told, because of a fault that lasted a day.',
  long_searches: 'Searches that were not done in one turn, so that they began once more among long ones.',
  reads_from_replicas: 'Requests whose data were read from a replica of the database.',
  reads_from_database:
    'Requests that could have been read from a replica, had it been there and far enough, and were read from the database itself.',
  svn_commits: 'Commits to Subversion repositories that were made.',
  svn_commits_refused: 'Commits and other changes of Subversion repositories that a rule refused.',
} as const;
export type CountedOccasion = keyof typeof occasions;
const occasionNames = Object.keys(occasions);

/** What goes up and down. */
const gauges = {
  requestsRunning: { name: 'http_requests_running', help: 'Requests being answered now.' },
  connections: { name: 'http_connections', help: 'Connections to the service.' },
  eventStreams: { name: 'event_streams', help: 'Streams of events that are open.' },
  writerQueue: {
    name: 'writer_queue_length',
    help: 'Changes that wait for the writer thread or run in it. On PostgreSQL there is none.',
  },
  searchQueue: { name: 'search_queue_length', help: 'Searches that wait or run, long ones as well.' },
  longSearchQueue: { name: 'long_search_queue_length', help: 'Searches that wait or run among long ones.' },
  mailsWaiting: { name: 'mails_waiting', help: 'Mails that are still to be sent.' },
  deliveriesWaiting: {
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries to webhooks that are still to be made.',
  },
  eventsWaiting: {
    name: 'events_waiting',
    help: 'Changes of which nobody was told yet: mails and deliveries are still to be made of them.',
  },
  connectionsUsed: {
    name: 'postgres_connections',
    help: 'Connections to PostgreSQL.',
    labels: { state: 'used' },
  },
  connectionsIdle: {
    name: 'postgres_connections',
    help: 'Connections to PostgreSQL.',
    labels: { state: 'idle' },
  },
  connectionsAwaited: {
    name: 'postgres_connections_awaited',
    help: 'Statements and transactions that wait for a connection to PostgreSQL.',
  },
  replicasUsed: {
    name: 'postgres_replicas',
    help: 'Replicas of the database, by whether they are read from.',
    labels: { state: 'used' },
  },
  replicasLeftOut: {
    name: 'postgres_replicas',
    help: 'Replicas of the database, by whether they are read from.',
    labels: { state: 'left_out' },
  },
} as const;
export type Gauge = keyof typeof gauges;
const gaugeNames = Object.keys(gauges);

/** Threads that are replaced when they die. */
const replaceable = ['http', 'searcher', 'long-searcher', 'background'] as const;
export type ReplaceableThread = (typeof replaceable)[number];

const jobResults = ['done', 'failed'] as const;
export type JobResult = (typeof jobResults)[number];

/** Of each route and method: requests by class, buckets, sum of seconds. */
const routeShape = { rows: 1024, width: classes.length + bounds.length + 2 };
const routeBuckets = classes.length;
const routeSum = routeShape.width - 1;
/** Of each job: runs by result, sum of seconds. */
const jobShape = { rows: 64, width: jobResults.length + 1 };

/** One thread's part of the memory. */
const firstOccasion = 0;
const replaced = firstOccasion + occasionNames.length;
const firstGauge = replaced + replaceable.length;
const firstRoute = firstGauge + gaugeNames.length;
const firstJob = firstRoute + slotsOf(routeShape);
const slots = firstJob + slotsOf(jobShape);

/**
 * Counters in memory that all threads share, so that whichever thread is asked tells about the whole process. Each
 * thread writes only its own part.
 */
export class Metrics {
  readonly #all: Float64Array;
  readonly #own: Float64Array;
  readonly #routes: NamedRows;
  readonly #jobs: NamedRows;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.#all = new Float64Array(memory);
    this.#own = this.#partOf(thread);
    this.#routes = routesIn(this.#own);
    this.#jobs = jobsIn(this.#own);
    // A thread that died in this place took what ran and waited in it along.
    this.#own.fill(0, firstGauge, firstRoute);
  }

  /** For that many threads that count something. */
  static createMemory(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer(threads * slots * Float64Array.BYTES_PER_ELEMENT);
  }

  #partOf(thread: number): Float64Array {
    return this.#all.subarray(thread * slots, (thread + 1) * slots);
  }

  /** A thread died, and another took its place. */
  threadReplaced(kind: ReplaceableThread): void {
    this.#add(replaced + replaceable.indexOf(kind), 1);
  }

  #add(slot: number, amount: number): void {
    this.#own[slot] = (this.#own[slot] ?? 0) + amount;
  }

  began(): void {
    this.#add(firstGauge, 1);
  }

  /** `label`: method and pattern of a route. There are few of them, whatever somebody asks for. */
  ended(label: string, status: number, seconds: number): void {
    this.#add(firstGauge, -1);
    const row = this.#routes.startOf(label);
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    this.#routes.add(row + Math.floor(status / 100) - 1, 1);
    this.#routes.add(row + routeBuckets + (bucket === -1 ? bounds.length : bucket), 1);
    this.#routes.add(row + routeSum, seconds);
  }

  jobEnded(job: string, result: JobResult, seconds: number): void {
    const row = this.#jobs.startOf(job);
    this.#jobs.add(row + jobResults.indexOf(result), 1);
    this.#jobs.add(row + jobResults.length, seconds);
  }

  count(occasion: CountedOccasion): void {
    this.#add(firstOccasion + occasionNames.indexOf(occasion), 1);
  }

  /** How it is in this thread now; others have theirs. */
  set(values: Partial<Readonly<Record<Gauge, number>>>): void {
    for (const [name, value] of Object.entries(values))
      this.#own[firstGauge + gaugeNames.indexOf(name)] = value;
  }

  #total(slot: number): number {
    let total = 0;
    for (let index = slot; index < this.#all.length; index += slots) total += this.#all[index] ?? 0;
    return total;
  }

  #parts(): Float64Array[] {
    return Array.from({ length: this.#all.length / slots }, (_, thread) => this.#partOf(thread));
  }

  #requestMetrics(): Metric[] {
    const sums = sumsByName(this.#parts().map(routesIn), routeShape);
    const rows = sums.map(([label, values]) => ({ labels: labelText(routeLabels(label)), values }));
    return [
      {
        name: 'atelier_http_requests_total',
        type: 'counter',
        help: 'Requests answered, by method, route and class of status.',
        samples: rows.flatMap(({ labels, values }) =>
          classes.flatMap((status, index): Sample[] => {
            const value = values[index] ?? 0;
            return value === 0 ? [] : [{ labels: `${labels},status="${status}"`, value }];
          }),
        ),
      },
      {
        name: 'atelier_http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the request to the end of the answer, by method and route.',
        samples: rows.flatMap(({ labels, values }) =>
          histogramSamples(bounds, values.slice(routeBuckets, routeSum), values[routeSum] ?? 0, labels),
        ),
      },
    ];
  }

  #jobMetrics(): Metric[] {
    const sums = sumsByName(this.#parts().map(jobsIn), jobShape);
    return [
      {
        name: 'atelier_job_runs_total',
        type: 'counter',
        help: 'Runs of jobs in the background that ended, by result.',
        samples: sums.flatMap(([job, values]) =>
          jobResults.map((result, index) => ({
            labels: labelText({ job, result }),
            value: values[index] ?? 0,
          })),
        ),
      },
      {
        name: 'atelier_job_duration_seconds',
        type: 'summary',
        help: 'Time that runs of jobs in the background took.',
        samples: sums.flatMap(([job, [done = 0, failed = 0, sum = 0]]) => [
          { suffix: '_sum', labels: labelText({ job }), value: sum },
          { suffix: '_count', labels: labelText({ job }), value: done + failed },
        ]),
      },
    ];
  }

  #occasionMetrics(): Metric[] {
    return Object.entries(occasions).map(([name, help], index) => ({
      name: `atelier_${name}_total`,
      type: 'counter',
      help,
      samples: [{ value: this.#total(firstOccasion + index) }],
    }));
  }

  #gaugeMetrics(): Metric[] {
    const all: { name: string; help: string; labels?: Readonly<Record<string, string>> }[] =
      Object.values(gauges);
    const sampled = all.map(({ name, help, labels = {} }, index) => ({
      name,
      help,
      sample: { labels: labelText(labels), value: this.#total(firstGauge + index) },
    }));
    return [...Map.groupBy(sampled, ({ name }) => name)].map(([name, group]) => ({
      name: `atelier_${name}`,
      type: 'gauge',
      help: group[0]?.help ?? '',
      samples: group.map(({ sample }) => sample),
    }));
  }

  #threadMetrics(): Metric[] {
    return [
      {
        name: 'atelier_threads_replaced_total',
        type: 'counter',
        help: 'Threads that died and were replaced.',
        samples: replaceable.map((thread, index) => ({
          labels: labelText({ thread }),
          value: this.#total(replaced + index),
        })),
      },
    ];
  }

  /** The text that Prometheus reads. */
  render(): string {
    return metricText([
      ...this.#requestMetrics(),
      ...this.#gaugeMetrics(),
      ...this.#occasionMetrics(),
      ...this.#jobMetrics(),
      ...this.#threadMetrics(),
      ...processMetrics(),
    ]);
  }
}

const routesIn = (part: Float64Array) =>
  new NamedRows(part.subarray(firstRoute, firstRoute + slotsOf(routeShape)), routeShape);
const jobsIn = (part: Float64Array) =>
  new NamedRows(part.subarray(firstJob, firstJob + slotsOf(jobShape)), jobShape);

/** A method that a route does not have, or a path that leads nowhere, has no name of its own. */
function routeLabels(label: string): { method: string; route: string } {
  const [, method, route] = /^([A-Z]+) (\/.*)$/.exec(label) ?? [];
  if (method !== undefined && route !== undefined) return { method, route };
  return { method: 'other', route: /^405 (\/.*)$/.exec(label)?.[1] ?? 'other' };
}

function processMetrics(): Metric[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const metric = (name: string, type: Metric['type'], help: string, value: number): Metric => ({
    ...{ name, type, help },
    samples: [{ value }],
  });
  return [
    metric('process_cpu_seconds_total', 'counter', 'Processor time of the process.', (user + system) / 1e6),
    metric('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rss),
    metric('atelier_thread_heap_bytes', 'gauge', 'Used heap of the answering thread.', heapUsed),
    metric(
      'process_start_time_seconds',
      'gauge',
      'When the process began, in seconds since 1970.',
      Math.round(Date.now() / 1000 - process.uptime()),
    ),
    metric('process_uptime_seconds', 'gauge', 'Seconds since the process began.', process.uptime()),
  ];
}
