import { parseArgs } from 'node:util';

export interface Options {
  seconds: number;
  rounds: number;
  only: string | undefined;
  databaseUrl: string | undefined;
  help: boolean;
}

export const usage = `Usage: npm run bench -- [options]

  --seconds N           measured seconds of each run (default 4), after a warm-up of 4 s
  --rounds N            interleaved rounds, of which the median counts (default 3)
  --only NAME           only the scenarios whose name contains NAME
  --database-url URL    run the product on this empty PostgreSQL database (default: SQLite)
  --help                this text
`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string' },
      'database-url': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    seconds: positive('seconds', values.seconds),
    rounds: positiveInteger('rounds', values.rounds),
    only: values.only,
    databaseUrl: values['database-url'],
    help: values.help,
  };
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
