import { notFound } from '../../kernel/errors.ts';
import type { Project } from '../../projects/index.ts';
import type { SvnDeps } from '../deps.ts';
import { findRowNamed, type RepositoryRow } from '../store.ts';
import { markOf, renewAccess } from './renew.ts';

/** Repositories of which one thread remembers that their access file is right. */
const mostKnown = 10_000;

/**
 * Keeps access files as they should be. Whatever they are made from raises a revision; before a repository is used
 * after that, its file is made anew. So nobody who was removed from a project gets in once more, by whichever way that
 * happened, and nothing must be told that a file is old.
 */
export class AccessKeeper {
  readonly #svnDeps: Pick<SvnDeps, 'database' | 'svnWorkspace'>;
  readonly #known = new Map<number, string>();

  constructor(svnDeps: Pick<SvnDeps, 'database' | 'svnWorkspace'>) {
    this.#svnDeps = svnDeps;
  }

  /** The repository of this name, with its access file up to date. */
  async find(project: Project, name: string): Promise<RepositoryRow | undefined> {
    const { database } = this.#svnDeps;
    const row = await findRowNamed(database, project.id, name);
    if (row === undefined) return undefined;
    if (this.#known.get(row.id) === (await markOf(database, row))) return row;
    const mark = await renewAccess(this.#svnDeps, row.id);
    if (this.#known.size > mostKnown) this.#known.clear();
    if (mark !== undefined) this.#known.set(row.id, mark);
    return row;
  }
}

/** A repository about to be used by a Subversion client. */
export async function findServedRepository(
  keeper: AccessKeeper,
  project: Project,
  name: string,
): Promise<RepositoryRow> {
  const row = await keeper.find(project, name);
  if (row === undefined) throw notFound('There is no such repository.');
  return row;
}
