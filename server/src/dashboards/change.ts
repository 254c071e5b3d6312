import { dashboardBounds } from '@atelier/contract/dashboard-bounds';
import { forbidden, invalid, invalidMember, Refusal } from '../kernel/errors.ts';
import type { LiveDeed } from '../kernel/events.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { countsAsAdministrator, requireProject, requireProjectWritable } from '../projects/index.ts';
import { logEvent, type Transaction } from '../storage/index.ts';
import type { Dashboard } from './model.ts';
import { searchDashboards } from './quick-search.ts';
import { requireDashboard, unknownDashboard } from './read.ts';
import {
  dashboardsOf,
  findDashboard,
  insertDashboard,
  lockOwner,
  type Owner,
  removeDashboard,
  setDefault,
  updateDashboard,
} from './store.ts';

function checkTitle(title: string): string {
  const { length } = [...title.trim()];
  if (length === 0 || length > dashboardBounds.title || /[\r\n]/.test(title))
    throw invalidMember('title', `It must be one line of 1 to ${dashboardBounds.title} characters.`);
  return title.trim();
}

const ownerOf = ({ projectId, ownerId }: Dashboard): Owner =>
  projectId === null ? { projectId, ownerId: ownerId ?? 0 } : { projectId, ownerId: null };

/** Refuses those who may not change dashboards of that project. */
async function requireAdministration(tx: Transaction, viewer: Viewer, projectId: number): Promise<void> {
  const project = await requireProject(tx, viewer, projectId, 'project');
  if (!countsAsAdministrator(viewer, project)) throw forbidden('Only project administrators may do this.');
  requireProjectWritable(project);
}

const tell = (
  tx: Transaction,
  { userId: by }: Viewer,
  { id, projectId, ownerId }: Dashboard,
  what: LiveDeed,
) => logEvent(tx, 'dashboard.changed', { dashboardId: id, projectId, ownerId, what, by });

export interface NewDashboard {
  readonly title: string;
  /** Undefined: one of the viewer. */
  readonly projectId: number | undefined;
  /** What is on it from the start. */
  readonly content: Pick<Dashboard, 'rows' | 'nextWidgetId'>;
}

async function createDashboard(
  tx: Transaction,
  viewer: Viewer,
  { title, projectId, content }: NewDashboard,
): Promise<Dashboard> {
  const owner: Owner =
    projectId === undefined ? { projectId: null, ownerId: viewer.userId } : { projectId, ownerId: null };
  await lockOwner(tx, owner);
  if (projectId !== undefined) await requireAdministration(tx, viewer, projectId);
  const others = await dashboardsOf(tx, owner);
  if (others.length >= dashboardBounds.dashboards) {
    const whose = projectId === undefined ? 'You have' : 'The project has';
    throw invalid(`${whose} ${others.length} dashboards, and cannot have more.`);
  }
  const isDefault = others.length === 0;
  const made = await insertDashboard(tx, owner, { title: checkTitle(title), isDefault, ...content });
  await tell(tx, viewer, made, 'created');
  return made;
}

/** The dashboard, with all of its owner locked, for those who may change it. */
async function requireForWriting(tx: Transaction, viewer: Viewer, id: number): Promise<Dashboard> {
  const { dashboard } = await requireDashboard(tx, viewer, id);
  await lockOwner(tx, ownerOf(dashboard));
  // Read again under the lock: somebody else may have been first.
  const locked = await findDashboard(tx, id);
  if (locked === undefined) throw unknownDashboard();
  if (locked.projectId !== null) await requireAdministration(tx, viewer, locked.projectId);
  return locked;
}

export interface DashboardReplacement extends Pick<Dashboard, 'id' | 'title' | 'rows' | 'nextWidgetId'> {
  /** The version that is replaced. */
  readonly version: number;
  readonly isDefault: boolean | undefined;
}

/** Replaces title and rows; a conflict where somebody else was first. */
async function replaceDashboard(
  tx: Transaction,
  viewer: Viewer,
  { id, version, title, isDefault, rows, nextWidgetId }: DashboardReplacement,
): Promise<Dashboard> {
  const dashboard = await requireForWriting(tx, viewer, id);
  if (dashboard.version !== version)
    throw new Refusal('conflict', `The dashboard was changed: its version is ${dashboard.version}.`);
  if (isDefault === false && dashboard.isDefault)
    throw invalidMember('is_default', 'This is the default one: make another one the default first.');
  if (isDefault === true && !dashboard.isDefault)
    for (const other of await dashboardsOf(tx, ownerOf(dashboard)))
      if (other.isDefault) await setDefault(tx, other.id, false);
  const replaced = {
    ...dashboard,
    title: checkTitle(title),
    isDefault: isDefault ?? dashboard.isDefault,
    version: version + 1,
    nextWidgetId,
    rows,
  };
  await updateDashboard(tx, replaced);
  await tell(tx, viewer, replaced, 'changed');
  return replaced;
}

async function deleteDashboard(tx: Transaction, viewer: Viewer, { id }: { id: number }): Promise<void> {
  const dashboard = await requireForWriting(tx, viewer, id);
  await removeDashboard(tx, id);
  const [first] = await dashboardsOf(tx, ownerOf(dashboard));
  if (dashboard.isDefault && first !== undefined) await setDefault(tx, first.id, true);
  await tell(tx, viewer, dashboard, 'deleted');
}

/** Everything that changes dashboards. Each runs in one transaction, wherever writes run. */
export const dashboardOperations = { createDashboard, replaceDashboard, deleteDashboard };

export const dashboardSearches = { searchDashboards };
