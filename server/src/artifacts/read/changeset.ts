import { type Reader, statement } from '../../storage/index.ts';
import type { Field, Stored, Tracker, TrackerView } from '../../trackers/index.ts';
import { commentMark, parseComment, readableCommenters, type StoredComment } from '../comments.ts';
import { type Document, linkField } from '../model.ts';
import { linksIn, movedLinks, readSteps } from '../totals/index.ts';

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
  const row = await reader.first(changesetById, { id: changesetId, artifactId });
  if (row === undefined) return undefined;
  const links = linkField(tracker);
  const before: Record<string, Stored> = links === undefined ? {} : { [links.id]: [] };
  let changes: Document = {};
  let steps = 0;
  for await (const some of readSteps(reader, artifactId, changesetId))
    for (const step of some) {
      Object.assign(before, changes);
      changes = step.changes;
      steps++;
    }
  return {
    ...row,
    isCreation: steps === 1,
    comment: parseComment(row.comment),
    changes,
    before,
    after: { ...before, ...changes },
  };
}

/** The other ends of the links that a change made, took away or gave another type. */
export function movedEnds(
  { before, after }: Pick<ArtifactChange, 'before' | 'after'>,
  { id }: Field,
): number[] {
  return movedLinks(linksIn(before[id]), linksIn(after[id]));
}

const commenters = statement((sql, p: { artifactId: number }) =>
  sql
    .selectFrom('changeset')
    .select(['submitted_by', commentMark.as('mark')])
    .distinct()
    .where('artifact_id', '=', p.artifactId)
    .where(commentMark, '<>', 0),
);

/** Everybody who ever commented on an artifact, as far as their comments are for the viewer. */
export async function findCommenters(
  reader: Reader,
  view: TrackerView,
  artifactId: number,
): Promise<number[]> {
  const rows = await reader.all(commenters, { artifactId });
  const open = view.isAdmin ? rows : rows.filter(({ mark }) => mark === 1);
  const readable = open.length === rows.length ? [] : await readableCommenters(reader, view, artifactId);
  return [...new Set([...open.map(({ submitted_by }) => submitted_by), ...readable])];
}
