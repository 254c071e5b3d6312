import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../server/test/fixtures/project.ts';
import { addField, createTracker } from '../../server/test/fixtures/tracker.ts';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo project. */
const bugs = 5;

describe.skipIf(lacksBrowser)('charts of a tracker', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const open = async (query = '', as = 'ada') => {
    const page = await site.visit({ as, path: `/trackers/${bugs}?view=charts${query}` });
    await region(page, 'Created and closed').waitFor();
    return page;
  };

  test('P6.15 the states over time are those that the history tells', async () => {
    const page = await open();
    const states = region(page, 'States over time');
    await states.getByRole('button', { name: 'Show as table' }).click();
    const table = states.getByRole('table');
    await table.getByRole('columnheader').nth(1).waitFor();
    const heads = await table.getByRole('columnheader').allTextContents();
    const numbersOfRow = async (row: number) =>
      (await table.getByRole('row').nth(row).getByRole('cell').allTextContents()).map(Number);
    const rows = await table.getByRole('row').count();
    const { body: counts } = await site.admin.get(`/trackers/${bugs}/artifact_counts?by=status`);
    const buckets: { label: string; count: number }[] = counts.buckets;
    const last = await numbersOfRow(rows - 1);
    for (const [place, label] of heads.slice(1).entries())
      expect(last[place], label).toBe(
        buckets.find((bucket) => bucket.label === (label === 'No value' ? '' : label))?.count,
      );
  });

  thoroughTest('numbers that have not come are not told as none', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    const come = Promise.withResolvers<void>();
    await page.route('**/artifact_trends?*', async (route) => {
      await come.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/trackers/${bugs}?view=charts`);
    const flow = region(page, 'Created and closed');
    await flow.getByText('Loading').waitFor();
    expect(await flow.getByText(/created and/).count()).toBe(0);
    come.resolve();
    await flow.getByText(/created and \d+ closed since/).waitFor();
  });

  test('P6.16 a bar opens the table with just that many artifacts', async () => {
    const page = await open();
    const bars = region(page, 'Components by Status').getByRole('listitem').getByRole('link');
    const name = (await bars.first().getAttribute('aria-label')) ?? '';
    const count = Number(name.split(': ')[1]);
    expect(count).toBeGreaterThan(0);
    await bars.first().click();
    await soon(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(count + 1));
    expect(new URL(page.url()).searchParams.get('view')).toBe('table');
  });

  test('P6.17 every chart has a name, a table, and files with the same numbers', async () => {
    const page = await open();
    for (const name of ['States over time', 'Open now', 'Created and closed']) {
      const chart = region(page, name);
      await chart.getByRole('button', { name: `Download ${name}` }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Table (CSV)' }).click(),
      ]);
      const csv = readFileSync(await download.path(), 'utf8')
        .replace('\ufeff', '')
        .trim()
        .split('\r\n');
      await chart.getByRole('button', { name: 'Show as table' }).click();
      const table = chart.getByRole('table');
      await soon(() => table.getByRole('row').count()).toBe(csv.length);
      expect(await table.getByRole('columnheader').allTextContents()).toEqual(csv[0]?.split(','));
    }
    const flow = region(page, 'Created and closed');
    await flow.getByRole('button', { name: 'Show as chart' }).click();
    await flow.getByRole('button', { name: 'Download Created and closed' }).click();
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Picture (SVG)' }).click(),
    ]);
    expect(readFileSync(await picture.path(), 'utf8')).toMatch(/^<svg[^>]+xmlns=/);
  });

  thoroughTest(
    'the chart of values is divided, drawn and summed as one wishes, and the address says so',
    async () => {
      const page = await open();
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByRole('menuitem', { name: 'Ring' }).click();
      await soon(() => new URL(page.url()).searchParams.get('set')).toContain('donut');
      await page.reload();
      await page
        .getByRole('img', { name: /^[A-Z]/ })
        .first()
        .waitFor();
      await page.getByRole('button', { name: /^Last/ }).click();
      await page.getByRole('menuitem', { name: '30 days' }).click();
      await soon(() => new URL(page.url()).searchParams.get('set')).toContain('30d');
      await page.getByRole('button', { name: /^By/ }).click();
      await page.getByRole('menuitem', { name: 'Day' }).click();
      const states = region(page, 'States over time');
      await states.getByRole('button', { name: 'Show as table' }).click();
      await soon(() => states.getByRole('table').getByRole('row').count()).toBe(32);
    },
  );

  test('P6.15 burnup and burndown tell of the same effort: what is left is all without what is closed', async () => {
    const { body: trackers } = await site.admin.get('/projects/101/trackers?limit=50');
    const numbered = trackers.find(({ fields }: { fields: readonly { type: string }[] }) =>
      fields.some(({ type }) => type === 'int' || type === 'float'),
    );
    const page = await site.visit({ as: 'ada', path: `/trackers/${numbered.id}?view=charts` });
    const rowsOf = async (name: RegExp) => {
      const chart = page.getByRole('region', { name });
      await chart.getByRole('button', { name: 'Show as table' }).click();
      const rows = await chart.getByRole('table').getByRole('row').all();
      return Promise.all(
        rows
          .slice(1)
          .map(async (row) => (await row.getByRole('cell').allTextContents()).map((text) => Number(text))),
      );
    };
    const up = await rowsOf(/^Burnup of/);
    const down = await rowsOf(/^Burndown of/);
    expect(up.some(([all = 0]) => all > 0)).toBe(true);
    expect(down.map(([left]) => left)).toEqual(up.map(([all = 0, closed = 0]) => all - closed));
  });

  thoroughTest('large numbers, many states and names without blanks stay inside their charts', async () => {
    const project = await createProject(site.admin, 'large-charts');
    const tracker = await createTracker(site.admin, project.id, { item_name: 'large', label: 'Large' });
    const title = await addField(site.admin, tracker.id, { type: 'string', name: 'title' });
    const points = await addField(site.admin, tracker.id, { type: 'int', name: 'points' });
    const labels = Array.from({ length: 30 }, (_, place) =>
      place === 3 ? 'Unbroken'.repeat(16) : `State ${place}`,
    );
    const { body: status } = await site.admin.post(`/trackers/${tracker.id}/fields`, {
      type: 'sb',
      label: 'Status',
      bind: { type: 'static', values: labels.map((label) => ({ label })) },
    });
    const values = status.values.map(({ id }: { id: number }) => id);
    await site.admin.put(`/trackers/${tracker.id}/semantics`, {
      title: { field_id: title.field_id },
      status: { field_id: status.field_id, value_ids: values },
      initial_effort: { field_id: points.field_id },
    });
    const rows = labels.map((label, place) => `Card ${place},${label},1500000`);
    const { body, text } = await site.admin.post(`/trackers/${tracker.id}/artifacts_import`, {
      csv: ['title,status,points', ...rows].join('\n'),
    });
    expect(body.fault_count, text).toBe(0);

    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker.id}?view=charts` });
    await page.locator('svg text', { hasText: '40,000,000' }).first().waitFor();
    await region(page, 'States over time')
      .locator('svg text', { hasText: /^State/ })
      .first()
      .waitFor();
    const outside = await page.getByRole('main').evaluate((main) => {
      const isOutside = (element: Element, around: Element | null) => {
        const [inner, outer] = [element.getBoundingClientRect(), around?.getBoundingClientRect()];
        if (outer === undefined) return true;
        const isBeside = inner.left < outer.left - 1 || inner.right > outer.right + 1;
        return isBeside || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
      };
      const numbers = [...main.querySelectorAll('svg text')].filter((text) =>
        isOutside(text, text.closest('svg')),
      );
      const names = [...main.querySelectorAll('section a')].filter((name) =>
        isOutside(name, name.closest('section')),
      );
      return [...numbers, ...names].map(({ textContent }) => textContent);
    });
    expect(outside).toEqual([]);
  });

  test('P6.18 a tracker without a status and one without artifacts say what to do', async () => {
    const project = await createProject(site.admin, 'bare-charts');
    const tracker = await createTracker(site.admin, project.id, { item_name: 'bare', label: 'Bare' });
    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker.id}?view=charts` });
    await page.getByRole('main').getByRole('link', { name: 'Build the form' }).waitFor();
    const field = await addField(site.admin, tracker.id, { type: 'string', name: 'title', label: 'Title' });
    await site.admin.post('/artifacts', {
      tracker: { id: tracker.id },
      values: [{ field_id: field.field_id, value: 'One' }],
    });
    await page.reload();
    await page.getByText('States need a status').waitFor();
  });

  thoroughTest('is the same for those who do not see it', async () => {
    const page = await site.visit({ as: 'ada', path: `/trackers/${bugs}?view=charts` });
    await region(page, 'Created and closed').getByRole('img').waitFor();
    await expectAccessibleEverywhere(page);
  });
});
