import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hour } from '../../kernel/clock.ts';
import { systemViewer } from '../../kernel/viewer.ts';
import { renewAccess } from '../access/index.ts';
import type { SvnDeps } from '../deps.ts';
import { hasHooks, installHooks } from './disk.ts';
import { discardRepositories } from './import.ts';

/** No creation takes as long, but for the import of something huge. */
const longestCreation = 24 * hour;

/** Removes repositories whose creation was cut off; their names are free again. */
export async function removeUnfinished(svnDeps: SvnDeps): Promise<void> {
  const { database } = svnDeps;
  const query = database.sql.selectFrom('svn_repository').select('id').where('state', '=', 'creating');
  const rows = await database.all<{ id: number }>(
    query.where('created_at', '<', Date.now() - longestCreation),
  );
  await discardRepositories(
    svnDeps,
    systemViewer,
    rows.map(({ id }) => id),
  );
}

/** Writes the hooks anew where somebody removed or changed them, or where this program has newer ones. */
export async function renewHooks({ database, svnWorkspace }: SvnDeps): Promise<void> {
  const query = database.sql.selectFrom('svn_repository').select(['name', 'project_id']);
  const rows = await database.all<{ name: string; project_id: number }>(query.where('state', '=', 'live'));
  for (const { name, project_id: projectId } of rows) {
    const place = { projectId, name };
    if (!(await hasHooks(svnWorkspace, place))) await installHooks(svnWorkspace, place).catch(() => {});
  }
}

/** No commit takes as long. */
const longestCommit = 24 * hour;

/** Transactions that were begun long ago and never committed. */
async function oldTransactions(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.txn'));
  const isOld = async (name: string) => {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    return mtimeMs < Date.now() - longestCommit;
  };
  const old: string[] = [];
  for (const name of names) if (await isOld(name)) old.push(name.replace(/\.txn$/, ''));
  return old;
}

/** Removes what commits that were broken off left. */
export async function removeOldTransactions({
  database,
  svnWorkspace,
}: Pick<SvnDeps, 'database' | 'svnWorkspace'>): Promise<void> {
  const query = database.sql.selectFrom('svn_repository').select(['name', 'project_id']);
  const rows = await database.all<{ name: string; project_id: number }>(query.where('state', '=', 'live'));
  for (const { name, project_id: projectId } of rows) {
    const place = { projectId, name };
    const old = await oldTransactions(svnWorkspace.pathOf(place, 'db', 'transactions'));
    if (old.length > 0)
      await svnWorkspace.run('svnadmin', ['rmtxns', '-q', svnWorkspace.seenAt(place), ...old]);
  }
}

/** Writes the access files of all repositories anew; gives how many there are. */
export async function renewAllAccess(svnDeps: SvnDeps): Promise<number> {
  const { database } = svnDeps;
  const query = database.sql.selectFrom('svn_repository').select('id').where('state', '=', 'live');
  const rows = await database.all<{ id: number }>(query.orderBy('id'));
  for (const { id } of rows) await renewAccess(svnDeps, id);
  return rows.length;
}
