import { findReferencedArtifacts, raiseRelatedVersions } from '../../artifacts/index.ts';
import { day, type Instant } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { findReferenceCandidates, type ProjectExtension, resolveCandidates } from '../../projects/index.ts';
import { appendLiveEvent, sql, type Transaction } from '../../storage/index.ts';
import { findRow } from '../store.ts';
import { repositoryChanged } from './changed.ts';

/** A revision that somebody committed. */
export interface Commit {
  readonly repositoryId: number;
  readonly revision: number;
  readonly author: string;
  readonly message: string;
  readonly paths: readonly string[];
  /** Where something was copied from. */
  readonly sources: readonly string[];
  readonly committedAt: Instant;
}

/** How much is kept of a message and of the changed paths; the repository has all of them. */
const longest = { message: 65_536, paths: 65_536 };

/** No path is kept like this. */
const cutMark = '//';

/** Changed paths, and with a slash in front those that something was copied from: as many as there is room for. */
function keptPaths({ paths, sources }: Pick<Commit, 'paths' | 'sources'>): string {
  const text = [...paths, ...sources.map((path) => `/${path}`)].join('\n');
  if (text.length <= longest.paths) return text;
  const end = text.lastIndexOf('\n', longest.paths);
  return `${text.slice(0, Math.max(end, 0))}\n${cutMark}`;
}

/** What `keptPaths` made, all paths from the root. */
export function readKeptPaths(text: string): { changed: string[]; sources: string[]; isCut: boolean } {
  const lines = text.split('\n');
  const isCut = lines.at(-1) === cutMark;
  const kept = isCut ? lines.slice(0, -1) : lines;
  return {
    changed: kept.filter((line) => !line.startsWith('/')).map((line) => `/${line}`),
    sources: kept.filter((line) => line.startsWith('/')),
    isCut,
  };
}

export const revisionOrigin = (revision: number) => `revision:${revision}`;

/** Whatever the engine cannot keep is not kept. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();

/** Lets the artifacts that a message names show the commit. */
async function recordReferences(
  tx: Transaction,
  viewer: Viewer,
  projectId: number,
  { repositoryId, revision, message }: Commit,
  extensions: readonly ProjectExtension[],
): Promise<void> {
  const candidates = findReferenceCandidates(message.slice(0, longest.message));
  const references = await resolveCandidates(tx, viewer, projectId, candidates, extensions);
  const targets = await findReferencedArtifacts(tx, references);
  for (const { id, keyword } of targets) {
    const row = {
      ...{ source_kind: 'svn', source_id: repositoryId, origin: revisionOrigin(revision) },
      ...{ target_kind: 'artifact', target_id: id, target_keyword: keyword },
    };
    const insert = tx.sql.insertInto('cross_reference').values(row);
    await tx.run(insert.onConflict((conflict) => conflict.doNothing()));
  }
  if (targets.length > 0)
    await raiseRelatedVersions(
      tx,
      targets.map(({ id }) => id),
    );
}

/** Writes down what the message of a commit is now. What it referred to when it was made stays. */
export async function rewordCommit(
  tx: Transaction,
  viewer: Viewer,
  { repositoryId, revision, message }: Pick<Commit, 'repositoryId' | 'revision' | 'message'>,
): Promise<void> {
  const row = await findRow(tx, repositoryId);
  if (row === undefined) return;
  const change = tx.sql
    .updateTable('svn_commit')
    .set({ message: storable(message.slice(0, longest.message)) })
    .where('repository_id', '=', repositoryId);
  if ((await tx.run(change.where('revision', '=', revision))) === 0) return;
  const told = tx.sql.selectFrom('cross_reference').select('target_id').where('source_kind', '=', 'svn');
  const from = told.where('source_id', '=', repositoryId).where('origin', '=', revisionOrigin(revision));
  const targets = await tx.all(from.where('target_kind', '=', 'artifact'));
  const ids = [...new Set(targets.map(({ target_id }) => target_id))];
  // They show it.
  if (ids.length > 0) await raiseRelatedVersions(tx, ids);
  await repositoryChanged(tx, viewer, row);
}

/** Remembers the youngest of the commits that came with an archive. */
export async function noteLastCommit(
  tx: Transaction,
  _: Viewer,
  { id, revision, at }: { readonly id: number; readonly revision: number; readonly at: Instant | null },
): Promise<void> {
  const note = tx.sql.updateTable('svn_repository').set({ last_commit_at: at, recorded_revision: revision });
  await tx.run(note.where('id', '=', id));
}

/** Where the revision is the next one to be written down, it now is. One that comes too early leaves those before it to be done. */
const recordedUpTo = (revision: number) =>
  sql<
    number | null
  >`case when recorded_revision is null or recorded_revision = ${revision - 1} then ${revision} else recorded_revision end`;

/** Goes past a revision that is to leave no trace. */
export async function passRevision(
  tx: Transaction,
  _: Viewer,
  { repositoryId, revision }: Pick<Commit, 'repositoryId' | 'revision'>,
): Promise<void> {
  const pass = tx.sql.updateTable('svn_repository').set({ recorded_revision: recordedUpTo(revision) });
  await tx.run(pass.where('id', '=', repositoryId));
}

/** A commit that is written down later than this was put there by other ways, or comes from a copy: nobody is told of it as news. */
const longestNews = day;

/** Writes a commit down: for the artifacts it names, and for whoever is to be told. */
export async function recordCommit(
  tx: Transaction,
  viewer: Viewer,
  commit: Commit,
  extensions: readonly ProjectExtension[],
): Promise<void> {
  const { repositoryId, revision, author, message, committedAt } = commit;
  const row = await findRow(tx, repositoryId);
  if (row === undefined) return;
  const kept = {
    repository_id: repositoryId,
    revision,
    author: storable(author),
    account_id: viewer.userId,
    message: storable(message.slice(0, longest.message)),
    paths: storable(keptPaths(commit)),
    committed_at: committedAt,
  };
  const insert = tx.sql.insertInto('svn_commit').values(kept);
  const isNew = (await tx.run(insert.onConflict((conflict) => conflict.doNothing()))) > 0;
  if (!isNew) return passRevision(tx, viewer, commit);
  const update = tx.sql.updateTable('svn_repository').set({
    last_commit_at: sql<number>`case when last_commit_at > ${committedAt} then last_commit_at else ${committedAt} end`,
    recorded_revision: recordedUpTo(revision),
  });
  await tx.run(update.where('id', '=', repositoryId));
  await recordReferences(tx, viewer, row.project_id, commit, extensions);
  if (committedAt < Date.now() - longestNews) return;
  const { project_id: projectId } = row;
  await appendLiveEvent(tx, 'svn.commit', { repositoryId, projectId, revision, by: viewer.userId });
}
