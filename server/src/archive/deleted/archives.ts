import { access, chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ArchivedArtifact, DeletionArchive } from '../../artifacts/index.ts';
import { type ArchivedFile, findFilesOf, findPieces, openSpan } from '../../files/index.ts';
import { readSettings } from '../../identity/index.ts';
import { Refusal, unavailable } from '../../kernel/errors.ts';
import {
  removeAbandonedFiles,
  removeOldFiles,
  workFileName,
  workFileNames,
} from '../../kernel/work-files.ts';
import type { Blobs, Database } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import { openArchive } from '../container.ts';
import { filePath } from '../keys.ts';
import { ZipWriter } from '../zip-writer.ts';
import { readFirstRow, readRows, xmlEntry } from './rows.ts';
import { writeDeletedXml } from './xml.ts';

type Artifact = Parameters<DeletionArchive['write']>[0];

const folderMode = 0o700;
/** For whoever collects archives, where the folder lets them in. */
const fileMode = 0o640;
const draftForm = /^\.[0-9a-f-]{36}\.part$/;
const archiveForm = /^deleted_artifact_(\d{1,15})_\d+\.zip$/;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a draft the name that it keeps. Two archives never have the same one. */
async function publish(draft: string, artifactId: number): Promise<string> {
  const folder = dirname(draft);
  for (let second = Math.floor(Date.now() / 1000); ; second++) {
    const name = `deleted_artifact_${artifactId}_${second}.zip`;
    try {
      // Only one can make the file; the name is theirs then.
      await (await open(join(folder, name), 'wx', fileMode)).close();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw error;
    }
    await chmod(draft, fileMode);
    await rename(draft, join(folder, name));
    await syncFolder(folder);
    return name;
  }
}

/** The folder of the archives of deleted artifacts. */
export class DeletedArtifacts implements DeletionArchive {
  readonly #database: Database;
  readonly #trackers: Trackers;
  readonly #blobs: Blobs;
  readonly #ownFolder: string;

  constructor(database: Database, trackers: Trackers, blobs: Blobs, dataFolder: string) {
    this.#database = database;
    this.#trackers = trackers;
    this.#blobs = blobs;
    this.#ownFolder = join(dataFolder, 'deleted');
  }

  /** The folder that the platform is told to use, which must be there; its own is made when it is needed. */
  async #folder(): Promise<string> {
    const { archive_deleted_items_path: path } = await readSettings(this.#database);
    if (path !== '') return path;
    const made = await mkdir(this.#ownFolder, { recursive: true, mode: folderMode });
    if (made !== undefined) await syncFolder(dirname(made));
    return this.#ownFolder;
  }

  async write(artifact: Artifact): Promise<string> {
    let zip: ZipWriter | undefined;
    try {
      zip = await ZipWriter.create(join(await this.#folder(), workFileName('.part')), fileMode);
      await this.#fill(zip, artifact);
      await zip.finish();
      return await publish(zip.path, artifact.row.id);
    } catch (error) {
      await zip?.abandon().catch(() => {});
      if (error instanceof Refusal) throw error;
      const words = 'The archive of the artifact cannot be written; the log says why. Nothing was deleted.';
      throw unavailable(words, { cause: String(error) });
    }
  }

  async #fill(zip: ZipWriter, artifact: Artifact): Promise<void> {
    const files = await findFilesOf(this.#database, artifact.row.id);
    await zip.addXml(xmlEntry, (out) => writeDeletedXml(out, this.#database, this.#trackers, artifact.row));
    for (const file of files.filter(({ state }) => state === 'attached'))
      await zip.add(filePath(file.id), await this.#bytesOf(file));
  }

  /** Bytes that are missing make an empty entry. */
  async #bytesOf({ id, size }: ArchivedFile): Promise<AsyncIterable<Uint8Array>> {
    const pieces = await findPieces(this.#database, id, 'original');
    for (const { hash } of pieces)
      if (!(await this.#blobs.has(hash))) return openSpan(this.#blobs, [], { start: 0, end: 0 });
    return openSpan(this.#blobs, pieces, { start: 0, end: size });
  }

  async discard(name: string): Promise<void> {
    await rm(await this.#pathOf(name), { force: true });
  }

  /** Where an archive is: it stays where it was written when another folder is chosen. */
  async #pathOf(name: string): Promise<string> {
    const path = join(await this.#folder(), basename(name));
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    return isThere ? path : join(this.#ownFolder, basename(name));
  }

  async open(name: string): Promise<ArchivedArtifact> {
    const id = Number(/^deleted_artifact_(\d+)_/.exec(name)?.[1]);
    const path = await this.#pathOf(name);
    const isThere = (await stat(path).catch(() => undefined))?.isFile() === true;
    if (!isThere) throw new Refusal('conflict', `Its archive ${name} is not in the folder of archives.`);
    const archive = await openArchive(path);
    try {
      const facts = await readFirstRow(await archive.open(xmlEntry), id);
      const bytesOf = async (fileId: number) => {
        const entry = filePath(fileId);
        return (await archive.size(entry)) === undefined ? undefined : archive.open(entry);
      };
      return {
        facts,
        changesets: async function* () {
          yield* readRows(await archive.open(xmlEntry));
        },
        bytesOf,
        close: () => archive.close(),
      };
    } catch (error) {
      await archive.close();
      throw error;
    }
  }

  /** Removes what writing left behind when it was cut short; what older versions did, once nobody touched it since. */
  async tidy(before: number): Promise<void> {
    for (const folder of new Set([await this.#folder(), this.#ownFolder])) {
      await removeAbandonedFiles(folder);
      await removeOldFiles(folder, draftForm, before);
    }
    await this.#removeUnclaimed(before);
  }

  /**
   * Removes archives of artifacts that are there: those whose deletion was cut short, and those that were brought back. Only in
   * the folder of this platform: another one may have archives of other platforms in it.
   */
  async #removeUnclaimed(before: number): Promise<void> {
    const { sql } = this.#database;
    for (const name of await workFileNames(this.#ownFolder)) {
      const [, id] = archiveForm.exec(name) ?? [];
      if (id === undefined) continue;
      const query = sql.selectFrom('deleted_artifact').select('artifact_id').where('archive', '=', name);
      if ((await this.#database.first(query)) !== undefined) continue;
      const path = join(this.#ownFolder, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.mtimeMs >= before) continue;
      const artifact = sql.selectFrom('artifact').select('id').where('id', '=', Number(id));
      // What has no bytes is a name that was taken for an archive that never came.
      if (found.size === 0 || (await this.#database.first(artifact)) !== undefined)
        await rm(path, { force: true });
    }
  }
}
