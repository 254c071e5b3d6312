import { findAccount } from '../identity/index.ts';
import { minute, second } from '../kernel/clock.ts';
import { systemViewer } from '../kernel/viewer.ts';
import { isMailTruncated } from '../projects/index.ts';
import { addressMail, writeAddressMail } from './address-mail.ts';
import { recipientViewer } from './artifact-changes.ts';
import { artifactMail, writeArtifactMail } from './artifact-mail.ts';
import { type Commits, commitMail, writeCommitMail } from './commit-mail.ts';
import { type NotifierDeps, wordsOf } from './deps.ts';
import { digestMail, writeDigestMail } from './digest.ts';
import { keyMail, writeKeyMail } from './key-mail.ts';
import { hasDueMails, MailTurns, mostMails } from './mail-turns.ts';
import { type Mailer, MailRefused } from './mailer.ts';
import type { MailOutcome } from './mails.ts';
import { isAddress, type MailMessage, type MailOrder, type TakenMail } from './model.ts';
import { requestOf, resetMail, writeResetMail } from './reset-mail.ts';
import { followClock } from './waiting.ts';
import { webhookMail, writeWebhookMail } from './webhook-mail.ts';
import { oneAfterAnother, WorkerPool } from './worker-pool.ts';

/** Pauses of everything while the mail server is away; after the last one, that one again. */
const awayPauses = [second, 2 * second, 5 * second, 15 * second, 30 * second, minute] as const;

/** Mails of which it is remembered that the server went away at them. */
const mostCutOff = 10_000;

/** Hands mails to the mail server, a few at a time. */
export class MailSender {
  readonly #deps: NotifierDeps;
  readonly #mailer: Mailer;
  readonly #commits: Commits | undefined;
  readonly #workers: WorkerPool;
  readonly #turns: MailTurns;
  readonly #underWay = new Map<number, TakenMail>();
  #linkSecret: string | undefined;
  /** Tries in a row in which nobody took mails, and when the next one is; by a clock that nobody sets. */
  #away = { tries: 0, until: 0 };
  /** How many mails the server has taken or refused. */
  #answered = 0;
  /** Mails at which it went away, with that number. */
  readonly #cutOff = new Map<number, number>();

  constructor(deps: NotifierDeps, mailer: Mailer, commits: Commits | undefined) {
    this.#deps = deps;
    this.#mailer = mailer;
    this.#commits = commits;
    this.#workers = new WorkerPool(mostMails, (error) => this.#ended(error));
    this.#turns = new MailTurns(deps.database, this.#workers);
  }

