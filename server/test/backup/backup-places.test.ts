import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEnvironment } from '../../src/backup/environment.ts';
import {
  type BackedUpPlatform,
  BackupFault,
  backUp,
  restoreBackup,
  verifyBackup,
} from '../../src/backup/index.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { commandLineViewer } from '../../src/kernel/viewer.ts';
import {
  dumpDatabase,
  holdRemovals,
  loadDatabase,
  newestSchema,
  openBlobs,
  openDatabase,
  storageOperations,
  storedSchema,
} from '../../src/storage/index.ts';
import { applyMigrations } from '../../src/storage/migrate.ts';
import { claimDeletion } from '../../src/svn/records/delete.ts';
import { expectRefusal } from '../cli/replies.ts';
import { restoreTo, tablesOf } from '../fixtures/backup.ts';
import {
  command,
  createEmptyInstance,
  createInstance,
  engines,
  type Instance,
  runCommand,
  runProcess,
  spawnCommand,
} from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';
import { endsWithTests } from '../harness/processes.ts';

const open = ({ environment, folder }: Instance) =>
  openDatabase({ folder, databaseUrl: environment['ATELIER_DATABASE_URL'], connections: 1 });

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Bytes of a file that nobody attached yet, as the service stores them. */
async function addFile(instance: Instance, text: string, releasedAt: number | null = null): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = sha256(bytes);
  const path = join(instance.folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const database = await open(instance);
  await database.transaction(async (tx) => {
    const file = {
      submitted_by: 101,
      artifact_id: null,
      field_id: null,
      name: text.slice(0, 20),
      type: 'text/plain',
    };
    const more = { size: bytes.length, description: '', created_at: 1, state: 'temporary' } as const;
    const [row] = await tx.all(
      tx.sql
        .insertInto('attachment')
        .values({ ...file, ...more })
        .returning('id'),
    );
    await tx.run(tx.sql.insertInto('blob').values({ hash, size: bytes.length, released_at: releasedAt }));
    const piece = { attachment_id: row?.id ?? 0, is_preview: 0, position: 0, start: 0 } as const;
    await tx.run(tx.sql.insertInto('attachment_piece').values({ ...piece, size: bytes.length, hash }));
  });
  await database.close();
  return hash;
}

