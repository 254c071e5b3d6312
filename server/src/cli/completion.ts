import { Argument, type Command } from 'commander';
import { type Commands, withExamples } from './command.ts';
import {
  type CompletedCommand,
  type CompletedOption,
  type Shell,
  scripts,
  type Taken,
} from './completion-scripts.ts';

export function declare(command: Command, _: Commands, wholeProgram: () => Promise<Command>): void {
  command
    .description(
      'Print a script that completes commands and options in a shell. It is made from the commands that there are: load it when ' +
        'the shell starts, and it is never out of date.',
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(scripts)));
  withExamples(command, 'completion bash', 'completion zsh', 'completion fish').addHelpText(
    'after',
    installation,
  );
  command.action(async (shell: Shell) => {
    process.stdout.write(completionScript(await wholeProgram(), shell));
  });
}

export const completionScript = (program: Command, shell: Shell): string =>
  scripts[shell](completedCommands(program));

const installation = `
To have it in every new shell:
  bash  add to ~/.bashrc:  source <(atelier completion bash)
  zsh   add to ~/.zshrc, after compinit:  source <(atelier completion zsh)
  fish  add to ~/.config/fish/config.fish:  atelier completion fish | source`;

/** What the names of arguments and options say of what they take. */
const isPath = (name: string) => /file|folder|archive|place|out|user-map|^data$|^to$/.test(name);

function takenBy(name: string, choices: readonly string[] | undefined): Taken {
  if (choices !== undefined) return { words: choices };
  return isPath(name) ? 'paths' : 'text';
}

function completedOptions(command: Command): CompletedOption[] {
  const help = command.createHelp();
  const inherited = help.visibleGlobalOptions(command).filter((option) => option.name() !== 'version');
  return [...help.visibleOptions(command), ...inherited].flatMap((option) => {
    const { long, description, required, optional, argChoices } = option;
    if (long === undefined || long === null) return [];
    const takes = required || optional ? takenBy(`${option.name()} ${option.flags}`, argChoices) : undefined;
    return [{ name: long, description, takes }];
  });
}

/** A command and all below it, with the words that lead to it. */
function completedCommands(command: Command, path: readonly string[] = []): CompletedCommand[] {
  const below = command.createHelp().visibleCommands(command);
  const own: CompletedCommand = {
    path,
    words: below.map((one) => ({ name: one.name(), description: one.summary() || one.description() })),
    options: completedOptions(command),
    takes: command.registeredArguments.map((argument) => takenBy(argument.name(), argument.argChoices)),
  };
  const subcommands = command.commands.filter((one) => below.includes(one));
  return [own, ...subcommands.flatMap((one) => completedCommands(one, [...path, one.name()]))];
}
