import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyField, setFieldPermissions } from '../../server/test/fixtures/tracker.ts';
import { expectAccessible } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Trackers of the demo project, and fields of them. */
const releases = { id: 1, name: 102, start: 107, end: 108 };
const stories = { id: 3, title: 148, links: 162 };
const tasks = { id: 4, title: 173 };
const bugs = { id: 5, summary: 195, description: 196, severity: 200, foundIn: 204 };

/** The drafts that a page keeps on the device. */
const draftsOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const known = await indexedDB.databases();
    const opening = indexedDB.open(known.find(({ name }) => name?.startsWith('atelier-'))?.name ?? '');
    await new Promise((done) => opening.addEventListener('success', done));
    const asking = opening.result.transaction('drafts').objectStore('drafts').getAllKeys();
    await new Promise((done) => asking.addEventListener('success', done));
    opening.result.close();
    return asking.result.map(String);
  });

describe.skipIf(lacksBrowser)('what is done with an artifact', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const create = async (tracker: number, values: readonly object[]): Promise<number> => {
    const { status, body, text } = await site.admin.post('/artifacts', { tracker: { id: tracker }, values });
    expect(status, text).toBe(201);
    return body.id;
  };
  const bug = (summary: string, more: readonly object[] = []) =>
    create(bugs.id, [{ field_id: bugs.summary, value: summary }, ...more]);
  const open = async (id: number, as = 'ada'): Promise<Page> => {
    const page = await site.visit({ as, path: `/artifacts/${id}` });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const read = async (id: number) => (await site.admin.get(`/artifacts/${id}`)).body;
  const stored = async (id: number, fieldId: number) =>
    (await read(id)).values.find((value: { field_id: number }) => value.field_id === fieldId);
  const act = async (page: Page, name: string | RegExp) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  test('P7.20 a move says what is lost before it is made, and the id stays the same', async () => {
    const id = await bug('The bell has no rope', [{ field_id: bugs.foundIn, value: '2.4' }]);
    const page = await open(id);
    await act(page, 'Move to another tracker');
    const dialog = page.getByRole('dialog', { name: 'Move to another tracker' });
    await dialog.getByRole('button', { name: 'Tracker' }).click();
    await page.getByRole('option', { name: 'Tasks' }).click();
    await dialog.getByRole('region', { name: 'Lost' }).getByText('Found in version').waitFor();
    expect((await read(id)).tracker.id).toBe(bugs.id);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await soon(async () => (await read(id)).tracker.id).toBe(tasks.id);
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText(`task #${id}`).waitFor();
  });

  test('P7.21 a deleted artifact comes back whole by Undo, and the day has its limit', async () => {
    const id = await bug('The net is torn', [{ field_id: bugs.foundIn, value: '1.0' }]);
    const page = await open(id);
    await act(page, 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByText(/is deleted/)
      .first()
      .waitFor();
    await soon(async () => (await site.admin.get(`/artifacts/${id}`)).status).toBe(404);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: 'The net is torn' }).waitFor();
    await soon(async () => (await site.admin.get(`/artifacts/${id}`)).status).toBe(200);
    expect((await stored(id, bugs.foundIn)).value).toBe('1.0');
    for (let left = 1; left > 0; ) {
      const { status, headers } = await site.as('ada').delete(`/artifacts/${await bug('Something else')}`);
      expect(status).toBe(200);
      left = Number(headers.get('X-RateLimit-Remaining'));
    }
    await act(page, 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    const refusal = page.getByRole('alertdialog').getByRole('alert');
    await refusal.getByText(/limit|deletions/i).waitFor();
    // The sentence alone, without the phrase of HTTP.
    expect(await refusal.textContent()).not.toContain('Too Many Requests');
    expect((await read(id)).title).toBe('The net is torn');
  });

  test('P7.24 one watches and mutes, by menu and keys, and watching says so', async () => {
    const id = await bug('The fog is thick');
    const page = await open(id);
    const watching = async () => (await site.as('ada').get(`/artifacts/${id}/watching`)).body;
    await page.getByRole('button', { name: /^Watching/ }).click();
    await page.getByRole('menuitem', { name: 'Watch' }).click();
    await soon(async () => (await watching()).is_watching).toBe(true);
    await page.getByText('You are told of what happens here').first().waitFor();
    await page.keyboard.press('Shift+W');
    await soon(async () => (await watching()).is_muted).toBe(true);
    await page.keyboard.press('w');
    await soon(async () => (await watching()).is_watching).toBe(false);
  });

  test('P7.19 a child that is created from the tree is in the sum of its parent; the tree is three deep', async () => {
    const deepest = await create(tasks.id, [{ field_id: tasks.title, value: 'Hold the brush' }]);
    const links = (child: number) => ({ field_id: stories.links, links: [{ id: child, type: '_is_child' }] });
    const below = await create(stories.id, [
      { field_id: stories.title, value: 'Paint the rail' },
      links(deepest),
    ]);
    const id = await create(stories.id, [
      { field_id: stories.title, value: 'Paint the tower' },
      links(below),
    ]);
    const page = await open(id);
    const children = page.getByRole('region', { name: 'Children' });
    await children.getByRole('button', { name: `Show the children of story #${below}` }).click();
    await children.getByText('Hold the brush').waitFor();
    await page.mouse.move(0, 0);
    await expectAccessible(page);
    await children.getByRole('button', { name: 'Create a child' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Tracker' }).click();
    await page.getByRole('option', { name: 'Tasks' }).click();
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Buy white paint');
    if ((await dialog.getByRole('textbox', { name: 'Remaining effort in hours' }).count()) === 0) {
      await dialog.getByRole('button', { name: 'Fields here' }).click();
      await page.getByRole('menuitem', { name: 'Remaining effort in hours' }).click();
    }
    await dialog.getByRole('textbox', { name: 'Remaining effort in hours' }).fill('7');
    await page.keyboard.press('Control+Enter');
    await children.getByText('Buy white paint').waitFor();
    await page.getByText('7 sum of linked artifacts').first().waitFor();
  });

  test('P8.7 a duplicate has the values of its original', async () => {
    const id = await bug('The flag is grey', [{ field_id: bugs.foundIn, value: '3.3' }]);
    const page = await open(id);
    await act(page, 'Duplicate');
    await soon(() => page.getByRole('textbox', { name: /Summary/ }).inputValue()).toBe('The flag is grey');
    expect(await page.getByRole('textbox', { name: /Found in version/ }).inputValue()).toBe('3.3');
  });

  test('P7.22 panel and page show the same, J and K go on, and Back closes the panel', async () => {
    const first = await bug('Alpha of the panel', [{ field_id: bugs.foundIn, value: '5.5' }]);
    const page = await site.visit({ as: 'ada', path: `/trackers/${bugs.id}?f=&sort=-id` });
    await page.getByRole('row').filter({ hasText: 'Alpha of the panel' }).first().waitFor();
    await page.goto(`${site.url}/trackers/${bugs.id}?open=${first}`);
    const panel = page.getByRole('complementary', { name: `bug #${first}` });
    await panel.getByRole('heading', { level: 1, name: 'Alpha of the panel' }).waitFor();
    await panel.getByText('5.5').waitFor();
    await panel.getByRole('button', { name: 'Open as a page' }).click();
    await page.getByRole('main').getByText('5.5').waitFor();
    await page.goBack();
    await panel.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${site.url}/trackers/${bugs.id}`);
    await page.getByRole('row').nth(2).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const name = page.getByRole('complementary', { name: /^bug #\d+$/ });
    await name.getByRole('heading', { level: 1 }).waitFor();
    const before = await name.getAttribute('aria-label');
    await page.keyboard.press('Shift+J');
    await soon(() => name.getAttribute('aria-label')).not.toBe(before);
    await page.keyboard.press('Shift+K');
    await soon(() => name.getAttribute('aria-label')).toBe(before);
    await page.goBack();
    await name.waitFor({ state: 'detached' });
    // What is not there says so in the panel, not at its edge.
    await page.goto(`${site.url}/trackers/${bugs.id}?open=99999`);
    const lacking = page.getByRole('complementary', { name: '#99999' });
    await lacking.getByText('There is no such artifact.').waitFor();
    const left = async (part: Locator) => (await part.boundingBox())?.x ?? 0;
    const sign = lacking.getByRole('alert').locator('svg').first();
    expect((await left(sign)) - (await left(lacking))).toBeGreaterThan(12);
  });

  thoroughTest('a key right after the one that goes on to the next artifact is one of that', async () => {
    const [second, first] = [await bug('Second of the panel'), await bug('First of the panel')];
    const page = await site.visit({ as: 'ada', path: `/trackers/${bugs.id}?f=&sort=-id&open=${second}` });
    const panel = page.getByRole('complementary', { name: /^bug #\d+$/ });
    await panel.getByRole('heading', { level: 1, name: 'Second of the panel' }).waitFor();
    await panel.getByRole('button', { name: /^Previous/ }).click();
    await panel.getByRole('heading', { level: 1, name: 'First of the panel' }).waitFor();
    expect(await panel.getAttribute('aria-label')).toBe(`bug #${first}`);
    // Both in one moment, before anything is drawn.
    await page.evaluate(() => {
      for (const key of ['J', 'e'])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    });
    await soon(() => panel.getByRole('textbox', { name: 'Edit the title' }).inputValue()).toBe(
      'Second of the panel',
    );
  });

  thoroughTest(
    'what is typed right after the key that creates is typed into the dialog that comes',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/robots.txt' });
      const come = Promise.withResolvers<void>();
      await page.route('**/assets/creation-*.js', (route) => come.promise.then(() => route.continue()));
      await page.goto(`${site.url}/trackers/${bugs.id}`);
      await page.getByRole('row').nth(2).waitFor();
      await page.keyboard.press('c');
      await page.keyboard.type('Does one');
      come.resolve();
      const title = page.getByRole('dialog').getByRole('textbox').first();
      await soon(() => title.inputValue()).toBe('Does one');
    },
  );

  thoroughTest(
    'what is typed right after the keys that open and comment is typed into the comment that comes',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/robots.txt' });
      const come = Promise.withResolvers<void>();
      await page.route('**/assets/artifact-*.js', (route) => come.promise.then(() => route.continue()));
      await page.goto(`${site.url}/trackers/${bugs.id}?f=&sort=-id`);
      await page.getByRole('row').nth(2).waitFor();
      for (const key of ['j', 'k', 'Enter', 'm']) await page.keyboard.press(key);
      await page.keyboard.type('hello\nthere');
      come.resolve();
      const comment = page.getByRole('textbox', { name: 'Comment' });
      await soon(() => comment.innerText()).toBe('hello\nthere');
    },
  );

  thoroughTest('what is typed on the way to the page of an artifact is typed there', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    await page.setViewportSize({ width: 1000, height: 800 });
    const come = Promise.withResolvers<void>();
    await page.route('**/assets/artifact-*.js', (route) => come.promise.then(() => route.continue()));
    await page.goto(`${site.url}/trackers/${bugs.id}?f=&sort=-id`);
    await page.getByRole('row').nth(2).waitFor();
    for (const key of ['j', 'k', 'Enter', 'm']) await page.keyboard.press(key);
    await page.keyboard.type('hello');
    come.resolve();
    await page.waitForURL(/\/artifacts\/\d+/);
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await soon(() => comment.innerText()).toBe('hello');
  });

  thoroughTest('all fields are edited at once, as one change with a comment', async () => {
    const id = await bug('The mast leans');
    const page = await open(id);
    await act(page, 'Edit all fields');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Summary' }).fill('The mast stands');
    await dialog.getByRole('textbox', { name: 'Found in version' }).fill('8');
    await dialog.getByRole('textbox', { name: 'Comment on this change' }).fill('Straightened');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await soon(async () => (await read(id)).title).toBe('The mast stands');
    expect((await stored(id, bugs.foundIn)).value).toBe('8');
    const { body } = await site.admin.get(`/artifacts/${id}/changesets`);
    expect(body).toHaveLength(2);
    expect(body[1].last_comment.body).toContain('Straightened');
  });

  test('P7.7 a rule between two days is told at both, and nothing is stored', async () => {
    const id = await create(releases.id, [
      { field_id: releases.name, value: 'Storm' },
      { field_id: releases.start, value: '2031-05-02' },
      { field_id: releases.end, value: '2031-05-20' },
    ]);
    const page = await open(id);
    await act(page, 'Edit all fields');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'End' }).fill('2031-05-01');
    await dialog.getByRole('textbox', { name: 'Name' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await soon(() => dialog.getByText('Start must be < End').count()).toBe(2);
    expect((await stored(id, releases.end)).value).toContain('2031-05-20');
  });

  test('P7.10 two people change different paragraphs: both are stored without a question', async () => {
    const text = (content: string) => ({
      field_id: bugs.description,
      value: { content, format: 'commonmark' },
    });
    const id = await bug('The story has two parts', [text('First part.\n\nMiddle.\n\nSecond part.')]);
    const page = await open(id);
    await page.getByRole('button', { name: 'Edit How to see it' }).first().click();
    await page.locator('.cm-content[aria-label="How to see it"]').waitFor();
    const editor = page.getByRole('textbox', { name: 'How to see it' });
    await editor.fill('First part, mine.\n\nMiddle.\n\nSecond part.');
    await site.as('bruno').put(`/artifacts/${id}`, {
      values: [text('First part.\n\nMiddle.\n\nSecond part, theirs.')],
    });
    await page.keyboard.press('Control+Enter');
    await soon(async () => (await stored(id, bugs.description)).commonmark).toBe(
      'First part, mine.\n\nMiddle.\n\nSecond part, theirs.',
    );
  });

  const byBruno = async (id: number, values: readonly object[]) => {
    const { status, text } = await site.as('bruno').put(`/artifacts/${id}`, { values });
    expect(status, text).toBe(200);
  };
  const conflictOf = (page: Page) =>
    page.getByRole('dialog', { name: /changed this while you were writing/ });

  test('P7.9 somebody else changes a field while all fields are edited: the page has heard of it, and asks', async () => {
    // A text with tags, as imports bring them.
    const described = (content: string) => ({
      field_id: bugs.description,
      value: { content: `<p>${content}</p>`, format: 'html' },
    });
    const id = await bug('The keel is bent', [described('Look below')]);
    const page = await open(id);
    await act(page, 'Edit all fields');
    const dialog = page.getByRole('dialog', { name: /^Edit all fields/ });
    await dialog.getByRole('textbox', { name: 'Summary' }).fill('The keel is straight');
    // A field that was empty for whoever began.
    await dialog.getByRole('textbox', { name: 'Found in version' }).fill('mine');
    await dialog.locator('[contenteditable][aria-label="How to see it"]').fill('Look above');
    await byBruno(id, [
      described('Look elsewhere'),
      { field_id: bugs.summary, value: 'The keel is gone' },
      { field_id: bugs.foundIn, value: 'theirs' },
    ]);
    await site.as('chiara').put(`/artifacts/${id}`, { values: [], comment: { body: 'Aye', format: 'text' } });
    await page.getByText('Aye').first().waitFor({ state: 'attached' });
    await page.locator('h1', { hasText: 'The keel is gone' }).waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    // Whoever changed something else since is not the one who changed these fields.
    const conflict = page.getByRole('dialog', { name: /^Bruno.* changed this while you were writing$/ });
    const asked = page.getByText('Somebody changed the same. Choose which one stays.');
    await asked.first().waitFor({ state: 'attached' });
    // On a phone both stand below each other, and each says whose it is.
    await page.setViewportSize({ width: 360, height: 800 });
    await conflict.getByRole('radio', { name: /^The keel is gone ?Bruno/ }).waitFor();
    await conflict.getByRole('radio', { name: /^The keel is straight ?Yours/ }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await conflict.getByRole('radio', { name: 'The keel is gone' }).focus();
    await page.keyboard.press('ArrowLeft');
    await conflict
      .getByRole('radio', { name: 'The keel is straight', checked: true })
      .and(page.locator(':focus'))
      .waitFor();
    await conflict.getByRole('radio', { name: 'theirs' }).click();
    // What was taken can be weighed against the other again.
    const description = conflict.getByRole('textbox', { name: 'How to see it' });
    await conflict.getByRole('button', { name: 'Take it' }).last().click();
    await soon(() => description.inputValue()).toBe('<p>Look elsewhere</p>');
    await conflict.getByRole('button', { name: 'Take it' }).first().click();
    await soon(() => description.inputValue()).toBe('<p>Look above</p>');
    await conflict.getByRole('button', { name: 'Save these choices' }).click();
    await soon(async () => (await read(id)).title).toBe('The keel is straight');
    // Nobody is asked again for a choice that was made.
    const notices = page.getByRole('region', { name: 'Notices' });
    await notices.getByText('Somebody changed the same').waitFor({ state: 'detached' });
    expect((await stored(id, bugs.foundIn)).value).toBe('theirs');
    const { value, commonmark } = await stored(id, bugs.description);
    expect({ value, commonmark }).toEqual({ value: '<p>Look above</p>', commonmark: undefined });
  });

  test('P7.9 what was typed into all fields before a reload is a change of what was seen then', async () => {
    const id = await bug('The rudder is stiff');
    const page = await open(id);
    await act(page, 'Edit all fields');
    const dialog = page.getByRole('dialog', { name: /^Edit all fields/ });
    await dialog.getByRole('textbox', { name: 'Summary' }).fill('The rudder is free');
    await soon(() => draftsOn(page)).toContain(`artifacts/${id} all fields`);
    await byBruno(id, [{ field_id: bugs.summary, value: 'The rudder is lost' }]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'The rudder is lost' }).waitFor();
    await act(page, 'Edit all fields');
    await soon(() => dialog.getByRole('textbox', { name: 'Summary' }).inputValue()).toBe(
      'The rudder is free',
    );
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await conflictOf(page).getByRole('radio', { name: 'The rudder is lost' }).click();
    await conflictOf(page).getByRole('button', { name: 'Save these choices' }).click();
    await soon(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('The rudder is lost');
    expect((await read(id)).title).toBe('The rudder is lost');
  });

  test('P7.9 somebody else takes another step while a step asks for a comment: both are shown', async () => {
    const id = await bug('The pump is loud');
    const { field_id: statusId, values } = (await site.admin.get(`/trackers/${bugs.id}`)).body.fields.find(
      ({ name }: { name: string }) => name === 'status',
    );
    const confirmed = values.find(({ label }: { label: string }) => label === 'Confirmed').id;
    const page = await open(id);
    await page.getByRole('group', { name: 'Next steps' }).getByRole('button', { name: 'Rejected' }).click();
    const dialog = page.getByRole('dialog', { name: /Rejected/ });
    await dialog.getByRole('textbox').fill('It sings');
    await byBruno(id, [{ field_id: statusId, bind_value_ids: [confirmed] }]);
    await page.locator('[aria-label="Status: Confirmed"]').first().waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Change' }).click();
    await conflictOf(page).getByRole('radio', { name: 'Confirmed' }).click();
    await conflictOf(page).getByRole('button', { name: 'Save these choices' }).click();
    await soon(async () => (await site.admin.get(`/artifacts/${id}/changesets`)).body.length).toBe(3);
    expect((await read(id)).status).toBe('Confirmed');
  });

  test('P7.9 somebody else chooses in a list that is open: the page has heard of it, and asks', async () => {
    const id = await bug('The chart is wet');
    const page = await open(id);
    const { body: tracker } = await site.admin.get(`/trackers/${bugs.id}`);
    const { values } = tracker.fields.find(
      ({ field_id }: { field_id: number }) => field_id === bugs.severity,
    );
    const labels: string[] = values.map(({ label }: { label: string }) => label);
    const [first = '', second = ''] = labels.filter(
      (label) => label !== 'None' && label !== (values[0]?.label ?? ''),
    );
    const idOf = (label: string) => values.find((value: { label: string }) => value.label === label).id;
    await page.getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('option', { name: first }).waitFor();
    await byBruno(id, [{ field_id: bugs.severity, bind_value_ids: [idOf(second)] }]);
    const timeline = page.locator('section', { hasText: 'Timeline' });
    await timeline.getByText(second).first().waitFor({ state: 'attached' });
    await page.getByRole('option', { name: first }).click();
    await conflictOf(page).getByRole('radio', { name: first }).click();
    await conflictOf(page).getByRole('button', { name: 'Save these choices' }).click();
    await soon(async () => (await stored(id, bugs.severity)).values[0].label).toBe(first);
  });

  test('P7.8 two people add links to the same artifact: both are there', async () => {
    const [mine, theirs] = [await bug('The anchor of mine'), await bug('The anchor of theirs')];
    const id = await create(stories.id, [
      { field_id: stories.title, value: 'As a sailor I want two anchors' },
    ]);
    const page = await open(id);
    // This page does not hear of others.
    await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.reload();
    await page.getByRole('button', { name: 'Add a link' }).click();
    await page.getByRole('searchbox').last().fill('The anchor of mine');
    const offered = page
      .getByRole('group', { name: 'Link to' })
      .getByRole('button', { name: 'The anchor of mine' });
    await offered.waitFor();
    await byBruno(id, [{ field_id: stories.links, links: [{ id: theirs, type: '' }] }]);
    await offered.click();
    await soon(async () =>
      (await stored(id, stories.links)).links.map((link: { id: number }) => link.id).toSorted(),
    ).toEqual([mine, theirs].toSorted());
  });

  test('P7.9 Undo does not overwrite what somebody else wrote since', async () => {
    const id = await bug('The flag is red', [{ field_id: bugs.foundIn, value: '1' }]);
    const page = await open(id);
    await page.getByRole('button', { name: /Edit Found in version/ }).click();
    await page.getByRole('textbox', { name: 'Found in version' }).fill('2');
    await page.keyboard.press('Enter');
    await soon(async () => (await stored(id, bugs.foundIn)).value).toBe('2');
    await byBruno(id, [{ field_id: bugs.foundIn, value: '3' }]);
    await page.getByRole('button', { name: /Edit Found in version: 3/ }).waitFor();
    await page.keyboard.press('Control+z');
    await conflictOf(page).getByRole('radio', { name: '3' }).waitFor();
    expect((await stored(id, bugs.foundIn)).value).toBe('3');
  });

  test('P7.23 HTML stays HTML in its editor, and Markdown is not touched by opening and saving', async () => {
    const html = await bug('Written in HTML', [
      { field_id: bugs.description, value: { content: '<p>Old <b>words</b></p>', format: 'html' } },
    ]);
    const page = await open(html);
    await page.getByRole('button', { name: 'Edit How to see it' }).first().click();
    const area = page.locator('[contenteditable=true]', { hasText: 'Old words' });
    await area.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' and new');
    await page.getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await stored(html, bugs.description)).value).toContain('and new');
    expect((await stored(html, bugs.description)).commonmark).toBeUndefined();

    const source = '*  odd   spaces*\n\n1) one\n1) two\n\n| a|b |\n|-|-|\n|1|2|\n';
    const markdown = await bug('Written in Markdown', [
      { field_id: bugs.description, value: { content: source, format: 'commonmark' } },
    ]);
    const other = await open(markdown);
    await other.getByRole('button', { name: 'Edit How to see it' }).first().click();
    await other.locator('.cm-content[aria-label="How to see it"]').waitFor();
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('button', { name: 'Edit How to see it' }).first().waitFor();
    expect((await stored(markdown, bugs.description)).commonmark).toBe(source);
    expect((await site.admin.get(`/artifacts/${markdown}/changesets`)).body).toHaveLength(1);
  });

  test('P7.23 an HTML text loses nothing that its editor has no tools for', async () => {
    const kept = [
      '<table><tbody><tr><th>Lamp</th><td colspan="2">17 <b>watt</b></td></tr></tbody></table>',
      '<img src="/favicon.svg" alt="a mark">',
      '<sub>2</sub>',
      '<kbd>Ctrl</kbd>',
      '<details><summary>More</summary>hidden words</details>',
      '<dl><dt>Keeper</dt><dd>Ada</dd></dl>',
    ];
    const [table, picture, low, key, details, list] = kept;
    const content = `<p dir="rtl">H${low}O ${picture} ${key}</p>${table}${details}${list}<p>The end</p>`;
    const id = await bug('Written elsewhere', [
      { field_id: bugs.description, value: { content, format: 'html' } },
    ]);
    const page = await open(id);
    await page.getByRole('button', { name: 'Edit How to see it' }).first().click();
    const area = page.locator('[contenteditable=true]', { hasText: 'The end' });
    await area.getByText('The end').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' of it');
    await page.getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await stored(id, bugs.description)).value).toContain('The end of it');
    const { value } = await stored(id, bugs.description);
    for (const part of kept) expect(value).toContain(part);
    expect(value).toContain('<p dir="rtl">');
  });

  test('P7.3 a field that one may not read is absent, one that one may not change has no control', async () => {
    const { tracker, ids } = await everyField(site.admin, 101);
    const groups = { members: '101_3', administrators: '101_4' };
    await setFieldPermissions(site.admin, ids['int'] ?? 0, {
      can_read: [groups.administrators],
      can_submit: [],
      can_update: [],
    });
    await setFieldPermissions(site.admin, ids['float'] ?? 0, {
      can_read: [groups.members],
      can_submit: [groups.administrators],
      can_update: [groups.administrators],
    });
    const id = await create(tracker.id, [
      { field_id: ids['string'], value: 'a line' },
      { field_id: ids['float'], value: 2.5 },
    ]);
    const page = await open(id, 'bruno');
    await page.getByRole('button', { name: 'Edit string: a line' }).waitFor();
    await page.getByRole('button', { name: /empty fields?/ }).click();
    expect(await page.getByText('int', { exact: true }).count()).toBe(0);
    await page.getByText('2.5').waitFor();
    expect(await page.getByRole('button', { name: /^Edit float/ }).count()).toBe(0);
  });

  test('P7.25 by keyboard alone five fields are edited and a comment is sent', async () => {
    const id = await bug('The keys are few');
    const page = await open(id);
    await page.getByRole('region', { name: 'Timeline' }).getByText('created this').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Edit the title' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('The keys are enough');
    await page.keyboard.press('Enter');
    const choose = async (key: string, words: string) => {
      await page.keyboard.press(key);
      await page
        .getByRole(key === 's' ? 'menuitem' : 'option', { name: words })
        .first()
        .waitFor();
      await page.keyboard.type(words.slice(0, 4));
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
    };
    await choose('s', 'Confirmed');
    await soon(async () => (await read(id)).status).toBe('Confirmed');
    await choose('p', 'Major');
    await soon(async () => (await stored(id, bugs.severity)).values[0]?.label).toBe('Major');
    const reach = async (name: RegExp) => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        const label = await page.evaluate(() => {
          const { activeElement: at } = document;
          return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
        });
        if (name.test(label)) return;
      }
      throw new Error(`Nothing that is called ${name} was reached.`);
    };
    await page.evaluate(() => document.getElementById('main')?.focus());
    await reach(/empty fields?/);
    await page.keyboard.press('Enter');
    await page.evaluate(() => document.getElementById('main')?.focus());
    await reach(/^Edit Found in version/);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Found in version' }).waitFor();
    await page.keyboard.type('7.7');
    await page.keyboard.press('Enter');
    await soon(async () => (await stored(id, bugs.foundIn))?.value).toBe('7.7');
    await reach(/^Edit Fixed in version/);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Fixed in version' }).waitFor();
    await page.keyboard.type('7.8');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit Fixed in version: 7.8' }).waitFor();
    await page.keyboard.press('m');
    await page.keyboard.type('Without a mouse');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Timeline' }).getByText('Without a mouse').waitFor();
    expect((await read(id)).title).toBe('The keys are enough');
  });
});
