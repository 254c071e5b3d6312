import type { Transaction } from '../storage/index.ts';

/** Names under which existing clients know the platform's background tasks. */
export const taskTypes = {
  accountActivated: 'Tuleap\\SystemEvent\\SystemEventUserActiveStatusChange',
  projectRenamed: 'SystemEvent_PROJECT_RENAME',
  projectDeleted: 'SystemEvent_PROJECT_DELETE',
  projectRestored: 'SystemEvent_PROJECT_RESTORE',
  projectPurged: 'SystemEvent_PROJECT_PURGE',
  projectVisibility: 'SystemEvent_PROJECT_IS_PRIVATE',
  memberAdded: 'SystemEvent_MEMBERSHIP_CREATE',
  memberRemoved: 'SystemEvent_MEMBERSHIP_DELETE',
  groupChanged: 'SystemEvent_UGROUP_MODIFY',
  repositoryCreated: 'Tuleap\\SVN\\Events\\SystemEvent_SVN_CREATE_REPOSITORY',
  repositoryDeleted: 'Tuleap\\SVN\\Events\\SystemEvent_SVN_DELETE_REPOSITORY',
  repositoryRestored: 'Tuleap\\SVN\\Events\\SystemEvent_SVN_RESTORE_REPOSITORY',
} as const;
export type TaskType = (typeof taskTypes)[keyof typeof taskTypes];

/** Records a task that was done at once, within the transaction that did it. */
export async function recordTask(tx: Transaction, type: TaskType, log: string): Promise<void> {
  const event = { type, status: 'DONE', owner: 'root', log, created_at: Date.now() };
  await tx.run(tx.sql.insertInto('system_event').values(event));
}

/** Records tasks of one type, however many. */
export async function recordTasks(tx: Transaction, type: TaskType, logs: readonly string[]): Promise<void> {
  const now = Date.now();
  const rows = logs.map((log) => [type, 'DONE', 'root', log, now] as const);
  await tx.insertMany('system_event', ['type', 'status', 'owner', 'log', 'created_at'], rows);
}

type TaskStatus = 'NEW' | 'RUNNING' | 'DONE' | 'WARNING' | 'ERROR';

/** Records a task that is still to be done, and gives its id. */
export async function queueTask(tx: Transaction, type: TaskType, log: string): Promise<number> {
  const event = { type, status: 'NEW', owner: 'root', log, created_at: Date.now() };
  const [stored] = await tx.all(tx.sql.insertInto('system_event').values(event).returning('id'));
  if (stored === undefined) throw new Error('The new task has no id.');
  return stored.id;
}

/** Tells how far a queued task is. */
export async function settleTask(
  tx: Transaction,
  id: number,
  status: TaskStatus,
  log: string,
): Promise<void> {
  await tx.run(tx.sql.updateTable('system_event').set({ status, log }).where('id', '=', id));
}
