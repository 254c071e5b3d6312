import { findAccounts, isUsable } from '../identity/index.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { builtInGroups, groupIds, parseGroupAddress } from '../projects/index.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import type { Notification } from './model.ts';

/** A notification as clients write it. */
export interface NotificationInput {
  readonly path: string;
  readonly emails: readonly string[];
  readonly users: readonly number[];
  /** Ids of groups as the API gives them. */
  readonly user_groups: readonly string[];
}

const longestPath = 255;
const place = (index: number) => `\`settings[email_notifications][${index}]\``;

const repeated = <Value>(values: readonly Value[]) =>
  values.find((value, index) => values.indexOf(value) !== index);

function checkForm(input: readonly NotificationInput[]): void {
  const path = repeated(input.map((notification) => notification.path));
  if (path !== undefined)
    throw invalid(`\`settings[email_notifications]\` has the path "${path}" more than once.`);
  const empty = input.findIndex(
    ({ emails, users, user_groups }) => emails.length + users.length + user_groups.length === 0,
  );
  if (empty !== -1) throw invalid(`${place(empty)} has neither an address nor a user nor a user group.`);
  for (const [index, { emails, path: long }] of input.entries()) {
    const email = repeated(emails);
    if (email !== undefined) throw invalid(`${place(index)} has the address ${email} more than once.`);
    if ([...long].length > longestPath)
      throw invalid(`${place(index)}: the path has more than ${longestPath} characters.`);
  }
}

/** People who may be told of commits. */
async function checkUsers(reader: Reader, ids: readonly number[], at: string): Promise<void> {
  const accounts = new Map((await findAccounts(reader, ids)).map((account) => [account.id, account]));
  for (const id of ids) {
    const account = accounts.get(id);
    if (account === undefined) throw invalid(`${at}: there is no user ${id}.`);
    if (!isUsable(account.status)) throw invalid(`${at}: the account of user ${id} cannot be used.`);
  }
}

const notified: readonly number[] = [groupIds.projectMembers, groupIds.projectAdmins];

async function groupCalled(reader: Reader, projectId: number, text: string, at: string): Promise<number> {
  if (!/^(\d+_)?\d+$/.test(text)) throw invalid(`${at}: "${text}" is not the id of a user group.`);
  const kind = builtInGroups.get(Number(text.split('_').at(-1)))?.kind;
  if (kind === 'system') throw invalid(`${at}: the group ${text} cannot be told of commits.`);
  const { groupId, projectId: named } = parseGroupAddress(text);
  const foreign = () => invalid(`${at}: the group ${text} belongs to another project.`);
  if (kind === 'dynamic') {
    if (named !== projectId) throw foreign();
    if (!notified.includes(groupId)) throw invalid(`${at}: the group ${text} cannot be told of commits.`);
    return groupId;
  }
  const query = reader.sql.selectFrom('user_group').select('project_id').where('id', '=', groupId);
  const group = await reader.first(query);
  if (group === undefined) throw notFound(`${at}: there is no user group ${text}.`);
  if (group.project_id !== projectId || (named !== undefined && named !== projectId)) throw foreign();
  return groupId;
}

/** Addresses are kept joined, so one that has a separator in it comes back as two. */
const addressesIn = (text: string) =>
  text
    .split(/[,;]/)
    .map((email) => email.trim())
    .filter((email) => email !== '');

/** Checks notifications as clients write them, and gives them as they are kept. */
export async function checkNotifications(
  reader: Reader,
  projectId: number,
  input: readonly NotificationInput[],
): Promise<Notification[]> {
  checkForm(input);
  const checked: Notification[] = [];
  for (const [index, { path, emails, users, user_groups }] of input.entries()) {
    await checkUsers(reader, users, place(index));
    const groups = await Array.fromAsync(user_groups, (text) =>
      groupCalled(reader, projectId, text, place(index)),
    );
    checked.push({
      path,
      emails: addressesIn(emails.join(',')),
      users: [...new Set(users)],
      groups: [...new Set(groups)],
    });
  }
  return checked;
}

export async function readNotifications(reader: Reader, repositoryId: number): Promise<Notification[]> {
  const { sql } = reader;
  const query = sql.selectFrom('svn_notification').selectAll().orderBy('id');
  const rows = await reader.all(query.where('repository_id', '=', repositoryId));
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const users = await reader.all(
    sql
      .selectFrom('svn_notification_user')
      .selectAll()
      .where('notification_id', 'in', ids)
      .orderBy('account_id'),
  );
  const groups = await reader.all(
    sql
      .selectFrom('svn_notification_group')
      .selectAll()
      .where('notification_id', 'in', ids)
      .orderBy('group_id'),
  );
  return rows.map(({ id, path, emails }) => ({
    path,
    emails: addressesIn(emails),
    users: users.flatMap((row) => (row.notification_id === id ? row.account_id : [])),
    groups: groups.flatMap((row) => (row.notification_id === id ? row.group_id : [])),
  }));
}

export async function replaceNotifications(
  tx: Transaction,
  repository_id: number,
  notifications: readonly Notification[],
): Promise<void> {
  await tx.run(tx.sql.deleteFrom('svn_notification').where('repository_id', '=', repository_id));
  for (const { path, emails, users, groups } of notifications) {
    const row = { repository_id, path, emails: emails.join(',') };
    const [stored] = await tx.all(tx.sql.insertInto('svn_notification').values(row).returning('id'));
    if (stored === undefined) throw new Error('The new notification has no id.');
    const { id: notification_id } = stored;
    for (const account_id of users)
      await tx.run(tx.sql.insertInto('svn_notification_user').values({ notification_id, account_id }));
    for (const group_id of groups)
      await tx.run(tx.sql.insertInto('svn_notification_group').values({ notification_id, group_id }));
  }
}

/** Removes notifications of a project that nobody is left to be told by. */
export async function removeVainNotifications(tx: Transaction, projectId: number): Promise<void> {
  const { sql } = tx;
  const repositories = sql.selectFrom('svn_repository').select('id').where('project_id', '=', projectId);
  const vain = sql.deleteFrom('svn_notification').where('repository_id', 'in', repositories);
  await tx.run(
    vain
      .where('emails', '=', '')
      .where('id', 'not in', sql.selectFrom('svn_notification_user').select('notification_id'))
      .where('id', 'not in', sql.selectFrom('svn_notification_group').select('notification_id')),
  );
}
