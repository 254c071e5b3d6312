import { runCommandLine } from './cli/index.ts';
import { ownerOnly } from './kernel/private-folder.ts';

/** Where everything begins: the command line, with what lies above it handed in. */
export function main(args: readonly string[]): Promise<void> {
  // Whatever is written by this process, its threads and its programs is nobody else's business.
  process.umask(ownerOnly);
  return runCommandLine(args, {
    serve: async (config) => (await import('./serve.ts')).serve(config),
  });
}
