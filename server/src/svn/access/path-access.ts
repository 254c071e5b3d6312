import { findAccount } from '../../identity/index.ts';
import { forbidden } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Project } from '../../projects/index.ts';
import type { SvnDeps } from '../deps.ts';
import type { RepositoryRow } from '../store.ts';
import { inTurn, type SvnWorkspace } from '../workspace/index.ts';
import { readSections } from './generated.ts';
import { AccessRules, writeAccessFile } from './rules.ts';

/** What one person may read of a repository. */
export interface PathAccess {
  mayRead(path: string): Promise<boolean>;
  /** A path and all that lies below it. */
  mayReadBelow(path: string): Promise<boolean>;
  /** Whether paths count as hidden only because too many of them were asked for. */
  readonly isExhausted: boolean;
}

/** From site administrators nothing is hidden. */
const wholeAccess: PathAccess = {
  mayRead: async () => true,
  mayReadBelow: async () => true,
  isExhausted: false,
};

class PlainAccess implements PathAccess {
  readonly #rules: AccessRules;
  readonly #login: string;
  readonly isExhausted = false;

  constructor(rules: AccessRules, login: string) {
    this.#rules = rules;
    this.#login = login;
  }

  async mayRead(path: string): Promise<boolean> {
    return this.#rules.mayRead(this.#login, path);
  }

  async mayReadBelow(path: string): Promise<boolean> {
    return this.#rules.mayReadBelow(this.#login, path);
  }
}

/** Each question starts a program; so many are asked for one look at the most. */
const mostQuestions = 200;

/** The folders that a path is asked by: the outermost and the innermost around it, without the root. */
function foldersAround(path: string): string[] {
  const [, outermost = ''] = /^(\/[^/]+)\//.exec(path) ?? [];
  const innermost = path.slice(0, path.lastIndexOf('/'));
  return [...new Set([outermost, innermost])].filter((folder) => folder !== '');
}

/** Sections with patterns are understood by Subversion alone, so it is asked, about whole folders where that will do. */
class ProbedAccess implements PathAccess {
  readonly #svnWorkspace: SvnWorkspace;
  readonly #userId: number;
  readonly #file: string;
  readonly #who: readonly string[];
  readonly #answers = new Map<string, Promise<boolean>>();

  constructor(
    svnWorkspace: SvnWorkspace,
    file: string,
    { userId, login, name }: { userId: number; login: string; name: string },
  ) {
    this.#svnWorkspace = svnWorkspace;
    this.#userId = userId;
    this.#file = file;
    this.#who = ['--username', login, '--repository', name];
  }

  get isExhausted(): boolean {
    return this.#answers.size >= mostQuestions;
  }

  async mayRead(path: string): Promise<boolean> {
    for (const folder of foldersAround(path)) if (await this.mayReadBelow(folder)) return true;
    return this.#ask('--path', path);
  }

  /** Of the root Subversion says so whatever is hidden deeper than one folder. */
  async mayReadBelow(path: string): Promise<boolean> {
    return path !== '/' && (await this.#ask('-R', '--path', path));
  }

  /** What is not asked any more is hidden. */
  async #ask(...question: string[]): Promise<boolean> {
    const key = question.join(' ');
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.isExhausted) return false;
    const answer = this.#answerTo(question);
    this.#answers.set(key, answer);
    return answer;
  }

  async #answerTo(question: readonly string[]): Promise<boolean> {
    const ask = (file: string) =>
      this.#svnWorkspace.run('svnauthz', ['accessof', ...this.#who, ...question, file]);
    const said = await inTurn(this.#userId, () => this.#svnWorkspace.withDraft(this.#file, ask));
    return said.code === 0 && said.out.includes('r');
  }
}

/** What somebody who may access the project may read of one of its repositories. */
export async function pathAccessOf(
  { database, svnWorkspace }: Pick<SvnDeps, 'database' | 'svnWorkspace'>,
  viewer: Viewer,
  project: Project,
  row: RepositoryRow,
): Promise<PathAccess> {
  if (viewer.isSiteAdmin) return wholeAccess;
  const login = (await findAccount(database, viewer.userId))?.name.toLowerCase() ?? '';
  const sections = await readSections(database, project, row);
  const rules = new AccessRules(sections, row.name);
  if (rules.isPlain) return new PlainAccess(rules, login);
  const { userId } = viewer;
  return new ProbedAccess(svnWorkspace, writeAccessFile(sections), { userId, login, name: row.name });
}

/** Who copies a whole repository reads all of it, whatever lay in it in the revision that is copied. */
export async function requireReadingAll(
  svnDeps: Pick<SvnDeps, 'database' | 'svnWorkspace'>,
  viewer: Viewer,
  project: Project,
  row: RepositoryRow,
): Promise<void> {
  const pathAccess = await pathAccessOf(svnDeps, viewer, project, row);
  if (!(await pathAccess.mayReadBelow('/')))
    throw forbidden('The root can be copied by those alone from whom nothing in the repository is hidden.');
}
