import { notFound } from '../kernel/errors.ts';
import type { Project } from '../projects/index.ts';
import { readSections } from './access.ts';
import { AccessRules } from './access-rules.ts';
import type { Desk } from './desk.ts';
import { writeAccess } from './disk.ts';
import { findRowNamed, type RepositoryRow } from './store.ts';

/** Repositories of which one thread remembers that their access file is right. */
const mostKnown = 10_000;

/**
 * Keeps access files as they should be. Whatever they are made from raises a revision; before a repository is used
 * after that, its file is made anew. So nobody who was removed from a project gets in once more, by whichever way that
 * happened, and nothing must be told that a file is old.
 */
export class AccessKeeper {
  readonly #desk: Pick<Desk, 'database' | 'workplace'>;
  readonly #known = new Map<number, string>();

  constructor(desk: Pick<Desk, 'database' | 'workplace'>) {
    this.#desk = desk;
  }

  async #mark({ access_version, has_default_permissions }: RepositoryRow): Promise<string> {
    const { identity, structure } = await this.#desk.database.revisions();
    return [identity, structure, access_version, has_default_permissions].join(' ');
  }

  /** The repository of this name, with its access file up to date. */
  async find(project: Project, name: string): Promise<RepositoryRow | undefined> {
    const row = await findRowNamed(this.#desk.database, project.id, name);
    if (row === undefined) return undefined;
    const mark = await this.#mark(row);
    if (this.#known.get(row.id) === mark) return row;
    const place = { projectId: project.id, name };
    await writeAccess(this.#desk.workplace, place, await readSections(this.#desk.database, project, row));
    if (this.#known.size > mostKnown) this.#known.clear();
    this.#known.set(row.id, mark);
    return row;
  }

  /** What holds in a repository now. */
  async rulesOf(project: Project, row: RepositoryRow): Promise<AccessRules> {
    return new AccessRules(await readSections(this.#desk.database, project, row));
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