/** Kills a command while it reads from a file that has no end. */
async function killWhileReading(path: string, { environment }: Instance, args: string[]): Promise<void> {
  execFileSync('mkfifo', [path]);
  const child = spawnCommand(environment, args);
  const ended = once(child, 'exit');
  // It can be opened from the other end once somebody reads from it.
  const end = await eventually(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  child.kill('SIGKILL');
  const [, signal] = await ended;
  closeSync(end);
  rmSync(path);
  expect(signal).toBe('SIGKILL');
}

describe.each(engines)('the places of backups of a platform on %s', (engine) => {
  const shelf = mkdtempSync(join(tmpdir(), 'atelier-shelf-'));
  const backups = join(shelf, 'backups');
  const made: Instance[] = [];
  let instance: Instance;
  beforeAll(async () => {
    instance = await createInstance(engine);
    made.push(instance);
    await addFile(instance, 'first');
  });
  afterAll(async () => {
    for (const one of made) await one.remove();
    rmSync(shelf, { recursive: true, force: true });
  });

  /** What has nothing to do with the engine is tried on one of them. */
  const onOne = test.runIf(engine === 'SQLite');
  const atelier = (...args: string[]) => runCommand(instance.environment, args);
  const empty = async () => {
    const one = await createEmptyInstance(engine);
    made.push(one);
    return one;
  };
  const listsIn = (folder: string) => readdirSync(join(folder, 'backups')).sort();
  const objectOf = (folder: string, hash: string) => join(folder, 'objects', hash.slice(0, 2), hash);

  onOne(
    'a backup goes neither into the data folder nor among other things, and overwrites no file',
    async () => {
      expectRefusal(await atelier('backup'), 'Name a folder, or a file that ends with .tar.', 2);
      expectRefusal(await atelier('backup', join(instance.folder, 'backup')), 'is in the data folder');
      const home = join(shelf, 'home');
      mkdirSync(home);
      writeFileSync(join(home, 'letter.txt'), 'Dear');
      expectRefusal(
        await atelier('backup', home),
        'has other things in it than backups: there is letter.txt.',
      );
      expect(readdirSync(home)).toEqual(['letter.txt']);
      writeFileSync(join(shelf, 'taken.tar'), 'mine');
      expectRefusal(await atelier('backup', join(shelf, 'taken.tar')), 'is there already');
      expectRefusal(await atelier('restore', join(shelf, 'nowhere')), 'is not empty');
      expectRefusal(
        await runCommand((await empty()).environment, ['restore', join(shelf, 'nowhere')]),
        'There is no backup at',
      );
    },
  );

  onOne('a platform is not restored into the folder of its backups, which takes more of them', async () => {
    const folder = join(shelf, 'apart');
    expect((await atelier('backup', folder)).code).toBe(0);
    const inside = join(folder, 'inside');
    expectRefusal(
      await atelier('restore', folder, '--data', inside),
      `${inside} is in the backup ${folder}.`,
    );
    const own = join(shelf, 'own');
    const copy = join(own, 'copy');
    cpSync(folder, copy, { recursive: true });
    expectRefusal(await atelier('restore', copy, '--data', own), `${copy} is in the data folder`);
    expect(readdirSync(folder).sort()).toEqual(['backups', 'objects']);
    expect((await atelier('backup', folder)).code).toBe(0);
  });

  onOne('two runs at once into one folder are told apart', async () => {
    mkdirSync(backups);
    const lock = join(backups, '.lock');
    writeFileSync(lock, JSON.stringify({ host: hostname(), pid: process.pid }));
    expectRefusal(await atelier('backup', backups), /Another backup into .* runs \(process \d+ of /);
    // No process has this number.
    writeFileSync(lock, JSON.stringify({ host: hostname(), pid: 2 ** 22 + 1 }));
    const { code, stdout, stderr } = await atelier('backup', backups);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/ has \d+ files of [\d,]+ bytes; [\d,]+ bytes were new\.\n$/);
    expect(readdirSync(backups).sort()).toEqual(['backups', 'objects']);
  });

  onOne('a run that is killed leaves the backup before it as it was, and the next one goes on', async () => {
    const before = listsIn(backups);
    // A list that is never read to its end: the run has copied all else by then.
    const endless = join(instance.folder, 'imports', '1-ids.csv');
    mkdirSync(dirname(endless), { recursive: true });
    const bytes = 'later '.repeat(50_000);
    const later = await addFile(instance, bytes);
    await killWhileReading(endless, instance, ['backup', backups]);
    expect(listsIn(backups)).toEqual(before);
    expect(readFileSync(objectOf(backups, later), 'utf8')).toBe(bytes);
    expect(readdirSync(backups)).toContain('.lock');
    expect((await verifyBackup(backups, () => {})).faults).toEqual([]);
    const next = await atelier('backup', backups, '--json');
    expect([next.code, next.stderr]).toEqual([0, '']);
    expect(JSON.parse(next.stdout).copied).toBeLessThan(JSON.parse(next.stdout).bytes / 2);
    expect(readdirSync(backups).sort()).toEqual(['backups', 'objects']);
    expect(listsIn(backups)).toHaveLength(before.length + 1);
  });

  test('a restore that is killed is told at the next start, and nothing serves half of a platform', async () => {
    if (!existsSync(backups)) expect((await atelier('backup', backups)).code).toBe(0);
    const target = await empty();
    const folder = join(shelf, 'copied-once');
    cpSync(backups, folder, { recursive: true });
    const hash = sha256(Buffer.from('first'));
    rmSync(objectOf(folder, hash));
    await killWhileReading(objectOf(folder, hash), target, ['restore', folder]);
    const words = `A restore into ${target.folder} is under way or was cut off.`;
    const run = (...args: string[]) => runCommand(target.environment, args);
    for (const args of [['serve'], ['restore', backups], ['user', 'list']])
      expectRefusal(await run(...args), words);
    expect((await run('doctor')).stdout).toMatch(/^problem +data folder +A restore into .* was cut off/m);
    for (const name of readdirSync(target.folder))
      rmSync(join(target.folder, name), { recursive: true, force: true });
    expect((await run('restore', backups)).code).toBe(0);
    expect((await run('user', 'list')).stdout).toContain('admin@localhost');
  });

  onOne('--keep says how many backups stay, and what none of them has goes', async () => {
    const folder = join(shelf, 'kept');
    const gone = await addFile(instance, 'soon gone');
    expect((await atelier('backup', folder)).code).toBe(0);
    const database = await open(instance);
    await database.transaction(async (tx) => {
      await tx.run(tx.sql.deleteFrom('attachment_piece').where('hash', '=', gone));
      await tx.run(tx.sql.deleteFrom('blob').where('hash', '=', gone));
    });
    await database.close();
    expect((await atelier('backup', folder)).code).toBe(0);
    const [first = '', second = ''] = listsIn(folder);
    expect(readFileSync(objectOf(folder, gone), 'utf8')).toBe('soon gone');
    const old = await restoreTo(engine, folder, '--at', first.slice(0, -6));
    made.push(old);
    expect((await tablesOf(old)).get('attachment_piece')).toHaveLength(3);
    expect((await atelier('backup', folder, '--keep', '2')).code).toBe(0);
    expect(listsIn(folder)).toEqual([second, expect.any(String)]);
    expect(() => readFileSync(objectOf(folder, gone))).toThrow('ENOENT');
    expectRefusal(
      await runCommand((await empty()).environment, ['restore', folder, '--at', '1999']),
      'There is no backup of 1999',
    );
  });

  test('restore refuses what is not empty, and leaves nothing of a backup that is damaged', async () => {
    expectRefusal(await atelier('restore', backups), 'is not empty. Restore into a folder that is');
    const target = await empty();
    if (engine === 'PostgreSQL') {
      const used = {
        ...target.environment,
        ATELIER_DATABASE_URL: instance.environment['ATELIER_DATABASE_URL'] ?? '',
      };
      expectRefusal(
        await runCommand(used, ['restore', backups]),
        'The database of ATELIER_DATABASE_URL is not empty',
      );
    }
    const hash = sha256(Buffer.from('first'));
    writeFileSync(objectOf(backups, hash), 'firsT');
    const verified = await atelier('backup', '--verify', backups);
    expect([verified.code, verified.stdout]).toEqual([
      1,
      expect.stringContaining(`blobs/${hash} (objects/${hash.slice(0, 2)}/${hash}) is damaged.`),
    ]);
    expectRefusal(
      await runCommand(target.environment, ['restore', backups]),
      `${objectOf(backups, hash)}, which is blobs/${hash} of the backup, is damaged`,
    );
    expect(readdirSync(target.folder)).toEqual([]);
    writeFileSync(objectOf(backups, hash), 'first');
    const list = listsIn(backups).at(-1) ?? '';
    const text = readFileSync(join(backups, 'backups', list), 'utf8');
    writeFileSync(join(backups, 'backups', list), text.replace('environment.json', '../../etc/passwd'));
    expectRefusal(
      await runCommand(target.environment, ['restore', backups]),
      /The list .* of the backup is damaged/,
    );
    writeFileSync(join(backups, 'backups', list), text);
    expect((await runCommand(target.environment, ['restore', backups])).code).toBe(0);
    const pieces = (await tablesOf(target)).get('attachment_piece') ?? [];
    expect(pieces.map((piece) => piece['hash'])).toContain(hash);
  });

  onOne('a tar file that is cut or damaged is told', async () => {
    const tar = join(shelf, 'whole.tar');
    expect((await atelier('backup', tar)).code).toBe(0);
    expect(readdirSync(shelf).filter((name) => name.startsWith('.work'))).toEqual([]);
    const bytes = readFileSync(tar);
    const cut = join(shelf, 'cut.tar');
    writeFileSync(cut, bytes.subarray(0, bytes.length - 40_000));
    expect((await atelier('backup', '--verify', cut)).code).toBe(1);
    expect((await runCommand((await empty()).environment, ['restore', cut])).code).toBe(1);
    const damaged = join(shelf, 'damaged.tar');
    const place = bytes.indexOf('first');
    writeFileSync(
      damaged,
      Buffer.concat([bytes.subarray(0, place), Buffer.from('F'), bytes.subarray(place + 1)]),
    );
    expect((await atelier('backup', '--verify', damaged)).stdout).toContain('is damaged.');
  });

  onOne(
    'a tar file that the disk has no room for, or that is of something else, leaves an empty folder',
    async () => {
      const tar = join(shelf, 'large.tar');
      for (let file = 0; file < 12; file++) await addFile(instance, `large ${file} `.repeat(20_000));
      expect((await atelier('backup', tar)).code).toBe(0);
      const { environment, folder } = await empty();
      const limited = ['sh', '-c', 'ulimit -f 200 && exec "$@"', 'sh'];
      for (let round = 0; round < 3; round++) {
        expectRefusal(
          await runProcess(environment, ['restore', tar], '', limited),
          `${folder} cannot be written to: the file becomes too large.`,
        );
        expect(readdirSync(folder)).toEqual([]);
      }
      const foreign = join(shelf, 'foreign.tar');
      execFileSync('tar', ['-cf', foreign, '-C', dirname(tar), 'taken.tar']);
      expectRefusal(
        await runCommand(environment, ['restore', foreign]),
        `${foreign} has no list of a backup in it`,
      );
      expect(readdirSync(folder)).toEqual([]);
      expect((await runCommand(environment, ['restore', tar])).code).toBe(0);
    },
  );

  test('a copy sends nothing that was waiting, unless it is told to', async () => {
    const database = await open(instance);
    const row = {
      kind: 'key-created',
      payload: '{}',
      account_id: 101,
      address: null,
      attempts: 0,
      fault: null,
    };
    const mail = { ...row, due_at: 1, waits_since: 1, created_at: 1, project_id: 0, receiver: 'localhost' };
    await database.transaction(async (tx) => {
      await tx.run(tx.sql.insertInto('outbox').values({ kind: 'svn.commit', payload: '{}', created_at: 1 }));
      await tx.run(tx.sql.insertInto('mail').values(mail));
      const [project] = await tx.all(tx.sql.selectFrom('project').select('id').limit(1));
      const hook = {
        project_id: project?.id ?? 0,
        tracker_id: null,
        owner_id: 101,
        url: 'http://localhost',
        due_at: 1,
      };
      const facts = { secret: 'x', events: '', is_enabled: 1, created_at: 1 } as const;
      const [added] = await tx.all(
        tx.sql
          .insertInto('webhook')
          .values({ ...hook, ...facts })
          .returning('id'),
      );
      const delivery = {
        webhook_id: added?.id ?? 0,
        owner_id: 101,
        event: 'x',
        body: '{}',
        state: 'waiting',
      } as const;
      const rest = {
        attempts: 0,
        due_at: 1,
        waits_since: 1,
        status: null,
        fault: null,
        answer: '',
        duration: null,
        created_at: 1,
        tried_at: null,
      };
      await tx.run(tx.sql.insertInto('webhook_delivery').values({ ...delivery, ...rest }));
    });
    await database.close();
    const folder = join(shelf, 'waiting');
    expect((await atelier('backup', folder)).code).toBe(0);
    const waitingIn = async (one: Instance) => {
      const tables = await tablesOf(one);
      const due = (name: string) => (tables.get(name) ?? []).map((entry) => entry['due_at']);
      return [due('outbox').length, due('mail'), due('webhook'), due('webhook_delivery')];
    };
    const [silent, loud] = [await restoreTo(engine, folder), await restoreTo(engine, folder, '--deliver')];
    made.push(silent, loud);
    expect(await waitingIn(silent)).toEqual([0, [null], [null], [null]]);
    expect(await waitingIn(loud)).toEqual([1, [1], [1], [1]]);
    const [mailNow] = (await tablesOf(silent)).get('mail') ?? [];
    expect(mailNow?.['fault']).toMatch(/^It was waiting when the backup was made/);
  });

  test('bytes and repositories stay while somebody copies what points to them, and no longer', async () => {
    const database = await open(instance);
    const hash = sha256(Buffer.from('released'));
    const [project] = await database.all<{ id: number }>(
      database.sql.selectFrom('project').select('id').limit(1),
    );
    const named = {
      id: 1,
      project_id: project?.id ?? 0,
      name: 'old',
      name_key: 'old',
      state: 'live',
    } as const;
    const flags = {
      is_reference_mandatory: 0,
      is_message_change_allowed: 0,
      has_default_permissions: 1,
    } as const;
    const texts = { immutable_paths: '', immutable_whitelist: '', subject_header: '' };
    const access = { access_version: 0, has_faulty_access: 0 } as const;
    const times = { created_by: 101, created_at: 1, deletion_due_at: 1 };
    const repository = { ...named, ...flags, ...texts, ...access, ...times };
    await database.transaction(async (tx) => {
      await tx.run(tx.sql.insertInto('blob').values({ hash, size: 8, released_at: 1 }));
      await tx.run(tx.sql.insertInto('svn_repository').values(repository));
    });
    const viewer = commandLineViewer('regular');
    const claim = () =>
      database.transaction(async (tx) => [
        (await storageOperations.claimRemoval(tx, viewer, { hashes: [hash], limit: 5 })).hashes,
        (await claimDeletion(tx, viewer, { id: 1 }))?.name,
      ]);
    try {
      await holdRemovals(database, () =>
        holdRemovals(database, async () => expect(await claim()).toEqual([[], undefined])),
      );
      // Whoever asked for it was killed.
      const holder = `${hostname()} ${2 ** 22 + 1} x`;
      const left = { name: 'hold-removals x', due_at: 0, holder, held_until: Date.now() + 30_000 };
      await database.transaction((tx) => tx.run(tx.sql.insertInto('job').values(left)));
      expect(await claim()).toEqual([[hash], 'old']);
      await database.transaction((tx) => tx.run(tx.sql.deleteFrom('svn_repository').where('id', '=', 1)));
    } finally {
      await database.close();
    }
  });

  test('a dump of an older schema is brought to this one, on either engine', async () => {
    const target = await empty();
    const source = await createEmptyInstance('SQLite');
    made.push(source);
    const old = await open(source);
    const schema = 13;
    await old.exclusiveTransaction(async (tx, session) => {
      await applyMigrations(tx, session, old.capabilities, schema);
      await session.run({
        sql: "insert into setting (name, value) values ('name', 'Ünïcode \"quoted\"' || char(10) || 'line')",
        values: [],
      });
    });
    const folder = join(shelf, 'old');
    expect((await dumpDatabase(old, folder, () => {})).schema).toBe(schema);
    await old.close();
    const database = await open(target);
    await loadDatabase(
      database,
      folder,
      async () => {},
      () => {},
    );
    expect(await storedSchema(database)).toBe(newestSchema);
    await database.close();
    const tables = await tablesOf(target);
    expect(tables.get('setting')).toEqual([{ name: 'name', value: 'Ünïcode "quoted"\nline' }]);
    expect(tables.get('link_type')?.map(({ shortname }) => shortname)).toContain('custom');
  });
});

test('a file that is removed between the state of the database and its copy makes the state be read once more', async () => {
  const instance = await createInstance('SQLite');
  const shelf = mkdtempSync(join(tmpdir(), 'atelier-shelf-'));
  // Released, so it is not copied before the state is read.
  const hash = await addFile(instance, 'fleeting', 1);
  await addFile(instance, 'lasting');
  const config = readConfig(instance.environment);
  const database = await open(instance);
  let states = 0;
  try {
    const platform = { config, database, blobs: openBlobs(config) };
    const taken = await backUp(platform, join(shelf, 'b'), 7, ({ stage, done }) => {
      if (stage !== 'Database' || done > 0) return;
      states++;
      if (states > 1) return;
      const writer = new DatabaseSync(join(instance.folder, 'atelier.sqlite'));
      writer.exec(
        `delete from attachment_piece where hash = '${hash}'; delete from blob where hash = '${hash}'`,
      );
      writer.close();
      rmSync(join(instance.folder, 'blobs', hash.slice(0, 2)), { recursive: true });
    });
    expect([states, taken.missing]).toEqual([2, []]);
    const list = readFileSync(taken.place, 'utf8');
    expect([list.includes(hash), list.includes(sha256(Buffer.from('lasting')))]).toEqual([false, true]);
    appendFileSync(taken.place, '{}\n');
    expect((await verifyBackup(join(shelf, 'b'), () => {})).faults).toHaveLength(1);
  } finally {
    await database.close();
    await instance.remove();
    rmSync(shelf, { recursive: true, force: true });
  }
});

describe('a backup of a platform on a disk of its own', () => {
  const shelf = mkdtempSync(join(tmpdir(), 'atelier-shelf-'));
  const folder = join(shelf, 'b');
  let instance: Instance;
  let platform: BackedUpPlatform;
  beforeAll(async () => {
    instance = await createInstance('SQLite');
    await addFile(instance, 'bytes');
    const config = readConfig(instance.environment);
    platform = { config, database: await open(instance), blobs: openBlobs(config) };
  });
  afterAll(async () => {
    await platform.database.close();
    await instance.remove();
    rmSync(shelf, { recursive: true, force: true });
  });

  const back = (place: string, keep = 7) => backUp(platform, place, keep, () => {});
  const restored = async (from: string) => {
    const target = await createEmptyInstance('SQLite');
    const database = await open(target);
    const config = readConfig(target.environment);
    const wishes = { from, at: undefined, delivers: false, reusesBlobs: false };
    try {
      await restoreBackup({ config, database, blobs: openBlobs(config) }, wishes, () => {});
      return '';
    } catch (error) {
      expect(error).toBeInstanceOf(BackupFault);
      expect(readdirSync(target.folder)).toEqual([]);
      return error instanceof Error ? error.message : '';
    } finally {
      await database.close();
      await target.remove();
    }
  };

  test("is nobody else's to read, whoever looks on", async () => {
    const before = process.umask(0);
    try {
      await back(folder);
      await back(join(shelf, 'b.tar'));
    } finally {
      process.umask(before);
    }
    const paths = readdirSync(shelf, { recursive: true, encoding: 'utf8' });
    expect(paths).toContain('b.tar');
    for (const path of paths) expect([path, statSync(join(shelf, path)).mode & 0o077]).toEqual([path, 0]);
  });

  test('that a newer version wrote is refused before anything is restored', async () => {
    const { place } = await back(join(shelf, 'newer'));
    const [head = '', ...rest] = readFileSync(place, 'utf8').split('\n');
    const rewrite = (more: object) => {
      const lines = [
        JSON.stringify({ ...JSON.parse(head), version: '9.0.0', ...more }),
        ...rest.slice(0, -2),
      ];
      const text = `${lines.join('\n')}\n`;
      const seal = { ...JSON.parse(rest.at(-2) ?? ''), sha256: sha256(Buffer.from(text)) };
      writeFileSync(place, `${text}${JSON.stringify(seal)}\n`);
    };
    rewrite({ schema: newestSchema + 1 });
    expect(await restored(join(shelf, 'newer'))).toContain(
      'was written by a newer version of Atelier (9.0.0',
    );
    rewrite({ atelier_backup: 2 });
    expect(await restored(join(shelf, 'newer'))).toContain('was written by Atelier 9.0.0 in a form');
    rewrite({});
    expect(await restored(join(shelf, 'newer'))).toBe('');
  });

  test('is made beside an older one that is damaged, of which nothing is removed then', async () => {
    const { place } = await back(folder);
    const gone = await addFile(instance, 'soon gone');
    const { place: damaged } = await back(folder);
    const text = readFileSync(damaged, 'utf8');
    writeFileSync(damaged, text.replace('"path"', '"Path"'));
    await platform.database.transaction(async (tx) => {
      await tx.run(tx.sql.deleteFrom('attachment_piece').where('hash', '=', gone));
      await tx.run(tx.sql.deleteFrom('blob').where('hash', '=', gone));
    });
    const next = await back(folder, 2);
    expect(next.faults).toEqual([expect.stringContaining(`The list ${damaged} of the backup is damaged.`)]);
    expect(existsSync(place)).toBe(false);
    const object = join(folder, 'objects', gone.slice(0, 2), gone);
    expect(existsSync(object)).toBe(true);
    writeFileSync(damaged, text);
    expect((await back(folder, 1)).faults).toEqual([]);
    expect(existsSync(object)).toBe(false);
  });

  test('stays when it was just made, and is the one to restore, though others lie in the future', async () => {
    const ahead = join(shelf, 'ahead');
    const future = ['2991-01-01T00-00-00.000Z.jsonl', '2992-01-01T00-00-00.000Z.jsonl'];
    for (const name of future) renameSync((await back(ahead)).place, join(ahead, 'backups', name));
    const { place, faults } = await back(ahead, 2);
    expect(faults).toEqual([]);
    expect(readdirSync(join(ahead, 'backups')).sort()).toEqual([basename(place), future[1]]);
    rmSync(place);
    expect(await restored(ahead)).toBe('');
    const [older, newer] = [await back(ahead), await back(ahead)];
    // Whichever is read is the one that is told.
    writeFileSync(newer.place, 'damaged');
    expect(await restored(ahead)).toContain(newer.place);
    rmSync(newer.place);
    const last = await back(ahead, 2);
    expect(readdirSync(join(ahead, 'backups')).sort()).toEqual([basename(older.place), basename(last.place)]);
  });

  test('names what the service was started with, without its secrets', () => {
    const described = JSON.parse(
      describeEnvironment({
        ATELIER_DATABASE_URL: 'postgres://me:hidden@db/atelier?password=hidden',
        ATELIER_SMTP_URL: 'smtps://me:hid#den@mail',
        ATELIER_JWT_SECRET: 'hidden',
        ATELIER_PORT: '80',
        HOME: '/root',
      }),
    );
    expect(JSON.stringify(described)).not.toMatch(/hid/);
    expect(described).toMatchObject({
      ATELIER_DATABASE_URL: expect.stringContaining('@db/atelier'),
      ATELIER_PORT: '80',
    });
    expect(described).not.toHaveProperty('HOME');
  });

  test('can be tried by the drill of the page, as it is printed', async () => {
    const page = readFileSync(new URL('../../../docs/backup.md', import.meta.url), 'utf8');
    const block = /^## A drill, in five lines\n.*?^```sh\n(.*?)^```/ms.exec(page)?.[1] ?? '';
    const lines = block
      .replaceAll('/backup/atelier', folder)
      .replaceAll('/tmp/drill', join(shelf, 'drill'))
      .replaceAll('--port 8099', '--port 0')
      .replaceAll('npx atelier', `"${process.execPath}" "${command}"`)
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(5);
    // Whatever the service has, the copy has not.
    const env = {
      ...process.env,
      ATELIER_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      ATELIER_APT: '0',
    };
    const run = (line: string) => execFileSync('sh', ['-c', line], { env, encoding: 'utf8', stdio: 'pipe' });
    const [verify = '', restore = '', doctor = '', serve = '', remove = ''] = lines;
    expect(run(verify)).toContain('all are sound');
    expect(run(restore)).toContain('is restored in');
    // The machine itself may lack something.
    const { stdout: findings } = spawnSync('sh', ['-c', doctor], { env, encoding: 'utf8' });
    expect(findings).toMatch(/^ok +files .* all are sound\.$/m);
    expect(findings).not.toMatch(/^problem +(data folder|database|files|repositories|deleted artifacts) /m);
    const service = endsWithTests(spawn('sh', ['-c', `exec ${serve}`], { env }));
    const ended = once(service, 'exit');
    for await (const part of service.stdout) if (String(part).includes('Atelier serves on')) break;
    service.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    run(remove);
    expect(existsSync(join(shelf, 'drill'))).toBe(false);
  });
});
