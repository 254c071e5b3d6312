import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate, openDatabase } from '../../src/storage/index.ts';
import { lacksSubversion } from '../fixtures/svn.ts';
import { createInstance, engines, type Instance, runCommand } from '../harness/atelier.ts';

/** Changes stored data without regard to what rows refer to. */
async function store(instance: Instance, sql: string): Promise<void> {
  const connectionString = instance.environment['ATELIER_DATABASE_URL'];
  if (connectionString === undefined) {
    const path = join(instance.folder, 'atelier.sqlite');
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    database.exec(sql);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`set session_replication_role = replica; ${sql}`).finally(() => client.end());
}

const repository = (id: number, name: string, state: string, dump: string) => `insert into svn_repository
  (id, project_id, name, name_key, state, is_reference_mandatory, is_message_change_allowed, immutable_paths, immutable_whitelist,
   has_default_permissions, access_version, has_faulty_access, subject_header, deleted_at, dump_file, created_by, created_at)
  values (${id}, 101, '${name}', '${name}', '${state}', 0, 0, '', '', 1, 0, 0, '', ${state === 'live' ? 'null' : '1000'}, ${dump}, 101, 1);`;

const deletedArtifact = (id: number, archive: string) => `insert into deleted_artifact
  (artifact_id, tracker_id, title, deleted_by, deleted_on, archive, has_remains) values (${id}, 1, null, 101, 1, ${archive}, 0);`;

describe.each(engines)('atelier doctor on %s', (engine) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await createInstance(engine);
  });
  afterAll(() => instance.remove());

  const put = (...path: string[]) => {
    const file = join(instance.folder, ...path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '5\n');
  };
  const doctor = () => runCommand(instance.environment, ['doctor']);
  const linesAbout = (about: string, text: string) =>
    text.split('\n').filter((line) => new RegExp(`^\\w+ +${about} `).test(line));

  test('finds repositories without a folder, folders without a repository, and missing dumps and archives', async () => {
    await store(
      instance,
      [
        repository(1, 'whole', 'live', 'null'),
        repository(2, 'making', 'creating', 'null'),
        repository(3, 'gone', 'deleted', "'gone1.svn'"),
        repository(4, 'going', 'deleted', 'null'),
        deletedArtifact(7, "'deleted_artifact_7_1.zip'"),
        deletedArtifact(8, 'null'),
      ].join('\n'),
    );
    put('svn_plugin', '101', 'whole', 'format');
    put('svn_plugin', '101', 'whole', 'db', 'current');
    put('svn_plugin', '.server', 'httpd.conf');
    put('backup', 'svn', 'gone1.svn');
    put('backup', 'svn', 'going1.svn');
    put('deleted', 'deleted_artifact_7_1.zip');
    const sound = await doctor();
    expect(sound.code, sound.stdout).toBe(0);
    expect(linesAbout('repositories', sound.stdout)).toEqual([
      expect.stringMatching(/^ok .* 1, all with their folders\.$/),
    ]);
    expect(sound.stdout).toMatch(/^ok +deleted artifacts +1 archives, all there\.$/m);
    expect(sound.stdout).toMatch(/^warning +backup +None was made yet\. Run `atelier backup FOLDER`/m);

    writeFileSync(join(instance.folder, 'svn_plugin', '101', 'whole', 'db', 'current'), 'garbage\n');
    const damaged = await doctor();
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toMatch(/^problem +repositories +1 are damaged: 101\/whole\. `svnadmin verify`/m);

    rmSync(join(instance.folder, 'svn_plugin', '101', 'whole'), { recursive: true });
    put('svn_plugin', '101', 'stray', 'format');
    rmSync(join(instance.folder, 'backup'), { recursive: true });
    rmSync(join(instance.folder, 'deleted'), { recursive: true });
    await store(
      instance,
      "insert into setting (name, value) values ('archive_deleted_items_path', '/nowhere/at/all')",
    );
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^problem +repositories +2 are not in \S+svn_plugin: 101\/whole, 101\/going\. Put their folders back from a backup/m,
    );
    expect(stdout).toMatch(
      /^warning +repositories +No project has these folders of \S+: 101\/stray\. See that the service uses the right database/m,
    );
    expect(stdout).toMatch(
      /^problem +repositories +Dumps of deleted ones are missing: gone1\.svn\. .*from a backup/m,
    );
    expect(stdout).toMatch(
      /^problem +deleted artifacts +The folder \/nowhere\/at\/all of their archives is not there.*archive_deleted_items_path/m,
    );
    expect(stdout).toMatch(
      /^problem +deleted artifacts +1 archives are missing: deleted_artifact_7_1\.zip\. .*from a backup/m,
    );
  });
});

