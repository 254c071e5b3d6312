import { Option } from 'commander';
import { UsageError } from './faults.ts';

export interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: boolean;
}

export function passwordOptions(): Option[] {
  return [
    new Option(
      '--password <password>',
      'password; other users of this machine can see it in the list of processes, so prefer --password-stdin',
    ),
    new Option('--password-stdin', 'read the password as one line from standard input').conflicts('password'),
  ];
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const part of input.setEncoding('utf8')) {
    text += part;
    if (text.includes('\n')) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** The password that the options give; undefined when they give none. */
export async function passwordOf({ password, passwordStdin }: PasswordOptions): Promise<string | undefined> {
  const input = passwordStdin ? await firstLine(process.stdin) : password;
  if (input === '') throw new UsageError('The password is empty.');
  return input;
}
