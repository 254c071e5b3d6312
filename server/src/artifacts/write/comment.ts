import { forbidden, invalidMember, notFound } from '../../kernel/errors.ts';
import { type Page, type Slice, slice } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { appendEvent, type Reader, type Transaction } from '../../storage/index.ts';
import { requireGroups, type TextFormat, type Tracker } from '../../trackers/index.ts';
import { mayRead, parseComment, type StoredComment, writeComment } from '../comments.ts';
import type { WriteContext } from '../context.ts';
import { recordMentions, recordReferences } from '../links/index.ts';
import type { Artifact } from '../model.ts';
import { requireChangeset } from '../read/index.ts';
import type { ReadContext } from '../visibility.ts';
import { beginChange } from './change.ts';
import { nextMoment, saveChangeset } from './changeset.ts';
import { storedComment } from './comment-text.ts';
import { recordEditedComment } from './consequences.ts';
import { lockAround } from './locks.ts';
import { placeOf } from './outbox.ts';
import { lockUpdatable } from './update.ts';
import { ungoverned } from './workflow.ts';

interface CommentText {
  readonly artifactId: number;
  readonly body: string;
  readonly format: TextFormat;
  /** Ids of the groups that alone may read it; none: everybody. */
  readonly groups: readonly string[] | undefined;
}
export type NewComment = CommentText;
export interface CommentEdit extends CommentText {
  readonly changesetId: number;
}

async function lockCommented(
  writeContext: WriteContext,
  { artifactId: id, body, changesetId }: CommentText & { changesetId?: number },
): Promise<{ readContext: ReadContext; artifact: Artifact }> {
  const edited = changesetId === undefined ? {} : { changesetId };
  const { tx, trackers } = writeContext;
  await lockAround(tx, { id, entries: [], text: body, trackers, ...edited });
  return lockUpdatable(writeContext, id);
}

const isSameSet = (left: readonly number[], right: readonly number[]) =>
  left.length === right.length && left.every((id) => right.includes(id));

/** The groups that the request names; those that a comment has already may stay, whatever the tracker allows now. */
function groupsFor(
  tracker: Tracker,
  named: readonly string[],
  present: readonly number[] | null,
): readonly number[] | null {
  const groups = requireGroups(tracker, 'ugroups', named);
  if (groups.length === 0) return null;
  if (!tracker.hasPrivateComments && !isSameSet(groups, present ?? []))
    throw invalidMember('ugroups', 'This tracker has no private comments.');
  return groups;
}

/** Adds a changeset that has nothing but a comment. Gives its id. */
export async function addComment(writeContext: WriteContext, input: NewComment): Promise<{ id: number }> {
  const { artifactId, body, format, groups: named } = input;
  const { readContext, artifact } = await lockCommented(writeContext, input);
  const { row, view, document } = artifact;
  const groups = groupsFor(view.tracker, named ?? [], null);
  const change = beginChange(writeContext, readContext, view.tracker, artifactId);
  const at = nextMoment(row.modified_on, change.context.now);
  const comment = await storedComment(change, { body, format }, at);
  if (comment === undefined) throw invalidMember('body', 'A comment needs a text.');
  const changes = ungoverned({ values: new Map(), links: undefined, comment: { ...comment, groups } });
  const saved = await saveChangeset(change, view.tracker, { row, document, links: [] }, changes, at);
  return { id: saved.changesetId };
}

interface Commented {
  readonly authorId: number;
  readonly comment: StoredComment;
}

/** The comment of a changeset, for those who may change it: whoever made the changeset, and administrators. */
async function requireOwnComment(
  reader: Reader,
  viewer: Viewer,
  { row, view }: Artifact,
  changesetId: number,
): Promise<Commented> {
  const { by: authorId, comment: text } = await requireChangeset(reader, row.id, changesetId);
  const comment = parseComment(text);
  if (comment === null || !mayRead(view, comment)) throw notFound('The changeset has no comment.');
  if (!view.isAdmin && (authorId !== viewer.userId || viewer.userId === 0))
    throw forbidden('Only the author of the comment and administrators of the tracker may do this.');
  return { authorId, comment };
}

const isSame = (left: StoredComment, right: StoredComment) =>
  left.content === right.content &&
  left.format === right.format &&
  isSameSet(left.groups ?? [], right.groups ?? []);

async function keepVersion(tx: Transaction, changeset_id: number, old: StoredComment): Promise<void> {
  const known = await tx.all(
    tx.sql.selectFrom('comment_version').select('version').where('changeset_id', '=', changeset_id),
  );
  const comment = writeComment(old);
  await tx.write(
    tx.sql.insertInto('comment_version').values({ changeset_id, version: known.length + 1, comment }),
  );
}

/** Edits a comment; without text it is deleted. The version of the artifact stays: nothing of it changed. */
export async function editComment(writeContext: WriteContext, input: CommentEdit): Promise<void> {
  const { tx, viewer } = writeContext;
  const { artifactId, changesetId, body, format, groups: named } = input;
  const { readContext, artifact } = await lockCommented(writeContext, input);
  const { tracker } = artifact.view;
  const { comment: old } = await requireOwnComment(tx, viewer, artifact, changesetId);
  const groups = named === undefined ? old.groups : groupsFor(tracker, named, old.groups);
  const change = beginChange(writeContext, readContext, tracker, artifactId);
  const at = nextMoment(old.at, change.context.now);
  const text = await storedComment(change, { body, format }, at);
  const edited = { ...(text ?? { content: '', format, by: viewer.userId, at }), groups };
  if (isSame(old, edited)) return;
  await keepVersion(tx, changesetId, old);
  const comment = writeComment(edited);
  await tx.write(tx.sql.updateTable('changeset').set({ comment }).where('id', '=', changesetId));
  const { row, document } = artifact;
  const state = { tracker, document, links: [], isRestricted: row.is_restricted === 1 };
  const written = { values: new Map(), comment: edited, changesetId, before: {} };
  await recordEditedComment(change, { row, state }, { id: changesetId, comment: edited }, async () => {
    await recordReferences(tx, artifactId, written, change.references);
    const mentioned = await recordMentions(tx, artifactId, written, change.references);
    // The changeset was told of long ago: who is named anew hears of it by this.
    const facts = { artifactId, ...placeOf(tracker), by: viewer.userId, changesetId, accountIds: mentioned };
    if (mentioned.length > 0) await appendEvent(tx, 'comment.mentioned', facts);
  });
}

/** One version of a comment. */
export interface CommentVersion {
  readonly version: number;
  readonly comment: StoredComment;
}

/** All versions of a comment that the viewer may read, for those who may change it; the last one is the present one. */
export async function readCommentVersions(
  { reader, viewer }: ReadContext,
  artifact: Artifact,
  changesetId: number,
  page: Page,
): Promise<Slice<CommentVersion>> {
  const { comment: present } = await requireOwnComment(reader, viewer, artifact, changesetId);
  const query = reader.sql.selectFrom('comment_version').select(['version', 'comment']).orderBy('version');
  const old = (await reader.all(query.where('changeset_id', '=', changesetId))).flatMap((row) => {
    const comment = parseComment(row.comment);
    return comment === null ? [] : { version: row.version, comment };
  });
  const all = [...old, { version: old.length + 1, comment: present }];
  return slice(
    all.filter(({ comment }) => mayRead(artifact.view, comment)),
    page,
  );
}
