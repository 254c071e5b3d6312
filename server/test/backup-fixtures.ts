import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dumpDatabase, openDatabase, readDumpedRows } from '../src/storage/index.ts';
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
    const description = await dumpDatabase(database, dump, () => {});
    const tables = new Map<string, Rows>();
    for (const { name } of description.tables)
      tables.set(name, await Array.fromAsync(readDumpedRows(dump, description, name)));
    tables.set(
      'counters',
      description.counters.map((counter) => ({ ...counter })),
    );
    return tables;
  } finally {
    await database.close();
    rmSync(dump, { recursive: true, force: true });
  }
}

/** The same without what differs on purpose. */
export async function comparableTables(instance: Instance): Promise<Map<string, Rows>> {
  const tables = await tablesOf(instance);
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

/** Every repository by its place, as the digest of its dump. */
export function repositoriesOf(instance: Instance): Record<string, string> {
  const root = join(instance.folder, 'svn_plugin');
  const found: Record<string, string> = {};
  for (const project of readdirSync(root).filter((name) => /^\d+$/.test(name)))
    for (const name of readdirSync(join(root, project)).filter((entry) => !entry.startsWith('.'))) {
      const path = join(root, project, name);
      const options = {
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
      };
      found[`${project}/${name}`] = digestOf(execFileSync('svnadmin', ['dump', '--quiet', path], options));
      execFileSync('svnadmin', ['verify', '--quiet', path]);
    }
  return found;
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
