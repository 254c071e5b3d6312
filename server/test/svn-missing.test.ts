import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Atelier, type Person, runCommand, startAtelier } from './harness/atelier.ts';
import { createProject } from './project-fixtures.ts';
import { wholeSettings } from './svn-fixtures.ts';

const packages = 'subversion, apache2-bin, libapache2-mod-svn';

let atelier: Atelier;
let alice: Person;
beforeAll(async () => {
  atelier = await startAtelier('SQLite', { env: { ATELIER_SVN_PATH: '/nowhere' } });
  alice = await atelier.createUser('alice');
});
afterAll(() => atelier.stop());

test('without Subversion repositories are refused with the names of the packages, and the rest works', async () => {
  const { id } = await createProject(alice, 'lonely');
  const replies = [
    await alice.post('/svn', { project_id: id, name: 'nothing' }),
    await alice.put('/svn/1', { settings: wholeSettings }),
    await alice.delete('/svn/1'),
  ];
  for (const { status, body } of replies)
    expect([status, body.error.message]).toEqual([503, expect.stringContaining(packages)]);
  expect((await alice.get(`/projects/${id}/svn`)).body).toEqual({ repositories: [] });
  expect((await alice.get('/svn/1')).status).toBe(404);
});

test('the service says in one line what to install where it may not do so itself', async () => {
  const said = 'Subversion is not installed, so there are no repositories (on Debian: apt install subversion';
  expect(
    atelier.server
      .output()
      .split('\n')
      .filter((line) => line.startsWith(said)),
  ).toHaveLength(1);
  const { stdout } = await runCommand({ ATELIER_APT: '0', ATELIER_SVN_PATH: '/nowhere' }, ['svn', 'install']);
  expect(stdout).toContain(said);
});