test('atelier doctor tells a setting, a path, a time zone and a user for repositories that there are not, and the page that makes backups where there is one', async () => {
  const instance = await createInstance('SQLite');
  const wrong = {
    ...{ TZ: 'Mars/Olympus', ATELIER_SVN_USER: 'nobody-of-that-name' },
    ATELIER_BACKUP_FOLDER: join(instance.folder, 'backups'),
    ATELIER_DATABSE_URL: 'postgres://nowhere',
    ATELIER_PUBLIC_URL: 'https://example.com/atelier/',
  };
  const { code, stdout } = await runCommand({ ...instance.environment, ...wrong }, ['doctor']);
  expect(stdout).toMatch(/^warning +configuration +ATELIER_PUBLIC_URL has the path \/atelier\/: pages/m);
  expect(stdout).toMatch(
    /^warning +configuration +ATELIER_DATABSE_URL is not a setting.*ATELIER_DATABASE_URL is/m,
  );
  expect(stdout).toMatch(/^warning +configuration +TZ is "Mars\/Olympus", which is no name of a time zone/m);
  expect(stdout).toMatch(/^warning +backup +None was made yet\. Make one at \/admin\/backups, or run/m);
  const isOfRoot = process.getuid?.() === 0 && !lacksSubversion;
  const about = /^problem +Subversion +ATELIER_SVN_USER names nobody-of-that-name,/m;
  expect([code, about.test(stdout)]).toEqual(isOfRoot ? [1, true] : [0, false]);
  await instance.remove();
});

test('atelier doctor tells a data folder that cannot be made, though it looks as if it could', async () => {
  // Whoever is root may write everywhere, and still makes nothing here.
  const nowhere = { ATELIER_DATA: '/proc/atelier/data', ATELIER_BACKUP_FOLDER: '/proc/atelier/backups' };
  const { code, stdout } = await runCommand(nowhere, ['doctor']);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^problem +backup folder +No backup can be made in \/proc\/atelier\/backups: no folder can be made in \/proc: .*ATELIER_BACKUP_FOLDER/m,
  );
  expect(stdout).toMatch(
    /^problem +data folder +\/proc\/atelier\/data does not exist yet\. It cannot be made, because no folder can be made in \/proc: that file system takes none\. .*ATELIER_DATA/m,
  );
  const file = await runCommand({ ATELIER_DATA: import.meta.filename }, ['doctor']);
  expect(file.stdout).toMatch(/^problem +database +.* there is a file of that name already\. See that/m);
});

test('a service, and a backup, end with words where no folder can be made', async () => {
  for (const args of [['serve'], ['restore', '/nowhere']]) {
    const { code, stderr } = await runCommand(
      { ATELIER_DATA: '/proc/atelier/data', ATELIER_PORT: '0' },
      args,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('no folder can be made there')]);
  }
  const instance = await createInstance('SQLite');
  const { code, stderr } = await runCommand(instance.environment, ['backup', '/proc/atelier/backup']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('/proc/atelier/backup cannot be written to')]);
  await instance.remove();
});

test('a PostgreSQL that is too old is told by doctor, and by a service before it changes anything', async () => {
  const instance = await createInstance('PostgreSQL');
  try {
    // A real server that gives another version as its own.
    await store(
      instance,
      `create function public.current_setting(text) returns text language sql as
        $$ select case $1 when 'server_version' then '13.4' else pg_catalog.current_setting($1) end $$`,
    );
    const ATELIER_DATABASE_URL = `${instance.environment['ATELIER_DATABASE_URL']}?options=-c%20search_path%3Dpublic,pg_catalog`;
    const run = (command: string) => runCommand({ ...instance.environment, ATELIER_DATABASE_URL }, [command]);
    const doctor = await run('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(
      /^problem +database +PostgreSQL 13\.4\. PostgreSQL 15 or newer is needed\. Upgrade it/m,
    );
    const service = await run('serve');
    expect(service.code).toBe(1);
    expect(service.stderr).toMatch(
      /^atelier: The database \S+ of PostgreSQL at \S+ cannot be used: It is PostgreSQL 13\.4\. PostgreSQL 15 or newer is needed\. Upgrade it/,
    );
    expect(service.stderr).not.toContain('does not keep trying');
  } finally {
    await instance.remove();
  }
});

test('the statements of the page on PostgreSQL make a database that this program can use', async () => {
  const page = readFileSync(new URL('../../../docs/postgresql.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql = '']) => sql);
  expect(blocks).toHaveLength(2);
  // Everybody's tests share one server.
  const name = `page_${randomBytes(6).toString('hex')}`;
  const address = new URL(`${inject('prepared').postgresUrl}postgres`);
  const administrator = new pg.Client({ connectionString: address.href });
  await administrator.connect();
  const statementsOf = (sql: string) =>
    sql
      .replaceAll(/\batelier\b/g, name)
      .split(';\n')
      .filter((text) => text.trim() !== '');
  address.pathname = `/${name}`;
  address.username = name;
  try {
    for (const sql of blocks) {
      for (const statement of statementsOf(sql)) await administrator.query(statement);
      const database = await openDatabase({ folder: '', databaseUrl: address.href, connections: 1 });
      await migrate(database).finally(() => database.close());
    }
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    const { rows } = await client
      .query("select indexname from pg_indexes where indexdef like '%gin_trgm_ops%'")
      .finally(() => client.end());
    expect(rows.length).toBeGreaterThan(0);
  } finally {
    await administrator.query(`drop database if exists ${name} with (force)`);
    await administrator.query(`drop role if exists ${name}`);
    await administrator.end();
  }
});
