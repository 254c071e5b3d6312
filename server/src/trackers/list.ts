import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { ProjectAccess } from '../projects/index.ts';
import type { Reader, Revisions } from '../storage/index.ts';
import type { Trackers } from './cache.ts';
import { administersAll, requireTrackersOf } from './policy.ts';
import { type TrackerView, viewOf } from './view.ts';

export interface TrackerListing extends Page {
  readonly projectId: number;
  /** Only those that the viewer administers. */
  readonly isForAdministrators: boolean;
}

/** The trackers of a project that the viewer sees. `viewOf` says the same about one tracker. */
export function visibleTrackers(
  reader: Reader,
  projectAccess: ProjectAccess,
  { projectId, isForAdministrators }: Pick<TrackerListing, 'projectId' | 'isForAdministrators'>,
) {
  const trackers = reader.sql
    .selectFrom('tracker')
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null);
  if (administersAll(projectAccess)) return trackers;
  return trackers.where((tracker) => {
    const grants = tracker
      .selectFrom('tracker_grant')
      .select('group_id')
      .whereRef('tracker_grant.tracker_id', '=', 'tracker.id')
      .where('group_id', 'in', projectAccess.groups);
    return tracker.exists(isForAdministrators ? grants.where('permission', '=', 'admin') : grants);
  });
}

/** A page of the trackers of a project that the viewer sees, by name. */
export async function listTrackers(
  reader: Reader,
  viewer: Viewer,
  listing: TrackerListing,
  { trackers, revisions }: { trackers: Trackers; revisions: Revisions },
): Promise<Slice<TrackerView>> {
  const projectAccess = await trackers.projectAccess(reader, viewer, listing.projectId, revisions);
  requireTrackersOf(viewer, projectAccess);
  const visible = visibleTrackers(reader, projectAccess, listing);
  const count = await reader.first(visible.select((tracker) => tracker.fn.countAll<number>().as('size')));
  const page = visible.select('id').orderBy('name_key').orderBy('id');
  const rows = await reader.all(page.limit(listing.limit).offset(listing.offset));
  const ids = rows.map(({ id }) => id);
  const found = await trackers.findAll(reader, ids, revisions);
  return { items: found.map((tracker) => viewOf(tracker, projectAccess)), size: count?.size ?? 0 };
}

/** Why the viewer cannot create an artifact by giving nothing but a title; empty when they can. */
export function reasonsAgainstTitleOnly(view: TrackerView): string[] {
  const { tracker, canSubmit } = view;
  const titleId = tracker.semantics.title?.fieldId;
  const title = titleId === undefined ? undefined : tracker.elementById.get(titleId);
  const isInTheWay = tracker.elements.some(
    (field) => field.isUsed && field.isRequired && field.id !== titleId && view.canSubmitField(field),
  );
  return [
    ...(canSubmit ? [] : ['You may not submit artifacts in this tracker.']),
    ...(title === undefined ? ['The tracker has no title field.'] : []),
    ...(title !== undefined && !view.canSubmitField(title) ? ['You may not fill the title field.'] : []),
    ...(isInTheWay ? ['Another field than the title is required.'] : []),
  ];
}
