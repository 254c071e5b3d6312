import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bytesBeside,
  comparableTables,
  comparableTablesInBackup,
  expectSameHistory,
  filesBeside,
  hashesIn,
  restoreTo,
  tablesOf,
} from '../fixtures/backup.ts';
import { Yard } from '../fixtures/deletion.ts';
import { readInChunks, someBytes, uploadInChunks } from '../fixtures/file.ts';
import { createRepository, lacksSubversion, type Repository, SvnClient } from '../fixtures/svn.ts';
import {
  type Atelier,
  createEmptyInstance,
  type Instance,
  Person,
  runCommand,
  startAtelier,
  usuallyOn,
} from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

/** Somebody who does something, and the same again and again once they are told to. */
class Writer {
  /** What was answered with success. */
  readonly done: number[] = [];
  readonly begun: Promise<void>;
  #ended: Promise<void> | undefined;
  #isAsked = false;
  readonly #act: (round: number) => Promise<number>;

  constructor(act: (round: number) => Promise<number>) {
    this.#act = act;
    this.begun = this.#doNext();
  }

  async #doNext(): Promise<void> {
    this.done.push(await this.#act(this.done.length));
  }

  goOn(): void {
    this.#ended = this.#work();
  }

  async #work(): Promise<void> {
    while (!this.#isAsked) await this.#doNext();
  }

  async stop(): Promise<void> {
    this.#isAsked = true;
    await this.#ended;
  }
}

