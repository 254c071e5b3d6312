import { changeReaders } from '../../search/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { sameGroups, type Tracker } from '../../trackers/index.ts';
import { commentMark, parseComment, type StoredComment, writeComment } from '../comments.ts';

/** The comment for the same groups in another project; undefined where nothing changes. */
async function forGroupsOf(
  tx: Transaction,
  text: string | null,
  to: Tracker,
): Promise<StoredComment | undefined> {
  const comment = parseComment(text);
  if (comment === null || comment.groups === null) return undefined;
  const groups = [...new Set((await sameGroups(tx, comment.groups, to)).values())];
  // With none of its groups there, it stays hidden from all but administrators.
  return groups.length === 0 ? undefined : { ...comment, groups };
}

/** Private comments of an artifact that goes to another project are for the groups of the same names there. */
export async function moveComments(
  tx: Transaction,
  artifactId: number,
  from: Tracker,
  to: Tracker,
): Promise<void> {
  if (from.project.id === to.project.id) return;
  const own = tx.sql.selectFrom('changeset').where('artifact_id', '=', artifactId);
  for (const { id, comment: text } of await tx.all(
    own.select(['id', 'comment']).where(commentMark, '=', 2),
  )) {
    const comment = await forGroupsOf(tx, text, to);
    if (comment === undefined) continue;
    const row = tx.sql.updateTable('changeset').set({ comment: writeComment(comment) });
    await tx.write(row.where('id', '=', id));
    await changeReaders(tx, id, comment.groups);
  }
  const versions = tx.sql
    .selectFrom('comment_version')
    .selectAll()
    .where('changeset_id', 'in', own.select('id'));
  for (const { changeset_id, version, comment: text } of await tx.all(versions)) {
    const comment = await forGroupsOf(tx, text, to);
    const row = tx.sql.updateTable('comment_version').where('changeset_id', '=', changeset_id);
    if (comment !== undefined)
      await tx.write(row.set({ comment: writeComment(comment) }).where('version', '=', version));
  }
}
