import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTracker } from '../../server/test/fixtures/tracker.ts';
import { readCsv, writeCsv } from '../src/kernel/csv.ts';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** Of the demo project. */
const bugs = 5;

describe.skipIf(lacksBrowser)('tables out and in', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const grid = (page: Page) => page.getByRole('grid');
  const size = async () =>
    Number(
      (await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=1`)).headers.get('X-Pagination-Size'),
    );
  const give = (page: Page, name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const cell = (page: Page, row: number, column: number) =>
    grid(page).getByRole('row').nth(row).getByRole('gridcell').nth(column);

  /** What the dialog of the table gives. */
  const exported = async (page: Page) => {
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV…' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('bug.csv');
    return readFileSync(await file.path(), 'utf8');
  };

  test('P5.21 CSV out is what is seen; in again with one changed cell it changes one artifact', async () => {
    const page = await site.visit({
      as: 'admin',
      path: `/trackers/${bugs}?sort=-id&cols=severity,assigned_to`,
    });
    await grid(page).getByRole('link').first().waitFor();
    const text = await exported(page);
    const { header, rows } = readCsv(text, 'comma');
    expect(header).toEqual(['id', 'summary', 'severity', 'assigned_to']);
    expect(rows).toHaveLength(await size());
    for (const place of [1, 2, 3]) {
      expect(await cell(page, place, 1).textContent()).toBe(rows[place - 1]?.[0]);
      expect(await cell(page, place, 2).getByRole('link').textContent()).toBe(rows[place - 1]?.[1]);
      expect(await cell(page, place, 3).textContent()).toBe(rows[place - 1]?.[2]);
    }
    const [id = '', title = ''] = rows[0] ?? [];
    await page.goto(`${site.url}/trackers/${bugs}/import`);
    const changed = rows.map((row, place) => (place === 0 ? row.with(1, `${title}, put right`) : row));
    await give(page, 'bug.csv', writeCsv([header, ...changed]));
    await page.getByText(`${rows.length - 1} as they are`).waitFor();
    await page.getByText('1 change', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Import ${rows.length}` }).click();
    await page.getByText('1 changed', { exact: true }).waitFor();
    await page.getByText(`${rows.length - 1} as they were`).waitFor();
    await grid(page).getByRole('link', { name: id, exact: true }).waitFor();
    expect((await site.admin.get(`/artifacts/${id}`)).body.title).toBe(`${title}, put right`);
  });

  test('P5.22 three bad cells: nothing is written, they are named; put right, all is imported', async () => {
    const before = await size();
    const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}/import` });
    await page.locator('input[type=file]').setInputFiles({
      name: 'bugs.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('PK\u0003\u0004\u0000\u0000'),
    });
    await page.getByText('bugs.xlsx is not a text.').waitFor();
    const table = [
      'Title,State,Severity,Owner',
      'Receipt shows the wrong name,New,Minor,',
      'Gift card is rounded,Nwe,Minor,ada,and one more',
      'Newsletter has no plain text,New,Cosmtic,',
      'Label is cut,New,Minor,f.lindt',
    ];
    await give(page, 'bugs-november.csv', table.join('\n'));
    await page.getByText('3 cells cannot be stored').waitFor();
    await page.getByText('1 new', { exact: true }).waitFor();
    await page.getByText('Row 3 has more cells than there are columns').waitFor();
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Import 4' }).click({ force: true });
    expect(await size()).toBe(before);
    const bad = grid(page).locator('[role=gridcell][aria-invalid=true]');
    expect(await bad.allTextContents()).toEqual(['Nwe', 'Cosmtic', 'f.lindt']);
    // The nearest value is chosen: Enter takes it.
    // Those who see wrong rows alone go on with the next one.
    await page.getByRole('switch', { name: 'Only faults' }).check({ force: true });
    await page.getByRole('button', { name: 'Next fault' }).click();
    const first = page.getByRole('textbox', { name: 'Status of row 3' });
    await first.waitFor();
    await page.getByText('"Nwe" is not one of its values. Row 3 waits').waitFor();
    await first.press('Enter');
    await page.getByText('2 cells cannot be stored').waitFor();
    await expect.poll(() => grid(page).locator('[role=gridcell]:focus').count()).toBe(1);
    await page.getByRole('switch', { name: 'Only faults' }).uncheck({ force: true });
    await bad.filter({ hasText: 'Cosmtic' }).dblclick();
    await page.getByRole('button', { name: 'Cosmetic nearest' }).click();
    await page.getByText('1 cell cannot be stored').waitFor();
    await bad.filter({ hasText: 'f.lindt' }).dblclick();
    await page.getByRole('textbox', { name: 'Assigned to of row 5' }).fill('');
    await page.getByRole('textbox', { name: 'Assigned to of row 5' }).press('Tab');
    await page.getByText('4 new', { exact: true }).waitFor();
    expect(await grid(page).getByRole('img', { name: 'Put right' }).count()).toBe(3);
    // What was put right is in no file: nobody leaves it unasked.
    await page.getByRole('link', { name: 'My work' }).click();
    const asks = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await asks.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Another file' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
    await asks.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import 4' }).click();
    await page.getByText('4 created', { exact: true }).waitFor();
    expect(await size()).toBe(before + 4);
  });

  thoroughTest(
    'many rows are looked at and stored in parts, columns are matched by hand, and the same id twice is a fault',
    async () => {
      const { id } = await createTracker(site.admin, 101, { item_name: 'heap', label: 'Heap' });
      const field = await site.admin.post(`/trackers/${id}/fields`, {
        type: 'string',
        name: 'what',
        label: 'What',
      });
      expect(field.status, field.text).toBe(201);
      const page = await site.visit({ as: 'admin', path: `/trackers/${id}`, expecting: [/status of 503/] });
      await page.getByRole('link', { name: 'Import CSV…' }).click();
      await page
        .getByRole('textbox')
        .fill(`nothing\tnumber\n${Array.from({ length: 650 }, (_, row) => `thing ${row}\t`).join('\n')}`);
      await page.getByRole('button', { name: 'Look at it' }).click();
      await page.getByText('650 rows, 2 columns, tab, UTF-8').waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pasted table');
      await page.getByText('None of the columns is a field').waitFor();
      await page.getByRole('button', { name: 'What nothing is: Do not import' }).click();
      await page.getByRole('menuitem', { name: 'What' }).click();
      await page.getByText('650 new').waitFor();
      const parts: number[] = [];
      // The second part is stored, and its answer lost.
      await page.route('**/artifacts_import', async (route) => {
        const answer = await route.fetch();
        parts.push(answer.status());
        if (parts.length === 2)
          await route.fulfill({ status: 503, json: { error: { code: 503, message: 'Busy' } } });
        else await route.fulfill({ response: answer });
      });
      await page.getByRole('button', { name: 'Import 650' }).click();
      await page.getByText('200 created').waitFor();
      await page.getByText('Busy').waitFor();
      await page
        .getByText('Import goes on with the rows that are left, and stores none of them twice.')
        .waitFor();
      await page.getByRole('button', { name: 'Import 450' }).click();
      await page.getByText('650 created').waitFor();
      expect(parts).toEqual([200, 200, 200, 200, 200]);
      const made = await site.admin.get(`/trackers/${id}/artifact_rows?limit=1&sort=id`);
      expect(Number(made.headers.get('X-Pagination-Size'))).toBe(650);
      const first = made.body.rows[0].id;
      await page.getByRole('button', { name: 'Another file' }).click();
      expect(await page.getByRole('textbox').inputValue()).toContain('thing 649');
      await give(page, 'twice.csv', `id,what\n${first},a\n${first},b\n`);
      await page.getByText('1 cell cannot be stored').waitFor();
      await grid(page).getByRole('img', { name: 'Fault: Row 2 is about the same artifact.' }).waitFor();
    },
  );

  thoroughTest(
    'days and decimals of a spreadsheet are read as it wrote them, and in the other order when that is said',
    async () => {
      const page = await site.visit({ as: 'admin', path: '/trackers/1/import' });
      await give(page, 'plan.csv', 'name;start_date;end_date;capacity\nSheet;01/02/2026;13/02/2026;3,5\n');
      await page.getByText('1 new').waitFor();
      const order = page.getByRole('button', { name: 'Days in the file' });
      expect(await order.textContent()).toBe('Days: day/month/year');
      const choose = async (name: string) => {
        await order.click();
        await page.getByRole('option', { name }).click();
      };
      await choose('Days: month/day/year');
      await page.getByText('1 cell cannot be stored').waitFor();
      await choose('Days: day/month/year');
      await page.getByText('1 new').waitFor();
      await page.getByRole('button', { name: 'Import 1' }).click();
      await page.getByText('1 created').waitFor();
      const { text } = await site.admin.get(
        '/trackers/1/artifacts_export?columns=name,start_date,end_date,capacity',
      );
      expect(text).toContain('Sheet,2026-02-01,2026-02-13,3.5\r\n');
    },
  );
});
