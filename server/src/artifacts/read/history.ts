import { notFound } from '../../kernel/errors.ts';
import { type Page, type Slice, slice } from '../../kernel/paging.ts';
import { type Reader, sql, statement } from '../../storage/index.ts';
import { commentMark, mayRead, parseComment, readablyCommented, type StoredComment } from '../comments.ts';
import { type Artifact, type Document, fieldIdsIn, linkField } from '../model.ts';
import { findVisibilityRows } from '../store.ts';
import { linksIn, type Moment, movedLinks, readMoments } from '../totals/index.ts';
import { type ReadContext, visibleOf } from '../visibility.ts';
import type { ArtifactChange } from './changeset.ts';

/** Which part of the history is asked for. */
export interface HistoryRequest extends Page {
  readonly isDescending: boolean;
  /** Changesets with a comment only, and without values. */
  readonly commentsOnly: boolean;
}

/** A changeset as one viewer sees it. */
export interface Changeset {
  readonly id: number;
  readonly by: number;
  readonly at: number;
  /** The address of somebody without an account, where an archive told it. */
  readonly email: string | null;
  readonly isCreation: boolean;
  /** Null when there never was one, or none that the viewer may read. */
  readonly comment: StoredComment | null;
  readonly hidesComment: boolean;
  /** The whole values at that time; undefined where they were not asked for. */
  readonly document: Document | undefined;
}

/** As much of a changeset as tells, most of the time, whether the viewer gets to see it. */
export interface Outline {
  readonly id: number;
  readonly by: number;
  readonly at: number;
  /** The fields that it changes; undefined where only its changes tell. */
  readonly fieldIds: readonly number[] | undefined;
  readonly mark: 0 | 1 | 2;
  /** How long its changes and its comment are. */
  readonly bytes: number;
  /** Whether it made the artifact. */
  readonly isCreation?: boolean;
}

const outlinesOf = statement((builder, p: { artifactId: number }) =>
  builder
    .selectFrom('changeset')
    .select(['id', 'submitted_by as by', 'submitted_on as at'])
    .select(['field_ids', commentMark.as('mark')])
    .select(sql<number>`octet_length(changes) + coalesce(octet_length(comment), 0)`.as('bytes'))
    .where('artifact_id', '=', p.artifactId)
    .orderBy('id'),
);

/** A light look at all changesets of an artifact, oldest first. */
async function readOutlines(reader: Reader, artifactId: number): Promise<Outline[]> {
  const rows = await reader.all(outlinesOf, { artifactId });
  return rows.map(({ field_ids, ...row }) => ({ ...row, fieldIds: fieldIdsIn(field_ids) }));
}

/** Looks closer at changesets: a change of links is seen by those who see one of the artifacts at the other ends. */
async function changedInside(
  readContext: ReadContext,
  { row, view }: Artifact,
  undecided: readonly Outline[],
  isPlain: (fieldId: number) => boolean,
): Promise<ReadonlySet<number>> {
  const field = linkField(view.tracker);
  const changed = new Set<number>();
  const ends = new Map<number, number[]>();
  const moments = await readMoments(
    readContext.reader,
    row.id,
    view.tracker,
    undecided.map(({ id }) => id),
    (fieldId) => fieldId === field?.id,
  );
  for (const [id, { fieldIds, before, changes }] of moments) {
    const links = field && view.canRead(field) ? changes[field.id] : undefined;
    if (fieldIds.some(isPlain)) changed.add(id);
    else if (field !== undefined && links !== undefined)
      ends.set(id, movedLinks(linksIn(before[field.id]), linksIn(links)));
  }
  const others = await findVisibilityRows(readContext.reader, [...new Set([...ends.values()].flat())]);
  const visible = new Set((await visibleOf(readContext, others)).map((other) => other.row.id));
  for (const [id, moved] of ends) if (moved.some((end) => visible.has(end))) changed.add(id);
  return changed;
}

/** Those of the changesets in which the viewer sees something change. */
async function visiblyChanged(
  readContext: ReadContext,
  artifact: Artifact,
  outlines: readonly Outline[],
): Promise<ReadonlySet<number>> {
  const { view } = artifact;
  const links = linkField(view.tracker)?.id;
  const readable = new Set(view.shown.map(({ id }) => id));
  const isPlain = (fieldId: number) => readable.has(fieldId) && fieldId !== links;
  const changed = new Set<number>();
  const undecided: Outline[] = [];
  for (const outline of outlines) {
    const { id, fieldIds } = outline;
    if (fieldIds?.some(isPlain)) changed.add(id);
    else if (fieldIds === undefined || (links !== undefined && fieldIds.includes(links)))
      undecided.push(outline);
  }
  if (undecided.length === 0) return changed;
  return changed.union(await changedInside(readContext, artifact, undecided, isPlain));
}

