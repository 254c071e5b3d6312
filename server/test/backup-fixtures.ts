import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dumpDatabase, openDatabase, readDescription, readDumpedRows } from '../src/storage/index.ts';
import { createEmptyInstance, type EngineName, type Instance, runCommand } from './harness/atelier.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Tables in which a copy differs on purpose: what waits is not sent, and jobs of the service go their way. */
const silenced = ['outbox', 'mail', 'webhook', 'webhook_delivery', 'job'];

/** All rows of all tables of a platform, as a dump has them. */
export async function tablesOf({ environment, folder }: Instance): Promise<Map<string, Rows>> {
  const databaseUrl = environment['ATELIER_DATABASE_URL'];
  const database = await openDatabase({ folder, databaseUrl, connections: 1 });
  const dump = mkdtempSync(join(tmpdir(), 'atelier-dump-'));
  try {
    await dumpDatabase(database, dump, () => {});
    return await tablesInDump(dump);
  } finally {
    await database.close();
    rmSync(dump, { recursive: true, force: true });
  }
}

async function tablesInDump(dump: string): Promise<Map<string, Rows>> {
  const description = await readDescription(dump);
  const tables = new Map<string, Rows>();
  for (const { name } of description.tables)
    tables.set(name, await Array.fromAsync(readDumpedRows(dump, description, name)));
  tables.set(
    'counters',
    description.counters.map((counter) => ({ ...counter })),
  );
  return tables;
}

interface Listed {
  readonly path?: string;
  readonly sha256: string;
}

/** The files of the newest backup of a folder, by their paths: where their bytes are. */
function filesInBackup(folder: string): Map<string, string> {
  const newest = readdirSync(join(folder, 'backups')).sort().at(-1) ?? '';
  const lines = readFileSync(join(folder, 'backups', newest), 'utf8')
    .trimEnd()
    .split('\n');
  const entries = lines.slice(1, -1).map((line): Listed => JSON.parse(line));
  return new Map(
    entries.flatMap(({ path, sha256 }) =>
      path === undefined ? [] : [[path, join(folder, 'objects', sha256.slice(0, 2), sha256)]],
    ),
  );
}

/** The state of the database that the newest backup of a folder has, without what differs in a copy on purpose. */
export async function comparableTablesInBackup(folder: string): Promise<Map<string, Rows>> {
  const dump = mkdtempSync(join(tmpdir(), 'atelier-dump-'));
  try {
    for (const [path, object] of filesInBackup(folder))
      if (path.startsWith('database/')) copyFileSync(object, join(dump, path.slice('database/'.length)));
    const tables = comparable(await tablesInDump(dump));
    // Repositories in the making are forgotten: nobody goes on with them.
    const repositories = tables.get('svn_repository') ?? [];
    return tables.set(
      'svn_repository',
      repositories.filter(({ state }) => state !== 'creating'),
    );
  } finally {
    rmSync(dump, { recursive: true, force: true });
  }
}

/** The same without what differs on purpose. */
export async function comparableTables(instance: Instance): Promise<Map<string, Rows>> {
  return comparable(await tablesOf(instance));
}

function comparable(tables: Map<string, Rows>): Map<string, Rows> {
  for (const name of silenced) tables.delete(name);
  // It counts how often the derived index was made, which a copy does anew.
  tables.set(
    'revision',
    (tables.get('revision') ?? []).filter(({ name }) => name !== 'postings'),
  );
  // Counters of tables that never had a row are told by one engine only.
  const counters = (tables.get('counters') ?? []).filter(({ last }) => last !== 0);
  tables.set(
    'counters',
    counters.filter(({ table }) => !silenced.includes(String(table))),
  );
  return tables;
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function filesBelow(folder: string, isWanted: (path: string) => boolean): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isFile() && isWanted(name)) found[name] = digestOf(readFileSync(path));
  }
  return found;
}

const folderFiles = (instance: Instance, folder: string, isWanted: (path: string) => boolean) => {
  try {
    return filesBelow(join(instance.folder, folder), isWanted);
  } catch {
    return {};
  }
};

const youngestIn = (repository: string) =>
  Number(execFileSync('svnlook', ['youngest', repository], { encoding: 'utf8' }));

/** The digest of a repository as it was at a revision. */
function digestOfRepository(path: string, revision: number): string {
  const options = { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'] };
  return digestOf(execFileSync('svnadmin', ['dump', '--quiet', '-r', `0:${revision}`, path], options));
}

function repositoryPlaces(instance: Instance): string[] {
  const root = join(instance.folder, 'svn_plugin');
  const projects = readdirSync(root).filter((name) => /^\d+$/.test(name));
  return projects.flatMap((project) =>
    readdirSync(join(root, project))
      .filter((entry) => !entry.startsWith('.'))
      .map((name) => `${project}/${name}`),
  );
}

/** Every repository by its place, as the digest of its dump. */
export function repositoriesOf(instance: Instance): Record<string, string> {
  const found: Record<string, string> = {};
  for (const place of repositoryPlaces(instance)) {
    const path = join(instance.folder, 'svn_plugin', place);
    found[place] = digestOfRepository(path, youngestIn(path));
    execFileSync('svnadmin', ['verify', '--quiet', path]);
  }
  return found;
}

/** Expects every repository of a copy to be what the original was when the copy was made, as far as the original still has it. */
export function expectSameHistory(copy: Instance, original: Instance): void {
  for (const place of repositoryPlaces(copy)) {
    const [copied, first] = [copy, original].map(({ folder }) => join(folder, 'svn_plugin', place));
    if (copied === undefined || first === undefined || !existsSync(first)) continue;
    const revision = youngestIn(copied);
    expect(digestOfRepository(copied, revision), place).toBe(digestOfRepository(first, revision));
  }
}

/** All that lies beside the database and belongs to it, by digest. */
export async function bytesBeside(instance: Instance, used: ReadonlySet<string>) {
  return {
    blobs: folderFiles(instance, 'blobs', (path) => used.has(path.slice(-64))),
    deleted: folderFiles(instance, 'deleted', (path) => !path.startsWith('.work')),
    dumps: folderFiles(instance, join('backup', 'svn'), (path) => !path.startsWith('.work')),
    waiting: folderFiles(instance, 'imported-repositories', () => true),
    imports: folderFiles(instance, 'imports', (path) => path.endsWith('-ids.csv')),
    repositories: repositoriesOf(instance),
  };
}

export const hashesIn = (tables: Map<string, Rows>) =>
  new Set((tables.get('attachment_piece') ?? []).map(({ hash }) => String(hash)));

/** Restores a backup into an empty place of an engine. */
export async function restoreTo(engine: EngineName, place: string, ...options: string[]): Promise<Instance> {
  const instance = await createEmptyInstance(engine);
  const { code, stderr } = await runCommand(instance.environment, ['restore', place, ...options]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return instance;
}
