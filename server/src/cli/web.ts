import type { Command } from 'commander';
import type { CommandAnswer } from './answer.ts';
import { type CommonOptions, declareCommand, finish } from './command.ts';

export function declare(command: Command): void {
  command.description('The web application: pages that the service builds from its sources.');
  const build = declareCommand(
    command,
    'build',
    'Build the web application if its sources have changed, as the first start does by itself. For places that the service may not write to.',
    'web build',
  );
  build.action(async () => finish(await buildWeb(), build.optsWithGlobals<CommonOptions>()));
}

async function buildWeb(): Promise<CommandAnswer> {
  const { folderOf, provideWeb } = await import('../web-build/index.ts');
  const state = await provideWeb(() => {});
  if (state.kind !== 'built') {
    const words = state.kind === 'failed' ? state.words : '';
    return {
      data: { digest: null, fault: words },
      words: `The web application could not be built: ${words}`,
      isProblem: true,
    };
  }
  const folder = folderOf(state.digest);
  return { data: { digest: state.digest, folder }, words: `The web application is in ${folder}` };
}
