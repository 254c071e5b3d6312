import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { circlesIn } from '../harness/import-circles.ts';

/** The server from the ground up: each part may import those before it and none after it. */
const parts = [
  'kernel',
  'web-build',
  'storage',
  'identity',
  'projects',
  'trackers',
  'files',
  'search',
  'artifacts',
  'svn',
  'dashboards',
  'present',
  'notify',
  'archive',
  'backup',
  'live',
  'health',
  'operations.ts',
  'http',
  'cli',
  'top',
];

/** What ties the rooms together; these may import one another. */
const top = ['serve.ts', 'threads', 'main.ts', 'bootstrap.ts', 'log.ts'];

/** The ground has no door: every file of it stands for itself. */
const withoutDoor = ['kernel', 'operations.ts'];

const packages: Readonly<Record<string, string>> = {
  '@atelier/contract': 'contract',
  '@atelier/client': 'client',
  '@atelier/bench': 'bench',
  atelier: 'server',
};

/** Which of our packages each of them may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  client: ['contract'],
  server: ['contract'],
  bench: ['contract', 'client'],
};

/** What the bench reaches for inside the server: it fills databases, starts the PostgreSQL of the tests, and is tested itself. */
const openToBench = [
  'server/src/storage/index.ts',
  'server/src/kernel/text.ts',
  'server/test/harness/browser.ts',
  'server/test/harness/postgres.ts',
  'server/test/harness/processes.ts',
];

const engines = /^(node:sqlite|pg|(@bundled\/)?kysely)(\/|$)/;

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** The imported file, below the root, when it is one of ours. */
  readonly file: string | undefined;
}

