import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../server/test/fixtures/project.ts';
import { addField, createTracker, setSemantics } from '../../server/test/fixtures/tracker.ts';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

const today = new Date();
/** A day of this month, as the server writes it. */
const dayOf = (date: number) =>
  `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, '0')}-${String(date).padStart(2, '0')}`;

describe.skipIf(lacksBrowser)('calendar and timeline', () => {
  let site: Site;
  let project: number;
  let tracker: number;
  const ids: Record<string, number> = {};
  const fields: Record<string, number> = {};

  const create = async (title: string, start?: string, end?: string, more: object[] = []) => {
    const values = [
      { field_id: fields['title'], value: title },
      ...(start === undefined ? [] : [{ field_id: fields['start'], value: start }]),
      ...(end === undefined ? [] : [{ field_id: fields['end'], value: end }]),
      ...more,
    ];
    const { status, body, text } = await site.admin.post('/artifacts', { tracker: { id: tracker }, values });
    expect(status, text).toBe(201);
    ids[title] = body.id;
    return body.id;
  };
  /** The days of an artifact as they are stored. */
  const storedDays = async (title: string) => {
    const { body } = await site.admin.get(
      `/trackers/${tracker}/artifact_rows?columns=start,end&query=${encodeURIComponent(JSON.stringify({ title }))}`,
    );
    const { start, end } = body.rows[0].cells;
    return [start.value?.slice(0, 10) ?? null, end.value?.slice(0, 10) ?? null];
  };

  beforeAll(async () => {
    site = await startSite();
    project = (await createProject(site.admin, 'days')).id;
    tracker = (await createTracker(site.admin, project, { item_name: 'days', label: 'Days' })).id;
    for (const [name, type] of [
      ['title', 'string'],
      ['start', 'date'],
      ['end', 'date'],
      ['links', 'art_link'],
    ] as const)
      fields[name] = (await addField(site.admin, tracker, { type, name, label: name })).field_id;
    await setSemantics(site.admin, tracker, {
      title: { field_id: fields['title'] },
      timeframe: { start_date_field_id: fields['start'], end_date_field_id: fields['end'] },
    });
    await create('Paint', dayOf(10), dayOf(12));
    await create('Dry', dayOf(11), dayOf(14), [
      { field_id: fields['links'], links: [{ id: ids['Paint'], type: 'custom' }] },
    ]);
    await create('Sweep');
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const bar = (page: Page, title: string) =>
    page.getByRole('button', { name: new RegExp(`^days #\\d+ ${title},`) }).first();
  const open = async (view: string, more = {}) => {
    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker}?view=${view}`, ...more });
    // Where the visitor is it may be another month already, or still.
    const month = await page.evaluate(() => new Date().getFullYear() * 12 + new Date().getMonth());
    const ahead = month - (today.getFullYear() * 12 + today.getMonth());
    if (ahead !== 0 && view === 'calendar')
      await page.getByRole('button', { name: ahead > 0 ? 'Before' : 'After' }).click();
    await bar(page, 'Paint').waitFor();
    return page;
  };
  const middleOf = async (place: Locator) => {
    const box = await place.boundingBox();
    if (box === null) throw new Error('It is not seen.');
    return { x: box.x + Math.min(box.width / 2, 30), y: box.y + box.height / 2, right: box.x + box.width };
  };
  const drag = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 6, from.y, { steps: 2 });
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await page.mouse.up();
  };
  const cell = (page: Page, date: number) =>
    page.locator('[data-day]').filter({ has: page.locator(`time[datetime="${dayOf(date)}"]`) });

  test.each(['Europe/Paris', 'America/Los_Angeles', 'Pacific/Auckland'])(
    'P6.12 a bar that is dragged to another day is on exactly that day, also in %s',
    async (zone) => {
      const title = `Moved in ${zone.split('/')[1]}`;
      await create(title, dayOf(18), dayOf(19));
      const page = await open('calendar', { zone });
      const from = await middleOf(bar(page, title));
      const target = await middleOf(cell(page, 21));
      const there = await middleOf(cell(page, 18));
      await drag(page, from, { x: from.x + target.x - there.x, y: from.y + target.y - there.y });
      await soon(() => storedDays(title)).toEqual([dayOf(21), dayOf(22)]);
    },
  );

  thoroughTest('the calendar of a phone shows how the titles of single days begin', async () => {
    await create('Scrub the deck', dayOf(15), dayOf(15));
    const page = await site.visit({ as: 'admin', path: `/trackers/${tracker}?view=calendar`, width: 360 });
    const bar = page.getByRole('button', { name: /Scrub the deck/ });
    await bar.waitFor();
    const room = () => bar.getByText('Scrub the deck').evaluate((title) => title.clientWidth);
    await soon(room).toBeGreaterThan(30);
  });

  thoroughTest('by keyboard a bar moves by a day, and its end alone, and says where it is', async () => {
    await create('Glaze', dayOf(5), dayOf(6));
    const page = await open('calendar');
    await bar(page, 'Glaze').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await soon(() => storedDays('Glaze')).toEqual([dayOf(6), dayOf(7)]);
    await page.getByRole('status').filter({ hasText: 'Glaze' }).waitFor();
    await bar(page, 'Glaze').focus();
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await soon(() => storedDays('Glaze')).toEqual([dayOf(6), dayOf(8)]);
  });

  thoroughTest('what has no day waits beside the calendar, and gets one by a drag or by d', async () => {
    const page = await open('calendar');
    const tray = page.getByRole('region', { name: 'No dates' });
    const card = tray.getByRole('button', { name: 'Sweep' });
    await drag(page, await middleOf(card), await middleOf(cell(page, 15)));
    await soon(() => storedDays('Sweep')).toEqual([dayOf(15), dayOf(15)]);
    await bar(page, 'Sweep').waitFor();
    await create('Dust');
    await page.reload();
    await tray.getByRole('button', { name: 'Dust' }).press('d');
    await soon(async () => (await storedDays('Dust')).includes(null)).toBe(false);
  });

  thoroughTest('the calendar is by another date, a week, or a list, as one wishes', async () => {
    const page = await open('calendar');
    await page.getByRole('button', { name: /^By Start and end/ }).click();
    await page.getByRole('menuitem', { name: 'end', exact: true }).click();
    await soon(() => new URL(page.url()).searchParams.get('set')).toContain('end');
    await bar(page, 'Paint').waitFor();
    await page.getByRole('radio', { name: 'Agenda' }).click();
    await page.getByRole('button', { name: /Paint/ }).first().waitFor();
    await page.getByRole('button', { name: 'After' }).click();
    await page.getByText('Nothing in this month').waitFor();
    // A way on from there (15.3).
    await page.getByRole('button', { name: 'Look at the month before' }).click();
    await page.getByRole('button', { name: /Paint/ }).first().waitFor();
  });

  test('P6.13 on the timeline the edge of a bar moves its end only, and the bar both', async () => {
    await create('Varnish', dayOf(12), dayOf(13));
    const page = await open('timeline');
    const { right, y } = await middleOf(bar(page, 'Varnish'));
    // A day is 20 pixels wide.
    await drag(page, { x: right - 3, y }, { x: right - 3 + 40, y });
    await soon(() => storedDays('Varnish')).toEqual([dayOf(12), dayOf(15)]);
    const middle = await middleOf(bar(page, 'Varnish'));
    await drag(page, middle, { x: middle.x - 60, y: middle.y });
    await soon(() => storedDays('Varnish')).toEqual([dayOf(9), dayOf(12)]);
  });

  test('P6.14 of very many bars only those are drawn that are seen', async () => {
    const many = (await createTracker(site.admin, project, { item_name: 'many', label: 'Many' })).id;
    const own: Record<string, number> = {};
    for (const [name, type] of [
      ['title', 'string'],
      ['start', 'date'],
      ['end', 'date'],
    ] as const)
      own[name] = (await addField(site.admin, many, { type, name, label: name })).field_id;
    await setSemantics(site.admin, many, {
      title: { field_id: own['title'] },
      timeframe: { start_date_field_id: own['start'], end_date_field_id: own['end'] },
    });
    const csv = [
      'title,start,end',
      ...Array.from({ length: 1000 }, (_, at) => `Bar ${at},${dayOf(1 + (at % 20))},${dayOf(3 + (at % 20))}`),
    ];
    const { status, text } = await site.admin.post(`/trackers/${many}/artifacts_import`, {
      csv: csv.join('\n'),
    });
    expect(status, text).toBeLessThan(300);
    const page = await site.visit({ as: 'admin', path: `/trackers/${many}?view=timeline` });
    await page.getByRole('button', { name: /Bar 0,/ }).waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(100);
    await page.getByText('1,000 artifacts').or(page.getByText('1 000 artifacts')).first().waitFor();
  });

  test('P6.18 without a timeframe the timeline says what it needs', async () => {
    const bare = await createTracker(site.admin, project, { item_name: 'bare', label: 'Bare' });
    const page = await site.visit({ as: 'admin', path: `/trackers/${bare.id}?view=timeline` });
    await page.getByText('A timeline needs a timeframe').waitFor();
    await page.goto(`${site.url}/trackers/${bare.id}?view=calendar`);
    await page.getByText('There are no days here').waitFor();
  });

  thoroughTest.each(['calendar', 'timeline'])(
    'the %s is the same for those who do not see it',
    async (view) => {
      await expectAccessibleEverywhere(await open(view));
    },
  );
});
