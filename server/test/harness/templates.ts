import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { TemplateKeys } from './prepared.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));
const cache = join(root, 'node_modules', '.cache', 'test-templates');
const mostKept = 3;

/** All that decides what is in the templates: imports of these lead to nothing else of ours. */
const sources = [
  'package-lock.json',
  'server/src/{kernel,storage,identity,projects}/**/*.ts',
  'server/src/bootstrap.ts',
  'server/test/harness/{make-templates,postgres,prepared}.ts',
];

function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root }).sort())
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 20);
}

/** With owners and links, which matter to PostgreSQL. */
const copyExactly = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

function make(target: string, workplace: string): void {
  mkdirSync(workplace);
  const program = join(import.meta.dirname, 'make-templates.ts');
  execFileSync(process.execPath, [program, workplace], { stdio: ['ignore', 'inherit', 'inherit'] });
  // Another run may be making the same.
  const unfinished = `${target}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const part of ['sqlite', 'cluster', 'keys.json'])
    copyExactly(join(workplace, part), join(unfinished, part));
  rmSync(workplace, { recursive: true });
  if (existsSync(target)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, target);
  forgetOlder();
}

function forgetOlder(): void {
  const ageOf = (name: string) => statSync(join(cache, name)).mtimeMs;
  const byAge = readdirSync(cache).sort((one, other) => ageOf(other) - ageOf(one));
  for (const name of byAge.slice(mostKept)) rmSync(join(cache, name), { recursive: true, force: true });
}

export interface Templates {
  readonly sqliteFolder: string;
  readonly keys: TemplateKeys;
}

/**
 * Databases of both engines as a first start leaves them, made once for as long as what they are made of stays the same. Puts a cluster
 * of PostgreSQL into the folder of the run; the data folder of SQLite is to be copied from where it is.
 */
export function provideTemplates(runFolder: string): Templates {
  const made = join(cache, stampOfSources());
  if (!existsSync(made)) make(made, join(runFolder, 'templates'));
  copyExactly(join(made, 'cluster'), join(runFolder, 'cluster'));
  return {
    sqliteFolder: join(made, 'sqlite'),
    keys: JSON.parse(readFileSync(join(made, 'keys.json'), 'utf8')),
  };
}
