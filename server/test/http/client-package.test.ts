import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkplace, type Workplace } from '../fixtures/file.ts';
import { type Atelier, startAtelier } from '../harness/atelier.ts';
import { endsWithTests } from '../harness/processes.ts';

const root = dirname(dirname(dirname(import.meta.dirname)));
const readme = readFileSync(join(root, 'client', 'README.md'), 'utf8');
/** The parts of its example are one program. */
const example = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, part]) => part).join('\n');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  [command = '', ...args]: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|ATELIER_|VITEST|NODE_)/i.test(name),
  );
  const env = { ...Object.fromEntries(inherited), ...more };
  const child = endsWithTests(spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said.stderr += part;
  });
  const [code] = await once(child, 'close');
  return { code, ...said };
}

/** Every Node that the path leads to, besides the one that runs this. */
const nodes = () => [
  process.execPath,
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .map((place) => join(place, 'node'))
    .filter(existsSync),
];

async function oldestNode(): Promise<string> {
  const found = await Promise.all(
    nodes().map(async (node) => {
      const { stdout } = await run([node, '--version'], root);
      const [major = 0, minor = 0] = stdout.slice(1).split('.').map(Number);
      return { node, major, age: major * 1000 + minor };
    }),
  );
  // The package promises 20 and later.
  const usable = found.filter(({ major }) => major >= 20).sort((left, right) => left.age - right.age);
  return usable[0]?.node ?? process.execPath;
}

const compile = (folder: string) =>
  run([process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], folder);

const manifest = { name: 'fresh', version: '1.0.0', type: 'module', private: true };

/** As demanding as settings get. */
const settings = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: false,
    skipLibCheck: false,
    noEmit: true,
  },
};

/** What must be refused, beside what must be understood. */
const typed = `
import { type Answer, type Client, createClient, TooManyRequestsError } from '@atelier/client';
import { type Artifact, createArtifact, getArtifact, getUser, getVersion, listUsers, type MinimalUser, putArtifact } from '@atelier/client/routes';

const client: Client = createClient({ baseUrl: '' });
export async function understood(): Promise<void> {
  const artifact: Artifact = await client.call(getArtifact, { params: { id: 1 } });
  const answer: Answer<typeof putArtifact> = await client.send(putArtifact, { params: { id: 1 }, body: { values: [] }, ifMatch: '"1"' });
  const names: (string | null)[] = [artifact.submitted_by_user.username, ...answer.body.assignees.map(({ username }) => username)];
  for await (const user of client.all(listUsers, { query: { query: 'a' } })) {
    const known: MinimalUser = user;
    names.push(known.username);
  }
  const nothing: undefined = await client.call(createArtifact, { body: { tracker: { id: 1 } } }).then(() => undefined);
  const error: unknown = nothing;
  if (error instanceof TooManyRequestsError) { const seconds: number | undefined = error.retryAfter; names.push(String(seconds)); }
}
export function refused(): void {
  // @ts-expect-error the path has a variable
  client.call(getUser);
  // @ts-expect-error it is a number
  client.call(getArtifact, { params: { id: 'one' } });
  // @ts-expect-error the query is needed
  client.call(listUsers);
  // @ts-expect-error the body has no such member in the place of one that it needs
  client.call(createArtifact, { body: { trackers: { id: 1 } } });
  // @ts-expect-error the route takes no body
  client.call(getVersion, { body: {} });
  // @ts-expect-error the route has no pages
  client.pages(getVersion);
  // @ts-expect-error the route answers no file
  client.download(getVersion);
}
`;

