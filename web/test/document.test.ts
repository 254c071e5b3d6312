import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lacksBrowser, type Site, startSite } from './harness/site.ts';

describe.skipIf(lacksBrowser)('in a browser', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  test('W-13 the application starts under its policy, without an error or a request to another host', async () => {
    const page = await site.visit({ as: 'admin' });
    await page.locator('#root > *').first().waitFor();
  });

  test('P2.8 a theme that was chosen on this device is there before anything is painted', async () => {
    const page = await site.visit({ as: 'admin', theme: 'light' });
    // Before the next page runs anything, and after this one wrote what it knows.
    await page.addInitScript(() => localStorage.setItem('atelier.theme', 'dark'));
    await page.reload({ waitUntil: 'commit' });
    await page.locator('html[data-theme=dark]').waitFor();
    // The script is in front of the first style sheet and of the module: browsers run it before they paint.
    const order = await page.evaluate(() =>
      [...document.querySelectorAll('head > script')].map((element) => element.getAttribute('src')),
    );
    expect(order[0]).toContain('/assets/first-');
  });

  test('P15.6 an unknown address is 404 and the application says so', async () => {
    const page = await site.visit({ as: 'admin', path: '/nowhere' });
    const answer = await page.reload();
    expect(answer?.status()).toBe(404);
    await page.locator('#root > *').first().waitFor();
  });
});
