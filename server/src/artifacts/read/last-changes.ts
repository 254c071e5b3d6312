import type { Instant } from '../../kernel/clock.ts';
import { type Reader, statement } from '../../storage/index.ts';
import { commentMark, mayRead, parseComment } from '../comments.ts';
import type { Artifact } from '../model.ts';
import { readArtifacts } from '../several.ts';
import { titleIn } from '../title.ts';
import { isVisible, type ReadContext, viewFor } from '../visibility.ts';

/** What was last done to an artifact. */
export interface ArtifactDeed {
  readonly artifactId: number;
  readonly xref: string;
  /** Null where it has none, or the viewer may not read it. */
  readonly title: string | null;
  readonly what: 'created' | 'changed' | 'commented';
  readonly at: Instant;
  readonly by: number;
}

export interface LastChanges {
  readonly changes: readonly ArtifactDeed[];
  /** Whether there are trackers that the viewer may not see. */
  readonly hasHidden: boolean;
}

export interface LastChangesWish {
  readonly projectId: number;
  readonly most: number;
}

const lastChangeset = statement((sql, p: { artifactId: number }) =>
  sql
    .selectFrom('changeset')
    .select(['comment', commentMark.as('mark')])
    .where('artifact_id', '=', p.artifactId)
    .orderBy('id', 'desc')
    .limit(1),
);

/** Whether the last thing that happened to it is a comment that the viewer may read. */
async function isCommented(reader: Reader, { row, view }: Artifact): Promise<boolean> {
  const last = await reader.first(lastChangeset, { artifactId: row.id });
  if (last === undefined || last.mark === 0) return false;
  const comment = parseComment(last.comment);
  return comment !== null && comment.content !== '' && mayRead(view, comment);
}

async function changeOf(reader: Reader, artifact: Artifact): Promise<ArtifactDeed> {
  const { row, view, document } = artifact;
  const { tracker } = view;
  const field = tracker.elements.find(({ id }) => id === tracker.semantics.title?.fieldId);
  const isTitled = field !== undefined && view.canRead(field);
  return {
    artifactId: row.id,
    xref: `${tracker.itemName} #${row.id}`,
    title: isTitled ? titleIn(tracker, document) : null,
    what: row.version === 1 ? 'created' : (await isCommented(reader, artifact)) ? 'commented' : 'changed',
    at: row.modified_on,
    by: row.modified_by,
  };
}

/** The artifacts of a project that were changed last, as far as the viewer may see them. Runs off the event loop. */
export async function findLastChanges(
  readContext: ReadContext,
  { projectId, most }: LastChangesWish,
): Promise<LastChanges> {
  const { reader, viewer } = readContext;
  const all = reader.sql.selectFrom('tracker').select('id').where('deleted_at', 'is', null);
  const found: { readonly id: number; readonly modified_on: number }[] = [];
  let hasHidden = false;
  for (const { id } of await reader.all(all.where('project_id', '=', projectId))) {
    const view = await viewFor(readContext, id);
    if (view === undefined) {
      hasHidden = true;
      continue;
    }
    const query = reader.sql
      .selectFrom('artifact')
      .select(['id', 'modified_on'])
      .where('tracker_id', '=', id)
      .where(isVisible(view, viewer))
      .orderBy('modified_on', 'desc')
      .orderBy('id', 'desc')
      .limit(most);
    found.push(...(await reader.all(query)));
  }
  // Many are changed in the same moment: each answer has them in the same order.
  const newest = found
    .toSorted((left, right) => right.modified_on - left.modified_on || right.id - left.id)
    .slice(0, most);
  const artifacts = await readArtifacts(
    readContext,
    newest.map(({ id }) => id),
  );
  const changes: ArtifactDeed[] = [];
  for (const artifact of artifacts) changes.push(await changeOf(reader, artifact));
  return { changes, hasHidden };
}
