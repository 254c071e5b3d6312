import type { AccountExtension } from '../identity/index.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  type ActivityEntry,
  findProject,
  isPrivate,
  type ProjectChange,
  type ProjectExtension,
} from '../projects/index.ts';
import { containsInAnyCase, statementOverIds, type Transaction } from '../storage/index.ts';
import { renameGroupIn, renamePersonIn } from './access/index.ts';
import { type KnownCommit, lastCommitsOf, revisionKeywords } from './commits/index.ts';
import { removeVainNotifications } from './notifications.ts';
import { saveAccessVersion } from './records/index.ts';
import { type RepositoryRow, readAccessTextOf } from './store.ts';

const repositoriesOf = (tx: Transaction, projectId: number) =>
  tx.sql.selectFrom('svn_repository').where('project_id', '=', projectId);

const notificationsOf = (tx: Transaction, projectId: number) =>
  tx.sql
    .selectFrom('svn_notification')
    .select('id')
    .where('repository_id', 'in', repositoriesOf(tx, projectId).select('id'));

/** A group that is called otherwise is called otherwise in access files, too. */
async function renameGroup(tx: Transaction, viewer: Viewer, projectId: number, from: string, to: string) {
  for (const row of await tx.lock(repositoriesOf(tx, projectId).selectAll())) {
    const text = await readAccessTextOf(tx, row);
    const renamed = renameGroupIn(text, from, to);
    if (renamed !== text) await saveAccessVersion(tx, viewer, row.id, renamed);
  }
}

/**
 * Somebody who is called otherwise is called otherwise in access files, too: the rights go with the person, and whoever gets
 * the old name does not get them.
 */
async function renamePerson(tx: Transaction, viewer: Viewer, { from, to }: { from: string; to: string }) {
  const named = tx.sql
    .selectFrom('svn_access_version')
    .innerJoin('svn_repository', (join) =>
      join
        .onRef('svn_repository.id', '=', 'svn_access_version.repository_id')
        .onRef('svn_repository.access_version', '=', 'svn_access_version.version'),
    )
    .select(['svn_repository.id', 'svn_access_version.content'])
    .where(containsInAnyCase('svn_access_version.content', from))
    .orderBy('svn_repository.id');
  for (const { id, content } of await tx.all(named)) {
    const renamed = renamePersonIn(content, from, to);
    if (renamed !== content) await saveAccessVersion(tx, viewer, id, renamed);
  }
}

/** What repositories do when an account changes. */
export const repositoriesOfAccounts: AccountExtension = { renamed: renamePerson };

async function forgetGroup(tx: Transaction, projectId: number, groupId: number): Promise<void> {
  const told = tx.sql.deleteFrom('svn_notification_group').where('group_id', '=', groupId);
  await tx.run(told.where('notification_id', 'in', notificationsOf(tx, projectId)));
  const chosen = tx.sql.deleteFrom('svn_administrator').where('project_id', '=', projectId);
  await tx.run(chosen.where('group_id', '=', groupId));
  await removeVainNotifications(tx, projectId);
}

/** Whoever can no longer see the project is not told of commits either. */
async function forgetMember(tx: Transaction, projectId: number, accountId: number): Promise<void> {
  const told = tx.sql.deleteFrom('svn_notification_user').where('account_id', '=', accountId);
  await tx.run(told.where('notification_id', 'in', notificationsOf(tx, projectId)));
  await removeVainNotifications(tx, projectId);
}

async function changed(tx: Transaction, viewer: Viewer, change: ProjectChange): Promise<void> {
  const { projectId } = change;
  switch (change.kind) {
    case 'group-renamed':
      return renameGroup(tx, viewer, projectId, change.from, change.to);
    case 'group-deleted':
      return forgetGroup(tx, projectId, change.groupId);
    case 'member-removed':
      return isPrivate(change.access) ? forgetMember(tx, projectId, change.accountId) : undefined;
  }
}

/** Projects made from another have the same groups as administrators of their repositories. */
const fillFromTemplate: NonNullable<ProjectExtension['fillFromTemplate']> = async (
  tx,
  _,
  projectId,
  source,
) => {
  if (source.kind !== 'project') return;
  const query = tx.sql.selectFrom('svn_administrator').select('group_id');
  for (const { group_id } of await tx.all(query.where('project_id', '=', source.projectId))) {
    const copy = { project_id: projectId, group_id: source.groups.get(group_id) ?? group_id };
    await tx.run(tx.sql.insertInto('svn_administrator').values(copy));
  }
};

const lastCommitsIn = statementOverIds((sql, projectIds) =>
  sql
    .selectFrom('svn_repository')
    .select(['project_id', 'last_commit_at'])
    .where('project_id', 'in', projectIds)
    .where('state', '=', 'live'),
);

/** Of whatever repository: that there was a commit is told to everybody who sees the project, by their list. */
const lastActivities: NonNullable<ProjectExtension['lastActivities']> = async (reader, _, projectIds) => {
  const rows = await reader.all(...lastCommitsIn(projectIds));
  return rows.flatMap(({ project_id: projectId, last_commit_at: at }) =>
    at === null ? [] : { projectId, at },
  );
};

/** Commits of one project that are told, and repositories in which they are looked for. */
const mostTold = 30;
const mostLooked = 50;

function entryOf(
  project: string,
  { name }: RepositoryRow,
  { revision, message, at, accountId }: KnownCommit,
): ActivityEntry {
  const path = `/projects/${encodeURIComponent(project)}/svn/${encodeURIComponent(name)}/revisions/${revision}`;
  const [line = ''] = message.split('\n', 1);
  const subject = { reference: `${name} r${revision}`, path, title: line.slice(0, 200) };
  return { at, deed: 'committed', subject, iconName: 'fa-code', userId: accountId };
}

/** The last commits of all repositories, as far as the viewer may know of them. */
const activity: NonNullable<ProjectExtension['activity']> = async (reader, viewer, projectId) => {
  const project = await findProject(reader, viewer, projectId);
  if (project === undefined) return { entries: [], hasHidden: false };
  const rows = await reader.all(
    reader.sql
      .selectFrom('svn_repository')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('state', '=', 'live')
      .where('last_commit_at', 'is not', null)
      .orderBy('last_commit_at', 'desc')
      .limit(mostLooked),
  );
  const found: { entries: ActivityEntry[]; hasHidden: boolean }[] = [];
  for (const row of rows) {
    const last = await lastCommitsOf(reader, viewer, row, { most: mostTold, looked: mostTold });
    const entries = last.commits.map((commit) => entryOf(project.shortname, row, commit));
    found.push({ entries, hasHidden: last.hasHidden });
  }
  const entries = found.flatMap((one) => one.entries).sort((one, other) => other.at - one.at);
  return { entries, hasHidden: found.some(({ hasHidden }) => hasHidden) };
};

/** What repositories add to every project. */
export const repositoriesInProjects: ProjectExtension = {
  resources: ['svn'],
  activity,
  lastActivities,
  referenceKeywords: revisionKeywords,
  fillFromTemplate,
  changed,
};
