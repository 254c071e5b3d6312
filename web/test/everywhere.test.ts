import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { lacksBrowser, type Site, startSite } from './harness/site.ts';

describe.skipIf(lacksBrowser)('what holds on every page', () => {
  let site: Site;
  /** A bug of the demo that nobody else here changes. */
  let bug: { id: number; title: string; xref: string };
  beforeAll(async () => {
    site = await startSite();
    const { body } = await site.admin.get('/trackers/5/artifact_rows?limit=1&sort=-id');
    bug = body.rows[0];
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first();

  test('a page that one may not see names who can help', async () => {
    const page = await site.visit({ as: 'finn', path: '/projects/lighthouse' });
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await page.route('**/api/trackers/5', (route) =>
      route.fulfill({
        status: 403,
        json: { error: { code: 403, message: 'Forbidden: You may not see this' } },
      }),
    );
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Bugs/ }).click();
    await page.getByRole('heading', { level: 1, name: 'You may not see this' }).waitFor();
    const help = page.getByRole('region', { name: 'These people can let you in' });
    await help.getByRole('link', { name: 'Ada Lindqvist' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  describe.each([400, 403, 404, 409, 412, 413, 429, 500, 503])('a server that answers %i', (status) => {
    const fulfil = {
      status,
      json: { error: { code: status, message: `Words of the server about ${status}` } },
    };

    test('to what a page reads is told in its place, and the rest of the page lives', async () => {
      const page = await site.visit({ as: 'ada', path: '/projects', expecting: [/status of 5\d\d/] });
      await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
      await page.route('**/api/artifacts/**', (route) => route.fulfill(fulfil));
      await page.route('**/api/trackers/**', (route) => route.fulfill(fulfil));
      for (const path of [`/artifacts/${bug.id}`, '/trackers/5']) {
        await page.goto(site.url + path);
        await heading(page).waitFor();
        await page.getByRole('navigation', { name: 'Main' }).waitFor();
        await page.locator('main').getByRole('link', { name: 'My work' }).waitFor();
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });
});
