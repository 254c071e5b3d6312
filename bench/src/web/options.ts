import { parseArgs } from 'node:util';

export interface WebOptions {
  artifacts: number;
  rounds: number;
  isKept: boolean;
}

export const webUsage = `       npm run bench -- web [--artifacts N] [--rounds N] [--keep]

  opens the pages of a tracker of N artifacts (default 10000) in a real browser, and measures what a person waits for.
`;

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0, not "${text}"`);
}

export function readWebOptions(args: string[]): WebOptions {
  const { values } = parseArgs({
    args,
    options: {
      artifacts: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '5' },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    artifacts: wholeNumber('artifacts', values.artifacts),
    rounds: wholeNumber('rounds', values.rounds),
    isKept: values.keep,
  };
}
