import { parseArgs } from 'node:util';
import type { EngineName } from '../databases/home.ts';
import { readOptions } from '../options.ts';

export interface MixedOptions {
  artifacts: number;
  minutes: number;
  engines: EngineName[];
  databaseUrl: string | undefined;
  /** A document whose section about it is written. */
  out: string | undefined;
  isKept: boolean;
}

export const mixedUsage = `       npm run bench -- mixed [--artifacts N] [--minutes N] [--engine NAME] [--database-url URL] [--out FILE] [--keep]

  lets 200 clients do for some minutes (default 10) what people do together: of 100 requests 80 read, 10 search, 8 change and 2 upload. Each minute
  tells how long reads take and how much memory the service holds. A failure of any request ends it.
`;

export function readMixedOptions(args: string[]): MixedOptions {
  const { values } = parseArgs({
    args,
    options: {
      artifacts: { type: 'string', default: '20000' },
      minutes: { type: 'string', default: '10' },
      engine: { type: 'string', default: 'both' },
      'database-url': { type: 'string' },
      out: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const { artifacts, minutes, engine, 'database-url': url } = values;
  // What is wrong with any of them is said in the words of the usual options.
  const {
    artifacts: sizes,
    engines,
    databaseUrl,
  } = readOptions([
    ...['--artifacts', artifacts, '--engine', engine],
    ...(url === undefined ? [] : ['--database-url', url]),
  ]);
  const count = Number(minutes);
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`--minutes must be a whole number above 0, not "${minutes}"`);
  return {
    artifacts: sizes[0] ?? 0,
    minutes: count,
    engines,
    databaseUrl,
    out: values.out,
    isKept: values.keep,
  };
}
