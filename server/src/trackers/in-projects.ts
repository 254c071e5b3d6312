import { delegation, holds, type Viewer } from '../kernel/viewer.ts';
import { type ProjectExtension, readProjectAccess } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import { fillWithTrackers } from './admin/index.ts';
import { visibleTrackers } from './list.ts';
import { isGrantedToViewer, trackersSeenIn } from './seen.ts';

/** The trackers of a project that the viewer may know of. Those who see all of them need no access to be worked out, which takes reads. */
async function knownTrackers(reader: Reader, viewer: Viewer, projectId: number) {
  const trackers = reader.sql.selectFrom('tracker').where('project_id', '=', projectId);
  if (viewer.isSiteAdmin) return trackers.where('deleted_at', 'is', null);
  const projectAccess = await readProjectAccess(reader, viewer, projectId);
  return visibleTrackers(reader, projectAccess, { projectId, isForAdministrators: false });
}

/** What trackers add to every project. */
export const trackersInProjects: ProjectExtension = {
  resources: ['trackers'],
  fillFromTemplate: fillWithTrackers,
  projectsWithAdministeredTracker(sql, viewer) {
    const trackers = sql.selectFrom('tracker').select('project_id').where('deleted_at', 'is', null);
    const isGlobal = holds(viewer, delegation.trackerAdministration);
    return isGlobal ? trackers : trackers.where(isGrantedToViewer(viewer, 'admin'));
  },
  async lastActivities(reader, viewer, projectIds) {
    const rows = await reader.all(
      trackersSeenIn(reader, viewer, projectIds).select((tracker) => [
        'project_id',
        tracker
          .selectFrom('artifact')
          .select((artifact) => artifact.fn.max('modified_on').as('at'))
          .whereRef('artifact.tracker_id', '=', 'tracker.id')
          .as('at'),
      ]),
    );
    return rows.flatMap(({ project_id: projectId, at }) => (at === null ? [] : { projectId, at }));
  },
  async writers(reader, viewer, projectId) {
    const seen = trackersSeenIn(reader, viewer, [projectId]).select('id');
    return reader.sql.selectFrom('tracker_person').select('account_id').where('tracker_id', 'in', seen);
  },
  async referenceKeywords(reader, viewer, projectId) {
    const rows = await reader.all(
      (await knownTrackers(reader, viewer, projectId)).select('item_name_key').orderBy('item_name_key'),
    );
    return rows.map(({ item_name_key: keyword }) => ({
      keyword,
      description: 'Artifact',
      accepts: (value) => /^\d+$/.test(value),
    }));
  },
};
