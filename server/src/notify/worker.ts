import { artifactBytes } from '../artifacts/index.ts';
import { groupsByBytes } from '../kernel/groups.ts';
import { systemViewer } from '../kernel/viewer.ts';
import { eventIn } from '../storage/index.ts';
import { Onlookers } from './artifact-changes.ts';
import { rememberedCommits } from './commit-mail.ts';
import { type NotifierDeps, wordsOf } from './deps.ts';
import { hasDueDigests } from './digest.ts';
import { type EventOutcome, type HandlerDeps, kindsFor, outcomeOf } from './handlers/index.ts';
import { Listeners } from './listeners.ts';
import { MailSender } from './mail-sender.ts';
import type { OutboxEvent } from './model.ts';
import { hasSnoozedOver } from './notifications.ts';
import { hasDueEvents, type SettledEvent } from './outbox.ts';
import { lookAtSearches } from './search-turns.ts';
import { followClock } from './waiting.ts';
import { WebhookSender } from './webhook-sender.ts';

/** Mails, notifications and the like that are stored by one transaction, so that nobody who writes waits for long. */
const mostRows = 200;
/** Bytes of values of the artifacts that are looked at side by side; a single one may have more. */
const mostBytes = 4 * 1024 * 1024;

const rowsOf = ({ mails, deliveries, notifications = [], digested = [] }: EventOutcome) =>
  mails.length + deliveries.length + notifications.length + digested.length;

function artifactOf(event: OutboxEvent): number | undefined {
  try {
    const facts = eventIn(event);
    return 'artifactId' in facts ? facts.artifactId : undefined;
  } catch {
    // One that cannot be read waits when its turn comes.
    return undefined;
  }
}

/** In their order, so that no two of one turn are of the same artifact: what comes of a change depends on what came of the one before it. */
function byTurns(events: readonly OutboxEvent[]): OutboxEvent[][] {
  const turns: OutboxEvent[][] = [[]];
  const artifacts = new Set<number>();
  for (const event of events) {
    const artifactId = artifactOf(event);
    if (artifactId !== undefined && artifacts.has(artifactId)) {
      turns.push([]);
      artifacts.clear();
    }
    if (artifactId !== undefined) artifacts.add(artifactId);
    turns.at(-1)?.push(event);
  }
  return turns;
}

/** Tells people by mail and other programs by webhooks, after the fact: fed by the outbox, and by nothing else. */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #handlerDeps: Omit<HandlerDeps, 'onlookers'>;
  readonly #hooks: WebhookSender;
  readonly #mails: MailSender | undefined;
  /** Whose turn was last. */
  #last = -1;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    const commits = deps.commits && rememberedCommits(deps.commits);
    const { trackers, publicUrl, mailer } = deps;
    const database = deps.database.gathered();
    const showing = () => deps.showing();
    const listeners = new Listeners(false);
    const sendsMail = mailer !== undefined;
    this.#handlerDeps = { database, trackers, publicUrl, showing, commits, listeners, sendsMail };
    this.#hooks = new WebhookSender(deps);
    this.#mails = mailer && new MailSender(deps, mailer, commits);
  }

  /** Turns what happened into mails, notifications and deliveries; tells whether something did. */
  async handOut(): Promise<boolean> {
    const { database, operations } = this.#deps;
    database.renew();
    await followClock(database, ['outbox'], (table) => operations.wakeAhead(systemViewer, { table }));
    let hasEvents = false;
    const kinds = kindsFor(this.#handlerDeps);
    while (await hasDueEvents(database, kinds)) {
      const { events, last } = await operations.takeEvents(systemViewer, { kinds, last: this.#last });
      this.#last = last;
      if (events.length === 0) break;
      await this.#settle(events);
      hasEvents = true;
    }
    return hasEvents;
  }

  /** Settles events together: were each stored by itself, the disk would have to write for it as for a change. */
  async #settle(events: readonly OutboxEvent[]): Promise<void> {
    const deps = { ...this.#handlerDeps, onlookers: new Onlookers(this.#handlerDeps) };
    for (const some of await this.#byTurns(events)) {
      const settled = new Map<OutboxEvent, SettledEvent>();
      let rows = 0;
      // Side by side, so that what they ask for goes to the database together.
      const outcomes = await Promise.all(some.map((event) => this.#outcomeOf(event, deps)));
      for (const [index, event] of some.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) continue;
        settled.set(event, { id: event.id, ...outcome });
        rows += rowsOf(outcome);
        if (rows < mostRows) continue;
        await this.#store(settled);
        settled.clear();
        rows = 0;
      }
      await this.#store(settled);
    }
  }

  /** In turns that hold no more at once than there is room for, whatever stands in the artifacts. */
  async #byTurns(events: readonly OutboxEvent[]): Promise<OutboxEvent[][]> {
    const ids = events.map(artifactOf).filter((id) => id !== undefined);
    const bytes = await artifactBytes(this.#handlerDeps.database, ids);
    const bytesOf = (event: OutboxEvent) => bytes.get(artifactOf(event) ?? 0) ?? 0;
    return byTurns(events).flatMap((turn) =>
      groupsByBytes(turn, bytesOf, mostBytes).map(({ items }) => items),
    );
  }

  /** Undefined where there is none, and the event waits. */
  async #outcomeOf(event: OutboxEvent, deps: HandlerDeps): Promise<EventOutcome | undefined> {
    try {
      return await outcomeOf(eventIn(event), deps);
    } catch (error) {
      await this.#postpone(event, error);
      return undefined;
    }
  }

  async #store(settled: ReadonlyMap<OutboxEvent, SettledEvent>): Promise<void> {
    if (settled.size === 0) return;
    try {
      await this.#deps.operations.settleEvents(systemViewer, { events: [...settled.values()] });
    } catch (error) {
      // One that cannot be stored holds up nobody but itself.
      for (const [event, one] of settled)
        if (settled.size > 1) await this.#store(new Map([[event, one]]));
        else await this.#postpone(event, error);
    }
  }

  async #postpone({ id, kind, attempts }: OutboxEvent, error: unknown): Promise<void> {
    const { operations, log, metrics } = this.#deps;
    const isLast = !(await operations.postponeEvent(systemViewer, { id, attempts }));
    if (isLast) metrics.count('events_given_up');
    log.error({ event: kind, isLast, error: wordsOf(error) }, 'an event could not be handed out');
  }

  /** Brings back what people put off until now, and makes the mails that sum up and are due. */
  async keepTime(): Promise<void> {
    const { database, operations } = this.#deps;
    database.renew();
    if (await hasSnoozedOver(database)) while (await operations.wakeSnoozed(systemViewer, undefined));
    if (await hasDueDigests(database)) while (await operations.makeDigests(systemViewer, undefined));
  }

  /** Looks at the searches that people watch: some find more by time alone. */
  lookAtSearches(): Promise<void> {
    return lookAtSearches(this.#handlerDeps, this.#deps.operations);
  }

  /** Begins to send all mails that are due, a few at a time. */
  async sendMails(): Promise<void> {
    await this.#mails?.run();
  }

  /** Begins to make all deliveries to webhooks that are due, several at once. */
  deliver(): Promise<void> {
    return this.#hooks.run();
  }
}
