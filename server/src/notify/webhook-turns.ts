import { type Reader, statement } from '../storage/index.ts';
import type { WebhookTurn } from './deliveries.ts';
import type { Share, WorkerPool } from './worker-pool.ts';

/** Deliveries that are under way at once, in all and of one part of the platform. */
const most = { all: 32, project: 8, owner: 8, host: 4, unproven: 16 };
export const mostDeliveries = most.all;

/** A webhook that has something to be told. */
interface DueHook {
  readonly id: number;
  readonly projectId: number;
  readonly ownerId: number;
  readonly url: string;
  readonly failures: number;
  readonly answeredAt: number | null;
}

const dueProjects = statement((sql, p: { now: number }) =>
  sql
    .selectFrom('webhook')
    .select('project_id')
    .distinct()
    .where('due_at', '<=', p.now)
    // Nobody is told of what is deleted; should it be brought back, what waited goes out.
    .where('project_id', 'not in', (projects) =>
      projects.selectFrom('project').select('id').where('status', 'in', ['deleted', 'purging']),
    )
    .orderBy('project_id'),
);

/** Of one project; those that had their turn come after the others. */
const mostHooks = 200;

const dueOfProject = statement((sql, p: { projectId: number; now: number }) =>
  sql
    .selectFrom('webhook')
    .select([
      'id',
      'project_id as projectId',
      'owner_id as ownerId',
      'url',
      'failures',
      'answered_at as answeredAt',
    ])
    .where('project_id', '=', p.projectId)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(mostHooks),
);

/**
 * What a delivery takes a share of. A receiver that failed, or never took anything yet, may be one that hangs: however many
 * there are, and whoever made them, half of the workers are left to those that answer.
 */
function sharesOf({ id, projectId, ownerId, url, failures, answeredAt }: DueHook): Share[] {
  const isUnproven = failures > 0 || answeredAt === null;
  return [
    { name: `project ${projectId}`, most: most.project },
    { name: `owner ${ownerId}`, most: most.owner },
    { name: `host ${projectId} ${new URL(url).host}`, most: most.host },
    ...(isUnproven ? [{ name: 'unproven', most: most.unproven }] : []),
    ...(failures > 0 ? [{ name: `webhook ${id}`, most: 1 }] : []),
  ];
}

/** A webhook whose turn it is, and what a delivery to it takes a share of. */
export interface PickedTurn extends WebhookTurn {
  readonly shares: readonly Share[];
}

/** Deals turns out: projects one after the other, in each of them the webhook first that waited longest. */
export class WebhookTurns {
  readonly #reader: Reader;
  readonly #workers: WorkerPool;
  /** Whose turn was last. */
  #project = 0;

  constructor(reader: Reader, workers: WorkerPool) {
    this.#reader = reader;
    this.#workers = workers;
  }

  /** What may begin now: something of every project, as far as there is room. */
  async pick(): Promise<PickedTurn[]> {
    if (this.#workers.room === 0) return [];
    const projects = await this.#projectsInTurn();
    const part = Math.max(1, Math.floor(this.#workers.room / Math.max(1, projects.length)));
    const turns: PickedTurn[] = [];
    await this.#workers.dealing(async (keep) => {
      for (const projectId of projects) {
        const turn = this.#workers.room > 0 ? await this.#turnOf(projectId, part) : undefined;
        if (turn === undefined) continue;
        this.#project = projectId;
        turns.push(turn);
        keep(turn.shares, turn.count);
      }
    });
    return turns;
  }

  async #projectsInTurn(): Promise<number[]> {
    const rows = await this.#reader.all(dueProjects, { now: Date.now() });
    const ids = rows.map(({ project_id }) => project_id);
    return [...ids.filter((id) => id > this.#project), ...ids.filter((id) => id <= this.#project)];
  }

  async #turnOf(projectId: number, part: number): Promise<PickedTurn | undefined> {
    for (const hook of await this.#reader.all(dueOfProject, { projectId, now: Date.now() })) {
      const shares = sharesOf(hook);
      const count = Math.min(part, this.#workers.roomFor(shares));
      if (count > 0) return { webhookId: hook.id, count, shares };
    }
    return undefined;
  }
}
