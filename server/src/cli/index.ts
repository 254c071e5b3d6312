import { type Config, readConfig } from '../kernel/config.ts';

export interface Commands {
  serve(config: Config): Promise<void>;
}

export async function runCommandLine(args: readonly string[], commands: Commands): Promise<void> {
  if (args[0] === 'serve') await commands.serve(readConfig(process.env));
}
