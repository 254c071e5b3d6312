import { invalid, notFoundForUser } from '../../kernel/errors.ts';
import { requireProjectWritable } from '../../projects/index.ts';
import { maySeeTrackersOf, type TrackerView, takersOf } from '../../trackers/index.ts';
import type { ArtifactRow } from '../model.ts';
import type { ReadContext } from '../visibility.ts';
import { requireUpdatable } from '../write/index.ts';
import type { Move } from './model.ts';

/** The tracker that an artifact shall go to, as the viewer sees it. */
async function requireTarget(readContext: ReadContext, trackerId: number): Promise<TrackerView> {
  const { reader, viewer, trackers, revisions } = readContext;
  const tracker = await trackers.find(reader, trackerId, revisions);
  if (tracker === undefined || tracker.isDeleted)
    throw notFoundForUser('There is no such tracker to move to.');
  const projectAccess = await trackers.projectAccess(reader, viewer, tracker.project.id, revisions);
  const { project } = projectAccess;
  if (project?.status === 'suspended') requireProjectWritable(project);
  if (project?.status !== 'active') throw invalid('The project to move to is not active.');
  const view = await trackers.view(reader, viewer, tracker, revisions);
  if (!maySeeTrackersOf(viewer, projectAccess) || !view.isAdmin)
    throw invalid('You must be an administrator of the tracker that the artifact is moved to.');
  return view;
}

/** Refuses unless the viewer may move the artifact there. */
export async function requireMove(
  readContext: ReadContext,
  row: ArtifactRow,
  trackerId: number,
): Promise<Move> {
  const artifact = await requireUpdatable(readContext, row);
  const { tracker: to } = await requireTarget(readContext, trackerId);
  const from = artifact.view.tracker;
  if (!artifact.view.isAdmin)
    throw invalid('You must be an administrator of the tracker that the artifact is moved from.');
  if (from.kept.allowsMoving === false) throw invalid('Artifacts of this tracker cannot be moved.');
  if (from.id === to.id) throw invalid('The artifact is in this tracker already.');
  const takers = takersOf(from, to);
  if ([...takers.values()].every((taker) => taker === undefined))
    throw invalid('No field of the artifact has a field of the same name and a fitting type to go to.');
  return { artifact, to, takers };
}
