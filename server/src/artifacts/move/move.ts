import { invalid, notFound, unavailable } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { requireProjectWritable } from '../../projects/index.ts';
import type { Database } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import {
  type Field,
  type MovingContext,
  maySeeTrackersOf,
  type Tracker,
  type TrackerView,
  takeOver,
  takersOf,
} from '../../trackers/index.ts';
import type { Artifact, ArtifactRow, Document } from '../model.ts';
import type { ArtifactOperations } from '../operations.ts';
import { readContextOf } from '../read/artifact.ts';
import { findArtifact } from '../store.ts';
import type { ReadContext } from '../visibility.ts';
import { requireUpdatable } from '../write/update.ts';
import type { MoveProgress } from './move-tx.ts';

/** An artifact that shall be one of another tracker. */
export interface MoveRequest {
  readonly id: number;
  readonly trackerId: number;
}

/** A move that its viewer may make. */
export interface Move {
  readonly artifact: Artifact;
  readonly to: Tracker;
  /** Which field of the other tracker takes over each field of this one. */
  readonly takers: ReadonlyMap<Field, Field | undefined>;
}

/** What becomes of the fields of an artifact that is moved. */
export interface MoveForecast {
  readonly migrated: readonly Field[];
  readonly partly: readonly Field[];
  readonly lost: readonly Field[];
}

/** The tracker that an artifact shall go to, as the viewer sees it. */
async function requireTarget(readContext: ReadContext, trackerId: number): Promise<TrackerView> {
  const { reader, viewer, trackers, revisions } = readContext;
  const tracker = await trackers.find(reader, trackerId, revisions);
  if (tracker === undefined || tracker.isDeleted) throw notFound('There is no such tracker to move to.');
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

async function fateOf(
  field: Field,
  taker: Field | undefined,
  document: Document,
  context: MovingContext,
): Promise<keyof MoveForecast> {
  const value = document[field.id];
  // An artifact that everybody may see has no permissions that could be taken along.
  const isOpen = field.type.value?.grantedGroups !== undefined;
  if (taker === undefined || (isOpen && (field.type.value?.grantedGroups?.(value ?? []) ?? []).length === 0))
    return 'lost';
  if (value === undefined) return 'migrated';
  return (await takeOver(taker, value, field, context)).isWhole ? 'migrated' : 'partly';
}

/** What would become of each field by its present value. Nothing is changed. */
async function forecast(
  { reader }: ReadContext,
  { artifact: { document }, to, takers }: Move,
): Promise<MoveForecast> {
  const context: MovingContext = {
    reader,
    tracker: to,
    render: async (content) => content,
    typedValue: async () => 0,
  };
  const fates = { migrated: [] as Field[], partly: [] as Field[], lost: [] as Field[] };
  for (const [field, taker] of takers) fates[await fateOf(field, taker, document, context)].push(field);
  return fates;
}

/** Tells what a move would do. */
export async function forecastMove(
  database: Database,
  viewer: Viewer,
  trackers: Trackers,
  { id, trackerId }: MoveRequest,
): Promise<MoveForecast> {
  const readContext = await readContextOf(database, viewer, trackers);
  const row = await findArtifact(database, id);
  if (row === undefined) throw notFound('There is no such artifact.');
  return forecast(readContext, await requireMove(readContext, row, trackerId));
}

const attempts = 1000;

/** Moves an artifact, in as many transactions as its history takes. Gives the bytes that nothing may need any more. */
export async function move(
  { moveArtifact }: Pick<ArtifactOperations, 'moveArtifact'>,
  viewer: Viewer,
  wish: MoveRequest,
): Promise<readonly string[]> {
  let progress: MoveProgress | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const step = await moveArtifact(viewer, { ...wish, progress });
    if (step.isDone) return step.released;
    progress = step.progress;
  }
  throw unavailable('The trackers change all the time. Nothing was moved.', { retryAfter: 1 });
}
