import { type Reader, statement } from '../../storage/index.ts';
import type { Field, Tracker, TrackerView } from '../../trackers/index.ts';
import { commentMark, parseComment, readableCommenters, type StoredComment } from '../comments.ts';
import type { Document } from '../model.ts';
import { linksIn, movedLinks, readMoments } from '../totals/index.ts';

/** One changeset with the values around it, whoever may see them. */
export interface ArtifactChange {
  readonly id: number;
  readonly by: number;
  readonly at: number;
  readonly email: string | null;
  readonly isCreation: boolean;
  readonly comment: StoredComment | null;
  /** What it changed. */
  readonly changes: Document;
  readonly before: Document;
  readonly after: Document;
}

const changesetById = statement((sql, p: { id: number; artifactId: number }) =>
  sql
    .selectFrom('changeset')
    .select(['id', 'submitted_by as by', 'submitted_on as at', 'comment', 'email'])
    .where('id', '=', p.id)
    .where('artifact_id', '=', p.artifactId),
);

/** A changeset of an artifact of the tracker; undefined when it is gone. */
export async function readChange(
  reader: Reader,
  tracker: Tracker,
  { artifactId, changesetId }: { artifactId: number; changesetId: number },
): Promise<ArtifactChange | undefined> {
  const [row, moments] = await Promise.all([
    reader.first(changesetById, { id: changesetId, artifactId }),
    readMoments(reader, artifactId, tracker, [changesetId]),
  ]);
  const moment = moments.get(changesetId);
  if (row === undefined || moment === undefined) return undefined;
  const { isFirst: isCreation, before, changes } = moment;
  const comment = parseComment(row.comment);
  return { ...row, isCreation, comment, changes, before, after: { ...before, ...changes } };
}

/** The other ends of the links that a change made, took away or gave another type. */
export function movedEnds(
  { before, after }: Pick<ArtifactChange, 'before' | 'after'>,
  { id }: Field,
): number[] {
  return movedLinks(linksIn(before[id]), linksIn(after[id]));
}

const commenters = statement((sql, p: { artifactId: number; mark: 1 | 2 }) =>
  sql
    .selectFrom('changeset')
    .select('submitted_by')
    .distinct()
    .where('artifact_id', '=', p.artifactId)
    // As the index that has them says it.
    .where('comment', 'is not', null)
    .where(commentMark, '=', p.mark),
);

/** Everybody who ever commented on an artifact, as far as their comments are for the viewer. */
export async function findCommenters(
  reader: Reader,
  view: TrackerView,
  artifactId: number,
): Promise<number[]> {
  const [open, closed] = await Promise.all([
    reader.all(commenters, { artifactId, mark: 1 }),
    reader.all(commenters, { artifactId, mark: 2 }),
  ]);
  const readable =
    view.isAdmin || closed.length === 0
      ? closed.map(({ submitted_by }) => submitted_by)
      : await readableCommenters(reader, view, artifactId);
  return [...new Set([...open.map(({ submitted_by }) => submitted_by), ...readable])];
}
