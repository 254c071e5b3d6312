import { findAccount } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import { forbidden, invalidMember, notFound, unauthenticated } from '../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../kernel/xml.ts';
import { readSections } from './access.ts';
import { AccessRules, writeAccessFile } from './access-rules.ts';
import { parseClientXml } from './client-xml.ts';
import type { Desk } from './desk.ts';
import { clientFolder } from './disk.ts';
import { requireSubversion } from './parts.ts';
import { requireRepository } from './policy.ts';
import type { RepositoryPlace } from './workplace.ts';

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

/** Paths in one form: a slash in front, none at the end. */
export function browsedPath(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..') || /\p{Cc}/u.test(text))
    throw invalidMember('path', 'It must be a path in the repository.');
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

/** One repository as one viewer may look at it. */
export class RepositoryView {
  readonly place: RepositoryPlace;
  readonly #desk: Desk;
  readonly #rules: AccessRules | undefined;
  readonly #file: string;
  readonly #login: string;

  /** `rules`: undefined for those from whom nothing is hidden. */
  constructor(
    desk: Desk,
    place: RepositoryPlace,
    sight: { rules: AccessRules | undefined; file: string; login: string },
  ) {
    this.place = place;
    this.#desk = desk;
    this.#rules = sight.rules;
    this.#file = sight.file;
    this.#login = sight.login;
  }

  /** Where rules are of a kind that only Subversion knows, it is asked. */
  async mayRead(path: string): Promise<boolean> {
    if (this.#rules === undefined) return true;
    if (this.#rules.isPlain) return this.#rules.mayRead(this.#login, path);
    const { workplace } = this.#desk;
    const { name } = this.place;
    const options = ['--username', this.#login, '--repository', name, '--path', path];
    const said = await workplace.withDraft(this.#file, (file) =>
      workplace.run('svnauthz', ['accessof', ...options, file]),
    );
    return said.code === 0 && said.out.includes('r');
  }

  /** Whether nothing at all is hidden. */
  async mayReadEverything(): Promise<boolean> {
    return this.#rules === undefined || (this.#rules.isPlain && this.#rules.mayReadAll(this.#login));
  }

  async requireReadable(path: string): Promise<void> {
    if (!(await this.mayRead(path))) throw forbidden('You may not read this path of the repository.');
  }

  #url(path: string, revision: number | undefined): string {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    return `${this.#desk.workplace.urlOf(this.place)}${path === '/' ? '' : encoded}@${revision ?? 'HEAD'}`;
  }

  async #ask(
    command: string,
    path: string,
    revision: number | undefined,
    ...options: string[]
  ): Promise<XmlElement> {
    const { workplace } = this.#desk;
    const common = ['--xml', '--non-interactive', '--config-dir', clientFolder(workplace)];
    const { code, out, error } = await workplace.run('svn', [
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
    return readable.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1));
  }

  /** As Subversion shows a revision of which something is hidden: without its message; all hidden: not at all. */
  async #shown(entry: XmlElement): Promise<LogEntry | undefined> {
    const all = changesOf(entry);
    const changes: ChangedPath[] = [];
    for (const change of all.slice(0, mostChanges)) if (await this.mayRead(change.path)) changes.push(change);
    const isHidden = changes.length < Math.min(all.length, mostChanges);
    if (isHidden && changes.length === 0) return undefined;
    const message = isHidden ? '' : textOf(entry, 'msg');
    const { author, at } = changeOf(entry);
    const revision = Number(attributeOf(entry, 'revision') ?? 0);
    return { revision, author, at, message, changes, isPartial: isHidden || all.length > mostChanges };
  }

  /** Revisions that changed something at or below a path, the newest first, from a revision on. */
  async log(
    path: string,
    { from, limit }: { from: number | undefined; limit: number },
  ): Promise<{ entries: LogEntry[]; next: number | null }> {
    await this.requireReadable(path);
    const range = ['--verbose', '--limit', String(limit + 1), '-r', `${from ?? 'HEAD'}:1`];
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
    const log = await this.#ask('log', '/', revision, '--verbose', '-r', String(revision));
    const [entry] = childrenOf(log, 'logentry');
    const shown = entry && (await this.#shown(entry));
    if (shown === undefined) throw notFound('There is no such revision, or none that you may see.');
    return shown;
  }

  /** The bytes of a file, or the changes of a revision, while a program says them. */
  open(what: { file: string; revision: number } | { diffOf: number }) {
    const { workplace } = this.#desk;
    const path = workplace.seenAt(this.place);
    const args =
      'file' in what
        ? ['cat', path, what.file.slice(1), '-r', String(what.revision)]
        : ['diff', path, '-r', String(what.diffOf)];
    return workplace.start('svnlook', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  }
}

/** Opens a repository for somebody who wants to look at it. Nobody does so without saying who they are. */
export async function openRepository(desk: Desk, viewer: Viewer, id: number): Promise<RepositoryView> {
  const { database } = desk;
  const { row, project } = await requireRepository(database, viewer, id);
  if (isAnonymous(viewer)) throw unauthenticated('Repositories are shown to those who are logged in.');
  await requireSubversion();
  const place = { projectId: project.id, name: row.name };
  const login = (await findAccount(database, viewer.userId))?.name.toLowerCase() ?? '';
  if (viewer.isSiteAdmin) return new RepositoryView(desk, place, { rules: undefined, file: '', login });
  const sections = await readSections(database, project, row);
  const sight = { rules: new AccessRules(sections), file: writeAccessFile(sections), login };
  return new RepositoryView(desk, place, sight);
}
