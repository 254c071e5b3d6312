import { runCommandLine } from './cli/index.ts';

/** Where everything begins: the command line, with what lies above it handed in. */
export function main(args: readonly string[]): Promise<void> {
  return runCommandLine(args, {
    serve: async (config) => (await import('./serve.ts')).serve(config),
  });
}
