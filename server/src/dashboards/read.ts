import { notFound } from '../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { countsAsAdministrator, findProject, mayAccess, requireProject } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import type { Dashboard } from './model.ts';
import { dashboardsOf, findDashboard } from './store.ts';

export interface SeenDashboard {
  readonly dashboard: Dashboard;
  readonly mayChange: boolean;
}

export const unknownDashboard = () => notFound('There is no such dashboard.');

type Access = 'none' | 'reading' | 'writing';

async function accessTo(
  reader: Reader,
  viewer: Viewer,
  { projectId, ownerId }: Pick<Dashboard, 'projectId' | 'ownerId'>,
): Promise<Access> {
  if (projectId === null) return !isAnonymous(viewer) && ownerId === viewer.userId ? 'writing' : 'none';
  const project = await findProject(reader, viewer, projectId);
  if (project === undefined || !mayAccess(viewer, project)) return 'none';
  const mayWrite = countsAsAdministrator(viewer, project) && project.status === 'active';
  return mayWrite ? 'writing' : 'reading';
}

/** Whether somebody who sees dashboards of a place may change them. */
export const mayChange = async (
  reader: Reader,
  viewer: Viewer,
  place: Pick<Dashboard, 'projectId' | 'ownerId'>,
): Promise<boolean> => (await accessTo(reader, viewer, place)) === 'writing';

/** The dashboard, for those who may read it; to others it does not exist. */
export async function requireDashboard(reader: Reader, viewer: Viewer, id: number): Promise<SeenDashboard> {
  const dashboard = await findDashboard(reader, id);
  const access = dashboard === undefined ? 'none' : await accessTo(reader, viewer, dashboard);
  if (dashboard === undefined || access === 'none') throw unknownDashboard();
  return { dashboard, mayChange: access === 'writing' };
}

/** Dashboards of a project; without one, those of the viewer. */
export async function listDashboards(
  reader: Reader,
  viewer: Viewer,
  { projectId }: { readonly projectId: number | undefined },
): Promise<SeenDashboard[]> {
  if (projectId === undefined && isAnonymous(viewer)) return [];
  if (projectId !== undefined) await requireProject(reader, viewer, projectId, 'project');
  const place =
    projectId === undefined
      ? ({ projectId: null, ownerId: viewer.userId } as const)
      : ({ projectId, ownerId: null } as const);
  const isChangeable = await mayChange(reader, viewer, place);
  return (await dashboardsOf(reader, place)).map((dashboard) => ({ dashboard, mayChange: isChangeable }));
}
