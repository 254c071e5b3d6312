import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo project. */
const bugs = 5;

describe.skipIf(lacksBrowser)('what others do', () => {
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
  /** Waits until the stream is about something. */
  const listensTo = (page: Page, topic: string) =>
    page.waitForResponse((response) => {
      const address = decodeURIComponent(response.url());
      return address.includes('/api/events?') && address.includes(topic);
    });
  const fieldOf = async (name: string) => {
    const { body } = await site.admin.get(`/trackers/${bugs}`);
    return body.fields.find((field: { name: string }) => field.name === name);
  };
  const rows = async (query: string) =>
    (await site.admin.get(`/trackers/${bugs}/artifact_rows?${query}`)).body.rows;
  const store = async (id: number, fieldId: number, value: unknown) => {
    const { status, text } = await site.as('ada').put(`/artifacts/${id}`, {
      values: [{ field_id: fieldId, value }],
    });
    expect(status, text).toBe(200);
  };

  test('P5.12 somebody else edits a row: its value is seen, and the row under the pointer does not move', async () => {
    const summary = await fieldOf('summary');
    const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}?sort=summary` });
    await listensTo(page, `trackers/${bugs}`);
    await grid(page).getByRole('link').first().waitFor();
    const [first, second] = await rows('limit=2&sort=summary');
    await rowOf(page, second.id).hover();
    const before = await rowOf(page, second.id).boundingBox();
    // It would be the last of all now.
    await store(first.id, summary.field_id, 'Zzz, said the sleeping keeper');
    await soon(() => rowOf(page, first.id).textContent()).toContain('Zzz, said');
    expect(await rowOf(page, second.id).boundingBox()).toEqual(before);
    const waiting = page.getByRole('button', { name: /show$/ });
    await waiting.waitFor();
    await page.mouse.move(2, 2);
    await soon(() => waiting.count()).toBe(0);
    await soon(async () => (await rowOf(page, second.id).boundingBox())?.y).toBeLessThan(before?.y ?? 0);
    await store(first.id, summary.field_id, first.title);
  });

  test('P5.12 a new artifact comes into the rows, and is counted beside its tracker', async () => {
    const summary = await fieldOf('summary');
    const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}?sort=-id` });
    await listensTo(page, `trackers/${bugs}`);
    await grid(page).getByRole('link').first().waitFor();
    await page.mouse.move(2, 2);
    const { body, status, text } = await site.as('ada').post('/artifacts', {
      tracker: { id: bugs },
      values: [{ field_id: summary.field_id, value: 'Seen by everybody at once' }],
    });
    expect(status, text).toBe(201);
    await rowOf(page, body.id).waitFor();
  });

  thoroughTest('the stream goes on when another page shows the same tracker', async () => {
    const summary = await fieldOf('summary');
    const [row] = await rows('limit=1&sort=id');
    const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}?sort=id&open=${row.id}` });
    await listensTo(page, `trackers/${bugs}`);
    await store(row.id, summary.field_id, 'Heard beside the table');
    await soon(() => rowOf(page, row.id).textContent()).toContain('Heard beside the table');
    let streams = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/events?')) streams += 1;
    });
    // When nothing else is to be done: after a stream would have been asked for.
    const rest = () => page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    await page.getByRole('button', { name: 'Open as a page' }).click();
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Heard beside the table' }).waitFor();
    await rest();
    await page.goBack();
    await rowOf(page, row.id).waitFor();
    await rest();
    await store(row.id, summary.field_id, 'Heard after other pages');
    await soon(() => rowOf(page, row.id).textContent()).toContain('Heard after other pages');
    expect(streams).toBe(0);
    await store(row.id, summary.field_id, row.title);
  });

  thoroughTest(
    'what others change appears on the page of an artifact, and a field under edit says so',
    async () => {
      const summary = await fieldOf('summary');
      const [row] = await rows('limit=1&sort=id');
      const page = await site.visit({ as: 'admin', path: `/artifacts/${row.id}` });
      await listensTo(page, `trackers/${bugs}`);
      const title = page.getByRole('heading', { level: 1 });
      await soon(() => title.textContent()).toContain(row.title);
      await store(row.id, summary.field_id, 'Renamed by somebody else');
      await soon(() => title.textContent()).toContain('Renamed by somebody else');
      await site.as('ada').put(`/artifacts/${row.id}`, {
        values: [],
        comment: { body: 'Said from elsewhere', format: 'text' },
      });
      await page.getByText('Said from elsewhere').first().waitFor();
      await store(row.id, summary.field_id, row.title);
    },
  );

  thoroughTest(
    'a second tab is told of what happened after it had read, and before it listened',
    async () => {
      const summary = await fieldOf('summary');
      const [row] = await rows('limit=1&sort=id');
      const first = await site.visit({ as: 'admin', path: `/trackers/${bugs}?sort=id` });
      await listensTo(first, `trackers/${bugs}`);
      await rowOf(first, row.id).waitFor();
      const second = await first.context().newPage();
      // As on a busy machine: what the tab says and hears waits until it is let go.
      await second.addInitScript(() => {
        const Channel = window.BroadcastChannel;
        const held: (() => void)[] = [];
        let isHeld = true;
        Object.assign(window, {
          letGo: () => {
            isHeld = false;
            for (const say of held) say();
          },
        });
        window.BroadcastChannel = class extends Channel {
          override postMessage(message: unknown): void {
            if (isHeld) held.push(() => super.postMessage(message));
            else super.postMessage(message);
          }
          override set onmessage(listener: ((event: MessageEvent) => void) | null) {
            super.onmessage = (event) => (isHeld ? undefined : listener?.(event));
          }
        };
      });
      await second.goto(`${site.url}/artifacts/${row.id}`);
      const title = second.getByRole('heading', { level: 1 });
      await soon(() => title.textContent()).toContain(row.title);
      await store(row.id, summary.field_id, 'Changed while nobody listened');
      await soon(() => rowOf(first, row.id).textContent()).toContain('Changed while nobody listened');
      expect(await title.textContent()).toContain(row.title);
      await second.evaluate('letGo()');
      await soon(() => title.textContent()).toContain('Changed while nobody listened');
      await second.close();
      await store(row.id, summary.field_id, row.title);
    },
  );

  test('P7.14 a private comment of others is no event: the page does not even ask', async () => {
    await site.admin.patch(`/trackers/${bugs}/settings`, { has_private_comments: true });
    const [row] = await rows('limit=1&sort=id');
    const page = await site.visit({ as: 'bruno', path: `/artifacts/${row.id}` });
    await listensTo(page, `trackers/${bugs}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(`/artifacts/${row.id}`)) asked.push(request.url());
    });
    const say = (body: string, ugroups: readonly string[]) =>
      site.admin.post(`/artifacts/${row.id}/comments`, { body, format: 'text', ugroups });
    expect((await say('Between administrators', ['101_4'])).status).toBe(201);
    expect(asked).toEqual([]);
    expect((await say('For everybody', [])).status).toBe(201);
    await page.getByText('For everybody').first().waitFor();
    expect(await page.getByText('Between administrators').count()).toBe(0);
  });

  test('P3.3 an artifact that somebody assigns to me appears in my work', async () => {
    const assigned = await fieldOf('assigned_to');
    const summary = await fieldOf('summary');
    const { body: marie } = await site.as('ada').get('/users/self');
    const page = await site.visit({ as: 'ada', path: '/' });
    await listensTo(page, 'user');
    await page.getByRole('tab').first().waitFor();
    const { status, text } = await site.admin.post('/artifacts', {
      tracker: { id: bugs },
      values: [
        { field_id: summary.field_id, value: 'Given to Marie just now' },
        { field_id: assigned.field_id, bind_value_ids: [marie.id] },
      ],
    });
    expect(status, text).toBe(201);
    await page.getByText('Given to Marie just now').first().waitFor();
  });

  test('W-7 two tabs have one stream, and the other takes it over within 3 s', async () => {
    const page = await site.visit({ as: 'admin', path: `/trackers/${bugs}` });
    await listensTo(page, `trackers/${bugs}`);
    const other = await page.context().newPage();
    const streams: string[] = [];
    other.on('request', (request) => {
      if (request.url().includes('/api/events?')) streams.push(request.url());
    });
    await other.goto(`${site.url}/trackers/${bugs}?sort=id`);
    await grid(other).getByRole('link').first().waitFor();
    const summary = await fieldOf('summary');
    const [row] = await rows('limit=1&sort=id');
    await other.mouse.move(2, 2);
    await soon(async () => {
      await store(row.id, summary.field_id, `By the stream of the first ${Math.random()}`);
      return rowOf(other, row.id).textContent();
    }).toContain('By the stream of the first');
    expect(streams).toEqual([]);
    const taken = listensTo(other, `trackers/${bugs}`);
    await page.close();
    await taken;
    await store(row.id, summary.field_id, row.title);
    await soon(() => rowOf(other, row.id).textContent()).toContain(row.title);
  });

  test('P11.6 a session that is ended elsewhere shows the way to sign in', async () => {
    const page = await site.visit({ as: 'ada', path: '/projects' });
    await listensTo(page, 'user');
    const marie = site.as('ada');
    const { body: sessions } = await marie.get('/sessions?limit=50');
    for (const { id } of sessions) expect((await marie.delete(`/sessions/${id}`)).status).toBeLessThan(300);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });
});
