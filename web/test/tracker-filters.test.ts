import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyField, fieldNamed, valueIds } from '../../server/test/fixtures/tracker.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo project. */
const bugs = 5;

describe.skipIf(lacksBrowser)('filters and queries of a tracker', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const grid = (page: Page) => page.getByRole('grid');
  const open = async (query = '', as = 'admin') => {
    const page = await site.visit({ as, path: `/trackers/${bugs}${query}` });
    await grid(page).getByRole('link').first().waitFor();
    return page;
  };
  const sizeOf = async (criteria: object, expertQuery = '', tracker = bugs) => {
    const query = new URLSearchParams({ limit: '1', query: JSON.stringify(criteria) });
    if (expertQuery !== '') query.set('expert_query', expertQuery);
    const { status, headers, text } = await site.admin.get(`/trackers/${tracker}/artifact_rows?${query}`);
    expect(status, text).toBe(200);
    return Number(headers.get('X-PAGINATION-SIZE'));
  };

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

    // A value that somebody made up is told in plain words, as a table and as a board, and goes alone.
    for (const view of ['table', 'board']) {
      await other.goto(`${site.url}/trackers/${bugs}?view=${view}&f=status:abc;assigned_to:me`);
      await other.getByText('Status is abc: there is no such value.').waitFor();
      const chip = other.locator('[data-wrong]');
      expect(await chip.allTextContents()).toEqual([expect.stringContaining('abc')]);
      await other.getByRole('button', { name: 'Remove it' }).click();
      await soon(() => new URL(other.url()).searchParams.get('f')).toBe('assigned_to:me');
      await chip.waitFor({ state: 'detached' });
    }
  });

  const queryBox = (page: Page) => page.getByRole('textbox', { name: 'Query in TQL' });
  /** The box with colours, once it is there in place of the plain one. */
  const openQuery = async (page: Page) => {
    await page.getByRole('button', { name: 'Query', exact: true }).click();
    await page.locator('.cm-content').waitFor();
    return queryBox(page);
  };
  const foundBy = async (query: string) => {
    const { headers } = await site.admin.get(
      `/trackers/${bugs}/artifact_rows?limit=1&expert_query=${encodeURIComponent(query)}`,
    );
    return Number(headers.get('X-PAGINATION-SIZE'));
  };
  const expectRows = (page: Page, size: number) =>
    soon(() => grid(page).getAttribute('aria-rowcount')).toBe(String(size + 1));

  test('P5.5 a query that cannot be understood is underlined, says so in the words of the server, and the rows stay', async () => {
    const page = await open();
    const rows = await grid(page).getAttribute('aria-rowcount');
    const box = await openQuery(page);
    await box.fill('status = "clsed"');
    const wrong = box.locator('[title]');
    await soon(() => wrong.textContent()).toBe('"clsed"');
    await page.getByText('Status has no value clsed.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText("The value 'clsed' doesn't exist for the list field 'status'.").waitFor();
    expect(await grid(page).getAttribute('aria-rowcount')).toBe(rows);
    await box.fill('status = "Fixed" and\nstatus == "Fixed"');
    await page.getByText(/^Line 2, column 9:/).waitFor();
    expect(await wrong.textContent()).toBe('=');
    await box.fill('status = "Fixed"');
    await soon(() => wrong.count()).toBe(0);
    await page.keyboard.press('Enter');
    await expectRows(page, await foundBy('status = "Fixed"'));
  });

  thoroughTest(
    'a query that comes with the address leaves the keys to the rows; who opens one writes at once',
    async () => {
      const page = await open(`?q=${encodeURIComponent('status = "Fixed"')}`);
      const box = page.getByRole('textbox', { name: 'Query in TQL' });
      const isWriting = () => box.evaluate((editor) => editor.contains(document.activeElement));
      await page.locator('.cm-content').waitFor();
      expect(await isWriting()).toBe(false);
      await page.getByRole('button', { name: 'Remove the query' }).click();
      await openQuery(page);
      await soon(isWriting).toBe(true);
    },
  );

  thoroughTest('an editor that arrives late calls nobody back who went elsewhere meanwhile', async () => {
    const page = await open();
    const held = Promise.withResolvers<void>();
    await page.route('**/query-area*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Query', exact: true }).click();
    await page.locator('textarea:focus').waitFor();
    await page.getByRole('button', { name: /^Sort/ }).click();
    await page.getByRole('menu').waitFor();
    held.resolve();
    await page.locator('.cm-content').waitFor();
    await page.getByRole('menuitem', { name: 'Updated' }).click();
    await soon(() => new URL(page.url()).searchParams.get('sort')).toMatch(/last_update/);
  });

  test('P5.6 completion offers fields, the operators that the type takes, and values', async () => {
    const page = await open();
    const offered = page.getByRole('listbox').getByRole('option');
    const labels = async () => {
      const texts = await offered.evaluateAll((options) =>
        options.map((option) => option.querySelector('.cm-completionLabel')?.textContent ?? ''),
      );
      return texts;
    };
    await page.keyboard.press('Control+Shift+?');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.type('stat');
    await soon(labels).toEqual(['status']);
    await page.keyboard.press('Tab');
    await soon(labels).toEqual(['=', '!=', 'IN', 'NOT IN']);
    await page.keyboard.press('Enter');
    await soon(labels).toContain('Confirmed');
    await page.keyboard.type('"fix');
    await soon(labels).toEqual(['Fixed']);
    await page.keyboard.press('Enter');
    await soon(() => queryBox(page).textContent()).toBe('status = "Fixed"');
    await page.keyboard.type(' and summary ');
    await soon(labels).toEqual(['=', '!=']);
    await page.keyboard.type('= "" and assigned_to = ');
    await soon(labels).toContain('MYSELF()');
    await page.keyboard.type('"ad');
    await soon(labels).toEqual(['Ada Lindqvist', 'Site Administrator']);
    await page.keyboard.press('Tab');
    await page.keyboard.type(' or with');
    await soon(labels).toEqual(['WITHOUT PARENT', 'WITHOUT CHILDREN', 'WITH PARENT', 'WITH CHILDREN']);
    await queryBox(page).fill('submitted_on > ');
    await page.keyboard.press('Control+ ');
    await soon(labels).toContain('NOW()');
  });

  test('P5.7 filters become a query and the query the same filters; what cannot says why', async () => {
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const valueIds = (name: string) =>
      tracker.fields
        .find((field: { name: string }) => field.name === name)
        .values.map((value: { id: number }) => value.id);
    const [first, second] = valueIds('status');
    const f = `status:${first},${second},100;assigned_to:me,100;severity:not:${valueIds('severity')[0]};submitted_on:last:4w`;
    const page = await open(`?f=${encodeURIComponent(f)}`);
    const rows = await grid(page).getAttribute('aria-rowcount');
    const chips = page.getByRole('button', { name: /^Change filter:/ });
    const before = await chips.allTextContents();
    expect(before).toHaveLength(4);
    const box = await openQuery(page);
    await page.getByRole('button', { name: 'Turn filters into a query' }).click();
    await soon(() => chips.count()).toBe(0);
    const query = new URL(page.url()).searchParams.get('q');
    await soon(() => box.textContent()).toBe(query);
    expect(query).toContain('assigned_to = MYSELF()');
    expect(query).toContain('submitted_on BETWEEN(NOW() - 4w, NOW())');
    expect(await foundBy(query ?? '')).toBe(Number(rows) - 1);
    await soon(() => grid(page).getAttribute('aria-rowcount')).toBe(rows);
    await page.getByRole('button', { name: 'Turn into filters' }).click();
    await soon(() => chips.allTextContents()).toEqual(before);
    expect(new URL(page.url()).searchParams.get('f')).toBe(f);
    await soon(() => grid(page).getAttribute('aria-rowcount')).toBe(rows);
    await box.fill('status = "Fixed" or with parent');
    await page.getByText('Only conditions with AND between them can be filters').waitFor();
  });

  thoroughTest('on a phone, in French too, all that is set of a view stands on one line', async () => {
    const page = await site.visit({ as: 'ada', path: '/trackers/5', language: 'fr', width: 360 });
    const middle = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      await button.waitFor();
      const box = await button.boundingBox();
      return box === null ? Number.NaN : Math.round(box.y + box.height / 2);
    };
    // What a view offers comes in by itself, beside its rows.
    const expectOneLine = async () => {
      await page.getByText(/^\d+ artefacts$/).waitFor();
      await expect
        .poll(async () => (await middle('Colonnes et lignes')) - (await middle('Enregistrer la vue')))
        .toBe(0);
    };
    await expectOneLine();
    await page.goto(`${site.url}/trackers/5?sort=-severity,-assigned_to&group=status`);
    await expectOneLine();
  });

  thoroughTest('quick filters find what is open, mine, unassigned and updated this week', async () => {
    const page = await open('', 'ada');
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    const status = { status: { operator: 'contains', value: tracker.semantics.status.value_ids } };
    await choose('Open');
    await expectRows(page, await sizeOf(status));
    await choose('Mine');
    const { headers } = await site
      .as('ada')
      .get(
        `/trackers/${bugs}/artifact_rows?limit=1&query=${encodeURIComponent(JSON.stringify({ ...status, assigned_to: ['me'] }))}`,
      );
    await expectRows(page, Number(headers.get('X-PAGINATION-SIZE')));
    await page.keyboard.press('Shift+F');
    await choose('Unassigned');
    await soon(() => page.url()).toContain('assigned_to:100');
  });

  thoroughTest(
    'hundreds of chosen values leave room for what takes a filter away, and for the list beside them',
    async () => {
      const tracker = await site.admin.post('/projects/101/trackers', { label: 'Many', item_name: 'many' });
      expect(tracker.status, tracker.text).toBe(201);
      const add = async (field: object) => {
        const made = await site.admin.post(`/trackers/${tracker.body.id}/fields`, field);
        expect(made.status, made.text).toBe(201);
        return made.body;
      };
      const { field_id: parent_id } = await add({ type: 'fieldset', label: 'All', name: 'all' });
      const values = Array.from({ length: 300 }, (_, place) => ({ label: `Value ${place}` }));
      const bind = { type: 'static', values };
      const list = await add({ type: 'msb', label: 'Parts', name: 'parts', parent_id, bind });
      const ids: number[] = list.values.map(({ id }: { id: number }) => id);
      const { body: artifact } = await site.admin.post('/artifacts', {
        tracker: { id: tracker.body.id },
        values: [{ field_id: list.field_id, bind_value_ids: ids }],
      });
      const page = await site.visit({ as: 'admin', path: `/artifacts/${artifact.id}` });
      const { width = 0, height = 0 } = page.viewportSize() ?? {};
      const chosen = page.getByRole('button', { name: /Parts/ }).first();
      await chosen.waitFor();
      expect((await chosen.boundingBox())?.height).toBeLessThan(height / 2);
      await page.goto(`${site.url}/trackers/${tracker.body.id}?f=parts:${ids.join()}`);
      const remove = page.getByRole('button', { name: /^Remove.*Parts/ });
      await remove.waitFor();
      const box = await remove.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width);
      await remove.click();
      await soon(() => new URL(page.url()).searchParams.get('f')).toBe(null);
    },
  );

  thoroughTest(
    'a view with days that are told from today is saved, and finds the same after a reload',
    async () => {
      const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
      const severity = fieldNamed(tracker, 'severity');
      const [id] = Object.values(valueIds(severity));
      const page = await open(`?f=${encodeURIComponent(`severity:not:${id};submitted_on:last:2y`)}`);
      const rows = await grid(page).getAttribute('aria-rowcount');
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('menuitem', { name: 'Save as mine' }).click();
      await page.getByRole('textbox', { name: 'Name of the view' }).fill('Of two years');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Of two years' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Of two years' }).waitFor();
      await soon(() => queryBox(page).textContent()).toContain('submitted_on BETWEEN(NOW() - 2y, NOW())');
      await soon(() => grid(page).getAttribute('aria-rowcount')).toBe(rows);
    },
  );

  thoroughTest('who saves a view keeps what others added to it meanwhile, heard of or not', async () => {
    const made = await site.admin.post(`/trackers/${bugs}/tracker_reports`, {
      label: 'Of two people',
      is_public: true,
      renderers: [{ type: 'table', label: 'Table' }],
    });
    expect(made.status, made.text).toBe(201);
    const { id, renderers } = made.body;
    const page = await open();
    await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.goto(`${site.url}/trackers/${bugs}?report=${id}&sort=-id`);
    await page.getByRole('heading', { name: 'Of two people' }).waitFor();
    const settings = `/tracker_reports/${id}/settings`;
    const added = await site.admin.patch(settings, {
      renderers: [{ id: renderers[0].id }, { type: 'chart', label: 'Drawn', settings: { kind: 'bar' } }],
    });
    expect(added.status, added.text).toBe(200);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('menuitem', { name: 'Save', exact: true }).click();
    await page.getByText('The view Of two people is saved').first().waitFor();
    const { body } = await site.admin.get(settings);
    expect(body.renderers.map(({ type }: { type: string }) => type)).toEqual(['table', 'chart']);
  });

  test('P5.4 every type of field is filtered by its own control, and finds what the API finds', async () => {
    const { admin } = site;
    const every = await everyField(admin, 101);
    const { id: tracker } = every.tracker;
    const field = (name: string) => fieldNamed(every.tracker, name);
    const { body: people } = await admin.get('/user_groups/101_3/users?limit=50');
    const ada = people.find(({ username }: { username: string }) => username === 'ada').id;
    const entry = (name: string, value: object) => ({ field_id: every.ids[name], ...value });
    const submit = async (values: object[]) => {
      const { status, body, text } = await admin.post('/artifacts', { tracker: { id: tracker }, values });
      expect(status, text).toBe(201);
      return Number(body.id);
    };
    const lists = ['sb', 'rb', 'msb', 'cb'];
    const first = await submit([
      entry('string', { value: 'alpha one' }),
      entry('text', { value: 'a long text', format: 'text' }),
      entry('int', { value: 3 }),
      entry('float', { value: 2.5 }),
      entry('date', { value: '2024-01-10' }),
      entry('datetime', { value: '2024-01-10T11:30:00+01:00' }),
      ...lists.flatMap((name) => [
        entry(name, { bind_value_ids: [valueIds(field(name))['green']] }),
        entry(`${name}_users`, { bind_value_ids: [ada] }),
        entry(`${name}_ugroups`, { bind_value_ids: ['101_3'] }),
      ]),
      entry('tbl', { value: { bind_value_objects: [{ id: valueIds(field('tbl'))['green'] }] } }),
      entry('tbl_users', { value: { bind_value_objects: [{ id: ada }] } }),
    ]);
    const second = await submit([
      entry('string', { value: `beta #${first}` }),
      entry('int', { value: 8 }),
      entry('art_link', { links: [{ id: first }] }),
    ]);
    await submit([entry('string', { value: 'gamma' })]);

    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker}` });
    await expectRows(page, 3);
    const dialog = page.getByRole('dialog');
    const type = (text: string) => async (name: string) => {
      await dialog.getByRole('textbox', { name, exact: true }).fill(text);
    };
    const pick = (label: string) => async () => {
      await dialog.getByText(label, { exact: true }).click();
    };
    const operator = (words: string, then: (name: string) => Promise<void> = async () => {}) => {
      return async (name: string) => {
        await dialog.getByRole('button', { name: 'Condition' }).click();
        await page.getByRole('option', { name: words, exact: true }).click();
        await then(name);
      };
    };
    const find = (words: string, label: string) => async () => {
      await dialog.getByRole('searchbox').fill(words);
      await dialog.getByText(label, { exact: true }).click();
    };
    /** Searches know groups by the ids that they have among the values of the field. */
    const groupValue = (name: string) => {
      const values: { id: number; ugroup_reference?: { label: string } }[] = Object.values(
        field(name).values ?? {},
      );
      return values.find(({ ugroup_reference: group }) => group?.label === 'Project members')?.id;
    };
    const contains = (value: unknown) => ({ operator: 'contains', value });
    const me = (await admin.get('/users/self')).body.id;
    const inLists = lists.flatMap((name): Case[] => [
      [name, pick('green'), contains([valueIds(field(name))['green']])],
      [`${name}_users`, find('ada', 'Ada Lindqvist'), contains([ada])],
      [`${name}_ugroups`, pick('Project members'), contains([groupValue(`${name}_ugroups`)])],
    ]);
    type Case = readonly [string, (name: string) => Promise<void>, object | string];
    const cases: readonly Case[] = [
      ['string', type('one alpha'), contains('one alpha')],
      ['text', operator('is not empty'), { operator: 'filled', value: '' }],
      ['int', operator('at least', type('4')), contains('>= 4')],
      ['float', type('2.5'), contains('2.5')],
      ['date', operator('before', type('2024-02-01')), { operator: '<', value: '2024-02-01' }],
      ['datetime', type('2024-01-10'), { operator: '=', value: '2024-01-10' }],
      ...inLists,
      ['tbl', pick('green'), contains([`b${valueIds(field('tbl'))['green']}`])],
      ['tbl_users', find('ada', 'Ada Lindqvist'), contains([`b${ada}`])],
      ['file', operator('is empty'), { operator: 'empty', value: '' }],
      ['art_link', type(String(first)), contains(String(first))],
      ['aid', type(String(second)), contains(String(second))],
      ['atid', operator('less than', type('3')), contains('< 3')],
      ['priority', operator('more than', type('0')), contains('> 0')],
      ['subby', pick('Me'), contains([me])],
      ['luby', pick('Me'), contains([me])],
      ['subon', operator('in the last'), 'subon BETWEEN(NOW() - 7d, NOW())'],
      ['lud', operator('in the last'), 'lud BETWEEN(NOW() - 7d, NOW())'],
      ['cross', type(String(first)), contains(String(first))],
    ];
    for (const [name, act, asked] of cases) {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('searchbox', { name: 'Search fields' }).fill(name);
      await page.getByRole('menuitem', { name, exact: true }).click();
      await act(name);
      await soon(() => page.url()).toContain('f=');
      const size =
        typeof asked === 'string'
          ? await sizeOf({}, asked, tracker)
          : await sizeOf({ [name]: asked }, '', tracker);
      expect(size, name).toBeGreaterThan(0);
      await page.keyboard.press('Escape');
      await expectRows(page, size).catch((error) => {
        throw new Error(`${name}: ${page.url()}`, { cause: error });
      });
      await page.getByRole('button', { name: 'Remove' }).first().click();
      await expectRows(page, 3);
    }
    const without = every.tracker.fields.filter(({ type: code }) =>
      ['computed', 'burndown', 'perm'].includes(code),
    );
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    for (const { label } of without)
      expect(await page.getByRole('menuitem', { name: label, exact: true }).count()).toBe(0);
  });
});
