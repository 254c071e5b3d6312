import { type Outcome, runBench } from './bench.ts';
import { runDatasetCommand } from './dataset/command.ts';
import { runGrowthBench } from './growth/command.ts';
import { growthUsage } from './growth/options.ts';
import { machineFacts } from './machine.ts';
import { runMixedBench } from './mixed/command.ts';
import { mixedUsage } from './mixed/options.ts';
import { type Options, readOptions, usage } from './options.ts';
import { runPeersBench } from './peers/command.ts';
import { peersUsage } from './peers/options.ts';
import { messageOf, stopAll } from './processes.ts';
import { caveats } from './report/compare.ts';
import { renderFileTable } from './report/file-table.ts';
import { writeResults } from './report/results.ts';
import { renderTable } from './report/table.ts';
import { verdicts } from './report/verdicts.ts';
import { wantedFamilies } from './scenarios/index.ts';
import { runSeveralBench, severalUsage } from './several/command.ts';
import { runWebBench } from './web/command.ts';
import { webUsage } from './web/options.ts';

async function main(args: string[]): Promise<void> {
  if (args.includes('--help'))
    return console.log(
      `${usage}\n${webUsage}\n${growthUsage}\n${mixedUsage}\n${severalUsage}\n${peersUsage}`,
    );
  if (args[0] === 'web') return runWebBench(args.slice(1));
  if (args[0] === 'growth') return runGrowthBench(args.slice(1));
  if (args[0] === 'mixed') return runMixedBench(args.slice(1));
  if (args[0] === 'several') return runSeveralBench(args.slice(1));
  if (args[0] === 'peers') return runPeersBench(args.slice(1));
  if (args[0] === 'dataset') return runDatasetCommand(args.slice(1));
  const options = readOptions(args);
  wantedFamilies(options);
  for await (const outcome of runBench(options)) report(outcome, options);
}

function report(outcome: Outcome, { rounds, seconds }: Options): void {
  const { engine: database, rows, makings, memory, files, imports } = outcome;
  const machine = machineFacts();
  const targets = verdicts(outcome);
  const notes = caveats(rows);
  console.log(`\nNode ${machine.node}, ${machine.cores} cores, product on ${database}\n`);
  if (rows.length > 0) {
    console.log(renderTable(rows));
    const floors =
      database === 'SQLite'
        ? '(b) is http+sqlite, both with the same threads; (c) is sqlite.'
        : '(p) is http+postgres, both with the same threads; (q) is postgres.';
    console.log(`\n(a) is http, ${floors}`);
  }
  if (files.length > 0) console.log(`\n${renderFileTable(files)}\n`);
  for (const line of [...targets, ...notes]) console.log(line);
  const path = writeResults({
    machine,
    database,
    rounds,
    seconds,
    rows,
    makings,
    memory,
    files,
    imports,
    targets,
    notes,
  });
  console.log(`Results: ${path}`);
}

// With its children stopped, the run fails and leaves through the clean-up of everything it opened.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
