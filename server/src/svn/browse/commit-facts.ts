import { findAccountByName, viewerFor } from '../../identity/index.ts';
import type { Instant } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/errors.ts';
import { systemViewer, type Viewer } from '../../kernel/viewer.ts';
import { findProject, isPrivate } from '../../projects/index.ts';
import type { Database } from '../../storage/index.ts';
import { pathAccessOf } from '../access/index.ts';
import { type ChangedLine, readChanges, readCopySources } from '../immutable-tags.ts';
import type { Notification } from '../model.ts';
import { readNotifications } from '../notifications.ts';
import { readRepository, type SeenRepository } from '../read.ts';
import { readInfo, svnInstant } from '../server/index.ts';
import { findRow, linesOf } from '../store.ts';
import type { RepositoryPlace, SvnWorkspace } from '../workspace/index.ts';
import { type LogEntry, openRepository } from './browse.ts';

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
  /** Where something was copied from. */
  readonly sources: readonly string[];
  /** Whether something of it is left out, and its message with it. */
  readonly isPartial: boolean;
}

const pathsOf = (changes: readonly ChangedLine[], wanted: ChangedLine['kind']) =>
  changes.filter(({ kind }) => kind === wanted).map(({ path, isFolder }) => (isFolder ? `${path}/` : path));

/** `svnlook dirs-changed` ends every line with a slash; the root is nothing else. */
const directoriesIn = (text: string) =>
  linesOf(text.trimEnd()).map((line) => (line === '/' ? line : line.replace(/\/$/, '')));

async function readableOf(paths: readonly string[], mayRead: (path: string) => Promise<boolean>) {
  const readable: string[] = [];
  for (const path of paths) if (await mayRead(path.replace(/\/$/, ''))) readable.push(path);
  return readable;
}

/** As Subversion tells it: without the paths that are hidden, and then without the message. */
async function throughAccess(
  facts: CommitFacts,
  mayRead: (path: string) => Promise<boolean>,
): Promise<CommitFacts | undefined> {
  const updated = await readableOf(facts.updated, mayRead);
  const added = await readableOf(facts.added, mayRead);
  const deleted = await readableOf(facts.deleted, mayRead);
  const sources = await readableOf(facts.sources, mayRead);
  const count = (of: Pick<CommitFacts, 'updated' | 'added' | 'deleted'>) =>
    of.updated.length + of.added.length + of.deleted.length;
  const left = count({ updated, added, deleted });
  if (left === count(facts) && sources.length === facts.sources.length) return facts;
  if (left === 0) return undefined;
  const directories = await readableOf(facts.directories, mayRead);
  return { ...facts, updated, added, deleted, sources, directories, message: '', isPartial: true };
}

/** A commit as one viewer may see it. */
export interface SeenCommit {
  readonly repository: SeenRepository;
  readonly revision: LogEntry;
}

/** Looks up commits, and who is to be told of them. */
export class CommitRegister {
  readonly #database: Database;
  readonly #svnWorkspace: () => SvnWorkspace;

  constructor(database: Database, svnWorkspace: () => SvnWorkspace) {
    this.#database = database;
    this.#svnWorkspace = svnWorkspace;
  }

  notifications(repositoryId: number): Promise<Notification[]> {
    return readNotifications(this.#database, repositoryId);
  }

  #look(place: RepositoryPlace, revision: number, [command, ...options]: readonly string[]): Promise<string> {
    const svnWorkspace = this.#svnWorkspace();
    const args = [command ?? '', svnWorkspace.seenAt(place), ...options, '-r', String(revision)];
    return svnWorkspace.mustRun('svnlook', args);
  }

  /** Undefined when the repository is gone. */
  async facts(commit: { repositoryId: number; revision: number }): Promise<CommitFacts | undefined> {
    const row = await findRow(this.#database, commit.repositoryId);
    const project = row && (await findProject(this.#database, systemViewer, row.project_id));
    if (row === undefined || project === undefined) return undefined;
    const place = { projectId: row.project_id, name: row.name };
    const [info, changed, directories] = await Promise.all(
      [['info'], ['changed', '--copy-info'], ['dirs-changed']].map((command) =>
        this.#look(place, commit.revision, command),
      ),
    );
    const { author, date, message } = readInfo(info ?? '');
    const changes = readChanges(changed ?? '');
    const account = await findAccountByName(this.#database, author);
    return {
      project: { id: project.id, shortname: project.shortname, isPrivate: isPrivate(project.access) },
      repository: row.name,
      subjectHeader: row.subject_header,
      committer: { login: author, address: account?.email ?? '' },
      at: svnInstant(date),
      message,
      directories: directoriesIn(directories ?? ''),
      updated: pathsOf(changes, 'U'),
      added: pathsOf(changes, 'A'),
      deleted: pathsOf(changes, 'D'),
      sources: readCopySources(changed ?? ''),
      isPartial: false,
    };
  }

  /** The commit as the API shows it to somebody; undefined where it is gone or they may see nothing of it. */
  async seenBy(
    viewer: Viewer,
    { repositoryId, revision }: { repositoryId: number; revision: number },
  ): Promise<SeenCommit | undefined> {
    const svnWorkspace = this.#svnWorkspace();
    const svnDeps = { database: this.#database, svnWorkspace, parts: svnWorkspace.parts };
    try {
      const repository = await readRepository(this.#database, viewer, repositoryId);
      const view = await openRepository(svnDeps, viewer, repositoryId);
      return { repository, revision: await view.revision(revision) };
    } catch (error) {
      const isHidden = error instanceof Refusal && error.kind !== 'unavailable';
      if (isHidden) return undefined;
      throw error;
    }
  }

  /** What somebody may know of a commit by the access file; undefined where that is nothing. */
  async shownTo(
    accountId: number,
    { repositoryId }: { repositoryId: number },
    facts: CommitFacts,
  ): Promise<CommitFacts | undefined> {
    const row = await findRow(this.#database, repositoryId);
    const viewer = await viewerFor(this.#database, accountId);
    const project = row && viewer && (await findProject(this.#database, viewer, row.project_id));
    if (row === undefined || viewer === undefined || project === undefined) return undefined;
    const svnDeps = { database: this.#database, svnWorkspace: this.#svnWorkspace() };
    const pathAccess = await pathAccessOf(svnDeps, viewer, project, row);
    return throughAccess(facts, (path) => pathAccess.mayRead(`/${path}`));
  }
}
