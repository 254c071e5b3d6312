import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { examplesOf } from '../../src/cli/command.ts';
import { wholeProgram } from '../../src/cli/index.ts';

const commands = { serve: async () => {} };

const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trimStart();

const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
const isHelp = (command: Command) => command.name() === 'help';
const declared = async () => below(await wholeProgram(commands)).filter((command) => !isHelp(command));
const isGroup = (command: Command) => command.commands.length > 0;

/** The words of an example as a shell takes it apart; what goes to and comes from files is left out. */
function wordsOf(example: string): string[] {
  const words = example.replace(/ [<>] \S+$/, '').match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** Which command a command line leads to; nothing is done. */
async function reached(words: readonly string[]): Promise<string | undefined> {
  const program = await wholeProgram(commands);
  let path: string | undefined;
  for (const command of below(program).filter((one) => !isGroup(one) && !isHelp(one)))
    command.action(() => {
      path = pathOf(command);
    });
  await program.parseAsync(words, { from: 'user' });
  return path;
}

test('every command and every group has a description and examples, each of which is a command line that it takes', async () => {
  for (const command of await declared()) {
    const path = pathOf(command);
    expect(command.description(), path).toMatch(/^\S.+[.…]$/);
    expect(examplesOf(command), path).not.toEqual([]);
    for (const example of examplesOf(command)) {
      const found = await reached(wordsOf(example));
      if (isGroup(command)) expect(`${found} `.startsWith(`${path} `.trimStart()), example).toBe(true);
      else expect(found, example).toBe(path);
    }
  }
});

test('every command has help that shows its examples', async () => {
  for (const command of await declared()) {
    let help = '';
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    for (const example of examplesOf(command)) expect(help).toContain(`$ atelier ${example}`);
    for (const one of command.commands) expect(help).toContain(one.name());
  }
});

test('every command with an answer gives it in JSON, too', async () => {
  const silent = ['serve', 'svn install'];
  for (const command of (await declared()).filter((one) => !isGroup(one))) {
    const hasJson = command.options.some(({ long }) => long === '--json');
    expect(hasJson, pathOf(command)).toBe(!silent.includes(pathOf(command)));
  }
});

test('whatever the platform has many of can be listed', async () => {
  const paths = (await declared()).map(pathOf);
  for (const group of ['user', 'key', 'ssh-key', 'project', 'project-field', 'tracker', 'artifact', 'svn'])
    expect(paths).toContain(`${group} list`);
});

test('the page of the command line names every command', async () => {
  const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  const rows = page.split('\n').map((line) => new Set(line.split('|')[1]?.match(/[a-z-]+/g)));
  for (const command of (await declared()).filter((one) => !isGroup(one))) {
    const words = pathOf(command).split(' ');
    expect(
      rows.some((row) => words.every((word) => row.has(word))),
      pathOf(command),
    ).toBe(true);
  }
});
