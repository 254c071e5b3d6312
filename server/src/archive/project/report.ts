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
  readonly warnings: readonly ReportedWarning[];
  readonly warning_count: number;
}

export interface ReportedWarning {
  readonly code: string;
  /** Where the first of its kind is. */
  readonly place: string;
  readonly line: number;
  readonly text: string;
  /** How many there are of its kind. */
  readonly count: number;
}

/** Of each kind so many ids are told in the report itself; all of them are in a file. */
const mostListed = 1000;
const mostWarnings = 1000;
const longestWords = 1000;

/** Of the like warnings so many are named. */
const mostSubjects = 20;

interface GatheredWarning {
  readonly first: ArchiveWarning;
  count: number;
  readonly subjects: Set<string>;
}

/** One warning in its own words; many of a kind in words for all of them. */
function wordsOf({ first, count, subjects }: GatheredWarning): string {
  const { text, like } = first;
  if (count === 1) return text;
  if (like === undefined) return `${text} (${count} times)`;
  const more = subjects.size < mostSubjects ? '' : ' and others';
  return `${count} ${like.what}: ${[...subjects].map((name) => clipped(name)).join(', ')}${more}.`;
}

function told(gathered: GatheredWarning): ReportedWarning {
  const { code, place, line } = gathered.first;
  const { count } = gathered;
  return {
    code,
    place: clipped(place, longestWords),
    line,
    text: clipped(wordsOf(gathered), longestWords),
    count,
  };
}

/** Gathers what is to be reported, in memory that does not grow with the archive. */
export class Reporter {
  #path: string | undefined;
  readonly #counts = new Map<string, number>();
  readonly #ids = new Map<Numbered, Map<string, number>>();
  readonly #warnings = new Map<string, GatheredWarning>();
  #warningCount = 0;
  #file: WriteStream | undefined;

  /** Says where all ids are written; until then they are written nowhere. */
  listIdsIn(path: string): void {
    this.#path = path;
  }

  readonly warn = (warning: ArchiveWarning): void => {
    this.#warningCount++;
    const { code, text, like } = warning;
    const key = `${code} ${like?.what ?? text}`;
    const known = this.#warnings.get(key);
    if (known === undefined && this.#warnings.size >= mostWarnings) return;
    const gathered = known ?? { first: warning, count: 0, subjects: new Set<string>() };
    this.#warnings.set(key, gathered);
    gathered.count++;
    if (like !== undefined && gathered.subjects.size < mostSubjects) gathered.subjects.add(like.subject);
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
      warnings: [...this.#warnings.values()].map(told),
      warning_count: this.#warningCount,
    };
  }
}
