import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addField, createTracker } from '../../server/test/fixtures/tracker.ts';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo project. */
const bugs = 5;
const tasks = 4;

interface Row {
  readonly id: number;
  readonly xref: string;
  readonly title: string;
  readonly cells: Readonly<Record<string, { value: unknown }>>;
}

interface Value {
  readonly id: number;
  readonly label: string;
}

describe.skipIf(lacksBrowser)('the board of a tracker', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const board = (page: Page) => page.getByRole('region', { name: /^Board of/ });
  const column = (page: Page, name: string) => board(page).getByRole('list', { name, exact: true });
  const cardOf = (page: Page, id: number) =>
    board(page)
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`#${id}(?!\\d)`) });
  const cardIn = (page: Page, name: string, id: number) =>
    column(page, name)
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`#${id}(?!\\d)`) });
  const said = (page: Page) => page.getByRole('status').allTextContents();
  const open = async (tracker: number, settings: object = {}, as = 'ada', more = '') => {
    const set =
      Object.keys(settings).length === 0 ? '' : `&set=${encodeURIComponent(JSON.stringify(settings))}`;
    const path = `/trackers/${tracker}?view=board${set}${more}`;
    // So that all columns and lanes are in sight.
    const page = await site.visit({ as, path, width: 1900, height: 1800 });
    await board(page).getByRole('listitem').first().waitFor();
    return page;
  };
  const valuesOf = async (tracker: number, name: string): Promise<readonly Value[]> => {
    const { body } = await site.admin.get(`/trackers/${tracker}`);
    return body.fields.find((field: { name: string }) => field.name === name).values;
  };
  /** Artifacts with a value of the status, in the order of ranks. */
  const rowsIn = async (tracker: number, label: string): Promise<readonly Row[]> => {
    const value = (await valuesOf(tracker, 'status')).find((one) => one.label === label);
    const query = encodeURIComponent(JSON.stringify({ status: [value?.id] }));
    const path = `/trackers/${tracker}/artifact_rows?query=${query}&sort=@rank&limit=500&columns=status,@parent,@comments`;
    return (await site.admin.get(path)).body.rows;
  };
  const idsIn = async (tracker: number, label: string) => (await rowsIn(tracker, label)).map(({ id }) => id);
  const firstIn = async (tracker: number, label: string): Promise<Row> => {
    const [row] = await rowsIn(tracker, label);
    if (row === undefined) throw new Error(`Nothing is ${label}.`);
    return row;
  };

  /** Takes a card by its lower edge, where no link is, and holds it over the beginning of a list. */
  const hold = async (page: Page, id: number, over: { x: number; y: number }) => {
    await cardOf(page, id).scrollIntoViewIfNeeded();
    const from = await cardOf(page, id).boundingBox();
    if (from === null) throw new Error('The card is not seen.');
    await page.mouse.move(from.x + 30, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 36, from.y + from.height / 2 + 6, { steps: 3 });
    await page.mouse.move(over.x, over.y, { steps: 8 });
  };
  const headOf = async (page: Page, name: string) => {
    const heading = board(page).getByRole('heading', { name, exact: true });
    await heading.scrollIntoViewIfNeeded();
    const box = await heading.boundingBox();
    if (box === null) throw new Error('The column is not seen.');
    return { x: box.x + 40, y: box.y + 48 };
  };
  const dragTo = async (page: Page, id: number, name: string) => {
    const target = await headOf(page, name);
    await hold(page, id, target);
    await board(page).getByText(`Move to ${name}`).waitFor();
    await page.mouse.up();
  };

  test('P6.1 columns stand in the order of the values, and their counts are exact', async () => {
    const page = await open(bugs);
    const { body } = await site.admin.get(`/trackers/${bugs}/artifact_counts?by=status`);
    const counted: readonly (Value & { count: number })[] = body.buckets.filter(
      ({ key }: { key: unknown }) => key !== null,
    );
    const headings = board(page).getByRole('heading', { level: 2 });
    const values = await valuesOf(bugs, 'status');
    expect(await headings.allTextContents()).toEqual(values.map(({ label }) => label));
    for (const { label, count } of counted) {
      const head = headings.filter({ hasText: new RegExp(`^${label}$`) }).locator('..');
      await soon(() => head.textContent()).toMatch(new RegExp(`^${label}${count}(\\D|$)`));
      expect(await column(page, label).getByRole('listitem').count()).toBe(Math.min(50, count));
    }
  });

  test('P6.2 a card that is dragged is there at once, stored, in its history, and keeps its rank', async () => {
    const page = await open(tasks);
    const row = await firstIn(tasks, 'To do');
    await dragTo(page, row.id, 'Done');
    await cardIn(page, 'Done', row.id).waitFor();
    await soon(async () => (await idsIn(tasks, 'Done'))[0]).toBe(row.id);
    await page.getByText(`Status of ${row.xref} is now Done`).first().waitFor();
    const { body } = await site.admin.get(`/artifacts/${row.id}/timeline`);
    const changes = body[0].changes.map(({ label }: { label: string }) => label);
    expect(changes).toEqual(['Status']);
    await page.reload();
    await cardIn(page, 'Done', row.id).waitFor();
    expect(await column(page, 'Done').getByRole('listitem').first().textContent()).toContain(`#${row.id}`);
  });

  test('P6.3 only columns that the workflow allows are lit, and the others say why', async () => {
    const page = await open(bugs);
    const row = await firstIn(bugs, 'Confirmed');
    const fixed = await headOf(page, 'Fixed');
    await hold(page, row.id, fixed);
    const reason = 'Not possible for you from Confirmed. Cards reach Fixed through In progress.';
    await board(page).getByText(reason).waitFor();
    const inProgress = await headOf(page, 'In progress');
    await page.mouse.move(inProgress.x, inProgress.y, { steps: 5 });
    await board(page).getByText('Move to In progress').waitFor();
    await page.mouse.move(fixed.x, fixed.y, { steps: 5 });
    await page.mouse.up();
    await soon(async () => (await said(page)).join()).toContain(reason);
    expect(await cardIn(page, 'Confirmed', row.id).count()).toBe(1);
    expect(await idsIn(bugs, 'Confirmed')).toContain(row.id);
  });

  test('P6.4 a step that asks for a comment asks; Escape puts the card back', async () => {
    const page = await open(bugs);
    const row = await firstIn(bugs, 'Confirmed');
    await dragTo(page, row.id, 'Rejected');
    const form = page.getByRole('dialog', { name: /Rejected/ });
    await form.waitFor();
    // Behind the form.
    await page
      .getByRole('list', { name: 'Rejected', exact: true, includeHidden: true })
      .getByRole('listitem', { includeHidden: true })
      .filter({ hasText: new RegExp(`#${row.id}(?!\\d)`) })
      .waitFor();
    await page.keyboard.press('Escape');
    await cardIn(page, 'Confirmed', row.id).waitFor();
    expect(await idsIn(bugs, 'Confirmed')).toContain(row.id);
    await dragTo(page, row.id, 'Rejected');
    await form.getByLabel(/Comment/).fill('Not to be seen again.');
    await form.getByRole('button', { name: 'Change' }).click();
    await soon(() => idsIn(bugs, 'Rejected')).toContain(row.id);
    const { body } = await site.admin.get(`/artifacts/${row.id}/timeline`);
    expect(body[0].comment.body).toContain('Not to be seen again.');
    expect(body[0].changes.map(({ label }: { label: string }) => label)).toContain('Status');
    await cardIn(page, 'Rejected', row.id).waitFor();
  });

  test('P6.5 what the server refuses goes back, with its words', async () => {
    const verified = (await valuesOf(bugs, 'status')).find(({ label }) => label === 'Verified')?.id ?? 0;
    const page = await open(bugs, { limits: { [verified]: { max: 1, is_strict: false } } }, 'dev');
    // Somebody who hears of no news: what is allowed has changed since.
    await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.reload();
    const row = await firstIn(bugs, 'Fixed');
    await cardOf(page, row.id).waitFor();
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const values = await valuesOf(bugs, 'status');
    const idOf = (label: string) => values.find((value) => value.label === label)?.id;
    const step = tracker.workflow.transitions.find(
      (one: { from_id: number; to_id: number }) =>
        one.from_id === idOf('Fixed') && one.to_id === idOf('Verified'),
    );
    const allow = async (groups: readonly string[]) => {
      const path = `/tracker_workflow_transitions/${step.id}`;
      const { status, text } = await site.admin.patch(path, {
        authorized_user_group_ids: groups,
        not_empty_field_ids: [],
        is_comment_required: false,
      });
      expect(status, text).toBe(200);
    };
    await allow(['101_4']);
    try {
      await dragTo(page, row.id, 'Verified');
      await soon(async () => (await said(page)).join()).toMatch(/Status/);
      await cardIn(page, 'Fixed', row.id).waitFor();
      expect(await cardIn(page, 'Verified', row.id).count()).toBe(0);
      // Nor is the limit told of that it would have broken.
      const notices = page.getByRole('region', { name: 'Notices' });
      expect(await notices.getByText(/Status/).count()).toBe(1);
      await notices.getByText(/is the limit/).waitFor({ state: 'detached' });
      expect(await idsIn(bugs, 'Fixed')).toContain(row.id);
    } finally {
      await allow(['101_3']);
    }
  });

  test('P6.6 with nothing in focus j goes to the first card, also where it is alone in its column', async () => {
    const page = await open(tasks);
    const cards = board(page).locator('[data-card]');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-card') ?? null);
    expect(await focused()).toBeNull();
    const first = await cards.first().getAttribute('data-card');
    await page.keyboard.press('j');
    await soon(focused).toBe(first);
    // Its ring is whole: what is seen at its upper edge is the card or what is behind it, and not the head of the column.
    const isWhole = await page.evaluate(() => {
      let ring = document.activeElement;
      while (ring !== null && getComputedStyle(ring).outlineStyle === 'none') ring = ring.parentElement;
      if (ring === null) return undefined;
      let box = ring.parentElement;
      while (box !== null && getComputedStyle(box).overflowY === 'visible') box = box.parentElement;
      const { left, top, width } = ring.getBoundingClientRect();
      const { outlineOffset, outlineWidth } = getComputedStyle(ring);
      const edge = top - Number.parseFloat(outlineOffset) - Number.parseFloat(outlineWidth) + 0.5;
      const there = document.elementFromPoint(left + width / 2, edge);
      return box?.contains(there) === true && (ring.contains(there) || there?.contains(ring) === true);
    });
    expect(isWhole).toBe(true);
    await page.keyboard.press('j');
    await soon(focused).not.toBe(first);
    await page.keyboard.press('k');
    await soon(focused).toBe(first);
    // Who left the board comes back to where they stood.
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await page.keyboard.press('j');
    await soon(focused).toBe(first);
  });

  test('P6.6 the same by Space and arrows; each place is told', async () => {
    const page = await open(tasks);
    const [row] = await rowsIn(tasks, 'To do');
    const id = row?.id ?? 0;
    const count = (await idsIn(tasks, 'Done')).length;
    const link = cardOf(page, id).getByRole('link');
    await link.focus();
    await page.keyboard.press('Space');
    await soon(async () => (await said(page)).join()).toContain(`${row?.xref} is picked up. To do, place 1`);
    await page.keyboard.press('ArrowRight');
    await soon(async () => (await said(page)).join()).toContain('In progress, place 1');
    await page.keyboard.press('ArrowRight');
    await soon(async () => (await said(page)).join()).toContain(`Done, place 1 of ${count + 1}`);
    await page.keyboard.press('ArrowDown');
    await soon(async () => (await said(page)).join()).toContain(`Done, place 2 of ${count + 1}`);
    await page.keyboard.press('Escape');
    await soon(async () => (await said(page)).join()).toContain(`${row?.xref} is back in To do`);
    await cardIn(page, 'To do', id).waitFor();
    expect(await idsIn(tasks, 'To do')).toContain(id);
    await link.focus();
    for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Space'])
      await page.keyboard.press(key);
    await soon(async () => (await idsIn(tasks, 'Done'))[1]).toBe(id);
    await cardIn(page, 'Done', id).waitFor();
    await soon(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  thoroughTest(
    'Shift m moves the current card by a menu, which says what is not possible and why',
    async () => {
      const page = await open(tasks);
      const [, row] = await rowsIn(tasks, 'To do');
      const id = row?.id ?? 0;
      await cardOf(page, id).getByRole('link').focus();
      await page.keyboard.press('Shift+M');
      const menu = page.getByRole('menu');
      await menu.getByRole('menuitem', { name: 'Done' }).click();
      await soon(() => idsIn(tasks, 'Done')).toContain(id);
      await cardIn(page, 'Done', id).waitFor();
      const bugPage = await open(bugs);
      const bug = await firstIn(bugs, 'Confirmed');
      await cardOf(bugPage, bug.id).hover();
      await cardOf(bugPage, bug.id).getByRole('button').click();
      const fixed = bugPage.getByRole('menuitem', { name: /^Fixed/ });
      expect(await fixed.getAttribute('aria-disabled')).toBe('true');
      expect(await fixed.textContent()).toContain('Not possible for you from Confirmed');
      await bugPage.keyboard.press('Escape');
    },
  );

  test('P6.7 a move is seen on a second board that is open', async () => {
    const [mine, theirs] = [await open(tasks), await open(tasks, {}, 'dev')];
    const row = await firstIn(tasks, 'To do');
    await cardIn(theirs, 'To do', row.id).waitFor();
    await dragTo(mine, row.id, 'Done');
    await cardIn(theirs, 'Done', row.id).waitFor();
    expect(await cardIn(theirs, 'To do', row.id).count()).toBe(0);
  });

  test('P6.8 a limit warns, and a strict one refuses', async () => {
    const values = await valuesOf(tasks, 'status');
    const done = values.find(({ label }) => label === 'Done')?.id ?? 0;
    const now = (await idsIn(tasks, 'Done')).length;
    const page = await open(tasks, { limits: { [done]: { max: now, is_strict: false } } }, 'dev');
    await board(page).getByText(`${now} of ${now}`).waitFor();
    const row = await firstIn(tasks, 'To do');
    await dragTo(page, row.id, 'Done');
    await board(page)
      .getByText(`${now + 1} of ${now}, over the limit`)
      .waitFor();
    await soon(() => idsIn(tasks, 'Done')).toContain(row.id);
    const strict = await open(tasks, { limits: { [done]: { max: 1, is_strict: true } } }, 'dev');
    const next = await firstIn(tasks, 'To do');
    await dragTo(strict, next.id, 'Done');
    await soon(async () => (await said(strict)).join()).toContain('Done takes 1 cards at most');
    await cardIn(strict, 'To do', next.id).waitFor();
    expect(await idsIn(tasks, 'To do')).toContain(next.id);
  });

  test('P6.9 in lanes by parent a drag to another lane changes the parent', async () => {
    const page = await open(tasks, { swimlanes_by: '@parent' });
    const rows = await rowsIn(tasks, 'To do');
    const parentOf = (row: Row | undefined): { id: number; xref: string; title: string } => {
      const parent = row?.cells['@parent']?.value;
      return parent as { id: number; xref: string; title: string };
    };
    const [first] = rows;
    const other = rows.find((row) => parentOf(row).id !== parentOf(first).id);
    const id = first?.id ?? 0;
    const { xref, title } = parentOf(other);
    const lane = column(page, `To do, ${xref} ${title}`);
    await lane.getByRole('listitem').first().scrollIntoViewIfNeeded();
    await cardOf(page, id).scrollIntoViewIfNeeded();
    const box = await lane.getByRole('listitem').first().boundingBox();
    if (box === null) throw new Error('The lane is not seen.');
    const laneHeads = board(page).getByRole('button', { name: /^Fold / });
    const tops = () => laneHeads.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    const before = await tops();
    await hold(page, id, { x: box.x + 40, y: box.y + 8 });
    await lane.getByText('Move to To do').waitFor();
    // Neither the place that opens nor the words of columns that refuse move any lane.
    expect(await tops()).toEqual(before);
    await page.mouse.up();
    await lane
      .getByRole('listitem')
      .filter({ hasText: `#${id}` })
      .waitFor();
    await soon(async () => {
      const now = (await rowsIn(tasks, 'To do')).find((row) => row.id === id);
      return parentOf(now)?.id;
    }).toBe(parentOf(other).id);
  });

  thoroughTest(
    'several selected cards move together, in their order, and each is judged by itself',
    async () => {
      const page = await open(tasks);
      const rows = (await rowsIn(tasks, 'To do')).slice(0, 2);
      const ids = rows.map(({ id }) => id);
      const [first = 0, second = 0] = ids;
      await cardOf(page, first).getByRole('link').focus();
      await page.keyboard.press('x');
      await cardOf(page, second)
        .getByRole('link')
        .click({ modifiers: ['Shift'] });
      await board(page).getByText('2 cards selected').waitFor();
      await dragTo(page, second, 'Done');
      // First of all, since what is said goes after some seconds.
      await soon(async () => (await said(page)).join()).toContain('2 cards were moved');
      await soon(async () => (await idsIn(tasks, 'Done')).slice(0, 2)).toEqual(ids);
      for (const id of ids) await cardIn(page, 'Done', id).waitFor();
      await cardOf(page, first).getByRole('link').focus();
      await page.keyboard.press('Escape');
      await soon(() => board(page).getByText('2 cards selected').count()).toBe(0);

      const bugPage = await open(bugs);
      const [goes, stays] = [await firstIn(bugs, 'Fixed'), await firstIn(bugs, 'Confirmed')];
      for (const { id } of [goes, stays]) {
        await cardOf(bugPage, id).getByRole('link').focus();
        await bugPage.keyboard.press('x');
      }
      await dragTo(bugPage, stays.id, 'Verified');
      // It stays until it is closed, while what is said next takes the place of what was said.
      await bugPage
        .getByRole('region', { name: 'Notices' })
        .getByText(`${stays.xref}: Not possible for you from Confirmed.`)
        .waitFor();
      await cardIn(bugPage, 'Verified', goes.id).waitFor();
      await soon(() => idsIn(bugs, 'Verified')).toContain(goes.id);
      expect(await idsIn(bugs, 'Confirmed')).toContain(stays.id);
      expect(await cardIn(bugPage, 'Confirmed', stays.id).count()).toBe(1);
    },
  );

  thoroughTest(
    'a column holds several values: a drop asks which, Escape puts the card back, and it can be split',
    async () => {
      const page = await open(tasks);
      const headings = board(page).getByRole('heading', { level: 2 });
      const before = await headings.allTextContents();
      expect(before).toEqual(['To do', 'In progress', 'Done']);
      await headings.filter({ hasText: 'In progress' }).hover();
      await board(page).getByRole('button', { name: 'Column In progress' }).click();
      await page.getByRole('menuitem', { name: 'Join with Done' }).click();
      const joined = 'In progress + Done';
      await headings.filter({ hasText: joined }).waitFor();
      const count = (await idsIn(tasks, 'In progress')).length + (await idsIn(tasks, 'Done')).length;
      const head = headings.filter({ hasText: joined }).locator('..');
      await soon(() => head.textContent()).toMatch(new RegExp(`${count}(\\D|$)`));
      const row = await firstIn(tasks, 'To do');
      const which = page.getByRole('dialog', { name: `Which Status for ${row.xref}?` });
      await dragTo(page, row.id, joined);
      await which.waitFor();
      await page.keyboard.press('Escape');
      await cardIn(page, 'To do', row.id).waitFor();
      expect(await idsIn(tasks, 'To do')).toContain(row.id);
      await dragTo(page, row.id, joined);
      await which.getByRole('button', { name: 'Done' }).click();
      await soon(() => idsIn(tasks, 'Done')).toContain(row.id);
      await cardIn(page, joined, row.id).waitFor();
      await page.reload();
      await cardIn(page, joined, row.id).waitFor();
      await board(page)
        .getByRole('button', { name: `Column ${joined}` })
        .focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Split into single columns' }).click();
      await soon(() => headings.allTextContents()).toEqual(before);
      await cardIn(page, 'Done', row.id).waitFor();
    },
  );

  test('P6.1 P6.10 of 500 cards a drag draws those places anew that it is about, and no other card', async () => {
    const { id } = await createTracker(site.admin, 101, { label: 'Wall', item_name: 'wall' });
    await addField(site.admin, id, { type: 'string', name: 'title', label: 'Title' });
    const shelves = Array.from({ length: 10 }, (_, at) => `Shelf ${at + 1}`);
    await addField(site.admin, id, {
      type: 'sb',
      name: 'shelf',
      label: 'Shelf',
      bind: { type: 'static', values: shelves.map((label) => ({ label })) },
    });
    const lines = Array.from({ length: 800 }, (_, at) => `Book ${at},${shelves[at % 10]}`);
    const { status, text } = await site.admin.post(`/trackers/${id}/artifacts_import`, {
      csv: ['title,shelf', ...lines].join('\n'),
    });
    expect(status, text).toBeLessThan(300);
    const page = await open(id, { columns_by: 'shelf' }, 'admin');
    const cards = board(page).getByRole('listitem');
    await soon(() => cards.count()).toBeGreaterThanOrEqual(500);
    const headings = board(page).getByRole('heading', { level: 2 });
    expect(await headings.allTextContents()).toEqual(shelves);
    // Exact, though only the first fifty of each were read.
    for (const heading of await headings.all())
      expect(await heading.locator('..').textContent()).toMatch(/^Shelf \d+80$/);
    const first = await column(page, 'Shelf 1').getByRole('listitem').first().textContent();
    const book = Number(/#(\d+)/.exec(first ?? '')?.[1]);
    const over = await headOf(page, 'Shelf 2');
    await hold(page, book, over);
    await board(page).getByText('Move to Shelf 2').waitFor();
    await page.evaluate(() => {
      const drawn = new Set<Node>();
      Object.assign(globalThis, { drawn });
      new MutationObserver((records) => {
        for (const { target } of records) drawn.add(target);
      }).observe(document.querySelector('[aria-label^="Board of"]') ?? document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
    });
    for (const name of ['Shelf 3', 'Shelf 4', 'Shelf 3', 'Shelf 2']) {
      const { x, y } = await headOf(page, name);
      await page.mouse.move(x, y, { steps: 4 });
      await board(page).getByText(`Move to ${name}`).waitFor();
    }
    const drawn = await page.evaluate(() => {
      const nodes = [...(globalThis as unknown as { drawn: Set<Element> }).drawn];
      const inCards = nodes.filter((node) => node.parentElement?.closest('[data-place]') !== null);
      return { all: nodes.length, cards: inCards.length };
    });
    expect(drawn.cards).toBe(0);
    expect(drawn.all).toBeLessThan(20);
    await page.mouse.up();
  });

  test('P6.11 a personal board is mine after a reload, and unseen by others', async () => {
    const page = await open(bugs, { columns_by: 'severity' });
    await board(page).getByRole('heading', { name: 'Blocking' }).waitFor();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('menuitem', { name: 'Save as mine' }).click();
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('By severity');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await soon(() => new URL(page.url()).searchParams.get('report')).not.toBeNull();
    const report = new URL(page.url()).searchParams.get('report');
    await page.goto(`${site.url}/trackers/${bugs}?report=${report}`);
    await board(page).getByRole('heading', { name: 'Blocking' }).waitFor();
    const other = await site.visit({ as: 'dev', path: `/trackers/${bugs}` });
    await other.getByRole('grid').getByRole('link').first().waitFor();
    await other.getByRole('button', { name: 'Views' }).click();
    await other.getByRole('menuitem').first().waitFor();
    expect(await other.getByRole('menuitem', { name: 'By severity' }).count()).toBe(0);
  });

  thoroughTest('a card is added in its column, with the value of the column', async () => {
    const page = await open(tasks);
    await board(page).getByRole('button', { name: 'Add a card to To do' }).first().click();
    // The next one is written while the one before is on its way.
    const stored = Promise.withResolvers<void>();
    await page.route('**/api/artifacts', async (route) => {
      await stored.promise;
      await route.fallback();
    });
    const field = page.getByRole('textbox', { name: 'Title of the new card' });
    await field.fill('Paint the door of the tower');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Oil its lock');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('');
    stored.resolve();
    for (const title of ['Paint the door of the tower', 'Oil its lock']) {
      await column(page, 'To do').getByText(title).waitFor();
      await soon(async () => (await rowsIn(tasks, 'To do')).map((row) => row.title)).toContain(title);
    }
    await page.getByText('Oil its lock is in To do', { exact: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    const add = board(page).getByRole('button', { name: 'Add a card to To do' });
    await soon(() => add.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))).toBe(
      true,
    );
  });

  thoroughTest('a column is folded, hidden and brought back, and the address says so', async () => {
    const page = await open(bugs);
    const headings = board(page).getByRole('heading', { level: 2 });
    await headings.filter({ hasText: 'Fixed' }).hover();
    await board(page).getByRole('button', { name: 'Column Fixed' }).click();
    await page.getByRole('menuitem', { name: 'Fold the column' }).click();
    await board(page).getByRole('button', { name: 'Unfold Fixed' }).waitFor();
    expect(await column(page, 'Fixed').count()).toBe(0);
    await page.reload();
    await board(page).getByRole('button', { name: 'Unfold Fixed' }).click();
    await column(page, 'Fixed').getByRole('listitem').first().waitFor();
    await board(page).getByRole('button', { name: 'Column Verified' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Hide the column' }).click();
    await soon(() => headings.filter({ hasText: 'Verified' }).count()).toBe(0);
    await page.getByRole('button', { name: 'What cards show' }).click();
    await page.getByRole('menuitem', { name: 'Verified' }).click();
    await headings.filter({ hasText: 'Verified' }).waitFor();
  });

  thoroughTest('v b leads to the board and v t to the table, with the same filters', async () => {
    const page = await open(bugs, {}, 'ada', '&f=severity:not:100');
    await page.keyboard.press('v');
    await page.keyboard.press('t');
    await page.getByRole('grid').getByRole('link').first().waitFor();
    await page.keyboard.press('v');
    await page.keyboard.press('b');
    await board(page).getByRole('listitem').first().waitFor();
    expect(new URL(page.url()).searchParams.get('f')).toBe('severity:not:100');
  });

  thoroughTest('who closes an artifact that came by the address stands at its card', async () => {
    const { id } = await firstIn(bugs, 'Confirmed');
    const page = await open(bugs, {}, 'ada', `&open=${id}`);
    const panel = page.getByRole('complementary', { name: `bug #${id}` });
    await panel.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await soon(() => page.locator(':focus').getAttribute('data-card')).toBe(`artifacts/${id}`);
  });

  test('P6.18 without a list for columns, and without anything found, the board says what to do', async () => {
    const { id } = await createTracker(site.admin, 101, { label: 'Bare', item_name: 'bare' });
    await addField(site.admin, id, { type: 'string', name: 'title' });
    const page = await site.visit({ as: 'admin', path: `/trackers/${id}?view=board` });
    await page.getByText('A board needs a list of one value').waitFor();
    await addField(site.admin, id, {
      type: 'sb',
      name: 'shelf',
      label: 'Shelf',
      bind: { type: 'static', values: [{ label: 'Upper' }] },
    });
    await page.goto(`${site.url}/trackers/${id}?view=board`);
    await page.getByText('Columns by what?').waitFor();
    await page.getByRole('button', { name: 'Columns' }).last().click();
    await page.getByRole('menuitem', { name: 'Shelf' }).click();
    await soon(() => new URL(page.url()).searchParams.get('set')).toContain('shelf');
    const nothing = await site.visit({ as: 'ada', path: `/trackers/${bugs}?view=board&words=zzzz` });
    await nothing.getByText('Nothing matches').waitFor();
    // A visitor sees it, and moves nothing.
    const visitor = await site.visit({ path: `/trackers/${bugs}?view=board` });
    await board(visitor).getByRole('listitem').first().waitFor();
    expect(await board(visitor).getByRole('button', { name: /^Add/ }).count()).toBe(0);
    expect(await board(visitor).locator('[draggable=true]').count()).toBe(0);
  });

  thoroughTest('it is accessible in both themes, on a phone and on a desk', async () => {
    const page = await open(tasks, { swimlanes_by: '@parent', colors_by: 'assigned_to' });
    await expectAccessibleEverywhere(page);
  });
});
