import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

/** Of the demo: its project, its bugs, and somebody who administers it. */
const project = 101;
const bugs = 5;

interface Made {
  readonly id: number;
  readonly version: number;
  readonly title: string;
  readonly rows: readonly { readonly cells: readonly { width: number; widgets: { title: string }[] }[] }[];
}

/** Each widget in a row of its own, unless it stands in a list. */
const rowsOf = (...rows: readonly unknown[]) =>
  rows.map((row) => ({
    cells: (Array.isArray(row) ? row : [row]).map((widget, _, all) => ({
      width: 12 / all.length,
      widgets: [widget],
    })),
  }));
const text = (title: string) => ({ kind: 'text', title, settings: { commonmark: `**${title}** is here` } });

describe.skipIf(lacksBrowser)('dashboards', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  async function make(title: string, rows: unknown): Promise<Made> {
    const made = await site.admin.post('/dashboards', { title, project_id: project });
    expect(made.status, made.text).toBe(201);
    const filled = await site.admin.put(`/dashboards/${made.body.id}`, { version: 1, title, rows });
    expect(filled.status, filled.text).toBe(200);
    return filled.body;
  }
  const stored = async (id: number): Promise<Made> => (await site.admin.get(`/dashboards/${id}`)).body;
  const titlesIn = ({ rows }: Made) =>
    rows.map(({ cells }) => cells.map(({ widgets }) => widgets.map(({ title }) => title).join('+')));
  const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const grip = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  const open = async ({ id }: Made, as = 'admin', more = {}) => {
    const page = await site.visit({ as, path: `/dashboards/${id}`, ...more });
    await page.locator('[data-tile]').first().waitFor({ timeout: 60_000 });
    return page;
  };

  /** Six kinds of widgets, one of which the server may be made to refuse. */
  async function six(title: string): Promise<Made> {
    const report = await site.admin.post(`/trackers/${bugs}/tracker_reports`, {
      label: 'Seen on walls',
      is_public: true,
      renderers: [{ type: 'table' }, { type: 'chart', label: 'By status', settings: { kind: 'bar' } }],
    });
    expect(report.status, report.text).toBe(201);
    const chart = report.body.renderers.find(({ type }: { type: string }) => type === 'chart').id;
    const report_id = report.body.id;
    return make(
      title,
      rowsOf(
        [
          { kind: 'count', title: 'All bugs', settings: { tracker_id: bugs, expert_query: '', target: 100 } },
          text('Goal'),
        ],
        [
          { kind: 'report', title: 'First bugs', settings: { report_id } },
          { kind: 'chart', title: 'Drawn', settings: { report_id, renderer_id: chart } },
        ],
        [
          { kind: 'activity', title: 'Lately', settings: { project_id: project } },
          { kind: 'mine', title: 'To do', settings: { role: 'assigned' } },
        ],
        {
          kind: 'query',
          title: 'Asked',
          settings: { tql_query: "SELECT @title, @status FROM @project = 'self' WHERE @id >= 1" },
        },
        { kind: 'links', title: 'Doors', settings: [{ label: 'Help', href: '/help' }] },
      ),
    );
  }

  test('P9.7 six kinds of widgets are there, each by itself', async () => {
    const made = await six('Six kinds');
    const page = await open(made);
    const { body: counts } = await site.admin.get(`/trackers/${bugs}/artifact_counts?by=is_open`);
    const isThere = async () => {
      await tile(page, 'All bugs')
        .getByRole('link', { name: String(counts.size), exact: true })
        .waitFor();
      await tile(page, 'Goal').getByText('Goal is here').waitFor();
      await tile(page, 'First bugs').getByRole('listitem').first().waitFor();
      await tile(page, 'Drawn').getByRole('listitem').first().waitFor();
      await tile(page, 'Lately').getByRole('listitem').first().waitFor();
      await tile(page, 'Asked').getByRole('row').nth(1).waitFor();
      await tile(page, 'Doors').getByRole('link', { name: 'Help' }).waitFor();
    };
    await isThere();
    await page.reload();
    await isThere();
  });

  test('P9.7 one that fails leaves the others, and can be asked again', async () => {
    const made = await six('One fails');
    const page = await site.visit({
      as: 'admin',
      path: '/help',
      expecting: [/artifact_counts/, /500/, /403/, /Failed to load/],
    });
    // News of bugs would ask again before somebody does.
    await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
    let isBroken = true;
    await page
      .context()
      .route(`**/api/trackers/${bugs}/artifact_counts?*`, (route) =>
        isBroken && !route.request().url().includes('report_id')
          ? route.fulfill({ status: 500, json: { error: { code: 500, message: 'Broken' } } })
          : route.continue(),
      );
    await page.goto(`${site.url}/dashboards/${made.id}`);
    await tile(page, 'All bugs').getByRole('alert').waitFor();
    await tile(page, 'First bugs').getByRole('listitem').first().waitFor();
    await tile(page, 'Drawn').getByRole('listitem').first().waitFor();
    await tile(page, 'Asked').getByRole('row').nth(1).waitFor();
    await tile(page, 'Doors').getByRole('link', { name: 'Help' }).waitFor();
    isBroken = false;
    await tile(page, 'All bugs').getByRole('button', { name: 'Try again' }).click();
    await tile(page, 'All bugs').getByRole('link').waitFor();
  });

  test('P9.8 widgets are arranged by the keyboard alone, each place is told', async () => {
    const made = await make('By keys', rowsOf(text('One'), text('Two'), text('Three')));
    const page = await open(made);
    await page.getByRole('button', { name: 'Arrange' }).press('Enter');
    const isAt = (name: string) =>
      page
        .getByRole('button', { name, exact: true })
        .evaluate((element) => element === document.activeElement);
    await soon(() => isAt('Add a widget')).toBe(true);
    const said = page.locator('[aria-live]').filter({ hasText: 'Three' }).first();
    await grip(page, 'Three').focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await said.getByText('11 of 12 columns wide').waitFor();
    // Up into the cell of the row above, and from there to a row of its own.
    await page.keyboard.press('ArrowUp');
    await said.getByText('row 2 of 2, place 1 of 1').waitFor();
    await soon(() => grip(page, 'Three').evaluate((element) => element === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.press('ArrowRight');
    await said.getByText('place 2 of 2').waitFor();
    await page.keyboard.press('ArrowLeft');
    await said.getByText('place 1 of 2').waitFor();
    await grip(page, 'One').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('link', { name: 'Inbox' }).press('Enter');
    await page.getByRole('alertdialog').getByText('What you arranged is not saved.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Arrange' }).waitFor();
    await soon(() => isAt('Arrange')).toBe(true);
    expect(titlesIn(await stored(made.id))).toEqual([['Three', 'Two']]);
    await page.getByRole('button', { name: 'More about this dashboard' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const name = page.getByRole('dialog').getByRole('textbox');
    await name.fill('Mine');
    const now = await stored(made.id);
    const theirs = { ...now, title: 'Theirs', rows: rowsOf(text('Three'), text('Two'), text('Four')) };
    expect((await site.admin.put(`/dashboards/${made.id}`, theirs)).status).toBe(200);
    await name.press('Enter');
    await page.getByText(/has named it “Theirs” meanwhile/).waitFor();
    await name.press('Enter');
    await soon(async () => (await stored(made.id)).title).toBe('Mine');
    expect(titlesIn(await stored(made.id)).flat()).toContain('Four');
    await page.reload();
    await tile(page, 'Three').waitFor();
    await soon(() => tile(page, 'One').count()).toBe(0);
  });

  thoroughTest(
    'widgets are arranged by the mouse: dragged beside another, made wider at the edge',
    async () => {
      const made = await make('By mouse', rowsOf(text('One'), text('Two'), text('Three')));
      const page = await open(made);
      await page.getByRole('button', { name: 'Arrange' }).click();
      const boxOf = async (name: string) => {
        const box = await tile(page, name).boundingBox();
        if (box === null) throw new Error(`${name} is not there.`);
        return box;
      };
      const two = await boxOf('Two');
      await grip(page, 'Three').hover();
      await page.mouse.down();
      await page.mouse.move(two.x + two.width / 2, two.y + 10, { steps: 4 });
      // Gaps between rows open while something is held.
      const now = await boxOf('Two');
      await page.mouse.move(now.x + now.width - 20, now.y + now.height / 2, { steps: 4 });
      await page.mouse.up();
      await soon(async () => (await boxOf('Three')).y).toBe((await boxOf('Two')).y);
      const cell = await boxOf('Two');
      await page.mouse.move(cell.x + cell.width + 1, cell.y + cell.height / 2);
      await page.mouse.down();
      await page.mouse.move(cell.x + cell.width + 220, cell.y + cell.height / 2, { steps: 6 });
      await page.mouse.up();
      await soon(async () => (await boxOf('Two')).width).toBeGreaterThan(cell.width + 100);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Arrange' }).waitFor();
      const after = await stored(made.id);
      expect(titlesIn(after)).toEqual([['One'], ['Two', 'Three']]);
      const [left, right] = after.rows[1]?.cells ?? [];
      expect(left?.width).toBeGreaterThan(right?.width ?? 12);
    },
  );

  thoroughTest('a widget is added from the gallery, configured, and there after a reload', async () => {
    const made = await make('Grown', []);
    const page = await site.visit({ as: 'admin', path: `/dashboards/${made.id}` });
    await page.getByRole('button', { name: 'Add a widget' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Number/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Number' });
    await dialog.getByRole('button', { name: /Tracker/ }).click();
    await page.getByRole('option', { name: /^Bugs/ }).click();
    await dialog.getByLabel('Title').fill('How many');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await tile(page, 'How many').getByRole('link').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Arrange' }).waitFor();
    await page.reload();
    await tile(page, 'How many').getByRole('link').waitFor();
  });

  thoroughTest('two people who arrange at once see both, and the second puts theirs on top', async () => {
    const made = await make('Two people', rowsOf(text('Ours')));
    const page = await open(made);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await grip(page, 'Ours').press('Shift+ArrowLeft');
    const other = await site.admin.put(`/dashboards/${made.id}`, {
      version: made.version,
      title: made.title,
      rows: rowsOf(text('Theirs')),
    });
    expect(other.status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Somebody else saved first' });
    await dialog.getByRole('region', { name: 'Theirs, as it is stored' }).getByText('Theirs').waitFor();
    await dialog.getByRole('region', { name: 'Yours' }).getByText('Ours').waitFor();
    // Escape decides nothing.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await grip(page, 'Ours').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await tile(page, 'Theirs').waitFor();
    await page.getByRole('button', { name: 'Arrange' }).click();
    await grip(page, 'Theirs').press('Delete');
    await site.admin.put(`/dashboards/${made.id}`, {
      version: made.version + 1,
      title: made.title,
      rows: rowsOf(text('Again')),
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Again').waitFor();
    await dialog.getByRole('button', { name: 'Put mine on top' }).click();
    await page.getByRole('button', { name: 'Arrange' }).waitFor();
    await soon(async () => titlesIn(await stored(made.id))).toEqual([]);
  });

  thoroughTest('a burndown on a wall is no visit of its artifact, and reads no notice of it', async () => {
    const { body: tracker } = await site.admin.get('/trackers/1');
    const field = tracker.fields.find(({ type }: { type: string }) => type === 'burndown');
    const { body: releases } = await site.admin.get('/trackers/1/artifacts?limit=1');
    const [{ id }] = releases;
    const told = await site.admin.put(`/artifacts/${id}`, {
      values: [],
      comment: { body: 'Is it late, @chiara?', format: 'commonmark' },
    });
    expect(told.status, told.text).toBe(200);
    const chiara = site.as('chiara');
    const { body: own } = await chiara.get('/users/self');
    const unread = async () => {
      const { body } = await chiara.get(`/users/${own.id}/notifications?state=unread&limit=50`);
      return JSON.stringify(body).includes(`"artifacts/${id}"`);
    };
    await soon(unread).toBe(true);
    const made = await make(
      'Burnt',
      rowsOf({ kind: 'burndown', title: 'Left', settings: { artifact_id: id, field_id: field.field_id } }),
    );
    const page = await open(made, 'chiara');
    await tile(page, 'Left').getByRole('button', { name: 'Show as table' }).waitFor();
    const { body: history } = await chiara.get(`/users/${own.id}/history`);
    expect(history.entries.filter(({ per_type_id: one }: { per_type_id: number }) => one === id)).toEqual([]);
    expect(await unread()).toBe(true);
  });

  test('P9.9 somebody without right on a tracker sees its widget as hidden, without its title', async () => {
    const { body: tracker } = await site.admin.post(`/projects/${project}/trackers`, {
      label: 'Secrets',
      item_name: 'secret',
    });
    const made = await make(
      'Partly hidden',
      rowsOf({ kind: 'count', title: 'Secret number', settings: { tracker_id: tracker.id } }, text('Open')),
    );
    await site.admin.put(`/trackers/${tracker.id}/permissions`, { can_access: [`${project}_4`] });
    const page = await open(made, 'bruno');
    await tile(page, 'Open').getByText('Open is here').waitFor();
    await tile(page, 'Number').getByText('This is hidden from you, or gone.').waitFor();
    expect(await page.getByText('Secret number').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Arrange' }).count()).toBe(0);
  });

  test('17.12 a number has a line of how it came to be, and a sentence that the history proves', async () => {
    const states = ['Confirmed', 'Fixed'];
    const query = `status IN (${states.map((state) => `"${state}"`).join(', ')})`;
    const count = (title: string, expert_query: string) => ({
      kind: 'count',
      title,
      settings: { tracker_id: bugs, expert_query },
    });
    const made = await make(
      'Lines',
      rowsOf(
        count('In two states', query),
        count('Since ever', 'submitted_on > "2000-01-01"'),
        count('None', 'summary = "zzz nothing"'),
      ),
    );
    const from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
    const trends = async (kind: string) =>
      (await site.admin.get(`/trackers/${bugs}/artifact_trends?kind=${kind}&from=${from}`)).body.series;
    type Series = { key: string; label: string; values: number[] };
    const changeOf = (series: Series[]) =>
      series.reduce((sum, { values }) => sum + (values.at(-1) ?? 0) - (values.at(-8) ?? 0), 0);
    const inStates: Series[] = (await trends('states')).filter(({ label }: Series) => states.includes(label));
    expect(inStates).toHaveLength(2);
    const change = changeOf(inStates);
    const young = changeOf((await trends('total')).filter(({ key }: Series) => key === 'all'));
    const page = await open(made);
    await tile(page, 'In two states')
      .getByText(
        change === 0
          ? 'As many as a week ago'
          : `${Math.abs(change)} ${change > 0 ? 'more' : 'fewer'} than a week ago`,
      )
      .waitFor();
    const now = inStates.reduce((sum, { values }) => sum + (values.at(-1) ?? 0), 0);
    await tile(page, 'In two states')
      .getByRole('link', { name: String(now), exact: true })
      .waitFor();
    await tile(page, 'Since ever')
      .getByText(young === 0 ? 'None of them is' : young === 1 ? 'One of them is' : `${young} of them are`)
      .waitFor();
    expect(await tile(page, 'Since ever').locator('svg path[d^=M]').count()).toBeGreaterThan(0);
    await tile(page, 'None').getByRole('link', { name: '0', exact: true }).waitFor();
  });

  test('17.11 a query is a widget on its own: its rows and their exact number, renewed as others change them, and nothing where nothing is', async () => {
    const tql =
      "SELECT @pretty_title, @status FROM @project = 'self' AND @tracker.name = 'bug' WHERE @id >= 1";
    const made = await make(
      'Asked alone',
      rowsOf(
        { kind: 'query', title: 'All bugs', settings: { tql_query: tql } },
        {
          kind: 'query',
          title: 'Too early',
          settings: { tql_query: "SELECT @id FROM @project = 'self' WHERE @id < 1" },
        },
      ),
    );
    const { body: counts } = await site.admin.get(`/trackers/${bugs}/artifact_counts?by=is_open`);
    const page = await open(made, 'ada');
    const all = tile(page, 'All bugs');
    await all.getByText(`${counts.size} artifacts`).waitFor();
    await all.getByRole('row').nth(5).waitFor();
    await all.getByRole('columnheader', { name: /Status/ }).waitFor();
    await tile(page, 'Too early').getByText('Nothing matches').waitFor();
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const value = { field_id: tracker.semantics.title.field_id, value: 'Found by the widget' };
    const added = await site.admin.post('/artifacts', { tracker: { id: bugs }, values: [value] });
    expect(added.status, added.text).toBe(201);
    await all.getByText(`${counts.size + 1} artifacts`).waitFor();
    await all.getByRole('link', { name: /\w/ }).first().click();
    await soon(() => new URL(page.url()).pathname).toMatch(/^\/artifacts\/\d+/);
  });

  test('P9.10 a change of an artifact renews the number on the wall', async () => {
    const made = await make(
      'Wall',
      rowsOf({ kind: 'count', title: 'All of them', settings: { tracker_id: bugs } }),
    );
    const page = await open(made, 'ada');
    const number = tile(page, 'All of them').getByRole('link');
    await number.waitFor();
    const before = Number((await number.textContent())?.replaceAll(/\D/g, ''));
    const { body: tracker } = await site.admin.get(`/trackers/${bugs}`);
    const value = { field_id: tracker.semantics.title.field_id, value: 'Seen on the wall' };
    const added = await site.admin.post('/artifacts', { tracker: { id: bugs }, values: [value] });
    expect(added.status, added.text).toBe(201);
    await soon(() => number.textContent()).toBe(String(before + 1));
  });

  thoroughTest('a dashboard that somebody else changes is renewed in front of those who look', async () => {
    const made = await make('Followed', rowsOf(text('Before')));
    const page = await open(made, 'ada');
    await tile(page, 'Before').waitFor();
    await site.admin.put(`/dashboards/${made.id}`, {
      version: made.version,
      title: made.title,
      rows: rowsOf(text('After')),
    });
    await tile(page, 'After').waitFor();
  });

  thoroughTest('personal ones are tabs of home, made there, copied from others, deleted', async () => {
    const page = await site.visit({ as: 'ada', path: '/' });
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('A wall');
    const answers = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/api/dashboards', (route) => {
      if (route.request().method() === 'POST') sent++;
      return answers.promise.then(() => route.continue());
    });
    for (const _ of ['once', 'and by mistake again']) await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make it' }).and(page.locator('[data-pending]')).waitFor();
    answers.resolve();
    await page.getByText('Nothing is on it yet').waitFor();
    expect(sent).toBe(1);
    await page.getByRole('button', { name: 'More about this dashboard' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('My own wall');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My own wall' }).waitFor();
    await page.goto(`${site.url}/`);
    await page.getByRole('tab', { name: 'My own wall' }).click();
    await page.getByRole('tabpanel').getByText('Nothing is on it yet').waitFor();
    await page.getByRole('tabpanel').getByRole('link', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'More about this dashboard' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('My own wall is deleted').first().waitFor();
    expect((await site.as('ada').get('/dashboards')).body).toEqual([]);
  });

  thoroughTest(
    'a project without any says so with one next step, and leads from its menu to the first one',
    async () => {
      const { body: other } = await site.admin.post('/projects', {
        shortname: 'bare-walls',
        label: 'Bare walls',
        description: '',
        is_public: true,
        xml_template_name: 'issues',
      });
      const page = await site.visit({ as: 'admin', path: '/projects/bare-walls/dashboards' });
      await page.getByText('No dashboard yet').waitFor();
      await page.getByRole('button', { name: 'New dashboard' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('First');
      await page.keyboard.press('Enter');
      await page.getByText('Nothing is on it yet').waitFor();
      await site.admin.put(
        `/dashboards/${(await site.admin.get(`/dashboards?project_id=${other.id}`)).body[0].id}`,
        {
          version: 1,
          title: 'First',
          rows: rowsOf(text('Welcome')),
        },
      );
      await page.getByRole('link', { name: 'Overview' }).click();
      await tile(page, 'Welcome').getByText('Welcome is here').waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Dashboards' }).click();
      await page.getByRole('button', { name: 'Arrange' }).waitFor();
    },
  );

  thoroughTest('it is accessible, read and arranged, in both themes, on a phone and in French', async () => {
    const made = await six('For everybody');
    const page = await open(made);
    await tile(page, 'Asked').getByRole('row').nth(1).waitFor();
    await tile(page, 'Drawn').getByRole('listitem').first().waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoSidewaysScrolling(page);
    // What can be done is reached there, too: nothing lies above it.
    await page.getByRole('button', { name: 'Arrange' }).click({ trial: true });
    await page.getByRole('button', { name: 'More about this dashboard' }).click({ trial: true });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Arrange' }).click();
    await grip(page, 'Goal').waitFor();
    await expectAccessibleEverywhere(page);
    const french = await open(made, 'bruno', { language: 'fr' });
    await french.getByRole('link', { name: 'Tableaux de bord' }).waitFor();
  });
});
