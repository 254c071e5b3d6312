import { parseArgs } from 'node:util';
import type { EngineName } from '../databases/home.ts';
import { readOptions } from '../options.ts';

export interface GrowthOptions {
  artifacts: number[];
  engines: EngineName[];
  seconds: number;
  databaseUrl: string | undefined;
  isKept: boolean;
  /** The document that is written; undefined: it is printed alone. */
  out: string | undefined;
}

export const growthUsage = `       npm run bench -- growth [--artifacts N,N] [--engine NAME] [--seconds N] [--database-url URL] [--keep] [--out FILE]

  asks trackers of each size (default 10000,100000,1000000) for the same, one client alone, and tells what grows with them: what each request
  costs, the start, memory and bytes on the disk. --out writes docs/performance.md or another document, with its pictures beside it.
`;

export function readGrowthOptions(args: string[]): GrowthOptions {
  const { values } = parseArgs({
    args,
    options: {
      artifacts: { type: 'string', default: '10000,100000,1000000' },
      engine: { type: 'string', default: 'both' },
      seconds: { type: 'string', default: '2' },
      'database-url': { type: 'string' },
      keep: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  const { artifacts, engine, seconds, 'database-url': url } = values;
  const common = readOptions([
    ...['--artifacts', artifacts, '--engine', engine, '--seconds', seconds],
    ...(url === undefined ? [] : ['--database-url', url]),
  ]);
  return {
    artifacts: common.artifacts,
    engines: common.engines,
    seconds: common.seconds,
    databaseUrl: common.databaseUrl,
    isKept: values.keep,
    out: values.out,
  };
}
