import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { formatInstant } from '../kernel/clock.ts';
import type { CommandAnswer } from './answer.ts';
import { declareCommand, onInstance } from './command.ts';
import { CommandFault, UsageError } from './faults.ts';
import type { Instance } from './instance.ts';
import { projectNamed } from './project-named.ts';

const argument = ['<shortname>', 'short name of the project'] as const;

/** The commands of the group `project` that end a project, or bring it back. */
export function declareDeletion(group: Command): void {
  declareCommand(
    group,
    'delete',
    'Delete a project with all that is in it. `project restore` brings it back, until it is purged: after the days of ' +
      'the setting project_purge_delay, or by `project purge`.',
    'project delete web-shop',
  )
    .argument(...argument)
    .action(onInstance(deleteProject));
  declareCommand(group, 'restore', 'Bring a deleted project back as it was.', 'project restore web-shop')
    .argument(...argument)
    .action(onInstance(restoreProject));
  declareCommand(
    group,
    'purge',
    'Remove all that there is of a deleted project: artifacts, files, repositories, archives. Nothing brings it back.',
    'project purge web-shop',
    'project purge web-shop --yes',
  )
    .argument(...argument)
    .option('--yes', 'do not ask')
    .action(onInstance(purgeProject));
}

async function deleteProject(instance: Instance, name: string): Promise<CommandAnswer> {
  const { database, operations, viewer, projects } = instance;
  const { id, shortname } = await projectNamed(instance, name);
  await operations.deleteProject(viewer, { id });
  const { purgeDueAt } = await projects.readDeletedProject(database, viewer, id);
  const purge_due_on = purgeDueAt === null ? null : formatInstant(purgeDueAt);
  const end = purge_due_on === null ? 'until somebody purges it' : `until it is purged on ${purge_due_on}`;
  return {
    data: { id, shortname, deleted: true, purge_due_on },
    words: `The project ${shortname} was deleted. \`project restore ${shortname}\` brings it back, ${end}.`,
  };
}

async function restoreProject(instance: Instance, name: string): Promise<CommandAnswer> {
  const { id, shortname } = await projectNamed(instance, name);
  await instance.operations.restoreProject(instance.viewer, { id });
  return { data: { id, shortname, deleted: false }, words: `The project ${shortname} is back.` };
}

/** Whoever types the name of the project means it. */
async function confirm(shortname: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError('Nobody can be asked here: say --yes if nothing of the project shall be left.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    `Nothing of the project ${shortname} will be left. Type its short name to go on: `,
  );
  terminal.close();
  if (answer.trim().toLowerCase() !== shortname.toLowerCase()) throw new CommandFault('Nothing was purged.');
}

async function purgeProject(
  instance: Instance,
  name: string,
  options: { readonly yes?: boolean },
): Promise<CommandAnswer> {
  const { id, shortname, status } = await projectNamed(instance, name);
  if (status !== 'deleted' && status !== 'purging')
    throw new CommandFault(`The project ${shortname} is not deleted: \`project delete\` does that first.`);
  if (options.yes !== true) await confirm(shortname);
  const { purgeProject: purge } = await import('../archive/index.ts');
  const { areRemovalsHeld } = await import('../storage/index.ts');
  if (status === 'deleted') await instance.operations.requestPurge(instance.viewer, { id });
  const isPurged = await purge(instance.openArchiveDeps(), id);
  if (!isPurged && (await areRemovalsHeld(instance.database)))
    throw new CommandFault(`${shortname} waits for a backup that runs, and is purged after it.`);
  return { data: { id, shortname }, words: `Nothing of the project ${shortname} is left.` };
}
