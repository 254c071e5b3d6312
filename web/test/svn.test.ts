import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lacksSubversion, SvnClient } from '../../server/test/fixtures/svn.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { goInside } from './harness/inside.ts';
import { lacksBrowser, password, type Site, startSite, thoroughTest } from './harness/site.ts';

const manyLines = (from: number, to: number, word = 'value') =>
  Array.from(
    { length: to - from },
    (_, index) => `export const ${word}${from + index} = "text ${from + index}"; // ${index}`,
  ).join('\n');

const basket = 'export function keep(basket: Basket) {\n  const days = 7;\n  return days;\n}\n';

describe.skipIf(lacksBrowser || lacksSubversion)('Subversion pages', () => {
  let site: Site;
  let repository: { id: number; svn_url: string };
  const client = new SvnClient();

  const commit = async (
    login: string,
    message: string,
    files: Readonly<Record<string, string | Buffer>>,
    url = repository.svn_url,
  ) => {
    const actions = Object.entries(files).flatMap(([path, content], index) => {
      const source = join(client.folder, `file-${index}`);
      writeFileSync(source, content);
      return ['put', source, path];
    });
    const options = { name: login, password };
    return client.run('svnmucc', ['-U', url, '-m', message, ...actions], options);
  };
  const must = async (...args: Parameters<typeof commit>) => {
    const said = await commit(...args);
    expect(said.code, said.error).toBe(0);
  };
  const at = (rest: string) => `/svn/${repository.id}${rest}`;
  const blameOf = async (path: string) => {
    const options = { name: 'admin', password };
    return (await client.run('svn', ['blame', `${repository.svn_url}/${path}`], options)).out;
  };

  beforeAll(async () => {
    site = await startSite();
    const made = await site.admin.post('/svn', {
      project_id: 101,
      name: 'site',
      settings: { layout: ['/trunk', '/tags', '/secret'] },
    });
    expect(made.status, made.text).toBe(201);
    repository = made.body;
    await must('admin', 'Baskets as a module', {
      'trunk/basket.ts': basket,
      'trunk/long.ts': `${manyLines(0, 5000)}\n`,
      'trunk/README.md': '# The shop\n\nSee *baskets*.\n',
      'trunk/logo.bin': Buffer.from([0, 1, 2, 0]),
    });
    await must('finn', 'Keep it longer, art #1', { 'trunk/basket.ts': basket.replace('7', '30') });
    await must('admin', 'Rename values', {
      'trunk/long.ts': `${manyLines(0, 1000)}\n${manyLines(1000, 4000, 'other')}\n${manyLines(4000, 5000)}\n`,
    });
    await must('admin', 'Both', { 'secret/plan.txt': 'hidden words\n', 'trunk/plan.txt': 'seen words\n' });
  });
  afterEach(() => site.leave());
  afterAll(async () => {
    client.remove();
    await site?.stop();
  });

  test('P10.1 a repository is made with its folders, and the copied checkout line works with svn', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/lighthouse/svn' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New repository' }).click();
    const dialog = page.getByRole('dialog', { name: 'New repository' });
    await dialog.getByLabel(/^Name/).fill('x');
    await dialog.getByRole('button', { name: 'Create repository' }).click();
    await dialog.getByText(/3 to 255 characters/).waitFor();
    await dialog.getByLabel(/^Name/).fill('payments');
    await dialog.getByRole('button', { name: 'Create repository' }).click();
    await page.getByRole('link', { name: 'branches' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/lighthouse/svn/payments');
    await page.getByRole('link', { name: 'Subversion', exact: true }).click();
    await page.getByRole('button', { name: 'Copy the checkout line of payments' }).click();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    const [program = '', ...args] = line.split(' ');
    const said = await client.run(program, args, { name: 'admin', password });
    expect(said.out, said.error).toContain('Checked out revision 1.');
    expect(said.out).toContain('payments/trunk');
    expect(await page.getByRole('link', { name: 'Make an access key' }).getAttribute('href')).toBe(
      '/account/keys',
    );
    const fresh = await site.visit({ as: 'admin', path: '/projects/lighthouse/svn' });
    await fresh.getByRole('link', { name: 'Make an access key' }).waitFor();
    await expectAccessibleEverywhere(fresh);
  });

  test('P10.2 a commit by svn appears in the log by itself', async () => {
    const page = await site.visit({ as: 'finn', path: at('/log/trunk') });
    await page.getByRole('link', { name: 'r2', exact: true }).waitFor();
    await must('admin', 'Told at once', { 'trunk/news.txt': 'new\n' });
    await page.getByText('Told at once').waitFor({ timeout: 2000 });
    const { body } = await site.as('finn').get('/projects/101/heartbeats');
    expect(body.entries[0].html_message).toContain('Told at once');
  });

  test('P10.3 a file of 5000 lines gets its colours beside the page, which is not held', async () => {
    const page = await site.visit({ as: 'finn', path: at('/file/trunk/long.ts#L4990-4992') });
    await page.getByRole('link', { name: 'Line 4990' }).waitFor();
    await page.locator('[data-highlighted]').waitFor();
    expect(page.workers()).toHaveLength(1);
    expect(await page.getByRole('link', { name: 'Line 4991' }).getAttribute('aria-current')).toBe('location');
    await page.getByRole('link', { name: 'Line 4985' }).click();
    await page.getByRole('link', { name: 'Line 4987' }).click({ modifiers: ['Shift'] });
    expect(new URL(page.url()).hash).toBe('#L4985-4987');
    await page.getByText('5000 lines', { exact: false }).waitFor();
    await expectAccessibleEverywhere(page);
  });

  test('P10.4 of differences of thousands of lines only those are drawn that are seen, to their end', async () => {
    const page = await site.visit({ as: 'finn', path: at('/revisions/4') });
    await page.getByRole('button', { name: 'Unfold trunk/long.ts' }).click();
    await page.getByText('+4000').first().waitFor();
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.locator('mark').first().waitFor();
    expect(await differences.locator('code').count()).toBeLessThan(200);
    await expect
      .poll(
        async () => {
          await differences.evaluate((box) => box.scrollTo(0, box.scrollHeight));
          return page.getByText('value4999').count();
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    expect(await differences.locator('code').count()).toBeLessThan(200);
  });

  test('P10.5 a path that the access file hides is in no tree, log, differences or search', async () => {
    await setAccess('[/secret]\n* =\n@members =\nadmin = rw');
    const page = await site.visit({ as: 'finn', path: at('') });
    await page.getByRole('link', { name: 'trunk' }).waitFor();
    expect(await page.getByRole('link', { name: 'secret' }).count()).toBe(0);
    await page.keyboard.press('t');
    await page.getByRole('combobox', { name: 'Find a file in site' }).fill('plan');
    await page.getByRole('option', { name: /trunk\/plan\.txt/ }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText('seen words').waitFor();
    await page.goto(site.url + at('/log'));
    await page.getByText('The message is hidden from you').first().waitFor();
    expect(await page.getByText('Both', { exact: true }).count()).toBe(0);
    await page.goto(site.url + at('/revisions/5'));
    await page.getByText('Some of it is hidden from you').waitFor();
    await page.getByText('seen words').waitFor();
    expect(await page.content()).not.toMatch(/secret|hidden words/);
    await page.goto(site.url + at('/tree/secret'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.content()).not.toContain('plan.txt');
    await setAccess('');
  });

  test('P10.6 a fault in the access file is marked at its line, and what is stored stays', async () => {
    await setAccess('[/trunk]\n@members = r');
    const page = await site.visit({ as: 'admin', path: at('/settings/access') });
    const editor = page.getByRole('textbox', { name: 'Access file' });
    await page.getByText('Subversion understands it.').waitFor();
    await write(page, '[/trunk]\n@members = rw\n* = rx');
    await page.getByText('Line 3:').waitFor();
    await page.getByText(/access mode 'x'/).waitFor();
    expect(await editor.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true');
    expect(await stored()).toMatchObject({ access_file: '[/trunk]\n@members = r' });
    await write(page, '[/trunk]\n@members = r\n@ghosts = rw');
    await page.getByText(/no group @ghosts/).waitFor();
    await page.getByLabel('User name').fill('finn');
    await page.getByLabel('Path').fill('/trunk');
    await page.getByText('Reads', { exact: true }).waitFor();
    await expectAccessibleEverywhere(page);
    await page.getByRole('link', { name: 'Immutable tags' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
    // Numbers of lines are on the wall in both themes; the last one above is dark.
    const groundOf = (element: Element) => getComputedStyle(element).backgroundColor;
    expect(await page.locator('.cm-gutters').evaluate(groundOf)).toBe(
      await page.getByRole('navigation', { name: 'Main', exact: true }).evaluate(groundOf),
    );
  });

  test('P10.7 an old version of the access file is used again', async () => {
    await setAccess('[/tags]\n@members = r');
    await setAccess('[/tags]\n@members = rw');
    const page = await site.visit({ as: 'admin', path: at('/settings/access') });
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions
      .getByRole('button', { name: /^Use version \d+ again$/ })
      .first()
      .click();
    await page.getByText('Subversion understands it.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    expect(await stored()).toMatchObject({ access_file: '[/tags]\n@members = r' });
    await setAccess('');
  });

  test('P10.8 the preview of immutable tags says what svn then does', async () => {
    const options = { name: 'admin', password };
    const folders = ['mkdir', 'tags/1.0', 'mkdir', 'tags/drafts', 'mkdir', 'tags/drafts/one'];
    await client.run('svnmucc', ['-U', repository.svn_url, '-m', 'Tags', ...folders], options);
    const page = await site.visit({ as: 'admin', path: at('/settings/tags') });
    await page.getByLabel('Protected folders').fill('/tags');
    await page.getByLabel('Exceptions').fill('/tags/drafts');
    const list = (name: string) =>
      page.getByRole('region', { name, exact: true }).getByRole('listitem').allTextContents();
    await page.getByRole('region', { name: 'Open for new tags' }).getByText('/tags/drafts').waitFor();
    const [sealed, open] = [await list('Protected'), await list('Open for new tags')];
    expect([sealed, open]).toEqual([
      ['/tags/1.0', '/tags/drafts/one'],
      ['/tags', '/tags/drafts'],
    ]);
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    const make = async (folder: string) =>
      (
        await client.run(
          'svnmucc',
          ['-U', repository.svn_url, '-m', 'Try', 'mkdir', `${folder.slice(1)}/new`],
          options,
        )
      ).code;
    for (const folder of sealed) expect([folder, await make(folder)]).toEqual([folder, 1]);
    for (const folder of open) expect([folder, await make(folder)]).toEqual([folder, 0]);
  });

  thoroughTest(
    'an address of what is not there says so inside its repository, and leads back into it',
    async () => {
      const page = await site.visit({ as: 'ada', path: at('/tree/trunk/nowhere') });
      const nothing = page.getByText('Nothing is here');
      for (const rest of [
        '/tree/trunk/nowhere',
        '/blame/trunk/nowhere.ts',
        '/log/nowhere',
        '/file/trunk/plan.txt?rev=1',
      ]) {
        await page.goto(site.url + at(rest));
        await nothing.waitFor();
      }
      await page.goto(site.url + at('/revisions/4711'));
      await page.getByText('No such revision').waitFor();
      await page.getByRole('link', { name: 'Open the repository' }).click();
      await page.getByRole('link', { name: 'trunk', exact: true }).first().waitFor();
    },
  );

  test('P10.11 a repository is deleted, and kept before it is gone', async () => {
    const { body: doomed } = await site.admin.post('/svn', { project_id: 101, name: 'doomed' });
    const page = await site.visit({ as: 'admin', path: `/svn/${doomed.id}/settings/danger` });
    await page.getByRole('button', { name: 'Delete the repository' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the repository' }).click();
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Waits for its deletion' });
    await row.waitFor();
    const inSidebar = page.getByRole('navigation').getByRole('link', { name: 'doomed', exact: true });
    await inSidebar.waitFor({ state: 'detached' });
    // What is about to go is offered to nobody.
    expect(await row.getByText('svn checkout').count()).toBe(0);
    await row.getByRole('button', { name: 'Keep it' }).click();
    await page.getByText('The repository doomed is kept.').first().waitFor();
    await row.waitFor({ state: 'detached' });
    await inSidebar.waitFor();
    expect((await site.admin.get(`/svn/${doomed.id}`)).body.is_deletion_pending).toBe(false);
  });

  thoroughTest(
    'settings that somebody else changed meanwhile are shown first, and nothing is lost',
    async () => {
      const page = await site.visit({ as: 'admin', path: at('/settings/rules') });
      const box = page.getByRole('checkbox', { name: /Messages can be changed later/ });
      await box.waitFor();
      await setAccess('[/trunk]\n* = r', true);
      await page.getByText('Messages can be changed later').click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Somebody changed this meanwhile.', { exact: false }).waitFor();
      const difference = page.getByRole('figure', { name: 'From theirs to yours' });
      await difference.getByText('Messages can be changed later: on').waitFor();
      await page.getByRole('button', { name: 'Save mine' }).click();
      await page.getByText('Saved.').first().waitFor();
      expect(await stored()).toMatchObject({
        access_file: '[/trunk]\n* = r',
        commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: true },
      });
      await setAccess('');
    },
  );

  thoroughTest('mails are set up: a path, an address, the header of subjects', async () => {
    const page = await site.visit({ as: 'admin', path: at('/settings/notifications') });
    // By keys one is at the path that was added, and goes on beside one that was removed.
    const add = page.getByRole('button', { name: 'Add a path' });
    const pathAt = (place: number) => page.getByLabel('Path').nth(place);
    const hasFocus = (control: Locator) => control.evaluate((element) => element === document.activeElement);
    for (const place of [0, 1]) {
      await add.press('Enter');
      await expect.poll(() => pathAt(place).count()).toBe(1);
      await expect.poll(() => hasFocus(pathAt(place))).toBe(true);
    }
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('/branches');
    const removing = page.getByRole('button', { name: /^Remove \// });
    await removing.last().press('Enter');
    await expect.poll(() => hasFocus(removing)).toBe(true);
    await pathAt(0).fill('/trunk');
    await page.getByRole('combobox', { name: 'Addresses' }).click();
    await page.keyboard.type('coast@example.org');
    await page.getByRole('option', { name: /coast@example\.org/ }).click();
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').first().waitFor();
    expect((await stored()).email_notifications).toMatchObject([
      { path: '/trunk', emails: ['coast@example.org'] },
    ]);
    await page.getByLabel('In front of every subject').fill('[site]');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await expect
      .poll(async () => (await site.admin.get(`/svn/${repository.id}/mail_settings`)).body.subject_header)
      .toBe('[site]');
  });

  thoroughTest('statistics tell who read, wrote and looked, by person and by day', async () => {
    const options = { name: 'finn', password };
    const said = await client.run('svn', ['ls', '-v', `${repository.svn_url}/trunk`], options);
    expect(said.code, said.error).toBe(0);
    expect((await client.run('svn', ['log', repository.svn_url], options)).code).toBe(0);
    await site.as('finn').get(at('/tree?path=/trunk'));
    await expect
      .poll(async () => (await site.admin.get(at('/statistics'))).body, { timeout: 30_000 })
      .toContainEqual(
        expect.objectContaining({ user: expect.objectContaining({ username: 'finn' }), writes: 1 }),
      );
    const page = await site.visit({ as: 'admin', path: at('/settings/statistics') });
    const people = page.getByRole('table', { name: 'By person' });
    await people.getByRole('row', { name: /Finn/ }).waitFor();
    await page.getByRole('table', { name: 'By day' }).getByRole('row').nth(1).waitFor();
    await expectAccessibleEverywhere(page);
    expect((await site.as('finn').get(at('/statistics'))).status).toBe(403);
  });

  thoroughTest(
    'a revision of 45 MB opens, says that the rest is left out, and the page stays alive',
    async () => {
      const line = `${'x'.repeat(90)}\n`;
      await must('admin', 'Enormous', { 'trunk/enormous.txt': line.repeat(500_000) });
      const { body } = await site.admin.get(at('/log?path=/trunk/enormous.txt'));
      const page = await site.visit({ as: 'finn', path: at(`/revisions/${body.revisions[0].revision}`) });
      await page.getByText('Only the first 16 MB are shown').waitFor({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Unfold trunk/enormous.txt' }).waitFor();
      await page.getByRole('link', { name: 'Subversion', exact: true }).first().click();
      await page
        .getByRole('button', { name: /checkout line/ })
        .first()
        .waitFor();
    },
  );

  thoroughTest('an access file of 10 000 lines is checked, told of by its line, and stored', async () => {
    const comments = Array.from({ length: 9998 }, (_, index) => `#${index}`);
    const lines = [...comments, '[/trunk]', '@members = r'];
    await setAccess(lines.join('\n'));
    const page = await site.visit({ as: 'admin', path: at('/settings/access') });
    await page.getByText('Subversion understands it.').waitFor({ timeout: 60_000 });
    const checked = await site.admin.post(at('/access_file_checks'), {
      access_file: `${lines.join('\n')}\n* = rx`,
    });
    expect(checked.body.faults, checked.text).toMatchObject([{ line: 10_001 }]);
    expect((await stored()).access_file.split('\n')).toHaveLength(10_000);
    const more = await site.admin.post(at('/access_file_checks'), { access_file: 'x'.repeat(70_000) });
    expect(more.status).toBeLessThan(500);
    await setAccess('');
  });

  thoroughTest('a folder of 20 000 files is read page by page, and the page stays alive', async () => {
    const made = await site.admin.post('/svn', { project_id: 101, name: 'crowded' });
    expect(made.status, made.text).toBe(201);
    const folder = join(site.folder, 'svn_plugin', '101', 'crowded');
    const nodes = Array.from(
      { length: 20_000 },
      (_, index) =>
        `Node-path: many/file-${String(index).padStart(5, '0')}.txt\nNode-kind: file\nNode-action: add\n\n`,
    );
    const own =
      'K 7\nsvn:log\nV 4\nMany\nK 10\nsvn:author\nV 5\nadmin\nK 8\nsvn:date\nV 27\n2026-01-31T12:00:00.000000Z\nPROPS-END\n';
    const head = `Revision-number: 1\nProp-content-length: ${own.length}\nContent-length: ${own.length}\n\n${own}\n`;
    const root = 'Node-path: many\nNode-kind: dir\nNode-action: add\n\n';
    const { uid, gid } = statSync(folder);
    // Subversion makes as many files on its way: in memory that takes a quarter of the time.
    const workplace = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'atelier-crowded-'));
    try {
      execFileSync('cp', ['-a', `${folder}/.`, workplace]);
      execFileSync('svnadmin', ['load', '-q', '--no-flush-to-disk', workplace], {
        input: `SVN-fs-dump-format-version: 2\n\n${head}${root}${nodes.join('')}`,
      });
      execFileSync('cp', ['-a', `${workplace}/.`, folder]);
    } finally {
      rmSync(workplace, { recursive: true, force: true });
    }
    execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
    const page = await site.visit({ as: 'admin', path: `/svn/${made.body.id}/tree/many` });
    await page.getByRole('link', { name: 'file-00000.txt' }).waitFor({ timeout: 60_000 });
    const answer = await site.admin.get(`/svn/${made.body.id}/tree?path=/many&limit=50&offset=19990`);
    expect(answer.body.entries).toHaveLength(10);
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByRole('combobox').fill('19999');
    await page.getByText('file-19999.txt').first().waitFor({ timeout: 60_000 });
  });

  test('P10.9 the artifact of a commit is opened from it, and shows the commit', async () => {
    const page = await site.visit({ as: 'finn', path: at('/revisions/3') });
    // Once, and exactly.
    await page
      .locator('header time')
      .filter({ hasText: /^\d+ \w+ \d\d:\d\d$/ })
      .waitFor();
    await page.getByRole('heading', { level: 1, name: 'Keep it longer, art #1' }).waitFor();
    await page.getByRole('link', { name: /art #1 .+/ }).click();
    await page.waitForURL(`${site.url}/artifacts/1`);
    const shown = page.getByText('Keep it longer').first();
    await shown.waitFor();
    await page.getByRole('link', { name: 'site r3' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Keep it longer, art #1' }).waitFor();
  });

  test('P10.10 blame says of every line what svn blame says', async () => {
    const page = await site.visit({ as: 'finn', path: at('/blame/trunk/basket.ts') });
    await page.getByRole('link', { name: 'Line 4' }).waitFor();
    const said = (await blameOf('trunk/basket.ts')).trimEnd().split('\n');
    const runs = said.map((line) => `r${Number(line.slice(0, 6))}`);
    const firsts = runs.filter((run, index) => run !== runs[index - 1]);
    const shown = await page.getByRole('button', { name: /^r\d+$/ }).allTextContents();
    expect(shown).toEqual(firsts);
    await page.getByRole('button', { name: 'r3' }).click();
    const card = page.getByRole('dialog', { name: 'r3' });
    await card.getByText('Keep it longer').waitFor();
    await card.getByRole('link', { name: 'Blame before it' }).click();
    await page.getByRole('button', { name: 'r3' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Line 4' }).waitFor();
    expect(new URL(page.url()).search).toBe('?rev=2');
    await expectAccessibleEverywhere(page);
  });

  test('P10.13 addresses of mails and of other pages lead to these', async () => {
    const page = await site.visit({ as: 'finn' });
    const lead = async (from: string) => {
      await page.goto(site.url + from);
      const { pathname, search } = new URL(page.url());
      return pathname + search;
    };
    const root = 'roottype=svn&root=lighthouse%2Fsite';
    expect(await lead(`/plugins/svn/?${root}&view=rev&revision=3`)).toBe(
      '/projects/lighthouse/svn/site/revisions/3',
    );
    await page.getByRole('heading', { level: 1, name: 'Keep it longer, art #1' }).waitFor();
    expect(await lead(`/plugins/svn/trunk/basket.ts?${root}&r1=2&r2=3`)).toBe(
      '/projects/lighthouse/svn/site/compare/trunk/basket.ts?from=2&to=3',
    );
    await page.getByText('const days = 30;').first().waitFor();
    expect(await lead(`/plugins/svn/trunk?${root}`)).toBe('/projects/lighthouse/svn/site/tree/trunk');
    await page.getByRole('link', { name: 'basket.ts' }).waitFor();
    expect(await lead('/plugins/svn/?group_id=101')).toBe('/projects/101/svn');
    await page
      .getByText(/repositor/)
      .first()
      .waitFor();
    expect(await lead('/goto?key=svn&val=site%2F3&group_id=lighthouse')).toBe(
      '/projects/lighthouse/svn/site/revisions/3',
    );
  });

  thoroughTest(
    'files are looked at by keys: up with an arrow, an address with its revision by y',
    async () => {
      const page = await site.visit({ as: 'finn', path: at('/tree/trunk') });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('heading', { name: 'The shop' }).waitFor();
      await page.getByRole('link', { name: 'logo.bin' }).click();
      await page.getByText('The file is no text (4 bytes).').waitFor();
      await page.keyboard.press('y');
      await page.waitForURL(/\?rev=\d+$/);
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('link', { name: 'basket.ts' }).waitFor();
    },
  );

  thoroughTest('every page is for everybody, in both themes, on phones and desks', async () => {
    const page = await site.visit({ as: 'finn', path: at('/tree/trunk') });
    await page.getByRole('heading', { name: 'The shop' }).waitFor();
    await expectAccessibleEverywhere(page);
    for (const [path, seen] of [
      ['/log', 'Rename values'],
      ['/revisions/3', '+1'],
      ['/compare/trunk/basket.ts?from=2&to=3', '+1'],
    ] as const) {
      await goInside(page, at(path));
      await page.getByText(seen, { exact: true }).first().waitFor();
      await expectAccessibleEverywhere(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await expectNoSidewaysScrolling(page);
    }
  });

  async function stored() {
    return (await site.admin.get(`/svn/${repository.id}`)).body.settings;
  }

  async function setAccess(text: string, isReferenceMandatory = false): Promise<void> {
    const { status, text: said } = await site.admin.put(`/svn/${repository.id}`, {
      settings: {
        commit_rules: {
          is_reference_mandatory: isReferenceMandatory,
          is_commit_message_change_allowed: false,
        },
        immutable_tags: { paths: [], whitelist: [] },
        access_file: text,
        email_notifications: [],
      },
    });
    expect(status, said).toBe(200);
  }
});

describe.skipIf(lacksBrowser)('without Subversion', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ ATELIER_SVN_PATH: '/nowhere' });
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  test('P10.12 the page says which packages are missing', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/lighthouse/svn' });
    await page.getByText(/subversion, apache2-bin and libapache2-mod-svn/).waitFor();
    await expectAccessibleEverywhere(page);
  });
});

/** Writes another text into the editor of the access file, as somebody would. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content[aria-label="Access file"]').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) await page.keyboard.press('Enter');
    await page.keyboard.type(line);
    // What is offered for a name is left aside.
    await page.keyboard.press('Escape');
  }
}
