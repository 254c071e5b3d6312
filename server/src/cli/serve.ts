import type { Command } from 'commander';
import { hostIn } from '../kernel/config.ts';
import {
  type Commands,
  type CommonOptions,
  configOf,
  nonEmpty,
  wholeNumber,
  withExamples,
} from './command.ts';
import { environmentFaults, variables } from './environment.ts';

const environmentHelp = `
Environment, with what holds without it in brackets:
${variables.map(([name, words]) => `  ${name.padEnd(37)}${words}`).join('\n')}`;

interface ServeOptions extends CommonOptions {
  readonly port?: number;
  readonly host?: string;
  readonly demo: boolean;
}

export function declare(command: Command, commands: Commands): void {
  command
    .description(
      'Run the service until it is told to stop. The first start makes the account admin and tells its password.',
    )
    .option('--port <number>', 'port to listen on, in place of ATELIER_PORT', wholeNumber(0, 65_535))
    .option('--host <name>', 'name or address to listen on, in place of ATELIER_HOST', nonEmpty)
    .option('--no-demo', 'load no demo project at the first start');
  withExamples(command, 'serve --data /srv/atelier --host 0.0.0.0 --port 80').addHelpText(
    'after',
    environmentHelp,
  );
  command.action(async () => {
    const options = command.optsWithGlobals<ServeOptions>();
    const config = configOf(options);
    for (const fault of environmentFaults(process.env)) console.error(`atelier: ${fault}`);
    // Other commands end with their reader; a service goes on.
    process.stdout.removeAllListeners('error').on('error', () => {});
    const { host = config.host, port = config.port } = options;
    await commands.serve({ ...config, host: hostIn(host), port, hasDemo: config.hasDemo && options.demo });
  });
}
