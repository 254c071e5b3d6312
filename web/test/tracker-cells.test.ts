import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addField, createTracker } from '../../server/test/fixtures/tracker.ts';
import { lacksBrowser, type Site, startSite, thoroughTest, untilAnswersKept } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo project. */
const bugs = 5;

interface Transition {
  readonly id: number;
  readonly from_id: number | null;
  readonly to_id: number;
}

describe.skipIf(lacksBrowser)('cells and rows of a table', () => {
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
      .filter({ has: page.getByRole('gridcell', { name: String(id), exact: true }) });
  const open = async (query = '', as = 'admin') => {
    const page = await site.visit({ as, path: `/trackers/${bugs}${query}` });
    await grid(page).getByRole('link').first().waitFor();
    return page;
  };
  const tracker = async () => (await site.admin.get(`/trackers/${bugs}`)).body;
  const fieldOf = async (name: string) =>
    (await tracker()).fields.find((field: { name: string }) => field.name === name);
  const rows = async (query: string) =>
    (await site.admin.get(`/trackers/${bugs}/artifact_rows?${query}`)).body.rows;
  const read = async (id: number) => (await site.admin.get(`/artifacts/${id}`)).body;

  thoroughTest(
    'rows that were answered before a cell was stored, and come after it, do not take it back',
    async () => {
      const [row] = await rows('limit=1&sort=id&columns=severity');
      const now = row.cells.severity.value[0]?.label;
      const target = now === 'Major' ? 'Minor' : 'Major';
      const page = await open('?sort=id&cols=status,severity');
      await untilAnswersKept(page, [`trackers/${bugs}/artifact_rows?columns=`, `trackers/${bugs}"`]);
      const come = Promise.withResolvers<void>();
      let isHeld = true;
      await page.route('**/artifact_rows?*severity*', async (route) => {
        if (!isHeld) return route.fallback();
        isHeld = false;
        const response = await route.fetch();
        await come.promise;
        await route.fulfill({ response });
      });
      await page.reload();
      await soon(() => isHeld).toBe(false);
      const cell = page
        .locator('#root')
        .getByRole('row')
        .filter({ hasText: String(row.id) })
        .first();
      await cell.getByRole('gridcell').nth(4).dblclick();
      await page.getByRole('option', { name: target }).click();
      await soon(
        async () => (await rows('limit=1&sort=id&columns=severity'))[0].cells.severity.value[0].label,
      ).toBe(target);
      const given = page.waitForResponse(/artifact_rows\?.*severity/);
      come.resolve();
      await given;
      // What it tells is drawn in the next frame.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
      expect(await cell.getByRole('gridcell').nth(4).textContent()).toBe(target);
    },
  );

  test('P5.11 a step that needs a comment asks for it in the cell, and both are one change', async () => {
    const { workflow } = await tracker();
    const status = await fieldOf('status');
    const [row] = await rows('limit=1&sort=id&columns=status');
    const now = row.cells.status.value[0].id;
    const step: Transition = workflow.transitions.find(({ from_id }: Transition) => from_id === now);
    const { status: answer, text } = await site.admin.patch(`/tracker_workflow_transitions/${step.id}`, {
      authorized_user_group_ids: ['101_3'],
      not_empty_field_ids: [],
      is_comment_required: true,
    });
    expect(answer, text).toBe(200);
    const target = status.values.find(({ id }: { id: number }) => id === step.to_id).label;
    const page = await open('?sort=id&cols=status,severity');
    const before = await site.admin.get(`/artifacts/${row.id}/changesets?limit=50`);
    const choose = async () => {
      await rowOf(page, row.id).getByRole('gridcell').nth(3).dblclick();
      await page.getByRole('option', { name: target }).click();
    };
    await choose();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => dialog.count()).toBe(0);
    expect((await read(row.id)).full_status.value).toBe(row.full_status.value);
    await choose();
    await dialog.getByRole('textbox').fill('Seen on the bench');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await soon(async () => (await read(row.id)).full_status.value).toBe(target);
    const after = await site.admin.get(`/artifacts/${row.id}/changesets?limit=50`);
    expect(after.body.length).toBe(before.body.length + 1);
    expect(after.body.at(-1).last_comment.body).toContain('Seen on the bench');
    await soon(() => rowOf(page, row.id).getByRole('gridcell').nth(3).textContent()).toContain(target);
  });

  thoroughTest('what is typed before the control of a cell has arrived is typed into it', async () => {
    const page = await site.visit({ as: 'admin', path: '/robots.txt' });
    const arrivals = Promise.withResolvers<void>();
    await page.route(/\/assets\/(cell-editor|parts|form-controls)-/, async (route) => {
      await arrivals.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/trackers/${bugs}?sort=id`);
    const [, , , row] = await rows('limit=4&sort=id');
    const cell = rowOf(page, row.id).getByRole('gridcell').nth(2);
    await cell.focus();
    await page.keyboard.press('e');
    await soon(() => cell.getByRole('link').count()).toBe(0);
    // Commands of the page have single letters too: none of them runs.
    await page.keyboard.type(' jxc!');
    await page.keyboard.press('Enter');
    arrivals.resolve();
    await soon(async () => (await read(row.id)).title).toBe(`${row.title} jxc!`);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  thoroughTest(
    'a table whose first columns do not stay in sight is scrolled sideways, by arrows too',
    async () => {
      const page = await open(
        '?sort=id&cols=status,severity,assigned_to,components,@submitted_by,@last_update_date',
      );
      await page.setViewportSize({ width: 900, height: 700 });
      const left = () => grid(page).evaluate((element) => element.scrollLeft);
      const walk = async () => {
        const [row] = await rows('limit=1&sort=id');
        await rowOf(page, row.id).getByRole('gridcell').nth(2).focus();
        for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowRight');
        await soon(left).toBeGreaterThan(0);
        const isInSight = () =>
          page.evaluate(() => {
            const [cell, grid] = [document.activeElement, document.querySelector('[role=grid]')];
            const [inner, outer] = [cell?.getBoundingClientRect(), grid?.getBoundingClientRect()];
            return inner !== undefined && outer !== undefined && inner.right <= outer.right + 1;
          });
        await soon(isInSight).toBe(true);
        await grid(page).evaluate((element) => element.scrollTo({ left: 0 }));
        await soon(left).toBe(0);
      };
      await walk();
      await page
        .getByRole('button', { name: 'Columns and rows' })
        .or(page.getByRole('button', { name: 'Settings' }))
        .first()
        .click();
      await page.getByRole('menuitemcheckbox', { name: 'Keep id and title in sight' }).click();
      await page.keyboard.press('Escape');
      await walk();
      await grid(page).hover();
      await page.mouse.wheel(400, 0);
      await soon(left).toBeGreaterThan(0);
    },
  );

  thoroughTest(
    'an artifact that was opened as a page leads to the next and the previous one of its list',
    async () => {
      const page = await open('?sort=id');
      const [first, second] = await rows('limit=2&sort=id');
      await grid(page).getByRole('link', { name: first.title, exact: true }).click();
      await page.getByRole('button', { name: 'Open as a page' }).click();
      await page.waitForURL(`**/artifacts/${first.id}`);
      // The panel has the same heading, and goes in the next frame.
      await page.getByRole('complementary', { name: first.xref }).waitFor({ state: 'detached' });
      await page.getByText(/^1 of /).waitFor();
      await page.getByRole('heading', { level: 1, name: first.title }).waitFor();
      await page.keyboard.press('Shift+J');
      await page.getByRole('heading', { level: 1, name: second.title }).waitFor();
      await page.getByText(/^2 of /).waitFor();
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.getByRole('heading', { level: 1, name: first.title }).waitFor();
    },
  );

  test('P5.13 somebody else changed the same cell: both values, and one is chosen, also on a later visit', async () => {
    const page = await open('?sort=id');
    const [, row] = await rows('limit=2&sort=id');
    const summary = await fieldOf('summary');
    await rowOf(page, row.id).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('e');
    const box = grid(page).getByRole('textbox');
    await box.fill('The lamp of the first');
    const { status } = await site.as('bruno').put(`/artifacts/${row.id}`, {
      values: [{ field_id: summary.field_id, value: 'The lamp of the second' }],
    });
    expect(status).toBe(200);
    // The cell says so before anything is stored, and keeps what is typed.
    const meanwhile = grid(page).getByText(/^Bruno.* has changed this meanwhile: The lamp of the second$/);
    // It lies over the rows below: nothing is in front of it.
    await meanwhile.click({ trial: true });
    expect(await box.inputValue()).toBe('The lamp of the first');
    await box.press('Enter');
    await page.getByRole('button', { name: 'Choose' }).waitFor();
    // Nothing offers any longer to take it back.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Choose' }).click();
    const dialog = page.getByRole('dialog', { name: /changed this while you were writing/ });
    await dialog.getByRole('radio', { name: 'The lamp of the second' }).waitFor();
    await dialog.getByRole('button', { name: /^Cancel/ }).click();
    // A page without rows, on which nothing else tells of it.
    await page.goto(`${site.url}/projects`);
    await page.getByRole('button', { name: 'Choose' }).click();
    await dialog.getByRole('radio', { name: 'The lamp of the first' }).click();
    await dialog.getByRole('button', { name: 'Save these choices' }).click();
    await soon(async () => (await read(row.id)).title).toBe('The lamp of the first');
  });

  thoroughTest('a change that is refused opens its cell again with what was typed', async () => {
    const page = await open('?sort=id&cols=status');
    const [, , row] = await rows('limit=3&sort=id');
    await rowOf(page, row.id).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('e');
    await grid(page).getByRole('textbox').fill('');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit again' }).click();
    await soon(() => grid(page).getByRole('textbox').inputValue()).toBe('');
    await rowOf(page, row.id).getByRole('textbox').press('Escape');
    expect((await read(row.id)).title).toBe(row.title);
  });

  thoroughTest('a cell that cannot be edited says why, and Tab goes on from one that was', async () => {
    const page = await open('?sort=id&cols=severity,@last_update_date');
    const [first] = await rows('limit=1&sort=id');
    const cells = rowOf(page, first.id).getByRole('gridcell');
    await cells.nth(4).focus();
    await page.keyboard.press('F2');
    await soon(() => page.getByText('This is computed').count()).toBeGreaterThan(0);
    await cells.nth(2).focus();
    await page.keyboard.press('F2');
    await grid(page).getByRole('textbox').fill('A title that is left by Tab');
    await page.keyboard.press('Tab');
    await soon(() => cells.nth(3).evaluate((cell) => cell === document.activeElement)).toBe(true);
    await soon(async () => (await read(first.id)).title).toBe('A title that is left by Tab');
  });

  thoroughTest(
    'two presses edit the row of the first, also where another one has come below the pointer',
    async () => {
      const [first, second] = await rows('limit=2');
      const page = await open();
      const middle = async (id: number) => {
        const box = await rowOf(page, id).getByRole('link').boundingBox();
        return [(box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const;
      };
      await page.mouse.click(...(await middle(first.id)));
      await page.getByRole('complementary', { name: `bug #${first.id}` }).waitFor();
      // As when what was opened moves the rows.
      await page.mouse.move(...(await middle(second.id)));
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await rowOf(page, first.id).getByRole('textbox').waitFor();
      expect(await grid(page).getByRole('textbox').count()).toBe(1);
      await page.getByRole('complementary', { name: `bug #${first.id}` }).waitFor();
      await page.keyboard.press('Escape');
    },
  );

  thoroughTest('a new word of an open list is typed letter by letter in its cell, and stored', async () => {
    const { id: tracker } = await createTracker(site.admin, 101, { label: 'Words' });
    const words = await addField(site.admin, tracker, {
      type: 'tbl',
      name: 'words',
      label: 'Words',
      bind: { type: 'static', values: [{ label: 'first' }] },
    });
    const title = await addField(site.admin, tracker, { type: 'string', name: 'title', label: 'Title' });
    const values = [{ field_id: title.field_id, value: 'A row' }];
    const { body: made } = await site.admin.post('/artifacts', { tracker: { id: tracker }, values });
    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker}?cols=words` });
    await grid(page).getByRole('link').first().waitFor();
    await grid(page).getByRole('row').nth(1).getByRole('gridcell').nth(3).dblclick();
    await grid(page).getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('second', { delay: 20 });
    await page.getByRole('option', { name: /second/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await soon(async () => {
      const { values: stored } = await read(made.id);
      return stored
        .find(({ field_id: id }: { field_id: number }) => id === words.field_id)
        ?.bind_value_objects?.map(({ label }: { label: string }) => label);
    }).toEqual(['second']);
  });

  test('P5.2 200 times j: the last row has the focus and is told to those who listen', async () => {
    const page = await open('?sort=id');
    const size = Number(await grid(page).getAttribute('aria-rowcount')) - 1;
    const listed = await rows(`limit=${Math.min(size, 200)}&sort=id`);
    await grid(page).getByRole('gridcell').nth(2).focus();
    for (let pressed = 0; pressed < 200; pressed += 1) await page.keyboard.press('j');
    const last = listed[Math.min(200, listed.length - 1)];
    await soon(() => page.getByRole('status').allTextContents()).toContainEqual(
      expect.stringContaining(`${last.xref} ${last.title}`),
    );
    await soon(() =>
      rowOf(page, last.id)
        .getByRole('gridcell')
        .nth(2)
        .evaluate((cell) => cell === document.activeElement),
    ).toBe(true);
  });

  thoroughTest('a row that is not read yet is edited, and opened, as soon as it is', async () => {
    const { id: tracker } = await createTracker(site.admin, 101, { label: 'Many' });
    const title = await addField(site.admin, tracker, { type: 'string', name: 'title', label: 'Title' });
    const create = (at: number) =>
      site.admin.post('/artifacts', {
        tracker: { id: tracker },
        values: [{ field_id: title.field_id, value: `Row ${at}` }],
      });
    await Promise.all(Array.from({ length: 230 }, (_, at) => create(at)));
    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker}?sort=id&cols=title` });
    const editor = grid(page).getByRole('textbox');
    const act = async (key: string) => {
      await grid(page).getByRole('link').first().waitFor();
      let answer: () => void = () => undefined;
      const mayAnswer = new Promise<void>((resolve) => {
        answer = resolve;
      });
      let isAsked = false;
      await page.route('**/artifact_rows?*', async (route) => {
        isAsked = true;
        await mayAnswer;
        await route.continue();
      });
      // What was drawn of an earlier visit has rows too, of which none takes the focus.
      await soon(async () => {
        await grid(page).getByRole('gridcell').nth(3).focus();
        return grid(page).locator(':focus').count();
      }).toBe(1);
      await page.keyboard.press('ControlOrMeta+End');
      await soon(() => isAsked).toBe(true);
      await page.keyboard.press(key);
      answer();
    };
    await act('e');
    await editor.waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await act('o');
    await page.getByRole('complementary', { name: /#\d+/ }).waitFor();
  });

  thoroughTest('a row that is not drawn yet is edited as soon as it is', async () => {
    const page = await open('?sort=id');
    const editor = grid(page).getByRole('textbox');
    const [, , row] = await rows('limit=3&sort=id');
    await page.keyboard.press('j');
    // From now on the control is there at once.
    await page.keyboard.press('e');
    await editor.waitFor();
    await page.keyboard.press('Escape');
    await soon(() => editor.count()).toBe(0);
    await grid(page).evaluate((element) => element.scrollTo(0, 1500));
    await soon(() => rowOf(page, row.id).count()).toBe(0);
    // Both before the next frame: the row is out of sight when it is edited.
    await page.evaluate(async () => {
      for (const key of ['j', 'e']) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await new Promise<void>((done) => queueMicrotask(done));
      }
    });
    await soon(() => editor.inputValue()).toBe(row.title);
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await soon(() => editor.count()).toBe(0);
  });

  test('P5.25 keyboard alone: filter, open, edit, close', async () => {
    const page = await open('?sort=id');
    const all = Number(await grid(page).getAttribute('aria-rowcount'));
    await page.keyboard.press('f');
    await page.getByRole('searchbox', { name: 'Search fields' }).waitFor();
    await page.keyboard.type('severity');
    await soon(() => page.getByRole('menuitem').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const boxes = dialog.getByRole('checkbox');
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await soon(() => page.url()).toContain('f=severity:');
    await page.keyboard.press('Escape');
    await soon(() => dialog.count()).toBe(0);
    await soon(async () => Number(await grid(page).getAttribute('aria-rowcount'))).toBeLessThan(all);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('e');
    await grid(page).getByRole('textbox').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Written without a mouse');
    await page.keyboard.press('Enter');
    await grid(page).getByRole('link', { name: 'Written without a mouse' }).waitFor();
    await page.keyboard.press('o');
    const panel = page.getByRole('complementary', { name: /^bug #/ });
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await soon(() => panel.count()).toBe(0);
    await page.keyboard.press('Shift+F');
    await soon(async () => Number(await grid(page).getAttribute('aria-rowcount'))).toBe(all);
  });

  test('P5.24 print has all rows with the filters as a heading, and no controls', async () => {
    const severity = await fieldOf('severity');
    const [value] = severity.values;
    const listed = await rows(
      `limit=500&query=${encodeURIComponent(JSON.stringify({ severity: [value.id] }))}`,
    );
    const page = await site.visit({ as: 'admin', path: '/' });
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute('data-printed', 'true');
    });
    await page.goto(`${site.url}/trackers/${bugs}?f=severity:${value.id}`);
    await grid(page).getByRole('link').first().waitFor();
    await page.keyboard.press('Control+p');
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    const sheet = page.getByRole('region', { name: /for printing/ });
    await soon(() => sheet.getByRole('row').count()).toBe(listed.length + 1);
    await sheet.getByText(`${severity.label} is ${value.label}`).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await grid(page).getByRole('link').first().waitFor();
    // The menu of the browser waits for nothing: at once there is what was read.
    await page.goto(`${site.url}/trackers/${bugs}?sort=id`);
    await grid(page).getByRole('link').first().waitFor();
    const printed = () =>
      page.evaluate(() => {
        window.dispatchEvent(new Event('beforeprint'));
        const lines = document.querySelectorAll('section[aria-label$="for printing"] tbody tr').length;
        window.dispatchEvent(new Event('afterprint'));
        return lines;
      });
    await soon(printed).toBe((await rows('limit=500')).length);
    await soon(() => page.locator('section[aria-label$="for printing"]').count()).toBe(0);
  });

  thoroughTest('in the order of ranks rows are moved by Alt and arrows, and by dragging', async () => {
    const page = await open('?sort=@rank');
    const order = async () => (await rows('limit=4&sort=@rank')).map(({ id }: { id: number }) => id);
    const [first, second, third, fourth] = await order();
    await rowOf(page, first).getByRole('gridcell').nth(2).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await soon(order).toEqual([second, first, third, fourth]);
    await soon(() => page.getByRole('status').allTextContents()).toContainEqual(
      expect.stringMatching(/is now 2 of/),
    );
    await rowOf(page, fourth).dragTo(rowOf(page, second), { targetPosition: { x: 200, y: 4 } });
    await soon(order).toEqual([fourth, second, first, third]);
    await page.reload();
    await soon(async () => grid(page).getByRole('link').first().getAttribute('href')).toBe(
      `/artifacts/${fourth}`,
    );
  });
});
