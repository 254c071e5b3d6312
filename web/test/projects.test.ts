import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite } from './harness/site.ts';

describe.skipIf(lacksBrowser)('projects, people and search', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
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

  test('P4.4 a visitor sees who is in a project, and neither groups nor actions', async () => {
    const page = await site.visit({ path: '/projects/lighthouse/members' });
    await page.getByRole('link', { name: /Elif Demir/ }).waitFor();
    expect(await page.getByText('keepers').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });

  test('P4.7 numbers beside trackers are those of the API', async () => {
    const { body } = await site.as('ada').get('/projects/101/tracker_overviews');
    const page = await site.visit({ as: 'ada', path: '/projects/lighthouse' });
    for (const { label, open_count: open, total_count: total } of body)
      await page
        .locator('main')
        .getByRole('link', { name: `${label} ${open} of ${total}` })
        .waitFor();
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

  test('a person has a page with what they share with me', async () => {
    const page = await site.visit({ as: 'ada', path: '/users/bruno' });
    await page.getByRole('heading', { level: 1, name: 'Bruno Okafor' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'Lighthouse Keeper' }).waitFor();
    await expectAccessibleEverywhere(page);
  });

  test('the overview, the form for a new project and the search are for everybody', async () => {
    const page = await site.visit({ as: 'admin' });
    for (const path of ['/projects/lighthouse', '/projects/new', '/search?words=lamp', '/help']) {
      await page.goto(site.url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectAccessibleEverywhere(page);
    }
  });
});
