import type { FoundComment } from '../search/index.ts';
import { type Reader, sql, statement } from '../storage/index.ts';
import { type StoredText, type TrackerView, wordsIn } from '../trackers/index.ts';
import { inParts } from './store.ts';

/** A comment as changesets keep it. */
export interface StoredComment extends StoredText {
  readonly by: number;
  readonly at: number;
  /** The address of an author without an account, where an archive told it. */
  readonly email?: string;
  /** Groups that alone may read it; null: everybody who sees the artifact. */
  readonly groups: readonly number[] | null;
}

export const parseComment = (text: string | null): StoredComment | null =>
  text === null ? null : JSON.parse(text);

/** The content first and the groups last, so that `commentMark` can tell most comments by their ends. */
export function writeComment(comment: StoredComment): string {
  const { content, format, html, renderer, by, at, email, groups } = comment;
  return JSON.stringify({ content, format, html, renderer, by, at, email, groups });
}

/** What a comment is found by: what it says now. What was edited out of it is not found by those who may not read it any more. */
export function foundComment(
  place: { readonly changesetId: number; readonly artifactId: number },
  comment: StoredComment,
): FoundComment | undefined {
  if (comment.content === '') return undefined;
  const { changesetId, artifactId } = place;
  return { changesetId, artifactId, words: wordsIn(comment), groups: comment.groups };
}

/** 0: no text; 1: a text for everybody; 2: not to be told without reading it. */
export const commentMark = sql<0 | 1 | 2>`case
  when comment is null or comment like '{"content":"",%' then 0
  when comment like '{"content":"%,"groups":null}' then 1
  else 2 end`;

/** Comments that name groups are for them and for administrators. */
export function mayRead({ isAdmin, groups: own }: TrackerView, { groups }: StoredComment): boolean {
  return isAdmin || groups === null || groups.some((id) => own.includes(id));
}

/** The groups of a private comment that the viewer gets to know of; null for a public one. */
export function shownGroups({ isAdmin, groups: own }: TrackerView, { groups }: StoredComment) {
  return isAdmin || groups === null ? groups : groups.filter((id) => own.includes(id));
}

/** Those of the comments that their viewers may not read; each by its changeset, with the view of its artifact. */
export async function hiddenComments(
  reader: Reader,
  views: ReadonlyMap<number, TrackerView>,
): Promise<ReadonlySet<number>> {
  const query = reader.sql.selectFrom('changeset').select(['id', 'comment']).where(commentMark, '=', 2);
  const rows = await inParts([...views.keys()], (some) => reader.all(query.where('id', 'in', some)));
  const hidden = rows.filter(({ id, comment: text }) => {
    const [comment, view] = [parseComment(text), views.get(id)];
    return comment !== null && (view === undefined || !mayRead(view, comment));
  });
  return new Set(hidden.map(({ id }) => id));
}

const unclearComments = statement((builder, p: { artifactId: number }) =>
  builder
    .selectFrom('changeset')
    .select(['id', 'submitted_by', 'comment'])
    .where('artifact_id', '=', p.artifactId)
    .where(commentMark, '=', 2),
);

/** Those of an artifact's comments that only reading them tells about, and that are for this viewer. */
async function readableUnclear(reader: Reader, view: TrackerView, artifactId: number) {
  const rows = await reader.all(unclearComments, { artifactId });
  return rows.filter(({ comment: text }) => {
    const comment = parseComment(text);
    return comment !== null && comment.content !== '' && mayRead(view, comment);
  });
}

/** Who made those comments of an artifact that are for groups, and for this viewer. */
export async function readableCommenters(
  reader: Reader,
  view: TrackerView,
  artifactId: number,
): Promise<number[]> {
  return (await readableUnclear(reader, view, artifactId)).map(({ submitted_by }) => submitted_by);
}

/** The changesets of an artifact that have a text for this viewer, among those with the given marks. */
export async function readablyCommented(
  reader: Reader,
  view: TrackerView,
  artifactId: number,
  rows: readonly { readonly id: number; readonly mark: 0 | 1 | 2 }[],
): Promise<ReadonlySet<number>> {
  const readable = new Set(rows.filter(({ mark }) => mark === 1).map(({ id }) => id));
  if (rows.every(({ mark }) => mark !== 2)) return readable;
  for (const { id } of await readableUnclear(reader, view, artifactId)) readable.add(id);
  return readable;
}
