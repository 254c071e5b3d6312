import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../server/test/fixtures/project.ts';
import {
  addField,
  createTracker,
  setFieldPermissions,
  setSemantics,
} from '../../server/test/fixtures/tracker.ts';
import { setRules } from '../../server/test/fixtures/workflow.ts';
import { eventually } from '../../server/test/harness/eventually.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** Of the demo project: bugs, and their severity. */
const bugs = 5;

describe.skipIf(lacksBrowser)('creating', () => {
  let site: Site;
  /** A tracker with fields of the kinds that forms must understand, open to every member of the demo. */
  let forms: number;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    site = await startSite();
    const { admin } = site;
    forms = (await createTracker(admin, 101, { item_name: 'form', label: 'Forms' })).id;
    const add = async (name: string, type: string) => {
      ids[name] = (await addField(admin, forms, { name: name.toLowerCase(), label: name, type })).field_id;
    };
    await add('Title', 'string');
    for (const name of ['First', 'Second', 'Third', 'Secret']) await add(name, 'string');
    await add('Begin', 'date');
    await add('End', 'date');
    await add('Papers', 'file');
    await setSemantics(admin, forms, { title: { field_id: ids['Title'] } });
    await setFieldPermissions(admin, ids['Secret'] ?? 0, {
      can_read: ['101_3'],
      can_submit: ['101_4'],
      can_update: ['101_4'],
    });
    await setRules(admin, forms, {
      dates: [{ source_field_id: ids['Begin'], target_field_id: ids['End'], comparator: '≤' }],
    });
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const openForm = async (query = '', as = 'bruno'): Promise<Page> => {
    const page = await site.visit({ as, path: `/trackers/${forms}/new${query}` });
    await page.getByRole('button', { name: 'Create form' }).waitFor();
    return page;
  };
  const createdId = async (page: Page) => {
    await page.waitForURL(/\/artifacts\/\d+/);
    return Number(new URL(page.url()).pathname.split('/').at(-1));
  };
  const valueIn = async (id: number, fieldId: number | undefined) =>
    (await site.admin.get(`/artifacts/${id}`)).body.values.find(
      (value: { field_id: number }) => value.field_id === fieldId,
    );

  test('P8.4 only fields that one may submit are there', async () => {
    const page = await openForm();
    await page.getByRole('textbox', { name: 'First' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Secret' }).count()).toBe(0);
    const other = await openForm('', 'ada');
    await other.getByRole('textbox', { name: 'Secret' }).waitFor();
  });

  test('P8.5 a file that is attached before creating is attached after', async () => {
    const page = await openForm('?title=With+a+paper');
    await page
      .getByLabel('Add or drop files')
      .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Up the stairs') });
    await page.getByRole('list', { name: 'Papers' }).getByText('plan.txt').waitFor();
    // As long as it is on its way nothing is created without it.
    await page
      .getByRole('button', { name: 'Create form' })
      .and(page.locator(':not([aria-disabled])'))
      .waitFor();
    await page.getByRole('button', { name: 'Create form' }).click();
    const id = await createdId(page);
    const { file_descriptions: files } = await valueIn(id, ids['Papers']);
    expect(files).toMatchObject([{ name: 'plan.txt', size: 13 }]);
  });

  test('P8.6 a child that is created from its parent is linked as its child', async () => {
    const { body } = await site.as('ada').get('/projects/101/tracker_overviews');
    const below = body.find((one: { parent_id: number | null }) => one.parent_id !== null);
    const [{ id: parent }] = (await site.as('ada').get(`/trackers/${below.parent_id}/artifacts?limit=1`))
      .body;
    const childrenOf = async (id: number): Promise<number[]> => {
      const query = 'nature=_is_child&direction=forward&limit=50';
      const { collection } = (await site.admin.get(`/artifacts/${id}/linked_artifacts?${query}`)).body;
      return collection.map((one: { id: number }) => one.id);
    };
    const page = await site.visit({ as: 'ada', path: `/artifacts/${parent}` });
    await page.getByRole('button', { name: 'Create a child' }).first().click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('A child of its parent');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Children' }).getByText('A child of its parent').waitFor();
    const [found] = (await site.admin.get('/quick_search?words=child+of+its+parent&kinds=artifacts')).body
      .artifacts;
    await eventually(async () => expect(await childrenOf(parent)).toContain(found.id));
    // The whole form takes the parent from its address, among those that can be one.
    const form = await site.visit({ as: 'ada', path: `/trackers/${below.id}/new?parent=${parent}` });
    await form.getByRole('button', { name: /^Parent/ }).waitFor();
    await form.getByRole('textbox').first().fill('A child by its address');
    await form
      .getByRole('button', { name: /^Create / })
      .last()
      .click();
    const id = await createdId(form);
    await eventually(async () => expect(await childrenOf(parent)).toContain(id));
  });

  test('P8.7 a duplicate carries the values of the original', async () => {
    const made = await site.as('ada').post('/artifacts', {
      tracker: { id: forms },
      values: [
        { field_id: ids['Title'], value: 'The first of two' },
        { field_id: ids['Second'], value: 'Carried' },
        { field_id: ids['End'], value: '2026-12-24' },
      ],
    });
    expect(made.status, made.text).toBe(201);
    const page = await site.visit({ as: 'ada', path: `/artifacts/${made.body.id}` });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('button', { name: 'Create form' }).waitFor();
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'Second' }).inputValue()).toBe('Carried'),
    );
    await page.getByRole('textbox', { name: 'Title' }).fill('The second of two');
    await page.getByRole('button', { name: 'Create form' }).click();
    await page.getByRole('heading', { level: 1, name: 'The second of two' }).waitFor();
    const id = await createdId(page);
    expect(id).not.toBe(made.body.id);
    expect((await valueIn(id, ids['Second'])).value).toBe('Carried');
    expect((await valueIn(id, ids['End'])).value).toMatch(/^2026-12-24/);
  });

  thoroughTest('what was written in one form is sent by another only where it is seen there', async () => {
    const page = await openForm();
    await page.getByRole('textbox', { name: 'Title' }).fill('Left alone');
    await page.getByRole('textbox', { name: 'First' }).fill('still wanted');
    await page.getByText(/^Draft kept/).waitFor();
    // What an address fills in is another form, with a draft of its own.
    await page.goto(`${site.url}/trackers/${forms}/new?title=From+an+address`);
    const title = page.getByRole('textbox', { name: 'Title' });
    await expect.poll(() => title.inputValue()).toBe('From an address');
    expect(await page.getByRole('textbox', { name: 'First' }).inputValue()).toBe('');
    await page.getByRole('textbox', { name: 'Second' }).fill('for this one');
    await page.getByText(/^Draft kept/).waitFor();
    await page.goto(`${site.url}/trackers/${forms}`);
    await page.getByRole('button', { name: 'Filter' }).waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Left alone');
    await expect.poll(() => dialog.getByRole('textbox', { name: 'First' }).inputValue()).toBe('still wanted');
    expect(await dialog.getByRole('textbox', { name: 'Second' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('');
    await page.keyboard.type('Anew');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    const { body } = await site.admin.get(`/trackers/${forms}/artifacts?values=all&order=desc&limit=1`);
    expect(JSON.stringify(body)).toContain('Anew');
    expect(JSON.stringify(body)).not.toContain('still wanted');
  });

  test('P8.8 where no tracker allows it the command says so, and leads to where one does', async () => {
    await createProject(site.as('chiara'), 'nothing-here');
    const page = await site.visit({ as: 'chiara', path: '/projects/nothing-here' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Elsewhere there is one: keys alone lead from the project to the tracker and to the title.
    await page.keyboard.press('Shift+C');
    const chosen = async (name: string) => {
      const option = page.getByRole('option', { name, exact: true });
      await option.waitFor();
      while ((await option.getAttribute('data-focused')) === null) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await chosen('Lighthouse Keeper');
    await chosen('Bugs');
    await page.getByRole('textbox', { name: 'Summary' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Seen from elsewhere');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/bug #\d+ is created/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    const words = 'There is no tracker in which you may create something.';
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .or(page.getByRole('dialog').getByRole('searchbox'))
      .fill('>create');
    await page.getByRole('dialog').getByText(words).first().waitFor();
    // The first one empties the line.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: 'Create', exact: true })
      .and(page.locator('[aria-disabled=true]'))
      .waitFor();
  });

  test('P8.10 three faults that only the server knows stand at three fields', async () => {
    const page = await openForm('?title=Refused');
    // Somebody who hears of no news: their form is older than the tracker.
    await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.reload();
    await page.getByRole('textbox', { name: 'First' }).waitFor();
    const names = ['First', 'Second', 'Third'];
    const require = async (is: boolean) => {
      for (const name of names) {
        const reply = await site.admin.patch(`/tracker_fields/${ids[name]}/settings`, { required: is });
        expect(reply.status, reply.text).toBe(200);
      }
    };
    // Since the form was opened its administrator has made them required.
    await require(true);
    await page.getByRole('button', { name: 'Create form' }).click();
    for (const name of names)
      await page.getByRole('textbox', { name }).and(page.locator('[aria-invalid=true]')).waitFor();
    await eventually(async () =>
      expect(
        await page.getByRole('textbox', { name: 'First' }).evaluate((box) => box === document.activeElement),
      ).toBe(true),
    );
    for (const name of names) await page.getByRole('textbox', { name }).fill('Filled in');
    await page.getByRole('button', { name: 'Create form' }).click();
    await page.getByRole('heading', { level: 1, name: 'Refused' }).waitFor();
    await require(false);
  });

  thoroughTest('a title like one that is there shows it, and stops nobody', async () => {
    const { body } = await site.as('ada').get(`/trackers/${bugs}/artifact_rows?limit=1&sort=id`);
    const [{ id, title }] = body.rows;
    const page = await site.visit({ as: 'ada', path: `/trackers/${bugs}` });
    await page.getByRole('grid').getByRole('link').first().waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Summary' }).fill(title);
    const alike = page.getByRole('dialog').getByRole('region', { name: /^Looks like these/ });
    await alike.getByRole('link', { name: new RegExp(`#${id}`) }).waitFor();
    expect(await alike.getByRole('link').count()).toBeLessThanOrEqual(3);
  });

  thoroughTest(
    'of a long list only the beginning is drawn, more as one comes to its end, and all is found by typing',
    async () => {
      const rooms = Array.from({ length: 300 }, (_, index) => ({ label: `Room ${index + 1}` }));
      const { id } = await createTracker(site.admin, 101, { item_name: 'rooms', label: 'Rooms' });
      const list = { type: 'sb', name: 'room', label: 'Room', bind: { type: 'static', values: rooms } };
      await addField(site.admin, id, list);
      const page = await site.visit({ as: 'bruno', path: `/trackers/${id}/new` });
      const choice = page.getByRole('button', { name: /Room/ }).last();
      const option = (name: string) => page.getByRole('option', { name, exact: true });
      await choice.click();
      await option('Room 1').waitFor();
      expect(await page.getByRole('option').count()).toBe(100);
      await page.getByRole('listbox').evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await option('Room 150').waitFor();
      await page.keyboard.type('Room 290');
      await option('Room 1').waitFor({ state: 'detached' });
      await option('Room 290').click();
      await choice.getByText('Room 290').waitFor();
      // It begins anew, with what was chosen although that is not drawn.
      await choice.click();
      await option('Room 1').waitFor();
      await page.keyboard.press('Escape');
      await choice.getByText('Room 290').waitFor();
    },
  );

  thoroughTest('days that do not go together are told while they are chosen', async () => {
    const page = await openForm('?title=Days');
    await page.getByRole('textbox', { name: 'Begin' }).fill('2026-12-24');
    await page.getByRole('textbox', { name: 'End' }).fill('2026-12-20');
    await page.keyboard.press('Tab');
    await page
      .getByText(/^Begin must be/)
      .first()
      .waitFor();
    expect(await page.getByText(/^Begin must be/).count()).toBe(2);
    await page.getByRole('textbox', { name: 'End' }).fill('2026-12-28');
    await page.keyboard.press('Tab');
    await page
      .getByText(/^Begin must be/)
      .first()
      .waitFor({ state: 'detached' });
  });
});
