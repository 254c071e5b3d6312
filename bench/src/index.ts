import { type Outcome, runBench } from './bench.ts';
import { machineFacts } from './machine.ts';
import { type Options, readOptions, usage } from './options.ts';
import { stopAll } from './processes.ts';
import { caveats, targetLines } from './report/compare.ts';
import { writeResults } from './report/results.ts';
import { renderTable } from './report/table.ts';
import { wantedFamilies } from './scenarios/index.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(usage);
  wantedFamilies(options.only);
  report(await runBench(options), options);
}

function report({ scenarios, rows }: Outcome, { rounds, seconds, databaseUrl }: Options): void {
  const database = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  const machine = machineFacts();
  const targets = targetLines(scenarios, rows);
  const notes = caveats(rows);
  console.log(`\nNode ${machine.node}, ${machine.cores} cores, product on ${database}\n`);
  console.log(renderTable(rows));
  console.log('\n(a) is http, (b) is http+sqlite, both with the same threads.');
  for (const line of [...targets, ...notes]) console.log(line);
  const path = writeResults({ machine, database, rounds, seconds, rows, targets, notes });
  console.log(`Results: ${path}`);
}

// With its children stopped, the run fails and leaves through the clean-up of everything it opened.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
