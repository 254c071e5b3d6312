import type { Services } from '../services.ts';

let requests = 0;
const threadMark = Math.random().toString(36).slice(2, 8);

/** What metrics and log are told of one request. */
export class RequestLog {
  /** Under this id the log has what the answer does not say. */
  readonly id = `${threadMark}-${(++requests).toString(36)}`;
  userId = 0;
  readonly #services: Services;
  readonly #label: string;
  readonly #began = performance.now();

  constructor(services: Services, label: string) {
    this.#services = services;
    this.#label = label;
    services.metrics.began();
  }

  fault(fault: unknown): void {
    const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    this.#services.log.error({ request: this.id, route: this.#label, error }, 'failure');
  }

  finish(status: number): void {
    const milliseconds = performance.now() - this.#began;
    this.#services.metrics.ended(this.#label, status, milliseconds / 1000);
    if (this.#services.config.logLevel !== 'info' && this.#services.config.logLevel !== 'debug') return;
    const facts = {
      request: this.id,
      route: this.#label,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      user: this.userId,
    };
    this.#services.log.info(facts, 'answered');
  }
}
