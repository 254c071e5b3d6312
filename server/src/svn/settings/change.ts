import type { Viewer } from '../../kernel/viewer.ts';
import { renewAccess } from '../access/index.ts';
import type { SvnDeps } from '../deps.ts';
import { requireOwnRepository } from '../policy.ts';
import { checkSettings, type SettingsInput } from './settings.ts';

export async function changeRepository(
  svnDeps: SvnDeps,
  viewer: Viewer,
  { id, settings: input }: { readonly id: number; readonly settings: SettingsInput },
): Promise<void> {
  const { database, operations, svnWorkspace } = svnDeps;
  await svnDeps.parts.require();
  const { project } = await requireOwnRepository(database, viewer, id);
  const settings = await checkSettings(database, svnWorkspace, project, input);
  await operations.storeRepositorySettings(viewer, { id, settings });
  await renewAccess(svnDeps, id);
}
