import { fold } from '../kernel/text.ts';
import {
  type Expression,
  type Reader,
  type SqlBool,
  type Tables,
  type Transaction,
  toFlag,
} from '../storage/index.ts';
import type { Dashboard, DashboardRow } from './model.ts';

type Stored = Omit<Tables['dashboard'], 'id'> & { readonly id: number };

const toDashboard = (row: Stored): Dashboard => ({
  id: row.id,
  title: row.title,
  projectId: row.project_id,
  ownerId: row.owner_id,
  isDefault: row.is_default === 1,
  version: row.version,
  nextWidgetId: row.next_widget_id,
  // Written by this file alone, and by the migration that made the table.
  rows: JSON.parse(row.content) as DashboardRow[],
});

/** Whose dashboards are meant. */
export type Owner =
  | { readonly projectId: number; readonly ownerId: null }
  | { readonly projectId: null; readonly ownerId: number };

export async function findDashboard(reader: Reader, id: number): Promise<Dashboard | undefined> {
  if (!Number.isSafeInteger(id)) return undefined;
  const row = await reader.first(reader.sql.selectFrom('dashboard').selectAll().where('id', '=', id));
  return row && toDashboard(row);
}

/** Those that a condition holds for, to be changed. */
export async function lockDashboards(tx: Transaction, holds: Expression<SqlBool>): Promise<Dashboard[]> {
  const some = tx.sql.selectFrom('dashboard').selectAll().where(holds).orderBy('id');
  return (await tx.lock(some)).map(toDashboard);
}

/** The default one first, then the oldest. */
export async function dashboardsOf(reader: Reader, { projectId, ownerId }: Owner): Promise<Dashboard[]> {
  const all = reader.sql.selectFrom('dashboard').selectAll();
  const own =
    projectId === null ? all.where('owner_id', '=', ownerId) : all.where('project_id', '=', projectId);
  return (await reader.all(own.orderBy('is_default', 'desc').orderBy('id'))).map(toDashboard);
}

/** Writes wait for each other: one dashboard at a time is made or changed among those of a project or a person. */
export async function lockOwner(tx: Transaction, { projectId, ownerId }: Owner): Promise<void> {
  await tx.lock(
    projectId === null
      ? tx.sql.selectFrom('account').select('id').where('id', '=', ownerId)
      : tx.sql.selectFrom('project').select('id').where('id', '=', projectId),
  );
}

export async function insertDashboard(
  tx: Transaction,
  { projectId, ownerId }: Owner,
  made: Pick<Dashboard, 'title' | 'isDefault' | 'nextWidgetId' | 'rows'>,
): Promise<Dashboard> {
  const row = {
    project_id: projectId,
    owner_id: ownerId,
    title: made.title,
    title_key: fold(made.title),
    is_default: toFlag(made.isDefault),
    version: 1,
    next_widget_id: made.nextWidgetId,
    content: JSON.stringify(made.rows),
  };
  const [stored] = await tx.all(tx.sql.insertInto('dashboard').values(row).returning('id'));
  if (stored === undefined) throw new Error('The new dashboard has no id.');
  return toDashboard({ id: stored.id, ...row });
}

export async function updateDashboard(tx: Transaction, dashboard: Dashboard): Promise<void> {
  const row = {
    title: dashboard.title,
    title_key: fold(dashboard.title),
    is_default: toFlag(dashboard.isDefault),
    version: dashboard.version,
    next_widget_id: dashboard.nextWidgetId,
    content: JSON.stringify(dashboard.rows),
  };
  await tx.run(tx.sql.updateTable('dashboard').set(row).where('id', '=', dashboard.id));
}

/** The version stays: nobody's arrangement is in the way of it. */
export async function setDefault(tx: Transaction, id: number, isDefault: boolean): Promise<void> {
  await tx.run(
    tx.sql
      .updateTable('dashboard')
      .set({ is_default: toFlag(isDefault) })
      .where('id', '=', id),
  );
}

/** Deletes it with what people remember of it. */
export async function removeDashboard(tx: Transaction, id: number): Promise<void> {
  for (const table of ['visit', 'favorite'] as const)
    await tx.run(tx.sql.deleteFrom(table).where('kind', '=', 'dashboard').where('item_id', '=', id));
  await tx.run(tx.sql.deleteFrom('dashboard').where('id', '=', id));
}
