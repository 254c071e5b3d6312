import { hostsIn } from '../artifacts/index.ts';
import { readSettings } from '../identity/index.ts';
import { systemViewer } from '../kernel/viewer.ts';
import type { TakenDelivery } from './deliveries.ts';
import { type NotifierDeps, wordsOf } from './deps.ts';
import { ForbiddenAddress, post } from './outgoing.ts';
import { signedHeaders } from './signing.ts';
import { followClock } from './waiting.ts';
import { mostDeliveries, WebhookTurns } from './webhook-turns.ts';
import { oneAfterAnother, WorkerPool } from './worker-pool.ts';

/** The log of a webhook may have so many deliveries more than it keeps. */
const trimmedEvery = 20;

/** Makes deliveries to webhooks, several at once. */
export class WebhookSender {
  readonly #deps: NotifierDeps;
  readonly #workers: WorkerPool;
  readonly #turns: WebhookTurns;
  readonly #underWay = new Set<number>();
  /** Tries by webhook. Ids do not tell: of two webhooks that hear the same, one has all the even ones. */
  readonly #tries = new Map<number, number>();

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    this.#workers = new WorkerPool(mostDeliveries, (error) => this.#ended(error));
    this.#turns = new WebhookTurns(deps.database, this.#workers);
  }

  /** Begins all that is due and may begin. Whatever ends makes room, and begins what it can. */
  readonly run = oneAfterAnother(async () => {
    const { database, operations } = this.#deps;
    database.renew();
    await followClock(database, ['webhook_delivery', 'webhook'], (table) =>
      operations.wakeAhead(systemViewer, { table }),
    );
    while ((await this.#begin()) > 0);
  });

  #ended(error: unknown): void {
    const failed = (fault: unknown) =>
      this.#deps.log.error({ error: wordsOf(fault) }, 'a delivery could not be settled');
    if (error !== undefined) failed(error);
    this.run().catch(failed);
  }

  async #begin(): Promise<number> {
    const { database, operations } = this.#deps;
    database.renew();
    const turns = await this.#turns.pick();
    if (turns.length === 0) return 0;
    const underWay = [...this.#underWay];
    const wanted = turns.map(({ webhookId, count }) => ({ webhookId, count }));
    const deliveries = await operations.takeDeliveries(systemViewer, { turns: wanted, underWay });
    // Whoever is told of something reads it next.
    if (deliveries.length > 0) await database.settle();
    const hosts = hostsIn((await readSettings(database)).webhook_hosts);
    for (const delivery of deliveries) {
      const shares = turns.find(({ webhookId }) => webhookId === delivery.webhookId)?.shares ?? [];
      this.#workers.begin(shares, () => this.#deliver(delivery, hosts));
    }
    return deliveries.length;
  }

  async #deliver(delivery: TakenDelivery, hosts: readonly string[]): Promise<void> {
    this.#underWay.add(delivery.id);
    try {
      await this.#settle(delivery, await attempt(delivery, hosts));
    } finally {
      this.#underWay.delete(delivery.id);
    }
  }

  async #settle({ id, webhookId, attempts, failures }: TakenDelivery, result: Attempt): Promise<void> {
    const { operations, metrics, log, mailer } = this.#deps;
    const sendsMail = mailer !== undefined;
    const tries = this.#tries.get(webhookId) ?? 0;
    this.#tries.set(webhookId, tries + 1);
    const trimsLog = tries % trimmedEvery === 0;
    const outcome = { id, webhookId, attempts, failures, sendsMail, trimsLog, ...result };
    const settled = await operations.settleDelivery(systemViewer, outcome);
    if (result.fault !== undefined) metrics.count('webhook_attempts_failed');
    if (settled === 'delivered') metrics.count('webhook_deliveries_made');
    if (settled === 'failed') metrics.count('webhook_deliveries_given_up');
    if (settled !== 'given-up') return;
    metrics.count('webhook_receivers_given_up');
    log.warn({ webhook: webhookId, fault: result.fault }, 'the receiver of a webhook was given up');
    while (await operations.settleGivenUp(systemViewer, undefined));
  }
}

/** How a try ended. */
interface Attempt {
  readonly status: number | null;
  readonly answer: string;
  readonly fault: string | undefined;
  readonly mayRetry: boolean;
  readonly duration: number;
}

const faultOf = (status: number) =>
  status >= 200 && status < 300 ? undefined : `The receiver answered with the status ${status}.`;

async function attempt(delivery: TakenDelivery, hosts: readonly string[]): Promise<Attempt> {
  const begun = performance.now();
  const passed = () => Math.round(performance.now() - begun);
  try {
    const { status, text } = await answerTo(delivery, hosts);
    return { status, answer: text, fault: faultOf(status), mayRetry: true, duration: passed() };
  } catch (error) {
    const mayRetry = !(error instanceof ForbiddenAddress);
    return { status: null, answer: '', fault: wordsOf(error), mayRetry, duration: passed() };
  }
}

async function answerTo({ id, event, body, url, secret }: TakenDelivery, hosts: readonly string[]) {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Atelier-Webhook',
    'X-Atelier-Event': event,
    ...signedHeaders({ id: String(id), body, secret }),
  };
  return post(new URL(url), { body, headers, hosts });
}
