import { findAccounts, isUsable } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import { findProject, groupIds, type Project } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import type { Desk } from './desk.ts';
import { type Change, readChanges } from './immutable-tags.ts';
import type { Notification } from './model.ts';
import { readNotifications } from './notifications.ts';
import { findRow } from './store.ts';

/*
 * What whoever tells people of commits needs to know: the facts of a revision, and who is to hear of it.
 */

const platform = commandLineViewer('regular');

/** A revision as people are told of it. */
export interface CommitFacts {
  readonly repository: { readonly id: number; readonly name: string; readonly subjectHeader: string };
  readonly project: Project;
  readonly revision: number;
  readonly author: { readonly id: number; readonly name: string };
  readonly committedAt: Instant;
  readonly message: string;
  /** Every changed path, without a slash at either end. */
  readonly changes: readonly Change[];
  /** The folders that have a changed entry, without slashes at either end; empty for the root. */
  readonly folders: readonly string[];
}

const foldersOf = (changes: readonly Change[]) =>
  [...new Set(changes.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))].sort();

/** Undefined where the repository or the revision is gone. */
export async function readCommitFacts(
  { database, workplace }: Pick<Desk, 'database' | 'workplace'>,
  { repositoryId, revision }: { readonly repositoryId: number; readonly revision: number },
): Promise<CommitFacts | undefined> {
  const row = await findRow(database, repositoryId);
  const project = row && (await findProject(database, platform, row.project_id));
  const query = database.sql.selectFrom('svn_commit').selectAll().where('repository_id', '=', repositoryId);
  const commit = await database.first<{
    author: string;
    account_id: number;
    message: string;
    committed_at: number;
  }>(query.where('revision', '=', revision));
  if (row === undefined || project === undefined || commit === undefined) return undefined;
  const place = { projectId: project.id, name: row.name };
  const args = ['changed', workplace.seenAt(place), '-r', String(revision)];
  const changes = readChanges(await workplace.mustRun('svnlook', args));
  return {
    repository: { id: row.id, name: row.name, subjectHeader: row.subject_header },
    ...{ project, revision, changes, folders: foldersOf(changes) },
    author: { id: commit.account_id, name: commit.author },
    ...{ committedAt: commit.committed_at, message: commit.message },
  };
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** Whether a notification is about a folder: it names the folder or one above it; `*` stands for any one name. */
export function isAbout({ path }: Pick<Notification, 'path'>, folder: string): boolean {
  if (!path.startsWith('/')) return false;
  const [named, segments] = [segmentsOf(path), segmentsOf(folder)];
  return (
    named.length <= segments.length && named.every((name, index) => name === '*' || name === segments[index])
  );
}

/** Whom a commit is told to: addresses as they were written, and people. */
export interface Recipients {
  readonly emails: readonly string[];
  /** Ids of accounts that can be used, each once. */
  readonly users: readonly number[];
}

/** The members of a group that notifications name. */
async function membersOf(reader: Reader, projectId: number, groupId: number): Promise<number[]> {
  const members = reader.sql
    .selectFrom('project_member')
    .select('account_id')
    .where('project_id', '=', projectId);
  const query =
    groupId === groupIds.projectMembers
      ? members
      : groupId === groupIds.projectAdmins
        ? members.where('is_admin', '=', 1)
        : reader.sql.selectFrom('user_group_member').select('account_id').where('group_id', '=', groupId);
  return (await reader.all(query)).map(({ account_id }) => account_id);
}

/** Everybody who is to hear of changes in these folders. */
export async function findRecipients(
  reader: Reader,
  { repository, project, folders }: Pick<CommitFacts, 'repository' | 'project' | 'folders'>,
): Promise<Recipients> {
  const all = await readNotifications(reader, repository.id);
  const meant = all.filter((notification) => folders.some((folder) => isAbout(notification, folder)));
  const ids = new Set(meant.flatMap(({ users }) => users));
  for (const groupId of new Set(meant.flatMap(({ groups }) => groups)))
    for (const id of await membersOf(reader, project.id, groupId)) ids.add(id);
  const accounts = await findAccounts(reader, [...ids]);
  return {
    emails: [...new Set(meant.flatMap(({ emails }) => emails))],
    users: accounts.filter(({ status }) => isUsable(status)).map(({ id }) => id),
  };
}
