import { type AnnouncedChange, artifactChanged, hostsIn } from '../artifacts/index.ts';
import { findAccount, readSettings } from '../identity/index.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import { isMailTruncated } from '../projects/index.ts';
import type { Calls } from '../storage/index.ts';
import { type Archives, recipientViewer } from './artifact-changes.ts';
import { artifactMail, artifactMails, writeArtifactMail } from './artifact-mail.ts';
import { type Commits, commitMail, commitMails, rememberedCommits, writeCommitMail } from './commit-mail.ts';
import { hasDueDeliveries, mostDeliveries, type TakenDelivery } from './deliveries.ts';
import { artifactDeliveries } from './hook-payload.ts';
import { keyMail, keyMails, writeKeyMail } from './key-mail.ts';
import { Lanes } from './lanes.ts';
import { hasDueMails, type MailOutcome, mostMails } from './mails.ts';
import {
  isAddress,
  type MailOrder,
  type Message,
  type OutboxEvent,
  type Showing,
  type TakenMail,
} from './model.ts';
import type { NotifyOperations } from './operations.ts';
import { hasDueEvents, type Outcome } from './outbox.ts';
import { ForbiddenAddress, post } from './outgoing.ts';
import { MailRefused, type Postman } from './postman.ts';
import { signedHeaders } from './signing.ts';

const platform = commandLineViewer('regular');

export interface NotifierLog {
  warn(facts: object, words: string): void;
  error(facts: object, words: string): void;
}

/** What telling people and programs takes. */
export interface NotifierTools extends Archives {
  readonly operations: Calls<NotifyOperations>;
  readonly publicUrl: string;
  readonly log: NotifierLog;
  /** Undefined where no mail is sent: then none is collected either. */
  readonly postman: Postman | undefined;
  /** Loaded when it is first needed. */
  showing(): Promise<Showing>;
  /** Absent where the repositories are not at hand; then commits wait for a process that has them. */
  readonly commits?: Commits | undefined;
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Tells people by mail and other programs by webhooks, after the fact: fed by the outbox, and by nothing else. */
export class Notifier {
  readonly #tools: NotifierTools;
  readonly #commits: Commits | undefined;
  readonly #mailLanes: Lanes;
  readonly #hookLanes: Lanes;
  #linkSecret: string | undefined;

  constructor(tools: NotifierTools) {
    this.#tools = tools;
    this.#commits = tools.commits && rememberedCommits(tools.commits);
    const failed = (error: unknown) =>
      tools.log.error({ error: wordsOf(error) }, 'what was sent could not be settled');
    this.#mailLanes = new Lanes(mostMails, failed);
    this.#hookLanes = new Lanes(mostDeliveries, failed);
  }

  /** Kinds of events that somebody here understands; others wait for a process that does. */
  get #kinds(): string[] {
    // Where no mail is sent, nobody is told of commits, and so nothing needs to be known of them.
    const knowsCommits = this.#commits !== undefined || this.#tools.postman === undefined;
    return [artifactChanged, 'access-key-created', ...(knowsCommits ? [commitMail] : [])];
  }

  /** Turns what happened into mails and deliveries; tells whether something did. */
  async handOut(): Promise<boolean> {
    const { database, operations } = this.#tools;
    let hasEvents = false;
    const kinds = this.#kinds;
    while (await hasDueEvents(database, kinds)) {
      const events = await operations.takeEvents(platform, { kinds });
      if (events.length === 0) break;
      for (const event of events) await this.#settle(event);
      hasEvents = true;
    }
    return hasEvents;
  }

