import { parseArgs } from 'node:util';
import { readOptions } from '../options.ts';

export interface PeersOptions {
  seconds: number;
  artifacts: number;
  redmine: { port: number; key: string };
  /** A document whose section about it is written. */
  out: string | undefined;
  isKept: boolean;
}

export const peersUsage = `       npm run bench -- peers --redmine-key KEY [--redmine-port N] [--artifacts N] [--seconds N] [--out FILE] [--keep]

  asks the product and a Redmine with as many issues for the same, one after the other: bench/peers/redmine.sh installs, fills and serves one.
`;

export function readPeersOptions(args: string[]): PeersOptions {
  const { values } = parseArgs({
    args,
    options: {
      'redmine-port': { type: 'string', default: '3999' },
      'redmine-key': { type: 'string' },
      artifacts: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '10' },
      out: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const { artifacts, seconds, 'redmine-key': key, 'redmine-port': port } = values;
  if (key === undefined) throw new Error('--redmine-key must be the key that bench/peers/redmine.sh prints');
  // What is wrong with any of them is said in the words of the usual options.
  const usual = readOptions(['--artifacts', artifacts, '--seconds', seconds]);
  return {
    seconds: usual.seconds,
    artifacts: usual.artifacts[0] ?? 0,
    redmine: { port: Number(port), key },
    out: values.out,
    isKept: values.keep,
  };
}
