import { join } from 'node:path';
import { type BadFile, type Verification, verifyFiles } from '../files/index.ts';
import type { Config } from '../kernel/config.ts';
import { Refusal } from '../kernel/errors.ts';
import { reasonOf } from '../kernel/system-faults.ts';
import { openBlobs, openDatabase } from '../storage/index.ts';
import type { HealthFinding } from './finding.ts';

const about = 'files';

const placeOf = ({ blobs, dataFolder }: Config) =>
  blobs === undefined ? join(dataFolder, 'blobs') : `${blobs.bucket}/${blobs.prefix} at ${blobs.endpoint}`;

const causeOf = (error: unknown) =>
  error instanceof Refusal ? (error.extras.cause ?? error.detail) : reasonOf(error);

function unusable(config: Config, error: unknown): HealthFinding {
  const advice =
    config.blobs === undefined
      ? 'Give the folder to the user that runs the service.'
      : 'See that ATELIER_BLOBS and the keys are right, and that the store runs.';
  const place = placeOf(config);
  const reason = String(causeOf(error));
  const code = config.blobs === undefined ? 'files-away' : 'store-away';
  const says = `${place} cannot be used: ${reason}.`;
  return { about, state: 'problem', says, code, facts: { place, reason }, advice };
}

/** Whether the place where files are kept can be reached. */
export async function checkFilePlace(config: Config): Promise<HealthFinding> {
  try {
    for await (const _ of openBlobs(config).list()) break;
    const place = placeOf(config);
    return { about, state: 'ok', says: `They are kept in ${place}.`, code: 'files-kept', facts: { place } };
  } catch (error) {
    return unusable(config, error);
  }
}

function wordsFor({ id, name, artifactId, bytes }: BadFile): HealthFinding {
  const owner = artifactId === null ? 'not attached yet' : `of artifact #${artifactId}`;
  const parts = bytes.map(({ hash, state }) => `${hash} is ${state}`).join(', ');
  return { about: 'file', state: 'problem', says: `#${id} "${name}", ${owner}: ${parts}.` };
}

function findingsOf({ blobs, bytes, badBlobs, badFiles }: Verification): HealthFinding[] {
  const [count, size] = [blobs, bytes].map((number) => number.toLocaleString('en'));
  const read = `${count} blobs of ${size} bytes were read`;
  if (badBlobs === 0) return [{ about, state: 'ok', says: `${read}; all are sound.` }];
  const says = `${read}; ${badBlobs.toLocaleString('en')} are missing or damaged.`;
  const advice = 'Put them back from a backup, by their names, or let the files be attached again.';
  return [{ about, state: 'problem', says, advice }, ...badFiles.map(wordsFor)];
}

/** Reads the bytes of all files, to see whether they are what they were. The database must be of this version. */
export async function verifyBlobs(config: Config): Promise<HealthFinding[]> {
  const { dataFolder: folder, databaseUrl } = config;
  const database = await openDatabase({ folder, databaseUrl, connections: 1 });
  try {
    return findingsOf(await verifyFiles(database, openBlobs(config)));
  } catch (error) {
    return [unusable(config, error)];
  } finally {
    await database.close();
  }
}