/** All changesets that the viewer gets to see, oldest first, after a light look at each. */
async function visibleOutlines(
  readContext: ReadContext,
  artifact: Artifact,
  outlines: readonly Outline[],
  commentsOnly: boolean,
): Promise<Outline[]> {
  const { row, view } = artifact;
  const commented = await readablyCommented(readContext.reader, view, row.id, outlines);
  if (commentsOnly) return outlines.filter(({ id }) => commented.has(id));
  const silent = outlines.filter(({ id }, index) => index > 0 && !commented.has(id));
  const changed = await visiblyChanged(readContext, artifact, silent);
  return outlines.filter(({ id }, index) => index === 0 || commented.has(id) || changed.has(id));
}

async function readComments(reader: Reader, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { comment: StoredComment | null; email: string | null }>();
  const rows = await reader.all(
    reader.sql.selectFrom('changeset').select(['id', 'comment', 'email']).where('id', 'in', ids),
  );
  return new Map(rows.map(({ id, comment, email }) => [id, { comment: parseComment(comment), email }]));
}

const asSeen = ({ view }: Artifact, comment: StoredComment | null) =>
  comment === null || mayRead(view, comment)
    ? { comment, hidesComment: false }
    : { comment: null, hidesComment: true };

/** One change as the viewer of its artifact sees it. */
export const asSeenChangeset = (artifact: Artifact, change: ArtifactChange): Changeset => ({
  id: change.id,
  by: change.by,
  at: change.at,
  email: change.email,
  isCreation: change.isCreation,
  ...asSeen(artifact, change.comment),
  document: change.after,
});

/** A changeset that the viewer gets to see, and what of it. */
export interface VisibleOutline extends Outline {
  readonly isCommented: boolean;
  /** Whether they see something change in it; it made the artifact, or has nothing but a comment otherwise. */
  readonly isChange: boolean;
}

/** All changesets that the viewer gets to see, oldest first. */
export async function findVisibleOutlines(
  readContext: ReadContext,
  artifact: Artifact,
): Promise<VisibleOutline[]> {
  const { row, view } = artifact;
  const outlines = await readOutlines(readContext.reader, row.id);
  const commented = await readablyCommented(readContext.reader, view, row.id, outlines);
  const changed = await visiblyChanged(readContext, artifact, outlines.slice(1));
  return outlines.flatMap((outline, index) => {
    const isCommented = commented.has(outline.id);
    const isCreation = index === 0;
    const isChange = isCreation || changed.has(outline.id);
    return isCommented || isChange ? { ...outline, isCreation, isCommented, isChange } : [];
  });
}

/** A page of the changesets that the viewer gets to see. */
export async function findHistory(
  readContext: ReadContext,
  artifact: Artifact,
  input: HistoryRequest,
): Promise<Slice<Outline>> {
  const outlines = await readOutlines(readContext.reader, artifact.row.id);
  const visible = await visibleOutlines(readContext, artifact, outlines, input.commentsOnly);
  const [first] = outlines;
  const told = visible.map((outline) => ({ ...outline, isCreation: outline === first }));
  return slice(input.isDescending ? told.toReversed() : told, input);
}

const documentAfter = (moment: Moment | undefined): Document | undefined =>
  moment && { ...moment.before, ...moment.changes };

/** Some changesets of a page, with the whole values at their times unless only comments are asked for. */
export async function readHistory(
  { reader }: ReadContext,
  artifact: Artifact,
  outlines: readonly Outline[],
  { commentsOnly }: Pick<HistoryRequest, 'commentsOnly'>,
): Promise<Changeset[]> {
  const { row, view } = artifact;
  const ids = outlines.map(({ id }) => id);
  const comments = await readComments(reader, ids);
  const moments = await readMoments(reader, row.id, view.tracker, commentsOnly ? [] : ids);
  return outlines.map(({ id, by, at, isCreation = false }) => ({
    id,
    by,
    at,
    email: comments.get(id)?.email ?? null,
    isCreation,
    ...asSeen(artifact, comments.get(id)?.comment ?? null),
    document: documentAfter(moments.get(id)),
  }));
}

/** The row of a changeset of this artifact. */
export async function requireChangeset(reader: Reader, artifactId: number, id: number) {
  const row = await reader.first(
    reader.sql
      .selectFrom('changeset')
      .select(['id', 'submitted_by as by', 'submitted_on as at', 'comment', 'email'])
      .where('id', '=', id)
      .where('artifact_id', '=', artifactId),
  );
  if (row === undefined) throw notFound('The artifact has no such changeset.');
  return row;
}

/** One changeset that has a comment, without values. */
export async function readCommented(reader: Reader, artifact: Artifact, id: number): Promise<Changeset> {
  const { by, at, comment, email } = await requireChangeset(reader, artifact.row.id, id);
  return {
    id,
    by,
    at,
    email,
    isCreation: false,
    ...asSeen(artifact, parseComment(comment)),
    document: undefined,
  };
}
