import type { Artifact } from '../artifacts/index.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import type { Field, Stored } from '../trackers/index.ts';
import { whoHasAccount } from './choices.ts';

const itemsIn = (value: Stored | undefined): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether the viewer is chosen in a list of people or of groups. */
function isChosenIn(field: Field, { view, document }: Artifact, { userId }: Viewer): boolean {
  const items = itemsIn(document[field.id]);
  if (field.bind?.kind === 'users') return items.includes(userId);
  if (field.bind?.kind !== 'ugroups') return false;
  const groups = field.bind.values
    .filter(({ id }) => items.includes(id))
    .flatMap(({ groupId }) => groupId ?? []);
  return groups.some((id) => view.groups.includes(id));
}

function isInvolved(artifact: Artifact, viewer: Viewer): boolean {
  const { row, view } = artifact;
  if (row.submitted_by === viewer.userId) return true;
  const { elements, semantics } = view.tracker;
  const telling = elements.filter(
    ({ id, isUsed, hasNotifications }) =>
      isUsed && (hasNotifications || id === semantics.contributor?.fieldId),
  );
  return telling.some((field) => isChosenIn(field, artifact, viewer));
}

async function commentedAmong(reader: Reader, { userId }: Viewer, ids: readonly number[]): Promise<number[]> {
  const rows = await reader.all(
    reader.sql
      .selectFrom('changeset')
      .select('artifact_id')
      .distinct()
      .where('artifact_id', 'in', ids)
      .where('submitted_by', '=', userId)
      .where('comment', 'is not', null),
  );
  return rows.map(({ artifact_id }) => artifact_id);
}

async function mutedAmong(reader: Reader, viewer: Viewer, artifacts: readonly Artifact[]) {
  const ids = artifacts.map(({ row }) => row.id);
  const trackerIds = [...new Set(artifacts.map(({ row }) => row.tracker_id))];
  const rows = await reader.all(
    reader.sql
      .selectFrom('mail_choice')
      .select(['kind', 'subject_id'])
      .where('who', '=', whoHasAccount(viewer.userId))
      .where((row) =>
        row.or([
          row.and([row('kind', '=', 'artifact'), row('subject_id', 'in', ids)]),
          row.and([row('kind', '=', 'tracker'), row('subject_id', 'in', trackerIds)]),
        ]),
      ),
  );
  const muted = new Set(rows.map(({ kind, subject_id }) => `${kind} ${subject_id}`));
  return artifacts
    .filter(({ row }) => muted.has(`artifact ${row.id}`) || muted.has(`tracker ${row.tracker_id}`))
    .map(({ row }) => row.id);
}

/**
 * Those of some artifacts of whose changes the viewer is told: they have submitted them, commented on them or are chosen in
 * them, and have not muted them.
 */
export async function watchedAmong(
  reader: Reader,
  viewer: Viewer,
  artifacts: readonly Artifact[],
): Promise<ReadonlySet<number>> {
  if (isAnonymous(viewer) || artifacts.length === 0) return new Set();
  const involved = new Set(
    artifacts.filter((artifact) => isInvolved(artifact, viewer)).map(({ row }) => row.id),
  );
  const others = artifacts.map(({ row }) => row.id).filter((id) => !involved.has(id));
  if (others.length > 0) for (const id of await commentedAmong(reader, viewer, others)) involved.add(id);
  for (const id of await mutedAmong(reader, viewer, artifacts)) involved.delete(id);
  return involved;
}
