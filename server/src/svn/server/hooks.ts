import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { findAccountByName, isUsable, readSettings } from '../../identity/index.ts';
import { forbidden, type Refusal, unavailable } from '../../kernel/errors.ts';
import { systemViewer } from '../../kernel/viewer.ts';
import {
  findProject,
  findReferenceCandidates,
  mayAccess,
  type ProjectExtension,
  resolveCandidates,
  usesService,
} from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import { otherServices } from '../commits/index.ts';
import type { SvnDeps } from '../deps.ts';
import { type ChangedLine, hasProtected, readChanges, refusedChange } from '../immutable-tags.ts';
import { svnService } from '../model.ts';
import { findRowNamed, linesOf, type RepositoryRow } from '../store.ts';
import type { RepositoryPlace } from '../workspace/index.ts';
import type { HookCall } from './hook-server.ts';
import { asViewer, committerNamed, readInfo, recordNewCommit } from './recording.ts';

/**
 * Whoever changes something may do so at this moment. The access file that Apache decided by may be older, and a
 * transaction may have been begun long ago.
 */
async function requireLetIn(reader: Reader, projectId: number, name: string): Promise<void> {
  const account = await findAccountByName(reader, name);
  if (account === undefined || !isUsable(account.status))
    throw forbidden(`The platform has no account \`${name}\` that may be used.`);
  const viewer = await asViewer(reader, account);
  const project = await findProject(reader, viewer, projectId);
  const isOpen = project?.status === 'active' && mayAccess(viewer, project);
  if (!isOpen || !(await usesService(reader, projectId, svnService)))
    throw forbidden('You may not access the repositories of this project.');
}

/** `…/101/firmware`: the repositories of a project lie in a folder named by its id. */
const placeOf = (path: string): RepositoryPlace => ({
  projectId: Number(basename(dirname(path))),
  name: basename(path),
});

const mebibyte = 1024 * 1024;

/** Files that are smaller in every form they have on disk need no closer look. */
async function largeFilesIn(folder: string, limit: number): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const file of await readdir(folder)) {
    if (!/^node\.[^.]+\.[^.]+$/.test(file)) continue;
    const text = await readFile(`${folder}/${file}`, 'utf8');
    const path = /^cpath: \/(.*)$/m.exec(text)?.[1];
    // A length of 0 says that it is that of the bytes on disk.
    const [, stored = '0', whole = '0'] = /^text: \S+ \S+ (\d+) (\d+)/m.exec(text) ?? [];
    if (path !== undefined && (Number(whole) > limit || (whole === '0' && Number(stored) > limit)))
      paths.add(path);
  }
  return paths;
}

/** Decides what may be committed. */
export class CommitJudge {
  readonly #svnDeps: SvnDeps;
  readonly #extensions: readonly ProjectExtension[];

  constructor(svnDeps: SvnDeps, extensions: readonly ProjectExtension[]) {
    this.#svnDeps = svnDeps;
    this.#extensions = extensions;
  }

