import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacksSubversion } from '../fixtures/svn.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';
import { endsWithTests } from '../harness/processes.ts';
import { lacksCurl } from '../harness/programs.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));
/** One goes on where the one before it ends. */
const pages = ['README.md', 'docs/subversion.md'];
const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');

interface Step {
  readonly command: string;
  /** What README says that it prints. */
  readonly printed: string;
}

/** Whether a shell would ask for more. */
const isOpen = (command: string) => command.endsWith('\\') || (command.match(/'/g) ?? []).length % 2 === 1;

function stepsIn(block: string): Step[] {
  const steps: { command: string; printed: string[] }[] = [];
  for (const line of block.split('\n')) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), printed: [] });
    else if (last !== undefined && last.printed.length === 0 && isOpen(last.command))
      last.command += `\n${line}`;
    else if (line !== '') last?.printed.push(line);
  }
  return steps.map(({ command, printed }) => ({ command, printed: unwrapped(printed) }));
}

/** A long line of an answer is broken in README, and goes on behind a space. */
const unwrapped = (lines: readonly string[]) => lines.join('\n').replaceAll('\n ', '');

const tour = [...text.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block]) => stepsIn(block ?? ''));

/** What is another one every time. */
const changing = [
  /tlp-k1-\d+\.[0-9a-f]{64}/g,
  /"[0-9a-f]{16}-[0-9a-f]{16,20}"/g,
  /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g,
  /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}/g,
];
const settled = (text: string) =>
  changing.reduce((all, pattern) => all.replaceAll(pattern, '<CHANGING>'), text);

/** `…` stands for anything; what is around it must be there, in this order. */
function patternOf(printed: string): RegExp {
  const parts = settled(printed).split(/ ?… ?/);
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's');
}

/** One shell for all commands, as somebody has who tries them. */
class Shell {
  readonly #child;
  #output = '';

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    // What it prints is the answers and the faults, as in a terminal, but for the progress that curl shows there.
    writeFileSync(join(folder, '.curlrc'), '--silent\n--show-error\n');
    const env = { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8', ...environment };
    this.#child = endsWithTests(spawn('bash', ['--norc'], { cwd: folder, env }));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        this.#output += part;
      });
    this.#child.stdin.write('exec 2>&1\n');
  }

  async run(command: string): Promise<string> {
    this.#output = '';
    this.#child.stdin.write(`${command}\nprintf '\\001'\n`);
    while (!this.#output.endsWith('\u0001')) {
      if (this.#child.exitCode !== null) throw new Error(`The shell ended: ${this.#output}`);
      await new Promise((resolve) => this.#child.stdout.once('data', resolve));
    }
    return this.#output.slice(0, -1);
  }
}

/** Values of README that are another one here, such as the Etag that a later command sends back. */
function learnValues(known: Map<string, string>, printed: string, output: string): void {
  const pattern = /^Etag: (".*")$/m;
  const [told, actual] = [pattern.exec(printed)?.[1], pattern.exec(output)?.[1]];
  if (told !== undefined && actual !== undefined) known.set(told, actual);
}

const engines = oneEngine('SQLite', 'pages are typed as people do who have no database of their own');

describe.skipIf(lacksCurl || lacksSubversion).each(engines)(
  'the tour of README and of the pages that go on from it, on %s',
  (engine) => {
    let atelier: Atelier;
    let shell: Shell;
    const known = new Map<string, string>();
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'atelier-tour-'));
      mkdirSync(join(folder, 'bin'));
      symlinkSync(join(root, 'server/bin/atelier.mjs'), join(folder, 'bin/atelier'));
      atelier = await startAtelier(engine, { isAlone: true });
      const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
      shell = new Shell(folder, { ...atelier.instance.environment, PATH: path });
      known.set('http://localhost:8080', atelier.url);
      await shell.run(`api=${atelier.url}/api; key='X-Auth-AccessKey: ${atelier.instance.adminKey}'`);
    });
    afterAll(() => atelier.stop());

    const here = (text: string) =>
      [...known].reduce((all, [told, actual]) => all.replaceAll(told, actual), text);
    const there = (text: string) => text.replaceAll(atelier.url, 'http://localhost:8080');

    test.each(tour)('$command', async ({ command, printed }) => {
      const output = there(await shell.run(here(command)))
        .replaceAll('\r', '')
        .replace(/\n$/, '');
      learnValues(known, printed, output);
      expect(settled(output), `README: ${printed}\nprinted: ${output}\n`).toMatch(patternOf(printed));
    });
  },
);
