import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RestoredBackup } from '../backup/index.ts';
import type { Config } from '../kernel/config.ts';
import { giveAll, ownerBesideRoot } from '../kernel/folders.ts';
import type { Database } from '../storage/index.ts';
import { type CommonOptions, configOf, declareAnswer, finish, nonEmpty } from './command.ts';
import { ProgressLine } from './progress.ts';

interface RestoreOptions extends CommonOptions {
  readonly at?: string;
  readonly deliver?: boolean;
  readonly reuseBlobs?: boolean;
}

export function declare(command: Command): void {
  declareAnswer(
    command,
    'Fill an empty data folder, and an empty database if ATELIER_DATABASE_URL names one, from a backup. Every digest is checked. The ' +
      'backup may be of the other engine. What was waiting to be sent is not sent.',
    'restore /backup/atelier --data /srv/atelier-new',
    'restore /backup/atelier --at 2026-11-15',
    'restore /backup/atelier-today.tar --deliver',
  );
  command
    .argument('<place>', 'a folder with backups, or a tar file')
    .option('--at <time>', 'the newest backup of the folder whose name begins so (the newest)', nonEmpty)
    .option(
      '--deliver',
      'send the mails and webhooks that were waiting, which the platform of the backup may have sent since',
    )
    .option(
      '--reuse-blobs',
      'the store of ATELIER_BLOBS may have files already, because it is that of the platform itself',
    )
    .action(async (place: string) => {
      const options = command.optsWithGlobals<RestoreOptions>();
      await restore(resolve(place), options);
    });
}

/** Makes at once what searches are answered from; the service would do it little by little. */
async function fillIndex(database: Database): Promise<void> {
  const { createPlatform } = await import('../operations.ts');
  const { operations, trackers } = createPlatform({ tellsPeople: false });
  const { operationsOn } = await import('../storage/index.ts');
  const { IndexKeeper } = await import('../search/index.ts');
  const keeper = new IndexKeeper({ database, trackers, operations: operationsOn(database, operations) });
  await keeper.mergePostings();
  await keeper.mergeTexts({ isAlone: true });
}

const shown = (count: number) => count.toLocaleString('en');

/** What somebody has to see to on this machine. */
async function remarksOn(database: Database): Promise<string[]> {
  const { readSettings } = await import('../identity/index.ts');
  const { archive_deleted_items_path: folder } = await readSettings(database);
  if (folder === '' || existsSync(folder)) return [];
  return [
    `The setting archive_deleted_items_path names ${folder}, which is not here: make it, or run \`atelier config set archive_deleted_items_path ""\`.`,
  ];
}

function wordsOf(
  { begun_at, files, bytes, missing }: RestoredBackup,
  config: Config,
  remarks: readonly string[],
) {
  return [
    `The backup of ${begun_at} is restored in ${config.dataFolder}${config.databaseUrl === undefined ? '' : ' and the database of ATELIER_DATABASE_URL'}: ${shown(files)} files of ${shown(bytes)} bytes, all sound.`,
    ...(missing.length === 0 ? [] : ['It was made without:', ...missing.map((words) => `  ${words}`)]),
    ...remarks,
  ].join('\n');
}

async function restore(from: string, options: RestoreOptions): Promise<void> {
  const config = configOf(options);
  const { requireApart, restoreBackup } = await import('../backup/index.ts');
  // Opening the database makes the data folder, which would be one more thing among the backups.
  requireApart(from, config.dataFolder);
  const { openBlobs, openDatabase } = await import('../storage/index.ts');
  const { dataFolder: folder, databaseUrl } = config;
  // Whoever an empty folder was made for runs the service.
  const user = ownerBesideRoot(folder);
  const database = await openDatabase({ folder, databaseUrl, connections: 2 });
  const line = new ProgressLine();
  try {
    const request = {
      from,
      at: options.at,
      delivers: options.deliver === true,
      reusesBlobs: options.reuseBlobs === true,
    };
    const platform = { config, database, blobs: openBlobs(config) };
    const restored = await restoreBackup(platform, request, (progress) => line.show(progress));
    line.show({ stage: 'Search index', done: 0, total: 0 });
    await fillIndex(database);
    line.clear();
    const remarks = await remarksOn(database);
    if (user !== undefined) await giveAll(folder, user);
    finish({ data: { ...restored, remarks }, words: wordsOf(restored, config, remarks) }, options);
  } finally {
    line.clear();
    await database.close();
  }
}
