import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../kernel/folders.ts';
import { type DumpDescription, type Reader, readDumpedRows, statement } from '../storage/index.ts';
import { DamagedRepository, dumpFileOf, SvnWorkspace, withCopy } from '../svn/index.ts';
import { bytesOf } from './blob-copies.ts';
import { contentOf, contentOfBytes, everythingIn } from './contents.ts';
import type { ListWriter } from './list.ts';
import { type Content, parts, type Tell } from './model.ts';
import type { BackedUpPlatform } from './platform.ts';
import type { Vault } from './vault.ts';

/** A state of the database in a folder, and what waited beside it just before. */
export interface Snapshot {
  readonly folder: string;
  readonly description: DumpDescription;
  /** Names of the folders in which imported repositories waited. */
  readonly waiting: readonly string[];
}

/** What is in a folder of the data folder, but for what is in the making. */
export const archivesIn = async (dataFolder: string, folder: string) =>
  (await namesIn(join(dataFolder, folder))).filter((name) => !name.startsWith('.'));

type RowOfDump = Readonly<Record<string, unknown>>;

/** Copies all that a state of the database points to. */
export class SnapshotContents {
  /** What the platform itself lost, in words. */
  readonly missing: string[] = [];
  /** What was there when the state was read, and was removed since. */
  readonly vanished: string[] = [];
  copied = 0;
  readonly #platform: BackedUpPlatform;
  readonly #vault: Vault;
  readonly #list: ListWriter;
  readonly #snapshot: Snapshot;
  readonly #tell: Tell;

  constructor(platform: BackedUpPlatform, vault: Vault, list: ListWriter, snapshot: Snapshot, tell: Tell) {
    this.#platform = platform;
    this.#vault = vault;
    this.#list = list;
    this.#snapshot = snapshot;
    this.#tell = tell;
  }

  async copy(): Promise<void> {
    await this.#addBlobs();
    await this.#addRepositories();
    await this.#addArchives();
    await this.#addWaiting();
    await this.#addLists();
  }

  async addDatabase(): Promise<void> {
    for await (const { path } of everythingIn(this.#snapshot.folder))
      await this.#addFile(`${parts.database}/${path}`, join(this.#snapshot.folder, path));
  }

  async addText(path: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const content = contentOfBytes(bytes);
    await this.#put(content, () => this.#vault.putBytes(content, bytes));
    await this.#list.add({ path, ...content });
  }

  #rows(table: string): AsyncGenerator<RowOfDump> {
    return readDumpedRows(this.#snapshot.folder, this.#snapshot.description, table);
  }

  async #put(content: Content, put: () => Promise<void>): Promise<void> {
    if (await this.#vault.has(content)) return;
    await put();
    this.copied += content.size;
  }

  async #addFile(path: string, source: string): Promise<void> {
    const content = await contentOf(source);
    await this.#put(content, () => this.#vault.putFile(content, source));
    const { mode } = await stat(source);
    await this.#list.add({ path, ...content, ...((mode & 0o100) === 0 ? {} : { executable: true }) });
  }

  /** As `#addFile`; false when there is no such file. */
  async #addIfThere(path: string, source: string): Promise<boolean> {
    try {
      await this.#addFile(path, source);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    }
  }

  /**
   * Tells of something that the state names and that is not there: removed since, when the database does not name it any more;
   * otherwise lost.
   */
  #tellAbsent(words: string, isStillNamed: boolean): void {
    (isStillNamed ? this.missing : this.vanished).push(words);
  }

  async #addBlobs(): Promise<void> {
    const sizes = new Map<string, number>();
    for await (const { hash, size } of this.#rows('attachment_piece')) sizes.set(String(hash), Number(size));
    let done = 0;
    for (const [sha256, size] of sizes) {
      this.#tell({ stage: 'Files', done: done++, total: sizes.size });
      await this.#addBlob({ sha256, size });
    }
  }

