import type { Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import type { Activity, ProjectExtension } from './extension.ts';
import { requireProject } from './require-access.ts';

/** How much each room may tell. */
const entriesOfRoom = 30;

/** What happened last in a project, newest first, as far as the viewer may know. */
export async function readActivity(
  reader: Reader,
  viewer: Viewer,
  projectId: number,
  extensions: readonly ProjectExtension[],
): Promise<Activity> {
  await requireProject(reader, viewer, projectId, 'project');
  const rooms: Activity[] = [];
  for (const extension of extensions) {
    const activity = await extension.activity?.(reader, viewer, projectId);
    if (activity !== undefined) rooms.push(activity);
  }
  const entries = rooms.flatMap((room) => room.entries.slice(0, entriesOfRoom));
  return {
    entries: entries.sort((a, b) => b.at - a.at),
    hasHidden: rooms.some(({ hasHidden }) => hasHidden),
  };
}
