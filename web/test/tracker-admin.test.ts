import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

interface Element {
  readonly field_id: number;
  readonly label: string;
  readonly name: string;
  readonly type: string;
  readonly parent_id: number | null;
  readonly rank: number;
  readonly is_used: boolean;
  readonly is_removed: boolean;
  readonly bind: {
    readonly values: readonly { readonly label: string; readonly is_hidden: boolean }[];
  } | null;
}

describe.skipIf(lacksBrowser)('the form of a tracker', () => {
  let site: Site;
  let count = 0;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  async function newTracker(): Promise<number> {
    const name = `built_${++count}`;
    const { body, status, text } = await site.admin.post('/projects/101/trackers', {
      label: `Built ${count}`,
      item_name: name,
    });
    expect(status, text).toBe(201);
    return body.id;
  }
  async function addField(trackerId: number, field: object): Promise<number> {
    const { body, status, text } = await site.admin.post(`/trackers/${trackerId}/fields`, field);
    expect(status, text).toBe(201);
    return body.field_id;
  }
  const elements = async (id: number): Promise<Element[]> =>
    (await site.admin.get(`/trackers/${id}/form_elements`)).body;
  const open = (id: number, part = 'form', more = {}) =>
    site.visit({ as: 'admin', path: `/trackers/${id}/admin/${part}`, ...more });
  const chosen = (page: Page) => page.getByRole('region', { name: 'Settings of the element' });
  const canvas = (page: Page) => page.getByRole('region', { name: 'Form' });
  /** Labels in the order of the form, as the API has it. */
  async function order(id: number): Promise<string[]> {
    const all = (await elements(id)).filter((one) => one.is_used && !one.is_removed);
    const below = (parent: number | null): string[] =>
      all
        .filter(({ parent_id }) => parent_id === parent)
        .sort((one, other) => one.rank - other.rank)
        .flatMap((one) => [one.label, ...below(one.field_id)]);
    return below(null);
  }
  async function twoGroups(): Promise<number> {
    const id = await newTracker();
    const first = await addField(id, { type: 'fieldset', label: 'First' });
    const second = await addField(id, { type: 'fieldset', label: 'Second' });
    await addField(id, { type: 'string', label: 'Alpha', parent_id: first });
    await addField(id, { type: 'int', label: 'Beta', parent_id: first });
    await addField(id, { type: 'date', label: 'Gamma', parent_id: second });
    return id;
  }

  thoroughTest('an empty tracker gets its usual fields by one button, and can be used at once', async () => {
    const id = await newTracker();
    const page = await site.visit({ as: 'admin', path: `/trackers/${id}` });
    await page.getByRole('link', { name: 'Build the form' }).click();
    const usual = page.getByRole('button', { name: 'Usual fields' });
    await usual.waitFor();
    await expectAccessibleEverywhere(page);
    await usual.click();
    await canvas(page).getByRole('button', { name: 'Title required' }).waitFor();
    const { body } = await site.admin.get(`/trackers/${id}`);
    expect(Object.keys(body.semantics).sort()).toEqual(['contributor', 'description', 'status', 'title']);
    await page.goto(`${site.url}/trackers/${id}/new`);
    await page.getByLabel(/^Title/).fill('It works');
    await page.getByLabel(/^Title/).press('Control+Enter');
    await eventually(async () =>
      expect((await site.admin.get(`/trackers/${id}/artifacts`)).body).toHaveLength(1),
    );
  });

  test('P13.1 from empty to usable by keys alone in under two minutes; the form in another tab follows at once', {
    timeout: 150_000,
  }, async () => {
    const id = await newTracker();
    const page = await open(id);
    const other = await page.context().newPage();
    await other.goto(`${site.url}/trackers/${id}/new`);
    await other.getByRole('heading').first().waitFor();
    await page.bringToFront();
    /** Goes on by Tab until the control is reached: what cannot be reached so cannot be used by keys. */
    const reach = async (name: string | RegExp, role: 'button' | 'textbox' | 'link' = 'button') => {
      const target = page.getByRole(role, { name }).first();
      await target.waitFor();
      for (let presses = 0; presses < 150; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${name} was not reached by Tab.`);
    };
    await reach('Usual fields');
    await page.keyboard.press('Enter');
    await canvas(page).getByRole('button', { name: 'Title required' }).waitFor();
    await other.getByLabel(/^Title/).waitFor();
    // One more field, named as it is added.
    await reach('Add: Text line');
    await page.keyboard.press('Enter');
    const label = chosen(page).getByLabel('Label', { exact: true });
    await expect
      .poll(() => label.evaluate((field) => field === document.activeElement), { timeout: 30_000 })
      .toBe(true);
    await page.keyboard.type('Place');
    await page.keyboard.press('Tab');
    await other.getByLabel(/^Place/).waitFor();
    // The workflow: made, and its steps by arrows and Space.
    await reach('Workflow', 'link');
    await page.keyboard.press('Enter');
    await reach('Make a workflow');
    await page.keyboard.press('Enter');
    await reach('(new) to Open');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    const workflow = async () => (await site.admin.get(`/trackers/${id}`)).body.workflow;
    await eventually(async () => expect((await workflow()).transitions).toHaveLength(3));
    const { body } = await site.admin.get(`/trackers/${id}`);
    expect(Object.keys(body.semantics).sort()).toEqual(['contributor', 'description', 'status', 'title']);
    const status = body.fields.find(({ name }: { name: string }) => name === 'status');
    expect(status.values.map(({ label }: { label: string }) => label)).toEqual([
      ...['Open', 'In progress', 'Closed'],
    ]);
    await other.getByLabel(/^Title/).fill('Usable');
    await other.getByLabel(/^Title/).press('Control+Enter');
    await eventually(async () =>
      expect((await site.admin.get(`/trackers/${id}/artifacts`)).body).toHaveLength(1),
    );
  });

  test('P13.2 every type can be added by its button, named, and removed', { timeout: 90_000 }, async () => {
    const id = await newTracker();
    await addField(id, { type: 'fieldset', label: 'All of them' });
    const page = await open(id);
    const adders = page.getByRole('button', { name: /^Add: / });
    await adders.first().waitFor();
    const names = await adders.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? ''),
    );
    expect(names).toHaveLength(31);
    for (const [index, name] of names.entries()) {
      await page.getByRole('button', { name, exact: true }).click();
      const label = chosen(page).getByLabel('Label', { exact: true });
      await eventually(async () =>
        expect(await label.evaluate((input) => input === document.activeElement)).toBe(true),
      );
      await page.keyboard.insertText(`Made ${index}`);
      await page.keyboard.press('Enter');
      await chosen(page)
        .getByRole('heading', { name: `Made ${index}`, exact: true })
        .waitFor();
    }
    expect((await elements(id)).filter(({ label }) => label.startsWith('Made '))).toHaveLength(31);
    for (const index of [0, 5]) {
      await canvas(page)
        .getByRole('button', { name: `Made ${index}`, exact: true })
        .click();
      await chosen(page).getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText(`Made ${index} is removed.`).first().waitFor();
    }
    expect((await elements(id)).filter(({ is_removed }) => is_removed)).toHaveLength(2);
  });

  test('P13.3 a move by keys and one by mouse give the same order, which is that of the API', async () => {
    const byKeys = await twoGroups();
    const byMouse = await twoGroups();
    const first = await open(byKeys);
    await canvas(first).getByRole('button', { name: 'Alpha' }).press('Alt+ArrowDown');
    await eventually(async () =>
      expect(await order(byKeys)).toEqual(['First', 'Beta', 'Alpha', 'Second', 'Gamma']),
    );
    const focused = () => first.evaluate(() => document.activeElement?.textContent);
    await eventually(async () => expect(await focused()).toBe('Alpha'));
    // Between the groups first, then into the next one.
    await first.keyboard.press('Alt+ArrowDown');
    const parent = async () =>
      (await elements(byKeys)).find(({ label }) => label === 'Alpha')?.parent_id ?? null;
    await eventually(async () => expect(await parent()).toBeNull());
    await first.getByText('Alpha is moved: After First.').first().waitFor();
    await eventually(async () => expect(await focused()).toBe('Alpha'));
    await first.keyboard.press('Alt+ArrowDown');
    await eventually(async () =>
      expect(await order(byKeys)).toEqual(['First', 'Beta', 'Second', 'Alpha', 'Gamma']),
    );
    const second = await open(byMouse);
    const row = (name: string) => canvas(second).getByRole('button', { name });
    await row('Gamma').waitFor();
    // What lets things be dragged comes after the page.
    const grip = second.locator('[data-grip][draggable=true]').nth(1);
    await grip.dragTo(row('Gamma'), { targetPosition: { x: 20, y: 2 } });
    await eventually(async () => expect(await order(byMouse)).toEqual(await order(byKeys)));
    await first.getByRole('button', { name: 'Undo' }).last().click();
    await eventually(async () => expect(await parent()).toBeNull());
    await canvas(first).getByRole('button', { name: 'Beta' }).click();
    await chosen(first).getByRole('button', { name: 'Move to…' }).click();
    await first.getByRole('menuitem', { name: 'After Gamma' }).click();
    await eventually(async () =>
      expect(await order(byKeys)).toEqual(['First', 'Alpha', 'Second', 'Gamma', 'Beta']),
    );
  });

  test('P13.4 a field that a semantic rests on says so before anybody tries to remove it', async () => {
    const { body: trackers } = await site.admin.get('/projects/101/trackers?limit=50');
    const tracker = trackers.find((one: { semantics: { status?: object } }) => one.semantics.status);
    const { field_id: id } = tracker.semantics.status;
    const status = tracker.fields.find((field: { field_id: number }) => field.field_id === id);
    const page = await open(tracker.id);
    await page.locator(`#element-${id}`).click();
    await chosen(page)
      .getByText(/Cannot be taken out: it is the status/)
      .waitFor();
    await chosen(page)
      .getByText(/artifacts? have a value|artifact has a value/)
      .waitFor();
    const remove = chosen(page).getByRole('button', { name: 'Remove', exact: true });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await expectAccessibleEverywhere(page);
    await expectNoSidewaysScrolling(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await chosen(page)
      .getByRole('button', { name: `Actions for ${status.values[0].label}` })
      .click();
    await page
      .getByRole('menuitem', { name: /Remove/ })
      .and(page.locator('[aria-disabled=true]'))
      .waitFor();
  });

  test('P13.5 a field that is taken out or removed comes back with its values', async () => {
    const id = await twoGroups();
    const alpha = (await elements(id)).find(({ label }) => label === 'Alpha')?.field_id ?? 0;
    const made = await site.admin.post('/artifacts', {
      tracker: { id },
      values: [{ field_id: alpha, value: 'kept' }],
    });
    expect(made.status, made.text).toBe(201);
    const page = await open(id);
    const name = canvas(page).getByRole('button', { name: 'Alpha' });
    await name.press('Delete');
    await name.waitFor({ state: 'detached' });
    // What stands beside it has the focus now.
    expect(await canvas(page).locator('button:focus').count()).toBe(1);
    await page.getByRole('button', { name: 'Put Alpha back into the form' }).click();
    await name.click();
    await chosen(page).getByText('1 artifact has a value.').waitFor();
    await chosen(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await name.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Bring Alpha back' }).click();
    await name.waitFor();
    const { body } = await site.admin.get(`/artifacts/${made.body.id}`);
    expect(body.values.find((value: { field_id: number }) => value.field_id === alpha).value).toBe('kept');
  });

  test('P13.13 sixty pasted values keep their order; a hidden one is not offered in new artifacts', async () => {
    const id = await newTracker();
    const box = await addField(id, { type: 'fieldset', label: 'Box' });
    const list = await addField(id, { type: 'sb', label: 'City', parent_id: box, bind: { type: 'static' } });
    const page = await open(id);
    await page.locator(`#element-${list}`).click();
    await chosen(page).getByRole('button', { name: 'Paste a list' }).click();
    const labels = Array.from({ length: 60 }, (_, index) => `City ${(index * 37) % 60}`);
    const dialog = page.getByRole('dialog', { name: 'Paste a list' });
    await dialog.getByLabel('Values').fill(labels.join('\n'));
    await dialog.getByRole('button', { name: 'Add 60 values' }).click();
    await page.getByText('60 values are added.').first().waitFor();
    const stored = async () =>
      (await elements(id)).find(({ field_id }) => field_id === list)?.bind?.values ?? [];
    expect((await stored()).map(({ label }) => label)).toEqual(labels);
    await chosen(page).getByRole('button', { name: 'Actions for City 0', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await chosen(page).getByText('hidden').waitFor();
    await chosen(page).getByLabel('Name of City 37', { exact: true }).press('Alt+ArrowUp');
    await eventually(async () => expect((await stored())[0]?.label).toBe('City 37'));
    await page.goto(`${site.url}/trackers/${id}/new`);
    await page.getByRole('button', { name: /City/ }).click();
    await page.getByRole('option', { name: 'City 37', exact: true }).waitFor();
    expect(await page.getByRole('option', { name: 'City 0', exact: true }).count()).toBe(0);
  });

  thoroughTest('two administrators rename the same field: the second is told and loses nothing', async () => {
    const id = await twoGroups();
    const alpha = (await elements(id)).find(({ label }) => label === 'Alpha')?.field_id ?? 0;
    const page = await open(id);
    await page.locator(`#element-${alpha}`).click();
    const label = chosen(page).getByLabel('Label', { exact: true });
    await label.fill('Mine');
    await site.admin.patch(`/tracker_fields/${alpha}/settings`, { label: 'Theirs' });
    // Also when the page has heard of it before.
    await chosen(page).getByRole('heading', { name: 'Theirs' }).waitFor();
    await label.press('Enter');
    await chosen(page)
      .getByText(/changed it meanwhile, to “Theirs”/)
      .waitFor();
    expect(await label.inputValue()).toBe('Mine');
    await label.press('Enter');
    await chosen(page).getByRole('heading', { name: 'Mine' }).waitFor();
    await chosen(page).getByLabel('Short name').fill('beta');
    await chosen(page).getByLabel('Short name').press('Enter');
    await chosen(page)
      .getByText(/already has an element named "beta"/)
      .waitFor();
    // What was refused is not lost by going on.
    await page.getByRole('link', { name: 'Semantics' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
    expect(await chosen(page).getByLabel('Short name').inputValue()).toBe('beta');
  });

  thoroughTest(
    'a value, a property and the name of a tracker that somebody else typed meanwhile are told before they are replaced',
    async () => {
      const id = await twoGroups();
      const first = (await elements(id)).find(({ label }) => label === 'First')?.field_id;
      const state = await addField(id, {
        type: 'sb',
        label: 'State',
        parent_id: first,
        bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Closed' }] },
      });
      const page = await open(id);
      await page.locator(`#element-${state}`).click();
      const name = chosen(page).getByRole('textbox', { name: 'Name of Open' });
      await name.fill('New');
      const { body } = await site.admin.get(`/tracker_fields/${state}/settings`);
      const value = body.bind.values.find((one: { label: string }) => one.label === 'Open').id;
      await site.admin.patch(`/tracker_fields/${state}/values/${value}`, { label: 'Reported' });
      await chosen(page).getByRole('textbox', { name: 'Name of Reported' }).press('Enter');
      await chosen(page)
        .getByText(/changed it meanwhile, to “Reported”/)
        .waitFor();
      const alpha = (await elements(id)).find(({ label }) => label === 'Alpha')?.field_id ?? 0;
      await page.locator(`#element-${alpha}`).click();
      const most = chosen(page).getByLabel('Most characters');
      await most.fill('40');
      await site.admin.patch(`/tracker_fields/${alpha}/settings`, { specific_properties: { maxchars: 60 } });
      await most.press('Enter');
      await chosen(page)
        .getByText(/changed it meanwhile, to “60”/)
        .waitFor();

      await page.goto(`${site.url}/trackers/${id}/admin/general`);
      const description = page.getByLabel('Description');
      await description.fill('Mine');
      await site.admin.patch(`/trackers/${id}/settings`, { description: 'Theirs', color_name: 'fiesta-red' });
      // Also when the page has heard of it before.
      await page.getByRole('button', { name: /fiesta red/ }).waitFor();
      await description.press('Control+Enter');
      await page.getByText(/changed it meanwhile, to “Theirs”/).waitFor();
      const stored = async () => (await site.admin.get(`/trackers/${id}/settings`)).body.description;
      expect(await stored()).toBe('Theirs');
      await description.press('Control+Enter');
      await eventually(async () => expect(await stored()).toBe('Mine'));
    },
  );

  thoroughTest(
    'a field that is removed while somebody fills it in: words, what was written stays readable, and the rest is created',
    async () => {
      const id = await newTracker();
      const box = await addField(id, { type: 'fieldset', label: 'Box' });
      await addField(id, { type: 'string', label: 'Heading', name: 'heading', parent_id: box });
      const place = await addField(id, { type: 'string', label: 'Place', name: 'place', parent_id: box });
      const page = await site.visit({ as: 'ada', path: `/trackers/${id}/new` });
      await page.getByLabel(/^Heading/).fill('Lamp is out');
      await page.getByLabel(/^Place/).fill('Third landing');
      const removed = await site.admin.delete(`/tracker_fields/${place}`);
      expect(removed.status, removed.text).toBe(204);
      await page.getByRole('alert').getByText('Third landing').waitFor();
      await page.getByText(/taken out of the form meanwhile/).waitFor();
      expect(await page.getByLabel(/^Heading/).inputValue()).toBe('Lamp is out');
      await page.getByLabel(/^Heading/).press('Control+Enter');
      await eventually(async () =>
        expect((await site.admin.get(`/trackers/${id}/artifacts?values=all`)).text).toContain('Lamp is out'),
      );
    },
  );

  thoroughTest('members who do not administer the tracker do not see its settings', async () => {
    const id = await twoGroups();
    const page = await site.visit({ as: 'finn', path: `/trackers/${id}/admin/form`, expecting: [/403/] });
    await page.getByRole('heading', { name: /may not see this/i }).waitFor();
    await page.goto(`${site.url}/trackers/${id}`);
    await page.getByRole('main').waitFor();
    expect(await page.getByRole('link', { name: 'Settings of the tracker' }).count()).toBe(0);
  });
});
