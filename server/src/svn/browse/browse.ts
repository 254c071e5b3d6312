import type { Instant } from '../../kernel/clock.ts';
import { forbidden, invalidMember, notFound, unauthenticated } from '../../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../../kernel/xml.ts';
import { type PathAccess, pathAccessOf } from '../access/index.ts';
import type { SvnDeps } from '../deps.ts';
import { requireRepository } from '../policy.ts';
import { clientFolder, type RepositoryPlace } from '../workspace/index.ts';
import { parseClientXml } from './client-xml.ts';

/** Who last changed something, and when. */
export interface LastChange {
  readonly revision: number;
  readonly author: string;
  readonly at: Instant | null;
}

export interface TreeEntry extends LastChange {
  readonly name: string;
  /** From the root, with a slash in front. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly size: number | null;
}

export interface Node extends LastChange {
  readonly path: string;
  readonly isFolder: boolean;
  /** The revision that was looked at. */
  readonly at_revision: number;
}

export interface ChangedPath {
  readonly path: string;
  /** A added, D deleted, M changed, R replaced. */
  readonly action: string;
  readonly isFolder: boolean;
  readonly copiedFrom: { readonly path: string; readonly revision: number } | null;
}

export interface LogEntry extends LastChange {
  readonly message: string;
  readonly changes: readonly ChangedPath[];
  /** Whether something of it is hidden from the viewer. */
  readonly isPartial: boolean;
}

/** Bytes of a path and of a name in it that the programs of Subversion can look for on a disk. */
const longest = { path: 3500, name: 255 };

/** Paths in one form: a slash in front, none at the end. */
export function browsedPath(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..') || /\p{Cc}/u.test(text))
    throw invalidMember('path', 'It must be a path in the repository.');
  const isTooLong = segments.some((name) => Buffer.byteLength(name) > longest.name);
  if (isTooLong || Buffer.byteLength(text) > longest.path)
    throw invalidMember(
      'path',
      `It must have at most ${longest.path} bytes, and ${longest.name} in each name.`,
    );
  return `/${segments.join('/')}`;
}

const missing = /E(160006|160013|160005|200009|170000|160016|195012)\b|W160013/;
const instantOf = (text: string): Instant | null => (text === '' ? null : Date.parse(text));

const changeOf = (commit: XmlElement | undefined): LastChange => ({
  revision: Number((commit && attributeOf(commit, 'revision')) ?? 0),
  author: commit === undefined ? '' : textOf(commit, 'author'),
  at: commit === undefined ? null : instantOf(textOf(commit, 'date')),
});

const changesOf = (entry: XmlElement): ChangedPath[] =>
  childrenOf(childOf(entry, 'paths') ?? entry, 'path').map((path) => {
    const from = attributeOf(path, 'copyfrom-path');
    return {
      path: path.text,
      action: attributeOf(path, 'action') ?? 'M',
      isFolder: attributeOf(path, 'kind') === 'dir',
      copiedFrom:
        from === undefined ? null : { path: from, revision: Number(attributeOf(path, 'copyfrom-rev') ?? 0) },
    };
  });

/** Changed paths of one revision that are told at the most. */
const mostChanges = 2000;

/** What looking into repositories takes. */
export type BrowseDeps = Pick<SvnDeps, 'database' | 'svnWorkspace' | 'parts'>;

/** One repository as one viewer may look at it. */
export class RepositoryView {
  readonly place: RepositoryPlace;
  readonly #svnDeps: BrowseDeps;
  readonly #pathAccess: PathAccess;

  constructor(svnDeps: BrowseDeps, place: RepositoryPlace, pathAccess: PathAccess) {
    this.place = place;
    this.#svnDeps = svnDeps;
    this.#pathAccess = pathAccess;
  }

  mayRead(path: string): Promise<boolean> {
    return this.#pathAccess.mayRead(path);
  }

  async requireReadable(path: string): Promise<void> {
    if (!(await this.mayRead(path))) throw forbidden('You may not read this path of the repository.');
  }

