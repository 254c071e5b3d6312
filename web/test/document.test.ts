import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { isAway } from './harness/faults.ts';
import { lacksBrowser, type Site, startSite, untilAnswersKept, untilKept } from './harness/site.ts';

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

  /** Of the demo project. */
  const table = '/trackers/5';
  const firstRow = (page: Page) => page.locator('#root').getByRole('grid').getByRole('link').first();

  test('a table shows its first rows with at most 200 kB of scripts and 30 kB of styles', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    // In the page itself: whoever looks from outside sees the rows later, with what was loaded after them.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('[role=grid] a') === null) return;
        observer.disconnect();
        performance.mark('rows');
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(site.url + table);
    await firstRow(page).waitFor();
    const before = await page.evaluate(() => {
      const [rows] = performance.getEntriesByName('rows');
      const files = performance.getEntriesByType('resource');
      return files.filter(({ startTime }) => startTime < (rows?.startTime ?? 0)).map(({ name }) => name);
    });
    const loaded = {
      script: new Set(before.filter((address) => address.endsWith('.js'))),
      stylesheet: new Set(before.filter((address) => address.endsWith('.css'))),
    };
    const sizeOf = async (addresses: ReadonlySet<string>) => {
      let size = 0;
      for (const address of [...addresses]) {
        const { headers } = await fetch(address, { headers: { 'Accept-Encoding': 'gzip' } });
        expect(headers.get('Content-Encoding')).toBe('gzip');
        size += Number(headers.get('Content-Length'));
      }
      return size;
    };
    // A fresh build is made as small as it can be after it is served for the first time.
    await eventually(async () => {
      const sizes = { script: await sizeOf(loaded.script), stylesheet: await sizeOf(loaded.stylesheet) };
      expect(sizes.script).toBeGreaterThan(100_000);
      expect(sizes.script, [...loaded.script].join('\n')).toBeLessThan(200_000);
      expect(sizes.stylesheet).toBeLessThan(30_000);
    });
  });

  test.each([
    { words: 'all is loaded ahead', loadsAhead: true },
    { words: 'somebody saves data', loadsAhead: false },
  ])(
    'what a page can wait for arrives on the first page and on later ones, when $words',
    async ({ loadsAhead }) => {
      const page = await site.visit({ as: 'ada', path: '/robots.txt', loadsAhead });
      const asked = new Set<string>();
      page.on('request', (request) => asked.add(request.url().replace(/.*\/assets\/|-[\w-]{8}\.\w+$/g, '')));
      await page.goto(site.url + table);
      const watching = page.getByRole('button', { name: 'Watch or mute the tracker' });
      await watching.waitFor();
      // The tour is nothing that this page shows.
      if (loadsAhead) await expect.poll(() => asked.has('frame')).toBe(true);
      else expect(asked.has('frame')).toBe(false);
      await page.goto(`${site.url}/projects/lighthouse`);
      await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
      await page.locator(`a[href$='${table}']`).first().click();
      await watching.waitFor();
    },
  );

  test('what every page must know is asked for once, with the document', async () => {
    const page = await site.visit({ as: 'ada', path: '/help' });
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    for (const path of ['/api/users/self/standing', '/api/platform/about'])
      expect({ path, times: asked.filter((other) => other === path).length }).toEqual({ path, times: 1 });
  });

  test('W-11 a second visit to a table draws rows before any answer of the API', async () => {
    const page = await site.visit({ as: 'ada', path: table });
    await firstRow(page).waitFor();
    const title = await firstRow(page).textContent();
    await untilAnswersKept(page, [
      'trackers/5/artifact_rows?columns=',
      ...['users/self","standing', 'trackers/5","full', 'trackers/5","reports', 'tracker_reports/'],
    ]);
    await page.route('**/api/**', () => undefined);
    await page.goto(site.url + table);
    await firstRow(page).waitFor();
    expect(await firstRow(page).textContent()).toBe(title);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('without a server the application opens, and shows what this device keeps', async () => {
    const away = await startSite({}, { isAlone: true });
    try {
      const page = await away.visit({
        as: 'ada',
        path: table,
        hasWorker: true,
        expecting: [...isAway, /asked elsewhere/],
      });
      await firstRow(page).waitFor();
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
      });
      // From now on it is the worker that answers.
      await page.reload();
      await firstRow(page).waitFor();
      await untilAnswersKept(page, ['trackers/5/artifact_rows?columns=']);
      await untilKept(page);
      const kept = await page.evaluate(async () => {
        const keys = await (await caches.open('atelier-1')).keys();
        return keys.map(({ url }) => new URL(url).pathname);
      });
      expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
      await away.stopServer();
      await page.reload();
      await firstRow(page).waitFor();
      await away.leave();
    } finally {
      await away.stop();
    }
  });

  /** Somebody at the table of the demo, on a device that keeps how it looks. */
  async function visitTable(): Promise<Page> {
    const page = await site.visit({ as: 'ada', path: table, hasWorker: true });
    await eventually(async () => expect(await drawingsOn(page)).toEqual([table]));
    return page;
  }

  const drawingsOn = (page: Page) =>
    page.evaluate(() => {
      const names = Object.keys(localStorage).filter((name) => name.startsWith('atelier.drawing '));
      return names.map((name) => new URL(name.split(' ').at(-1) ?? '').pathname);
    });

  /** In the page itself: what was drawn from the device and how, and what the application had drawn when it took its place. */
  const watchDrawing = (page: Page) =>
    page.addInitScript(() => {
      const seen = { words: '', wasFirst: false, wasStyled: false, wasGivenWay: false };
      Object.assign(globalThis, { seen });
      new MutationObserver(() => {
        const drawing = document.querySelector('#drawing');
        if (drawing !== null && seen.words === '') {
          const row = drawing.querySelector('[role=row]');
          seen.words = drawing.textContent ?? '';
          seen.wasFirst = document.querySelector('#root > *') === null;
          seen.wasStyled = row !== null && getComputedStyle(row).display === 'grid';
        }
        if (drawing !== null || seen.words === '' || seen.wasGivenWay) return;
        const rows = [...document.querySelectorAll('#root [role=row]:has(a)')];
        const counts = rows.map((row) => row.querySelectorAll('[role=gridcell]').length);
        const all = Number(document.querySelector('#root [role=grid]')?.getAttribute('aria-colcount'));
        seen.wasGivenWay = counts.length > 0 && counts.every((count) => count === all);
      }).observe(document, { childList: true, subtree: true });
    });
  const seenOn = (page: Page) => page.evaluate((): unknown => Reflect.get(globalThis, 'seen'));

  test('16.3 what was seen is shown again before the application is there, and then gives way to it', async () => {
    const page = await visitTable();
    const title = (await firstRow(page).textContent()) ?? '';
    await watchDrawing(page);
    await page.reload();
    await firstRow(page).waitFor();
    await page.locator('#drawing').waitFor({ state: 'detached' });
    expect(await seenOn(page)).toEqual({
      words: expect.stringContaining(title),
      wasFirst: true,
      wasStyled: true,
      wasGivenWay: true,
    });
    await firstRow(page).click();
    await page.getByRole('complementary', { name: /#\d+/ }).waitFor();

    // Whose session is over sees nothing of it from the moment that this is known, though the application has nothing to show yet.
    await page.goto(`${site.url}/robots.txt`);
    await page.context().clearCookies();
    await page.evaluate(async () => {
      for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
    });
    const { promise, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/trackers/**', (route) => promise.then(() => route.continue()));
    await page.goto(site.url + table);
    await eventually(async () => expect(await drawingsOn(page)).toEqual([]));
    expect(await page.locator('#drawing').count()).toBe(0);
    expect(await seenOn(page)).toMatchObject({ words: expect.stringContaining(title) });
    release();
  });

  test('what was seen is not shown again to somebody else, by another build or in another width', async () => {
    const page = await visitTable();
    const changes = [
      () => localStorage.setItem('atelier.person', '101'),
      () => {
        const [name = '', text = ''] =
          Object.entries(localStorage).find(([key]) => /drawing /.test(key)) ?? [];
        localStorage.setItem(name, text.replace(/"build":"[^"]*"/, '"build":"/assets/another.js"'));
      },
    ];
    await watchDrawing(page);
    const before = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    const restore = (text: string) => {
      for (const [name, value] of Object.entries(JSON.parse(text))) localStorage.setItem(name, String(value));
    };
    for (const change of changes) {
      await page.goto(`${site.url}/robots.txt`);
      await page.evaluate(restore, before);
      await page.evaluate(change);
      await page.goto(site.url + table);
      await firstRow(page).waitFor();
      expect(await seenOn(page)).toMatchObject({ words: '' });
    }
    await page.goto(`${site.url}/robots.txt`);
    await page.evaluate(restore, before);
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.goto(site.url + table);
    await firstRow(page).waitFor();
    expect(await seenOn(page)).toMatchObject({ words: '' });
  });

  test('who leaves takes what was seen along, and pages that show a secret are never kept', async () => {
    const page = await visitTable();
    await page.goto(`${site.url}/account/keys`);
    await page.locator('#root').getByRole('heading', { level: 1 }).first().waitFor();
    await page.goto(`${site.url}/inbox`);
    await eventually(async () =>
      expect(await drawingsOn(page)).toEqual(expect.arrayContaining(['/inbox', table])),
    );
    expect(await drawingsOn(page)).toHaveLength(2);
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await page.locator('#root').getByRole('heading').first().waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('drawing');
  });

  test('the outlines of icons take no room of the page, and icons are drawn of them', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects' });
    const outlines = page.locator('svg:has(> symbol)');
    await outlines.waitFor({ state: 'attached' });
    expect(await outlines.evaluate((element) => element.getBoundingClientRect().height)).toBe(0);
    const icon = page.locator('#root svg:has(> use)').first();
    await expect
      .poll(() =>
        icon.evaluate((element) => (element instanceof SVGSVGElement ? element.getBBox().width : 0)),
      )
      .toBeGreaterThan(0);
  });

  test('an application that cannot be loaded says so, and how to try again', async () => {
    const page = await site.visit({ as: 'admin', path: '/robots.txt', expecting: [/ERR_FAILED/] });
    const script = '**/assets/index-*.js';
    await page.route(script, (route) => route.abort());
    await page.goto(`${site.url}/projects?order=name`);
    await page.unroute(script);
    const again = page.getByRole('link', { name: 'Load the page again' });
    await again.click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/projects');
    expect(await again.count()).toBe(0);
  });

  test('icons that cannot be had leave the page as it is', async () => {
    const page = await site.visit({ as: 'admin', path: '/robots.txt' });
    const asked = Promise.withResolvers<void>();
    await page.route('**/assets/icons-*', async (route) => {
      await route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not of this page</h1>' });
      asked.resolve();
    });
    await page.goto(`${site.url}/projects`);
    await asked.promise;
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
    expect(await page.getByText('Not of this page').count()).toBe(0);
  });

  test('P15.6 an unknown address is 404 and the application says so', async () => {
    const page = await site.visit({ as: 'admin', path: '/nowhere' });
    const answer = await page.reload();
    expect(answer?.status()).toBe(404);
    await page.locator('#root > *').first().waitFor();
  });
});