/** The names of all routes whose parts are not what the contract says; types read from it are no narrower either. */
const compared = `
import type * as source from '${join(root, 'contract', 'src', 'index.ts')}';
import type * as built from '@atelier/client/routes';

type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;
type Contract = typeof source;
type Package = typeof built;
type RouteName = { [Name in keyof Contract]: Contract[Name] extends source.RouteContract ? Name : never }[keyof Contract];
type Agreement = {
  [Name in RouteName & keyof Package]: [
    Same<built.ParamsOf<Package[Name]>, source.ParamsOf<Contract[Name]>>,
    Same<built.QueryOf<Package[Name]>, source.QueryOf<Contract[Name]>>,
    Same<built.BodyOf<Package[Name]>, source.BodyOf<Contract[Name]>>,
    Same<built.ResponseOf<Package[Name]>, source.ResponseOf<Contract[Name]>>,
  ];
};
type Wrong = { [Name in keyof Agreement]: Agreement[Name] extends [true, true, true, true] ? never : Name }[keyof Agreement];
declare const wrong: Wrong;
declare const missing: Exclude<RouteName, keyof Package>;
declare const known: 'getArtifact' extends RouteName ? true : false;
export const nothing: [never, never, true] = [wrong, missing, known];
`;

describe('the package of the client in a fresh project', () => {
  let atelier: Atelier;
  let place: Workplace;
  let project: string;

  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), 'atelier-fresh-project-'));
    const home = mkdtempSync(join(tmpdir(), 'atelier-empty-home-'));
    const quietly = ['--no-audit', '--no-fund', '--no-update-notifier'];
    const packed = await run(['npm', 'pack', '--pack-destination', project], join(root, 'client'));
    expect(packed, packed.stderr).toMatchObject({ code: 0 });
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
    const [tarball = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
    const install = ['npm', 'install', '--offline', ...quietly, join(project, tarball)];
    const installed = await run(install, project, { HOME: home });
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    atelier = await startAtelier('SQLite');
    place = await createWorkplace(atelier);
    const { status, text } = await place.alice.put(`/trackers/${place.tracker}/semantics`, {
      title: { field_id: place.title },
    });
    expect(status, text).toBe(200);
  });
  afterAll(() => atelier.stop());

  test('it has built code and types, and asks for nothing else', () => {
    const folder = join(project, 'node_modules');
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['@atelier']);
    expect(readdirSync(join(folder, '@atelier'))).toEqual(['client']);
    const files = readdirSync(join(folder, '@atelier', 'client'), { recursive: true }).map(String);
    expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name)).sort()).toEqual([
      'README.md',
      'dist',
      'package.json',
    ]);
    for (const name of files.filter((file) => file.startsWith('dist/'))) {
      const text = readFileSync(join(folder, '@atelier', 'client', name), 'utf8');
      const imported = [...text.matchAll(/\bfrom ['"]([^'"]+)['"]/g)].map(([, from]) => from);
      expect(
        imported.filter((from) => !/^\.\/\w+\.js$/.test(from ?? '')),
        name,
      ).toEqual([]);
    }
  });

  test('the example of its README runs on the oldest Node there is, for an ordinary account', async () => {
    writeFileSync(join(project, 'example.mjs'), example);
    const node = await oldestNode();
    const ended = await run([node, 'example.mjs'], project, {
      ATELIER_URL: atelier.url,
      ATELIER_KEY: place.bob.key,
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.split('\n')).toEqual([
      'I am bob Doe (bob).',
      expect.stringMatching(/^\d of \d people found$/),
      expect.stringMatching(/^Reporting to /),
      expect.stringMatching(/ #1: The basket forgets$/),
      'Somebody else was faster: read it again.',
      'There is no such artifact.',
      '0 of 20 bytes',
      '20 of 20 bytes',
      'not really a picture',
      expect.stringMatching(/^text\/csv/),
      '',
    ]);
  });

  test('its types are those of the contract', async () => {
    const folder = join(project, 'compared');
    mkdirSync(folder);
    writeFileSync(join(folder, 'compared.ts'), compared);
    const compilerOptions = {
      ...settings.compilerOptions,
      exactOptionalPropertyTypes: false,
      lib: ['esnext', 'dom', 'dom.iterable'],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    expect(await compile(folder)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('the compiler understands its types with strict settings, and refuses what a route does not take', async () => {
    writeFileSync(join(project, 'typed.ts'), typed);
    writeFileSync(
      join(project, 'example.ts'),
      `declare const process: { readonly env: Readonly<Record<string, string | undefined>> };\n${example}`,
    );
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['*.ts'] }));
    expect(await compile(project)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
