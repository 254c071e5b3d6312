import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { holdAnswer } from './harness/late.ts';
import { lacksBrowser, type Site, startSite, thoroughTest, untilAnswersKept } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** The tracker of bugs of the demo project, and its fields. */
const bugs = 5;
const fields = { summary: 195, description: 196, status: 199, severity: 200, foundIn: 204 };

describe.skipIf(lacksBrowser)('the page of an artifact', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const create = async (summary: string, more: readonly object[] = []): Promise<number> => {
    const values = [{ field_id: fields.summary, value: summary }, ...more];
    const { status, body, text } = await site
      .as('bruno')
      .post('/artifacts', { tracker: { id: bugs }, values });
    expect(status, text).toBe(201);
    return body.id;
  };
  const open = async (id: number, as = 'ada'): Promise<Page> => {
    const page = await site.visit({ as, path: `/artifacts/${id}` });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const read = async (id: number) => (await site.admin.get(`/artifacts/${id}`)).body;
  const storedValue = async (id: number, fieldId: number) =>
    (await read(id)).values.find((value: { field_id: number }) => value.field_id === fieldId);
  const sizeOfHistory = async (id: number) =>
    (await site.admin.get(`/artifacts/${id}/changesets`)).body.length;

  test('P7.4 a step of the workflow is seen at once, stored, and in the history once', async () => {
    const id = await create('The lamp hums');
    const page = await open(id);
    await page
      .getByRole('group', { name: 'Next steps' })
      .getByRole('button', { name: 'Confirmed' })
      .press('Enter');
    const status = page.getByRole('button', { name: 'Status: Confirmed' });
    await status.waitFor();
    // By keys one goes on from there: the step that was taken is gone.
    await soon(() => status.evaluate((button) => button === document.activeElement)).toBe(true);
    await soon(async () => (await read(id)).status).toBe('Confirmed');
    expect(await sizeOfHistory(id)).toBe(2);
    await page.getByRole('region', { name: 'Timeline' }).getByText('Confirmed').waitFor();

    // On paper it is whole, and has nothing to press (web.md 9).
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('region', { name: 'Timeline' }).getByText('Confirmed').waitFor();
    for (const name of ['Search', 'Create', 'Add or drop files'])
      await soon(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(await page.getByRole('textbox').count()).toBe(0);
  });

  thoroughTest(
    'an answer that was given before a change was stored, and comes after it, does not take it back',
    async () => {
      const id = await create('The lamp blinks');
      const page = await open(id);
      await untilAnswersKept(page, [`artifacts/${id}"`, `artifacts/${id}","watching"`, `trackers/${bugs}"`]);
      const late = await holdAnswer(page, `**/api/artifacts/${id}`);
      const lateWatching = await holdAnswer(page, `**/api/artifacts/${id}/watching`);
      await page.reload();
      await Promise.all([late.given, lateWatching.given]);
      const steps = page.locator('#root').getByRole('group', { name: 'Next steps' });
      await steps.getByRole('button', { name: 'Confirmed' }).click();
      await soon(async () => (await read(id)).status).toBe('Confirmed');
      await page.getByRole('region', { name: 'Timeline' }).getByText('Confirmed').waitFor();
      await late.come();
      expect(
        await page
          .locator('#root')
          .getByRole('button', { name: /^Status: / })
          .textContent(),
      ).toBe('Confirmed');

      const watching = page.locator('#root').getByRole('button', { name: /^Watching/ });
      const before = await watching.textContent();
      await page.keyboard.press('w');
      await page.getByText('You are told of what happens here').first().waitFor();
      const after = await watching.textContent();
      expect(after).not.toBe(before);
      await lateWatching.come();
      expect(await watching.textContent()).toBe(after);
    },
  );

  test('P7.1 title, line, list and text are changed where they stand', async () => {
    const id = await create('The lamp is dark');
    const page = await open(id);
    await page.getByRole('button', { name: 'The lamp is dark' }).click();
    await page.getByRole('textbox', { name: 'Edit the title' }).fill('The lamp is dim');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The lamp is dim' }).waitFor();

    await page.getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'Major' }).click();

    await page.getByRole('button', { name: /empty fields?/ }).click();
    await page.getByRole('button', { name: /Edit Found in version/ }).click();
    await page.getByRole('textbox', { name: 'Found in version' }).fill('2.4');
    await page.keyboard.press('Enter');

    await page.getByRole('button', { name: 'Edit How to see it' }).first().click();
    await page.getByRole('textbox', { name: 'How to see it' }).fill('Look **up**.');
    await page.keyboard.press('Control+Enter');

    await soon(async () => (await storedValue(id, fields.description))?.commonmark).toBe('Look **up**.');
    expect((await read(id)).title).toBe('The lamp is dim');
    expect((await storedValue(id, fields.foundIn)).value).toBe('2.4');
    expect((await storedValue(id, fields.severity)).values[0].label).toBe('Major');
    await page.locator('strong', { hasText: 'up' }).waitFor();
  });

  test('P7.5 a required field that is emptied is refused at its control', async () => {
    const id = await create('The door sticks');
    const page = await open(id);
    await page.getByRole('button', { name: 'The door sticks' }).click();
    await page.getByRole('textbox', { name: 'Edit the title' }).fill('');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Summary is required').waitFor();
    expect(await sizeOfHistory(id)).toBe(1);
  });

  test('P7.18 a comment half written survives a reload, and is stored once when it is sent', async () => {
    const id = await create('The stairs creak');
    const page = await open(id);
    const box = () => page.getByRole('textbox', { name: 'Comment' });
    // Half of it before the editor has arrived, and half while it does.
    const editor = Promise.withResolvers<void>();
    await page.route('**/assets/markdown-area-*', (route) => editor.promise.then(() => route.continue()));
    await page.reload();
    await box().click();
    await page.keyboard.type('Only the **');
    editor.resolve();
    await page.keyboard.type('third** step');
    // In the moment of the last key, before it was kept, and with no time left to write into a database.
    await page.evaluate(() =>
      addEventListener(
        'pagehide',
        () => {
          IDBDatabase.prototype.transaction = () => {
            throw new DOMException('The page is gone.', 'InvalidStateError');
          };
        },
        { capture: true },
      ),
    );
    await page.reload();
    await soon(() => box().textContent()).toBe('Only the **third** step');
    await page.getByText(/Draft kept/).waitFor();
    await box().click();
    await page.keyboard.press('Control+Enter');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.locator('strong', { hasText: 'third' }).waitFor();
    await soon(
      async () => (await site.admin.get(`/artifacts/${id}/changesets?fields=comments`)).body.length,
    ).toBe(1);
  });

  test('P7.8 P7.9 two people: other fields are merged, the same field asks', async () => {
    const id = await create('The radio is silent');
    const page = await open(id);
    await page.getByRole('button', { name: 'The radio is silent' }).click();
    const box = page.getByRole('textbox', { name: 'Edit the title' });
    await box.fill('The radio whispers');
    const other = (values: object[]) => site.as('bruno').put(`/artifacts/${id}`, { values });
    await other([{ field_id: fields.foundIn, value: '9.9' }]);
    await page.keyboard.press('Enter');
    await soon(async () => (await read(id)).title).toBe('The radio whispers');
    expect((await storedValue(id, fields.foundIn)).value).toBe('9.9');

    await page.getByRole('button', { name: 'The radio whispers' }).click();
    await box.fill('The radio sings');
    await other([{ field_id: fields.summary, value: 'The radio shouts' }]);
    // What the other wrote is known to the page by now, and is still not overwritten.
    await page.getByText(/^Bruno.* has changed this meanwhile: The radio shouts$/).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /changed this while you were writing/ });
    await dialog.getByRole('radio', { name: 'The radio sings' }).click();
    // Whoever listens is told though a dialog is in front; the dialog asks, and no notice beside it.
    await page
      .getByRole('status')
      .filter({ hasText: 'Choose which one stays.' })
      .waitFor({ state: 'attached' });
    expect(await page.locator('li').filter({ hasText: 'Choose which one stays.' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save these choices' }).click();
    await soon(async () => (await read(id)).title).toBe('The radio sings');

    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.fill('What I would not like to lose');
    expect((await site.admin.delete(`/artifacts/${id}`)).status).toBe(200);
    await page.getByRole('alert').getByText('It is gone').waitFor();
    await comment.getByText('What I would not like to lose').waitFor();
    expect(await page.getByText('This could not be loaded').count()).toBe(0);
  });

  test('P7.16 a text that was changed shows words added and removed', async () => {
    const text = (content: string) => ({
      field_id: fields.description,
      value: { content, format: 'commonmark' },
    });
    const id = await create('The log is short', [
      text('The old log is gone from the shelf, since Friday.\n\nNobody saw it.'),
    ]);
    await site.as('bruno').put(`/artifacts/${id}`, {
      values: [text('The old log is still on the shelf, since Friday.\n\nNobody saw it.')],
    });
    const page = await open(id);
    await page.getByRole('button', { name: 'Show what changed in How to see it' }).click();
    const diff = page.getByRole('figure', { name: 'How to see it' });
    await soon(() => diff.locator('mark').allTextContents()).toContain('gone');
    expect(await diff.textContent()).toContain('+1');
  });

  test('P7.16 changes that follow each other are one line, which shows all of both; what was undone is told as it was', async () => {
    const long = `${'The keeper walks up at dusk, and down at dawn.\n\n'.repeat(200)}`;
    const text = (content: string) => ({
      field_id: fields.description,
      value: { content, format: 'commonmark' },
    });
    const id = await create('The stairs creak', [text(`First of all.\n\n${long}Last of all.`)]);
    const put = (value: object) => site.as('bruno').put(`/artifacts/${id}`, { values: [value] });
    await put(text(`At first.\n\n${long}Last of all.`));
    await put(text(`At first.\n\n${long}At last.`));
    const page = await open(id);
    await page.getByRole('button', { name: 'Show what changed in How to see it' }).click();
    const marks = page.getByRole('figure', { name: 'How to see it' }).locator('mark');
    await soon(async () => (await marks.allTextContents()).join(' ')).toMatch(/First.*Last/);

    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('heading', { name: 'Timeline' }).waitFor();
    // What made it, and one line for both changes.
    await timeline.getByText('2', { exact: true }).waitFor();
    const before = (await read(id)).title;
    const title = (value: string) => ({ field_id: fields.summary, value });
    await put(title('The stairs sing'));
    await put(title(before));
    await soon(async () =>
      (await timeline.getByRole('listitem').allInnerTexts()).slice(-2).join(' '),
    ).toMatch(/The stairs creak\s+The stairs sing[\s\S]*The stairs sing\s+The stairs creak/);
  });

  test('P8.1 c, a title, Ctrl Enter: it is created', async () => {
    const page = await open(await create('Something to begin from'));
    await page.getByRole('button', { name: 'Create', exact: true }).waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Summary' }).fill('The fog bell is cracked');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/bug #\d+ is created/)
      .first()
      .waitFor();
    const { body } = await site.admin.get('/quick_search?words=fog+bell+is+cracked&kinds=artifacts');
    expect(body.artifacts).toHaveLength(1);
  });

  test('P8.2 P8.3 a required field is asked for at it, and the draft survives a reload', async () => {
    const page = await site.visit({ as: 'ada', path: `/trackers/${bugs}/new` });
    await page.getByRole('textbox', { name: /Found in version/ }).fill('3.1');
    await page.getByRole('button', { name: 'Create bug' }).click();
    await page.getByText('Summary is required').waitFor();
    await page.getByText(/Draft kept/).waitFor();
    await page.reload();
    await soon(() => page.getByRole('textbox', { name: /Found in version/ }).inputValue()).toBe('3.1');
    await page.getByRole('textbox', { name: /Summary/ }).fill('The clock is late');
    await page.getByRole('button', { name: 'Create bug' }).click();
    await page.getByRole('heading', { level: 1, name: 'The clock is late' }).waitFor();
  });

  test('P8.9 the address fills the form', async () => {
    const page = await site.visit({
      as: 'ada',
      path: `/trackers/${bugs}/new?summary=From+a+mail&f.severity=Major`,
    });
    await soon(() => page.getByRole('textbox', { name: /Summary/ }).inputValue()).toBe('From a mail');
    await page
      .getByRole('button', { name: /Severity/ })
      .getByText('Major')
      .waitFor();
  });

  thoroughTest('a long name of a status has several lines where there is no room for one', async () => {
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const status = tracker.fields.find(({ field_id: id }: { field_id: number }) => id === fields.status);
    const { id: value } = status.values.find(({ label }: { label: string }) => label === 'Confirmed');
    const rename = async (label: string) => {
      const { status, text } = await site.admin.patch(`/tracker_fields/${fields.status}/values/${value}`, {
        label,
      });
      expect(status, text).toBe(200);
    };
    const name = 'Waiting for the answer of the captain in Norway, and for the weather';
    const id = await create('The ship is late');
    await rename(name);
    try {
      const page = await site.visit({ as: 'ada', path: `/artifacts/${id}`, width: 360 });
      const isWithin = async (name: string) => {
        const { x, width } = (await page.getByRole('button', { name }).boundingBox()) ?? { x: 0, width: 0 };
        return width > 200 && x + width <= 360 - 16;
      };
      await soon(() => isWithin(name)).toBe(true);
      await page.getByRole('button', { name }).click();
      await page.getByRole('button', { name: `Status: ${name}` }).waitFor();
      await soon(() => isWithin(`Status: ${name}`)).toBe(true);
    } finally {
      await rename('Confirmed');
    }
  });

  thoroughTest('a file that is dropped beside its place does not take the page away', async () => {
    const page = await open(await create('The mail is heavy'));
    /** Whether the browser would go on with what is dragged there, and dropped. */
    const drop = (place: Locator) =>
      place.evaluate((element) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['x'], 'x.txt'));
        const events = ['dragover', 'drop'].map(
          (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
        return events.map((event) => element.dispatchEvent(event));
      });
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.click();
    await soon(() => comment.getAttribute('contenteditable')).toBe('true');
    expect((await drop(comment))[0]).toBe(true);
    await soon(() => comment.innerText()).toContain('[x.txt]');
    expect(await drop(page.getByRole('heading', { level: 1 }))).toEqual([false, false]);
  });

  thoroughTest('both pages are for everybody, in both themes, on a phone and on a desk', async () => {
    const id = await create('The rope is old', [
      {
        field_id: fields.description,
        value: { content: '- [ ] cut\n- [x] tie\n\n| a | b |\n|---|---|\n| 1 | 2 |', format: 'commonmark' },
      },
    ]);
    const page = await open(id);
    await page.getByRole('region', { name: 'Timeline' }).getByText('created this').waitFor();
    await expectNoSidewaysScrolling(page);
    await expectAccessibleEverywhere(page);
    const form = await site.visit({ as: 'ada', path: `/trackers/${bugs}/new` });
    await form.getByRole('button', { name: 'Create bug' }).waitFor();
    await expectAccessibleEverywhere(form);
  });
});
