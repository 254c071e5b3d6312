import type { Artifact } from '@atelier/contract';
import { expect } from 'vitest';
import { isObject } from '../src/kernel/values.ts';
import type { Database, Transaction } from '../src/storage/index.ts';
import type { Atelier, Caller, Reply } from './harness/atelier.ts';
import { databaseOf } from './project-fixtures.ts';

type Members = Readonly<Record<string, unknown>>;
/** An entry of `values`, in a request or an answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into entries of every shape.
export type Value = any;

/** Creates an artifact from entries of `values` and gives its id. */
export async function submit(caller: Caller, trackerId: number, values: readonly Members[]): Promise<number> {
  const { status, body, text } = await caller.post('/artifacts', { tracker: { id: trackerId }, values });
  expect(status, text).toBe(201);
  return body.id;
}

/** Changes an artifact and gives it as it is now. */
export async function change(
  caller: Caller,
  id: number,
  values: readonly Members[],
  more: Members = {},
): Promise<Artifact> {
  const { status, body, text } = await caller.put(`/artifacts/${id}`, { values, ...more });
  expect(status, text).toBe(200);
  return body;
}

export async function readArtifact(caller: Caller, id: number, query = ''): Promise<Artifact> {
  const { status, body, text } = await caller.get(`/artifacts/${id}${query}`);
  expect(status, text).toBe(200);
  return body;
}

/** The entry of a field in `values`; undefined when it has none. */
export function entryOf({ values }: Pick<Artifact, 'values'>, fieldId: number | undefined): Value {
  return values?.find(({ field_id }) => field_id === fieldId);
}

/** The version of an artifact as the first part of its tag tells it. */
export const versionIn = ({ headers }: Reply) => headers.get('etag')?.split('-')[0];

export const messageOf = ({ body }: Reply): string => body?.error?.message ?? '';

const written = [
  'artifact',
  'changeset',
  'comment_version',
  'artifact_value',
  'artifact_link',
  'artifact_grant',
  'cross_reference',
  'open_value',
  'attachment',
  'attachment_piece',
  'tracker_counter',
  'tracker_person',
  'job_call',
] as const;

/** An upload whose time is over: the cleaning in the background takes it when it likes. */
function isExpired(row: unknown): boolean {
  return isObject(row) && typeof row.expires_at === 'number' && row.expires_at < Date.now();
}

/** The stored data of a running instance, looked at and changed past all rules. */
export class Store {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async of(atelier: Atelier): Promise<Store> {
    return new Store(await databaseOf(atelier));
  }

  /** Everything that writing artifacts can leave behind: every row of every table it writes. */
  async traces(): Promise<Record<string, string[]>> {
    const traces: Record<string, string[]> = {};
    for (const table of written) {
      const rows = await this.#database.all(this.#database.sql.selectFrom(table).selectAll());
      traces[table] = rows
        .filter((row) => !isExpired(row))
        .map((row) => JSON.stringify(row))
        .sort();
    }
    return traces;
  }

  async changesetsOf(artifactId: number): Promise<number> {
    const query = this.#database.sql.selectFrom('changeset').select('id');
    return (await this.#database.all(query.where('artifact_id', '=', artifactId))).length;
  }

  /** Changes rows, and tells every thread that the structure is another one, and that no sum may hold. */
  async force(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await work(tx);
      const names = tx.sql.updateTable('summed_name');
      await tx.run(names.set((row) => ({ build: row('build', '+', 1), is_ready: 0 })));
      await tx.touch('structure');
    });
  }

  async deleteTracker(id: number): Promise<void> {
    const change = (tx: Transaction) => tx.sql.updateTable('tracker').set({ deleted_at: Date.now() });
    await this.force((tx) => tx.run(change(tx).where('id', '=', id)));
  }

  /** Takes a form element out of use. */
  async unuse(fieldId: number): Promise<void> {
    const change = (tx: Transaction) => tx.sql.updateTable('tracker_field').set({ is_used: 0 });
    await this.force((tx) => tx.run(change(tx).where('id', '=', fieldId)));
  }

  /** A temporary file of somebody, without any bytes. */
  async addFile(submittedBy: number, name = 'notes.txt', type = 'text/plain'): Promise<number> {
    let id = 0;
    await this.force(async (tx) => {
      const file = {
        submitted_by: submittedBy,
        artifact_id: null,
        field_id: null,
        name,
        type,
        size: 12,
        description: 'Words',
        created_at: Date.now(),
        state: 'temporary' as const,
        chunks: 1,
        expires_at: Date.now() + 60_000,
      };
      const [made] = await tx.all(tx.sql.insertInto('attachment').values(file).returning('id'));
      id = made?.id ?? 0;
    });
    return id;
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Sends what must be refused, and checks that it left nothing behind. */
export async function refused(
  store: Store,
  send: () => Promise<Reply>,
  status: number,
  words: RegExp | string,
): Promise<Reply> {
  const before = await store.traces();
  const reply = await send();
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body.error.code).toBe(status);
  const { message, i18n_error_message: userMessage = '' } = reply.body.error;
  expect(`${message} ${userMessage}`).toMatch(words);
  expect(await store.traces()).toEqual(before);
  return reply;
}
