import type { SpawnOptions } from 'node:child_process';
import type { Instant } from '../../kernel/clock.ts';
import { forbidden, invalidMember, notFound, unauthenticated, unavailable } from '../../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../../kernel/xml.ts';
import { type PathAccess, pathAccessOf } from '../access/index.ts';
import type { SvnDeps } from '../deps.ts';
import { requireRepository } from '../policy.ts';
import { clientFolder, inTurn, type RepositoryPlace, startForReader } from '../workspace/index.ts';
import {
  type Blame,
  blameXml,
  changeInstant,
  fileLines,
  isBinary,
  isWholeBlame,
  KeptBlames,
  longestBlamed,
  mostBlamedLines,
} from './blame.ts';
import { parseClientXml } from './client-xml.ts';
import { matchingFiles, PathLists } from './path-lists.ts';

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

/** Letters that Subversion takes in no name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are meant.
const control = /[\0-\x1f\x7f]/;

/** Paths in one form: a slash in front, none at the end. */
export function browsedPath(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..') || control.test(text))
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
/** How Subversion says that it cannot read the date of a revision: those of old dumps are taken as they are. */
const unreadableDate = 'E125003';

const changeOf = (commit: XmlElement | undefined): LastChange => ({
  revision: Number((commit && attributeOf(commit, 'revision')) ?? 0),
  author: commit === undefined ? '' : textOf(commit, 'author'),
  at: commit === undefined ? null : changeInstant(textOf(commit, 'date')),
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

/** What programs of Subversion may take for one look. */
const mostSeconds = 60;

/** Versions of a file that are looked at first for who wrote its lines. */
const firstVersions = 500;

/** A revision never changes, so what was found out about one is kept for a while. */
const blames = new KeptBlames();
const pathLists = new PathLists();

/** A program that is read from, and killed when nobody listens any more: it would hear nothing else while it compares. */
const untilLeft = (left: AbortSignal): SpawnOptions => ({
  stdio: ['ignore', 'pipe', 'ignore'],
  signal: left,
  killSignal: 'SIGKILL',
});

/** One repository as one viewer may look at it. */
export class RepositoryView {
  readonly place: RepositoryPlace;
  readonly #svnDeps: BrowseDeps;
  readonly #userId: number;
  readonly #pathAccess: PathAccess;

  constructor(svnDeps: BrowseDeps, userId: number, place: RepositoryPlace, pathAccess: PathAccess) {
    this.place = place;
    this.#svnDeps = svnDeps;
    this.#userId = userId;
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
    return await parseClientXml(await this.#said(command, path, revision, options));
  }

  async #said(
    command: string,
    path: string,
    revision: number | undefined,
    options: readonly string[],
  ): Promise<string> {
    const { svnWorkspace } = this.#svnDeps;
    const common = ['--xml', '--non-interactive', '--config-dir', clientFolder(svnWorkspace)];
    const args = [command, ...common, ...options, this.#url(path, revision)];
    const { code, out, error, isCut } = await inTurn(this.#userId, () =>
      svnWorkspace.run('svn', args, { seconds: mostSeconds }),
    );
    if (isCut)
      throw unavailable('Subversion has too much to say about this. Ask for less of the repository.');
    if (code === 0) return out;
    if (missing.test(error)) throw notFound('There is no such path or revision.');
    if (error.includes(unreadableDate))
      throw unavailable(
        'Subversion cannot read the date of a revision that is needed here; `svnadmin setrevprop` corrects it.',
        { cause: error.trim() },
      );
    // It may have been deleted a moment ago, or its disk is away.
    throw unavailable('Subversion cannot read this repository.', {
      cause: `svn ${command}: ${error.trim()}`,
    });
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

  /** The bytes of a file, or the changes of a revision, while a program says them. `left`: when nobody wants them any more. */
  open(what: { file: string; revision: number } | { diffOf: number }, left: AbortSignal) {
    const { svnWorkspace } = this.#svnDeps;
    const path = svnWorkspace.seenAt(this.place);
    const args =
      'file' in what
        ? ['cat', path, what.file, '-r', String(what.revision)]
        : ['diff', path, '-r', String(what.diffOf)];
    return startForReader(this.#userId, () => svnWorkspace.start('svnlook', args, untilLeft(left)));
  }

  /** How a path differs between two revisions, in either of which it may be missing, while a program says it. */
  async openComparison(path: string, { from, to }: { from: number; to: number }, left: AbortSignal) {
    if (!(await this.#pathAccess.mayReadBelow(path)))
      throw forbidden('Some of what lies here is hidden from you.');
    if (Math.max(from, to) > Number(await this.#look('youngest')))
      throw notFound('There is no such revision.');
    const there = await Promise.allSettled([this.node(path, from), this.node(path, to)]);
    const [old, young] = there;
    if (old.status === 'rejected' && young.status === 'rejected') throw old.reason;
    const { svnWorkspace } = this.#svnDeps;
    const common = ['--non-interactive', '--config-dir', clientFolder(svnWorkspace)];
    const sides = ['--old', this.#url(path, from), '--new', this.#url(path, to)];
    const args = ['diff', ...common, ...sides];
    return startForReader(this.#userId, () => svnWorkspace.start('svn', args, untilLeft(left)));
  }

  /** How many bytes a file has. */
  async sizeOf(path: string, revision: number): Promise<number> {
    return Number(await this.#look('filesize', path, '-r', String(revision)));
  }

  #look(command: string, ...rest: string[]): Promise<string> {
    const { svnWorkspace } = this.#svnDeps;
    const args = [command, svnWorkspace.seenAt(this.place), ...rest];
    return inTurn(this.#userId, () => svnWorkspace.mustRun('svnlook', args));
  }

  /** Who wrote which line of a file, and in which revision. */
  async blame(path: string, revision: number | undefined): Promise<{ at: number; blame: Blame }> {
    const node = await this.node(path, revision);
    if (node.isFolder) throw invalidMember('path', 'It leads to a folder, which has no lines.');
    const since = await this.#readableSince(path, node.at_revision);
    const key = [this.place.projectId, this.place.name, path, node.revision, since].join('\n');
    const kept = blames.get(key);
    if (kept !== undefined) return { at: node.at_revision, blame: kept };
    const at = node.at_revision;
    if ((await this.sizeOf(path, at)) > longestBlamed)
      throw invalidMember('path', `It leads to a file of more than ${longestBlamed} bytes.`);
    const text = await this.#look('cat', path, '-r', String(at));
    if (isBinary(text)) throw invalidMember('path', 'It leads to a file that is no text.');
    const lines = fileLines(text);
    if (lines.length > mostBlamedLines)
      throw invalidMember('path', `It leads to a file of more than ${mostBlamedLines} lines.`);
    const blame = await blameXml(await this.#blameXml(path, at, since), lines, since);
    blames.put(key, blame, text.length);
    return { at, blame };
  }

  /**
   * What Subversion says of every line. It reads each version of the file that it is asked about, of which there may be ten thousand, so
   * it is asked about the newest ones first, and about older ones where lines are left that are older.
   */
  async #blameXml(path: string, at: number, since: number): Promise<string> {
    for (let most = firstVersions; ; most *= 4) {
      const from = Math.max(since, await this.#oldestOf(path, at, most));
      const range = from > 0 ? ['-r', `${from}:${at}`] : [];
      const xml = await this.#said('blame', path, at, ['--force', ...range]);
      if (from === since || isWholeBlame(xml)) return xml;
    }
  }

  /** The revision of the oldest of so many newest versions; 0 where there are no more than these. */
  async #oldestOf(path: string, at: number, most: number): Promise<number> {
    const log = await this.#ask('log', path, at, '--quiet', '--limit', String(most + 1), '-r', `${at}:0`);
    const entry = childrenOf(log, 'logentry')[most];
    return entry === undefined ? 0 : Number(attributeOf(entry, 'revision'));
  }

  /** As Subversion tells it to its clients: what came from a path that is hidden counts as written when it came. 0: nothing is hidden. */
  async #readableSince(path: string, revision: number): Promise<number> {
    if (await this.#pathAccess.mayReadBelow('/')) return 0;
    let [place, at] = [path, revision];
    for (let hop = 0; hop < mostHops; hop++) {
      const log = await this.#ask(
        'log',
        place,
        at,
        '--verbose',
        '--stop-on-copy',
        '-r',
        `0:${at}`,
        '--limit',
        '1',
      );
      const first = childOf(log, 'logentry');
      const came =
        first &&
        changesOf(first).findLast(
          ({ path: changed, copiedFrom }) => copiedFrom !== null && isWithin(place, changed),
        );
      const since = Number((first && attributeOf(first, 'revision')) ?? 0);
      if (came?.copiedFrom == null) return 0;
      const source = `${came.copiedFrom.path}${place.slice(came.path.length)}`;
      if (!(await this.mayRead(source))) return since;
      [place, at] = [source, came.copiedFrom.revision];
    }
    return at;
  }

  /** Files below a folder that have all words in their paths, and one in their names, the nearest first. */
  async files(
    { path, words }: { path: string; words: readonly string[] },
    revision: number | undefined,
  ): Promise<{ at: number; files: string[]; isCut: boolean }> {
    const node = await this.node(path, revision);
    const key = [this.place.projectId, this.place.name, path, node.at_revision].join('\n');
    const text = await pathLists.of(key, () => this.#tree(path, node.at_revision));
    const { files, isCut } = await matchingFiles(text, { path, words }, (file) => this.mayRead(file));
    return { at: node.at_revision, files, isCut };
  }

  /** All paths below one, a line each; folders end with a slash. */
  async #tree(path: string, revision: number): Promise<string> {
    const { svnWorkspace } = this.#svnDeps;
    const args = ['tree', svnWorkspace.seenAt(this.place), path, '--full-paths', '-r', String(revision)];
    const { code, out } = await inTurn(this.#userId, () =>
      svnWorkspace.run('svnlook', args, { seconds: mostSeconds }),
    );
    if (code !== 0) throw notFound('There is no such path or revision.');
    return out;
  }

  /** The folders of the youngest revision that the viewer may read, up to so many. */
  async folders(isMeant: (path: string) => boolean, most: number): Promise<string[]> {
    const { at_revision: revision } = await this.node('/', undefined);
    const found: string[] = [];
    for (const line of (await this.#tree('/', revision)).split('\n')) {
      if (found.length >= most) break;
      const folder = line.length > 1 && line.endsWith('/') ? line.slice(0, -1) : undefined;
      if (folder !== undefined && isMeant(folder) && (await this.mayRead(folder))) found.push(folder);
    }
    return found;
  }
}

/** Copies that are followed to where something came from. */
const mostHops = 50;
const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

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
  const pathAccess = await pathAccessOf(svnDeps, viewer, project, row);
  return new RepositoryView(svnDeps, viewer.userId, place, pathAccess);
}
