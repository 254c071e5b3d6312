import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import {
  type BackupEntry,
  BackupFault,
  backupForm,
  type FileEntry,
  type FolderEntry,
  type Head,
  isInside,
  type Tail,
} from './model.ts';

/*
 * The list of a backup: lines of JSON. The first says what it is, the last how much there is and has the SHA-256 of all lines before
 * it; each line between is a file or an empty folder.
 */

/** The name of the list of a backup that is begun at a time; such names sort by it. */
export const listName = (begun: Date) => `${begun.toISOString().replaceAll(':', '-')}.jsonl`;

interface Seal {
  readonly end: Tail;
  readonly sha256: string;
}

/** Lines that are written at once. */
const portion = 1000;

/** Writes the list of a backup. */
export class ListWriter {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #lines: string[] = [];
  #files = 0;
  #bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(path: string, head: Head): Promise<ListWriter> {
    const list = new ListWriter(path, await open(path, 'w', 0o600));
    await list.#write(head);
    return list;
  }

  async #write(line: unknown): Promise<void> {
    this.#lines.push(`${JSON.stringify(line)}\n`);
    if (this.#lines.length >= portion) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#hash.update(text);
    await this.#file.appendFile(text);
  }

  async add(entry: BackupEntry): Promise<void> {
    if ('path' in entry) {
      this.#files++;
      this.#bytes += entry.size;
    }
    await this.#write(entry);
  }

  /** Ends the list, which is on the disk then. */
  async finish(missing: readonly string[]): Promise<Tail> {
    const end: Tail = { files: this.#files, bytes: this.#bytes, missing };
    await this.#flush();
    const seal: Seal = { end, sha256: this.#hash.digest('hex') };
    await this.#file.appendFile(`${JSON.stringify(seal)}\n`);
    await this.#file.sync();
    await this.close();
    return end;
  }

  /** Well too when it is finished. */
  close(): Promise<void> {
    return this.#file.close();
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(path, 'utf8')) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw damaged(path);
}

const damaged = (path: string) => new BackupFault(`The list ${path} of the backup is damaged.`);

/** An object that a line has; what is in it is still to be looked at. */
function parsed<T>(path: string, line: string): Partial<T> {
  try {
    const found: unknown = JSON.parse(line);
    if (typeof found === 'object' && found !== null) return found;
  } catch {}
  throw damaged(path);
}

function checkedEntry(path: string, line: string): BackupEntry {
  const { path: file, sha256 = '', size, executable, folder } = parsed<FileEntry & FolderEntry>(path, line);
  if (typeof folder === 'string' && isInside(folder)) return { folder };
  const isSound = typeof file === 'string' && isInside(file) && typeof size === 'number';
  if (!isSound || !/^[0-9a-f]{64}$/.test(sha256)) throw damaged(path);
  return { path: file, sha256, size, ...(executable === true ? { executable } : {}) };
}

function checkedHead(path: string, line: string): Head {
  const { atelier_backup: form, version, begun_at, engine, schema } = parsed<Head>(path, line);
  if (form === undefined) throw damaged(path);
  if (form !== backupForm)
    throw new BackupFault(
      `The backup ${path} was written by Atelier ${version} in a form that this version does not read. Use that one, or a newer one.`,
    );
  if (version === undefined || begun_at === undefined || engine === undefined || schema === undefined)
    throw damaged(path);
  return { atelier_backup: form, version, begun_at, engine, schema };
}

/** Goes through a list, and gives its beginning and its end. It fails where the list is not what was written. */
export async function readList(
  path: string,
  take: (entry: BackupEntry) => Promise<void> = async () => {},
): Promise<{ head: Head; tail: Tail }> {
  const hash = createHash('sha256');
  let head: Head | undefined;
  let last: string | undefined;
  for await (const line of linesOf(path)) {
    if (last !== undefined) {
      hash.update(`${last}\n`);
      if (head === undefined) head = checkedHead(path, last);
      else await take(checkedEntry(path, last));
    }
    last = line;
  }
  if (head === undefined || last === undefined) throw damaged(path);
  const { end, sha256 } = parsed<Seal>(path, last);
  if (end === undefined || sha256 !== hash.digest('hex')) throw damaged(path);
  return { head, tail: end };
}
