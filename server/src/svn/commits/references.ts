import { findAccount } from '../../identity/index.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import {
  findProject,
  mayAccess,
  type ProjectExtension,
  type ReferenceKeyword,
} from '../../projects/index.ts';
import { type Reader, type Selectable, statementOverIds, type Tables } from '../../storage/index.ts';
import type { OutsideReference, ReferenceSource } from '../../trackers/index.ts';
import { AccessRules, readSections } from '../access/index.ts';
import { repositoryNameKey } from '../model.ts';
import { readKeptPaths, revisionOrigin } from '../records/index.ts';
import { findRow, type RepositoryRow } from '../store.ts';

type CommitRow = Selectable<Tables['svn_commit']>;

const rowsTo = statementOverIds((sql, ids) =>
  sql
    .selectFrom('cross_reference')
    .select(['source_id', 'origin', 'target_id'])
    .distinct()
    .where('source_kind', '=', 'svn')
    .where('target_kind', '=', 'artifact')
    .where('target_id', 'in', ids),
);

/** How much of the commits of one repository a viewer may know. */
type CommitView = (commit: CommitRow) => Pick<CommitRow, 'author' | 'message'> | undefined;

/**
 * As Subversion tells it: author and message where every changed path may be read, and every one that something was
 * copied from; the author where one changed path may. What is not kept counts as hidden.
 */
function viewThrough(rules: AccessRules, login: string): CommitView {
  const seesAll = rules.mayReadBelow(login, '/');
  const mayRead = (path: string) => rules.mayRead(login, path);
  return ({ author, message, paths }) => {
    if (seesAll) return { author, message };
    const { changed, sources, isCut } = readKeptPaths(paths);
    if (!changed.some(mayRead)) return undefined;
    return { author, message: !isCut && [...changed, ...sources].every(mayRead) ? message : '' };
  };
}

export async function viewOn(
  reader: Reader,
  viewer: Viewer,
  row: RepositoryRow,
): Promise<CommitView | undefined> {
  const project = await findProject(reader, viewer, row.project_id);
  if (project === undefined || !mayAccess(viewer, project)) return undefined;
  if (viewer.isSiteAdmin) return (commit) => commit;
  // Nobody reads a repository without saying who they are.
  const login = isAnonymous(viewer)
    ? undefined
    : (await findAccount(reader, viewer.userId))?.name.toLowerCase();
  if (login === undefined) return () => undefined;
  return viewThrough(new AccessRules(await readSections(reader, project, row), row.name), login);
}

function toReference(row: RepositoryRow, commit: CommitRow, view: CommitView): OutsideReference {
  const known = view(commit);
  return {
    keyword: 'svn',
    value: `${row.name}/${commit.revision}`,
    projectId: row.project_id,
    details:
      known === undefined
        ? undefined
        : {
            revision: commit.revision,
            author: known.author,
            message: known.message,
            at: commit.committed_at,
          },
  };
}

async function referencesFrom(
  reader: Reader,
  viewer: Viewer,
  repositoryId: number,
  origins: ReadonlyMap<string, readonly number[]>,
): Promise<(readonly [artifactId: number, OutsideReference])[]> {
  const row = await findRow(reader, repositoryId);
  const view = row && (await viewOn(reader, viewer, row));
  if (row === undefined || view === undefined) return [];
  const revisions = [...origins.keys()].map((origin) => Number(origin.split(':')[1]));
  const query = reader.sql.selectFrom('svn_commit').selectAll().where('repository_id', '=', repositoryId);
  const commits = await reader.all(query.where('revision', 'in', revisions).orderBy('revision'));
  return commits.flatMap((commit) =>
    (origins.get(revisionOrigin(commit.revision)) ?? []).map(
      (artifactId) => [artifactId, toReference(row, commit, view)] as const,
    ),
  );
}

/** The commits that name artifacts, as far as the viewer may know of them. */
export const commitsAsReferences: ReferenceSource = {
  async referencesTo(reader, viewer, ids) {
    const found = new Map<number, Map<string, number[]>>();
    for (const { source_id, origin, target_id } of await reader.all(...rowsTo(ids))) {
      const origins = found.get(source_id) ?? new Map<string, number[]>();
      origins.set(origin, [...(origins.get(origin) ?? []), target_id]);
      found.set(source_id, origins);
    }
    const references = new Map<number, OutsideReference[]>();
    for (const [repositoryId, origins] of found)
      for (const [artifactId, reference] of await referencesFrom(reader, viewer, repositoryId, origins))
        references.set(artifactId, [...(references.get(artifactId) ?? []), reference]);
    return references;
  },
};

const revisionWords = ['svn', 'rev', 'revision'];

/** `svn #firmware/42` where there is such a repository; a bare number is how revisions were written long ago. */
export async function revisionKeywords(
  reader: Reader,
  _viewer: Viewer,
  projectId: number,
): Promise<ReferenceKeyword[]> {
  const query = reader.sql
    .selectFrom('svn_repository')
    .select('name_key')
    .where('project_id', '=', projectId);
  const rows = await reader.all(query.where('state', '=', 'live'));
  const names = new Set(rows.map(({ name_key }) => name_key));
  const accepts = (value: string) => {
    const [, name, revision] = /^(?:(.+)\/)?(\d+)$/.exec(value) ?? [];
    return revision !== undefined && (name === undefined || names.has(repositoryNameKey(name)));
  };
  return revisionWords.map((keyword) => ({ keyword, description: 'Subversion revision', accepts }));
}

const hasParts = (least: number, most: number) => (value: string) => {
  const { length } = value.split('/');
  return least <= length && length <= most;
};

/** Words of services that a project may have elsewhere: they lead nowhere here, but say what a commit is about. */
const wordsOfOtherServices: readonly (readonly [words: readonly string[], least: number, most: number])[] = [
  [['doc', 'document', 'folder', 'dossier', 'file', 'release'], 1, 1],
  [['wiki'], 1, 2],
  [['git'], 2, Number.POSITIVE_INFINITY],
];

/** Makes commits be about things of other services; what a project knows itself by such a word wins. */
export const otherServices: ProjectExtension = {
  referenceKeywords: async () =>
    wordsOfOtherServices.flatMap(([words, least, most]) =>
      words.map((keyword) => ({ keyword, description: 'Other service', accepts: hasParts(least, most) })),
    ),
};
