import { constants } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home, Place } from './home.ts';

/** A folder for each place, and nothing else. */
export class SqliteHome implements Home {
  readonly engine = 'SQLite';
  readonly #folder: string;
  readonly #made = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  place(name: string): Place {
    return { folder: join(this.#folder, name) };
  }

  async create(name: string): Promise<Place> {
    const place = this.place(name);
    await rm(place.folder, { recursive: true, force: true });
    await mkdir(place.folder, { recursive: true });
    this.#made.add(name);
    return place;
  }

  async copy(from: string, to: string): Promise<Place> {
    const place = await this.create(to);
    const mode = constants.COPYFILE_FICLONE;
    await cp(this.place(from).folder, place.folder, { recursive: true, mode });
    return place;
  }

  keep(name: string): void {
    this.#made.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#made) await rm(this.place(name).folder, { recursive: true, force: true });
  }
}
