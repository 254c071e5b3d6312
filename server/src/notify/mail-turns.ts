import { type Database, type Reader, statement } from '../storage/index.ts';
import type { TakenMail } from './model.ts';
import type { Share, WorkerPool } from './worker-pool.ts';

/** Mails that are on their way at once, in all and of one part of the platform. */
const most = { all: 8, project: 4, unproven: 4, recipient: 1 };
/** There are at most as many connections to the mail server. */
export const mostMails = most.all;

type DueMail = Pick<TakenMail, 'id' | 'projectId' | 'receiver' | 'accountId' | 'address'>;

const firstDue = statement((sql, p: { now: number }) =>
  sql.selectFrom('mail').select('id').where('due_at', '<=', p.now).limit(1),
);

/** Whether there is anything to do, told without writing. */
export async function hasDueMails(database: Database): Promise<boolean> {
  database.renew();
  return (await database.first(firstDue, { now: Date.now() })) !== undefined;
}

const nextProject = statement((sql, p: { after: number; now: number }) =>
  sql
    .selectFrom('mail')
    .select('project_id')
    .where('project_id', '>', p.after)
    .where('due_at', '<=', p.now)
    .orderBy('project_id')
    .limit(1),
);

/** Mails of a project among which one is looked for whose recipient is free. */
const mostLooked = 100;

/** Hosts that are remembered. */
const mostHosts = 10_000;

/** Deals turns out to mails: projects one after the other, and hosts that do not answer get fewer workers. */
export class MailTurns {
  readonly #reader: Reader;
  readonly #workers: WorkerPool;
  /** Hosts whose last mail was taken, or refused in time. */
  readonly #proven = new Set<string>();
  /** Whose turn was last. */
  #project = -1;

  constructor(reader: Reader, workers: WorkerPool) {
    this.#reader = reader;
    this.#workers = workers;
  }

  /** What may begin now: one mail of every project in turn, as far as there is room. */
  async pick(kinds: readonly string[], underWay: readonly DueMail[]): Promise<DueMail[]> {
    const picked: DueMail[] = [];
    const projects = await this.#projectsInTurn();
    await this.#workers.dealing(async (keep) => {
      for (const projectId of projects) {
        const taken = [...underWay, ...picked];
        const mail = this.#workers.room > 0 ? await this.#nextOf(projectId, kinds, taken) : undefined;
        if (mail === undefined) continue;
        this.#project = projectId;
        picked.push(mail);
        keep(this.sharesOf(mail));
      }
    });
    return picked;
  }

  async #projectsInTurn(): Promise<number[]> {
    const now = Date.now();
    const ids: number[] = [];
    for (let after = -1; ; ) {
      const next = await this.#reader.first(nextProject, { after, now });
      if (next === undefined) break;
      after = next.project_id;
      ids.push(after);
    }
    return [...ids.filter((id) => id > this.#project), ...ids.filter((id) => id <= this.#project)];
  }

  async #nextOf(
    projectId: number,
    kinds: readonly string[],
    underWay: readonly DueMail[],
  ): Promise<DueMail | undefined> {
    const due = this.#reader.sql
      .selectFrom('mail')
      .select(['id', 'project_id as projectId', 'receiver', 'account_id as accountId', 'address'])
      .where('project_id', '=', projectId)
      .where('due_at', '<=', Date.now())
      .where('kind', 'in', kinds);
    const ids = underWay.map(({ id }) => id);
    const others = ids.length === 0 ? due : due.where('id', 'not in', ids);
    const mails = await this.#reader.all(others.orderBy('due_at').orderBy('id').limit(mostLooked));
    return mails.find((mail) => this.#workers.roomFor(this.sharesOf(mail)) > 0);
  }

  /** What a mail takes a share of. */
  sharesOf({ projectId, receiver, accountId, address }: DueMail): Share[] {
    return [
      { name: `project ${projectId}`, most: most.project },
      { name: `recipient ${accountId ?? address}`, most: most.recipient },
      ...(this.#proven.has(receiver) ? [] : [{ name: 'unproven', most: most.unproven }]),
    ];
  }

  remember(receiver: string, hasAnswered: boolean): void {
    if (!hasAnswered) this.#proven.delete(receiver);
    else {
      if (this.#proven.size >= mostHosts) this.#proven.clear();
      this.#proven.add(receiver);
    }
  }
}
