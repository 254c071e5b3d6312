import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from '../databases/home.ts';
import { rssAnonMb } from '../machine.ts';
import { exited, hasExited } from '../processes.ts';
import { Installation } from '../product/installation.ts';
import { writeArchive } from './archive.ts';

/** How an archive was imported, and what others noticed of it. */
export interface ImportFigures {
  artifacts: number;
  seconds: number;
  /** The most that the importing process held; undefined where there is no /proc. */
  rssAnonMb: number | undefined;
  /** Of writes of others meanwhile. */
  writes: number;
  writeP99Ms: number;
  /** The same before the import began: what the machine is like. */
  quietP99Ms: number;
}

/** Writes before the import. */
const quietWrites = 300;
/** Milliseconds from one write of the others to the next. */
const writePace = 20;

async function changeBanner(address: string, accessKey: string, number: number): Promise<number> {
  const start = performance.now();
  const response = await fetch(address, {
    method: 'PUT',
    headers: { 'X-Auth-AccessKey': accessKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: `Message ${number}` }),
  });
  await response.arrayBuffer();
  if (response.status !== 200)
    throw new Error(`A write beside the import was answered with ${response.status}`);
  return performance.now() - start;
}

async function createProject(origin: string, accessKey: string): Promise<string> {
  const response = await fetch(`${origin}/api/projects`, {
    method: 'POST',
    headers: { 'X-Auth-AccessKey': accessKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      shortname: 'beside',
      label: 'Beside',
      is_public: true,
      xml_template_name: 'empty',
    }),
  });
  const { id } = (await response.json()) as { id: number };
  return `${origin}/api/projects/${id}/banner`;
}

function p99(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

/** Imports a generated archive by the command line, beside a running product that is written to. */
export async function measureImport(place: Place, artifacts: number): Promise<ImportFigures> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'atelier-import-'));
  await writeArchive(folder.path, artifacts);
  const installation = new Installation(place.folder, place.databaseUrl);
  return await installation.use('one', async ({ port }) => {
    const accessKey = installation.readAccessKey();
    const banner = await createProject(`http://127.0.0.1:${port}`, accessKey);
    const quiet: number[] = [];
    while (quiet.length < quietWrites) {
      quiet.push(await changeBanner(banner, accessKey, quiet.length));
      await pause(writePace);
    }
    const start = performance.now();
    const child = installation.run(['import', folder.path, '--automap', 'no-email,create:A']);
    const times: number[] = [];
    let memory: number | undefined;
    while (!hasExited(child)) {
      times.push(await changeBanner(banner, accessKey, times.length));
      memory = Math.max(memory ?? 0, rssAnonMb(child.pid ?? 0) ?? 0) || undefined;
      await pause(writePace);
    }
    if ((await exited(child)) !== 0) throw new Error('The import failed.');
    const seconds = (performance.now() - start) / 1000;
    const writes = { writes: times.length, writeP99Ms: p99(times), quietP99Ms: p99(quiet) };
    return { artifacts, seconds, rssAnonMb: memory, ...writes };
  });
}
