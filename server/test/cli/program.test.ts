import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { examplesOf } from '../../src/cli/command.ts';
import { completionScript } from '../../src/cli/completion.ts';
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
  const silent = ['serve', 'svn install', 'completion'];
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

describe('completion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-completion-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'some archive.zip'), '');

  /** What a shell offers for the last word of each command line. */
  type Offers = (lines: readonly (readonly string[])[]) => Promise<string[][]>;

  /** Feeds command lines to a shell that has the script, and reads an answer of one line for each. */
  async function answers(shell: 'bash' | 'zsh' | 'fish', args: readonly string[], harness: string) {
    const script = join(folder, shell);
    writeFileSync(script, completionScript(await wholeProgram(commands), shell));
    writeFileSync(join(folder, `harness.${shell}`), harness.replaceAll('SCRIPT', script));
    const { stdout, stderr, status } = spawnSync(shell, [...args, join(folder, `harness.${shell}`)], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return stdout
      .replaceAll('\\ ', ' ')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').filter((word) => word !== ''));
  }

  const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

  const inBash: Offers = (lines) =>
    answers(
      'bash',
      ['--norc'],
      `source SCRIPT
try() { COMP_WORDS=(atelier "$@"); COMP_CWORD=$#; _atelier; (IFS=$'\\t'; echo "\${COMPREPLY[*]}"); }
${lines.map((line) => `try ${quoted(line)}`).join('\n')}`,
    );

  // Its own functions need a terminal: those in their place tell what they are given.
  const inZsh: Offers = (lines) =>
    answers(
      'zsh',
      ['-f'],
      `compdef() { : }
_describe() { [[ $1 == -o ]] && shift; for item in "\${(@P)2}"; do print -rn -- "\${item%%:*}"$'\\t'; done }
compadd() { shift; for item in "$@"; do print -rn -- "$item"$'\\t'; done }
_files() { print -rn -- '<files>'$'\\t' }
_message() { : }
source SCRIPT
try() { words=(atelier "$@"); CURRENT=$#words; _atelier; print }
${lines.map((line) => `try ${quoted(line)}`).join('\n')}`,
    );

  const inFish: Offers = (lines) =>
    answers(
      'fish',
      ['--no-config'],
      `source SCRIPT
${lines.map((line) => `echo (string join -- \\t (complete -C ${quoted([`atelier ${line.join(' ')}`])} | string replace -r '\\t.*' ''))`).join('\n')}`,
    );

  test('in bash goes on behind a colon, where bash takes words apart', async () => {
    const [found] = await inBash([['key', 'create', 'ines', '--scope', 'read', ':', 'r']]);
    expect(found).toEqual(['rest']);
  });

  const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;
  const cases = [
    { offers: inBash, shell: 'bash', file: 'some archive.zip' },
    { offers: inZsh, shell: 'zsh', file: '<files>' },
    { offers: inFish, shell: 'fish', file: 'some archive.zip' },
  ];

  test.for(cases)(
    'in $shell offers every command, every option, and what they take',
    async ({ shell, offers, file }, { skip }) => {
      if (shell !== 'bash' && !isThere(shell)) skip(`There is no ${shell} on this machine.`);
      const all = await declared();
      const lines = all.map((command) => [...pathOf(command).split(' ').filter(Boolean), '']);
      const found = await offers(lines);
      const options = await offers(lines.map((line) => [...line.slice(0, -1), '--']));
      all.forEach((command, index) => {
        const path = pathOf(command);
        const below = command.commands.filter((one) => !isHelp(one)).map((one) => one.name());
        expect(found[index], path).toEqual(expect.arrayContaining(below));
        const own = command.options.map(({ long }) => long);
        expect(options[index], path).toEqual(expect.arrayContaining([...own, '--help']));
      });
      const [status, shells, paths, mode, project, data] = await offers([
        ['user', 'create', 'ines', '--status', ''],
        ['completion', ''],
        ['import', 'some'],
        ['tracker', 'workflow', 'a/b', '--mode', ''],
        ['--data', 'user', 'project', 'pur'],
        ['export', 'garden', '--out', 'some'],
      ]);
      expect(status?.sort()).toEqual(['active', 'restricted', 'suspended']);
      expect(shells).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
      expect(paths).toContain(file);
      expect(mode?.sort()).toEqual(['advanced', 'simple']);
      expect(project).toContain('purge');
      expect(data).toContain(file);
      const scopes = await offers([
        ['key', 'create', 'ines', '--scope', shell === 'bash' ? 'read' : 'read:r'],
      ]);
      expect(scopes[0]).toContain('read:rest');
    },
  );
});