describe.skipIf(lacksSubversion).each(usuallyOn('SQLite'))('a backup of a platform on %s', (engine) => {
  const other = engine === 'SQLite' ? 'PostgreSQL' : 'SQLite';
  const shelf = mkdtempSync(join(tmpdir(), 'atelier-backup-'));
  const folder = join(shelf, 'backups');
  const svn = new SvnClient();
  const restored: Instance[] = [];
  let atelier: Atelier;
  let yard: Yard;
  let alice: Person;
  let repository: Repository;
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    yard = await Yard.create(atelier, 'yard', alice, await atelier.createUser('bob'));
    await atelier.configure({ artifact_deletion_limit: 100_000, svn_deletion_delay: 0 });
    repository = await createRepository(atelier.admin, yard.projectId, 'code', {
      access_file: '[/]\n* = rw',
      layout: ['trunk'],
    });
  });
  afterAll(async () => {
    svn.remove();
    await atelier.stop();
    for (const instance of restored) await instance.remove();
    rmSync(shelf, { recursive: true, force: true });
  });

  const restore = async (...given: Parameters<typeof restoreTo>) => {
    const instance = await restoreTo(...given);
    restored.push(instance);
    return instance;
  };

  const withFile = async (title: string, file: Buffer) =>
    yard.submit(title, [{ field_id: yard.ids['file'], value: [await uploadInChunks(alice, file)] }]);

  const commit = async (name: string) => {
    const path = join(svn.folder, name);
    writeFileSync(path, name);
    const { code, error } = await svn.mucc(alice, repository.svn_url, name, 'put', path, `trunk/${name}`);
    expect(code, error).toBe(0);
  };

  /** Sixteen of them: they create, change, attach, remove, delete, bring back and commit. */
  const startWriters = () => {
    const creating = (who: number) => (round: number) =>
      withFile(`made ${who}.${round}`, someBytes(700 + who));
    const removing = async (round: number) => {
      const id = await withFile(`bare ${round}`, someBytes(900));
      const change = { values: [{ field_id: yard.ids['file'], value: [] }] };
      expect((await alice.put(`/artifacts/${id}`, change)).status).toBe(200);
      return id;
    };
    const deleting = async (round: number) => {
      const id = await withFile(`gone ${round}`, someBytes(800));
      await yard.deleted(id);
      return id;
    };
    const returning = async (round: number) => {
      const id = await withFile(`back ${round}`, someBytes(850));
      await yard.deleted(id);
      await yard.restored(id);
      return id;
    };
    const committing = (who: number) => async (round: number) => {
      await commit(`file-${who}-${round}`);
      return round;
    };
    const passing = async (round: number) => {
      const { id } = await createRepository(atelier.admin, yard.projectId, `passing${round}`);
      expect((await atelier.admin.delete(`/svn/${id}`)).status).toBe(202);
      return id;
    };
    const acts = [
      ...[1, 2, 3, 4, 5].map(creating),
      ...[removing, removing, removing],
      ...[deleting, deleting, deleting],
      ...[returning, returning],
      ...[1, 2].map(committing),
      passing,
    ];
    return acts.map((act) => new Writer(act));
  };

  const revisionsIn = (tables: Awaited<ReturnType<typeof tablesOf>>) =>
    (tables.get('svn_commit') ?? []).map(({ revision }) => Number(revision));

  const youngestIn = (instance: Instance) => {
    const path = join(instance.folder, 'svn_plugin', String(yard.projectId), 'code');
    return Number(execFileSync('svnlook', ['youngest', path], { encoding: 'utf8' }));
  };

  test('taken while 16 people write is equal where it is restored, and has all that was answered before', async () => {
    const writers = startWriters();
    await Promise.all(writers.map(({ begun }) => begun));
    for (const writer of writers) writer.goOn();
    const before = writers.map(({ done }) => [...done]);
    const { code, stdout, stderr } = await atelier.cli('backup', folder, '--json');
    await Promise.all(writers.map((writer) => writer.stop()));
    expect(stderr).toBe('');
    expect([code, JSON.parse(stdout).missing]).toEqual([0, []]);

    const copy = await restore(other, folder);
    const [taken, equal] = [await comparableTablesInBackup(folder), await comparableTables(copy)];
    expect([...equal.keys()]).toEqual([...taken.keys()]);
    for (const [name, rows] of taken) expect(equal.get(name), name).toEqual(rows);
    const tables = await tablesOf(copy);
    const ids = (name: string, column: string) =>
      new Set((tables.get(name) ?? []).map((row) => Number(row[column])));
    const [artifacts, gone] = [ids('artifact', 'id'), ids('deleted_artifact', 'artifact_id')];
    for (const id of before.slice(0, 8).flat()) expect(artifacts).toContain(id);
    for (const id of before.slice(8, 11).flat()) expect(gone).toContain(id);
    for (const id of before.slice(11, 13).flat()) expect(artifacts).toContain(id);
    const beside = bytesBeside(copy, hashesIn(tables));
    expect(
      Object.keys(beside.blobs)
        .map((path) => path.slice(-64))
        .sort(),
    ).toEqual([...hashesIn(tables)].sort());
    for (const [path, digest] of Object.entries(beside.blobs)) expect(path.slice(-64)).toBe(digest);
    for (const { archive } of tables.get('deleted_artifact') ?? [])
      expect(Object.keys(beside.deleted)).toContain(archive);
    // Whose repositories may go meanwhile: the service runs.
    const original = filesBeside(atelier.instance, hashesIn(tables));
    for (const [name, digest] of Object.entries(beside.deleted))
      expect([name, digest]).toEqual([name, original.deleted[name]]);
    for (const [name, digest] of Object.entries(beside.dumps))
      expect([name, digest]).toEqual([name, original.dumps[name]]);
    expectSameHistory(copy, atelier.instance);
    expect(Math.max(...revisionsIn(tables))).toBeLessThanOrEqual(youngestIn(copy));
    const doctor = await runCommand(copy.environment, ['doctor', '--verify-blobs']);
    expect(doctor.stdout).toMatch(/^ok +files +[\d,]+ blobs of [\d,]+ bytes were read; all are sound/m);
  });

  test('once more into the same folder copies what is new, and is equal on the same engine', async () => {
    // What still goes on in the background ends first, so that there is one state to compare with.
    await eventually(async () => {
      const { status, body } = await atelier.admin.get('/deleted_svn?limit=50');
      expect(status).toBe(200);
      expect(body.length).toBeGreaterThan(0);
    });
    const waiting = join(atelier.instance.folder, 'imported-repositories', '1');
    mkdirSync(waiting, { recursive: true });
    writeFileSync(join(waiting, 'repositories.json'), '[]');
    const list = join(atelier.instance.folder, 'imports');
    mkdirSync(list, { recursive: true });
    writeFileSync(join(list, '1-ids.csv'), 'kind,old,new\n');
    await atelier.server.end();
    const first = JSON.parse((await atelier.cli('backup', folder, '--json')).stdout);
    const { code, stdout } = await atelier.cli('backup', '--to', folder, '--json');
    const second = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(second.bytes).toBeGreaterThan(0);
    expect(second.copied).toBeLessThan(first.bytes / 20);
    expect((await atelier.cli('backup', '--verify', folder)).code).toBe(0);

    const copy = await restore(engine, folder);
    const [original, copied] = [await comparableTables(atelier.instance), await comparableTables(copy)];
    expect([...copied.keys()]).toEqual([...original.keys()]);
    for (const [name, rows] of original) expect(copied.get(name), name).toEqual(rows);
    const hashes = hashesIn(original);
    expect(bytesBeside(copy, hashes)).toEqual(bytesBeside(atelier.instance, hashes));
  });

  test('as a tar file is equal on the other engine, which serves it', async () => {
    const tar = join(shelf, 'atelier.tar');
    expect((await atelier.cli('backup', tar)).code).toBe(0);
    expect((await atelier.cli('backup', '--verify', tar)).stdout).toMatch(/all are sound\.$/m);
    const copy = await restore(other, tar);
    const [original, copied] = [await comparableTables(atelier.instance), await comparableTables(copy)];
    for (const [name, rows] of original) expect(copied.get(name), name).toEqual(rows);
    const hashes = hashesIn(original);
    expect(bytesBeside(copy, hashes)).toEqual(bytesBeside(atelier.instance, hashes));

    const served = await startAtelier(other, { instance: { ...copy, adminKey: atelier.instance.adminKey } });
    try {
      const reader = new Person(served.url, { ...alice });
      const query = encodeURIComponent(JSON.stringify({ title: 'made 1.0' }));
      const { body: found } = await reader.get(
        `/trackers/${yard.trackerId}/artifacts?query=${query}&values=all`,
      );
      expect(found).toHaveLength(1);
      const file = found[0].values.find(
        ({ field_id }: { field_id: number }) => field_id === yard.ids['file'],
      );
      expect(await readInChunks(reader, file.file_descriptions[0].id)).toHaveLength(701);
      const [row] = copied.get('deleted_artifact') ?? [];
      const back = await served.admin.post(`/deleted_artifacts/${row?.['artifact_id']}/restore`);
      expect(back.status, back.text).toBe(200);
      const { body: repositories } = await served.admin.get(`/projects/${yard.projectId}/svn`);
      const [{ svn_url }] = repositories.repositories;
      writeFileSync(join(svn.folder, 'after'), 'after');
      const put = ['put', join(svn.folder, 'after'), 'trunk/after'];
      const said = await svn.mucc(alice, svn_url, 'after the restore', ...put);
      expect(said.code, said.error).toBe(0);
      const made = await reader.post('/artifacts', {
        tracker: { id: yard.trackerId },
        values: [{ field_id: yard.ids['title'], value: 'new' }],
      });
      const highest = Math.max(
        ...(copied.get('counters') ?? []).flatMap((row) =>
          row['table'] === 'artifact' ? Number(row['last']) : [],
        ),
      );
      expect(made.body.id).toBeGreaterThan(highest);
    } finally {
      await served.server.end();
    }
  });

  test.runIf(engine === 'SQLite')(
    'tells what the platform itself has lost, and ends with code 3',
    async () => {
      const tables = await tablesOf(atelier.instance);
      const [hash = ''] = hashesIn(tables);
      rmSync(join(atelier.instance.folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash));
      const archive = String(tables.get('deleted_artifact')?.[0]?.['archive']);
      rmSync(join(atelier.instance.folder, 'deleted', archive));
      const repositoryFolder = join('svn_plugin', String(yard.projectId), 'code');
      writeFileSync(join(atelier.instance.folder, repositoryFolder, 'db', 'current'), 'garbage\n');
      const { code, stdout } = await atelier.cli('backup', join(shelf, 'poor'));
      expect(code).toBe(3);
      expect(stdout).toContain(
        `The repository code of project ${yard.projectId} is damaged: svnadmin: E200022`,
      );
      expect(stdout).toContain(`The bytes ${hash} of a file are missing.`);
      expect(stdout).toContain(`The archive ${archive} of a deleted artifact is missing.`);
      const copy = await createEmptyInstance(engine);
      restored.push(copy);
      const again = await runCommand(copy.environment, ['restore', join(shelf, 'poor')]);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('It was made without:')]);
      // What is left of the repository may be all that it can be mended from.
      const revisions = (at: Instance) => readdirSync(join(at.folder, repositoryFolder, 'db', 'revs', '0'));
      expect(revisions(copy)).toEqual(revisions(atelier.instance));
    },
  );
});
