import { once } from 'node:events';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readSettings } from '../../identity/index.ts';
import { day, type Instant } from '../../kernel/clock.ts';
import { invalid, unavailable } from '../../kernel/errors.ts';
import { isThere } from '../../kernel/folders.ts';
import { systemViewer, type Viewer } from '../../kernel/viewer.ts';
import { workFileName } from '../../kernel/work-files.ts';
import { readSections, writeAccess } from '../access/index.ts';
import type { SvnDeps } from '../deps.ts';
import { dumpFileOf, findDueDeletions, requireRestorable } from '../records/index.ts';
import { svnInstant } from '../server/index.ts';
import type { RepositoryPlace, SvnWorkspace } from '../workspace/index.ts';
import { installHooks, makeRepository, removeRepository } from './disk.ts';

/** Runs a program with one end at an open file, and gives what it complained about. */
async function runWithFile(
  svnWorkspace: SvnWorkspace,
  program: string,
  args: readonly string[],
  stdio: ['ignore' | number, 'ignore' | number, 'pipe'],
): Promise<{ code: number; error: string }> {
  const child = svnWorkspace.start(program, args, { stdio });
  const errors: Buffer[] = [];
  child.stderr?.on('data', (part: Buffer) => errors.push(part));
  const [code] = await once(child, 'close');
  return { code: Number(code ?? 1), error: Buffer.concat(errors).toString('utf8').slice(-2000) };
}

/** Writes all revisions of a repository into a file, which is whole when it is there. */
export async function dumpRepository(
  svnWorkspace: SvnWorkspace,
  place: RepositoryPlace,
  path: string,
): Promise<void> {
  const draft = join(dirname(path), workFileName('.part'));
  const file = await open(draft, 'w', 0o600);
  try {
    // For whoever collects dumps, where the folder lets them in.
    await file.chmod(0o640);
    const args = ['dump', '--quiet', '--deltas', svnWorkspace.seenAt(place)];
    const { code, error } = await runWithFile(svnWorkspace, 'svnadmin', args, ['ignore', file.fd, 'pipe']);
    if (code !== 0) throw unavailable('The repository could not be dumped.', { cause: error });
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Loads a dump into an empty repository. Hooks do not run, and old properties are taken as they are. */
export async function loadDump(
  svnWorkspace: SvnWorkspace,
  place: RepositoryPlace,
  path: string,
): Promise<void> {
  const file = await open(path, 'r');
  try {
    const args = ['load', '--quiet', '--bypass-prop-validation', svnWorkspace.seenAt(place)];
    const { code, error } = await runWithFile(svnWorkspace, 'svnadmin', args, [file.fd, 'ignore', 'pipe']);
    if (code !== 0)
      throw invalid(`The dump of the repository ${place.name} cannot be loaded: ${error.trim()}`);
  } finally {
    await file.close();
  }
}

/** The youngest commit, and when it was made: null where there is none, or where it does not tell. */
export async function lastCommitIn(
  svnWorkspace: SvnWorkspace,
  place: RepositoryPlace,
): Promise<{ revision: number; at: Instant | null }> {
  const look = (what: string) => svnWorkspace.mustRun('svnlook', [what, svnWorkspace.seenAt(place)]);
  const revision = Number(await look('youngest'));
  const date = revision === 0 ? '' : (await look('date')).trim();
  return { revision, at: date === '' ? null : svnInstant(date) };
}

/** Deleted repositories, as dumps, until they are brought back or purged. */
export class DeletedRepositories {
  readonly #svnDeps: SvnDeps;
  readonly #folder: string;
  readonly #archive: string;

  constructor(svnDeps: SvnDeps, dataFolder: string) {
    this.#svnDeps = svnDeps;
    this.#folder = join(dataFolder, 'backup', 'svn');
    this.#archive = join(dataFolder, 'deleted');
  }

  /** Deletes the repositories whose time is over. Gives what could not be dumped, with the reason. */
  async deleteDue(): Promise<{ id: number; fault: string }[]> {
    const faults: { id: number; fault: string }[] = [];
    for (const id of await findDueDeletions(this.#svnDeps.database)) {
      try {
        await this.#delete(id);
      } catch (error) {
        faults.push({ id, fault: String(error) });
        await this.#svnDeps.operations.postponeDeletion(systemViewer, { id });
      }
    }
    return faults;
  }

  async #delete(id: number): Promise<void> {
    const { operations, svnWorkspace } = this.#svnDeps;
    await this.#svnDeps.parts.require();
    const row = await operations.claimDeletion(systemViewer, { id });
    if (row === undefined) return;
    const place = { projectId: row.project_id, name: row.name };
    const dumpFile = dumpFileOf(row);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, dumpFile);
    if (await isThere(svnWorkspace.pathOf(place))) await dumpRepository(svnWorkspace, place, path);
    else if (!(await isThere(path))) throw unavailable('The folder of the repository is gone.');
    await operations.settleDeletion(systemViewer, { id, dumpFile });
    await removeRepository(svnWorkspace, place);
  }

  /** Brings a repository back as it was. */
  async restore(viewer: Viewer, id: number): Promise<void> {
    const { operations } = this.#svnDeps;
    await this.#svnDeps.parts.require();
    await operations.claimRestoration(viewer, { id });
    try {
      await this.#restore(viewer, id);
    } catch (error) {
      await operations.releaseRestoration(systemViewer, { id });
      throw error;
    }
  }

  async #restore(viewer: Viewer, id: number): Promise<void> {
    const { database, operations, svnWorkspace } = this.#svnDeps;
    const { row, project, dumpFile } = await requireRestorable(database, viewer, id);
    const path = join(this.#folder, dumpFile);
    if (!(await isThere(path))) throw unavailable('The dump of this repository is gone.');
    const place = { projectId: row.project_id, name: row.name };
    await makeRepository(svnWorkspace, place);
    await loadDump(svnWorkspace, place, path);
    await installHooks(svnWorkspace, place);
    await writeAccess(svnWorkspace, place, await readSections(database, project, row));
    await operations.settleRestoration(viewer, { id });
    await rm(path, { force: true });
  }

  /** Forgets what was deleted long enough ago; where deleted items are archived, only after its dump was. */
  async purge(): Promise<void> {
    const { database, operations } = this.#svnDeps;
    const settings = await readSettings(database);
    const before = Date.now() - settings.file_deletion_delay * day;
    const query = database.sql.selectFrom('svn_repository').select(['id', 'dump_file']);
    const deleted = query.where('state', '=', 'deleted').where('deletion_due_at', 'is', null);
    const old = deleted.where('deleted_at', '<', before);
    for (const { id, dump_file } of await database.all<{ id: number; dump_file: string | null }>(old)) {
      if (dump_file === null) continue;
      const path = join(this.#folder, dump_file);
      if (settings.archive_deleted_items && (await isThere(path)))
        await this.#keep(path, `svn_${dump_file}`, settings.archive_deleted_items_path);
      await operations.purgeRepository(systemViewer, { id });
      await rm(path, { force: true });
    }
  }

  async #keep(path: string, name: string, chosen: string): Promise<void> {
    const folder = chosen === '' ? this.#archive : chosen;
    if (chosen === '') await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, workFileName('.part'));
    try {
      await copyFile(path, draft);
      await rename(draft, join(folder, name));
    } finally {
      await rm(draft, { force: true });
    }
  }
}
