import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

interface Built {
  readonly id: number;
  /** Ids of fields by their names. */
  readonly fields: Readonly<Record<string, number>>;
  /** Ids of values of the status by their labels. */
  readonly states: Readonly<Record<string, number>>;
}

describe.skipIf(lacksBrowser)('workflow, permissions and settings of a tracker', () => {
  let site: Site;
  let count = 0;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  async function build(states = ['Open', 'In work', 'Review', 'Closed']): Promise<Built> {
    const { body: tracker } = await site.admin.post('/projects/101/trackers', {
      label: `Governed ${++count}`,
      item_name: `governed_${count}`,
    });
    const add = async (field: object): Promise<number> => {
      const { body, status, text } = await site.admin.post(`/trackers/${tracker.id}/fields`, field);
      expect(status, text).toBe(201);
      return body.field_id;
    };
    const box = await add({ type: 'fieldset', label: 'Box', name: 'box' });
    const within = { parent_id: box };
    const fields = {
      box,
      title: await add({ ...within, type: 'string', label: 'Title', name: 'title' }),
      status: await add({
        ...within,
        type: 'sb',
        label: 'Status',
        name: 'status',
        bind: { type: 'static', values: states.map((label) => ({ label })) },
      }),
      area: await add({
        ...within,
        type: 'sb',
        label: 'Area',
        name: 'area',
        bind: { type: 'static', values: ['North', 'South'].map((label) => ({ label })) },
      }),
      effort: await add({ ...within, type: 'int', label: 'Effort', name: 'effort' }),
      start: await add({ ...within, type: 'date', label: 'Start', name: 'start' }),
      due: await add({ ...within, type: 'date', label: 'Due', name: 'due' }),
    };
    const { body: settings } = await site.admin.get(`/tracker_fields/${fields.status}/settings`);
    const ids = settings.bind.values.map(({ id, label }: { id: number; label: string }) => [label, id]);
    const built = { id: tracker.id, fields, states: Object.fromEntries(ids) };
    const semantics = await site.admin.put(`/trackers/${built.id}/semantics`, {
      title: { field_id: fields.title },
      status: { field_id: fields.status, value_ids: [built.states['Open']] },
    });
    expect(semantics.status, semantics.text).toBe(200);
    return built;
  }

  const open = (id: number, part: string, more = {}) =>
    site.visit({ as: 'admin', path: `/trackers/${id}/admin/${part}`, ...more });
  const workflowOf = async (id: number) => (await site.admin.get(`/trackers/${id}`)).body.workflow;
  const patchWorkflow = async (id: number, workflow: object) =>
    expect((await site.admin.patch(`/trackers/${id}`, { workflow })).status).toBe(200);
  const step = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Steps of the workflow' }).getByRole('button', { name, exact: true });

  thoroughTest(
    'a step has groups, needs and actions; removing it can be taken back with all of them',
    async () => {
      const { id, fields, states } = await build();
      await patchWorkflow(id, { set_transitions_rules: { field_id: fields['status'] } });
      await site.admin.post('/tracker_workflow_transitions', {
        tracker_id: id,
        from_id: 0,
        to_id: states['Open'],
      });
      const { body: made } = await site.admin.post('/tracker_workflow_transitions', {
        tracker_id: id,
        from_id: states['Open'],
        to_id: states['Closed'],
      });
      const page = await open(id, 'workflow');
      await step(page, 'Open to Closed').click();
      const panel = page.getByRole('complementary', { name: 'Step' });
      await panel.getByRole('checkbox', { name: 'Project administrators' }).click({ force: true });
      await panel.getByRole('checkbox', { name: 'Needs a comment' }).click({ force: true });
      const conditions = async (transition: number) =>
        (await site.admin.get(`/tracker_workflow_transitions/${transition}`)).body;
      await eventually(async () =>
        expect(await conditions(made.id)).toMatchObject({
          authorized_user_group_ids: expect.arrayContaining(['101_4']),
          is_comment_required: true,
        }),
      );
      await panel.getByRole('button', { name: 'Add an action' }).click();
      await page.getByRole('menuitem', { name: 'Set a date or a number' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set a date or a number' });
      await dialog.getByRole('button', { name: /Field/ }).click();
      await page.getByRole('option', { name: 'Due' }).click();
      await dialog.getByRole('button', { name: 'Add an action' }).click();
      await panel.getByText('Set Due to the day of the step').waitFor();
      await step(page, 'Open to Closed').press('Space');
      await eventually(async () => expect((await workflowOf(id)).transitions).toHaveLength(1));
      await page.getByRole('button', { name: 'Undo' }).first().click();
      await eventually(async () => expect((await workflowOf(id)).transitions).toHaveLength(2));
      const again = (await workflowOf(id)).transitions.find(
        (one: { to_id: number }) => one.to_id === states['Closed'],
      );
      await eventually(async () =>
        expect((await site.admin.get(`/tracker_workflow_transitions/${again.id}/actions`)).body).toHaveLength(
          1,
        ),
      );
      expect(await conditions(again.id)).toMatchObject({ is_comment_required: true });
    },
  );

  /** A workflow that leads from new artifacts to Open, and no further. */
  async function begunFlow(built: Built): Promise<void> {
    await patchWorkflow(built.id, { set_transitions_rules: { field_id: built.fields['status'] } });
    await patchWorkflow(built.id, { set_transitions_rules: { is_used: true } });
    const first = { tracker_id: built.id, from_id: 0, to_id: built.states['Open'] };
    expect((await site.admin.post('/tracker_workflow_transitions', first)).status).toBe(201);
  }

  test('P13.8 a step made in the matrix is in the picture, and works on the open board of another person at once', async () => {
    const built = await build();
    await begunFlow(built);
    const made = await site.admin.post('/artifacts', {
      tracker: { id: built.id },
      values: [
        { field_id: built.fields['title'], value: 'Carried' },
        { field_id: built.fields['status'], bind_value_ids: [built.states['Open']] },
      ],
    });
    expect(made.status, made.text).toBe(201);
    const board = await site.visit({
      ...{ as: 'ada', path: `/trackers/${built.id}?view=board`, width: 1900 },
    });
    const card = board.getByRole('listitem').filter({ hasText: 'Carried' });
    await card.getByRole('link').focus();
    await board.keyboard.press('Shift+M');
    const review = board.getByRole('menuitem', { name: /^Review/ });
    await review.waitFor();
    expect(await review.getAttribute('aria-disabled')).toBe('true');
    await board.keyboard.press('Escape');
    const page = await open(built.id, 'workflow');
    await step(page, 'Open to Review').waitFor();
    const stored = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().includes('workflow_transitions'),
    );
    const heard = board.waitForRequest((request) => request.url().includes(`/api/trackers/${built.id}`));
    await step(page, 'Open to Review').press('Space');
    await stored;
    // It is asked for as soon as the board has heard of it; how long the menu then takes is not looked at.
    await heard;
    await eventually(async () => {
      await card.getByRole('link').focus();
      await board.keyboard.press('Shift+M');
      await review.waitFor();
      if ((await review.getAttribute('aria-disabled')) !== 'true') return;
      await board.keyboard.press('Escape');
      throw new Error('The board does not allow it yet.');
    });
    await review.click();
    await board.getByRole('list', { name: 'Review', exact: true }).getByText('Carried').waitFor();
    const picture = page.getByRole('region', { name: 'Picture of the workflow' });
    await picture.getByRole('button', { name: 'Open to Review', exact: true }).waitFor();
    await eventually(async () => {
      const { body } = await site.admin.get(`/artifacts/${made.body.id}?values_format=by_field`);
      expect(JSON.stringify(body)).toContain('Review');
    });
  });

  test('P13.9 states that cannot be reached, and open ones that cannot be left, are pointed out', async () => {
    const built = await build();
    await begunFlow(built);
    const page = await open(built.id, 'workflow');
    const warned = page.getByText('In work, Review, Closed cannot be reached from a new artifact');
    await warned.waitFor();
    await page.getByText('Open counts as open and cannot be left').waitFor();
    await step(page, 'Open to In work').press('Space');
    await page.getByText('Review, Closed cannot be reached from a new artifact', { exact: true }).waitFor();
    await step(page, 'In work to Review').press('Space');
    await page.getByText('Closed cannot be reached from a new artifact', { exact: true }).waitFor();
    await step(page, 'Review to Closed').press('Space');
    await page.getByText(/cannot be reached from a new artifact/).waitFor({ state: 'detached' });
    await page.getByText(/cannot be left/).waitFor({ state: 'detached' });
  });

  thoroughTest('the picture of 20 states is drawn without another question', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `State ${index + 1}`);
    const built = await build(['Open', ...names.slice(1)]);
    await begunFlow(built);
    const chain = ['Open', ...names.slice(1)];
    for (const [index, name] of chain.slice(0, -1).entries())
      await site.admin.post('/tracker_workflow_transitions', {
        ...{ tracker_id: built.id, from_id: built.states[name], to_id: built.states[chain[index + 1] ?? ''] },
      });
    const page = await open(built.id, 'workflow');
    // News of the steps that were just made would read the tracker anew.
    await page.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
    await page.reload();
    const picture = page.getByRole('region', { name: 'Picture of the workflow' });
    await picture.waitFor();
    await page.getByRole('radio', { name: 'Matrix' }).click({ force: true });
    await picture.waitFor({ state: 'detached' });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(`/api/trackers/${built.id}`)) asked.push(request.url());
    });
    await page.getByRole('radio', { name: 'Graph' }).click({ force: true });
    await picture.waitFor();
    await expect.poll(() => page.locator('svg[role="img"] rect').count(), { timeout: 30_000 }).toBe(20);
    expect(asked).toEqual([]);
  });

  thoroughTest('long names without blanks and many values leave room for what they name', async () => {
    const long = 'Unbroken'.repeat(16);
    const states = Array.from({ length: 30 }, (_, place) => (place === 1 ? long : `State ${place}`));
    const { id, fields, states: ids } = await build(['Open', ...states]);
    await site.admin.patch(`/tracker_fields/${fields['area']}/settings`, { label: long });
    await site.admin.patch(`/trackers/${id}/settings`, { label: long.slice(0, 100) });
    const semantics = await site.admin.put(`/trackers/${id}/semantics`, {
      status: { field_id: fields['status'], value_ids: Object.values(ids) },
    });
    expect(semantics.status, semantics.text).toBe(200);

    const page = await open(id, 'permissions');
    const rightEdge = async (name: string | RegExp) => {
      const box = await page.getByRole('button', { name }).first().boundingBox();
      return box === null ? undefined : box.x + box.width;
    };
    await page.getByRole('rowheader', { name: long }).waitFor();
    expect(await rightEdge(/^Anonymous.*read.*Title/i)).toBeLessThan(700);

    await page.goto(`${site.url}/trackers/${id}/admin/semantics`);
    const chosen = page.getByRole('button', { name: /Open values/ });
    const name = chosen.getByText('State 29');
    await name.waitFor();
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

    await site.admin.patch(`/trackers/${id}`, {
      workflow: { set_transitions_rules: { field_id: fields['status'] } },
    });
    await page.goto(`${site.url}/trackers/${id}/admin/workflow`);
    const matrix = page.getByRole('table', { name: 'Steps of the workflow' });
    await matrix.getByRole('button').last().focus();
    // Wherever one is in it, it says which state one goes to.
    const head = matrix.getByRole('columnheader', { name: 'State 29' });
    expect((await head.boundingBox())?.y).toBeGreaterThan(50);

    await page.goto(`${site.url}/projects/lighthouse/trackers`);
    await page.getByRole('columnheader', { name: 'Last activity' }).waitFor();
    expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  });

  thoroughTest(
    'two administrators at one workflow see the steps of each other, and a step that is there already is told in words',
    async () => {
      const built = await build();
      await begunFlow(built);
      const [mine, theirs] = [
        await open(built.id, 'workflow', { expecting: [/400/] }),
        await open(built.id, 'workflow'),
      ];
      await step(theirs, 'Open to Closed').waitFor();
      await step(mine, 'Open to Closed').press('Space');
      await expect
        .poll(() => step(theirs, 'Open to Closed').getAttribute('aria-pressed'), { timeout: 15_000 })
        .toBe('true');
      // Heard of nothing: both make the same step.
      await mine.context().route('**/api/events?*', (route) => route.fulfill({ status: 403, json: {} }));
      await mine.reload();
      await step(mine, 'Open to Review').waitFor();
      await step(theirs, 'Open to Review').press('Space');
      await eventually(async () => expect((await workflowOf(built.id)).transitions).toHaveLength(3));
      await step(mine, 'Open to Review').press('Space');
      await mine
        .getByText(/There is such a transition already/)
        .first()
        .waitFor();
      expect((await workflowOf(built.id)).transitions).toHaveLength(3);
    },
  );

  test('P13.10 a dependency of two lists is stored, and the form obeys', async () => {
    const { id, fields, states } = await build();
    const page = await open(id, 'rules');
    const choose = async (list: string | RegExp, name: string) => {
      await page.getByRole('button', { name: list }).click();
      await page.getByRole('option', { name, exact: true }).click();
    };
    await choose(/When this list has a value/, 'Area');
    await choose(/this one may have/, 'Status');
    const pairs = page.getByRole('table', { name: 'Status depends on Area' });
    for (const pair of ['North: Open', 'North: Closed', 'South: Review'])
      await pairs.getByRole('checkbox', { name: pair, exact: true }).check({ force: true });
    // What somebody else ticks meanwhile stays.
    const { body: area } = await site.admin.get(`/tracker_fields/${fields['area']}/settings`);
    const south = area.bind.values.find(({ label }: { label: string }) => label === 'South').id;
    const theirs = {
      source_field_id: fields['area'],
      source_value_id: south,
      target_field_id: fields['status'],
      target_value_id: states['Closed'],
    };
    expect((await site.admin.put(`/trackers/${id}/rules`, { lists: [theirs] })).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The dependency is stored.').first().waitFor();
    const { body: rules } = await site.admin.get(`/trackers/${id}/rules`);
    expect(rules.lists).toHaveLength(4);
    expect(rules.lists).toContainEqual(expect.objectContaining(theirs));
    const form = await site.visit({ as: 'ada', path: `/trackers/${id}/new` });
    await form.getByLabel(/^Title/).fill('Obeys');
    const offered = async (area: string) => {
      await form.getByRole('button', { name: /Area/ }).click();
      await form.getByRole('option', { name: area, exact: true }).click();
      await form.getByRole('button', { name: /Status/ }).click();
      const names = await form.getByRole('option').allTextContents();
      await form.keyboard.press('Escape');
      return names;
    };
    expect(await offered('North')).toEqual(expect.arrayContaining(['Open', 'Closed']));
    expect(await offered('North')).not.toContain('Review');
    expect(await offered('South')).toContain('Review');
    expect(await offered('South')).not.toContain('Open');
  });

  thoroughTest(
    'of two rules that are taken away one right after the other none comes back, and one that is added twice is one',
    async () => {
      const { id, fields } = await build();
      const between = { source_field_id: fields['start'], target_field_id: fields['due'] };
      const rules = async () => (await site.admin.get(`/trackers/${id}/rules`)).body.dates;
      const stored = await site.admin.put(`/trackers/${id}/rules`, {
        dates: ['≤', '≠'].map((comparator) => ({ ...between, comparator })),
      });
      expect(stored.status, stored.text).toBe(200);
      const page = await open(id, 'rules');
      const remove = page.getByRole('button', { name: /^Remove: Start/ });
      await eventually(async () => expect(await remove.count()).toBe(2));
      let come = Promise.withResolvers<void>();
      await page.route(`**/trackers/${id}/rules`, async (route) => {
        if (route.request().method() === 'GET') await come.promise;
        await route.continue();
      });
      await remove.first().click();
      await remove.last().click();
      come.resolve();
      await eventually(async () => expect(await remove.count()).toBe(0));
      expect(await rules()).toEqual([]);
      come = Promise.withResolvers<void>();
      for (const [list, name] of [
        ['First date', 'Start'],
        ['Second date', 'Due'],
      ] as const) {
        await page.getByRole('button', { name: new RegExp(list) }).click();
        await page.getByRole('option', { name, exact: true }).click();
      }
      await page.getByRole('button', { name: 'Add the rule' }).dblclick();
      come.resolve();
      await remove.waitFor();
      expect(await rules()).toHaveLength(1);
    },
  );

  thoroughTest('of two rights that are ticked one right after the other none is lost', async () => {
    const { id } = await build();
    const page = await open(id, 'permissions');
    await page.getByRole('radio', { name: 'Tracker' }).check({ force: true });
    const box = (name: string) => page.getByRole('checkbox', { name });
    await box('Registered users: Administer the tracker').waitFor();
    const goOn = Promise.withResolvers<void>();
    await page.route(`**/api/trackers/${id}/permissions`, async (route) => {
      if (route.request().method() === 'GET') await goOn.promise;
      await route.continue();
    });
    await box('Project members: Administer the tracker').click({ force: true });
    await box('Registered users: Administer the tracker').click({ force: true });
    goOn.resolve();
    await eventually(async () => {
      const { body } = await site.admin.get(`/trackers/${id}/permissions`);
      const ids = body.can_admin.map((group: { id: string }) => group.id);
      expect(ids).toEqual(expect.arrayContaining(['101_3', '2']));
    });
  });

  test('P13.11 circles are refused with words: of lists that depend on each other, and of parents', async () => {
    const { id, fields } = await build();
    const values = async (field: number | undefined) =>
      (await site.admin.get(`/tracker_fields/${field}/settings`)).body.bind.values.map(
        ({ id: value }: { id: number }) => value,
      );
    const [[north], [openId]] = [await values(fields['area']), await values(fields['status'])];
    const stored = await site.admin.put(`/trackers/${id}/rules`, {
      lists: [
        {
          ...{ source_field_id: fields['area'], source_value_id: north },
          ...{ target_field_id: fields['status'], target_value_id: openId },
        },
      ],
    });
    expect(stored.status, stored.text).toBe(200);
    const page = await open(id, 'rules', { expecting: [/400/] });
    await page.getByRole('button', { name: /When this list has a value/ }).click();
    await page.getByRole('option', { name: 'Status', exact: true }).click();
    await page.getByRole('button', { name: /this one may have/ }).click();
    await page.getByRole('option', { name: 'Area', exact: true }).click();
    const pairs = page.getByRole('table', { name: 'Area depends on Status' });
    await pairs.getByRole('checkbox', { name: 'Open: North', exact: true }).check({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/A list cannot depend on itself/)
      .waitFor();
    expect((await site.admin.get(`/trackers/${id}/rules`)).body.lists).toHaveLength(1);

    const below = await build();
    const asParent = await site.admin.patch(`/trackers/${below.id}/settings`, { parent_id: id });
    expect(asParent.status, asParent.text).toBe(200);
    const circle = await site.admin.patch(`/trackers/${id}/settings`, { parent_id: below.id });
    expect([circle.status, circle.body.error.message]).toEqual([
      400,
      expect.stringContaining('A tracker cannot be its own parent'),
    ]);
  });

  test('P13.14 the advanced mode names the actions that go with the simple one', async () => {
    const { id, fields, states } = await build();
    await patchWorkflow(id, { set_transitions_rules: { field_id: fields['status'] } });
    const { body: made } = await site.admin.post('/tracker_workflow_transitions', {
      tracker_id: id,
      from_id: 0,
      to_id: states['Open'],
    });
    const actions = { post_actions: [{ type: 'frozen_fields', field_ids: [fields['effort']] }] };
    expect((await site.admin.put(`/tracker_workflow_transitions/${made.id}/actions`, actions)).status).toBe(
      200,
    );
    const page = await open(id, 'workflow');
    await page.getByRole('button', { name: /Mode/ }).click();
    await page.getByRole('option', { name: /Advanced/ }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Switch to the advanced mode?' });
    await dialog.getByText('Freeze Effort').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await workflowOf(id)).is_advanced).toBe(false);
    await page.getByRole('button', { name: /Mode/ }).click();
    await page.getByRole('option', { name: /Advanced/ }).click();
    await dialog.getByRole('button', { name: 'Switch, and lose them' }).click();
    await eventually(async () => expect((await workflowOf(id)).is_advanced).toBe(true));
  });

  test('P13.6 thirty fields by all groups are stored at once, or none of them', async () => {
    const { id, fields } = await build();
    for (let index = 0; index < 25; index++)
      await site.admin.post(`/trackers/${id}/fields`, {
        type: 'string',
        label: `Field ${index}`,
        parent_id: fields['box'],
      });
    const page = await open(id, 'permissions');
    const reading = async () => {
      const { body } = await site.admin.get(`/trackers/${id}/form_elements`);
      return body.flatMap((one: { permissions_for_groups: { can_read: { id: string }[] } | null }) =>
        one.permissions_for_groups === null
          ? []
          : [one.permissions_for_groups.can_read.map((group) => group.id)],
      );
    };
    await page.getByRole('button', { name: 'All fields for Project members' }).click();
    await page.getByRole('menuitem', { name: 'Give: read' }).click();
    const bar = page.getByRole('region', { name: 'Changes that are not stored yet' });
    await bar.getByText('31 changes').waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    // A field that goes meanwhile: nothing of it all is stored.
    const removed = await site.admin.delete(`/tracker_fields/${fields['effort']}`);
    expect(removed.status).toBe(204);
    await bar.getByRole('button', { name: 'Save' }).click();
    await bar.getByRole('alert').waitFor();
    for (const groups of await reading()) expect(groups).not.toContain('101_3');
    expect((await site.admin.post(`/tracker_fields/${fields['effort']}/restore`, {})).status).toBe(200);
    // Somebody else changes another cell of the same field.
    await site.admin.put(`/tracker_fields/${fields['title']}/permissions`, {
      can_read: ['1', '2'],
      can_submit: ['2'],
      can_update: ['101_3'],
    });
    await bar.getByRole('button', { name: 'Save' }).click();
    await bar.waitFor({ state: 'detached' });
    for (const groups of await reading()) expect(groups).toContain('101_3');
    const { body: title } = await site.admin.get(`/tracker_fields/${fields['title']}/permissions`);
    expect(title.can_read.map(({ id: group }: { id: string }) => group).sort()).toEqual(['1', '101_3', '2']);
  });

  test('P13.7 what somebody sees is what their own requests answer', async () => {
    const { id, fields } = await build();
    await site.admin.put(`/tracker_fields/${fields['effort']}/permissions`, { can_read: ['101_4'] });
    await site.admin.put(`/tracker_fields/${fields['due']}/permissions`, { can_read: ['1'] });
    const page = await open(id, 'permissions');
    const person = page.getByRole('complementary', { name: 'What does somebody see?' });
    await person.getByRole('button', { name: /Choose a person/ }).click();
    await page.keyboard.type('finn');
    await page.getByRole('option', { name: /Finn Berg/ }).click();
    await person.getByRole('heading', { name: 'What does Finn see?' }).waitFor();
    const { body: own } = await site.as('finn').get(`/trackers/${id}`);
    const names: Record<string, string> = { read: 'read', create: 'submit', update: 'update' };
    const list = person.getByRole('list', { name: 'What they may do with each field' });
    await list.waitFor();
    for (const [name, label] of Object.entries({ title: 'Title', effort: 'Effort', due: 'Due' })) {
      const field = own.fields.find((one: { field_id: number }) => one.field_id === fields[name]);
      const held: string[] = (field?.permissions ?? []).map((right: string) => names[right]);
      const line = await list.getByRole('listitem').filter({ hasText: label }).innerText();
      if (held.length === 3) expect(line).toContain('all three');
      else if (held.length === 0) expect(line).toContain('nothing');
      else for (const right of held) expect(line).toContain(right);
    }
    await page.getByRole('radio', { name: 'Tracker' }).click();
    await page
      .getByRole('checkbox', { name: 'Project members: See what they submitted' })
      .click({ force: true });
    await eventually(async () => {
      const { body } = await site.admin.get(`/trackers/${id}/permissions`);
      expect(body.can_access_submitted_by_user).toHaveLength(1);
      expect(body.can_access).not.toHaveLength(0);
    });
  });

  test('P13.12 a tracker is copied into another project', async () => {
    const { id } = await build();
    const { body: project, status } = await site.admin.post('/projects', {
      shortname: 'elsewhere',
      label: 'Elsewhere',
      is_public: true,
      allow_restricted: false,
      template_id: 100,
    });
    expect(status).toBe(201);
    const page = await open(id, 'general');
    await page.getByRole('button', { name: 'Copy the tracker' }).click();
    const dialog = page.getByRole('dialog', { name: /^Copy / });
    await dialog.getByRole('button', { name: /Into the project/ }).click();
    await page.getByRole('option', { name: 'Elsewhere' }).click();
    await dialog.getByLabel(/^Name/).fill('Taken along');
    await dialog.getByLabel('Short name').fill('along');
    await dialog.getByRole('button', { name: 'Copy the tracker' }).click();
    await page.getByRole('region', { name: 'Form' }).getByRole('button', { name: 'Status' }).waitFor();
    const { body: trackers } = await site.admin.get(
      `/projects/${project.id}/trackers?representation=minimal`,
    );
    expect(trackers.map(({ label }: { label: string }) => label)).toContain('Taken along');
  });
});
