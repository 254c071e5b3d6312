import type { Transaction } from '../storage/index.ts';

/** Names under which existing clients know the platform's background tasks. */
export const taskTypes = {
  accountActivated: 'Tuleap\\SystemEvent\\SystemEventUserActiveStatusChange',
  projectRenamed: 'SystemEvent_PROJECT_RENAME',
  projectDeleted: 'SystemEvent_PROJECT_DELETE',
  projectVisibility: 'SystemEvent_PROJECT_IS_PRIVATE',
  memberAdded: 'SystemEvent_MEMBERSHIP_CREATE',
  memberRemoved: 'SystemEvent_MEMBERSHIP_DELETE',
  groupChanged: 'SystemEvent_UGROUP_MODIFY',
} as const;
export type TaskType = (typeof taskTypes)[keyof typeof taskTypes];

/** Records a task that was done at once, within the transaction that did it. */
export async function recordTask(tx: Transaction, type: TaskType, log: string): Promise<void> {
  const event = { type, status: 'DONE', owner: 'root', log, created_at: Date.now() };
  await tx.run(tx.sql.insertInto('system_event').values(event));
}