const importPatterns = [
  /^\s*(?:import|export)\s(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]/gm,
  /\b(?:import|require|import\.meta\.resolve)\(\s*['"`]([^'"`]+)['"`]/g,
];

/** A program that is started beside this one. */
const startPattern = /\bnew URL\(\s*['"`]([^'"`]+\.ts)['"`]/g;

function fileOfPackage(specifier: string): string | undefined {
  const name = Object.keys(packages).find((own) => specifier === own || specifier.startsWith(`${own}/`));
  if (name === undefined) return undefined;
  return `${packages[name]}/src/${specifier.slice(name.length + 1) || 'index'}.ts`;
}

function importsIn(from: string, text: string, patterns = [...importPatterns, startPattern]): Import[] {
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''));
  return found.map((specifier) => ({
    from,
    specifier,
    file: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : fileOfPackage(specifier),
  }));
}

const packageOf = (file: string) => file.split('/', 1)[0] ?? '';

function partOf(file: string): string {
  const name = file.split('/')[2] ?? '';
  return top.includes(name) ? 'top' : name;
}

function packageFault({ from, specifier, file }: Import): string | undefined {
  if (file === undefined || packageOf(file) === packageOf(from)) return undefined;
  if (packageOf(from) === 'bench' && openToBench.includes(file)) return undefined;
  const isAllowed = mayImport[packageOf(from)]?.includes(packageOf(file)) && !specifier.startsWith('.');
  return isAllowed ? undefined : `the package ${packageOf(from)} reaches into ${packageOf(file)}`;
}

function partFault({ from, file }: Import): string | undefined {
  if (!from.startsWith('server/src/') || !file?.startsWith('server/src/')) return undefined;
  const [importing, imported] = [partOf(from), partOf(file)];
  if (importing === imported) return undefined;
  if (parts.indexOf(importing) < parts.indexOf(imported)) return `${importing} lies below ${imported}`;
  const isDoor = withoutDoor.includes(imported) || file === `server/src/${imported}/index.ts`;
  return isDoor ? undefined : `it passes by the index.ts of ${imported}`;
}

/** The outermost sub-room that holds the imported file and not the importing one is entered by its own door. */
function subRoomFault({ from, file }: Import): string | undefined {
  if (!from.startsWith('server/src/') || !file?.startsWith('server/src/')) return undefined;
  if (partOf(from) !== partOf(file)) return undefined;
  const folders = dirname(file).split('/');
  const rooms = folders.map((_, index) => folders.slice(0, index + 1).join('/')).slice(3);
  const entered = rooms.find((folder) => !from.startsWith(`${folder}/`));
  if (entered === undefined) return undefined;
  return file === `${entered}/index.ts` ? undefined : `it passes by the index.ts of ${entered.slice(11)}`;
}

function engineFault({ from, specifier }: Import): string | undefined {
  // The floors of the bench measure the engine itself.
  const mayKnow = ['server/src/storage/', 'bench/src/floors/'].some((folder) => from.startsWith(folder));
  const isFault = engines.test(specifier) && !mayKnow;
  return isFault ? 'only storage knows the engines' : undefined;
}

/** Where searches speak the SQL of one engine, and the one file that chooses among them. */
const searchEngines = ['server/src/search/index/sqlite/', 'server/src/search/index/postgres/'];
const choosesEngine = 'server/src/search/index/engines.ts';

/** Even the door of a search engine is known only to whoever chooses. */
function searchEngineFault({ from, file }: Import): string | undefined {
  const room = searchEngines.find((folder) => file === `${folder}index.ts`);
  return room === undefined || from.startsWith(room) || from === choosesEngine
    ? undefined
    : `only ${choosesEngine} knows which engine searches`;
}

/** Words that one engine understands and another does not, or that only one has a use for. */
const wordsOfEngines =
  /\b(?:group_concat|json_each|unnest|rowid|instr|glob|materialized|text_part|text_pending|keepsTextParts)\b|::(?:bigint|numeric|text)\b|collate "C"/;
/** What is asked in SQL stands in quotes of one kind or another. */
const quoted = /`[^`]*`|'[^'\n]*'/g;

function searchFaults(path: string, text: string): string[] {
  const isShared =
    path.startsWith('server/src/search/') && !searchEngines.some((folder) => path.startsWith(folder));
  if (!isShared || path === choosesEngine) return [];
  const asked = (text.match(quoted) ?? []).join('\n');
  const word = wordsOfEngines.exec(asked)?.[0] ?? /\bkeepsTextParts\b/.exec(text)?.[0];
  return word === undefined ? [] : [`${path} says ${word}, which belongs to one engine`];
}

/**
 * Who is started with an environment reads it, as a whole; everybody else is handed what it says. A backup writes it down, and a program
 * that makes previews is started with what Node itself needs of it.
 */
const readsEnvironment = [
  'server/src/cli/',
  'server/src/backup/backup.ts',
  'server/src/files/preview-maker.ts',
];

function environmentFaults(path: string, text: string): string[] {
  const isHanded =
    path.startsWith('server/src/') && !readsEnvironment.some((reader) => path.startsWith(reader));
  return isHanded && /\bprocess\.env\b/.test(text)
    ? [`${path} reads the environment past kernel/config.ts`]
    : [];
}

function fileFaults(path: string): string[] {
  const isHomeless = path.startsWith('server/src/') && !parts.includes(partOf(path));
  return isHomeless ? [`${path} belongs to no room of the plan`] : [];
}

/** Where rows of artifacts are written: what follows from it, the order of all, versions that rise, and imports that came to nothing. */
const writersOfArtifacts = [
  'server/src/artifacts/write/consequences.ts',
  'server/src/artifacts/rank/rank.ts',
  'server/src/artifacts/store.ts',
  'server/src/archive/project/remove.ts',
];

/** Whoever writes an artifact by hand forgets what follows from it. */
function rowFaults(path: string, text: string): string[] {
  const isWriter = !path.startsWith('server/src/') || writersOfArtifacts.includes(path);
  const isFault = !isWriter && /\b(insertInto|updateTable|deleteFrom|insertMany)\(\s*'artifact'/.test(text);
  return isFault ? [`${path} writes rows of artifacts past artifacts/write/consequences.ts`] : [];
}

/** What shows things is handed all of them: it neither reads nor waits. */
function presenterFaults(path: string, text: string): string[] {
  if (!path.startsWith('server/src/present/')) return [];
  return /from '[^']*storage\/|\bawait (?!find\()/.test(text) ? [`${path} reads while it shows`] : [];
}

/** What differs between types of fields is a member of `FieldType`: nobody asks for one by its name. */
const typeFaults = (path: string, text: string): string[] =>
  path.startsWith('server/src/') && /\btype\.code\s*[!=]==?\s*['"`]/.test(text)
    ? [`${path} asks which type a field has`]
    : [];

/** All that a file does against the plan. */
function faultsIn(path: string, text: string): string[] {
  const imports = importsIn(path, text).flatMap((entry) =>
    [packageFault, partFault, subRoomFault, engineFault, searchEngineFault]
      .map((rule) => rule(entry))
      .filter((fault) => fault !== undefined)
      .map((fault) => `${path} imports ${entry.specifier}: ${fault}`),
  );
  const rules = [fileFaults, searchFaults, environmentFaults, rowFaults, presenterFaults, typeFaults];
  return [...imports, ...rules.flatMap((rule) => rule(path, text))];
}

