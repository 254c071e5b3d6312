/*
 * The command line. One file a group of commands, loaded when one of them is called: `--help` must not load the platform.
 *
 * command.ts   what all commands share: options, examples, opening an instance (instance.ts)
 * answer.ts    tables and JSON; faults.ts errors in words and exit codes
 *
 * Commands call the same operations as HTTP does; they never write by themselves.
 */

import { Command } from 'commander';
import { version } from '../kernel/version.ts';
import { type CommandGroup, type Commands, nonEmpty, showExamplesOf, withExamples } from './command.ts';
import { report, UsageError } from './faults.ts';

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandGroup>;
}

/** Every file of commands. One is loaded when its name is on the command line. */
const entries: readonly Entry[] = [
  { name: 'serve', summary: 'run the service', load: () => import('./serve.ts') },
  {
    name: 'doctor',
    summary: 'check this machine and this instance',
    load: () => import('./doctor/index.ts'),
  },
  { name: 'backup', summary: 'copy the whole platform, or verify a copy', load: () => import('./backup.ts') },
  { name: 'restore', summary: 'fill an empty platform from a backup', load: () => import('./restore.ts') },
  {
    name: 'upgrade',
    summary: 'bring the stored data to this version, or tell what that takes',
    load: () => import('./upgrade.ts'),
  },
  { name: 'user', summary: 'accounts', load: () => import('./user.ts') },
  { name: 'key', summary: 'access keys of a user', load: () => import('./key.ts') },
  { name: 'ssh-key', summary: 'SSH keys of a user', load: () => import('./ssh-key.ts') },
  { name: 'project', summary: 'projects', load: () => import('./project.ts') },
  {
    name: 'project-field',
    summary: 'fields that are asked for when a project is created',
    load: () => import('./project-field.ts'),
  },
  { name: 'import', summary: 'import a project from an archive', load: () => import('./import.ts') },
  { name: 'export', summary: 'export a project as an archive', load: () => import('./export.ts') },
  { name: 'tracker', summary: 'trackers of projects', load: () => import('./tracker.ts') },
  { name: 'artifact', summary: 'artifacts of trackers', load: () => import('./artifact.ts') },
  { name: 'svn', summary: 'Subversion', load: () => import('./svn.ts') },
  { name: 'group', summary: 'platform groups and their members', load: () => import('./group.ts') },
  {
    name: 'permission',
    summary: 'platform permissions that groups hold',
    load: () => import('./permission.ts'),
  },
  { name: 'reindex', summary: 'make the search index anew', load: () => import('./reindex.ts') },
  { name: 'web', summary: 'the web application', load: () => import('./web.ts') },
  { name: 'config', summary: 'platform settings', load: () => import('./config.ts') },
  {
    name: 'completion',
    summary: 'completion of commands in a shell',
    load: () => import('./completion.ts'),
  },
];

function createProgram(): Command {
  const program = new Command('atelier')
    .description('Atelier: projects, trackers and Subversion behind one address.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .option('--data <folder>', 'the data folder of the instance (else ATELIER_DATA, else ./data)', nonEmpty)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'show the help of a command');
  return withExamples(
    program,
    'serve',
    'user create ines --email ines@example.com --password-stdin',
    'doctor',
  ).addHelpText(
    'after',
    `
Commands work on the stored data itself, whether the service runs or not; a service that runs notices at once.
Where the instance is and how it runs is said by the environment: see \`atelier serve --help\`.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage. ATELIER_DEBUG=1 shows where a fault came from.`,
  );
}

/** Declares the commands; what is below them only where it is needed. */
async function declareAll(
  program: Command,
  commands: Commands,
  isNeeded: (name: string) => boolean,
): Promise<void> {
  for (const { name, summary, load } of entries) {
    const command = program.command(name).summary(summary);
    if (!isNeeded(name)) continue;
    (await load()).declare(command, commands, () => wholeProgram(commands));
    showExamplesOf(command);
  }
}

/** The program with every command that there is. */
export async function wholeProgram(commands: Commands): Promise<Command> {
  const program = createProgram();
  await declareAll(program, commands, () => true);
  return program;
}

/** Shows the help of the command with these names. The library looks at the first of them alone, and knows no wrong ones. */
function showHelp(program: Command, names: readonly string[]): never {
  let asked = program;
  for (const name of names) {
    const found = asked.commands.find((command) => command.name() === name);
    if (found === undefined) throw new UsageError(`There is no command ${names.join(' ')}.`);
    asked = found;
  }
  return asked.help();
}

/** A reader that has enough, as `head` does, is no fault. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}

/** Runs one command. Faults are told on standard error and end the process. */
export async function runCommandLine(args: readonly string[], commands: Commands): Promise<void> {
  endWithReader();
  const program = createProgram();
  try {
    await declareAll(program, commands, (name) => args.includes(name));
    const [first, ...names] = args;
    if (first === 'help' && names.every((name) => !name.startsWith('-'))) showHelp(program, names);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exit(report(error));
  }
}
