import { findAccountByName } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import { findProject, isPrivate } from '../projects/index.ts';
import type { Database } from '../storage/index.ts';
import { instantOf, readInfo } from './hooks.ts';
import { type Change, readChanges } from './immutable-tags.ts';
import type { Notification } from './model.ts';
import { readNotifications } from './notifications.ts';
import { findRow, linesOf } from './store.ts';
import type { RepositoryPlace, Workplace } from './workplace.ts';

/** What a commit did, for those who are told of it. Folders end with a slash. */
export interface CommitFacts {
  readonly project: { readonly id: number; readonly shortname: string; readonly isPrivate: boolean };
  readonly repository: string;
  readonly subjectHeader: string;
  readonly committer: { readonly login: string; readonly address: string };
  readonly at: Instant;
  readonly message: string;
  readonly directories: readonly string[];
  readonly updated: readonly string[];
  readonly added: readonly string[];
  readonly deleted: readonly string[];
}

const platform = commandLineViewer('regular');

const pathsOf = (changes: readonly Change[], wanted: Change['kind']) =>
  changes.filter(({ kind }) => kind === wanted).map(({ path, isFolder }) => (isFolder ? `${path}/` : path));

/** `svnlook dirs-changed` ends every line with a slash; the root is nothing else. */
const directoriesIn = (text: string) =>
  linesOf(text.trimEnd()).map((line) => (line === '/' ? line : line.replace(/\/$/, '')));

/** Looks up commits, and who is to be told of them. */
export class CommitRegister {
  readonly #database: Database;
  readonly #workplace: () => Workplace;

  constructor(database: Database, workplace: () => Workplace) {
    this.#database = database;
    this.#workplace = workplace;
  }

  notifications(repositoryId: number): Promise<Notification[]> {
    return readNotifications(this.#database, repositoryId);
  }

  #look(place: RepositoryPlace, command: string, revision: number): Promise<string> {
    const workplace = this.#workplace();
    return workplace.mustRun('svnlook', [command, workplace.seenAt(place), '-r', String(revision)]);
  }

  /** Undefined when the repository is gone. */
  async facts(commit: { repositoryId: number; revision: number }): Promise<CommitFacts | undefined> {
    const row = await findRow(this.#database, commit.repositoryId);
    const project = row && (await findProject(this.#database, platform, row.project_id));
    if (row === undefined || project === undefined) return undefined;
    const place = { projectId: row.project_id, name: row.name };
    const [info, changed, directories] = await Promise.all(
      ['info', 'changed', 'dirs-changed'].map((command) => this.#look(place, command, commit.revision)),
    );
    const { author, date, message } = readInfo(info ?? '');
    const changes = readChanges(changed ?? '');
    const account = await findAccountByName(this.#database, author);
    return {
      project: { id: project.id, shortname: project.shortname, isPrivate: isPrivate(project.access) },
      repository: row.name,
      subjectHeader: row.subject_header,
      committer: { login: author, address: account?.email ?? '' },
      at: instantOf(date),
      message,
      directories: directoriesIn(directories ?? ''),
      updated: pathsOf(changes, 'U'),
      added: pathsOf(changes, 'A'),
      deleted: pathsOf(changes, 'D'),
    };
  }
}
