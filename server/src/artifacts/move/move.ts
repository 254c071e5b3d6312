import { notFound, unavailable } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Database } from '../../storage/index.ts';
import { type Field, type MovingContext, type Trackers, takeOver } from '../../trackers/index.ts';
import type { Document } from '../model.ts';
import { findArtifact } from '../store.ts';
import { type ReadContext, readContextOf } from '../visibility.ts';
import type { Move, MoveRequest } from './model.ts';
import type { MoveProgress } from './move-tx.ts';
import type { MoveOperations } from './operations.ts';
import { requireMove } from './plan.ts';

/** What becomes of the fields of an artifact that is moved. */
export interface MoveForecast {
  readonly migrated: readonly Field[];
  readonly partly: readonly Field[];
  readonly lost: readonly Field[];
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
  { moveArtifact }: MoveOperations,
  viewer: Viewer,
  input: MoveRequest,
): Promise<readonly string[]> {
  let progress: MoveProgress | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const step = await moveArtifact(viewer, { ...input, progress });
    if (step.isDone) return step.released;
    progress = step.progress;
  }
  throw unavailable('The trackers change all the time. Nothing was moved.', { retryAfter: 1 });
}
