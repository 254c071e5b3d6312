import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addField, createTracker, valueIds } from '../../server/test/fixtures/tracker.ts';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

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

  thoroughTest.each([
    { what: 'rows', query: '', held: '**/artifact_rows?*summary*' },
    { what: 'counts of groups', query: '?group=status', held: '**/artifact_counts?*' },
  ])('bars stand where rows will be until $what have come, on a desk and on a phone', async (wait) => {
    for (const width of [1280, 360]) {
      const page = await site.visit({ as: 'ada', path: '/robots.txt', width });
      const come = Promise.withResolvers<void>();
      await page.route(wait.held, async (route) => {
        await come.promise;
        await route.continue();
      });
      await page.goto(`${site.url}/trackers/${bugs}${wait.query}`);
      const bars = page.getByLabel('Loading', { exact: true });
      await soon(() => bars.count()).toBeGreaterThan(3);
      const names = page.getByRole('link', { name: 'Photo is turned by ninety degrees' });
      expect(await names.count()).toBe(0);
      come.resolve();
      await names.first().waitFor();
      await soon(() => bars.count()).toBe(0);
    }
  });

  /** A page whose rows have not come yet, and what lets them come. */
  const openEarly = async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    const come = Promise.withResolvers<void>();
    await page.route('**/artifact_rows?*summary*', async (route) => {
      await come.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/trackers/${bugs}?sort=-id`);
    const bars = page.getByLabel('Loading', { exact: true });
    await soon(() => bars.count()).toBeGreaterThan(3);
    return { page, come: () => come.resolve() };
  };

  thoroughTest('keys that are pressed before the rows are there act on those that come', async () => {
    const { page, come } = await openEarly();
    for (const key of ['j', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    come();
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=3&sort=-id`);
    await page.getByRole('complementary', { name: `bug #${body.rows[2].id}` }).waitFor();
  });

  thoroughTest('whoever goes on before the rows are there stays where they went', async () => {
    const { page, come } = await openEarly();
    await page.keyboard.press('j');
    await page.getByRole('searchbox').fill('photo');
    come();
    await grid(page).getByRole('link').first().waitFor();
    await page.keyboard.type('s');
    expect(await page.getByRole('searchbox').inputValue()).toBe('photos');
  });

  thoroughTest(
    'rows that come into sight together have titles first, and soon all their values',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/robots.txt' });
      await page.addInitScript(() => {
        const seen = { cells: new Set<number>() };
        Object.assign(globalThis, { seen });
        new MutationObserver(() => {
          for (const row of document.querySelectorAll('[role=rowgroup] [role=row]:has(a)'))
            seen.cells.add(row.querySelectorAll('[role=gridcell]').length);
        }).observe(document, { childList: true, subtree: true });
      });
      await page.goto(`${site.url}/trackers/${bugs}`);
      await grid(page).getByRole('link').first().waitFor();
      await eventually(async () => {
        const counts = await page
          .locator('[role=rowgroup] [role=row]:has(a)')
          .evaluateAll((rows) => rows.map((row) => row.querySelectorAll('[role=gridcell]').length));
        expect(counts.length).toBeGreaterThan(8);
        const all = Number(await grid(page).getAttribute('aria-colcount'));
        expect(new Set(counts)).toEqual(new Set([all]));
      });
      const seen = await page.evaluate(() => [...Reflect.get(globalThis, 'seen').cells]);
      expect(seen).toContain(3);
    },
  );

  thoroughTest(
    'rows fill their room: beside a panel, without it, and in a window of another size',
    async () => {
      const page = await open();
      const unfilled = () =>
        grid(page).evaluate((element) => {
          const widths = [...element.querySelectorAll('[role=row]')].map(({ clientWidth }) => clientWidth);
          return widths.length > 8 ? widths.filter((width) => width !== element.clientWidth) : undefined;
        });
      const panel = page.getByRole('complementary', { name: /#\d/ });
      await grid(page).getByRole('link').first().click();
      await panel.waitFor();
      await soon(unfilled).toEqual([]);
      const beside = await grid(page).evaluate(({ clientWidth }) => clientWidth);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await soon(unfilled).toEqual([]);
      expect(await grid(page).evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(beside);
      await page.setViewportSize({ width: 1400, height: 800 });
      await soon(unfilled).toEqual([]);
    },
  );

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

  test('P5.9 grouped rows stand under headings with the counts of the API, in the order of the rows, which can be folded', async () => {
    const page = await site.visit({ as: 'admin', path: '/robots.txt' });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/artifact_counts')) asked.push(request.url());
    });
    const headings = grid(page).getByRole('rowheader');
    const shown = async () => (await headings.allTextContents()).map((text) => text.trim());
    const countsBy = async (by: string) => {
      const { body } = await site.admin.get(`/trackers/${bugs}/artifact_counts?by=${by}`);
      return body.buckets.map(({ label, count }: { label: string; count: number }) => ({ label, count }));
    };
    const filled = (await countsBy('status:first')).filter(({ count }: { count: number }) => count > 0);
    await page.goto(`${site.url}/trackers/${bugs}?group=status`);
    const [first] = filled;
    await soon(async () => (await shown())[0]).toBe(`${first.label}${first.count}`);
    expect(asked).toHaveLength(1);
    const rows = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=1&sort=status`);
    expect(rows.body.rows[0].full_status.value).toBe(first.label);
    // Folded, all headings are in sight, and each says how many it holds.
    for (const { label } of filled) {
      const toggle = headings.getByRole('button', { name: `Fold ${label}`, exact: true });
      await toggle.click();
      await headings.getByRole('button', { name: `Unfold ${label}`, exact: true }).waitFor();
    }
    const wanted = filled.map(({ label, count }: { label: string; count: number }) => `${label}${count}`);
    await soon(shown).toEqual(wanted);

    await page.goto(`${site.url}/trackers/${bugs}?group=status&sort=-status`);
    const last = filled.at(-1);
    await soon(async () => (await shown())[0]).toBe(`${last.label}${last.count}`);

    await page.getByRole('button', { name: /^Group/ }).click();
    await page.getByRole('menuitem', { name: 'Show empty groups' }).click();
    await soon(() => page.url()).toContain('empty=1');

    const [month] = await countsBy('submitted_on:month');
    await page.goto(`${site.url}/trackers/${bugs}?group=submitted_on:month`);
    const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });
    await soon(async () => (await shown())[0]).toBe(`${name.format(new Date(month.label))}${month.count}`);
  });

  test('P5.9 rows grouped by their parents stand under links to them, with the counts of the API', async () => {
    const stories = 3;
    const { body } = await site.admin.get(`/trackers/${stories}/artifact_counts?by=@parent`);
    const page = await site.visit({ as: 'admin', path: `/trackers/${stories}` });
    await page.getByRole('button', { name: /^Group/ }).click();
    await page.getByRole('menuitem', { name: 'Parent', exact: true }).click();
    await soon(() => new URL(page.url()).searchParams.get('group')).toBe('@parent');
    const headings = grid(page).getByRole('rowheader');
    // The count is followed by the sums of numbers that are shown.
    const shown = async () => (await headings.allTextContents()).map((text) => text.trim());
    type Bucket = { key: number | null; xref?: string; label: string; count: number };
    const nameOf = ({ key, xref, label }: Bucket) => (key === null ? 'No parent' : `${xref} ${label}`);
    const filled: Bucket[] = body.buckets.filter(({ count }: Bucket) => count > 0);
    const [first] = filled;
    if (first === undefined) throw new Error('The demo has stories of epics.');
    const link = headings.getByRole('link', { name: nameOf(first), exact: true });
    await link.waitFor();
    const rows = await site.admin.get(`/trackers/${stories}/artifact_rows?limit=1&sort=@parent`);
    const links = grid(page).getByRole('gridcell').getByRole('link');
    await soon(() => links.first().getAttribute('href')).toBe(`/artifacts/${rows.body.rows[0].id}`);
    for (const bucket of filled) {
      await headings.getByRole('button', { name: `Fold ${nameOf(bucket)}`, exact: true }).click();
      await headings.getByRole('button', { name: `Unfold ${nameOf(bucket)}`, exact: true }).waitFor();
    }
    await soon(async () => (await shown()).length).toBe(filled.length);
    for (const [place, text] of (await shown()).entries()) {
      const bucket = filled[place];
      expect(bucket && text.startsWith(`${nameOf(bucket)}${bucket.count}`), text).toBe(true);
    }
    await expectAccessibleEverywhere(page);
    await link.click();
    await soon(() => new URL(page.url()).pathname).toBe(`/artifacts/${first.key}`);
  });

  thoroughTest(
    'groups tell the sums of the numbers that are shown, and those without rows on demand',
    async () => {
      const { id: tracker } = await createTracker(site.admin, 101, { label: 'Sums' });
      const points = await addField(site.admin, tracker, { type: 'int', name: 'points', label: 'Points' });
      const list = await addField(site.admin, tracker, {
        type: 'sb',
        name: 'size',
        label: 'Size',
        bind: { type: 'static', values: [{ label: 'Small' }, { label: 'Large' }, { label: 'Huge' }] },
      });
      const ids = valueIds(list);
      for (const [size, value] of [
        ['Small', 3],
        ['Small', 4],
        ['Large', 10],
      ] as const) {
        const values = [
          { field_id: points.field_id, value },
          { field_id: list.field_id, bind_value_ids: [ids[size]] },
        ];
        const { status, text } = await site.admin.post('/artifacts', { tracker: { id: tracker }, values });
        expect(status, text).toBe(201);
      }
      const page = await site.visit({
        as: 'admin',
        path: `/trackers/${tracker}?group=size&cols=size,points`,
      });
      const headings = () => grid(page).getByRole('rowheader').allTextContents();
      await soon(headings).toEqual(['Large1Points 10', 'Small2Points 7']);
      await page.getByRole('button', { name: /^Group/ }).click();
      await page.getByRole('menuitem', { name: 'Show empty groups' }).click();
      await soon(headings).toEqual(['Huge0Points 0', 'Large1Points 10', 'Small2Points 7', 'None0Points 0']);
    },
  );

  thoroughTest(
    'a tracker without artifacts offers to create the first, and one without fields says so',
    async () => {
      const { id: bare } = await createTracker(site.admin, 101, { label: 'Bare' });
      const page = await site.visit({ as: 'admin', path: `/trackers/${bare}` });
      await page.getByText('This tracker has no fields yet').waitFor();
      await addField(site.admin, bare, { type: 'string', name: 'title', label: 'Title' });
      await page.reload();
      await page.getByText('No Bare yet').waitFor();
      await page.getByRole('button', { name: 'Create the first' }).click();
      await page.getByRole('dialog').waitFor();
    },
  );

  thoroughTest('id and title stay in sight while other columns are scrolled', async () => {
    const page = await open(
      '?cols=status~400,severity~400,assigned_to~400,submitted_on~400,@last_update_date~400',
    );
    const title = grid(page).getByRole('gridcell').nth(2);
    const before = (await title.boundingBox())?.x;
    await grid(page).evaluate((scroller) => scroller.scrollTo(600, 0));
    await soon(() => grid(page).evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(300);
    await soon(async () => (await title.boundingBox())?.x).toBe(before);
  });

  thoroughTest(
    'cells are held in sight only where columns do not fit: each that is held costs time in every frame',
    async () => {
      const columns = 'status,severity,assigned_to,components,@submitted_by,@last_update_date';
      const page = await open(`?sort=id&cols=${columns}`);
      const held = () =>
        grid(page).evaluate(
          (element) =>
            [...element.querySelectorAll('[role=gridcell]')].filter(
              (cell) => getComputedStyle(cell).position === 'sticky',
            ).length,
        );
      await page.setViewportSize({ width: 900, height: 700 });
      await soon(held).toBeGreaterThan(0);
      await page.setViewportSize({ width: 1920, height: 700 });
      await soon(held).toBe(0);
    },
  );

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

  thoroughTest('a value of a list is chosen in its cell and stored at once', async () => {
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

  thoroughTest(
    'as many columns are shown as one request can ask for, and the menu says that there are no more',
    async () => {
      const { body: wide } = await site.admin.post('/projects/101/trackers', {
        label: 'Wide',
        item_name: 'wide',
      });
      const names: string[] = [];
      for (let made = 0; made < 60; made += 1) {
        const field = { type: 'string', label: `Column ${made}` };
        const { body } = await site.admin.post(`/trackers/${wide.id}/fields`, field);
        names.push(body.name);
        if (made > 0) continue;
        await site.admin.put(`/trackers/${wide.id}/semantics`, { title: { field_id: body.field_id } });
        const values = [{ field_id: body.field_id, value: 'One with room' }];
        await site.admin.post('/artifacts', { tracker: { id: wide.id }, values });
      }
      const path = `/trackers/${wide.id}?cols=${names.slice(1).join(',')}`;
      const page = await site.visit({ as: 'admin', path });
      await page.getByRole('link', { name: 'One with room' }).waitFor();
      await page.getByRole('columnheader', { name: 'Column 56' }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'Column 57' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Columns and rows' }).click();
      const last = page.getByRole('menuitemcheckbox', { name: /^Column 59/ });
      expect(await last.getAttribute('aria-disabled')).toBe('true');
      await last.getByText('At most 56 columns').waitFor();
    },
  );

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

  thoroughTest(
    'of a view that somebody else saved meanwhile both live; the same of both is told, and one chooses',
    async () => {
      const tracker = (await site.admin.get(`/trackers/${bugs}`)).body;
      const idOf = (name: string): number =>
        tracker.fields.find((field: { name: string }) => field.name === name).field_id;
      const columns = (...names: string[]) => names.map((name) => ({ field_id: idOf(name) }));
      const { body: report } = await site.admin.post(`/trackers/${bugs}/tracker_reports`, {
        label: 'Of both',
        is_public: true,
        renderers: [{ label: 'Table', columns: columns('status'), sort: [] }],
      });
      const stored = async () =>
        (await site.admin.get(`/tracker_reports/${report.id}/settings`)).body.renderers[0];
      const { id } = await stored();
      const store = (renderer: object) =>
        site.admin.patch(`/tracker_reports/${report.id}/settings`, { renderers: [{ id, ...renderer }] });
      const page = await open(`?report=${report.id}`);
      const save = page.getByRole('button', { name: 'Save view' });
      const saveNow = async () => {
        await save.click();
        await page.getByRole('menuitem', { name: 'Save', exact: true }).click();
      };
      await save.waitFor();
      await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').first().click();
      await soon(() => new URL(page.url()).searchParams.get('sort')).not.toBe(null);
      await store({ columns: columns('status', 'assigned_to') });
      await page.getByRole('columnheader', { name: 'Assigned to' }).waitFor();
      await saveNow();
      await page.getByText('The view Of both is saved').first().waitFor();
      const idsOf = ({ columns: list }: { columns: { field_id: number }[] }) =>
        list.map(({ field_id }) => field_id);
      const both = await stored();
      expect(idsOf(both)).toEqual([idOf('status'), idOf('assigned_to')]);
      expect(both.sort).toMatchObject([{ field_id: idOf('status') }]);

      await page.getByRole('columnheader', { name: 'Assigned to' }).getByRole('button').first().click();
      await soon(() => new URL(page.url()).searchParams.get('sort')).toContain('assigned_to');
      await store({ sort: [{ field_id: idOf('severity'), is_descending: true }] });
      await saveNow();
      const dialog = page.getByRole('alertdialog', { name: 'Somebody else saved this view meanwhile' });
      await dialog.getByRole('region', { name: 'Theirs' }).getByText('Severity ↓').waitFor();
      await dialog.getByRole('region', { name: 'Mine' }).getByText('Assigned to ↑').waitFor();
      expect((await stored()).sort).toMatchObject([{ field_id: idOf('severity') }]);
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await soon(async () => (await stored()).sort).toMatchObject([{ field_id: idOf('assigned_to') }]);
      await site.admin.delete(`/tracker_reports/${report.id}`);
    },
  );

  test('P5.16 order and width of columns survive a reload', async () => {
    const page = await open();
    await page.getByRole('columnheader', { name: 'Severity' }).hover();
    await page.getByRole('button', { name: 'Column Severity' }).click();
    await page.getByRole('menuitem', { name: 'Move left' }).click();
    const handle = page.getByRole('separator', { name: 'Width of Severity' });
    await handle.focus();
    // Until somebody says how wide it is, it is as wide as there is room.
    await page.keyboard.press('ArrowRight');
    const width = String(Number(await handle.getAttribute('aria-valuenow')) + 32);
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('ArrowRight');
    expect(await handle.getAttribute('aria-valuenow')).toBe(width);
    await page.reload();
    await soon(() => handle.getAttribute('aria-valuenow')).toBe(width);
    const heads = await page.getByRole('columnheader').allTextContents();
    expect(heads.findIndex((text) => text.startsWith('Severity'))).toBeLessThan(
      heads.findIndex((text) => text.startsWith('Status')),
    );
  });

  thoroughTest('columns are put in another order by dragging their heads', async () => {
    const page = await open('?cols=status,severity,assigned_to');
    const head = (name: string) => page.getByRole('columnheader', { name });
    await head('Status').hover();
    await page
      .getByRole('columnheader', { name: 'Assigned to' })
      .and(page.locator('[draggable=true]'))
      .waitFor();
    await head('Assigned to').dragTo(head('Status'), { targetPosition: { x: 6, y: 12 } });
    await soon(() => new URL(page.url()).searchParams.get('cols')).toBe('assigned_to,status,severity');
  });

  test('P5.23 somebody who may not change anything is not offered to', async () => {
    const page = await site.visit({ path: `/trackers/${bugs}` });
    await grid(page).getByRole('link').first().waitFor();
    await grid(page).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('e');
    await page.getByText('You may not change this').first().waitFor({ state: 'attached' });
    expect(await grid(page).getByRole('combobox').or(grid(page).getByRole('textbox')).count()).toBe(0);
  });

  thoroughTest(
    'an artifact opens beside its row, the panel follows j and k, and Escape closes it',
    async () => {
      const page = await open('?sort=id');
      const { body } = await site.admin.get(`/trackers/${bugs}/artifact_rows?limit=2&sort=id`);
      const [first, second] = body.rows;
      await rowOf(page, first.id).getByRole('gridcell').nth(2).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: first.xref }).waitFor();
      await soon(() => new URL(page.url()).searchParams.get('open')).toBe(String(first.id));
      await page.keyboard.press('j');
      await page.getByRole('complementary', { name: second.xref }).waitFor();
      // Back closes what is not in the address first.
      await page.keyboard.press('c');
      const creation = page.getByRole('dialog', { name: 'Create in' });
      await creation.waitFor();
      await page.goBack();
      await creation.waitFor({ state: 'detached' });
      await soon(() => new URL(page.url()).searchParams.get('open')).toBe(String(second.id));
      await page.keyboard.press('Escape');
      await soon(() => page.getByRole('complementary', { name: second.xref }).count()).toBe(0);
      expect(new URL(page.url()).searchParams.get('open')).toBeNull();
    },
  );

  thoroughTest(
    'who comes by an address stands at the row of the artifact, and is there again when it is closed',
    async () => {
      const page = await open('?sort=id&open=143');
      const panel = page.getByRole('complementary', { name: 'bug #143' });
      await panel.getByText('3 of ').waitFor();
      await panel.getByRole('button', { name: 'Next' }).click();
      const next = page.getByRole('complementary', { name: 'bug #144' });
      await next.getByRole('heading', { level: 1 }).waitFor();
      // Escape leaves what is edited, and then the panel; whoever does so is never nowhere.
      const leave = async (key: string, control: Locator, back: Locator) => {
        await page.keyboard.press(key);
        await control.and(page.locator(':focus')).waitFor();
        await page.keyboard.press('Escape');
        await back.and(page.locator(':focus')).waitFor();
      };
      const title = next.getByRole('heading', { level: 1 }).getByRole('button');
      await leave('e', next.getByRole('textbox', { name: 'Edit the title' }), title);
      await leave('m', next.getByRole('textbox', { name: 'Comment' }), next);
      const components = next.getByRole('button', { name: /^Edit Components/ });
      await components.press('Enter');
      const box = next.getByRole('combobox', { name: 'Components' });
      await box.waitFor();
      while ((await box.getAttribute('aria-expanded')) === 'true') await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await components.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await next.waitFor({ state: 'detached' });
      await soon(() => page.locator(':focus').getAttribute('data-place')).toBe('3');
      // From words to what they find, too.
      const all = await grid(page).getAttribute('aria-rowcount');
      await page.keyboard.press('/');
      await page.keyboard.type('foghorn');
      await page.keyboard.press('Enter');
      await soon(async () => [all, '1'].includes(await grid(page).getAttribute('aria-rowcount'))).toBe(false);
      await grid(page)
        .getByRole('link', { name: /^Foghorn/ })
        .first()
        .waitFor();
      await page.keyboard.press('ArrowDown');
      await grid(page).getByRole('gridcell').and(page.locator(':focus')).waitFor();
    },
  );

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

  test('P5.14 a press on saving a view opens its menu, though the menu arrives before the button is let go', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    const pressed = Promise.withResolvers<void>();
    await page.route('**/assets/saving-*.js', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/trackers/${bugs}`);
    await page.getByRole('grid').getByRole('link').first().waitFor();
    await page.getByRole('button', { name: 'Save view' }).hover();
    await page.mouse.down();
    pressed.resolve();
    const entry = page.getByRole('menuitem', { name: 'Save as mine' });
    await entry.waitFor();
    await page.mouse.up();
    await entry.click();
    await page.getByRole('textbox', { name: 'Name of the view' }).waitFor();
  });

  test('P5.25 what is typed right after / is searched for, though other controls have not arrived', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    await page.route('**/assets/form-controls-*.js', () => undefined);
    await page.goto(`${site.url}/trackers/${bugs}`);
    await page.getByRole('grid').getByRole('link').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('lamp');
    const box = page.getByRole('searchbox');
    expect(await box.inputValue()).toBe('lamp');
    await page.keyboard.press('Enter');
    await soon(() => new URL(page.url()).searchParams.get('words')).toBe('lamp');
    await page.keyboard.press('Escape');
    await soon(() => box.inputValue()).toBe('');
    await soon(() => page.url()).not.toContain('lamp');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
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

  thoroughTest('nothing that matches names the filters and lets go of them', async () => {
    const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}?words=xyzzyplugh` });
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await grid(page).getByRole('link').first().waitFor();
  });

  thoroughTest('an address that names fields that are gone shows the rest of what it asks for', async () => {
    const page = await open('?cols=gone,severity&sort=gone,-status&group=gone');
    await grid(page).getByRole('columnheader', { name: 'Severity' }).waitFor();
    await grid(page).getByText('Minor', { exact: true }).first().waitFor();
    expect(await page.getByText('This could not be loaded').count()).toBe(0);
  });

  thoroughTest('a view that is gone gives way to the usual one, and is asked for once', async () => {
    const made = await site.as('ada').post(`/trackers/${bugs}/tracker_reports`, { label: 'For a day' });
    expect(made.status, made.text).toBe(201);
    expect((await site.as('ada').delete(`/tracker_reports/${made.body.id}`)).status).toBe(200);
    const page = await site.visit({ as: 'ada', path: '/inbox' });
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(`/tracker_reports/${made.body.id}/settings`)) asked++;
    });
    await page.goto(new URL(`/trackers/${bugs}?report=${made.body.id}`, page.url()).href);
    await page.getByText('This view was deleted or is not yours').first().waitFor();
    await page.getByRole('row').nth(5).waitFor();
    expect(new URL(page.url()).searchParams.has('report')).toBe(false);
    // The page listens for what it shows now, and is greeted.
    await page.getByRole('button', { name: 'Watch or mute the tracker' }).click();
    await page.getByRole('menuitem', { name: 'Mute' }).waitFor();
    expect(asked).toBe(1);
    // One of another tracker is none of this one either.
    const stories = 4;
    const { body: ofStories } = await site
      .as('ada')
      .post(`/trackers/${stories}/tracker_reports`, { label: 'Told' });
    const show = (id: number) => page.goto(new URL(`/trackers/${bugs}?report=${id}`, page.url()).href);
    const isLeft = () => page.waitForURL((address) => !address.searchParams.has('report'));
    expect(ofStories.id).toBeTypeOf('number');
    await show(ofStories.id);
    await isLeft();
    // Nor is one that somebody deletes while it is looked at.
    const { body: seen } = await site.as('ada').post(`/trackers/${bugs}/tracker_reports`, { label: 'Seen' });
    await show(seen.id);
    await page.getByRole('heading', { level: 1, name: 'Seen' }).waitFor();
    expect((await site.as('ada').delete(`/tracker_reports/${seen.id}`)).status).toBe(200);
    await isLeft();
  });

  thoroughTest(
    'on the way back to a table with an artifact beside it rows stand where they stay',
    async () => {
      const page = await open('?open=141');
      const panel = page.getByRole('complementary', { name: 'bug #141' });
      await panel.getByRole('button', { name: 'Open as a page' }).click();
      await page.waitForURL('**/artifacts/141');
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.evaluate(() => {
        const widths = new Set<number>();
        Object.assign(globalThis, { widths });
        const look = () => {
          const rows = document.querySelector('[role=grid]:has(a)');
          if (rows !== null) widths.add(rows.getBoundingClientRect().width);
          requestAnimationFrame(look);
        };
        look();
      });
      await page.goBack();
      await panel.getByRole('heading', { level: 1 }).waitFor();
      const seen = await page.evaluate(() => [
        ...(globalThis as unknown as { widths: Set<number> }).widths,
        document.querySelector('[role=grid]')?.getBoundingClientRect().width,
      ]);
      expect(new Set(seen).size).toBe(1);
    },
  );

  thoroughTest(
    'who looks at an artifact beside the table without being in comes back to it from signing in',
    async () => {
      const page = await site.visit({ path: `/trackers/${bugs}` });
      await grid(page).getByRole('link').first().click();
      await page.waitForURL(/open=/);
      const { pathname, search } = new URL(page.url());
      const wanted = `/login?return_to=${encodeURIComponent(pathname + search)}`;
      await soon(() =>
        page.getByRole('banner').getByRole('link', { name: 'Sign in' }).getAttribute('href'),
      ).toBe(wanted);
    },
  );

  thoroughTest(
    'on a phone an artifact that is open beside the table takes its place until it is closed',
    async () => {
      const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}?open=141`, width: 360 });
      const panel = page.getByRole('complementary', { name: 'bug #141' });
      await panel.getByRole('heading', { level: 1 }).waitFor();
      await soon(async () => (await panel.boundingBox())?.width).toBe(360);
      const rows = page.getByRole('main').getByRole('link');
      expect(await rows.count()).toBe(0);
      await panel.getByRole('button', { name: 'Close the panel' }).click();
      await rows.first().waitFor();
    },
  );

  thoroughTest(
    'rows are reached on a page that is magnified four times, and chosen ones are seen in forced colours',
    async () => {
      const page = await open();
      await page.setViewportSize({ width: 320, height: 256 });
      const first = page.getByRole('list', { name: 'Artifacts of Bugs' }).getByRole('link').first();
      await first.waitFor();
      await page.getByRole('main').hover();
      await page.mouse.wheel(0, 100);
      await soon(async () => {
        const box = await first.boundingBox();
        return box !== null && box.y > 130 && box.y < 190;
      }).toBe(true);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ forcedColors: 'active' });
      const boxes = grid(page).getByRole('checkbox');
      const groundOf = (place: number) =>
        boxes.nth(place).evaluate((element) => getComputedStyle(element).backgroundColor);
      await boxes.nth(1).check({ force: true });
      expect(await groundOf(1)).not.toBe(await groundOf(2));
      // Where one is, among pages and among the ways to look.
      const here = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
      expect(await here.evaluate((entry) => getComputedStyle(entry).outlineStyle)).toBe('solid');
      const ground = (view: string, part?: string) =>
        page
          .getByRole('navigation', { name: 'Views' })
          .getByRole('link', { name: view })
          .evaluate((link, under) => getComputedStyle(link, under).backgroundColor, part);
      expect(await ground('Table', '::after')).not.toBe(await ground('Board'));
    },
  );

  thoroughTest('it is accessible in both themes, on a phone and on a desk', async () => {
    const page = await open('?group=status&f=status:not:100');
    await grid(page).getByRole('rowheader').first().waitFor();
    await grid(page).evaluate((scroller) => scroller.scrollTo(0, 200));
    await page.getByRole('button', { name: 'Query', exact: true }).click();
    await page.locator('.cm-content').waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoSidewaysScrolling(page);
  });
});
