import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf } from './contents.ts';
import { listsIn } from './folder.ts';
import { readList } from './list.ts';
import { BackupFault, type Content, listsFolder, objectPath, type Tell } from './model.ts';
import { isFile, textFile } from './source.ts';
import { surveyTar, withoutList } from './tar.ts';

export interface VerifiedBackup {
  readonly backups: number;
  readonly files: number;
  readonly bytes: number;
  /** What is wrong, in words; nothing when all is sound. */
  readonly faults: readonly string[];
}

/** Looks at every content once, however many files and backups have it. */
class Check {
  readonly faults: string[] = [];
  files = 0;
  bytes = 0;
  readonly #seen = new Set<string>();
  readonly #find: (content: Content) => Promise<Content | undefined>;

  constructor(find: (content: Content) => Promise<Content | undefined>) {
    this.#find = find;
  }

  async list(path: string, tell: Tell): Promise<void> {
    try {
      await readList(path, async (entry) => {
        if ('path' in entry) await this.#look(entry.path, entry);
        tell({ stage: 'Verifying', done: this.files, total: 0 });
      });
    } catch (error) {
      if (!(error instanceof BackupFault)) throw error;
      this.faults.push(error.message);
    }
  }

  async #look(path: string, content: Content): Promise<void> {
    if (this.#seen.has(content.sha256)) return;
    this.#seen.add(content.sha256);
    const found = await this.#find(content);
    this.files++;
    this.bytes += found?.size ?? 0;
    if (found === undefined) this.faults.push(`${path} (${objectPath(content.sha256)}) is missing.`);
    else if (found.sha256 !== content.sha256 || found.size !== content.size)
      this.faults.push(`${path} (${objectPath(content.sha256)}) is damaged.`);
  }
}

async function verifyFolder(folder: string, tell: Tell): Promise<VerifiedBackup> {
  const lists = await listsIn(folder);
  if (lists.length === 0) throw new BackupFault(`There is no backup in ${folder}.`);
  const check = new Check(({ sha256 }) => contentOf(join(folder, objectPath(sha256))).catch(() => undefined));
  for (const name of lists) await check.list(join(folder, listsFolder, name), tell);
  return { backups: lists.length, files: check.files, bytes: check.bytes, faults: check.faults };
}

async function verifyTar(path: string, tell: Tell): Promise<VerifiedBackup> {
  const { files, lists } = await surveyTar(path);
  if (lists.size === 0) throw withoutList(path);
  const check = new Check(async ({ sha256 }) => files.get(objectPath(sha256)));
  const folder = await mkdtemp(join(tmpdir(), 'atelier-verify-'));
  try {
    for (const [name, bytes] of lists) await check.list(await textFile(folder, name, bytes), tell);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { backups: lists.size, files: check.files, bytes: check.bytes, faults: check.faults };
}

/** Reads a backup from the first byte to the last, all backups of a folder, and compares every digest. */
export async function verifyBackup(path: string, tell: Tell): Promise<VerifiedBackup> {
  return (await isFile(path)) ? verifyTar(path, tell) : verifyFolder(path, tell);
}
