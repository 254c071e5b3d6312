import { findAccountByName, isSiteAdministrator, readSettings } from '../../identity/index.ts';
import type { Instant } from '../../kernel/clock.ts';
import { systemViewer, type Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import type { SvnDeps } from '../deps.ts';
import { readChanges, readCopySources } from '../immutable-tags.ts';
import type { RepositoryRow } from '../store.ts';

/** Who commits, when they have an account. */
export async function committerNamed(reader: Reader, name: string): Promise<Viewer | undefined> {
  const account = await findAccountByName(reader, name);
  return account && asViewer(reader, account);
}

export async function asViewer(reader: Reader, account: { id: number; status: string }): Promise<Viewer> {
  const { access_mode } = await readSettings(reader);
  return {
    ...systemViewer,
    userId: account.id,
    isRestricted: account.status === 'R',
    isSiteAdmin: await isSiteAdministrator(reader, account.id),
    accessMode: access_mode,
    credential: { kind: 'basic' },
  };
}

/** What `svnlook info` tells: author, date, length of the message, message. */
export interface CommitInfo {
  readonly author: string;
  readonly date: string;
  readonly message: string;
}

export function readInfo(text: string): CommitInfo {
  const [author = '', date = '', , ...message] = text.split('\n');
  return { author, date, message: message.join('\n').replace(/\n$/, '') };
}

/** The moment that a date of `svnlook info` means: `2026-01-31 12:00:00 +0100 (Sat, 31 Jan 2026)`. */
export const svnInstant = (date: string): Instant =>
  Date.parse(date.replace(/^(\S+) (\S+) ([+-]\d{4}).*$/, '$1T$2$3')) || Date.now();

/** What of a repository is needed to write its commits down. */
type Recorded = Pick<RepositoryRow, 'id' | 'project_id' | 'name' | 'recorded_revision'>;

/** Writes a commit down. Whoever is unknown to the platform leaves no trace but the commit. */
async function record(
  { database, operations, svnWorkspace }: SvnDeps,
  { id: repositoryId, project_id: projectId, name }: Recorded,
  revision: number,
): Promise<void> {
  const place = svnWorkspace.seenAt({ projectId, name });
  const look = (command: string, ...options: string[]) =>
    svnWorkspace.mustRun('svnlook', [command, place, ...options, '-r', String(revision)]);
  const [info, changed] = await Promise.all([look('info'), look('changed', '--copy-info')]);
  const { author, date, message } = readInfo(info);
  const viewer = await committerNamed(database, author);
  if (viewer === undefined) return operations.passRevision(systemViewer, { repositoryId, revision });
  await operations.recordCommit(viewer, {
    repositoryId,
    revision,
    author,
    message,
    paths: readChanges(changed).map(({ path }) => path),
    sources: readCopySources(changed),
    committedAt: svnInstant(date),
  });
}

/** Writes down what was not yet, the oldest first: each step is kept. */
async function recordUpTo(
  svnDeps: SvnDeps,
  repository: Recorded,
  youngest: number,
  stopping?: AbortSignal,
): Promise<void> {
  const first = (repository.recorded_revision ?? youngest) + 1;
  for (let revision = first; revision <= youngest && !stopping?.aborted; revision++)
    await record(svnDeps, repository, revision);
}

/** As many as whoever commits may wait for; a longer history was put there by other ways. */
const mostBefore = 20;

/** Writes a commit down that was just made, and those before it that nobody could. */
export async function recordNewCommit(
  svnDeps: SvnDeps,
  repository: RepositoryRow,
  revision: number,
): Promise<void> {
  await record(svnDeps, repository, revision);
  const before = revision - 1 - (repository.recorded_revision ?? revision - 1);
  if (before <= 0 || before > mostBefore) return;
  // What is wrong with another commit is not told to whoever made this one: the background tries again, and says so.
  await recordUpTo(svnDeps, repository, revision).catch(() => {});
}

/** Writes down the commits of all repositories that nobody could when they were made, as while the database was away. */
export async function recordMissingCommits(svnDeps: SvnDeps, stopping: AbortSignal): Promise<void> {
  const { database, operations, svnWorkspace } = svnDeps;
  const columns = ['id', 'project_id', 'name', 'recorded_revision'] as const;
  const query = database.sql.selectFrom('svn_repository').select(columns).where('state', '=', 'live');
  const faults: unknown[] = [];
  for (const repository of await database.all<Recorded>(query.orderBy('id'))) {
    if (stopping.aborted) return;
    const { id: repositoryId, project_id: projectId, name, recorded_revision: recorded } = repository;
    const youngest = await svnWorkspace.youngestIn({ projectId, name });
    if (youngest === undefined || youngest === recorded) continue;
    if (recorded === null) await operations.passRevision(systemViewer, { repositoryId, revision: youngest });
    // One that is damaged keeps nobody else's waiting.
    else await recordUpTo(svnDeps, repository, youngest, stopping).catch((error) => faults.push(error));
  }
  if (faults.length > 0) throw faults[0];
}