  async #addBlob(content: Content): Promise<void> {
    const { sha256, size } = content;
    if (!(await this.#vault.has(content))) {
      const bytes = await this.#bytesOf(content);
      if (bytes === undefined) return;
      await this.#vault.putBytes(content, bytes);
      this.copied += size;
    }
    await this.#list.add({ path: `${parts.blobs}/${sha256}`, ...content });
  }

  async #bytesOf(content: Content): Promise<Buffer | undefined> {
    const { sha256: hash } = content;
    const bytes = await bytesOf(this.#platform, content);
    if (bytes) return bytes;
    const isNamed = (await this.#platform.database.first(pieceWith, { hash })) !== undefined;
    // Somebody may have stored the same bytes again meanwhile.
    const again = isNamed ? await bytesOf(this.#platform, content) : bytes;
    if (again) return again;
    this.#tellAbsent(`The bytes ${hash} of a file are ${again === null ? 'damaged' : 'missing'}.`, isNamed);
    return undefined;
  }

  async #addRepositories(): Promise<void> {
    let done = 0;
    for await (const row of this.#rows('svn_repository')) {
      this.#tell({ stage: 'Repositories', done: done++, total: 0 });
      if (row['state'] !== 'creating') await this.#addRepository(row);
    }
  }

  /** A live one has a folder, a deleted one a dump; one that is being deleted has one of them at least. */
  async #addRepository(row: RowOfDump): Promise<void> {
    const name = String(row['name']);
    const deletedAt = row['deleted_at'] === null ? null : Number(row['deleted_at']);
    const dump =
      row['dump_file'] === null ? dumpFileOf({ name, deleted_at: deletedAt }) : String(row['dump_file']);
    const isDumped = row['dump_file'] !== null;
    const source = join(this.#platform.config.dataFolder, 'backup', 'svn', dump);
    const addDump = async () =>
      row['state'] === 'deleted' && (await this.#addIfThere(`${parts.dumps}/${dump}`, source));
    try {
      if (!isDumped && (await this.#addCopy(Number(row['project_id']), name))) return;
    } catch (error) {
      // One that is being deleted may go in the middle, once its dump is whole.
      if (await addDump()) return;
      if (!(error instanceof DamagedRepository)) throw error;
      return this.#addDamaged(Number(row['project_id']), name, error.message);
    }
    if (await addDump()) return;
    const reader: Reader = this.#platform.database;
    const now = await reader.first(repositoryNow, { id: Number(row['id']) });
    const isUnchanged = now?.state === row['state'] && now?.dump_file === row['dump_file'];
    const what = isDumped ? `The dump ${dump} of the deleted repository` : 'The folder of the repository';
    this.#tellAbsent(`${what} ${name} of project ${row['project_id']} is missing.`, isUnchanged);
  }

  async #addCopy(projectId: number, name: string): Promise<boolean> {
    const svnWorkspace = new SvnWorkspace(this.#platform.config);
    const target = `${parts.repositories}/${projectId}/${name}`;
    return withCopy(svnWorkspace, { projectId, name }, async (folder) => {
      for await (const { path, isFolder } of everythingIn(folder)) {
        if (isFolder) await this.#list.add({ folder: `${target}/${path}` });
        else await this.#addFile(`${target}/${path}`, join(folder, path));
      }
    });
  }

  /** What is left of it may be all that somebody can mend it from. */
  async #addDamaged(projectId: number, name: string, reason: string): Promise<void> {
    this.missing.push(`The repository ${name} of project ${projectId} is damaged: ${reason}`);
    const source = new SvnWorkspace(this.#platform.config).pathOf({ projectId, name });
    const target = `${parts.repositories}/${projectId}/${name}`;
    for await (const { path, isFolder } of everythingIn(source)) {
      if (isFolder) await this.#list.add({ folder: `${target}/${path}` });
      else await this.#addAsItIs(`${target}/${path}`, join(source, path)).catch(requireUnreadable);
    }
  }

  /** Archives of deleted artifacts, and dumps of repositories that were purged. */
  async #addArchives(): Promise<void> {
    const own = join(this.#platform.config.dataFolder, 'deleted');
    const chosen = await this.#chosenFolder();
    const added = new Set<string>();
    for await (const { archive } of this.#rows('deleted_artifact')) {
      if (archive === null) continue;
      const name = String(archive);
      this.#tell({ stage: 'Archives', done: added.size, total: 0 });
      const places = chosen === '' ? [own] : [chosen, own];
      if (await this.#addFromOneOf(places, name)) added.add(name);
      else {
        const isNamed = (await this.#platform.database.first(artifactWith, { archive: name })) !== undefined;
        this.#tellAbsent(`The archive ${name} of a deleted artifact is missing.`, isNamed);
      }
    }
    // Those of the platform's own folder that no row names are still somebody's, but for names that were only taken so far.
    await this.#addOthers(own, (name) => !added.has(name));
    if (chosen === '') return;
    // That folder may have archives of other platforms in it.
    await this.#addOthers(chosen, (name) => /^svn_.*\.svn$/.test(name));
  }

  async #addFromOneOf(folders: readonly string[], name: string): Promise<boolean> {
    for (const folder of folders)
      if (await this.#addIfThere(`${parts.deleted}/${name}`, join(folder, name))) return true;
    return false;
  }

  /** The folder that a setting names for archives. */
  async #chosenFolder(): Promise<string> {
    for await (const { name, value } of this.#rows('setting'))
      if (name === 'archive_deleted_items_path') return String(value);
    return '';
  }

  async #addOthers(folder: string, isWanted: (name: string) => boolean): Promise<void> {
    for (const name of (await namesIn(folder)).filter((entry) => !entry.startsWith('.') && isWanted(entry))) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isFile() && found.size > 0)
        await this.#addIfThere(`${parts.deleted}/${name}`, join(folder, name));
    }
  }

  /** As `#addIfThere`, for a file that somebody may be writing to at the moment. */
  async #addAsItIs(path: string, source: string): Promise<void> {
    const copy = join(this.#vault.workFolder, 'copy');
    try {
      await copyFile(source, copy);
      await this.#addFile(path, copy);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    } finally {
      await rm(copy, { force: true });
    }
  }

  /** Lists of old and new ids. */
  async #addLists(): Promise<void> {
    const { dataFolder } = this.#platform.config;
    for (const name of await archivesIn(dataFolder, 'imports'))
      if (name.endsWith('-ids.csv'))
        await this.#addAsItIs(`${parts.imports}/${name}`, join(dataFolder, 'imports', name));
  }

  /** Repositories that wait to be loaded. One that was loaded since is in no row of the state. */
  async #addWaiting(): Promise<void> {
    const { dataFolder } = this.#platform.config;
    const source = join(dataFolder, parts.waiting);
    for await (const { path, isFolder } of everythingIn(source))
      if (!isFolder) await this.#addAsItIs(`${parts.waiting}/${path}`, join(source, path));
    const now = new Set(await archivesIn(dataFolder, parts.waiting));
    for (const name of this.#snapshot.waiting)
      if (!now.has(name))
        this.vanished.push(`The repositories that waited in ${parts.waiting}/${name} were loaded meanwhile.`);
  }
}

/** The disk has lost bytes of a file. */
function requireUnreadable(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EIO')) throw error;
}

const pieceWith = statement((sql, p: { hash: string }) =>
  sql.selectFrom('attachment_piece').select('hash').where('hash', '=', p.hash).limit(1),
);

const artifactWith = statement((sql, p: { archive: string }) =>
  sql.selectFrom('deleted_artifact').select('archive').where('archive', '=', p.archive).limit(1),
);

const repositoryNow = statement((sql, p: { id: number }) =>
  sql.selectFrom('svn_repository').select(['state', 'dump_file']).where('id', '=', p.id),
);
