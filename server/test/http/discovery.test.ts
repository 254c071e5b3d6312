import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../src/kernel/values.ts';
import { Caller } from '../harness/atelier.ts';
import { type Demo, startDemo } from '../harness/demo.ts';

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
  let demo: Demo;
  let admin: Caller;

  beforeAll(async () => {
    demo = await startDemo();
    ({ admin } = demo);
  });
  afterAll(() => demo?.stop());

  /** What an address answered: what is wrong with it, and where it leads. */
  interface Place {
    readonly refusal: string[];
    readonly next: string[];
  }

  async function look(caller: Caller, uri: string): Promise<Place> {
    const { status, body, text } = await caller.get(`/${uri}`);
    return { refusal: status === 200 ? [] : [`${uri}: ${status} ${text.slice(0, 100)}`], next: urisIn(body) };
  }

  /** Everything that can be reached from a path, and what it answered where that is no success. `seen`: what the same caller saw before. */
  async function walk(caller: Caller, start: string, seen = new Map<string, Place>()) {
    const reached = new Set<string>([start]);
    const refused: string[] = [];
    for (const uri of reached) {
      const place = seen.get(uri) ?? (await look(caller, uri));
      seen.set(uri, place);
      refused.push(...place.refusal);
      for (const next of place.next) reached.add(next);
    }
    return { reached: [...reached], refused };
  }
  const seenByAdmin = new Map<string, Place>();

  test('reaches everything of the demo by a plain GET', async () => {
    const { reached, refused } = await walk(admin, 'projects', seenByAdmin);
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
    const { reached, refused } = await walk(new Caller(demo.url, {}), 'projects');
    expect(refused.filter((line) => !line.includes(': 401 '))).toEqual([]);
    const needAccount = refused.map((line) => line.split(': ')[0]);
    const shown = reached
      .filter((uri) => !needAccount.includes(uri))
      .map((uri) => uri.replaceAll(/\d+/g, 'N'));
    expect(shown).toEqual(
      expect.arrayContaining(['projects', 'projects/N', 'trackers/N', 'artifacts/N', 'users/N']),
    );
  });

  test('reaches everything of their own account', async () => {
    const { reached, refused } = await walk(admin, 'users/self', seenByAdmin);
    expect(refused).toEqual([]);
    expect(reached.filter((uri) => uri.endsWith('/preferences'))).toHaveLength(1);
  });
});
