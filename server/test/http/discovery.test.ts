import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../src/kernel/values.ts';
import { Caller, type ServerProcess, startServer } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

/** Where something is made, by POST. */
const isForMaking = (name: string) => name === 'file_creation_uri';
/** Everybody is in groups of the platform: compatible answers name their lists, and there are none. */
const isOfPlatformGroup = (uri: string) => /^user_groups\/\d\/users$/.test(uri);

/** Addresses of the API in an answer, wherever they stand; those that begin with a slash are pages. */
function urisIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(urisIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && /^(uri|.*_uri)$/.test(name) && !member.startsWith('/')
      ? [member].filter((uri) => !isForMaking(name) && !isOfPlatformGroup(uri))
      : urisIn(member),
  );
}

describe('whoever follows the addresses in answers', () => {
  let folder: string;
  let server: ServerProcess;
  let admin: Caller;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atelier-discovery-'));
    server = await startServer({
      ATELIER_ARGON2_MEMORY: '8',
      ATELIER_ARGON2_PASSES: '1',
      ATELIER_HTTP_THREADS: '1',
      ATELIER_DATA: join(folder, 'data'),
      ATELIER_PORT: '0',
      ATELIER_HOST: '127.0.0.1',
      ATELIER_APT: '0',
      ATELIER_DEMO: '1',
    });
    const key = /X-Auth-AccessKey: (\S+?)['"]/.exec(server.output())?.[1] ?? '';
    admin = new Caller(server.url, { 'X-Auth-AccessKey': key });
    await eventually(async () => expect((await admin.get('/projects')).body).not.toEqual([]));
  });
  afterAll(async () => {
    await server?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Everything that can be reached from a path, and what it answered where that is no success. */
  async function walk(caller: Caller, start: string) {
    const reached = new Set<string>([start]);
    const refused: string[] = [];
    for (const uri of reached) {
      const { status, body, text } = await caller.get(`/${uri}`);
      if (status !== 200) refused.push(`${uri}: ${status} ${text.slice(0, 100)}`);
      for (const next of urisIn(body)) reached.add(next);
    }
    return { reached: [...reached], refused };
  }

  test('reaches everything of the demo by a plain GET', async () => {
    const { reached, refused } = await walk(admin, 'projects');
    expect(refused).toEqual([]);
    const kinds = new Set(reached.map((uri) => uri.replaceAll(/\d+/g, 'N').replace(/\?.*/, '')));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'projects/N',
        'projects/N/trackers',
        'trackers/N/artifacts',
        'artifacts/N',
        'artifacts/N/links',
        'artifacts/N/linked_artifacts',
        'project_services/N',
        'users/N',
        'users/N/preferences',
      ]),
    );
  });

  test('is refused nothing without an account but what needs one', async () => {
    const { refused } = await walk(new Caller(server.url, {}), 'projects');
    expect(refused.filter((line) => !line.includes(': 401 '))).toEqual([]);
  });

  test('reaches everything of their own account', async () => {
    const { reached, refused } = await walk(admin, 'users/self');
    expect(refused).toEqual([]);
    expect(reached.filter((uri) => uri.endsWith('/preferences'))).toHaveLength(1);
  });
});
