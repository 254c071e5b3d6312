import type { Command } from 'commander';
import type { LastBackup } from '../backup/index.ts';
import { day } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { isThere } from '../kernel/folders.ts';
import { requireFinished } from '../kernel/unfinished-restore.ts';
import type { Database, PendingMigration } from '../storage/index.ts';
import { type CommandAnswer, table } from './answer.ts';
import { type CommonOptions, configOf, declareAnswer, finish } from './command.ts';
import { CommandFault } from './faults.ts';

interface UpgradeOptions extends CommonOptions {
  readonly check?: boolean;
}

export function declare(command: Command): void {
  declareAnswer(
    command,
    'Bring the stored data to this version, as the next `atelier serve` would, and end. Stop the service of the older version first.',
    'upgrade --check',
    'upgrade --check --json',
    'upgrade',
  );
  command.option(
    '--check',
    'change nothing: tell what would be changed, how long it may take, and whether a backup is younger than a day (the exit code is 1 when something would be changed and there is none)',
  );
  command.action(async () => {
    const options = command.optsWithGlobals<UpgradeOptions>();
    finish(await upgrade(configOf(options), options.check === true), options);
  });
}

async function upgrade(config: Config, isCheck: boolean): Promise<CommandAnswer> {
  const { dataFolder: folder, databaseUrl, lockSeconds } = config;
  if (databaseUrl === undefined && !(await isThere(folder))) throw nothingStored(config);
  requireFinished(folder);
  const { openDatabase, storedSchema } = await import('../storage/index.ts');
  const database = await openDatabase({
    folder,
    databaseUrl,
    connections: 1,
    lockPatience: lockSeconds * 1000,
  });
  try {
    if ((await storedSchema(database)) === 0) throw nothingStored(config);
    return isCheck ? await check(database, folder) : await apply(database);
  } finally {
    await database.close();
  }
}

function nothingStored({ databaseUrl, dataFolder }: Config): CommandFault {
  const place = databaseUrl === undefined ? dataFolder : 'the database of ATELIER_DATABASE_URL';
  return new CommandFault(
    `There is nothing to upgrade in ${place} yet: the first \`atelier serve\` begins with the newest version.`,
  );
}

/**
 * Rows of a table that an index is made of, or that are written, in a second. Machines of two cores did three times as many with either
 * engine; what is told is to be waited for without worry.
 */
const rowsPerSecond = 100_000;

const secondsFor = ({ tables }: PendingMigration) =>
  Math.ceil(tables.reduce((sum, { rows }) => sum + rows, 0) / rowsPerSecond);

async function check(database: Database, folder: string): Promise<CommandAnswer> {
  const { newestSchema, pendingMigrations, storedSchema } = await import('../storage/index.ts');
  const { readLastBackup } = await import('../backup/index.ts');
  const schema = await storedSchema(database);
  const migrations = (await pendingMigrations(database)).map((pending) => ({
    ...pending,
    seconds: secondsFor(pending),
  }));
  const seconds = migrations.reduce((sum, { seconds: each }) => sum + each, 0);
  const backup = await readLastBackup(folder);
  const isBackupRecent = backup !== undefined && Date.now() - backup.madeAt < day;
  const data = {
    schema,
    newest_schema: newestSchema,
    seconds,
    migrations,
    last_backup: backup === undefined ? null : new Date(backup.madeAt).toISOString(),
    is_backup_recent: isBackupRecent,
  };
  if (migrations.length === 0)
    return { data, words: `The stored data is up to date: schema ${schema}. There is nothing to do.` };
  const rows = migrations.map(({ id, name, tables, seconds: each }) => [
    id,
    name,
    tables.map(({ name: stored, rows: count }) => `${stored} (${count.toLocaleString('en')})`).join(', '),
    each === 0 ? 'at once' : `${each} s`,
  ]);
  const words = [
    table(['CHANGE', 'NAME', 'ROWS', 'AT MOST ABOUT'], rows),
    `From schema ${schema} to ${newestSchema}, all or nothing, in about ${Math.max(1, seconds)} s at most. Nobody is served meanwhile.`,
    wordsOn(backup, isBackupRecent),
  ].join('\n');
  return { data, words, isProblem: !isBackupRecent };
}

function wordsOn(backup: LastBackup | undefined, isRecent: boolean): string {
  if (backup === undefined)
    return 'No backup was made yet. Make one first with `atelier backup FOLDER`: there is no way down.';
  const made = `The last backup is of ${new Date(backup.madeAt).toISOString()}, in ${backup.place}.`;
  return isRecent ? made : `${made} Make a new one first: there is no way down.`;
}

async function apply(database: Database): Promise<CommandAnswer> {
  const { migrate, pendingMigrations, newestSchema } = await import('../storage/index.ts');
  const applied = (await pendingMigrations(database)).map(({ id, name }) => ({ id, name }));
  await migrate(database);
  const words =
    applied.length === 0
      ? `The stored data was up to date: schema ${newestSchema}.`
      : `${applied.length} changes were made. The stored data has schema ${newestSchema} now.`;
  return { data: { schema: newestSchema, applied }, words };
}