  #url(path: string, revision: number | undefined): string {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    return `${this.#svnDeps.svnWorkspace.urlOf(this.place)}${path === '/' ? '' : encoded}@${revision ?? 'HEAD'}`;
  }

  async #ask(
    command: string,
    path: string,
    revision: number | undefined,
    ...options: string[]
  ): Promise<XmlElement> {
    const { svnWorkspace } = this.#svnDeps;
    const common = ['--xml', '--non-interactive', '--config-dir', clientFolder(svnWorkspace)];
    const { code, out, error } = await svnWorkspace.run('svn', [
      command,
      ...common,
      ...options,
      this.#url(path, revision),
    ]);
    if (code === 0) return parseClientXml(out);
    if (missing.test(error)) throw notFound('There is no such path or revision.');
    throw new Error(`svn ${command}: ${error.trim()}`);
  }

  /** What lies at a path. */
  async node(path: string, revision: number | undefined): Promise<Node> {
    await this.requireReadable(path);
    const info = await this.#ask('info', path, revision);
    const entry = childOf(info, 'entry') ?? info;
    return {
      path,
      isFolder: attributeOf(entry, 'kind') === 'dir',
      at_revision: Number(attributeOf(entry, 'revision') ?? 0),
      ...changeOf(childOf(entry, 'commit')),
    };
  }

  /** What lies in a folder, folders first. */
  async entries(path: string, revision: number): Promise<TreeEntry[]> {
    const lists = await this.#ask('list', path, revision);
    const listed = childrenOf(childOf(lists, 'list') ?? lists, 'entry').map((entry): TreeEntry => {
      const name = textOf(entry, 'name');
      const isFolder = attributeOf(entry, 'kind') === 'dir';
      const size = isFolder ? null : Number(textOf(entry, 'size'));
      const at = path === '/' ? `/${name}` : `${path}/${name}`;
      return { name, path: at, isFolder, size, ...changeOf(childOf(entry, 'commit')) };
    });
    const readable: TreeEntry[] = [];
    for (const entry of listed) if (await this.mayRead(entry.path)) readable.push(entry);
    if (this.#pathAccess.isExhausted)
      throw forbidden(
        'The access file has patterns with which too many names of this folder would have to be compared; use a Subversion client.',
      );
    return readable.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1));
  }

  /** As Subversion shows a revision of which something is hidden: without its message; all hidden: not at all. */
  async #shown(entry: XmlElement): Promise<LogEntry | undefined> {
    const all = changesOf(entry);
    const changes: ChangedPath[] = [];
    let isHidden = false;
    for (const change of all) {
      const seen = (await this.mayRead(change.path)) ? await this.#withSource(change) : undefined;
      if (seen !== undefined) changes.push(seen);
      isHidden ||= seen !== change;
    }
    if (isHidden && changes.length === 0) return undefined;
    const message = isHidden ? '' : textOf(entry, 'msg');
    const { author, at } = changeOf(entry);
    const revision = Number(attributeOf(entry, 'revision') ?? 0);
    const isPartial = isHidden || all.length > mostChanges;
    return { revision, author, at, message, changes: changes.slice(0, mostChanges), isPartial };
  }

  /** Where something was copied from is told to those who may read it there. */
  async #withSource(change: ChangedPath): Promise<ChangedPath> {
    const { copiedFrom } = change;
    return copiedFrom === null || (await this.mayRead(copiedFrom.path))
      ? change
      : { ...change, copiedFrom: null };
  }

  /** Revisions that changed something at or below a path, the newest first, from a revision on. */
  async log(
    path: string,
    { from, limit }: { from: number | undefined; limit: number },
  ): Promise<{ entries: LogEntry[]; next: number | null }> {
    await this.requireReadable(path);
    // An empty repository has revision 0 alone, which tells nothing.
    const range = ['--verbose', '--limit', String(limit + 1), '-r', `${from ?? 'HEAD'}:0`];
    const log = await this.#ask('log', path, from, ...range);
    const found = childrenOf(log, 'logentry').filter((entry) => attributeOf(entry, 'revision') !== '0');
    const next = found[limit];
    const entries: LogEntry[] = [];
    for (const entry of found.slice(0, limit)) {
      const shown = await this.#shown(entry);
      if (shown !== undefined) entries.push(shown);
    }
    return { entries, next: next === undefined ? null : Number(attributeOf(next, 'revision')) };
  }

  async revision(revision: number): Promise<LogEntry> {
    const { shown } = await this.#seenRevision(revision);
    return shown;
  }

  async #seenRevision(revision: number): Promise<{ shown: LogEntry; entry: XmlElement }> {
    const log = await this.#ask('log', '/', revision, '--verbose', '-r', String(revision));
    const [entry] = childrenOf(log, 'logentry');
    const shown = entry && (await this.#shown(entry));
    if (entry === undefined || shown === undefined)
      throw notFound('There is no such revision, or none that you may see.');
    return { shown, entry };
  }

  /** The changes of a revision tell of whole folders what was in them, where these are copied or deleted. */
  async requireReadableDiff(revision: number): Promise<void> {
    const { entry } = await this.#seenRevision(revision);
    for (const { path, action, isFolder, copiedFrom } of changesOf(entry)) {
      const isWhole = isFolder && (action === 'D' || action === 'R' || copiedFrom !== null);
      const isReadable = await (isWhole ? this.#pathAccess.mayReadBelow(path) : this.mayRead(path));
      if (!isReadable || (copiedFrom !== null && !(await this.#pathAccess.mayReadBelow(copiedFrom.path))))
        throw forbidden('Some of what this revision changed is hidden from you.');
    }
  }

  /** The bytes of a file, or the changes of a revision, while a program says them. */
  open(what: { file: string; revision: number } | { diffOf: number }) {
    const { svnWorkspace } = this.#svnDeps;
    const path = svnWorkspace.seenAt(this.place);
    const args =
      'file' in what
        ? ['cat', path, what.file, '-r', String(what.revision)]
        : ['diff', path, '-r', String(what.diffOf)];
    return svnWorkspace.start('svnlook', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  }
}

/** Opens a repository for somebody who wants to look at it. Nobody does so without saying who they are. */
export async function openRepository(
  svnDeps: BrowseDeps,
  viewer: Viewer,
  id: number,
): Promise<RepositoryView> {
  const { database } = svnDeps;
  const { row, project } = await requireRepository(database, viewer, id);
  if (isAnonymous(viewer)) throw unauthenticated('Repositories are shown to those who are logged in.');
  await svnDeps.parts.require();
  const place = { projectId: project.id, name: row.name };
  return new RepositoryView(svnDeps, place, await pathAccessOf(svnDeps, viewer, project, row));
}
