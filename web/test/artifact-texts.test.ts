import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './harness/accessible.ts';
import { isAway } from './harness/faults.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** The tracker of bugs of the demo project, and its fields. */
const bugs = 5;
const fields = { summary: 195, description: 196, status: 199, files: 208 };

/** A picture of one red point. */
const point =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** As a browser hands over what was copied elsewhere. */
async function paste(page: Page, given: { picture?: string; text?: string }): Promise<void> {
  await page.evaluate(({ picture, text }) => {
    const data = new DataTransfer();
    if (text !== undefined) data.setData('text/plain', text);
    if (picture !== undefined) {
      const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
      data.items.add(new File([bytes], 'seen from below.png', { type: 'image/png' }));
    }
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, given);
}

describe.skipIf(lacksBrowser)('texts, comments and files of an artifact', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({}, { isAlone: true });
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
  const open = async (id: number, as = 'ada', more: { expecting?: RegExp[]; hash?: string } = {}) => {
    const { hash = '', ...rest } = more;
    const page = await site.visit({ as, path: `/artifacts/${id}${hash}`, ...rest });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const comment = (id: number, body: string, as = 'bruno') =>
    site.as(as).post(`/artifacts/${id}/comments`, { body, format: 'commonmark' });
  const timelineOf = (page: Page) => page.getByRole('region', { name: 'Timeline' });
  const box = (page: Page) => page.getByRole('textbox', { name: 'Comment' });
  /** The editor has arrived, and has the focus. */
  const write = async (page: Page) => {
    await box(page).click();
    await page.locator('.cm-content[aria-label="Comment"]').waitFor();
    await box(page).focus();
  };
  const storedFiles = async (id: number) => {
    const { body } = await site.admin.get(`/artifacts/${id}`);
    const value = body.values.find((one: { field_id: number }) => one.field_id === fields.files);
    return value?.file_descriptions ?? [];
  };

  test('P7.12 a picture pasted into a comment is uploaded, shown, and is in the file field', async () => {
    const id = await create('The lens is cracked');
    const page = await open(id);
    await write(page);
    await page.keyboard.type('Look: ');
    await paste(page, { picture: point });
    await soon(() => box(page).textContent()).toContain('![seen from below.png](');
    await page.getByRole('button', { name: 'Preview' }).click();
    const shown = page.getByRole('img', { name: 'seen from below.png' });
    await soon(() => shown.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(1);
    await page.getByRole('button', { name: 'Send', exact: false }).last().click();
    const inComment = timelineOf(page).getByRole('img', { name: 'seen from below.png' });
    await soon(() => inComment.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(1);
    await soon(async () => (await storedFiles(id)).map(({ name }: { name: string }) => name)).toEqual([
      'seen from below.png',
    ]);
    await page.getByRole('button', { name: 'Look at seen from below.png' }).waitFor();
    // Others see it too, since it is attached.
    const other = await open(id, 'bruno');
    const theirs = timelineOf(other).getByRole('img', { name: 'seen from below.png' });
    await soon(() => theirs.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(1);
  });

  thoroughTest(
    'a preview shows a picture once it has arrived, says why there is none, and gives way to the next comment',
    async () => {
      const id = await create('The gallery creaks');
      const page = await open(id, 'ada', { expecting: isAway });
      const come = Promise.withResolvers<void>();
      await page.route('**/uploads/**', async (route) => {
        if (route.request().method() !== 'GET') await come.promise;
        await route.continue();
      });
      await write(page);
      await page.keyboard.type('Hear: ');
      await paste(page, { picture: point });
      await soon(() => box(page).textContent()).toContain('![seen from below.png](');
      await page.getByRole('button', { name: 'Preview' }).click();
      const composer = page.locator('[data-composer]');
      const shown = composer.getByRole('img', { name: 'seen from below.png' });
      await shown.waitFor({ state: 'attached' });
      come.resolve();
      await soon(() => shown.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(1);
      await composer.getByRole('button', { name: 'Send' }).last().click();
      await timelineOf(page).getByText('Hear:').waitFor();
      await write(page);
      expect(await box(page).textContent()).not.toContain('Hear');
      await page.route('**/rendered_texts', (route) => route.abort());
      await page.keyboard.type('And now?');
      await page.getByRole('button', { name: 'Preview' }).click();
      await composer.getByText('The server cannot be reached').waitFor();
      await page.getByRole('button', { name: 'Write' }).click();
      await soon(() => box(page).textContent()).toBe('And now?');
    },
  );

  test('P7.12 a picture pasted into the description is stored with it', async () => {
    const id = await create('The glass is dull');
    const page = await open(id);
    await page.getByRole('button', { name: 'Edit How to see it' }).first().click();
    await page.locator('.cm-content[aria-label="How to see it"]').waitFor();
    await page.getByRole('textbox', { name: 'How to see it' }).focus();
    await paste(page, { picture: point });
    await soon(() => page.getByRole('textbox', { name: 'How to see it' }).textContent()).toContain('![');
    await page.getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await storedFiles(id)).length).toBe(1);
    await soon(() => page.getByRole('img', { name: 'seen from below.png' }).count()).toBe(1);
    expect((await site.admin.get(`/artifacts/${id}/changesets`)).body).toHaveLength(2);
  });

  thoroughTest(
    'P7.13 an upload of 50 MB that is cut by a restart of the server goes on and is whole',
    async () => {
      const id = await create('The log is long');
      const bytes = randomBytes(50 * 1_048_576);
      const path = join(mkdtempSync(join(tmpdir(), 'atelier-upload-')), 'long.bin');
      writeFileSync(path, bytes);
      const page = await open(id, 'ada', { expecting: [/net::ERR|Failed to load resource/] });
      const protocol = await page.context().newCDPSession(page);
      await protocol.send('Network.enable');
      const throttle = (uploadThroughput: number) =>
        protocol.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput,
        });
      await throttle(8 * 1_048_576);
      await page.getByLabel('Add or drop files', { exact: true }).last().setInputFiles(path);
      const percent = async () => Number.parseInt((await page.getByText(/^\d+ %$/).textContent()) ?? '', 10);
      await soon(percent).toBeGreaterThan(30);
      await site.stopServer();
      await site.startServer();
      await throttle(-1);
      await soon(async () => (await storedFiles(id)).map(({ size }: { size: number }) => size)).toEqual([
        bytes.length,
      ]);
      const [{ html_url: address }] = await storedFiles(id);
      const answer = await page.context().request.get(site.url + address);
      const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');
      expect(digest(await answer.body())).toBe(digest(bytes));
    },
    120_000,
  );

  thoroughTest(
    'whoever leaves while a file is on its way is asked first, and a file that is refused says why',
    async () => {
      const id = await create('The film is long');
      const page = await open(id);
      const chooser = page.getByLabel('Add or drop files', { exact: true }).last();
      const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('light') });
      await page.route('**/tracker_fields/*/files', (route) =>
        route.fulfill({
          status: 400,
          json: { error: { code: 400, message: 'Bad Request: No more files today.' } },
        }),
      );
      await chooser.setInputFiles(file('refused.txt'));
      await page.getByText('No more files today.', { exact: true }).waitFor();
      await page.unroute('**/tracker_fields/*/files');
      const { promise: going, resolve: go } = Promise.withResolvers<void>();
      const { promise: sent, resolve: isSent } = Promise.withResolvers<void>();
      await page.route('**/uploads/**', async (route) => {
        if (route.request().method() === 'PATCH') {
          isSent();
          await going;
        }
        await route.continue();
      });
      // Browsers ask those alone who have done something on the page.
      await page.getByRole('heading', { level: 2 }).first().click();
      await chooser.setInputFiles(file('slow.txt'));
      await sent;
      const asked = page.waitForEvent('dialog');
      const closing = page.close({ runBeforeUnload: true });
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
      await closing;
      go();
      await soon(async () => (await storedFiles(id)).map(({ name }: { name: string }) => name)).toEqual([
        'slow.txt',
      ]);
    },
  );

  thoroughTest('files are looked at one after the other, by arrows too', async () => {
    const id = await create('The chart is torn');
    const page = await open(id);
    const give = page.getByLabel('Add or drop files', { exact: true }).last();
    await give.setInputFiles([
      { name: 'one.png', mimeType: 'image/png', buffer: Buffer.from(point, 'base64') },
    ]);
    await page.getByRole('button', { name: 'Look at one.png' }).waitFor();
    await give.setInputFiles([{ name: 'two.log', mimeType: 'text/plain', buffer: Buffer.from('A line') }]);
    await page.getByRole('button', { name: 'Look at two.log' }).waitFor();
    await soon(async () => (await storedFiles(id)).length).toBe(2);
    await page.getByRole('button', { name: 'Look at one.png' }).click();
    await page.getByRole('dialog', { name: 'one.png' }).getByText('1 of 2').waitFor();
    await page.keyboard.press('ArrowRight');
    const second = page.getByRole('dialog', { name: 'two.log' });
    await soon(() => second.getByRole('textbox', { name: 'two.log' }).inputValue()).toBe('A line');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await second.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Shown: All' }).click();
    await page.getByRole('menuitem', { name: 'Files' }).click();
    await timelineOf(page).getByText('created this').waitFor({ state: 'detached' });
    await timelineOf(page).getByText('two.log').waitFor();
  });

  thoroughTest(
    'a file that is removed comes back by Undo, and other changes do not wait for it',
    async () => {
      const id = await create('The lantern is blown out');
      const page = await open(id);
      const give = page.getByLabel('Add or drop files', { exact: true }).last();
      await give.setInputFiles([{ name: 'wick.log', mimeType: 'text/plain', buffer: Buffer.from('Burnt') }]);
      const shown = page.getByRole('button', { name: 'Look at wick.log' });
      await shown.waitFor();
      await soon(async () => (await storedFiles(id)).length).toBe(1);
      const remove = async () => {
        await shown.hover();
        await page.getByRole('button', { name: 'Remove wick.log' }).click();
        await shown.waitFor({ state: 'detached' });
      };
      await remove();
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await shown.waitFor();
      expect(await storedFiles(id)).toHaveLength(1);
      await remove();
      await write(page);
      await page.keyboard.type('The wick is burnt');
      await page.keyboard.press('Control+Enter');
      await soon(
        async () => (await site.admin.get(`/artifacts/${id}/changesets?fields=comments`)).body.length,
      ).toBe(1);
      // What was not taken back is stored.
      await soon(async () => (await storedFiles(id)).length).toBe(0);
    },
  );

  test('P7.1 a file is described where it stands, by keys alone, and the timeline and Undo know what it said', async () => {
    const lamp = await site.as('bruno').post('/artifact_temporary_files', {
      ...{ name: 'lamp.png', mimetype: 'image/png', content: point, description: 'A lamp' },
    });
    const id = await create('The lamp smokes', [{ field_id: fields.files, value: [lamp.body.id] }]);
    const page = await open(id);
    const described = async () =>
      (await storedFiles(id)).map((file: { description: string }) => file.description);
    const pencil = page.getByRole('button', { name: 'Describe lamp.png' });
    const isSeen = () => pencil.evaluate((button) => getComputedStyle(button).opacity === '1');
    await page.getByText(/^A lamp · /).waitFor();
    expect(await isSeen()).toBe(false);
    await page.getByRole('button', { name: 'Look at lamp.png' }).hover();
    await soon(isSeen).toBe(true);
    await page.mouse.move(0, 0);
    await pencil.focus();
    await soon(isSeen).toBe(true);
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog', { name: 'lamp.png' });
    const text = viewer.getByRole('textbox', { name: 'Description of lamp.png' });
    await soon(() => text.inputValue()).toBe('A lamp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type(' that smokes');
    await page.keyboard.press('Enter');
    await viewer.getByRole('button', { name: 'Describe lamp.png' }).getByText('A lamp that smokes').waitFor();
    await soon(described).toEqual(['A lamp that smokes']);
    await expectAccessible(page);
    // Escape leaves what is typed, and the viewer stays.
    await page.keyboard.press('Enter');
    await text.fill('Something else');
    await page.keyboard.press('Escape');
    await text.waitFor({ state: 'detached' });
    await viewer.waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await timelineOf(page).getByText('described').waitFor();
    await soon(() => timelineOf(page).getByRole('listitem').last().innerText()).toMatch(
      /described\s+lamp\.png\s+A lamp\s+A lamp that smokes/,
    );
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await soon(described).toEqual(['A lamp']);
  });

  test('P7.8 descriptions of two files that two people write at once are both kept', async () => {
    const send = async (name: string) =>
      (
        await site.as('bruno').post('/artifact_temporary_files', {
          ...{ name, mimetype: 'image/png', content: point },
        })
      ).body.id;
    const [one, two] = [await send('one.png'), await send('two.png')];
    const id = await create('The wick is short', [{ field_id: fields.files, value: [one, two] }]);
    const page = await open(id);
    await page.getByRole('button', { name: 'Describe two.png' }).waitFor();
    // Nobody tells the page of what somebody else writes.
    await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.reload();
    await page.getByRole('button', { name: 'Describe two.png' }).waitFor();
    const theirs = [{ field_id: fields.files, describe_files: [{ id: one, description: 'Theirs' }] }];
    expect((await site.as('bruno').put(`/artifacts/${id}`, { values: theirs })).status).toBe(200);
    await page.getByRole('button', { name: 'Describe two.png' }).click();
    await page.getByRole('textbox', { name: 'Description of two.png' }).fill('Mine');
    await page.keyboard.press('Enter');
    await soon(async () =>
      (await storedFiles(id)).map((file: { description: string }) => file.description),
    ).toEqual(['Theirs', 'Mine']);
  });

  thoroughTest(
    'a change that names a file which is not there is refused with the words of the server, and nothing is said to be gone',
    async () => {
      const id = await create('The oil is low');
      const page = await open(id);
      await page.route(`**/api/artifacts/${id}`, (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({
              status: 404,
              json: { error: { code: 404, message: 'Not Found: File #731 not found' } },
            })
          : route.fallback(),
      );
      await page.getByRole('button', { name: 'The oil is low' }).click();
      await page.getByRole('textbox', { name: 'Edit the title' }).fill('The oil is high');
      await page.keyboard.press('Enter');
      await page.getByText('File #731 not found').first().waitFor();
      await page.getByRole('button', { name: 'Edit again' }).click();
      await soon(() => page.getByRole('textbox', { name: 'Edit the title' }).inputValue()).toBe(
        'The oil is high',
      );
    },
  );

  test('P7.14 a private comment is seen by its groups, and by nobody else in timeline or search', async () => {
    await site.admin.patch(`/trackers/${bugs}`, { has_private_comments: true });
    const id = await create('The key is lost');
    const page = await open(id, 'ada');
    await write(page);
    await page.keyboard.type('The spare key hangs under the pelican');
    await page.getByRole('button', { name: 'Only for' }).click();
    await page.getByRole('option', { name: 'Project administrators' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Send/ }).last().click();
    await timelineOf(page).getByText('only Project administrators').waitFor();
    const other = await open(id, 'bruno');
    await timelineOf(other).getByText('created this').waitFor();
    expect(await timelineOf(other).textContent()).not.toContain('pelican');
    const found = await site.as('bruno').get('/quick_search?words=pelican');
    expect(JSON.stringify(found.body)).not.toContain('key is lost');
  });

  thoroughTest(
    'a private comment stays private when its page is opened again, and is stored once where its answer was lost',
    async () => {
      await site.admin.patch(`/trackers/${bugs}`, { has_private_comments: true });
      const id = await create('The safe is open');
      const page = await open(id, 'ada', { expecting: [/net::ERR_/, /Failed to fetch/] });
      await write(page);
      await page.keyboard.type('The number is on the door');
      await page.getByRole('button', { name: 'Only for' }).click();
      await page.getByRole('option', { name: 'Project administrators' }).click();
      await page.keyboard.press('Escape');
      await page.reload();
      await soon(() => box(page).innerText()).toContain('The number is on the door');
      await soon(() => page.getByRole('button', { name: 'Only for' }).textContent()).toContain(
        'Project administrators',
      );
      // It is stored, and the line breaks before anybody hears of it.
      await page.route(
        '**/comments',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      const send = page.getByRole('button', { name: /^Send/ }).last();
      await send.click();
      await page.getByText('The server cannot be reached').first().waitFor();
      await send.click();
      await timelineOf(page).getByText('only Project administrators').waitFor();
      await soon(() => box(page).innerText()).not.toContain('The number');
      const { body } = await site.admin.get(`/artifacts/${id}/timeline?kinds=comments`);
      expect(body).toHaveLength(1);
    },
  );

  thoroughTest(
    'two tabs write a comment each: what is sent in one leaves the other one its draft',
    async () => {
      const id = await create('The lamp has two keepers');
      const page = await open(id, 'ada');
      await write(page);
      await page.keyboard.type('Written first');
      const second = await page.context().newPage();
      await second.goto(`${site.url}/artifacts/${id}`);
      await write(second);
      await second.keyboard.press('Control+A');
      await second.keyboard.type('Written second');
      await page.bringToFront();
      await write(page);
      await page.keyboard.press('Control+Enter');
      await timelineOf(page).getByText('Written first').waitFor();
      await second.reload();
      await soon(() => box(second).innerText()).toContain('Written second');
      await second.close();
    },
  );

  test('P7.15 an edited comment says so, and shows its author what it was', async () => {
    const id = await create('The paint is wet');
    await comment(id, 'It is blue', 'ada');
    const page = await open(id, 'ada');
    await timelineOf(page).getByRole('button', { name: 'Actions on this comment' }).click();
    await page.getByRole('menuitem', { name: 'Edit the comment' }).click();
    await page.locator('.cm-content[aria-label="Edit the comment"]').waitFor();
    const editor = page.getByRole('textbox', { name: 'Edit the comment' });
    await editor.fill('It is green');
    await page.keyboard.press('Control+Enter');
    await timelineOf(page).getByRole('button', { name: '(edited)' }).click();
    const versions = page.getByRole('dialog', { name: 'Earlier versions' });
    await versions.getByText('It is blue').waitFor();
    await versions.getByText('It is green').waitFor();
    const other = await open(id, 'bruno');
    await timelineOf(other).getByText('(edited)').waitFor();
    expect(await timelineOf(other).getByRole('button', { name: '(edited)' }).count()).toBe(0);
  });

  thoroughTest(
    'a comment that is edited has a draft, and keeps what somebody else made of it meanwhile',
    async () => {
      const id = await create('The stairs creak');
      await comment(id, 'First line.\n\nSecond line.', 'ada');
      const page = await open(id, 'ada');
      const edit = async () => {
        await timelineOf(page).getByRole('button', { name: 'Actions on this comment' }).click();
        await page.getByRole('menuitem', { name: 'Edit the comment' }).click();
        await page.locator('.cm-content[aria-label="Edit the comment"]').waitFor();
      };
      const editor = page.getByRole('textbox', { name: 'Edit the comment' });
      await edit();
      await editor.fill('First line, mine.\n\nSecond line.');
      await timelineOf(page)
        .getByText(/^Draft kept/)
        .waitFor();
      await page.reload();
      await edit();
      await soon(() => editor.innerText()).toContain('First line, mine.');
      const [, { id: changeset }] = (await site.admin.get(`/artifacts/${id}/changesets`)).body;
      const put = await site.as('ada').put(`/artifacts/${id}/changesets/${changeset}/comment`, {
        body: 'First line.\n\nSecond line, from elsewhere.',
        format: 'commonmark',
      });
      expect(put.status, put.text).toBe(200);
      await timelineOf(page).getByText('(edited)').waitFor();
      await page.keyboard.press('Control+Enter');
      await timelineOf(page).getByText('Second line, from elsewhere.').waitFor();
      await timelineOf(page).getByText('First line, mine.').waitFor();
      await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
        'Actions on this comment',
      );
    },
  );

  thoroughTest('a comment is quoted, its address copied, and it is deleted', async () => {
    const wide = (cell: string) => `|${` ${cell} |`.repeat(30)}`;
    const content = `- \u05e8\u05d0\u05e9\u05d5\u05df\n\n${wide('a')}\n${wide('---')}\n${wide('lantern')}`;
    const text = { field_id: fields.description, value: { content, format: 'commonmark' } };
    const id = await create('\u05e4\u05e2\u05de\u05d5\u05df (bell)!', [text]);
    await comment(id, 'Only **at night**', 'ada');
    const page = await open(id, 'ada');
    // Writing that begins at the right has its marks there, and the words of a wide table stay whole.
    const styleOf = (place: Locator, name: 'direction' | 'unicodeBidi') =>
      place.evaluate((element, key) => getComputedStyle(element)[key], name);
    const bell = page.getByRole('heading', { level: 1 }).getByRole('button');
    expect(await styleOf(bell, 'unicodeBidi')).toBe('plaintext');
    const main = page.getByRole('main');
    const item = main.getByRole('listitem').filter({ hasText: '\u05e8\u05d0\u05e9\u05d5\u05df' });
    expect(await styleOf(item, 'direction')).toBe('rtl');
    const cell = await main.getByRole('cell', { name: 'lantern' }).first().boundingBox();
    expect(cell?.height).toBeLessThan(40);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const act = async (name: string) => {
      await timelineOf(page).getByRole('button', { name: 'Actions on this comment' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Copy the address');
    await soon(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`/artifacts/${id}#change-\\d+$`),
    );
    await act('Quote');
    await soon(() => box(page).textContent()).toContain('> Only **at night**');
    await act('Delete the comment');
    await soon(async () => (await site.admin.get(`/artifacts/${id}/timeline`)).body.length).toBe(1);
    await timelineOf(page).locator('strong', { hasText: 'at night' }).waitFor({ state: 'detached' });
    await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    await page.getByRole('button', { name: 'Undo' }).click();
    await timelineOf(page).locator('strong', { hasText: 'at night' }).waitFor();
  });

  thoroughTest(
    'the editor completes people, artifacts and signs, and takes cells of a spreadsheet',
    async () => {
      const known = await create('The pelican nests in the lantern');
      const id = await create('The gull is jealous');
      const page = await open(id);
      await write(page);
      const typed = () => box(page).innerText();
      await page.keyboard.type('@bru');
      const bruno = page.getByRole('option', { name: /Bruno/ });
      await bruno.waitFor();
      // What is pressed while the list is asked for anew is taken from the new one.
      const found = Promise.withResolvers<void>();
      await page.route('**/api/projects/*/people?*', (route) => found.promise.then(() => route.continue()));
      await page.keyboard.type('n');
      await bruno.click();
      expect(await typed()).toContain('@brun');
      expect(await typed()).not.toContain('@bruno');
      found.resolve();
      await soon(typed).toContain('@bruno');
      await page.keyboard.type('#pelican nests');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type('#lantern');
      await page.getByRole('option', { name: new RegExp(`#${known}`) }).click();
      await soon(typed).toContain(`bug #${known}`);
      await page.keyboard.type(':rock');
      await page.getByRole('option', { name: /rocket/ }).click();
      await soon(typed).toContain('🚀');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await paste(page, { text: 'Lamp\tHours\nNorth\t12\nSouth\t9' });
      await soon(typed).toContain('| North | 12 |');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('cell', { name: 'North' }).waitFor();
      await page.getByRole('button', { name: 'Write' }).click();
      await page.getByRole('button', { name: 'Full screen', exact: true }).click();
      await page.getByRole('button', { name: 'Leave full screen' }).click();
    },
  );

  test('P7.11 a comment with @bruno and a reference has links, and the other artifact shows it', async () => {
    const named = await create('The wick is short');
    const id = await create('The oil is thin');
    const page = await open(id);
    await write(page);
    await page.keyboard.type(`@bruno see bug #${named} please`);
    await page.keyboard.press('Control+Enter');
    await timelineOf(page).getByRole('link', { name: '@bruno' }).waitFor();
    await timelineOf(page)
      .getByRole('link', { name: `bug #${named}` })
      .waitFor();
    const { body } = await site.as('bruno').get(`/artifacts/${id}/watching`);
    expect(body.is_watching).toBe(true);
    const other = await open(named, 'bruno');
    await timelineOf(other)
      .getByRole('link', { name: `bug #${id}` })
      .waitFor();
  });

  test('P7.17 of 500 changes the newest 30 are there at once, the others on scroll, and #change opens one', async () => {
    const id = await create('The counter counts');
    const ids: number[] = [];
    for (let count = 1; count <= 500; count += 1) {
      const { body } = await comment(id, `Number ${count}.`);
      ids.push(body.id);
    }
    const asked: string[] = [];
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    page.on('request', (request) => {
      if (request.url().includes(`/artifacts/${id}/timeline`)) asked.push(request.url());
    });
    await page.goto(`${site.url}/artifacts/${id}`);
    const shown = timelineOf(page)
      .getByRole('listitem')
      .filter({ hasText: /Number \d+\./ });
    await soon(() => shown.count()).toBe(30);
    await shown.last().getByText('Number 500.').waitFor();
    expect(asked).toHaveLength(1);
    await page.getByRole('button', { name: 'Show 471 more' }).hover();
    // There and back: a browser that is busy takes two turns of the wheel for one, which may lead nowhere.
    let turn = 50;
    await soon(async () => {
      turn = -turn;
      await page.mouse.wheel(0, turn);
      return shown.count();
    }).toBeGreaterThan(30);
    await page.getByRole('button', { name: 'Jump to the first' }).click();
    await soon(() => shown.count()).toBe(500);
    await timelineOf(page).getByText('created this').waitFor();

    const far = await open(id, 'ada', { hash: `#change-${ids[99]}` });
    const marked = timelineOf(far).locator('[aria-current=true]');
    await marked.getByText('Number 100.').waitFor();
    await soon(() => marked.evaluate((entry) => entry.getBoundingClientRect().top)).toBeLessThan(800);
  }, 180_000);

  thoroughTest('what others did since one looked stands below a line', async () => {
    const id = await create('The tide turns');
    const page = await open(id);
    await timelineOf(page).getByText('created this').waitFor();
    expect(await timelineOf(page).getByText('New since you looked').count()).toBe(0);
    await page.goto(`${site.url}/help`);
    await comment(id, 'It turned');
    await page.goto(`${site.url}/artifacts/${id}`);
    await timelineOf(page).getByText('New since you looked').waitFor();
    const said = await timelineOf(page).getByRole('listitem').allTextContents();
    const line = said.findIndex((text) => text.includes('New since'));
    expect(said[line + 1]).toContain('It turned');
  });
});