  async #settle(event: OutboxEvent): Promise<void> {
    const { operations, log } = this.#tools;
    const { id, kind, attempts } = event;
    try {
      await operations.settleEvent(platform, { id, ...(await this.#outcomeOf(event)) });
    } catch (error) {
      const isLast = !(await operations.postponeEvent(platform, { id, attempts }));
      log.error({ event: kind, isLast, error: wordsOf(error) }, 'an event could not be handed out');
    }
  }

  async #outcomeOf({ kind, payload }: OutboxEvent): Promise<Outcome> {
    const { postman, database, publicUrl } = this.#tools;
    const commits = this.#commits;
    if (kind === artifactChanged) return this.#artifactOutcome(JSON.parse(payload));
    if (postman === undefined) return { mails: [], deliveries: [] };
    if (kind === commitMail && commits !== undefined)
      return { mails: await commitMails(payload, { database, commits, publicUrl }), deliveries: [] };
    return { mails: keyMails(payload), deliveries: [] };
  }

  async #artifactOutcome(announced: AnnouncedChange): Promise<Outcome> {
    const mails = this.#tools.postman === undefined ? [] : await artifactMails(announced, this.#tools);
    const deliveries = await artifactDeliveries(announced, this.#tools, () => this.#tools.showing());
    return { mails, deliveries };
  }

  /** Begins to send all mails that are due, a few at a time. */
  async sendMails(): Promise<void> {
    const { database, operations, postman } = this.#tools;
    if (postman === undefined) return;
    const kinds = [artifactMail, keyMail, ...(this.#commits === undefined ? [] : [commitMail])];
    while (await hasDueMails(database, kinds)) {
      const mails = await operations.takeMails(platform, { kinds, count: await this.#mailLanes.room() });
      if (mails.length === 0) return;
      for (const mail of mails) this.#mailLanes.begin(this.#send(mail, postman));
    }
  }

  async #send(mail: TakenMail, postman: Postman): Promise<void> {
    const { operations, log } = this.#tools;
    const outcome = await this.#attempt(mail, postman);
    const { fault } = outcome;
    if (fault !== undefined) log.warn({ mail: mail.id, kind: mail.kind, fault }, 'a mail was not sent');
    await operations.settleMail(platform, outcome);
  }

  async #attempt(mail: TakenMail, postman: Postman): Promise<MailOutcome> {
    const { id, attempts } = mail;
    try {
      const address = await this.#addressOf(mail);
      const message = address === undefined ? undefined : await this.#write(mail);
      if (address !== undefined && message !== undefined) await postman.send(address, message);
      return { id, attempts, fault: undefined, mayRetry: false };
    } catch (error) {
      const mayRetry = !(error instanceof MailRefused) || error.mayRetry;
      return { id, attempts, fault: wordsOf(error).slice(0, 1000), mayRetry };
    }
  }

  /** Where the recipient is reached now; undefined where nobody is. */
  async #addressOf({ accountId, address }: MailOrder): Promise<string | undefined> {
    const { database } = this.#tools;
    const viewer = accountId === null ? undefined : await recipientViewer(database, accountId);
    if (accountId !== null && viewer === undefined) return undefined;
    const text = accountId === null ? address : (await findAccount(database, accountId))?.email;
    return text !== undefined && text !== null && isAddress(text) ? text : undefined;
  }

  async #write(mail: MailOrder): Promise<Message | undefined> {
    const { database, publicUrl, trackers } = this.#tools;
    const commits = this.#commits;
    database.renew();
    if (mail.kind === keyMail) return writeKeyMail(mail, publicUrl);
    if (mail.kind === commitMail && commits !== undefined)
      return writeCommitMail(mail, { database, commits, publicUrl }, (id) => isMailTruncated(database, id));
    if (mail.kind !== artifactMail)
      throw new MailRefused(`Nobody writes mails of the kind ${mail.kind}.`, false);
    const showing = await this.#tools.showing();
    this.#linkSecret ??= await this.#tools.operations.ensureLinkSecret(platform, undefined);
    return writeArtifactMail(mail, { database, trackers, showing, publicUrl, linkSecret: this.#linkSecret });
  }

  /** Begins to make all deliveries to webhooks that are due, several at once. */
  async deliver(): Promise<void> {
    const { database, operations } = this.#tools;
    while (await hasDueDeliveries(database)) {
      const deliveries = await operations.takeDeliveries(platform, { count: await this.#hookLanes.room() });
      if (deliveries.length === 0) return;
      const hosts = hostsIn((await readSettings(database)).webhook_hosts);
      for (const delivery of deliveries) this.#hookLanes.begin(this.#deliver(delivery, hosts));
    }
  }

  async #deliver(delivery: TakenDelivery, hosts: readonly string[]): Promise<void> {
    const { id, attempts } = delivery;
    const begun = performance.now();
    const done = { id, attempts, status: null, answer: '', fault: undefined, mayRetry: true };
    const outcome = await answerTo(delivery, hosts).then(
      ({ status, text }) => ({ ...done, status, answer: text, fault: faultOf(status) }),
      (error: unknown) => ({
        ...done,
        fault: wordsOf(error).slice(0, 1000),
        mayRetry: !(error instanceof ForbiddenAddress),
      }),
    );
    const duration = Math.round(performance.now() - begun);
    await this.#tools.operations.settleDelivery(platform, { ...outcome, duration });
  }
}

const faultOf = (status: number) =>
  status >= 200 && status < 300 ? undefined : `The receiver answered with the status ${status}.`;

async function answerTo({ id, event, body, url, secret }: TakenDelivery, hosts: readonly string[]) {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Atelier-Webhook',
    'X-Atelier-Event': event,
    ...signedHeaders({ id: String(id), body, secret }),
  };
  return post(new URL(url), { body, headers, hosts });
}
