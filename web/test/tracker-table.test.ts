import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo project. */
const bugs = 5;

describe.skipIf(lacksBrowser)('the table of a tracker', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const grid = (page: Page) => page.getByRole('grid');
  const rowOf = (page: Page, id: number) =>
    grid(page)
      .getByRole('row')
      .filter({ hasText: String(id) });
  const open = async (query = '', as = 'admin') => {
    const page = await site.visit({ as, path: `/trackers/${bugs}${query}` });
    await grid(page).getByRole('link').first().waitFor();
    return page;
  };
  const sizeOf = async (criteria: object) => {
    const query = encodeURIComponent(JSON.stringify(criteria));
    const { headers } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=1&query=${query}`);
    return Number(headers.get('X-PAGINATION-SIZE'));
  };

  test('P5.1 the count is exact, and the end of the list shows the last artifact', async () => {
    const page = await open();
    await soon(() => grid(page).getAttribute('aria-rowcount')).toBe(String((await sizeOf({})) + 1));
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=1&sort=-id`);
    await grid(page).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('Control+End');
    await rowOf(page, body.rows[0].id).getByRole('link').waitFor();
  });

  test('P5.3 a filter is in the address, and somebody else who opens it sees the same number', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search fields' }).fill('status');
    await page.getByRole('menuitem', { name: 'Status' }).click();
    await page.getByRole('dialog').getByText('Confirmed').click();
    await page.getByRole('dialog').getByText('Fixed').click();
    await soon(() => page.url()).toContain('f=status:');
    await page.keyboard.press('Escape');
    const values = new URL(page.url()).searchParams.get('f')!.split(':')[1]!.split(',');
    const size = await sizeOf({ status: { operator: 'contains', value: values } });
    expect(size).toBeGreaterThan(0);
    await page.getByText(String(size), { exact: true }).first().waitFor();
    const other = await site.visit({
      as: 'ada',
      path: new URL(page.url()).pathname + new URL(page.url()).search,
    });
    await soon(() => grid(other).getAttribute('aria-rowcount')).toBe(String(size + 1));
  });

  test('P5.5 a query that cannot be understood says so in the words of the server, and the rows stay', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Query' }).click();
    await page.getByRole('textbox', { name: 'Query in TQL' }).fill('status = "clsed"');
    await page.keyboard.press('Enter');
    await page.getByText(/clsed/).first().waitFor();
    await page.getByRole('textbox', { name: 'Query in TQL' }).fill('status = "Fixed"');
    await page.keyboard.press('Enter');
    const { headers } = await site.admin.get(
      `/trackers/${bugs}/artifact_rows?limit=1&expert_query=${encodeURIComponent('status = "Fixed"')}`,
    );
    const size = Number(headers.get('X-PAGINATION-SIZE'));
    await soon(() => grid(page).getAttribute('aria-rowcount')).toBe(String(size + 1));
  });

  test('P5.8 sorted by two columns it has the order of the API', async () => {
    const page = await open();
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').first().click();
    await page
      .getByRole('columnheader', { name: 'Severity' })
      .getByRole('button')
      .first()
      .click({ modifiers: ['Shift'] });
    await soon(() => new URL(page.url()).searchParams.get('sort')).toBe('status,severity');
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=10&sort=status,severity`);
    const wanted = body.rows.map(({ id }: { id: number }) => `/artifacts/${id}`);
    await eventually(async () => {
      const links = await grid(page).getByRole('link').all();
      const hrefs = await Promise.all(links.slice(0, 10).map((link) => link.getAttribute('href')));
      expect(hrefs).toEqual(wanted);
    });
  });

  test('P5.9 grouped rows stand under headings with exact counts, which can be folded', async () => {
    const page = await open('?group=status');
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=500&columns=status`);
    const counts = new Map<string, number>();
    for (const { full_status: status } of body.rows)
      counts.set(status.value, (counts.get(status.value) ?? 0) + 1);
    const [first] = [...counts.keys()].sort();
    const heading = grid(page).getByRole('rowheader').filter({ hasText: first! });
    await heading.getByText(String(counts.get(first!)), { exact: true }).waitFor();
    await heading.getByRole('button', { name: `Fold ${first}` }).click();
    await grid(page).getByRole('rowheader').nth(1).waitFor();
    expect(await grid(page).getByRole('rowheader').first().textContent()).toContain(first);
  });

  test('P5.10 a title that is edited in its cell is seen at once, stored, and in history once', async () => {
    const page = await open('?sort=id');
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=1&sort=id`);
    const [{ id }] = body.rows;
    const before = await site.admin.get(`/artifacts/${id}/changesets?limit=50`);
    await rowOf(page, id).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('e');
    const box = grid(page).getByRole('textbox');
    await box.fill('The lamp says what it does');
    await page.keyboard.press('Enter');
    await rowOf(page, id).getByRole('link', { name: 'The lamp says what it does' }).waitFor();
    await eventually(async () => {
      const { body: artifact } = await site.admin.get(`/artifacts/${id}`);
      expect(artifact.title).toBe('The lamp says what it does');
    });
    const after = await site.admin.get(`/artifacts/${id}/changesets?limit=50`);
    expect(after.body.length).toBe(before.body.length + 1);
    // Twice in a row: the version of the first change is the one that the second one is made on.
    await page.keyboard.press('e');
    await grid(page).getByRole('textbox').fill('The lamp does what it says');
    await page.keyboard.press('Enter');
    await eventually(async () => {
      const { body: artifact } = await site.admin.get(`/artifacts/${id}`);
      expect(artifact.title).toBe('The lamp does what it says');
    });
  });

  test('a value of a list is chosen in its cell and stored at once', async () => {
    const page = await open('?sort=id');
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=2&sort=id`);
    const [, { id }] = body.rows;
    await rowOf(page, id).getByRole('gridcell').nth(4).dblclick();
    await page.getByRole('option', { name: 'Cosmetic' }).click();
    await rowOf(page, id).getByText('Cosmetic').waitFor();
    await eventually(async () => {
      const { body: rows } = await site.admin.get(
        `/trackers/${bugs}/artifact_rows?limit=2&sort=id&columns=severity`,
      );
      expect(rows.rows[1].cells.severity.value[0].label).toBe('Cosmetic');
    });
  });

  test('P5.14 P5.15 a view is saved as one’s own, and one for everybody is seen by all', async () => {
    const page = await open('?sort=-id');
    const save = async (entry: string, name: string) => {
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('menuitem', { name: entry }).click();
      await page.getByRole('textbox', { name: 'Name of the view' }).fill(name);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name }).waitFor();
    };
    await save('Save as mine', 'Newest of mine');
    await page.reload();
    await page.getByRole('heading', { name: 'Newest of mine' }).waitFor();
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').first().click();
    await save('Save for everybody', 'By state');
    const { body: seen } = await site.as('ada').get(`/trackers/${bugs}/tracker_reports?limit=50`);
    const names = seen.map(({ label }: { label: string }) => label);
    expect(names).toContain('By state');
    expect(names).not.toContain('Newest of mine');
  });

  test('P5.16 order and width of columns survive a reload', async () => {
    const page = await open();
    await page.getByRole('columnheader', { name: 'Severity' }).hover();
    await page.getByRole('button', { name: 'Column Severity' }).click();
    await page.getByRole('menuitem', { name: 'Move left' }).click();
    const handle = page.getByRole('separator', { name: 'Width of Severity' });
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    const width = await handle.getAttribute('aria-valuenow');
    await page.reload();
    await soon(() => handle.getAttribute('aria-valuenow')).toBe(width);
    const heads = await page.getByRole('columnheader').allTextContents();
    expect(heads.findIndex((text) => text.startsWith('Severity'))).toBeLessThan(
      heads.findIndex((text) => text.startsWith('Status')),
    );
  });

  test('P5.23 somebody who may not change anything is not offered to', async () => {
    const page = await site.visit({ path: `/trackers/${bugs}` });
    await grid(page).getByRole('link').first().waitFor();
    await grid(page).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('e');
    expect(await grid(page).getByRole('textbox').count()).toBe(0);
  });

  test('an artifact opens beside its row, the panel follows j and k, and Escape closes it', async () => {
    const page = await open('?sort=id');
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=2&sort=id`);
    const [first, second] = body.rows;
    await rowOf(page, first.id).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: first.xref }).waitFor();
    await soon(() => new URL(page.url()).searchParams.get('open')).toBe(String(first.id));
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: second.xref }).waitFor();
    await page.keyboard.press('Escape');
    await soon(() => page.getByRole('complementary', { name: second.xref }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('open')).toBeNull();
  });

  test('P5.11 a cell of the status offers the steps that the workflow allows, and no others', async () => {
    const page = await open('?sort=id');
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=2&sort=id&columns=status`);
    const [, { id, cells }] = body.rows;
    const [now] = cells.status.value;
    const steps = tracker.workflow.transitions.filter(
      ({ from_id }: { from_id: number }) => from_id === now.id,
    );
    const field = tracker.fields.find(({ name }: { name: string }) => name === 'status');
    const labelOf = (wanted: number) =>
      field.values.find((value: { id: number }) => value.id === wanted).label;
    const labels = steps.map(({ to_id }: { to_id: number }) => labelOf(to_id));
    await rowOf(page, id).getByRole('gridcell').nth(3).dblclick();
    await page.getByRole('option', { name: labels[0] }).waitFor();
    const offered = await page.getByRole('option').allTextContents();
    expect(offered.map((text) => text.trim()).sort()).toEqual([now.label, ...labels].sort());
    await page.keyboard.press('Escape');
  });

  test('P5.25 by keyboard alone: down, select, deselect, search', async () => {
    const page = await open();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').first().waitFor();
    await page.keyboard.press('Escape');
    await eventually(async () =>
      expect(await page.getByRole('region', { name: '1 selected' }).count()).toBe(0),
    );
    await page.keyboard.press('/');
    await page.keyboard.type('lamp');
    await page.keyboard.press('Enter');
    await soon(() => new URL(page.url()).searchParams.get('words')).toBe('lamp');
  });

  test('nothing that matches names the filters and lets go of them', async () => {
    const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}?words=xyzzyplugh` });
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await grid(page).getByRole('link').first().waitFor();
  });

  test('it is accessible in both themes, on a phone and on a desk', async () => {
    const page = await open();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoSidewaysScrolling(page);
  });
});
