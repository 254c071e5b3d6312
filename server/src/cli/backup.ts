import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { TakenBackup, VerifiedBackup } from '../backup/index.ts';
import type { CommandAnswer } from './answer.ts';
import { type CommonOptions, configOf, declareAnswer, finish, wholeNumber } from './command.ts';
import { UsageError } from './faults.ts';
import { ProgressLine } from './progress.ts';

interface BackupOptions extends CommonOptions {
  readonly to?: string;
  readonly verify?: boolean;
  readonly keep: number;
}

/** Written, but there is something to be seen to: for whoever runs it by the clock. */
const remarkCode = 3;

export function declare(command: Command): void {
  declareAnswer(
    command,
    'Copy the whole platform while it runs: one state of the database, the bytes of files, repositories, archives and dumps of what ' +
      'was deleted, settings. Into a folder, where each run copies only what is new, or into a tar file.',
    'backup /backup/atelier',
    'backup /backup/atelier --keep 30',
    'backup /backup/atelier-today.tar',
    'backup --verify /backup/atelier',
  );
  command
    .argument('[place]', 'a folder, or a file whose name ends with .tar')
    .option('--to <place>', 'the same as the argument')
    .option(
      '--keep <number>',
      'backups that stay in the folder, this one included',
      wholeNumber(1, 100_000),
      7,
    )
    .option('--verify', 'read a backup back and check every digest, and write nothing')
    .addHelpText(
      'after',
      '\nExit codes: 0 whole; 1 failed, what was there before is as it was; 2 wrong usage; 3 written, but the platform itself\nhas lost something, or an older backup in the folder is damaged: the answer names it.',
    )
    .action(async (argument: string | undefined) => {
      const options = command.optsWithGlobals<BackupOptions>();
      const place = placeOf(argument, options);
      if (options.verify === true) finish(await verify(place), options);
      else await back(place, options);
    });
}

function placeOf(argument: string | undefined, { to }: BackupOptions): string {
  const place = argument ?? to;
  if (place === undefined || place.trim() === '')
    throw new UsageError('Name a folder, or a file that ends with .tar.');
  if (argument !== undefined && to !== undefined && argument !== to)
    throw new UsageError('Name one place, as the argument or with --to.');
  return resolve(place);
}

const shown = (count: number) => count.toLocaleString('en');

function wordsOf({ place, files, bytes, copied, missing, faults }: TakenBackup): string {
  return [
    `${place} has ${shown(files)} files of ${shown(bytes)} bytes; ${shown(copied)} bytes were new.`,
    ...(missing.length === 0
      ? []
      : ['The platform itself has lost:', ...missing.map((words) => `  ${words}`)]),
    ...faults,
  ].join('\n');
}

async function back(place: string, options: BackupOptions): Promise<void> {
  const config = configOf(options);
  const { openStored } = await import('./instance.ts');
  const { backUp } = await import('../backup/index.ts');
  const { openBlobs } = await import('../storage/index.ts');
  const database = await openStored(config);
  const line = new ProgressLine();
  try {
    const platform = { config, database, blobs: openBlobs(config) };
    const taken = await backUp(platform, place, options.keep, (progress) => line.show(progress));
    line.clear();
    finish({ data: taken, words: wordsOf(taken) }, options);
    if (taken.missing.length + taken.faults.length > 0) process.exitCode = remarkCode;
  } finally {
    line.clear();
    await database.close();
  }
}

function verdict(place: string, { backups, files, bytes, faults }: VerifiedBackup): string {
  const read = `${place}: ${shown(files)} files of ${shown(bytes)} bytes in ${shown(backups)} ${backups === 1 ? 'backup' : 'backups'} were read`;
  return faults.length === 0 ? `${read}; all are sound.` : [`${read}.`, ...faults].join('\n');
}

async function verify(place: string): Promise<CommandAnswer> {
  const { verifyBackup } = await import('../backup/index.ts');
  const line = new ProgressLine();
  const verified = await verifyBackup(place, (progress) => line.show(progress)).finally(() => line.clear());
  return { data: verified, words: verdict(place, verified), isProblem: verified.faults.length > 0 };
}
