import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyField } from '../../server/test/fixtures/tracker.ts';
import { expectAccessible } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo project. */
const bugs = 5;

interface Row {
  readonly id: number;
  readonly cells: Readonly<Record<string, { readonly value: readonly { id: number; label: string }[] }>>;
}

describe.skipIf(lacksBrowser)('changing many artifacts at once', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const grid = (page: Page) => page.getByRole('grid');
  const bar = (page: Page) => page.getByRole('region', { name: 'What is selected' });
  const open = async (query = '', tracker = bugs) => {
    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker}${query}` });
    await grid(page).getByRole('link').first().waitFor();
    return page;
  };
  const rows = async (query: string, tracker = bugs): Promise<Row[]> =>
    (await site.admin.get(`/trackers/${tracker}/artifact_rows?${query}`)).body.rows;
  const fieldOf = async (name: string, tracker = bugs) =>
    (await site.admin.get(`/trackers/${tracker}`)).body.fields.find(
      (field: { name: string }) => field.name === name,
    );

  test('P5.17 x on three, the key of a field, a value: three are changed, with one notice and one undo', async () => {
    const page = await open('?sort=id&cols=severity');
    const first = await rows('limit=3&sort=id&columns=severity');
    const severity = await fieldOf('severity');
    const now = new Set(first.map(({ cells }) => cells['severity']?.value[0]?.id));
    const wanted = severity.values.find(({ id }: { id: number }) => !now.has(id));
    await grid(page).getByRole('gridcell').nth(2).focus();
    for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await bar(page).getByText('3 selected').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('p');
    await page.getByRole('option', { name: wanted.label }).click();
    await page.getByText(`Severity: ${wanted.label}, in 3 artifacts`).first().waitFor();
    const shown = async () =>
      (await rows('limit=4&sort=id&columns=severity')).map(({ cells }) => cells['severity']?.value[0]?.id);
    const [, , , fourth] = await shown();
    expect((await shown()).slice(0, 3)).toEqual([wanted.id, wanted.id, wanted.id]);
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('3 artifacts put back').first().waitFor();
    expect(await shown()).toEqual([...first.map(({ cells }) => cells['severity']?.value[0]?.id), fourth]);
  });

  test('P5.18 all 612 that match are changed by one request, and the results are exact', async () => {
    const { body: before } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=1`);
    expect(before.rows).toHaveLength(1);
    const there = (await rows('limit=500')).length;
    const lines = Array.from({ length: 612 - there }, (_, at) => `one of many ${at},Minor`);
    const csv = `summary,severity\n${lines.join('\n')}\n`;
    const made = await site.admin.post(`/trackers/${bugs}/artifacts_import`, { csv });
    expect(made.status, made.text).toBe(200);
    const page = await open('?sort=id&cols=severity');
    const sent: { readonly artifacts: unknown[]; readonly dry_run: boolean }[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/artifact_changes')) sent.push(request.postDataJSON());
    });
    await grid(page)
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check({ force: true });
    await bar(page).getByRole('button', { name: 'Select all 612' }).click();
    await bar(page).getByText('612 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'Cosmetic' }).click();
    await page.getByRole('dialog', { name: 'Severity' }).getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 612 artifacts?' });
    const { buckets } = (await site.admin.get(`/trackers/${bugs}/artifact_counts?by=severity`)).body;
    const had = buckets.find(({ label }: { label: string }) => label === 'Cosmetic').count;
    await dialog.getByText(`${612 - had} change`).waitFor();
    await dialog.getByText(`${had} stay as they are`).waitFor();
    await dialog.getByRole('button', { name: `Change ${612 - had}` }).click();
    const results = page.getByRole('region', { name: 'What came of it' });
    await results
      .getByText(`${612 - had} changed`)
      .first()
      .waitFor({ timeout: 60_000 });
    expect(sent.map(({ dry_run, artifacts }) => [dry_run, artifacts.length])).toEqual([
      [true, 612],
      [false, 612],
    ]);
    const after = (await site.admin.get(`/trackers/${bugs}/artifact_counts?by=severity`)).body.buckets;
    expect(after.find(({ label }: { label: string }) => label === 'Cosmetic').count).toBe(612);
    await results.getByRole('button', { name: 'Undo' }).click();
    await page
      .getByText(`${612 - had} artifacts put back`)
      .first()
      .waitFor({ timeout: 60_000 });
    const back = (await site.admin.get(`/trackers/${bugs}/artifact_counts?by=severity`)).body.buckets;
    expect(back.find(({ label }: { label: string }) => label === 'Cosmetic').count).toBe(had);
  });

  test('P5.19 3 of 40 are refused by the workflow: the preview says which and why, 37 are changed', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `batch of forty ${at}`);
    const csv = `summary\n${lines.join('\n')}\n`;
    const made = (await site.admin.post(`/trackers/${bugs}/artifacts_import`, { csv })).body.results;
    const ids: number[] = made.map(({ id }: { id: number }) => id);
    const status = await fieldOf('status');
    const idOf = (label: string) =>
      status.values.find((value: { label: string }) => value.label === label).id;
    const rejected = ids.slice(0, 3);
    for (const id of rejected) {
      const values = [{ field_id: status.field_id, bind_value_ids: [idOf('Rejected')] }];
      const { status: answer, text } = await site.admin.put(`/artifacts/${id}`, {
        values,
        comment: { body: 'No.', format: 'text' },
      });
      expect(answer, text).toBe(200);
    }
    const page = await open('?sort=id&words=batch&cols=status');
    await grid(page)
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check({ force: true });
    await bar(page).getByRole('button', { name: 'Select all 40' }).click();
    await bar(page).getByText('40 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Confirmed' }).click();
    await page.getByRole('dialog', { name: 'Status' }).getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 40 artifacts?' });
    await dialog.getByText('37 change').waitFor();
    const refused = dialog.getByRole('group').filter({ hasText: '3 are refused' });
    expect(await refused.textContent()).toMatch(/transition|workflow/i);
    for (const id of rejected) await refused.getByRole('link', { name: `#${id}` }).waitFor();
    await dialog.getByRole('button', { name: 'Change 37' }).click();
    const results = page.getByRole('region', { name: 'What came of it' });
    await results.getByText('37 changed').first().waitFor();
    await results.getByText('3 refused').first().waitFor();
    const now = await rows('limit=100&columns=status&sort=-id');
    const confirmed = now.filter(
      ({ id, cells }) => ids.includes(id) && cells['status']?.value[0]?.label === 'Confirmed',
    );
    expect(confirmed.length + rejected.length).toBe(40);
    await results.getByRole('button', { name: 'Close' }).click();
    await results.waitFor({ state: 'detached' });
  });

  thoroughTest(
    'ranges by Shift and a press, by Shift and arrows, all that are seen by the box in the head',
    async () => {
      const page = await open('?sort=id');
      const cell = (row: number) => grid(page).getByRole('row').nth(row).getByRole('gridcell').nth(1);
      await cell(1).click();
      await cell(4).click({ modifiers: ['Shift'] });
      await bar(page).getByText('4 selected').waitFor();
      await page.keyboard.press('Escape');
      await bar(page).waitFor({ state: 'detached' });
      await cell(2).click();
      for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp'])
        await page.keyboard.press(key);
      await bar(page).getByText('2 selected').waitFor();
      await page.keyboard.press('Control+a');
      await soon(() =>
        bar(page)
          .getByText(/^\d+ selected$/)
          .textContent(),
      ).not.toBe('2 selected');
      await page.keyboard.press('Escape');
      await grid(page).getByRole('checkbox', { name: 'Select all rows that are loaded' }).check();
      await bar(page).waitFor();
    },
  );

  test('P5.20 every type of field that can be edited can be changed in bulk', async () => {
    const every = await everyField(site.admin, 101);
    const entry = (name: string, more: object) => ({ field_id: every.ids[name], ...more });
    const make = async (title: string): Promise<number> =>
      (
        await site.admin.post('/artifacts', {
          tracker: { id: every.tracker.id },
          values: [entry('string', { value: title })],
        })
      ).body.id;
    const ids = [await make('one'), await make('two')];
    const target = (await rows('limit=1&sort=id'))[0]?.id ?? 0;
    const page = await open('?sort=id', every.tracker.id);
    await grid(page).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('Control+a');
    await bar(page).getByText('2 selected').waitFor();
    const labelOf = (name: string) =>
      every.tracker.fields.find((field) => field.name === name)?.label ?? name;
    const values = async (name: string) =>
      Promise.all(
        ids.map(async (id) =>
          (await site.admin.get(`/artifacts/${id}`)).body.values.find(
            (value: { field_id: number }) => value.field_id === every.ids[name],
          ),
        ),
      );
    const option = (label: string) => page.getByRole('option', { name: label, exact: true }).click();
    const fill: Readonly<Record<string, readonly [(form: Locator) => Promise<unknown>, object]>> = {
      string: [(form) => form.getByRole('textbox').fill('changed'), { value: 'changed' }],
      text: [(form) => form.getByRole('textbox').fill('**all**'), { commonmark: '**all**' }],
      int: [(form) => form.getByRole('textbox').fill('7'), { value: 7 }],
      float: [(form) => form.getByRole('textbox').fill('1.5'), { value: 1.5 }],
      date: [
        async (form) => {
          await form.getByRole('textbox').fill('2026-11-12');
          await form.getByRole('textbox').press('Tab');
        },
        { value: expect.stringContaining('2026-11-12') },
      ],
      sb: [() => option('red'), { values: [expect.objectContaining({ label: 'red' })] }],
      sb_users: [() => page.getByRole('option').nth(1).click(), { values: [expect.anything()] }],
      rb: [
        (form) => form.getByText('green', { exact: true }).click(),
        { values: [expect.objectContaining({ label: 'green' })] },
      ],
      msb: [
        async (form) => {
          await form.getByRole('button', { name: labelOf('msb') }).click();
          await option('blue');
          await page.keyboard.press('Escape');
        },
        { values: [expect.objectContaining({ label: 'blue' })] },
      ],
      cb: [
        (form) => form.getByText('red', { exact: true }).click(),
        { values: [expect.objectContaining({ label: 'red' })] },
      ],
      tbl: [
        async (form) => {
          await form.getByRole('combobox').fill('cart');
          await page.getByRole('option', { name: /cart/ }).click();
        },
        { bind_value_ids: ['cart'] },
      ],
      file: [
        (form) =>
          form
            .locator('input[type=file]')
            .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }),
        { file_descriptions: [expect.objectContaining({ name: 'note.txt' })] },
      ],
      art_link: [
        async (form) => {
          await form.getByRole('searchbox').fill(`#${target}`);
          await form.getByRole('button', { name: `#${target}` }).click();
        },
        { links: [expect.objectContaining({ id: target })] },
      ],
      perm: [
        (form) => form.getByRole('checkbox').first().check({ force: true }),
        { granted_groups: [expect.anything()] },
      ],
      computed: [(form) => form.getByRole('textbox').fill('3'), { manual_value: 3 }],
    };
    for (const [name, [set, expected]] of Object.entries(fill)) {
      const label = labelOf(name);
      await bar(page).getByRole('button', { name: 'Field', exact: true }).click();
      await page.getByRole('menuitem', { name: label, exact: true }).click();
      const form = page.getByRole('dialog', { name: label, exact: true }).first();
      await form.waitFor();
      await set(form);
      // A list may still be open, which hides the rest from those who listen.
      await page.locator('[role=dialog] button', { hasText: 'Change 2' }).click();
      await soon(() => values(name)).toEqual([
        expect.objectContaining(expected),
        expect.objectContaining(expected),
      ]);
      await bar(page).getByText('2 selected').waitFor();
    }
  });
});
