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

/** What starts a service without a command line, in a process that somebody else has made for it. */
export async function loadService() {
  const [{ startService }, { readConfig }, { limitsOf }] = await Promise.all([
    import('./serve.ts'),
    import('./kernel/config.ts'),
    import('./threads/supervisor.ts'),
  ]);
  return { startService, readConfig, limitsOf };
}
