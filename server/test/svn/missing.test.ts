import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toFailure } from '../../src/http/pipeline/index.ts';
import { answerDavLine, DavLine, DavServer } from '../../src/svn/index.ts';
import { createProject } from '../fixtures/project.ts';
import { wholeSettings } from '../fixtures/svn.ts';
import { type Atelier, type Person, runCommand, startAtelier } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';

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
  // Who may not have one is not told what is missing.
  const bob = await atelier.createUser('bob');
  expect((await bob.post('/svn', { project_id: id, name: 'nothing' })).status).toBe(403);
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
  const { code, stdout } = await runCommand({ ATELIER_APT: '0', ATELIER_SVN_PATH: '/nowhere' }, [
    'svn',
    'install',
  ]);
  expect([code, stdout]).toEqual([1, expect.stringContaining(said)]);
});

test.runIf(process.getuid?.() === 0)(
  'says in a line that Subversion was installed in the background',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-packages-'));
    const [programs, installed] = ['programs', 'installed'].map((name) => join(folder, name));
    for (const each of [programs, installed]) mkdirSync(String(each));
    // Stands for the one of Debian: puts there what the packages bring, and takes its time.
    const parts = ['svn', 'svnadmin', 'svnlook', 'svnauthz', 'apache2', 'mod_dav_svn.so', 'mod_authz_svn.so'];
    const installer = join(String(programs), 'apt-get');
    writeFileSync(
      installer,
      `#!/bin/sh\nfor part in ${parts.join(' ')}; do : > '${installed}'/$part; done\n`,
    );
    chmodSync(installer, 0o755);
    const other = await startAtelier('SQLite', {
      env: {
        ATELIER_APT: '1',
        ATELIER_SVN_PATH: String(installed),
        PATH: [programs, process.env['PATH']].join(delimiter),
      },
    });
    await eventually(() =>
      expect(other.server.output().split('\n')).toEqual(
        expect.arrayContaining([
          `Subversion is not installed: apt-get installs ${packages} now.`,
          'Subversion is installed: repositories can be made and used now.',
        ]),
      ),
    );
    await other.stop();
  },
);

test('a disk without room for what serves repositories is 503, though another thread finds it so', async () => {
  const { port1, port2 } = new MessageChannel();
  const onFullDisk = (): never => {
    writeFileSync('/dev/full', 'x');
    throw new Error('A full device took what was written.');
  };
  const setup = { svnWorkspace: onFullDisk, secrets: { hooks: 'x' }, tell: () => {} };
  answerDavLine(port1, new DavServer(setup));
  const asked = new DavLine(port2).doorFor({ spelling: 'code', projectId: 101 }, [], 'alice');
  const failure = toFailure(await asked.catch((error: unknown) => error));
  expect([failure.status, failure.retryAfter]).toEqual([503, 5]);
  port2.close();
});
