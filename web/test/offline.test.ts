import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { isAway } from './harness/faults.ts';
import { lacksBrowser, type Site, startSite, untilKept } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

interface Row {
  readonly id: number;
  readonly title: string;
}

describe.skipIf(lacksBrowser)('without a network', () => {
  let site: Site;
  /** Bugs of the demo that nobody else here changes. */
  let rows: readonly Row[];
  beforeAll(async () => {
    site = await startSite();
    rows = (await site.admin.get('/trackers/5/artifact_rows?limit=5&sort=id')).body.rows;
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const grid = (page: Page) => page.locator('#root').getByRole('grid');
  const changesOf = async (id: number): Promise<readonly unknown[]> =>
    (await site.admin.get(`/artifacts/${id}/changesets?limit=50`)).body;
  const titleOf = async (id: number): Promise<string> =>
    (await site.admin.get(`/artifacts/${id}`)).body.title;
  const openTable = async (hasWorker: boolean) => {
    const page = await site.visit({
      as: 'ada',
      path: '/trackers/5?sort=id',
      hasWorker,
      expecting: isAway,
    });
    await grid(page).getByRole('link').first().waitFor();
    return page;
  };
  const rename = async (page: Page, { title }: Row, words: string) => {
    const link = grid(page).getByRole('link', { name: title, exact: true });
    await link.locator('xpath=ancestor::*[@role="gridcell"]').focus();
    await page.keyboard.press('e');
    await grid(page).getByRole('textbox').fill(words);
    await page.keyboard.press('Enter');
  };

  test('17.13 what is kept can be read, and an edit waits, survives a reload, and is stored once', async () => {
    const [row] = rows;
    if (row === undefined) throw new Error('There are no bugs.');
    const page = await openTable(true);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    // What opens at a press of a key comes after what is seen, one part after the other.
    const arrived = new Set<string>();
    page.on('requestfinished', (request) => arrived.add(request.url()));
    await page.reload();
    await grid(page).getByRole('link').first().waitFor();
    const parts = ['/cell-editor-', '/form-controls-', '/parts-', '/en-later-', '/export-dialog-'];
    await soon(() => parts.filter((part) => ![...arrived].some((url) => url.includes(part)))).toEqual([]);
    await untilKept(page);
    const before = (await changesOf(row.id)).length;
    // A page that is loaded anew may send something before the browser has told it that it is offline.
    const changes = `**/api/artifacts/${row.id}*`;
    await page
      .context()
      .route(changes, (route) =>
        route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.fallback(),
      );
    await page.context().setOffline(true);
    await rename(page, row, 'Renamed under way');
    await page
      .locator('#root')
      .getByText(/1 change waits to be saved/)
      .waitFor();
    expect(await titleOf(row.id)).toBe(row.title);
    await page.reload();
    await page
      .locator('#root')
      .getByText(/1 change waits to be saved/)
      .waitFor();
    await grid(page).getByRole('link', { name: 'Renamed under way', exact: true }).waitFor();
    await page.context().unroute(changes);
    await page.context().setOffline(false);
    await soon(() => titleOf(row.id)).toBe('Renamed under way');
    await soon(() =>
      page
        .locator('#root')
        .getByText(/1 change waits to be saved/)
        .count(),
    ).toBe(0);
    expect(await changesOf(row.id)).toHaveLength(before + 1);
  });

  test('17.13 a server that ends after it stored a change, before it could say so, has it once', async () => {
    const [, row] = rows;
    if (row === undefined) throw new Error('There are no bugs.');
    const page = await openTable(false);
    const before = (await changesOf(row.id)).length;
    let sent = 0;
    await page.context().route(`**/api/artifacts/${row.id}*`, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      sent++;
      if (sent > 1) return route.fallback();
      await route.fetch();
      await site.stopServer();
      await route.abort();
    });
    await rename(page, row, 'Said into the wind');
    await page
      .locator('#root')
      .getByText(/1 change waits to be saved/)
      .waitFor();
    await site.startServer();
    await eventually(async () => expect((await fetch(site.url)).status).toBe(200));
    expect(await titleOf(row.id)).toBe('Said into the wind');
    const again = page.getByRole('button', { name: 'Try now' });
    await soon(async () => {
      if ((await again.count()) > 0) await again.click();
      return page
        .locator('#root')
        .getByText(/1 change waits to be saved/)
        .count();
    }).toBe(0);
    expect(sent).toBeGreaterThan(1);
    expect(await changesOf(row.id)).toHaveLength(before + 1);
    await grid(page).getByRole('link', { name: 'Said into the wind', exact: true }).waitFor();
  });
});