/** Which of our files each file imports, types included. */
function importGraph(sources: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const targets = ([path, text]: [string, string]) =>
    importsIn(path, text, importPatterns).flatMap(({ file }) =>
      file !== undefined && sources.has(file) ? file : [],
    );
  return new Map([...sources].map((entry) => [entry[0], targets(entry)]));
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = ['contract', 'client', 'server/src', 'bench'];
const files = folders.flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: root, exclude: ['**/node_modules/**'] }).sort(),
);

test('there are files to look at', () => {
  for (const folder of folders)
    expect(
      files.some((file) => file.startsWith(`${folder}/`)),
      folder,
    ).toBe(true);
});

test('every locked package lies where the set-up puts it, for all workspaces together', () => {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const places = Object.keys(locked).filter((place) => place.includes('node_modules/'));
  expect(places.length).toBeGreaterThan(100);
  expect(places.filter((place) => !place.startsWith('node_modules/'))).toEqual([]);
});

test('every file keeps to the plan of the house', () => {
  expect(files.flatMap((file) => faultsIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

/** What runs as a program of its own, or stands for itself. */
const withoutMap = ['server/src', 'server/src/threads'];

test('every room and sub-room opens with a map: what is here, what to read first, what it promises', () => {
  const rooms = [
    ...new Set(files.filter((file) => file.startsWith('server/src/')).map((file) => dirname(file))),
  ];
  const hasMap = (room: string) =>
    files.includes(`${room}/index.ts`) &&
    readFileSync(join(root, room, 'index.ts'), 'utf8').startsWith('/*\n');
  const mute = rooms.filter((room) => !withoutMap.includes(room) && !hasMap(room));
  expect(mute).toEqual([]);
});

test('maps name only files that are there', () => {
  const maps = files.filter((file) => file.startsWith('server/src/') && file.endsWith('/index.ts'));
  const wrong = maps.flatMap((index) => {
    const map = /^\/\*\n[\s\S]*?\*\//.exec(readFileSync(join(root, index), 'utf8'))?.[0] ?? '';
    const named = [...map.matchAll(/(?<![*\w-])[\w-]+(?:\/[\w-]+)*\.ts\b/g)].map(([name]) => name);
    const places = [dirname(index), 'server/src'];
    const isThere = (name: string) => places.some((place) => files.includes(`${place}/${name}`));
    return named.filter((name) => !isThere(name)).map((name) => `${index}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

/** Their names say what is in them, in every room (docs/architecture.md). */
const ofEveryRoom = ['index.ts', 'model.ts', 'policy.ts', 'store.ts', 'operations.ts', 'deps.ts'];
/** Rooms with a file for each thing of one kind, which their maps do not repeat. */
const ofOneKind = ['cli', 'notify/handlers', 'storage/migrations', 'trackers/field-types'];

/** Files of a room that its map says nothing of; `*-mail.ts` stands for all that end so. */
function leftOutOf(map: string, names: readonly string[]): string[] {
  const patterns = [...map.matchAll(/(?<![\w/-])[\w*-]+\.ts\b/g)].map(
    ([name]) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  );
  return names.filter((name) => !patterns.some((pattern) => pattern.test(name)));
}

test('maps name every file of their room', () => {
  const maps = files.filter((file) => file.startsWith('server/src/') && file.endsWith('/index.ts'));
  const left = maps.flatMap((index) => {
    const room = dirname(index);
    if (ofOneKind.some((name) => room === `server/src/${name}`)) return [];
    const map = /^\/\*\n[\s\S]*?\*\//.exec(readFileSync(join(root, index), 'utf8'))?.[0] ?? '';
    const names = files.filter((file) => dirname(file) === room).map((file) => basename(file));
    const own = names.filter((name) => !ofEveryRoom.includes(name));
    return leftOutOf(map, own).map((name) => `${index}: ${name}`);
  });
  expect(left).toEqual([]);
  expect(leftOutOf('/*\n * a.ts, *-mail.ts; b/c.ts */', ['a.ts', 'c.ts', 'key-mail.ts', 'mail.ts'])).toEqual([
    ...['c.ts', 'mail.ts'],
  ]);
});

const exportPattern = /^export (?:type )?\{([^}]*)\} from '([^']+)'/gm;
const definition = (name: string) =>
  new RegExp(`^export (?:async )?(?:const|function\\*?|class|interface|type) ${name}\\b`, 'm');

/** The file in which a name is defined that a file exports. */
function definedIn(file: string, name: string, read: (file: string) => string): string {
  const text = read(file);
  if (definition(name).test(text)) return file;
  for (const [, names = '', specifier = ''] of text.matchAll(exportPattern)) {
    const entry = names.split(',').map((one) =>
      one
        .trim()
        .replace(/^type /, '')
        .split(' as '),
    );
    const [own] = entry.find(([from, to = from]) => to === name) ?? [];
    if (own !== undefined && specifier.startsWith('.'))
      return definedIn(normalize(join(dirname(file), specifier)), own, read);
  }
  return file;
}

/** Names that doors give to different things. */
function doubleNames(doors: readonly string[], read: (file: string) => string): string[] {
  const places = new Map<string, Set<string>>();
  for (const door of doors)
    for (const [, names = ''] of read(door).matchAll(exportPattern))
      for (const entry of names.split(',').map((one) => one.trim().replace(/^type /, ''))) {
        const name = entry.split(' as ').at(-1) ?? '';
        if (name !== '')
          places.set(name, (places.get(name) ?? new Set()).add(`${definedIn(door, name, read)}`));
      }
  return [...places].flatMap(([name, found]) => (found.size > 1 ? `${name}: ${[...found].join(', ')}` : []));
}

test('no two things that doors give out share a name', () => {
  const doors = files.filter((file) => file.startsWith('server/src/') && file.endsWith('/index.ts'));
  expect(doubleNames(doors, (file) => readFileSync(join(root, file), 'utf8'))).toEqual([]);
  const sources: Readonly<Record<string, string>> = {
    'a/index.ts': "export { type One, two } from './a.ts';",
    'a/a.ts': 'export interface One {}\nexport const two = 2;',
    'b/index.ts': "export { One } from './b.ts';\nexport { two } from '../a/index.ts';",
    'b/b.ts': 'export class One {}',
  };
  expect(doubleNames(['a/index.ts', 'b/index.ts'], (file) => sources[file] ?? '')).toEqual([
    'One: a/a.ts, b/b.ts',
  ]);
});

test('no file leads to itself by what it imports, types included', () => {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  expect(circlesIn(importGraph(sources))).toEqual([]);
});

describe('a circle of imports is found:', () => {
  const circles = (sources: Readonly<Record<string, string>>) =>
    circlesIn(importGraph(new Map(Object.entries(sources))));

  test.each([
    ['of two files', { 'a.ts': "import { b } from './b.ts';", 'b.ts': "import { a } from './a.ts';" }, 2],
    ['of types', { 'a.ts': "import type { B } from './b.ts';", 'b.ts': "export type * from './a.ts';" }, 2],
    ['at run time', { 'a.ts': "await import('./b.ts');", 'b.ts': "import { a } from './a.ts';" }, 2],
    ['of one file', { 'a.ts': "import { a } from './a.ts';" }, 1],
    [
      'behind other files',
      {
        'way.ts': "import { a } from './a.ts';",
        'a.ts': "import { b } from './b.ts';\nimport { end } from './end.ts';",
        'b.ts': "import { end } from './end.ts';\nimport { c } from './c.ts';",
        'c.ts': "import { a } from './a.ts';",
        'end.ts': '',
      },
      3,
    ],
    [
      'between packages',
      {
        'contract/src/index.ts': "import { a } from '../../client/src/a.ts';",
        'client/src/a.ts': "import { b } from '@atelier/contract';",
      },
      2,
    ],
  ])('%s', (_, sources, size) => {
    expect(circles(sources).map((circle) => circle.length)).toEqual([size]);
  });

  test('but none where two ways lead to the same file', () => {
    expect(
      circles({
        'a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';",
        'b.ts': "import { c } from './c.ts';",
        'c.ts': '',
      }),
    ).toEqual([]);
  });
});

describe('a fault is found:', () => {
  test.each([
    ['a field asked for its type', 'server/src/artifacts/a.ts', "if (field.type.code === 'int') go();"],
    ['storage importing identity', 'server/src/storage/open.ts', "import { a } from '../identity/index.ts';"],
    ['a type imported upwards', 'server/src/kernel/text.ts', "import type { B } from '../storage/index.ts';"],
    [
      'an import over several lines',
      'server/src/identity/a.ts',
      "import {\n  b,\n} from '../projects/index.ts';",
    ],
    ['an upward export', 'server/src/identity/a.ts', "export * from '../http/index.ts';"],
    ['an import for its effect', 'server/src/identity/a.ts', "import '../operations.ts';"],
    ['an import at run time', 'server/src/cli/a.ts', "await import('../serve.ts');"],
    [
      'a thread started from below',
      'server/src/http/a.ts',
      "new URL('../threads/http.ts', import.meta.url);",
    ],
    ['the log used from below', 'server/src/http/a.ts', "import { createLog } from '../log.ts';"],
    [
      'a room entered by the window',
      'server/src/http/routes/a.ts',
      "import { b } from '../../identity/store.ts';",
    ],
    ['a room entered from the top', 'server/src/serve.ts', "import { b } from './http/metrics.ts';"],
    ['a room nobody planned', 'server/src/helpers/a.ts', ''],
    ['the contract importing the server', 'contract/src/a.ts', "import { b } from 'atelier/kernel/text';"],
    ['the contract importing the client', 'contract/src/a.ts', "import { b } from '@atelier/client';"],
    ['the client importing the server', 'client/src/a.ts', "import { b } from '../../src/kernel/text.ts';"],
    [
      'the contract reached by its path',
      'client/src/a.ts',
      "import { b } from '../../../contract/src/index.ts';",
    ],
    ['the bench inside the server', 'bench/src/a.ts', "import { b } from '../../src/serve.ts';"],
    ['Kysely outside storage', 'server/src/identity/store.ts', "import { sql } from '@bundled/kysely';"],
    [
      'a type of Kysely outside storage',
      'server/src/identity/store.ts',
      "import type { Kysely } from '@bundled/kysely';",
    ],
    [
      'an artifact that is written by hand',
      'server/src/artifacts/csv/import.ts',
      "await tx.run(tx.sql.updateTable('artifact').set({ document }));",
    ],
    ['PostgreSQL outside storage', 'server/src/cli/doctor.ts', "import pg from 'pg';"],
    [
      'a search that looks into one engine',
      'server/src/search/index/ranked.ts',
      "import { b } from './sqlite/evaluate.ts';",
    ],
    [
      'a search that knows the engine by its door',
      'server/src/search/index/find.ts',
      "import { b } from './sqlite/index.ts';",
    ],
    [
      'a sub-room entered by the window',
      'server/src/artifacts/write/a.ts',
      "import { b } from '../links/plan.ts';",
    ],
    [
      'a sub-room in a sub-room entered from outside',
      'server/src/artifacts/read/a.ts',
      "import { b } from '../totals/kept/index.ts';",
    ],
    [
      'an engine of searches that knows another',
      'server/src/search/index/sqlite/a.ts',
      "import { b } from '../postgres/index.ts';",
    ],
    [
      'the choice of an engine past its door',
      'server/src/search/index/engines.ts',
      "import { b } from './sqlite/merge.ts';",
    ],
    [
      'SQL of one engine in what all searches share',
      'server/src/search/index/plan.ts',
      'sql`select group_concat(id) from artifact`',
    ],
    [
      'a presenter that reads',
      'server/src/present/a.ts',
      "import type { Reader } from '../storage/index.ts';",
    ],
    ['a room that reads the environment', 'server/src/svn/a.ts', "const path = process.env['ATELIER_A'];"],
    [
      'a search that asks for the engine',
      'server/src/search/across/a.ts',
      'if (reader.keepsTextParts) return;',
    ],
    ['SQLite outside the server', 'bench/src/a.ts', "import { DatabaseSync } from 'node:sqlite';"],
  ])('%s', (_, path, text) => {
    expect(faultsIn(path, text)).toHaveLength(1);
  });

  test.each([
    [
      'server/src/http/a.ts',
      "import { a } from '../identity/index.ts';\nimport { b } from '../operations.ts';",
    ],
    ['server/src/identity/a.ts', "import { a } from '../kernel/text.ts';\nimport { b } from './store.ts';"],
    ['server/src/storage/a.ts', "import pg from 'pg';\nimport type { Kysely } from '@bundled/kysely';"],
    ['server/src/http/a.ts', "import { a } from '@atelier/contract';"],
    ['server/src/threads/a.ts', "import { a } from '../log.ts';\nimport { b } from '../cli/index.ts';"],
    ['client/src/a.ts', "import { a } from '@atelier/contract';"],
    [
      'server/src/search/index/sqlite/a.ts',
      "import { a } from '../plan.ts';\nsql`select group_concat(id) from posting`",
    ],
    ['server/src/cli/command.ts', 'readConfig(process.env);'],
    ['server/src/search/index/engines.ts', "import { a } from './postgres/index.ts';"],
    [
      'server/src/artifacts/totals/kept/a.ts',
      "import { a } from '../totals.ts';\nimport { b } from '../../read/index.ts';",
    ],
    ['bench/src/dataset/a.ts', "import { a } from '../../../server/src/storage/index.ts';"],
  ])('but none in %s with its proper imports', (path, text) => {
    expect(faultsIn(path, text)).toEqual([]);
  });
});
