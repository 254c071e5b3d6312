import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from '../databases/home.ts';
import { Installation } from '../product/installation.ts';
import { type MemoryCourse, watchMemory } from './memory-watch.ts';
import { type Attached, FileSite } from './site.ts';
import { startBareServer } from './start-bare-server.ts';
import { runTransfer, type Transferred } from './transfer.ts';

export const fileScenarios = ['file-upload', 'file-download', 'file-downloads'] as const;
export type FileScenario = (typeof fileScenarios)[number];

/** How fast bytes were moved, by what. */
export interface FileRow extends Transferred {
  scenario: FileScenario;
  /** A plain copy on the disk, bare `node:http`, or the product. */
  server: 'copy' | 'http' | 'atelier';
  memory?: MemoryCourse;
}

const megabyte = 1_000_000;
const mediumMegabytes = 10;
/** Downloads at once. */
const crowd = 100;

export interface FileEffort {
  rounds: number;
  /** Of the large file. */
  megabytes: number;
  isWanted: (scenario: FileScenario) => boolean;
}

/** Uploads and downloads on a fresh product; gives the median of the rounds. */
export async function measureFiles(place: Place, effort: FileEffort): Promise<FileRow[]> {
  const { folder, databaseUrl } = place;
  const large = await writeRandom(join(folder, 'large'), effort.megabytes);
  const medium = await writeRandom(join(folder, 'medium'), mediumMegabytes);
  const settings = { ATELIER_MAX_FILE_SIZE: String(effort.megabytes * megabyte) };
  const installation = new Installation(folder, databaseUrl, settings);
  return installation.use('one', async ({ port, pid }) => {
    const baseUrl = `http://127.0.0.1:${port}`;
    const site = await FileSite.prepare(baseUrl, installation.readAccessKey());
    const { file } = await site.attach(medium);
    await requireEqual(await site.bytes(file), medium);
    await using bare = await startBareServer([large, medium]);
    const bench = new FileBench({ site, pid, bareUrl: `http://127.0.0.1:${bare.port}`, large, medium: file });
    for (let round = 1; round <= effort.rounds; round++) await bench.run(round, effort);
    return bench.medians();
  });
}

async function writeRandom(path: string, megabytes: number): Promise<string> {
  const file = await open(path, 'w');
  for (let written = 0; written < megabytes; written++) await file.writeFile(randomBytes(megabyte));
  await file.sync();
  await file.close();
  return path;
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

async function requireEqual(bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  if ((await hashOf(bytes)) !== (await hashOf(createReadStream(path))))
    throw new Error(`What came back is not what ${path} has`);
}

interface Ground {
  site: FileSite;
  pid: number;
  bareUrl: string;
  large: string;
  /** The medium file, attached. */
  medium: Attached;
}

class FileBench {
  readonly #ground: Ground;
  readonly #rows: FileRow[] = [];

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** What is compared comes right after each other. */
  async run(round: number, { isWanted }: FileEffort): Promise<void> {
    const { site, large, medium } = this.#ground;
    const isLargeWanted = isWanted('file-upload') || isWanted('file-download');
    if (isLargeWanted) {
      await this.#copy();
      const file = await this.#upload();
      if (round === 1) await requireEqual(await site.bytes(file), large);
      if (isWanted('file-download')) await this.#download('file-download', 0, file, 1);
      await site.detach(file);
    }
    if (isWanted('file-downloads')) await this.#download('file-downloads', 1, medium, crowd);
  }

  #add(row: FileRow): void {
    const rate = Math.round(row.bytes / megabyte / row.seconds);
    console.error(`${row.scenario}  ${row.server}  ${rate} MB/s`);
    this.#rows.push(row);
  }

  async #copy(): Promise<void> {
    const to = `${this.#ground.large}.copy`;
    this.#add({
      scenario: 'file-upload',
      server: 'copy',
      ...(await runTransfer({ kind: 'copy', from: this.#ground.large, to })),
    });
    await rm(to);
  }

  async #upload(): Promise<Attached> {
    const { site, pid, large } = this.#ground;
    const { result, memory } = await watchMemory(pid, () => site.attach(large));
    this.#add({ scenario: 'file-upload', server: 'atelier', ...result.uploaded, memory });
    return result.file;
  }

  async #download(scenario: FileScenario, number: number, file: Attached, copies: number): Promise<void> {
    const { site, pid, bareUrl } = this.#ground;
    const from = `${bareUrl}/${number}`;
    this.#add({
      scenario,
      server: 'http',
      ...(await runTransfer({ kind: 'download', from, accessKey: '', copies })),
    });
    const { result, memory } = await watchMemory(pid, () => site.download(file, copies));
    this.#add({ scenario, server: 'atelier', ...result, memory });
  }

  medians(): FileRow[] {
    const groups = Map.groupBy(this.#rows, ({ scenario, server }) => `${scenario} ${server}`);
    return [...groups.values()].flatMap((rows) => medianOf(rows) ?? []);
  }
}

/** By the rate; of two, the slower. */
function medianOf(rows: FileRow[]): FileRow | undefined {
  const sorted = rows.toSorted((one, other) => one.bytes / one.seconds - other.bytes / other.seconds);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
