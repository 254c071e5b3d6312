import { parseArgs } from 'node:util';
import type { EngineName } from './databases/home.ts';

export interface Options {
  seconds: number;
  rounds: number;
  only: string | undefined;
  /** Sizes of the datasets, ascending. */
  artifacts: number[];
  /** Size of the large file. */
  fileMegabytes: number;
  /** Artifacts of the archive that is imported. */
  imported: number;
  engines: EngineName[];
  databaseUrl: string | undefined;
  isKept: boolean;
}

export interface DatasetOptions {
  artifacts: number;
  folder: string;
  databaseUrl: string | undefined;
}

export const usage = `Usage: npm run bench -- [options]

  --seconds N           measured seconds of each run (default 3), after a warm-up
  --rounds N            interleaved rounds, of which the median counts (default 2)
  --only NAME           only the scenarios whose name contains NAME
  --artifacts N,N       sizes of the trackers (default 10000,1000000)
  --file-megabytes N    size of the file that is uploaded and downloaded (default 1000)
  --imported N          artifacts of the archive that is imported (default 100000)
  --engine NAME         sqlite (default), postgres, or both
  --database-url URL    use this PostgreSQL server, not one of our own; databases are made and removed on it
  --keep                leave the datasets in the temporary folder for the next run
  --help                this text

       npm run bench -- dataset --artifacts N --out FOLDER [--database-url URL]

  makes a product with a tracker of N artifacts in FOLDER, or in that empty PostgreSQL database.
`;

const engines: Readonly<Record<string, EngineName[]>> = {
  sqlite: ['SQLite'],
  postgresql: ['PostgreSQL'],
  postgres: ['PostgreSQL'],
  both: ['SQLite', 'PostgreSQL'],
};

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '2' },
      only: { type: 'string' },
      artifacts: { type: 'string', default: '10000,1000000' },
      'file-megabytes': { type: 'string', default: '1000' },
      imported: { type: 'string', default: '100000' },
      engine: { type: 'string' },
      'database-url': { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const databaseUrl = values['database-url'];
  return {
    seconds: positive('seconds', values.seconds),
    rounds: positiveInteger('rounds', values.rounds),
    only: values.only,
    artifacts: sizes(values.artifacts),
    fileMegabytes: positiveInteger('file-megabytes', values['file-megabytes']),
    imported: positiveInteger('imported', values.imported),
    engines: chosenEngines(values.engine ?? (databaseUrl === undefined ? 'sqlite' : 'postgresql')),
    databaseUrl,
    isKept: values.keep,
  };
}

export function readDatasetOptions(args: string[]): DatasetOptions {
  const { values } = parseArgs({
    args,
    options: {
      artifacts: { type: 'string', default: '100000' },
      out: { type: 'string' },
      'database-url': { type: 'string' },
    },
  });
  if (values.out === undefined) throw new Error('--out must name a folder for the new product');
  return {
    artifacts: positiveInteger('artifacts', values.artifacts),
    folder: values.out,
    databaseUrl: values['database-url'],
  };
}

function sizes(text: string): number[] {
  const all = text.split(',').map((size) => positiveInteger('artifacts', size));
  return [...new Set(all)].sort((left, right) => left - right);
}

function chosenEngines(name: string): EngineName[] {
  const chosen = engines[name];
  if (chosen !== undefined) return chosen;
  throw new Error(`--engine must be one of ${Object.keys(engines).join(', ')}, not "${name}"`);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} must be a number above 0, not "${text}"`);
}

function positiveInteger(name: string, text: string): number {
  const value = positive(name, text);
  if (Number.isInteger(value)) return value;
  throw new Error(`--${name} must be a whole number, not "${text}"`);
}
