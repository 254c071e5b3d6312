import { type AnnouncedChange, artifactChanged } from '../artifacts/index.ts';
import { addressReplaced } from '../identity/index.ts';
import { systemViewer } from '../kernel/viewer.ts';
import { addressMails } from './address-mail.ts';
import { artifactMails } from './artifact-mail.ts';
import { type Commits, commitMail, commitMails, rememberedCommits } from './commit-mail.ts';
import { type NotifierDeps, wordsOf } from './deps.ts';
import { artifactDeliveries } from './hook-payload.ts';
import { HookSender } from './hook-sender.ts';
import { keyMails } from './key-mail.ts';
import { MailSender } from './mail-sender.ts';
import type { OutboxEvent } from './model.ts';
import { hasDueEvents, type Outcome } from './outbox.ts';
import { followClock } from './waiting.ts';

/** Tells people by mail and other programs by webhooks, after the fact: fed by the outbox, and by nothing else. */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #commits: Commits | undefined;
  readonly #hooks: HookSender;
  readonly #mails: MailSender | undefined;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    this.#commits = deps.commits && rememberedCommits(deps.commits);
    this.#hooks = new HookSender(deps);
    this.#mails = deps.mailer && new MailSender(deps, deps.mailer, this.#commits);
  }

  /** Kinds of events that somebody here understands; others wait for a process that does. */
  get #kinds(): string[] {
    // Where no mail is sent, nobody is told of commits, and so nothing needs to be known of them.
    const knowsCommits = this.#commits !== undefined || this.#deps.mailer === undefined;
    const always = [artifactChanged, 'access-key-created', addressReplaced];
    return [...always, ...(knowsCommits ? [commitMail] : [])];
  }

  /** Turns what happened into mails and deliveries; tells whether something did. */
  async handOut(): Promise<boolean> {
    const { database, operations } = this.#deps;
    database.renew();
    await followClock(database, ['outbox'], (table) => operations.wakeAhead(systemViewer, { table }));
    let hasEvents = false;
    const kinds = this.#kinds;
    while (await hasDueEvents(database, kinds)) {
      const events = await operations.takeEvents(systemViewer, { kinds });
      if (events.length === 0) break;
      for (const event of events) await this.#settle(event);
      hasEvents = true;
    }
    return hasEvents;
  }

  async #settle(event: OutboxEvent): Promise<void> {
    const { operations, log, metrics } = this.#deps;
    const { id, kind, attempts } = event;
    try {
      await operations.settleEvent(systemViewer, { id, ...(await this.#outcomeOf(event)) });
    } catch (error) {
      const isLast = !(await operations.postponeEvent(systemViewer, { id, attempts }));
      if (isLast) metrics.count('events_given_up');
      log.error({ event: kind, isLast, error: wordsOf(error) }, 'an event could not be handed out');
    }
  }

  async #outcomeOf({ kind, payload }: OutboxEvent): Promise<Outcome> {
    const { mailer, database, publicUrl } = this.#deps;
    const commits = this.#commits;
    if (kind === artifactChanged) return this.#artifactOutcome(JSON.parse(payload));
    if (mailer === undefined) return { mails: [], deliveries: [] };
    if (kind === commitMail && commits !== undefined)
      return { mails: await commitMails(payload, { database, commits, publicUrl }), deliveries: [] };
    if (kind === addressReplaced) return { mails: addressMails(payload), deliveries: [] };
    return { mails: keyMails(payload), deliveries: [] };
  }

  async #artifactOutcome(announced: AnnouncedChange): Promise<Outcome> {
    const mails = this.#deps.mailer === undefined ? [] : await artifactMails(announced, this.#deps);
    const deliveries = await artifactDeliveries(announced, this.#deps, () => this.#deps.showing());
    return { mails, deliveries };
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
