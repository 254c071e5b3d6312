import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ZipWriter } from '../../server/src/archive/index.ts';
import { MailServer } from '../../server/test/fixtures/notify.ts';
import { projectXml, trackersXml, trackerXml, usersXml } from '../../server/test/fixtures/project-archive.ts';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { goInside } from './harness/inside.ts';
import {
  lacksBrowser,
  lacksSubversion,
  password,
  type Site,
  startSite,
  thoroughTest,
} from './harness/site.ts';

/** A project as one zip file. */
async function archiveBytes(name = 'harbour', titles: readonly string[] = []): Promise<Buffer> {
  const path = join(mkdtempSync(join(tmpdir(), 'atelier-archive-')), `${name}.zip`);
  const zip = await ZipWriter.create(path);
  const project = projectXml(name, trackersXml(trackerXml('T1', 'chore', titles)));
  await zip.add('project.xml', Readable.from([Buffer.from(project)]));
  await zip.add('users.xml', Readable.from([Buffer.from(usersXml([]))]));
  await zip.finish();
  return readFileSync(path);
}

const pages = [
  ['overview', 'Overview'],
  ['users', 'Users'],
  ['groups', 'Groups'],
  ['projects', 'Projects'],
  ['settings', 'Settings'],
  ['link-types', 'Link types'],
  ['project-fields', 'Project fields'],
  ['imports', 'Imports'],
  ['mail', 'Mail'],
  ['webhooks', 'Webhooks'],
  ['audit', 'Audit log'],
  ['events', 'Events'],
  ['trash', 'Trash'],
  ['backups', 'Backups'],
  ['health', 'need'],
] as const;

