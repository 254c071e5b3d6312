import { randomUUID } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyFiles } from '../../src/files/index.ts';
import { openBlobs, type Reader } from '../../src/storage/index.ts';
import {
  createWorkplace,
  keyOf,
  patchHeaders,
  type Reserved,
  readInChunks,
  send,
  someBytes,
  tusHeaders,
  type Workplace,
} from '../fixtures/file.ts';
import { databaseOf } from '../fixtures/project.ts';
import { type Atelier, type EngineName, Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

/** Few contents, so that some are stored by one while another removes them. */
const contents = [10, 100_000, 1_000_000].map(someBytes);
const clients = 4;
const crashes = 3;
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;

/** A file that the service has promised to keep. */
interface Kept {
  readonly id: number;
  readonly bytes: Buffer;
}

/** Uploads, attaches and removes files until the service is gone. */
class Client {
  answers = 0;
  readonly kept: Kept[] = [];
  readonly #url: string;
  readonly #person: Person;
  readonly #place: Workplace;

  constructor({ url }: Atelier, place: Workplace) {
    this.#url = url;
    this.#person = new Person(url, { ...place.alice });
    this.#place = place;
  }

  /** Ends with the service. An answer that is neither well nor "not now" is a fault. */
  async run(): Promise<void> {
    for (;;) {
      try {
        await this.#sendOne();
      } catch (error) {
        if (error instanceof Error && error.name === 'AssertionError') throw error;
        return;
      }
    }
  }

  #take(status: number, expected: number): boolean {
    this.answers++;
    expect([expected, 503]).toContain(status);
    return status === expected;
  }

  async #sendOne(): Promise<void> {
    const bytes = anyOf(contents);
    // Of one name there would be one upload only.
    const wish = { name: randomUUID(), file_size: bytes.length, file_type: 'application/octet-stream' };
    const reserved = await this.#person.post(`/tracker_fields/${this.#place.files}/files`, wish);
    if (!this.#take(reserved.status, 200) || !(await this.#upload(reserved.body, bytes))) return;
    if (Math.random() < 0.2) await this.#withdraw(reserved.body);
    else await this.#attach({ id: reserved.body.id, bytes });
  }

  async #upload({ upload_href }: Reserved, bytes: Buffer): Promise<boolean> {
    const headers = { ...keyOf(this.#person), ...patchHeaders(0) };
    return this.#take((await send(`${this.#url}${upload_href}`, 'PATCH', headers, bytes)).status, 204);
  }

  async #withdraw({ upload_href }: Reserved): Promise<void> {
    const headers = { ...keyOf(this.#person), ...tusHeaders };
    this.#take((await send(`${this.#url}${upload_href}`, 'DELETE', headers)).status, 204);
  }

  async #attach(file: Kept): Promise<void> {
    const values = (ids: readonly number[]) => [{ field_id: this.#place.files, value: ids }];
    const artifact = { tracker: { id: this.#place.tracker }, values: values([file.id]) };
    const { status, body } = await this.#person.post('/artifacts', artifact);
    if (!this.#take(status, 201)) return;
    if (Math.random() < 0.4) this.kept.push(file);
    else this.#take((await this.#person.put(`/artifacts/${body.id}`, { values: values([]) })).status, 200);
  }
}

// Starting anew after each crash takes its time on a busy machine.
describe.each(usuallyOn('SQLite'))(
  'files of a service that is killed on %s',
  { timeout: 120_000 },
  (engine: EngineName) => {
    let atelier: Atelier;
    let place: Workplace;
    const kept: Kept[] = [];
    beforeAll(async () => {
      atelier = await startAtelier(engine, { env: { ATELIER_UPLOAD_QUOTA: '1000000000' } });
      place = await createWorkplace(atelier);
    });
    afterAll(() => atelier.stop());

    async function onDatabase<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
      const database = await databaseOf(atelier);
      return work(database).finally(() => database.close());
    }

    const blobFolder = () => join(atelier.instance.folder, 'blobs');
    const storedFiles = () =>
      readdirSync(blobFolder(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

    /** Lets clients work, and kills the service after so many answers. */
    async function crashAfter(answers: number): Promise<void> {
      const working = Array.from({ length: clients }, () => new Client(atelier, place));
      const runs = Promise.all(working.map((client) => client.run()));
      while (working.reduce((sum, client) => sum + client.answers, 0) < answers) await pause(1);
      await atelier.server.end('SIGKILL');
      await runs;
      kept.push(...working.flatMap((client) => client.kept));
    }

    /** Files whose pieces have not the size of the file. */
    const shortFiles = () =>
      onDatabase(async (reader) => {
        const pieces = reader.sql.selectFrom('attachment_piece').select(['attachment_id', 'size']);
        const files = reader.sql.selectFrom('attachment').select(['id', 'size']);
        const byFile = Map.groupBy(await reader.all(pieces), ({ attachment_id }) => attachment_id);
        const sizeOf = (id: number) => (byFile.get(id) ?? []).reduce((sum, { size }) => sum + size, 0);
        const rows = await reader.all(files.where('state', '<>', 'removed'));
        return rows.filter(({ id, size }) => size !== sizeOf(id));
      });

    const verify = () =>
      onDatabase((reader) =>
        verifyFiles(reader, openBlobs({ dataFolder: atelier.instance.folder, blobs: undefined })),
      );

    const usedHashes = () =>
      onDatabase(async (reader) => {
        const hashes = reader.sql.selectFrom('attachment_piece').select('hash').distinct();
        return (await reader.all(hashes)).map(({ hash }) => hash).sort();
      });

    const knownHashes = () =>
      onDatabase(async (reader) => reader.all(reader.sql.selectFrom('blob').select('hash')));

    test('have all their bytes, wherever the crash came', async () => {
      // Until something was kept, too, which hangs on chance.
      for (let crash = 1; crash <= crashes || kept.length === 0; crash++) {
        await crashAfter(5 + Math.floor(Math.random() * 30));
        expect(await verify()).toMatchObject({ badBlobs: 0, badFiles: [] });
        expect(await shortFiles()).toEqual([]);
        await atelier.restart();
      }
      expect(kept.length).toBeGreaterThan(0);
      const reader = new Person(atelier.url, { ...place.alice });
      for (const { id, bytes } of kept) expect((await readInChunks(reader, id)).equals(bytes)).toBe(true);
    });

    async function startWithJobsDue(): Promise<void> {
      // One that ends may have claimed a job and not done it.
      await atelier.server.end();
      await atelier.sql('update job set due_at = 0');
      await atelier.restart();
    }

    test('are all that is left when the service has cleaned up', async () => {
      for (const { parentPath, name } of storedFiles())
        utimesSync(join(parentPath, name), daysAgo(2), daysAgo(2));
      await atelier.sql('update blob set removing_at = 1 where removing_at is not null');
      await atelier.sql('update attachment set expires_at = 1 where expires_at is not null');
      await startWithJobsDue();
      // What nothing points to is noted first, and removed when it was noted long ago.
      while ((await knownHashes()).length < storedFiles().length) await pause(50);
      await atelier.sql('update blob set released_at = 1 where released_at is not null');
      await startWithJobsDue();
      while ((await usedHashes()).length < storedFiles().length) await pause(50);
      expect(
        storedFiles()
          .map(({ name }) => name)
          .sort(),
      ).toEqual(await usedHashes());
      expect((await verify()).badBlobs).toBe(0);
    });
  },
);
