import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ZipWriter } from '../../server/src/archive/index.ts';
import { projectXml, trackersXml, trackerXml, usersXml } from '../../server/test/fixtures/project-archive.ts';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { isAway } from './harness/faults.ts';
import { goInside } from './harness/inside.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** An archive of a small project that is as large as is asked for: what cannot be packed lies beside it. */
async function archiveOf(size: number): Promise<string> {
  const zip = await ZipWriter.create(join(mkdtempSync(join(tmpdir(), 'atelier-archive-')), 'harbour.zip'));
  const project = projectXml('other-name', trackersXml(trackerXml('T1', 'chore')));
  await zip.add('project.xml', Readable.from([Buffer.from(project)]));
  await zip.add('users.xml', Readable.from([Buffer.from(usersXml([]))]));
  await zip.add('data/rest', Readable.from([randomBytes(size)]));
  await zip.finish();
  return zip.path;
}

describe.skipIf(lacksBrowser)('projects, people and search', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({}, { isAlone: true });
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  test('P4.1 a template and a name make a project with its trackers', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/new' });
    await page.getByLabel(/^Name/).fill('Web Shop');
    expect(await page.getByLabel('Short name').inputValue()).toBe('web-shop');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Web Shop' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/web-shop');
    await page.locator('main').getByRole('link', { name: /of 0/ }).first().waitFor();
  });

  thoroughTest('nothing of the form moves when what templates bring comes late', async () => {
    const page = await site.visit({ as: 'admin', path: '/robots.txt' });
    const come = Promise.withResolvers<void>();
    await page.route('**/platform/templates', async (route) => {
      await come.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/projects/new`);
    const button = page.getByRole('button', { name: 'Create the project' });
    await button.waitFor();
    const before = await button.boundingBox();
    come.resolve();
    await page.getByText('Epics').first().waitFor();
    expect(await button.boundingBox()).toEqual(before);
  });

  test('P4.2 a short name that is taken is told beside its field', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/new' });
    await page.getByLabel(/^Name/).fill('Another lighthouse');
    await page.getByLabel('Short name').fill('lighthouse');
    await page.getByLabel('Short name').and(page.locator('[aria-invalid=true]')).waitFor();
  });

  test('P4.3 people are added and removed; the last administrator is not', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/lighthouse/members' });
    await page.getByRole('button', { name: 'Actions for Finn Berg' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Finn Berg is no member any more.').first().waitFor();
    await page.getByRole('link', { name: /Finn Berg/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add people' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add people to the project' });
    await dialog.getByLabel('Names or mail addresses').fill('finn, nobody-of-that-name');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('There is no account for: nobody-of-that-name').waitFor();
    await dialog.getByLabel('Names or mail addresses').fill('finn');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: /Finn Berg/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a member' }).fill('nobody-of-that-name');
    await page.getByText('Nobody matches').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('link', { name: /Finn Berg/ }).waitFor();
    for (const name of ['Ada Lindqvist', 'Site Administrator']) {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Take administration away' }).click();
      if (name === 'Ada Lindqvist')
        await page.getByText(`${name} administers the project no more.`).first().waitFor();
    }
    await page
      .getByText(/last administrator/i)
      .first()
      .waitFor();
  });

  thoroughTest(
    'an address without account gets one, and a link by which its owner chooses a password',
    async () => {
      const address = 'grace.hopper@example.org';
      const add = async (as: string) => {
        const page = await site.visit({ as, path: '/projects/lighthouse/members' });
        await page.getByRole('button', { name: 'Add people' }).click();
        const dialog = page.getByRole('dialog', { name: 'Add people to the project' });
        await dialog.getByLabel('Names or mail addresses').fill(address);
        await dialog.getByRole('button', { name: 'Add' }).click();
        await dialog.getByText(`There is no account for: ${address}`).waitFor();
        return { page, dialog };
      };
      const { page, dialog } = await add('admin');
      await dialog
        .getByRole('button', { name: `Create account for ${address} and copy invitation link` })
        .click();
      const link = await dialog
        .getByRole('region', { name: `Invitation link for ${address}` })
        .locator('code')
        .textContent();
      await page.getByRole('link', { name: /grace\.hopper/, includeHidden: true }).waitFor();
      await expectAccessibleEverywhere(page);
      const other = await site.visit({
        path: new URL(link ?? '', site.url).pathname + new URL(link ?? '', site.url).search,
      });
      await other.getByLabel('New password').first().fill('a lighthouse keeper');
      await other.getByLabel('The same again').fill('a lighthouse keeper');
      await other.getByRole('button', { name: 'Save and sign in' }).click();
      await other.getByRole('navigation', { name: 'Main' }).first().waitFor();
    },
  );

  test('P4.4 a visitor sees who is in a project, and neither groups nor actions', async () => {
    const page = await site.visit({ path: '/projects/lighthouse/members' });
    await page.getByRole('link', { name: /Elif Demir/ }).waitFor();
    expect(await page.getByText('keepers').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });

  test('P4.5 an archive is uploaded with progress, halted, and goes on after the server was restarted', async () => {
    const archive = await archiveOf(20_000_000);
    const page = await site.visit({
      as: 'admin',
      path: '/projects/new',
      expecting: isAway,
    });
    await page.getByRole('radio', { name: 'An archive' }).check({ force: true });
    await page.getByLabel(/^Name/).fill('Harbour');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByText('Choose the archive.', { exact: true }).waitFor();
    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive);
    let pieces = 0;
    let sixth: Route | undefined;
    await page.route('**/uploads/project/file/**', async (route) => {
      // The sixth piece never ends, so that there is something to halt.
      if (route.request().method() === 'PATCH' && ++pieces === 6) {
        sixth = route;
        return;
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByText(/^5\.2 MB of 2\d MB have arrived$/).waitFor();
    const progress = page.getByRole('progressbar', { name: 'is being uploaded' });
    expect(Number(await progress.getAttribute('value'))).toBeGreaterThan(0.2);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('is halted').first().waitFor();
    // Without its own end it would go on as soon as nobody holds requests back.
    await sixth?.abort().catch(() => undefined);
    await page.unroute('**/uploads/project/file/**');
    await site.stopServer();
    await site.startServer();
    // What was not uploaded to its end is there after a reload, too.
    await page.reload();
    await page.getByText('Choose harbour.zip again to go on where it ended.').waitFor();
    const first: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH' && request.url().includes('/uploads/project/file/'))
        first.push(Number(request.headers()['upload-offset']));
    });
    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive);
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/harbour');
    expect(first[0]).toBe(5 * 1_048_576);
    await page
      .locator('main')
      .getByRole('link', { name: /^Tracker chore/ })
      .waitFor();
  });

  test('P4.6 a private project shows others that it is private, and nothing of it', async () => {
    const made = await site.admin.post('/projects', {
      shortname: 'vault',
      label: 'The vault',
      is_public: false,
      xml_template_name: 'empty',
    });
    expect(made.status, made.text).toBe(201);
    for (const path of ['/projects/vault', '/projects/vault/members', `/projects/${made.body.id}/trackers`]) {
      const page = await site.visit({ as: 'bruno', path });
      await page.getByRole('heading', { level: 1, name: 'You may not see this' }).waitFor();
      await page.getByText('403', { exact: true }).waitFor();
      expect(await page.getByText('The vault').count()).toBe(0);
    }
    const page = await site.visit({ as: 'bruno', path: '/projects/no-such-project' });
    await page.getByText('404', { exact: true }).waitFor();
  });

  test('P4.7 numbers and bars beside trackers are those of the API', async () => {
    const { body } = await site.as('ada').get('/projects/101/tracker_overviews');
    const page = await site.visit({ as: 'ada', path: '/projects/lighthouse' });
    for (const { id, label, open_count: open, total_count: total } of body) {
      const link = page
        .locator('main')
        .getByRole('link', { name: new RegExp(`^${label} .*${open} of ${total}$`) });
      await link.waitFor();
      const tracker = (await site.as('ada').get(`/trackers/${id}`)).body;
      const { field_id: fieldId, value_ids: openIds } = tracker.semantics.status;
      const field = tracker.fields.find((one: { field_id: number }) => one.field_id === fieldId);
      const parts: string[] = [];
      for (const value of field.values.filter((one: { id: number }) => openIds.includes(one.id))) {
        const criteria = JSON.stringify({ [field.name]: { operator: 'contains', value: [value.id] } });
        const query = encodeURIComponent(criteria);
        const { headers } = await site.as('ada').get(`/trackers/${id}/artifact_rows?limit=1&query=${query}`);
        const size = headers.get('X-PAGINATION-SIZE');
        if (size !== '0') parts.push(`${value.label} ${size}`);
      }
      await link.getByTitle(parts.join(', '), { exact: true }).waitFor();
    }
  });

  thoroughTest('trackers that have not come are not counted', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    const come = Promise.withResolvers<void>();
    await page.route('**/tracker_overviews', async (route) => {
      await come.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/projects/lighthouse`);
    const heading = page.getByRole('heading', { level: 2, name: /^Trackers/ });
    expect((await heading.textContent())?.trim()).toBe('Trackers');
    come.resolve();
    await page.getByRole('heading', { level: 2, name: 'Trackers 5' }).waitFor();
  });

  thoroughTest('trackers stand below their parents, and administrators create more', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/lighthouse/trackers' });
    const rows = page.getByRole('table').getByRole('row');
    await rows.nth(5).waitFor();
    const { body } = await site.as('ada').get('/projects/101/tracker_overviews');
    const child = body.find((one: { parent_id: number | null }) => one.parent_id !== null);
    const parent = body.find((one: { id: number }) => one.id === child.parent_id);
    const names = await rows.getByRole('link').allTextContents();
    expect(names.indexOf(child.label)).toBeGreaterThan(names.indexOf(parent.label));
    await rows
      .filter({ hasText: `${child.label}below ${parent.label}` })
      .first()
      .waitFor();
    await expectAccessibleEverywhere(page);
    const open = async () => {
      await page.goto(`${site.url}/projects/lighthouse/trackers`);
      await page.getByRole('button', { name: 'New tracker' }).click();
      return page.getByRole('dialog', { name: 'New tracker' });
    };
    const choose = async (list: string, option: string) => {
      await page.getByRole('dialog').getByRole('button', { name: list }).click();
      await page.getByRole('option', { name: option }).first().click();
    };
    const madeLike = async () => {
      await page.getByRole('button', { name: 'Create the tracker' }).click();
      await page.waitForURL(/\/trackers\/\d+/);
      return (await site.as('ada').get(new URL(page.url()).pathname)).body;
    };
    // From a template, under the names of the template.
    await open();
    await choose('Like', 'Tickets');
    expect(await madeLike()).toMatchObject({ label: 'Tickets', item_name: 'ticket' });
    // A copy, under a name of its own.
    let dialog = await open();
    await dialog.getByRole('radio', { name: 'A copy' }).check({ force: true });
    await choose('Copy of', 'Tickets');
    await dialog.getByLabel(/^Name/).fill('Night calls');
    const copy = await madeLike();
    expect(copy).toMatchObject({ label: 'Night calls', item_name: 'night_calls' });
    expect(copy.fields.length).toBeGreaterThan(5);
    // Empty; a name that is taken is told beside its field.
    dialog = await open();
    await dialog.getByRole('radio', { name: 'Empty' }).check({ force: true });
    await dialog.getByLabel(/^Name/).fill('Ideas');
    await dialog.getByLabel('Short name').fill('bug');
    await dialog.getByRole('button', { name: 'Create the tracker' }).click();
    await dialog.getByLabel('Short name').and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('Short name').fill('idea');
    expect((await madeLike()).fields).toEqual([]);
    // Others are not offered what they may not do.
    const other = await site.visit({ as: 'bruno', path: '/projects/lighthouse/trackers' });
    await other.getByRole('table').getByRole('link', { name: 'Night calls' }).waitFor();
    expect(await other.getByRole('button', { name: 'New tracker' }).count()).toBe(0);
  });

  test('P9.1 words find what the API finds, marked in their place', async () => {
    const { headers } = await site.as('ada').get('/search?words=lamp');
    const size = Number(headers.get('X-PAGINATION-SIZE'));
    const page = await site.visit({ as: 'ada', path: '/search' });
    await page.getByRole('searchbox', { name: 'Words' }).fill('lamp');
    await page.keyboard.press('Enter');
    await page.getByText(`${size} artifacts`, { exact: true }).first().waitFor();
    await page.locator('mark', { hasText: /lamp/i }).first().waitFor();
    expect(new URL(page.url()).search).toBe('?words=lamp');
  });

  thoroughTest('a person has a page with what they share with me', async () => {
    const page = await site.visit({ as: 'ada', path: '/users/bruno' });
    await page.getByRole('heading', { level: 1, name: 'Bruno Okafor' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'Lighthouse Keeper' }).waitFor();
    await expectAccessibleEverywhere(page);
  });

  thoroughTest('the overview and the form for a new project are for everybody', async () => {
    const page = await site.visit({ as: 'admin' });
    for (const path of ['/projects/lighthouse', '/projects/new']) {
      await goInside(page, path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectAccessibleEverywhere(page);
    }
  });
});