  readonly judge = async ({ hook, args, input }: HookCall): Promise<void> => {
    const [path = '', second = '', , property = '', action = ''] = args;
    const place = placeOf(path);
    this.#svnDeps.database.renew();
    const row = await findRowNamed(this.#svnDeps.database, place.projectId, place.name);
    if (row === undefined) throw forbidden('The platform does not know this repository.');
    if (hook === 'pre-commit') await this.#judgeCommit(place, row, second);
    else if (hook === 'post-commit') await recordNewCommit(this.#svnDeps, row, Number(second));
    else if (hook === 'pre-revprop-change')
      await this.#judgeMessageChange(row, { property, action, input, user: args[2] ?? '' });
    else if (property === 'svn:log')
      await this.#recordMessage(place, row, { revision: second, user: args[2] ?? '' });
  };

  #look(place: RepositoryPlace, command: string, ...options: string[]): Promise<string> {
    const { svnWorkspace } = this.#svnDeps;
    return svnWorkspace.mustRun('svnlook', [command, svnWorkspace.seenAt(place), ...options]);
  }

  async #judgeCommit(place: RepositoryPlace, row: RepositoryRow, transaction: string): Promise<void> {
    const { svnWorkspace } = this.#svnDeps;
    const [info, changed] = await Promise.all([
      this.#look(place, 'info', '-t', transaction),
      svnWorkspace.run('svnlook', ['changed', svnWorkspace.seenAt(place), '-t', transaction]),
    ]);
    if (changed.code !== 0)
      throw unavailable('svnlook failed.', { cause: `svnlook changed: ${changed.error.trim()}` });
    // What is not looked at is not allowed.
    if (changed.isCut && row.immutable_paths !== '')
      throw forbidden(
        'The commit changes too many paths to be compared with the tags of the repository; commit it in parts.',
      );
    const { author, message } = readInfo(info);
    await requireLetIn(this.#svnDeps.database, row.project_id, author);
    await this.#checkMessage(row, author, message);
    const changes = readChanges(changed.out);
    await this.#checkTags(place, row, changes);
    await this.#checkSizes(place, transaction, changes);
  }

  async #checkMessage(row: RepositoryRow, author: string, message: string): Promise<void> {
    const { database } = this.#svnDeps;
    const { allow_empty_svn_commit_message: mayBeEmpty } = await readSettings(database);
    if (!mayBeEmpty && message.trim() === '')
      throw forbidden('Commit message must not be empty\nSay what you change and why: svn commit -m "…"');
    if (row.is_reference_mandatory === 0) return;
    const viewer = (await committerNamed(database, author)) ?? systemViewer;
    const candidates = findReferenceCandidates(message);
    const known = [otherServices, ...this.#extensions];
    const found = await resolveCandidates(database, viewer, row.project_id, candidates, known);
    if (found.length === 0)
      throw forbidden(
        'Commit message must contains a reference\nName what the change is about, for example: art #123',
      );
  }

  async #checkTags(
    place: RepositoryPlace,
    row: RepositoryRow,
    changes: readonly ChangedLine[],
  ): Promise<void> {
    const tags = { paths: linesOf(row.immutable_paths), whitelist: linesOf(row.immutable_whitelist) };
    if (tags.paths.length === 0) return;
    const { svnWorkspace } = this.#svnDeps;
    const namesIn = async (folder: string) => {
      const args = ['tree', svnWorkspace.seenAt(place), `/${folder}`, '--non-recursive'];
      const { code, out, error } = await svnWorkspace.run('svnlook', args);
      // What only this commit brings, as a part of a copy, is no tag yet.
      if (code !== 0 && error.includes('E160013')) return [];
      if (code !== 0) throw unavailable('svnlook failed.', { cause: `svnlook tree: ${error.trim()}` });
      const [, ...names] = linesOf(out);
      // Each stands one blank to the right of the folder, and folders end with a slash.
      return names.map((name) => name.slice(1).replace(/\/$/, '')).filter((name) => name !== '');
    };
    const refused = await refusedChange(changes, tags, ({ path }, pattern) =>
      hasProtected(path, pattern, namesIn),
    );
    if (refused !== undefined)
      throw forbidden(
        `Commit to tag \`${refused.path}\` is not allowed\n` +
          'What is tagged stays as it is: make another tag beside it by copying, or change a branch instead.',
      );
  }

  async #checkSizes(
    place: RepositoryPlace,
    transaction: string,
    changes: readonly ChangedLine[],
  ): Promise<void> {
    const { database, svnWorkspace } = this.#svnDeps;
    const limit = (await readSettings(database)).plugin_svn_file_size_limit * mebibyte;
    if (limit === 0) return;
    const folder = svnWorkspace.pathOf(place, 'db', 'transactions', `${transaction}.txn`);
    const large = await largeFilesIn(folder, limit);
    for (const { kind, path, isFolder } of changes) {
      if (kind === 'D' || isFolder || !large.has(path)) continue;
      const size = Number(await this.#look(place, 'filesize', `/${path}`, '-t', transaction));
      if (size > limit) throw tooLarge(path, size, limit);
    }
  }

  async #judgeMessageChange(
    row: RepositoryRow,
    change: { property: string; action: string; input: string; user: string },
  ): Promise<void> {
    await requireLetIn(this.#svnDeps.database, row.project_id, change.user);
    if (change.property !== 'svn:log' || change.action !== 'M')
      throw forbidden('Cannot modify anything but svn:log');
    if (row.is_message_change_allowed === 0)
      throw forbidden(
        'Commit message is not allowed to change.\nWhoever administers the repository can allow it.',
      );
    await this.#checkMessage(row, change.user, change.input);
  }

  /** Lists and artifacts show the message as it is now; whoever took something out of it does not want it to be read. */
  async #recordMessage(
    place: RepositoryPlace,
    { id }: RepositoryRow,
    { revision, user }: { revision: string; user: string },
  ): Promise<void> {
    const { database, operations } = this.#svnDeps;
    const viewer = await committerNamed(database, user);
    if (viewer === undefined) return;
    const { message } = readInfo(await this.#look(place, 'info', '-r', revision));
    await operations.rewordCommit(viewer, { repositoryId: id, revision: Number(revision), message });
  }
}

const tooLarge = (path: string, size: number, limit: number): Refusal =>
  forbidden(
    `The file \`${path}\` has ${size} bytes, and files of more than ${limit} bytes are not taken.\n` +
      'Commit without it, or ask a site administrator for a higher limit.',
  );
