import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkplace, uploadInChunks, type Workplace } from '../fixtures/file.ts';
import { createProject } from '../fixtures/project.ts';
import { createRepository, lacksSubversion, SvnClient } from '../fixtures/svn.ts';
import { type Atelier, type Person, startAtelier } from '../harness/atelier.ts';

/**
 * Paths below a folder, the folder itself included, that others than the owner may do something with. Apache writes its number
 * for everybody, into a folder that is closed.
 */
function openPaths(folder: string): string[] {
  const below = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...below.filter((path) => !path.endsWith('.pid'))].filter((name) => {
    // What is made in between may be gone by now.
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
  });
}

describe('the data folder', () => {
  let atelier: Atelier;
  let folder: string;
  let place: Workplace;
  let alice: Person;
  let umask: number;
  beforeAll(async () => {
    // As most shells have it.
    umask = process.umask(0o022);
    atelier = await startAtelier('SQLite', { isAlone: true });
    folder = atelier.instance.folder;
    place = await createWorkplace(atelier);
    alice = place.alice;
  });
  afterAll(async () => {
    await atelier?.stop();
    process.umask(umask);
  });

  test('is closed to everybody else, with all that is written into it', async () => {
    await uploadInChunks(place.alice, Buffer.from('hush'));
    const { id } = await createProject(alice, 'kept', { is_public: false });
    const exported = await fetch(`${atelier.url}/exports/project/${id}.zip`, {
      headers: { 'X-Auth-AccessKey': alice.key },
    });
    expect(exported.status).toBe(200);
    await exported.arrayBuffer();
    expect(openPaths(folder)).toEqual([]);
  });

  test.skipIf(lacksSubversion)('has repositories that Subversion reaches all the same', async () => {
    const { id: project } = await createProject(alice, 'committed');
    const { svn_url } = await createRepository(alice, project, 'firmware');
    const client = new SvnClient();
    const url = svn_url.startsWith('http') ? svn_url : `${atelier.url}${svn_url}`;
    const by = { name: alice.name, password: alice.password };
    const made = await client.run('svn', ['mkdir', '-m', 'begin', `${url}/trunk`], by);
    expect([made.code, made.error]).toEqual([0, '']);
    expect((await client.run('svn', ['list', url], by)).out).toContain('trunk/');
    expect(openPaths(join(folder, 'svn_plugin'))).toEqual([]);
    client.remove();
  });

  test('of an older version is closed by the next start', async () => {
    await atelier.server.end();
    mkdirSync(join(folder, 'old'), { recursive: true });
    writeFileSync(join(folder, 'notes.txt'), 'hush');
    for (const name of ['.', 'old', 'notes.txt', 'atelier.sqlite', 'blobs'])
      chmodSync(join(folder, name), name === 'notes.txt' ? 0o644 : 0o755);
    await atelier.restart();
    expect(openPaths(folder)).toEqual([]);
  });
});
