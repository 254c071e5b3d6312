import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openHome } from '../databases/open-home.ts';
import { provideDataset } from '../dataset/datasets.ts';
import type { Figures } from '../load/load.ts';
import { runLoad } from '../load/run-load.ts';
import { machineFacts } from '../machine.ts';
import { readOptions } from '../options.ts';
import { Installation } from '../product/installation.ts';
import { writeResults } from '../report/results.ts';
import { renderColumns } from '../report/table.ts';
import { streamsOf } from '../requests.ts';
import type { RunningServer } from '../running-server.ts';
import type { Scenario } from '../scenario.ts';
import { workFolder } from '../work-folder.ts';

const clients = 32;
const least = 1.7;
const warmUpSeconds = 3;

export const severalUsage = `       npm run bench -- several [--artifacts N] [--seconds N] [--rounds N] [--database-url URL] [--keep]

  reads from one process on PostgreSQL, and then from two at once: what a read costs a process beside the other one tells how much more two answer
  where neither the database nor the processor is the limit.
`;

interface Round {
  readonly round: number;
  /** Microseconds of the processor that a read costs a process. */
  readonly alone: number;
  readonly beside: number;
  /** What came of it on this machine, where all share the cores. */
  readonly aloneRate: number;
  readonly besideRate: number;
}

function readSeveralOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      artifacts: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      'database-url': { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const { artifacts, seconds, rounds, 'database-url': url, keep } = values;
  // What is wrong with any of them is said in the words of the usual options.
  return readOptions([
    ...['--engine', 'postgres', '--artifacts', artifacts, '--seconds', seconds, '--rounds', rounds],
    ...(url === undefined ? [] : ['--database-url', url]),
    ...(keep ? ['--keep'] : []),
  ]);
}

/** Two processes on one PostgreSQL, compared with one. */
export async function runSeveralBench(args: string[]): Promise<void> {
  const { artifacts, seconds, rounds, databaseUrl, isKept } = readSeveralOptions(args);
  await using folder = await workFolder(isKept);
  await using home = await openHome('PostgreSQL', folder.path, databaseUrl);
  const { name, dataset } = await provideDataset(home, artifacts[0] ?? 0, isKept);
  const place = await home.copy(name, `run_${process.pid}_several`);
  const second = join(place.folder, 'second');
  mkdirSync(second);
  await using one = await new Installation(place.folder, place.databaseUrl).start('one');
  await using other = await new Installation(second, place.databaseUrl).start('one');
  const count = dataset.lastId - dataset.firstId + 1;
  const traffic = { kind: 'walk' as const, path: '/api/artifacts/', first: dataset.firstId, count };
  const scenario: Scenario = { name: '', traffic, connections: clients, floors: 'none' };
  const streams = streamsOf(scenario, traffic, dataset.form.memberKey);
  const load = ({ port, pid }: RunningServer) => runLoad({ port, pid, warmUpSeconds, seconds, streams });
  const told: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    const alone = await load(one);
    told.push(roundOf(round, alone, await Promise.all([load(one), load(other)])));
    console.error(`round ${round}/${rounds}`);
  }
  tell(told);
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function roundOf(round: number, alone: Figures, both: readonly Figures[]): Round {
  return {
    round,
    alone: alone.cpuMicros ?? Number.NaN,
    beside: mean(both.map(({ cpuMicros = Number.NaN }) => cpuMicros)),
    aloneRate: alone.requestsPerSecond,
    besideRate: both.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
  };
}

const timesOf = ({ alone, beside }: Round) => (2 * alone) / beside;

function tell(rounds: Round[]): void {
  const machine = machineFacts();
  const table = renderColumns(
    rounds,
    [],
    [
      ['round', ({ round }) => String(round)],
      ['one, µs', ({ alone }) => alone.toFixed(0)],
      ['each of two, µs', ({ beside }) => beside.toFixed(0)],
      ['two answer', (each) => `${timesOf(each).toFixed(2)} times`],
      ['one, reads/s here', ({ aloneRate }) => aloneRate.toFixed(0)],
      ['two, reads/s here', ({ besideRate }) => besideRate.toFixed(0)],
    ],
  );
  console.log(`\n${clients} clients each, Node ${machine.node}, ${machine.cores} cores\n\n${table}\n`);
  const sorted = rounds.map(timesOf).toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  console.log(`Two processes answer ${middle.toFixed(2)} times what one does, wanted ${least}`);
  console.log(`Results: ${writeResults({ machine, several: rounds })}`);
}
