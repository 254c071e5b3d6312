import type { Instant } from '../kernel/clock.ts';
import { delegation, holds, type Viewer } from '../kernel/viewer.ts';
import { type ProjectExtension, readProjectAccess } from '../projects/index.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { fillWithTrackers } from './admin/create.ts';
import { visibleTrackers } from './list.ts';
import { isGrantedToViewer, trackersSeenIn } from './seen.ts';

export interface ParentChange {
  readonly trackerId: number;
  readonly formerParentId: number | null;
  readonly parentId: number | null;
}

/** Fields of a tracker, by their short names, whose values may count for something else from now on. */
export interface ContributionChange {
  readonly trackerId: number;
  readonly names: readonly string[];
}

/** Something elsewhere that names an artifact. */
export interface OutsideReference {
  /** As it is written in texts: `svn #firmware/42`. */
  readonly keyword: string;
  readonly value: string;
  readonly projectId: number;
  /** Undefined where the viewer may know that it is there, and no more. */
  readonly details:
    | { readonly revision: number; readonly author: string; readonly message: string; readonly at: Instant }
    | undefined;
}

/** A room above this one that knows of such references. `operations.ts` hands it in. */
export interface ReferenceSource {
  /** By the id of the artifact that is named; nothing that the viewer may not know. */
  referencesTo(
    reader: Reader,
    viewer: Viewer,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly OutsideReference[]>>;
}

/** What rooms above this one do when trackers change, in the same transaction. `operations.ts` hands them in. */
export interface TrackerExtension {
  /** The tracker got another parent, so that links between artifacts of the two are to be of another type. */
  parentChanged?(tx: Transaction, viewer: Viewer, change: ParentChange): Promise<void>;
  /** What artifacts of the tracker add to sums may be something else, without any of them having changed. */
  contributionsChanged?(tx: Transaction, change: ContributionChange): Promise<void>;
  /** Values of the field are measured in another way from now on. */
  measuringChanged?(tx: Transaction, viewer: Viewer, fieldId: number): Promise<void>;
}

export async function tellContributions(
  tx: Transaction,
  extensions: readonly TrackerExtension[],
  change: ContributionChange,
): Promise<void> {
  for (const extension of extensions) await extension.contributionsChanged?.(tx, change);
}

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
