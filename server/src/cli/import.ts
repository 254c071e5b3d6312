import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ImportProgress, ImportReport } from '../archive/index.ts';
import { reasonOf } from '../kernel/system-faults.ts';
import type { CommandAnswer } from './answer.ts';
import { declareAnswer, nonEmpty, onInstance } from './command.ts';
import { CommandFault, UsageError } from './faults.ts';
import type { Instance } from './instance.ts';
import { ProgressLine } from './progress.ts';

interface ImportOptions {
  readonly user?: string;
  readonly userMap?: string;
  readonly automap?: string;
  readonly project?: string;
  readonly name?: string;
  readonly template?: boolean;
  readonly dryRun?: boolean;
  readonly writeUserMap?: boolean;
  readonly knownPassword?: string;
}

export function declare(command: Command): void {
  declareAnswer(
    command,
    'Import a project from an archive: a folder or a zip file with project.xml and users.xml. All or nothing: ' +
      'nobody sees the project before all of it is there.',
    'import garden.zip --automap no-email,create:A',
    'import garden/ --write-user-map > people.csv',
    'import garden/ --user-map people.csv --dry-run',
  );
  command
    .argument('<archive>', 'folder or zip file')
    .option(
      '--user <name>',
      'who imports: an administrator of the platform (the first of them), or of the project of --project',
      nonEmpty,
    )
    .option('--user-map <file>', 'CSV that says what becomes of people (user_map.csv of the archive)')
    .option('--automap <rule>', 'find people by name and create the others: no-email,create:A (or :R, :S)')
    .option('--project <name>', 'short name or id of a project that is there, to import into')
    .option('--name <shortname>', 'another short name for the new project')
    .option('--template', 'let people create projects from the new project')
    .option('--dry-run', 'check and report, and write nothing')
    .option('--write-user-map', 'print a CSV for --user-map to complete, and write nothing')
    .option('--known-password <text>', 'one password for all accounts that are made: for test data only')
    .action(onInstance(importProject));
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandFault(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

const plural = (count: number, word: string) => `${count} ${count === 1 ? word.replace(/s$/, '') : word}`;

/** Warnings of one kind are one line, which tells where the first of them is and how many there are. */
const lineOf = ({ code, place, line, text, count }: ImportReport['warnings'][number]) =>
  `  ${code}  ${place}, line ${line}: ${text}${count > 1 ? ` (${count} of these)` : ''}`;

function wordsOf(
  { project, counts, users, warnings, warning_count, ids_file }: ImportReport,
  isDry: boolean,
) {
  const created = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `  ${what.replaceAll('_', ' ').padEnd(16)}${count}`);
  const mapped = users
    .filter(({ is_created, username, account }) => is_created || username !== account)
    .map(({ username, account, is_created }) => `  ${username} ${is_created ? 'is new' : `is ${account}`}`);
  const told = warnings.reduce((sum, { count }) => sum + count, 0);
  const more = warning_count > told ? [`  and ${warning_count - told} more`] : [];
  return [
    isDry
      ? `The archive of ${project.shortname} can be imported. Nothing was written.`
      : `The project ${project.shortname} has the id ${project.id}.`,
    ...created,
    ...(mapped.length === 0 ? [] : ['People:', ...mapped]),
    ...(warning_count === 0 ? [] : [`${plural(warning_count, 'warnings')}:`, ...warnings.map(lineOf)]),
    ...more,
    ...(ids_file === null ? [] : [`Old and new ids are in ${ids_file}`]),
  ].join('\n');
}

async function hashed({ config, identity }: Instance, password: string): Promise<string> {
  const hashLimiter = new identity.HashLimiter(identity.HashLimiter.createMemory(1));
  return new identity.PasswordHasher(config.argon2, hashLimiter).hash(password);
}

async function importProject(
  instance: Instance,
  path: string,
  options: ImportOptions,
): Promise<CommandAnswer> {
  if (options.userMap !== undefined && options.automap !== undefined)
    throw new UsageError('Use either --user-map or --automap.');
  if (options.project !== undefined && (options.name !== undefined || options.template))
    throw new UsageError('--name and --template are for a new project: leave them out, or --project.');
  const { importFromPath, suggestUserMap } = await import('../archive/index.ts');
  const { viewer } = instance;
  const archiveDeps = instance.openArchiveDeps();
  if (options.writeUserMap) {
    const text = await suggestUserMap(archiveDeps, resolve(path));
    return { data: { user_map: text }, words: text.trimEnd() };
  }
  const line = new ProgressLine();
  const report = await importFromPath(archiveDeps, viewer, {
    path: resolve(path),
    importer: options.user,
    options: {
      automap: options.automap,
      userMap: options.userMap === undefined ? undefined : await textOf(options.userMap),
      into: options.project,
      name: options.name,
      isTemplate: options.template ?? false,
      isDryRun: options.dryRun ?? false,
      passwordHash:
        options.knownPassword === undefined ? undefined : await hashed(instance, options.knownPassword),
    },
    tell: (progress: ImportProgress) => line.show(progress),
  }).finally(() => line.clear());
  return { data: report, words: wordsOf(report, options.dryRun === true) };
}
