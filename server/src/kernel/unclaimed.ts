import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { day } from './clock.ts';
import { workFileName } from './work-files.ts';

/** Long enough to notice that the service runs on the wrong database, before what belongs to the right one is gone. */
const delay = 7 * day;

/**
 * Whole things in the data folder that nothing points to. They are removed when that has been so for a week; until then it is
 * only written down when it was first seen.
 */
export class Unclaimed {
  readonly #folder: string;
  readonly #file: string;
  #before: Readonly<Record<string, number>> = {};
  readonly #seen: Record<string, number> = {};

  private constructor(dataFolder: string) {
    this.#folder = dataFolder;
    this.#file = join(dataFolder, 'unclaimed.json');
  }

  static async open(dataFolder: string): Promise<Unclaimed> {
    const unclaimed = new Unclaimed(dataFolder);
    try {
      unclaimed.#before = JSON.parse(await readFile(unclaimed.#file, 'utf8'));
    } catch {
      // Nothing was unclaimed so far, or nobody can say since when.
    }
    return unclaimed;
  }

  /** Takes note of something that nothing points to, and removes it when its time has come. */
  async add(path: string): Promise<void> {
    const name = relative(this.#folder, path);
    const since = this.#before[name] ?? Date.now();
    if (since < Date.now() - delay) await rm(path, { recursive: true, force: true });
    else this.#seen[name] = since;
  }

  /** Writes down what is unclaimed still; what was claimed meanwhile is forgotten. */
  async close(): Promise<void> {
    if (Object.keys(this.#seen).length === 0) return rm(this.#file, { force: true });
    const draft = join(this.#folder, workFileName('.json'));
    await writeFile(draft, `${JSON.stringify(this.#seen, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, this.#file);
  }
}