describe.skipIf(lacksBrowser)('the administration of the platform', () => {
  let site: Site;
  let post: MailServer;
  /** Where backups go. */
  let kept: string;
  beforeAll(async () => {
    post = await MailServer.start();
    kept = mkdtempSync(join(tmpdir(), 'atelier-backups-'));
    site = await startSite({ ATELIER_SMTP_URL: post.url, ATELIER_BACKUP_FOLDER: kept });
  });
  afterEach(() => site.leave());
  afterAll(async () => {
    await site?.stop();
    await post.stop();
  });

  const made = async (path: string, body: unknown) => {
    const reply = await site.admin.post(path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  /** Somebody who holds one permission on the whole platform. */
  async function delegate(username: string, permission: number): Promise<void> {
    const { id } = await made('/users', { username, real_name: username, password });
    const group = await made('/platform/groups', { name: `Group of ${username}` });
    const held = { user_ids: [id], permissions: [permission] };
    expect((await site.admin.put(`/platform/groups/${group.id}`, held)).status).toBe(200);
    await site.as(username).patch('/users/self/preferences', { key: 'web.onboarding', value: 'over' });
  }

  const entries = (page: Page) =>
    page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('list')
      .getByRole('link')
      .allTextContents();

  /** One page after the other, from the menu. */
  const openFromMenu = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main', exact: true }).locator(`a[href="/admin/${name}"]`).click();

  test('P14.1 all its pages are reached from its menu, and everybody can use them', async () => {
    // A name that no blank divides is broken where there is no room for it.
    const label = 'Responsibility'.repeat(5);
    await made('/link_types', { shortname: 'long', forward_label: label, reverse_label: label });
    const page = await site.visit({ as: 'admin', path: '/admin/overview' });
    for (const [name, heading] of pages) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await openFromMenu(page, name);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/admin/${name}`);
      await expectAccessibleEverywhere(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoSidewaysScrolling(page);
      const cut = (cells: Element[]) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length;
      expect(await page.getByRole('main').locator('td').evaluateAll(cut), name).toBe(0);
    }
  });

  test('P14.1 a delegate of "User management" sees users and nothing else; others get 403 and no way there', async () => {
    await delegate('registrar', 5);
    const page = await site.visit({ as: 'registrar', path: '/' });
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Platform administration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(await entries(page)).toEqual(['Users']);
    await goInside(page, '/admin/settings');
    await page.getByRole('heading', { name: 'You may not see this' }).waitFor();
    const other = await site.visit({ as: 'ada', path: '/admin/users' });
    await other.getByRole('heading', { name: 'You may not see this' }).waitFor();
    await other.getByRole('button', { name: /^Menu of/ }).click();
    await other.getByRole('menuitem', { name: 'Account' }).waitFor();
    expect(await other.getByRole('menuitem', { name: 'Platform administration' }).count()).toBe(0);
  });

  test('P14.2 an account made with an invitation link: opened elsewhere, password chosen, signed in', async () => {
    const page = await site.visit({ as: 'admin', path: '/admin/users' });
    await page.getByRole('button', { name: 'Create an account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^User name/).fill('ada');
    await dialog.getByRole('button', { name: 'Create and make the link' }).click();
    await dialog.getByText('Name is already used by another user.').waitFor();
    await dialog.getByLabel(/^User name/).fill('grace');
    await dialog.getByLabel('Real name').fill('Grace Okafor');
    await dialog.getByRole('button', { name: 'Create and make the link' }).click();
    const link =
      (await page.getByRole('region', { name: 'Invitation link' }).locator('code').textContent()) ?? '';
    expect(link).toContain('/password/reset?token=');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Grace Okafor/ }).waitFor();
    const elsewhere = await site.visit({ path: link.replace(/^https?:\/\/[^/]+/, '') });
    await elsewhere.getByLabel('New password', { exact: true }).fill('a long enough password');
    await elsewhere.getByLabel('The same again', { exact: true }).fill('a long enough password');
    await elsewhere.getByRole('button', { name: 'Save and sign in' }).click();
    await elsewhere.getByRole('button', { name: 'Menu of Grace Okafor' }).waitFor();
  });

  test('P14.3 suspended: what follows is said, and the open page of that person asks to sign in by itself', async () => {
    await made('/users', { username: 'leaver', real_name: 'Lea Ver', password });
    const theirs = await site.visit({ as: 'leaver', path: '/projects', expecting: [/401/] });
    await theirs.getByRole('heading', { name: 'Projects' }).waitFor();
    const page = await site.visit({ as: 'admin', path: '/admin/users?words=leaver' });
    await page.getByRole('button', { name: 'Actions for Lea Ver' }).click();
    await page.getByRole('menuitem', { name: 'Change the status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Status of Lea Ver' });
    await dialog.getByText('Is signed out everywhere at once').waitFor();
    await dialog.getByRole('radio', { name: /Suspended/ }).check({ force: true });
    const stored = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().includes('/api/users/'),
    );
    await dialog.getByRole('button', { name: 'Change the status' }).click();
    await stored;
    await theirs.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.getByRole('row', { name: /Lea Ver.*Suspended/ }).waitFor();
    expect((await site.as('leaver').get('/users/self')).status).toBe(403);
  });

  test('P14.4 a waiting project approved appears to its owner at once', async () => {
    expect((await site.admin.patch('/platform/settings', { project_approval: true })).status).toBe(200);
    const { status } = await site.as('ada').post('/projects', {
      shortname: 'aquarium',
      label: 'Aquarium',
      description: 'Fish for the entrance',
      is_public: false,
      xml_template_name: 'empty',
    });
    expect(status).toBe(201);
    const page = await site.visit({ as: 'admin', path: '/admin/projects' });
    await page.getByText('Fish for the entrance').waitFor();
    await page.getByRole('button', { name: 'Approve Aquarium' }).click();
    await page.getByText('Aquarium is approved: its owner sees it now.').first().waitFor();
    const theirs = await site.visit({ as: 'ada', path: '/projects/aquarium' });
    await theirs.getByRole('heading', { level: 1, name: 'Aquarium' }).waitFor();
    await site.admin.patch('/platform/settings', { project_approval: false });
  });

  test('P14.5 a wrong setting is refused with words at its field, nothing is stored; defaults come back', async () => {
    const page = await site.visit({ as: 'admin', path: '/admin/settings', expecting: [/400/] });
    await page.getByPlaceholder('Find a setting').fill('session');
    const days = page.getByRole('textbox', { name: 'Days a session lasts' });
    await days.fill('many');
    await page.getByPlaceholder('Find a setting').fill('password');
    await page.getByRole('textbox', { name: 'Shortest password' }).fill('12');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByPlaceholder('Find a setting').fill('session');
    await page.getByText('Expecting a whole number from 0 to 3650').waitFor();
    const stored = async () => {
      const { body } = await site.admin.get('/platform/settings');
      const valueNamed = (name: string) => body.find((one: { name: string }) => one.name === name).value;
      return [valueNamed('session_lifetime_days'), valueNamed('password_min_length')];
    };
    expect(await stored()).toEqual([14, 8]);
    await days.fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 settings are saved.').first().waitFor();
    expect(await stored()).toEqual([7, 12]);
    await page.getByRole('button', { name: 'Days a session lasts: back to default' }).click();
    await page.getByPlaceholder('Find a setting').fill('password');
    await page.getByRole('button', { name: 'Shortest password: back to default' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => expect(await stored()).toEqual([14, 8]));
  });

  thoroughTest(
    'of an account, a setting and a group nothing is replaced that somebody else stored meanwhile',
    async () => {
      const page = await site.visit({ as: 'admin', path: '/admin/settings' });
      const settingNow = async (name: string) =>
        (await site.admin.get('/platform/settings')).body.find((one: { name: string }) => one.name === name)
          .value;
      await page.getByPlaceholder('Find a setting').fill('password');
      const shortest = page.getByRole('textbox', { name: 'Shortest password' });
      await shortest.fill('12');
      await site.admin.patch('/platform/settings', { password_min_length: 10 });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('alert').getByText('Shortest password, theirs: 10').waitFor();
      expect(await settingNow('password_min_length')).toBe(10);
      await page.getByRole('button', { name: 'Take theirs' }).click();
      await expect.poll(() => shortest.inputValue()).toBe('10');
      await site.admin.patch('/platform/settings', { password_min_length: 8 });

      const { id } = await made('/users', { username: 'lotta', real_name: 'Lotta', password });
      await page.goto(`${site.url}/admin/users?words=lotta`);
      await page.getByRole('button', { name: /Actions.*Lotta/ }).click();
      await page.getByRole('menuitem', { name: 'Change name and mail' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Real name').fill('Lotta Lind');
      await site.admin.patch(`/users/${id}`, { real_name: 'Lotta Berg', email: 'lotta@example.org' });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByText('Real name, theirs: Lotta Berg').waitFor();
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await site.admin.get(`/users/${id}`)).body).toMatchObject({
        real_name: 'Lotta Lind',
        email: 'lotta@example.org',
      });

      const group = await made('/platform/groups', { name: 'Night watch' });
      const groupNow = async () =>
        (await site.admin.get('/platform/groups')).body.find((one: { id: number }) => one.id === group.id);
      await page.goto(`${site.url}/admin/groups`);
      await page.getByRole('button', { name: /Actions.*Night watch/ }).click();
      await page.getByRole('menuitem', { name: 'Change', exact: true }).click();
      await dialog.getByLabel('Name').fill('Watch of the night');
      await dialog.getByRole('checkbox').first().check({ force: true });
      const theirs = { name: 'Night watch', user_ids: [id], permissions: [5] };
      expect((await site.admin.put(`/platform/groups/${group.id}`, theirs)).status).toBe(200);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const { name, users, permissions } = await groupNow();
      expect(name).toBe('Watch of the night');
      expect(users.map((user: { username: string }) => user.username)).toEqual(['lotta']);
      expect(permissions.map((permission: { id: number }) => permission.id).toSorted()).toEqual([1, 5]);
      await site.admin.delete(`/platform/groups/${group.id}`);
    },
  );

  test('P14.6 an archive imported: checked first, progress, report, project there; a broken one leaves nothing', async () => {
    const page = await site.visit({ as: 'admin', path: '/admin/imports' });
    const bring = async (buffer: Buffer, isCheck: boolean, name: string) => {
      await page.getByRole('button', { name: 'Import an archive' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import an archive' });
      const file = { name: 'harbour.zip', mimeType: 'application/zip', buffer };
      await dialog.getByLabel('Archive', { exact: true }).setInputFiles(file);
      await dialog.getByLabel(/^Another short name/).fill(name);
      const check = dialog.getByRole('checkbox', { name: /Only check/ });
      if (!isCheck) await check.uncheck({ force: true });
      await dialog.getByRole('button', { name: isCheck ? 'Check it' : 'Import it' }).click();
      return page.getByRole('dialog', { name: 'Import of harbour.zip' });
    };
    const archive = await archiveBytes();
    const checked = await bring(archive, true, 'harbour-two');
    await checked.getByText('This was a check: nothing was changed.').waitFor({ timeout: 120_000 });
    await checked.getByRole('button', { name: 'Close' }).last().click();
    const imported = await bring(archive, false, 'harbour-two');
    await imported.getByRole('link', { name: 'Open harbour-two' }).waitFor({ timeout: 120_000 });
    const { body: lines } = await site.admin.get('/platform/events?kind=project_import');
    expect(lines).toMatchObject([{ subject: 'harbour-two', user: { username: 'admin' } }]);
    await imported.getByRole('button', { name: 'Close' }).last().click();
    const broken = await bring(archive.subarray(0, archive.length / 2), true, 'harbour-three');
    await broken.getByText('Nothing of it stayed.').waitFor({ timeout: 120_000 });
  });

  thoroughTest(
    'P14.6 a large archive: progress moves, it is cancelled and leaves nothing, and imported after all',
    async () => {
      const page = await site.visit({ as: 'admin', path: '/admin/imports' });
      const begin = async (artifacts: number) => {
        const titles = Array.from({ length: artifacts }, (_, index) => `Chore ${index}`);
        const archive = await archiveBytes('quays', titles);
        await page.getByRole('button', { name: 'Import an archive' }).click();
        const dialog = page.getByRole('dialog', { name: 'Import an archive' });
        const file = { name: 'quays.zip', mimeType: 'application/zip', buffer: archive };
        await dialog.getByLabel('Archive', { exact: true }).setInputFiles(file);
        await dialog.getByRole('checkbox', { name: /Only check/ }).uncheck({ force: true });
        await dialog.getByRole('button', { name: 'Import it' }).click();
        return page.getByRole('dialog', { name: 'Import of quays.zip' });
      };
      // Far more than can be imported before it is cancelled.
      const first = await begin(40_000);
      await first.getByText('Running').waitFor({ timeout: 60_000 });
      await first.getByRole('progressbar', { name: 'Progress of the import' }).waitFor({ timeout: 60_000 });
      await first.getByRole('button', { name: 'Cancel the import' }).click();
      await first.getByRole('button', { name: 'Cancel it' }).click();
      await first.getByText(/Nothing of it stayed\. .* cancelled it\./).waitFor({ timeout: 60_000 });
      await first.getByRole('button', { name: 'Close' }).last().click();
      const query = encodeURIComponent('{"shortname":"quays"}');
      expect((await site.admin.get(`/projects?query=${query}`)).body).toEqual([]);
      const second = await begin(500);
      await second.getByRole('link', { name: 'Open quays' }).waitFor({ timeout: 120_000 });
      await second.getByText(/artifacts: 500/).waitFor();
    },
  );

  thoroughTest('the audit log is narrowed by kind, day and person, and exported as it is seen', async () => {
    expect(
      (
        await site.as('ada').post('/projects', {
          shortname: 'audited',
          label: 'Audited',
          is_public: true,
          xml_template_name: 'empty',
        })
      ).status,
    ).toBe(201);
    const page = await site.visit({ as: 'admin', path: '/admin/audit?kind=project_create' });
    const row = page.getByRole('row', { name: /Project created.*audited/ });
    await row.waitFor();
    expect(await page.getByRole('row', { name: /Signed in/ }).count()).toBe(0);
    await row.getByRole('link', { name: /^Only Ada/ }).click();
    await expect.poll(() => page.url()).toContain('actor=');
    await row.waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const saved = readFileSync(await (await saving).path(), 'utf8');
    expect(saved.split('\n')[0]).toContain('date,kind,user,subject');
    expect(saved).toMatch(/project_create,ada,audited/);
    expect(saved).not.toContain('sign_in');
    await page.getByLabel('From').fill('2199-01-01');
    await page.getByText('Nothing like that happened').waitFor();
  });

  thoroughTest('findings of the health page and settings are told in French on French pages', async () => {
    const page = await site.visit({ as: 'admin', path: '/admin/health', language: 'fr' });
    const main = page.getByRole('main');
    await main.getByText('Aucune n’a encore été faite.').waitFor();
    await main.getByText(`On peut écrire dans ${site.folder}.`).waitFor();
    const health = await site.admin.get('/platform/health');
    for (const { name, code } of health.body.checks) expect([name, code]).not.toEqual([name, '']);
    expect(await main.locator('[lang=en]').allTextContents()).toEqual([]);
    // A folder of the server is no page of the application.
    expect(await main.getByRole('link', { name: site.folder }).count()).toBe(0);

    // Without a mail server no mail can be tried.
    await page.route('**/api/platform/about', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), has_mail: false } });
    });
    await page.goto(`${site.url}/admin/mail`);
    const attempt = main.getByRole('button', { name: 'Envoyer un courriel d’essai' });
    await main.getByText('Cette plateforme n’a pas de serveur de courrier').waitFor();
    expect(await attempt.getAttribute('aria-disabled')).toBe('true');

    await page.goto(`${site.url}/admin/settings`);
    await main.getByText('Jours que dure une session web.').waitFor();
    expect(await main.locator('[lang=en]').allTextContents()).toEqual([]);
    if (lacksSubversion) return;
    await made('/svn', { project_id: 101, name: 'heard-of' });
    await page.goto(`${site.url}/admin/events`);
    await main.getByText('Dépôt créé').first().waitFor();
  });

  test('18.11 backups: none yet is a warning with its remedy; the last one is shown with its age; one is made by a button', async () => {
    const page = await site.visit({ as: 'admin', path: '/admin/overview' });
    // The remedy leads to where it is done.
    const finding = page.getByRole('region', { name: 'Backup', exact: true });
    await finding.getByRole('link', { name: '/admin/backups' }).waitFor();
    await finding.getByRole('link', { name: 'Make a backup' }).click();
    await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor();
    await finding.getByText('Remedy').waitFor();
    expect(await finding.getByRole('link', { name: 'Make a backup' }).count()).toBe(0);
    const note = { madeAt: Date.now() - 3 * 24 * 3600 * 1000, bytes: 5_000_000, place: '/backup/atelier' };
    writeFileSync(join(site.folder, 'last-backup.json'), JSON.stringify(note));
    await page.getByText('3 days', { exact: true }).waitFor({ timeout: 30_000 });
    await page.getByRole('region', { name: 'The last one' }).getByText('/backup/atelier').waitFor();
    expect(await finding.count()).toBe(0);
    rmSync(join(site.folder, 'last-backup.json'));

    // Go on: one is made from here.
    const now = page.getByRole('region', { name: 'Make one now' });
    await now.getByText(`into ${kept} on the server`).waitFor();
    await now.getByRole('button', { name: 'Back up now' }).click();
    await now.getByText(/^\d[\d,]* files, /).waitFor({ timeout: 120_000 });
    await page.getByText('The backup is done').first().waitFor();
    expect(readdirSync(join(kept, 'backups'))).toHaveLength(1);
    const last = page.getByRole('region', { name: 'The last one' });
    await last.getByText(kept).waitFor({ timeout: 30_000 });
    await last.getByText('less than a day').waitFor();
    const { body: events } = await site.admin.get('/platform/events?kind=backup_start');
    expect(events[0]).toMatchObject({ subject: kept, user: { username: 'admin' } });
    rmSync(join(site.folder, 'last-backup.json'));
  });

  test('P14.7 5000 users are searched as one types, one question a text', async () => {
    const rows = Array.from(
      { length: 5000 },
      (_, index) =>
        `('many${index}', 'many${index}', 'Many Folk ${index}', 'many${index}@example.org', 'A', 'many${index}\nmany folk ${index}', 0)`,
    );
    for (let at = 0; at < rows.length; at += 500)
      site.sql(
        `insert into account (name, name_key, real_name, email, status, search_text, created_at) values ${rows.slice(at, at + 500).join(', ')}`,
      );
    const page = await site.visit({ as: 'admin', path: '/admin/users' });
    await page.getByText(/^5,0\d\d accounts$/).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/platform/users')) asked.push(request.url());
    });
    for (const words of ['folk 4', 'many499', 'FOLK 4999']) {
      asked.length = 0;
      const answered = page.waitForResponse((response) => response.url().includes('/api/platform/users'));
      await page.getByPlaceholder('Name, user name or mail').fill(words);
      const size = Number((await answered).headers()['x-pagination-size']);
      await page.getByText(size === 1 ? '1 account' : `${size.toLocaleString('en')} accounts`).waitFor();
      expect(asked, words).toHaveLength(1);
    }
    await page.getByRole('row', { name: /Many Folk 4999/ }).waitFor();
  });

  test('P14.9 a read-only administrator sees everything and has no control that would fail', async () => {
    await delegate('auditor', 9);
    const page = await site.visit({ as: 'auditor', path: '/admin/overview' });
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await entries(page)).toHaveLength(pages.length);
    for (const [name, heading] of pages) {
      await openFromMenu(page, name);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByRole('main').getByRole('progressbar').waitFor({ state: 'detached' });
      const main = page.getByRole('main');
      for (const act of [
        /^Create an/,
        /^Add a/,
        /^Import an/,
        /^Approve/,
        /^Actions for/,
        /^Send/,
        /back to default/,
      ])
        expect([name, await main.getByRole('button', { name: act }).count()]).toEqual([name, 0]);
      expect([name, await main.getByRole('switch', { disabled: false }).count()]).toEqual([name, 0]);
    }
  });

  test('P14.8 a stopped mail server is a fault with its remedy; one that runs takes a test mail', async () => {
    const page = await site.visit({ as: 'admin', path: '/admin/mail' });
    await page.getByLabel('Mail address').fill('ada@example.com');
    const answers = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/api/platform/test_mails', (route) => {
      sent++;
      return answers.promise.then(() => route.continue());
    });
    for (const _ of ['once', 'and by mistake again']) await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: 'Send a test mail' })
      .and(page.locator('[data-pending]'))
      .waitFor();
    answers.resolve();
    await page.getByText('The mail server took it.').waitFor();
    expect(sent).toBe(1);
    await post.stop();
    await page.getByRole('link', { name: /^Health/ }).click();
    const fault = page.getByRole('region', { name: 'Mail' });
    await fault.getByText('cannot be reached').waitFor();
    await fault.getByText('Start the mail server').waitFor();
    await fault.getByRole('link', { name: 'Send a test mail' }).click();
    await page.getByRole('button', { name: 'Send a test mail' }).click();
    await page.getByText('The mail was not sent.').waitFor();
    await post.comeBack();
  });
});
