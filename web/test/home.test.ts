import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { submit } from '../../server/test/fixtures/artifact.ts';
import { createProject } from '../../server/test/fixtures/project.ts';
import { addField, createTracker, setSemantics, valueIds } from '../../server/test/fixtures/tracker.ts';
import { addTransition, changeWorkflow } from '../../server/test/fixtures/workflow.ts';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { lacksBrowser, password, type Site, startSite, thoroughTest } from './harness/site.ts';

interface Chores {
  /** Turns a workflow on: `new Open`, `Open Doing`. */
  allowOnly(steps: readonly string[]): Promise<void>;
  /** Creates one for Wanda, due so many days from now. */
  make(title: string, state?: 'Open' | 'Doing' | 'Closed', dueIn?: number): Promise<number>;
}

/** A day as whoever visits counts them. */
const dayIn = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(Date.now() + days * 86_400_000);

describe.skipIf(lacksBrowser)('my work', () => {
  let site: Site;
  let wanda: number;
  let roof: Chores;

  /** A project with a tracker that has all that my work shows, and a workflow that goes one way only. */
  async function makeChores(shortname: string): Promise<Chores> {
    const { admin } = site;
    const { id: projectId } = await createProject(admin, shortname);
    const members = await admin.patch(`/user_groups/${projectId}_3/users`, { add: [{ id: wanda }] });
    expect(members.status, members.text).toBe(200);
    const { id: trackerId } = await createTracker(admin, projectId, { item_name: 'chore', label: 'Chores' });
    const { field_id: title } = await addField(admin, trackerId, { type: 'string', name: 'title' });
    const { field_id: people } = await addField(admin, trackerId, {
      type: 'msb',
      name: 'people',
      bind: { type: 'users' },
    });
    const status = await addField(admin, trackerId, {
      type: 'sb',
      name: 'status',
      label: 'Status',
      bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Doing' }, { label: 'Closed' }] },
    });
    const { field_id: start } = await addField(admin, trackerId, { type: 'date', name: 'start' });
    const { field_id: due } = await addField(admin, trackerId, { type: 'date', name: 'due' });
    const states = valueIds(status);
    const stateOf = (name: string) => states[name] ?? 0;
    await setSemantics(admin, trackerId, {
      title: { field_id: title },
      contributor: { field_id: people },
      status: { field_id: status.field_id, value_ids: [stateOf('Open'), stateOf('Doing')] },
      timeframe: { start_date_field_id: start, end_date_field_id: due },
    });
    const make: Chores['make'] = (name, state = 'Open', dueIn) =>
      submit(admin, trackerId, [
        { field_id: title, value: name },
        { field_id: people, bind_value_ids: [wanda] },
        { field_id: status.field_id, bind_value_ids: [stateOf(state)] },
        ...(dueIn === undefined ? [] : [{ field_id: due, value: dayIn(dueIn) }]),
      ]);
    const allowOnly: Chores['allowOnly'] = async (steps) => {
      await changeWorkflow(admin, trackerId, { set_transitions_rules: { field_id: status.field_id } });
      for (const step of steps) {
        const [from = '', to = ''] = step.split(' ');
        await addTransition(admin, trackerId, stateOf(from), stateOf(to));
      }
      await changeWorkflow(admin, trackerId, { set_transitions_rules: { is_used: true } });
    };
    return { make, allowOnly };
  }

  /** Somebody who has seen the first steps. */
  async function makePerson(username: string, realName: string): Promise<number> {
    const made = await site.admin.post('/users', {
      username,
      email: `${username}@example.org`,
      real_name: realName,
      password,
    });
    expect(made.status, made.text).toBe(201);
    const seen = await site.as(username).patch('/users/self/preferences', {
      key: 'web.onboarding',
      value: 'over',
    });
    expect(seen.status, seen.text).toBe(200);
    return made.body.id;
  }

  beforeAll(async () => {
    site = await startSite();
    wanda = await makePerson('wanda', 'Wanda Keeper');
    roof = await makeChores('roof');
    await roof.make('Mend the roof', 'Open', -3);
    await roof.make('Sweep the chimney', 'Open', 0);
    await roof.make('Order tiles', 'Open', 4);
    await roof.make('Count the tiles', 'Closed', -9);
    const garden = await makeChores('garden');
    for (const name of ['Cut the hedge', 'Rake leaves', 'Sow grass', 'Mend the fence'])
      await garden.make(name);
    const pier = await makeChores('pier');
    await pier.make('Paint the pier', 'Open', 40);
    await pier.make('Oil the winch');
    await pier.make('Test the bell', 'Doing');
    await pier.make('Buy rope', 'Closed');
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const main = (page: Page) => page.locator('main');
  const row = (page: Page, title: string) =>
    main(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: title, exact: true }) });
  const openHome = async (path = '/') => {
    const page = await site.visit({ as: 'wanda', path });
    await main(page).getByRole('heading', { level: 2 }).first().waitFor();
    return page;
  };
  const titles = (page: Page) => main(page).getByRole('tabpanel').locator('[data-uri]').allTextContents();

  test('P3.1 all that is assigned to me in all my projects is there, and closed things are not', async () => {
    const page = await openHome();
    await page.getByRole('tab', { name: 'Assigned to me 10' }).waitFor();
    expect((await titles(page)).toSorted()).toEqual(
      [
        'Mend the roof',
        'Sweep the chimney',
        'Order tiles',
        'Cut the hedge',
        'Rake leaves',
        'Sow grass',
        'Mend the fence',
        'Paint the pier',
        'Oil the winch',
        'Test the bell',
      ].toSorted(),
    );
    for (const [grouping, headings] of [
      ['Project', ['Project roof3', 'Project pier3', 'Project garden4']],
      ['Status', ['Open9', 'Doing1']],
      ['Due', ['Overdue1', 'Today1', 'In 7 days1', 'Later1', 'No date6']],
    ] as const) {
      await page.getByRole('button', { name: /^Group/ }).click();
      await page.getByRole('menuitem', { name: grouping, exact: true }).click();
      await eventually(async () =>
        expect(
          await main(page).getByRole('tabpanel').getByRole('heading', { level: 2 }).allTextContents(),
        ).toEqual(headings),
      );
    }
    expect(new URL(page.url()).search).toBe('?group=due');
  });

  test('P3.2 s on a row, a value and Enter change its status; what the workflow forbids is not offered', async () => {
    await roof.allowOnly(['new Open', 'Open Doing', 'Doing Closed']);
    const id = await roof.make('Hang the door');
    const page = await openHome();
    await row(page, 'Hang the door').waitFor();
    while (!(await row(page, 'Hang the door').evaluate((item) => item.contains(document.activeElement))))
      await page.keyboard.press('j');
    await page.keyboard.press('s');
    const menu = page.getByRole('menu', { name: 'Status' });
    await menu.getByRole('menuitem', { name: 'Doing' }).waitFor();
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual(['Open', 'Doing']);
    await page.keyboard.press('D');
    await page.keyboard.press('Enter');
    await row(page, 'Hang the door').getByRole('button', { name: 'Status: Doing' }).waitFor();
    const statusOf = async () => (await site.admin.get(`/artifacts/${id}`)).body.status;
    await eventually(async () => expect(await statusOf()).toBe('Doing'));
    // Closed, it stays in sight, is told as closed, and is not counted any more.
    await row(page, 'Hang the door').getByRole('button', { name: 'Status: Doing' }).click();
    await menu.getByRole('menuitem', { name: 'Closed' }).click();
    await row(page, 'Hang the door').getByRole('button', { name: 'Status: Closed' }).waitFor();
    await page.getByRole('tab', { name: 'Assigned to me 10' }).waitFor();
    expect(await statusOf()).toBe('Closed');
    // Also when somebody gives me something else to do.
    const gate = await roof.make('Hang the gate');
    await row(page, 'Hang the gate').waitFor();
    await row(page, 'Hang the door').getByRole('button', { name: 'Status: Closed' }).waitFor();
    await page.getByRole('tab', { name: 'Assigned to me 11' }).waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Assigned to me 11' }).waitFor();
    await expect.poll(() => row(page, 'Hang the door').count()).toBe(0);
    expect((await site.admin.delete(`/artifacts/${gate}`)).status).toBe(200);
  });

  thoroughTest(
    'the focus is on the status of a row again after its menu was closed, also for the first time',
    async () => {
      const id = await roof.make('Paint the door');
      const page = await openHome();
      const status = row(page, 'Paint the door').getByRole('button', { name: 'Status: Open' });
      for (let round = 0; round < 2; round += 1) {
        await status.click();
        await page.getByRole('menuitem', { name: 'Open' }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('menu').waitFor({ state: 'detached' });
        await status.and(page.locator(':focus')).waitFor();
      }
      expect((await site.admin.delete(`/artifacts/${id}`)).status).toBe(200);
    },
  );

  test('P3.4 what is overdue says so in a word and comes first', async () => {
    const page = await openHome('/?tab=due');
    await page.getByRole('tab', { name: 'Due soon 4', selected: true }).waitFor();
    expect(await titles(page)).toEqual([
      'Mend the roof',
      'Sweep the chimney',
      'Order tiles',
      'Paint the pier',
    ]);
    await row(page, 'Mend the roof')
      .getByText(/, late$/)
      .waitFor();
    await row(page, 'Sweep the chimney').getByText('Today', { exact: true }).waitFor();
    await page.goto(site.url);
    await main(page).getByRole('heading', { level: 2 }).first().waitFor();
    await expect.poll(async () => (await titles(page))[0], { timeout: 30_000 }).toBe('Mend the roof');
  });

  test('P3.5 the first rows wait for who one is and for their own list, and for nothing else', async () => {
    const page = await site.visit({ as: 'wanda', path: '/help/keys' });
    const isNeeded = ({ pathname, searchParams }: URL) =>
      /\/api\/(v1\/)?(users\/self\/standing|platform\/about)$/.test(pathname) ||
      (/\/users\/self\/artifacts$/.test(pathname) &&
        searchParams.get('query')?.includes('assigned_to') === true);
    // Everything else hangs: other tabs, favourites, what was visited, what happened, dashboards and the stream of events.
    await page
      .context()
      .route('**/api/**', (route) =>
        isNeeded(new URL(route.request().url())) ? route.continue() : undefined,
      );
    await page.goto(site.url);
    await row(page, 'Mend the roof').waitFor();
    await eventually(async () => expect(await titles(page)).toHaveLength(10));
  });

  thoroughTest(
    'of a long list the first rows are there at once, the others follow, and it says so where they do not',
    async () => {
      const olga = await makePerson('olga', 'Olga Counter');
      const { id: projectId } = await createProject(site.admin, 'jetty');
      await site.admin.patch(`/user_groups/${projectId}_3/users`, { add: [{ id: olga }] });
      const { id: trackerId } = await createTracker(site.admin, projectId, {
        item_name: 'plank',
        label: 'Planks',
      });
      const { field_id: title } = await addField(site.admin, trackerId, { type: 'string', name: 'title' });
      await setSemantics(site.admin, trackerId, { title: { field_id: title } });
      for (let plank = 0; plank < 53; plank++)
        await submit(site.as('olga'), trackerId, [{ field_id: title, value: `Plank ${plank}` }]);
      const page = await site.visit({ as: 'olga', path: '/help/keys', expecting: [/400/, /403/] });
      // News of the planks would read the list anew.
      await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
      let isBroken = true;
      await page
        .context()
        .route('**/users/self/artifacts?*offset=50*', (route) =>
          isBroken
            ? route.fulfill({ status: 400, json: { error: { code: 400, message: 'Not now' } } })
            : route.continue(),
        );
      await page.goto(`${site.url}/?tab=submitted`);
      await page.getByRole('tab', { name: 'Submitted 53', selected: true }).waitFor();
      await main(page).getByText('Not now').waitFor();
      expect(await titles(page)).toHaveLength(50);
      isBroken = false;
      await main(page).getByRole('button', { name: 'Try again' }).click();
      await eventually(async () => expect(await titles(page)).toHaveLength(53));
      await main(page)
        .getByRole('heading', { level: 2, name: /Planks\s*53$/ })
        .waitFor();
      await expect.poll(() => main(page).getByText('Not now').count()).toBe(0);
    },
  );

  thoroughTest('what mentions me, and what I watch, are counted and listed', async () => {
    const { body } = await site.as('wanda').get('/users/self/artifacts?query={"assigned_to":true}&limit=2');
    const [{ id: named, title }, { id: watched, title: watchedTitle }] = body;
    const said = await site.admin.post(`/artifacts/${named}/comments`, {
      body: 'Can you look, @wanda?',
      format: 'commonmark',
    });
    expect(said.status, said.text).toBe(201);
    await site.as('wanda').put(`/artifacts/${watched}/watching`, { is_watching: true });
    const page = await openHome();
    await page.getByRole('tab', { name: 'Mentioned 1' }).click();
    await row(page, title).waitFor();
    expect(await titles(page)).toEqual([title]);
    await page.getByRole('tab', { name: 'Watching 1' }).click();
    await row(page, watchedTitle).waitFor();
    expect(await titles(page)).toEqual([watchedTitle]);
  });

  thoroughTest('where nothing is assigned to me I am led to what nobody is assigned to', async () => {
    const page = await site.visit({ as: 'admin' });
    await page.getByText('Nothing is assigned to you', { exact: true }).waitFor();
    const link = page.getByRole('region', { name: 'Open and unassigned' }).getByRole('link').first();
    const words = await link.textContent();
    await link.click();
    await page.getByRole('grid').waitFor();
    const count = Number(/\d+$/.exec(words ?? '')?.[0]);
    await eventually(async () =>
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(count + 1)),
    );
  });

  thoroughTest('my work is for everybody, on every screen', async () => {
    const page = await openHome();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoSidewaysScrolling(page);
  });
});
