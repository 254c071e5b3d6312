import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addField,
  createTracker,
  type EveryField,
  everyField,
  valueIds,
} from '../../server/test/fixtures/tracker.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

const project = 101;

/** A release of the demo project. */
const release = 2;

describe.skipIf(lacksBrowser)('every type of element on the page of an artifact', () => {
  let site: Site;
  let every: EveryField;
  let id: number;
  let page: Page;
  beforeAll(async () => {
    site = await startSite();
    every = await everyField(site.admin, project);
    const values = [{ field_id: every.ids['string'], value: 'Something to begin from' }];
    const { body } = await site.admin.post('/artifacts', { tracker: { id: every.tracker.id }, values });
    id = body.id;
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const value = async (name: string) => {
    const { body } = await site.admin.get(`/artifacts/${id}`);
    return body.values.find((one: { field_id: number }) => one.field_id === every.ids[name]);
  };
  const open = async () => {
    page = await site.visit({ as: 'ada', path: `/artifacts/${id}` });
    await page.getByRole('button', { name: /empty fields?/ }).click();
  };
  const type = async (name: string, text: string) => {
    await page.getByRole('button', { name: new RegExp(`^Edit ${name}:`) }).click();
    await page.getByRole('textbox', { name, exact: true }).fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name, exact: true }).waitFor({ state: 'detached' });
  };
  const choose = async (name: string, option: string | RegExp, isSeveral: boolean) => {
    await page.locator(`[data-field="${name}"]`).getByRole('button').first().click();
    await page.getByRole('option', { name: option }).first().click();
    if (isSeveral) await page.keyboard.press('Escape');
  };

  test('P7.1 lines, numbers and days are typed, and the API has them', async () => {
    await open();
    await type('string', 'A line');
    await type('int', '12');
    await type('float', '2,5');
    await type('date', '12 nov 2031');
    await type('datetime', '2031-11-13');
    await type('computed', '8');
    await page.getByRole('button', { name: 'Edit text' }).first().click();
    await page.locator('.cm-content[aria-label="text"]').waitFor();
    await page.getByRole('textbox', { name: 'text', exact: true }).fill('Some *words*');
    await page.keyboard.press('Control+Enter');
    await soon(async () => (await value('text'))?.commonmark).toBe('Some *words*');
    expect((await value('string')).value).toBe('A line');
    expect((await value('int')).value).toBe(12);
    expect((await value('float')).value).toBe(2.5);
    expect((await value('date')).value).toMatch(/^2031-11-12/);
    expect((await value('datetime')).value).toMatch(/^2031-11-13/);
    expect((await value('computed')).manual_value).toBe(8);
    // The time is sent by Enter, and left by Escape, as the day is; what is wrong with the day leaves it in its place.
    const time = page.getByLabel('datetime: Time', { exact: true });
    const day = page.getByRole('textbox', { name: 'datetime', exact: true });
    const edit = page.getByRole('button', { name: /^Edit datetime:/ });
    await edit.click();
    await day.fill('no day');
    await time.focus();
    await page.getByText('This is no day').waitFor();
    const [beside, below] = [await day.boundingBox(), await time.boundingBox()];
    expect(Math.abs((beside?.y ?? 0) - (below?.y ?? 0))).toBeLessThan(2);
    await day.fill('13 nov 2031');
    await time.fill('08:45');
    await time.press('Enter');
    await time.waitFor({ state: 'detached' });
    await soon(async () => (await value('datetime'))?.value).toMatch(/^2031-11-13T08:45/);
    await edit.click();
    await time.press('Escape');
    await time.waitFor({ state: 'detached' });
    // Beside the text, where there is less room: all of the control is in sight.
    await page.goto(`${site.url}/artifacts/${release}`);
    const facts = page.getByRole('complementary', { name: 'Facts' });
    await facts.getByRole('button', { name: /^Edit Start:/ }).click();
    const save = await facts.getByRole('button', { name: 'Save', exact: true }).boundingBox();
    expect((save?.x ?? 0) + (save?.width ?? 0)).toBeLessThan(1280);
  });

  test('P7.1 lists of values, people and groups are chosen, and the API has them', async () => {
    await open();
    for (const code of ['sb', 'rb', 'msb', 'cb']) {
      const isSeveral = code === 'msb' || code === 'cb';
      await choose(code, 'green', isSeveral);
      await choose(`${code}_users`, /Bruno/, isSeveral);
      await choose(`${code}_ugroups`, 'Project members', isSeveral);
    }
    for (const [name, text] of [
      ['tbl', 'green'],
      ['tbl_users', 'Bruno'],
      ['tbl_ugroups', 'Project members'],
    ] as const) {
      await page.getByRole('button', { name: new RegExp(`^Edit ${name}:`) }).click();
      const box = page.getByRole('combobox', { name, exact: true });
      await box.fill(text);
      await page
        .getByRole('option', { name: new RegExp(text) })
        .first()
        .click();
      // Its list may still be open, which hides the rest from those who listen.
      await page.locator(`[data-field="${name}"] button`, { hasText: 'Save' }).click();
    }
    const labels = async (name: string): Promise<string> => JSON.stringify(await value(name));
    await soon(() => labels('tbl_ugroups')).toMatch(/project_members|Project members/);
    for (const code of ['sb', 'rb', 'msb', 'cb', 'tbl']) {
      expect(await labels(code)).toContain('"green"');
      expect(await labels(`${code}_users`)).toContain('bruno');
      expect(await labels(`${code}_ugroups`)).toMatch(/project_members|Project members/);
    }
  });

  thoroughTest(
    'a word that was typed into an open list, and neither chosen nor created, is saved with it',
    async () => {
      await open();
      await page.getByRole('button', { name: /^Edit tbl:/ }).click();
      await page.getByRole('combobox', { name: 'tbl', exact: true }).fill('violet');
      await page.locator('[data-field="tbl"] button', { hasText: 'Save' }).click();
      await soon(async () => JSON.stringify(await value('tbl'))).toContain('"violet"');
    },
  );

  thoroughTest('who goes on to another field before the next frame is drawn stays there', async () => {
    await open();
    await page.getByRole('button', { name: /^Edit tbl:/ }).click();
    await page.getByRole('combobox', { name: 'tbl', exact: true }).waitFor();
    // A slow machine: what is to be done in the next frame is done later.
    await page.evaluate(() => {
      const held: FrameRequestCallback[] = [];
      const { requestAnimationFrame: request } = window;
      window.requestAnimationFrame = (act) => held.push(act);
      const release = () => {
        window.requestAnimationFrame = request;
        for (const act of held) act(performance.now());
      };
      Object.assign(window, { release });
    });
    await page.locator('[data-field="tbl"] button', { hasText: 'Save' }).click();
    await page.getByRole('button', { name: /^Edit tbl_users:/ }).click();
    const box = page.getByRole('combobox', { name: 'tbl_users', exact: true });
    await box.fill('Bru');
    await page.evaluate(() => (window as unknown as { release(): void }).release());
    const isFocused = (element: Element) => element === document.activeElement;
    expect(await box.evaluate(isFocused)).toBe(true);
    // Nobody has gone on: the focus is where it was left.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const left = page.getByRole('button', { name: /^Edit tbl_users:/ });
    await soon(() => left.evaluate(isFocused)).toBe(true);
  });

  test('P7.1 files, links and who may see it are set, and the API has them', async () => {
    await open();
    await page
      .getByLabel('Add or drop files', { exact: true })
      .last()
      .setInputFiles([{ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') }]);
    await page.getByRole('button', { name: 'Look at one.txt' }).waitFor();
    await page.getByRole('button', { name: 'Add a link' }).click();
    await page.getByRole('searchbox').fill('Lamp shown as burning');
    const found = page.getByRole('group', { name: 'Link to an artifact' });
    await found
      .getByRole('button', { name: /Lamp shown as burning/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'art_link' }).getByText('Lamp shown as burning').waitFor();
    await page.getByRole('button', { name: /^Edit perm:/ }).click();
    await page.locator('[data-field="perm"] label', { hasText: 'Project members' }).click();
    await page.locator('[data-field="perm"]').getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await value('perm'))?.granted_groups.length).toBe(1);
    expect((await value('file')).file_descriptions[0].name).toBe('one.txt');
    expect((await value('art_link')).links).toHaveLength(1);
    // Whoever is about to shut themselves out is told before.
    page = await site.visit({ as: 'bruno', path: `/artifacts/${id}` });
    await page.getByRole('button', { name: /^Edit perm:/ }).click();
    const group = (name: string) => page.locator('[data-field="perm"] label', { hasText: name });
    const warning = page.getByRole('alert').getByText(/you will not see this artifact any more/);
    await group('Project administrators').click();
    await group('Project members').click();
    await warning.waitFor();
    await group('Project members').click();
    await warning.waitFor({ state: 'detached' });
  });

  thoroughTest(
    'a picture that is none has the mark of a file, and what is not saved yet moves nothing',
    async () => {
      page = await site.visit({ as: 'ada', path: `/artifacts/${id}` });
      const files = page.locator('[data-field="file"]');
      const come = Promise.withResolvers<void>();
      await page.route(`**/api/artifacts/${id}`, async (route) => {
        if (route.request().method() === 'PUT') await come.promise;
        await route.continue();
      });
      const bytes = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') };
      await page.getByLabel('Add or drop files', { exact: true }).last().setInputFiles([bytes]);
      const mark = files.getByRole('img', { name: 'not saved yet' });
      await mark.waitFor();
      const heightOf = async () => (await files.boundingBox())?.height;
      const waiting = await heightOf();
      const box = await mark.boundingBox();
      expect([box?.width, box?.height]).toEqual([6, 6]);
      come.resolve();
      await mark.waitFor({ state: 'detached' });
      expect(await heightOf()).toBe(waiting);
      await files.getByRole('button', { name: 'Look at broken.png' }).scrollIntoViewIfNeeded();
      await soon(() => files.locator('img').count()).toBe(0);
      await files.getByRole('button', { name: 'Look at broken.png' }).click();
      await page.getByText('This file cannot be shown here.').waitFor();
    },
  );

  test('P7.1 P7.2 the form as it is built shows all of them, in the order of the administrator', async () => {
    page = await site.visit({ as: 'ada', path: `/artifacts/${id}` });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const facts = page.getByRole('complementary', { name: 'Facts' });
    await facts.getByText('Submitted').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Form as built' }).click();
    await page.getByRole('button', { name: 'fieldset' }).waitFor();
    await facts.waitFor({ state: 'detached' });
    await page.getByText('Be kind.').waitFor();
    expect(await page.getByRole('separator').count()).toBeGreaterThan(0);
    const form = await page.getByRole('region', { name: 'fieldset' }).innerText();
    const containers = new Set(['fieldset', 'column', 'linebreak', 'separator', 'staticrichtext']);
    const wanted = every.tracker.fields.map(({ name }) => name).filter((name) => !containers.has(name));
    const lines = form.split('\n').map((line) => line.trim());
    expect(lines.filter((line) => wanted.includes(line))).toEqual(wanted);
    await page.getByRole('button', { name: 'fieldset' }).click();
    await page.getByText('Be kind.').waitFor({ state: 'detached' });
  });

  test('P7.6 a list that depends on another offers only what that one allows', async () => {
    const { id: trackerId } = await createTracker(site.admin, project);
    const list = (name: string, labels: readonly string[]) =>
      addField(site.admin, trackerId, {
        type: 'sb',
        name,
        label: name,
        bind: { type: 'static', values: labels.map((label) => ({ label })) },
      });
    const title = await addField(site.admin, trackerId, { type: 'string', name: 'title', label: 'title' });
    const [sea, ship] = [
      await list('sea', ['north', 'south']),
      await list('ship', ['brig', 'cutter', 'yawl']),
    ];
    const [seas, ships] = [valueIds(sea), valueIds(ship)];
    const rule = (source: string, target: string) => ({
      source_field_id: sea.field_id,
      source_value_id: seas[source],
      target_field_id: ship.field_id,
      target_value_id: ships[target],
    });
    const { status, text } = await site.admin.put(`/trackers/${trackerId}/rules`, {
      lists: [rule('north', 'brig'), rule('north', 'yawl'), rule('south', 'cutter')],
    });
    expect(status, text).toBe(200);
    const { body } = await site.admin.post('/artifacts', {
      tracker: { id: trackerId },
      values: [
        { field_id: title.field_id, value: 'A voyage' },
        { field_id: sea.field_id, bind_value_ids: [seas['north']] },
        { field_id: ship.field_id, bind_value_ids: [ships['brig']] },
      ],
    });
    page = await site.visit({ as: 'admin', path: `/artifacts/${body.id}` });
    const offered = async () => {
      await page.locator('[data-field="ship"]').getByRole('button').first().click();
      await page.getByRole('option').first().waitFor();
      const names = await page.getByRole('option').allTextContents();
      await page.keyboard.press('Escape');
      return names.map((name) => name.trim()).filter((name) => name in ships);
    };
    expect(await offered()).toEqual(['brig', 'yawl']);
    // In the form of all fields what is chosen there counts, before it is stored.
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit all fields' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /sea/ }).click();
    await page.getByRole('option', { name: 'south' }).click();
    await dialog.getByRole('button', { name: /ship/ }).click();
    await page.getByRole('option', { name: 'cutter' }).waitFor();
    expect(await page.getByRole('option', { name: 'yawl' }).count()).toBe(0);
  });
});
