import { CommanderError } from 'commander';
import { ConfigError } from '../kernel/config.ts';
import { Refusal } from '../kernel/errors.ts';
import { shutWords, systemFault } from '../kernel/system-faults.ts';

/** The command was written in a way that makes no sense. */
export class UsageError extends Error {}

/** A fault that a person can mend, in words for that person. */
export class CommandFault extends Error {}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim();

function wordsOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof CommanderError) return oneLine(error.message.replace(/^error: /, ''));
  if (error instanceof Refusal) return oneLine(refusalWords(error));
  const system = systemFault(error);
  if (system !== undefined) return oneLine(`${system}.`);
  return oneLine(error instanceof Error ? error.message || error.name : String(error));
}

/** Commands have no log: what it would say is told at once. */
function refusalWords({ detail, kind, message, extras: { userMessage, cause } }: Refusal): string {
  const words = detail === '' ? (userMessage ?? `Refused: ${kind}.`) : message;
  return cause === undefined ? words : `${words} (${cause})`;
}

/** A fault of a command that root called and that works as the user of the data, with a hint where root alone may use something. */
export function inPlaceOfRoot(error: unknown): unknown {
  const words = wordsOf(error);
  if (!words.includes(shutWords)) return error;
  return new CommandFault(`${words} Root works as the user to whom the data belong, who must be let in.`);
}

const isDebugging = () => process.env['ATELIER_DEBUG'] === '1';

/** Says what went wrong, and gives the exit code for it: 2 for wrong usage, 1 for everything else. */
export function report(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Commander has then shown the help in place of an error.
  if (error instanceof CommanderError && error.code === 'commander.help') return 2;
  process.stderr.write(`atelier: ${wordsOf(error)}\n`);
  if (isDebugging() && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return error instanceof CommanderError || error instanceof UsageError ? 2 : 1;
}
