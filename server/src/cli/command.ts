import { type Command, InvalidArgumentError } from 'commander';
import { type Config, readConfig } from '../kernel/config.ts';
import { type CommandAnswer, show } from './answer.ts';
import { inPlaceOfRoot, UsageError } from './faults.ts';
import type { Instance } from './instance.ts';

/** What lies above the command line and is handed in. */
export interface Commands {
  serve(config: Config): Promise<void>;
}

/** What every file of commands gives: a function that declares them on the command that bears their name. */
export interface CommandGroup {
  declare(command: Command, commands: Commands, wholeProgram: () => Promise<Command>): void;
}

export interface CommonOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** The examples in the help of each command, without `atelier` in front. */
const examplesByCommand = new WeakMap<Command, readonly string[]>();

export const examplesOf = (command: Command): readonly string[] => examplesByCommand.get(command) ?? [];

/** Shows how a group is used: by an example of each of its commands. */
export function showExamplesOf(group: Command): void {
  const examples = group.commands.flatMap((command) => examplesOf(command).slice(0, 1));
  if (examples.length > 0) withExamples(group, ...examples);
}

export function withExamples(command: Command, ...examples: string[]): Command {
  const heading = examples.length === 1 ? 'Example' : 'Examples';
  examplesByCommand.set(command, examples);
  return command.addHelpText(
    'after',
    `\n${heading}:\n${examples.map((line) => `  $ atelier ${line}`).join('\n')}`,
  );
}

/** Lets a command answer in JSON. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON on standard output, and nothing else');
}

/** Describes a command with an answer that belongs to no group. */
export function declareAnswer(command: Command, description: string, ...examples: string[]): Command {
  return withExamples(withJson(command.description(description)), ...examples);
}

/** Declares a command with an answer, below a group. */
export function declareCommand(
  group: Command,
  form: string,
  description: string,
  ...examples: string[]
): Command {
  return withExamples(withJson(group.command(form).description(description)), ...examples);
}

/** Everything at once, of what the API gives in pages. */
export const everything = { limit: 1_000_000_000, offset: 0 };

export const configOf = ({ data }: CommonOptions) => readConfig(process.env, { dataFolder: data });

export function finish(answer: CommandAnswer, { json }: CommonOptions): void {
  show(answer, json === true);
  if (answer.isProblem) process.exitCode = 1;
}

const isRoot = () => process.getuid?.() === 0;

/**
 * The action of a command that works on the instance the options name. Storage and the rooms above it are loaded only
 * now: help has no need of them. `onlyReads`: what it makes lies elsewhere, where root may be the only one who may.
 */
export function onInstance<Inputs extends unknown[]>(
  work: (instance: Instance, ...inputs: Inputs) => Promise<CommandAnswer>,
  { onlyReads = false } = {},
): (this: Command, ...inputs: Inputs) => Promise<void> {
  return async function act(...inputs) {
    const options = this.optsWithGlobals<CommonOptions>();
    const config = configOf(options);
    const { openInstance, openInstanceToRead } = await import('./instance.ts');
    const wasRoot = isRoot();
    const instance = await (onlyReads ? openInstanceToRead(config) : openInstance(config));
    try {
      finish(await work(instance, ...inputs), options);
    } catch (error) {
      throw wasRoot && !isRoot() ? inPlaceOfRoot(error) : error;
    } finally {
      await instance.database.close();
    }
  };
}

/** For options and arguments that stand for a thing with a name. */
export function nonEmpty(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('It is empty.');
  return trimmed;
}

export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`Expecting a whole number from ${minimum} to ${maximum}.`);
  };
}

/** Refuses a command that changes things without naming one. */
export function requireChange(changes: Readonly<Record<string, unknown>>): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  throw new UsageError('There is nothing to change: name at least one option.');
}
