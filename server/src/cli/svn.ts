import type { Command } from 'commander';
import { formatInstant } from '../kernel/clock.ts';
import { type CommandAnswer, listing } from './answer.ts';
import {
  type CommonOptions,
  configOf,
  declareCommand,
  everything,
  onInstance,
  withExamples,
} from './command.ts';
import type { Instance } from './instance.ts';
import { projectsToList } from './project.ts';
import { projectNamed } from './project-named.ts';

export function declare(command: Command): void {
  command.description('Repositories of projects, and Subversion, which serves them.');
  declareCommand(
    command,
    'list',
    'List the repositories of a project, or of all projects that are not deleted.',
    'svn list web-shop',
    'svn list --deleted --json',
  )
    .argument('[project]', 'short name of the project')
    .option('--deleted', 'those that were deleted and can be brought back')
    .action(onInstance(listRepositories));
  const install = command
    .command('install')
    .description(
      'Install the packages that Subversion needs, where that can be done; else say which they are.',
    );
  withExamples(install, 'svn install').action(async () => {
    const config = configOf(command.optsWithGlobals<CommonOptions>());
    const { providePackages } = await import('../svn/index.ts');
    const state = await providePackages(config, (line) => console.log(line));
    if (state === 'there') console.log('Subversion is installed already.');
    if (state === 'missing') process.exitCode = 1;
  });
  const renew = declareCommand(
    command,
    'renew-access',
    'Write the access files of all repositories anew. The service does so by itself before it uses one.',
    'svn renew-access',
  );
  renew.action(
    onInstance(async ({ config, database, operations }) => {
      const { svnDepsOn, renewAllAccess } = await import('../svn/index.ts');
      const count = await renewAllAccess(svnDepsOn(config, database, operations));
      return { words: `${count} access files are as they should be.`, data: { count } };
    }),
  );
}

const optional = (instant: number | null) => (instant === null ? null : formatInstant(instant));

async function listRepositories(
  instance: Instance,
  name: string | undefined,
  options: { readonly deleted?: boolean },
): Promise<CommandAnswer> {
  return options.deleted ? listDeleted(instance, name) : listLiving(instance, name);
}

async function listLiving(instance: Instance, name: string | undefined): Promise<CommandAnswer> {
  const svn = await import('../svn/index.ts');
  const { database, viewer } = instance;
  const found = [];
  for (const { id: projectId, shortname } of await projectsToList(instance, name)) {
    const input = { projectId, name: undefined, ...everything };
    const { items } = await svn.listRepositories(database, viewer, input);
    for (const { id, name, lastCommitAt, deletionDueAt } of items)
      found.push({
        ...{ id, project: shortname, name, path: `/svnplugin/${shortname}/${name}` },
        last_commit: optional(lastCommitAt),
        deletion_due: optional(deletionDueAt),
      });
  }
  const rows = found.map((one) => [
    ...[one.id, one.project, one.name, one.last_commit ?? 'never', one.deletion_due ?? 'no', one.path],
  ]);
  const headings = ['ID', 'PROJECT', 'NAME', 'LAST COMMIT', 'TO BE DELETED', 'PATH'];
  return listing(found, headings, rows, 'There are no repositories.');
}

async function listDeleted(instance: Instance, name: string | undefined): Promise<CommandAnswer> {
  const { listDeletedRepositories } = await import('../svn/index.ts');
  const { database, viewer } = instance;
  const only = name === undefined ? undefined : (await projectNamed(instance, name)).id;
  const { items } = await listDeletedRepositories(database, viewer, everything);
  const found = items
    .filter(({ project }) => only === undefined || project.id === only)
    .map(({ id, project, name, deletedAt }) => ({
      ...{ id, project: project.shortname, name },
      deleted_on: formatInstant(deletedAt),
    }));
  const rows = found.map((one) => [one.id, one.project, one.name, one.deleted_on]);
  return listing(found, ['ID', 'PROJECT', 'NAME', 'DELETED'], rows, 'There are no deleted repositories.');
}
