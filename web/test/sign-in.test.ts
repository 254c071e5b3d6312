import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import {
  lacksBrowser,
  lacksSubversion,
  password,
  type Site,
  startSite,
  thoroughTest,
} from './harness/site.ts';

describe.skipIf(lacksBrowser)('signing in and out', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const setMode = async (mode: string) => {
    const { status, text } = await site.admin.patch('/platform/settings', { access_mode: mode });
    expect(status, text).toBe(200);
  };

  test('P1.4 signing in leads to the page that was wanted, by keyboard alone, and never to another place', async () => {
    const page = await site.visit({ path: '/login?return_to=/projects/lighthouse' });
    await page.getByLabel('Name').fill('ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects/lighthouse');
    // Whoever is signed in is led on at once.
    for (const elsewhere of ['https://example.org', '//example.org']) {
      await page.goto(`${site.url}/login?return_to=${encodeURIComponent(elsewhere)}`);
      await page.getByRole('heading', { name: 'My work' }).waitFor();
      expect(page.url()).toBe(`${site.url}/`);
    }
  });

  thoroughTest('whoever signs in before it was told that they are nobody is somebody', async () => {
    const page = await site.visit({ path: '/robots.txt' });
    const signedIn = Promise.withResolvers<void>();
    let isFirst = true;
    await page.route('**/users/self/standing', async (route) => {
      const response = await route.fetch();
      if (isFirst) {
        isFirst = false;
        await signedIn.promise;
      }
      await route.fulfill({ response });
    });
    await page.goto(`${site.url}/login`);
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(password);
    const answered = page.waitForResponse('**/api/sessions');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await answered;
    signedIn.resolve();
    await page.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('P1.2 a wrong password says so, is announced, and leaves the name', async () => {
    const page = await site.visit({ path: '/login' });
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('ada');
  });

  thoroughTest('a platform that sends no mail offers no link by mail, at whatever address', async () => {
    const page = await site.visit({ path: '/password/lost' });
    await page.getByText('Ask an administrator for a link.').waitFor();
    expect(await page.getByRole('button', { name: 'Send the link' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Back to sign in' }).waitFor();
  });

  test('P1.8 a visitor of an open platform reads a public project and sees nothing that would fail', async () => {
    const page = await site.visit({ path: '/projects/lighthouse' });
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create', exact: true }).count()).toBe(0);
    await page.goto(`${site.url}/projects/lighthouse/members`);
    await page.getByRole('link', { name: /Ada Lindqvist/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Add people' }).count()).toBe(0);
    // What visitors may not read says so, and where to sign in.
    for (const path of ['/inbox', ...(lacksSubversion ? [] : ['/projects/lighthouse/svn/lamp'])]) {
      await page.goto(site.url + path);
      await page.getByRole('heading', { name: 'You may not see this' }).waitFor();
      expect(await page.getByRole('main').getByRole('link', { name: 'Sign in' }).count()).toBe(1);
    }
  });

  test('P1.9 on a closed platform every address is the sign-in page, and after it the page', async () => {
    await setMode('regular');
    try {
      const page = await site.visit({ path: '/projects/lighthouse' });
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByLabel('Name').fill('ada');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    } finally {
      await setMode('anonymous');
    }
  });

  test('P1.7 signing out in one tab signs the other out, and leaves nothing of the person behind (W-8)', async () => {
    const page = await site.visit({ as: 'bruno' });
    await page.getByRole('heading', { name: 'My work' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${site.url}/projects`);
    await other.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    expect(databases).toEqual([]);
  });

  test('W-10 a session that ends while somebody works is taken up again in place', async () => {
    const page = await site.visit({ as: 'chiara', path: '/projects' });
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.context().clearCookies();
    await setMode('regular');
    try {
      await page.getByRole('searchbox', { name: /Find by name/ }).fill('light');
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('chiara');
      // The last words do not stand on its edge.
      const bottomOf = (place: Locator) => place.evaluate((node) => node.getBoundingClientRect().bottom);
      const last = dialog.getByRole('button', { name: 'Sign in as somebody else' });
      expect((await bottomOf(dialog)) - (await bottomOf(last))).toBeGreaterThanOrEqual(16);
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await page
        .getByRole('link', { name: /Lighthouse Keeper/ })
        .first()
        .waitFor();
      expect(await page.getByRole('searchbox', { name: /Find by name/ }).inputValue()).toBe('light');

      // Over another dialog, whose request waits.
      await page.goto(`${site.url}/trackers/5`);
      await page.getByRole('grid').getByRole('link').first().waitFor();
      await page.getByRole('button', { name: 'Create' }).click();
      const title = `Lamp of ${Date.now()}`;
      await page.getByRole('dialog').getByRole('textbox', { name: 'Summary' }).fill(title);
      await page.context().clearCookies();
      await page.keyboard.press('Control+Enter');
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { body: found } = await site.admin.get(
        `/trackers/5/artifacts?query=${encodeURIComponent(JSON.stringify({ summary: title }))}`,
      );
      expect(found).toHaveLength(1);
    } finally {
      await setMode('anonymous');
    }
  });

  thoroughTest('whoever visits next finds nothing of an earlier visit', async () => {
    const earlier = await site.visit({ as: 'ada', path: '/trackers/5', theme: 'dark', width: 700 });
    await earlier.getByRole('grid').waitFor();
    await earlier.evaluate(async () => {
      localStorage.setItem('left', 'behind');
      sessionStorage.setItem('left', 'behind');
      indexedDB.open('left');
      await caches.open('left');
    });
    const heard: string[] = [];
    earlier.on('request', (request) => heard.push(request.url()));
    await earlier.context().route('**/api/**', (route) => route.abort());
    await site.leave();

    const page = await site.visit({ path: '/robots.txt' });
    expect(page).toBe(earlier);
    const found = await page.evaluate(async () => ({
      kept: [localStorage.length, sessionStorage.length],
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      width: innerWidth,
    }));
    expect(found).toEqual({ kept: [0, 0], databases: [], caches: [], isDark: false, width: 1280 });
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${site.url}/projects/lighthouse`);
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(heard).toEqual([]);

    // What a test cannot undo ends with it.
    await page.addInitScript(() => localStorage.setItem('left', 'behind'));
    await site.leave();
    expect(await site.visit({ path: '/robots.txt' })).not.toBe(page);
  });

  thoroughTest('the sign-in page is for everybody, in both themes, on a phone and on a desk', async () => {
    const page = await site.visit({ path: '/login' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScrolling(page);
  });
});