  /** Begins all that is due and may begin. Whatever ends makes room, and begins what it can. */
  readonly run = oneAfterAnother(async () => {
    const { database, operations } = this.#deps;
    database.renew();
    await followClock(database, ['mail'], (table) => operations.wakeAhead(systemViewer, { table }));
    while ((await this.#hasWork()) && (await this.#begin()) > 0);
  });

  async #hasWork(): Promise<boolean> {
    const { tries, until } = this.#away;
    // One mail tells whether the server is there again.
    const isHeldBack = tries > 0 && (this.#underWay.size > 0 || performance.now() < until);
    return !isHeldBack && this.#workers.room > 0 && hasDueMails(this.#deps.database);
  }

  #ended(error: unknown): void {
    const failed = (fault: unknown) =>
      this.#deps.log.error({ error: wordsOf(fault) }, 'a mail could not be settled');
    if (error !== undefined) failed(error);
    this.run().catch(failed);
  }

  async #begin(): Promise<number> {
    const always = [artifactMail, digestMail, keyMail, webhookMail, addressMail, resetMail];
    const kinds = [...always, ...(this.#commits === undefined ? [] : [commitMail])];
    const picked = await this.#turns.pick(kinds, [...this.#underWay.values()]);
    const ids = picked.slice(0, this.#away.tries > 0 ? 1 : picked.length).map(({ id }) => id);
    if (ids.length === 0) return 0;
    const mails = await this.#deps.operations.takeMails(systemViewer, { ids });
    for (const mail of mails) this.#workers.begin(this.#turns.sharesOf(mail), () => this.#send(mail));
    return mails.length;
  }

  async #send(mail: TakenMail): Promise<void> {
    const { operations, log, metrics } = this.#deps;
    this.#underWay.set(mail.id, mail);
    try {
      const outcome = await this.#attempt(mail);
      const { fault } = outcome;
      if (fault !== undefined) log.warn({ mail: mail.id, kind: mail.kind, fault }, 'a mail was not sent');
      if (fault !== undefined) metrics.count('mail_attempts_failed');
      const settled = await operations.settleMail(systemViewer, outcome);
      if (settled === 'sent') metrics.count('mails_sent');
      if (settled === 'failed') metrics.count('mails_given_up');
    } finally {
      this.#underWay.delete(mail.id);
    }
  }

  async #attempt(mail: TakenMail): Promise<MailOutcome> {
    const { id, attempts } = mail;
    try {
      const address = await this.#addressOf(mail);
      const message = address === undefined ? undefined : await this.#write(mail);
      if (address !== undefined && message !== undefined) {
        await this.#mailer.send(address, message);
        this.#learn(mail, undefined);
      }
      return { id, attempts, fault: undefined, mayRetry: false, isServerAway: false };
    } catch (error) {
      const refusal = error instanceof MailRefused ? error : undefined;
      const mayRetry = refusal === undefined || refusal.mayRetry;
      const isServerAway = refusal?.trouble === 'server' && !this.#isCutOffAlone(mail);
      if (refusal !== undefined && (isServerAway || refusal.trouble !== 'server')) this.#learn(mail, refusal);
      return { id, attempts, fault: wordsOf(error), mayRetry, isServerAway };
    }
  }

  /** Whether the server goes away at this mail, while it answers for others: then it is the mail that it does not bear. */
  #isCutOffAlone({ id }: TakenMail): boolean {
    const before = this.#cutOff.get(id);
    if (this.#cutOff.size >= mostCutOff) this.#cutOff.clear();
    this.#cutOff.set(id, this.#answered);
    return before !== undefined && before < this.#answered;
  }

  /** What a try tells about the mail server, and about the host of the recipient. */
  #learn({ id, receiver }: TakenMail, refusal: MailRefused | undefined): void {
    if (refusal?.trouble === 'server') {
      // Of several that failed at once, one counts.
      if (performance.now() < this.#away.until) return;
      const tries = this.#away.tries + 1;
      const pause = awayPauses[Math.min(tries, awayPauses.length) - 1] ?? minute;
      this.#away = { tries, until: performance.now() + pause };
      return;
    }
    this.#cutOff.delete(id);
    if (refusal?.trouble !== 'late') this.#answered += 1;
    this.#turns.remember(receiver, refusal?.trouble !== 'late');
    if (refusal?.trouble !== 'late') this.#away = { tries: 0, until: 0 };
  }

  /** Where the recipient is reached now; undefined where nobody is. */
  async #addressOf({ accountId, address }: MailOrder): Promise<string | undefined> {
    const { database } = this.#deps;
    const viewer = accountId === null ? undefined : await recipientViewer(database, accountId);
    if (accountId !== null && viewer === undefined) return undefined;
    const text = accountId === null ? address : (await findAccount(database, accountId))?.email;
    return text !== undefined && text !== null && isAddress(text) ? text : undefined;
  }

  /** Its token is made with it, so that it stands nowhere but in the mail. */
  async #writeReset(mail: MailOrder): Promise<MailMessage | undefined> {
    const { operations, publicUrl } = this.#deps;
    const request = { accountId: mail.accountId ?? 0, ...requestOf(mail) };
    const token = await operations.issueResetToken(systemViewer, request);
    return token === undefined ? undefined : writeResetMail(mail, publicUrl, token);
  }

  async #write(mail: MailOrder): Promise<MailMessage | undefined> {
    const { database, publicUrl, trackers } = this.#deps;
    const commits = this.#commits;
    database.renew();
    if (mail.kind === keyMail) return writeKeyMail(mail, publicUrl);
    if (mail.kind === webhookMail) return writeWebhookMail(mail, publicUrl);
    if (mail.kind === addressMail) return writeAddressMail(mail, publicUrl);
    if (mail.kind === resetMail) return this.#writeReset(mail);
    if (mail.kind === commitMail && commits !== undefined)
      return writeCommitMail(mail, { database, commits, publicUrl }, (id) => isMailTruncated(database, id));
    if (mail.kind === digestMail)
      return writeDigestMail(mail, { database, trackers, publicUrl, showing: await this.#deps.showing() });
    if (mail.kind !== artifactMail)
      throw new MailRefused(`Nobody writes mails of the kind ${mail.kind}.`, false);
    const showing = await this.#deps.showing();
    this.#linkSecret ??= await this.#deps.operations.ensureLinkSecret(systemViewer, undefined);
    return writeArtifactMail(mail, { database, trackers, showing, publicUrl, linkSecret: this.#linkSecret });
  }
}
