/** Upper bounds of the latency buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** What is counted beside requests, and what it means. */
const occasions = {
  mails_sent: 'Mails that the mail server took.',
  mails_given_up: 'Mails that the mail server refused for good, or for a day.',
  webhook_deliveries_made: 'Deliveries that receivers of webhooks took.',
  webhook_deliveries_given_up: 'Deliveries that a receiver refused for a day, or that must not be made.',
  webhook_receivers_given_up:
    'Receivers of webhooks that took nothing for a day, so that their webhook was switched off.',
  answers_cut: 'Answers that were cut, because their callers did not take them.',
  answers_put_off:
    'Answers that were refused for now, because others held all the memory that there is for them.',
  events_given_up: 'Events of which nobody could be told, because of a fault that lasted a day.',
} as const;
export type Occasion = keyof typeof occasions;
const occasionNames = Object.keys(occasions);

/** Threads that are replaced when they die. */
const replaceable = ['http', 'searcher', 'long-searcher', 'background'] as const;
export type ReplaceableThread = (typeof replaceable)[number];

/**
 * One thread's part of the memory: requests by class, buckets, sum of seconds, requests running, occasions, threads
 * replaced.
 */
const layout = { classes: 0, buckets: classes.length, sum: classes.length + bounds.length + 1 } as const;
const running = layout.sum + 1;
const firstOccasion = running + 1;
const replaced = firstOccasion + occasionNames.length;
const slots = replaced + replaceable.length;

/**
 * Counters in memory that all threads share, so that whichever thread is asked tells about the whole process. Each
 * thread writes only its own part.
 */
export class Metrics {
  readonly #all: Float64Array;
  readonly #own: Float64Array;

  constructor(memory: SharedArrayBuffer, thread: number) {
    this.#all = new Float64Array(memory);
    this.#own = this.#all.subarray(thread * slots, (thread + 1) * slots);
    // A thread that died in this place took what ran in it along.
    this.#own[running] = 0;
  }

  /** For that many threads that count something. */
  static createMemory(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer(threads * slots * Float64Array.BYTES_PER_ELEMENT);
  }

  /** A thread died, and another took its place. */
  threadReplaced(kind: ReplaceableThread): void {
    this.#add(replaced + replaceable.indexOf(kind), 1);
  }

  #add(slot: number, amount: number): void {
    this.#own[slot] = (this.#own[slot] ?? 0) + amount;
  }

  began(): void {
    this.#add(running, 1);
  }

  ended(status: number, seconds: number): void {
    this.#add(running, -1);
    this.#add(layout.classes + Math.floor(status / 100) - 1, 1);
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    this.#add(layout.buckets + (bucket === -1 ? bounds.length : bucket), 1);
    this.#add(layout.sum, seconds);
  }

  count(occasion: Occasion): void {
    this.#add(firstOccasion + occasionNames.indexOf(occasion), 1);
  }

  #total(slot: number): number {
    let total = 0;
    for (let index = slot; index < this.#all.length; index += slots) total += this.#all[index] ?? 0;
    return total;
  }

  #latency(): string[] {
    let below = 0;
    const lines = [...bounds.map(String), '+Inf'].map((bound, index) => {
      below += this.#total(layout.buckets + index);
      return `atelier_http_request_duration_seconds_bucket{le="${bound}"} ${below}`;
    });
    return [
      '# HELP atelier_http_request_duration_seconds Time from the request to the end of the answer.',
      '# TYPE atelier_http_request_duration_seconds histogram',
      ...lines,
      `atelier_http_request_duration_seconds_sum ${this.#total(layout.sum)}`,
      `atelier_http_request_duration_seconds_count ${below}`,
    ];
  }

  #occasions(): string[] {
    return Object.entries(occasions).flatMap(([name, meaning], index) => [
      `# HELP atelier_${name}_total ${meaning}`,
      `# TYPE atelier_${name}_total counter`,
      `atelier_${name}_total ${this.#total(firstOccasion + index)}`,
    ]);
  }

  /** The text that Prometheus reads. */
  render(): string {
    const { rss, heapUsed } = process.memoryUsage();
    return [
      '# HELP atelier_http_requests_total Requests answered, by class of status.',
      '# TYPE atelier_http_requests_total counter',
      ...classes.map((name, index) => `atelier_http_requests_total{status="${name}"} ${this.#total(index)}`),
      ...this.#latency(),
      '# HELP atelier_http_requests_running Requests being answered now.',
      '# TYPE atelier_http_requests_running gauge',
      `atelier_http_requests_running ${this.#total(running)}`,
      ...this.#occasions(),
      '# HELP atelier_threads_replaced_total Threads that died and were replaced.',
      '# TYPE atelier_threads_replaced_total counter',
      ...replaceable.map(
        (kind, index) => `atelier_threads_replaced_total{thread="${kind}"} ${this.#total(replaced + index)}`,
      ),
      '# HELP process_resident_memory_bytes Resident memory of the process.',
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${rss}`,
      '# HELP atelier_thread_heap_bytes Used heap of the answering thread.',
      '# TYPE atelier_thread_heap_bytes gauge',
      `atelier_thread_heap_bytes ${heapUsed}`,
      '# HELP process_uptime_seconds Seconds since the process began.',
      '# TYPE process_uptime_seconds gauge',
      `process_uptime_seconds ${process.uptime().toFixed(3)}`,
      '',
    ].join('\n');
  }
}
