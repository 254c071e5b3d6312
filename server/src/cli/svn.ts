import type { Command } from 'commander';
import { type CommonOptions, configOf, declareCommand, onInstance, withExamples } from './command.ts';

export function declare(command: Command): void {
  command.description('Subversion, which serves the repositories of projects.');
  const install = command
    .command('install')
    .description(
      'Install the packages that Subversion needs, where that can be done; else say which they are.',
    );
  withExamples(install, 'svn install').action(async () => {
    const { mayInstallPackages } = configOf(command.optsWithGlobals<CommonOptions>());
    const { providePackages } = await import('../svn/index.ts');
    await providePackages(mayInstallPackages, (line) => console.log(line));
  });
  const renew = declareCommand(
    command,
    'renew-access',
    'Write the access files of all repositories anew. The service does so by itself before it uses one.',
    'svn renew-access',
  );
  renew.action(
    onInstance(async ({ config, database, operations }) => {
      const { deskOn, renewAllAccess } = await import('../svn/index.ts');
      const count = await renewAllAccess(deskOn(config, database, operations));
      return { words: `${count} access files are as they should be.`, data: { count } };
    }),
  );
}
