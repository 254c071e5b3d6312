import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ArchiveWarning } from '../model.ts';
import { clipped } from '../words.ts';

/** What has ids in an archive and other ones here. */
export type Numbered = 'group' | 'tracker' | 'field' | 'value' | 'artifact' | 'changeset' | 'file';

export interface ReportedUser {
  readonly username: string;
  readonly account: string;
  readonly id: number;
  readonly is_created: boolean;
}

/** What an import did, as people and programs are told. */
export interface ImportReport {
  readonly project: { readonly id: number; readonly shortname: string };
  readonly counts: Readonly<Record<string, number>>;
  readonly users: readonly ReportedUser[];
  readonly ids: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly ids_file: string | null;
  readonly warnings: readonly ArchiveWarning[];
  readonly warning_count: number;
}

/** Of each kind so many ids are told in the report itself; all of them are in a file. */
const mostListed = 1000;
const mostWarnings = 1000;
const longestWords = 1000;

/** Gathers what is to be reported, in memory that does not grow with the archive. */
export class Reporter {
  #path: string | undefined;
  readonly #counts = new Map<string, number>();
  readonly #ids = new Map<Numbered, Map<string, number>>();
  readonly #warnings: ArchiveWarning[] = [];
  #warningCount = 0;
  #file: WriteStream | undefined;

  /** Says where all ids are written; until then they are written nowhere. */
  listIdsIn(path: string): void {
    this.#path = path;
  }

  readonly warn = (warning: ArchiveWarning): void => {
    this.#warningCount++;
    if (this.#warnings.length >= mostWarnings) return;
    const { code, place, text } = warning;
    this.#warnings.push({ code, place: clipped(place, longestWords), text: clipped(text, longestWords) });
  };

  count(what: string, number = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + number);
  }

  async #open(): Promise<WriteStream | undefined> {
    if (this.#path === undefined || this.#file !== undefined) return this.#file;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    this.#file = createWriteStream(this.#path, { mode: 0o600 });
    // Whoever writes on, or closes it, is told; that it failed must not end the process before.
    this.#file.on('error', () => {});
    this.#file.write('kind,old,new\n');
    return this.#file;
  }

  /** What became of an id of the archive. */
  async note(kind: Numbered, pairs: Iterable<readonly [old: string, now: number]>): Promise<void> {
    const file = await this.#open();
    const listed = this.#ids.get(kind) ?? new Map<string, number>();
    this.#ids.set(kind, listed);
    let lines = '';
    for (const [old, now] of pairs) {
      this.count(`${kind}s`);
      if (listed.size < mostListed) listed.set(old, now);
      lines += `${kind},${old.replace(/[",\n\r]/g, '_')},${now}\n`;
    }
    if (file?.errored) throw file.errored;
    if (file !== undefined && lines !== '' && !file.write(lines)) await once(file, 'drain');
  }

  async close(): Promise<void> {
    if (this.#file === undefined) return;
    this.#file.end();
    await finished(this.#file);
  }

  report(project: ImportReport['project'], users: readonly ReportedUser[]): ImportReport {
    const created = users.filter((user) => user.is_created).length;
    return {
      project,
      counts: {
        users_created: created,
        users_mapped: users.length - created,
        ...Object.fromEntries(this.#counts),
      },
      users,
      ids: Object.fromEntries([...this.#ids].map(([kind, ids]) => [`${kind}s`, Object.fromEntries(ids)])),
      ids_file: this.#file === undefined ? null : (this.#path ?? null),
      warnings: this.#warnings,
      warning_count: this.#warningCount,
    };
  }
}
