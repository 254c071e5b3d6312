import type { Command } from 'commander';
import { type CommonOptions, configOf, withExamples } from './command.ts';

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
}
