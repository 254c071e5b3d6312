import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { goInside } from './harness/inside.ts';
import { lacksBrowser, password, type Site, startSite, thoroughTest } from './harness/site.ts';

const pages = [
  ['details', 'Details'],
  ['access', 'Access'],
  ['members', 'Members'],
  ['groups', 'Groups'],
  ['services', 'Services'],
  ['labels', 'Labels'],
  ['links', 'Link types'],
  ['references', 'References'],
  ['webhooks', 'Webhooks'],
  ['archive', 'Archive'],
  ['history', 'History'],
  ['trash', 'Trash'],
] as const;

describe.skipIf(lacksBrowser)('the administration of a project', () => {
  let site: Site;
  let receiver: Server;
  const address = '/projects/lighthouse/admin';
  beforeAll(async () => {
    site = await startSite();
    receiver = createServer((request, response) => {
      request.resume();
      response.statusCode = 202;
      response.end('light is on');
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  afterEach(() => site.leave());
  afterAll(async () => {
    await site?.stop();
    receiver.closeAllConnections();
    receiver.close();
  });

  const made = async (path: string, body: unknown) => {
    const reply = await site.admin.post(path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const entries = (page: Page) =>
    page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('list')
      .getByRole('link')
      .allTextContents();
  const membersOf = async (group: string): Promise<string[]> => {
    const { body } = await site.admin.get(`/user_groups/${group}/users?limit=50`);
    return body.map(({ username }: { username: string }) => username);
  };

  test('P12.1 all its pages are reached from its menu, and everybody can use them', async () => {
    const page = await site.visit({ as: 'ada', path: `${address}/details` });
    for (const [name, heading] of pages) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page
        .getByRole('navigation', { name: 'Main', exact: true })
        .locator(`a[href="${address}/${name}"]`)
        .click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`${address}/${name}`);
      expect(await entries(page)).toHaveLength(pages.length);
      await expectAccessibleEverywhere(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoSidewaysScrolling(page);
    }
  });

  test('P12.1 others get 403 pages and no menu; P12.2 a delegate sees members only', async () => {
    const page = await site.visit({ as: 'bruno', path: `${address}/details` });
    await page.getByRole('heading', { name: 'You may not see this' }).waitFor();
    await page.goto(`${site.url}/projects/lighthouse`);
    await page.getByRole('link', { name: 'Members' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0);
    const { body: groups } = await site.admin.get('/projects/101/user_groups');
    const keepers = groups.find((group: { label: string }) => group.label === 'keepers').id;
    const delegation = { membership_delegation: [keepers] };
    expect((await site.admin.patch('/projects/101/settings', delegation)).status).toBe(200);
    const theirs = await site.visit({ as: 'elif', path: '/projects/lighthouse' });
    await theirs.getByRole('link', { name: 'Settings', exact: true }).click();
    await theirs.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    expect(await entries(theirs)).toEqual(['Members']);
    await theirs.goto(`${site.url}${address}/access`);
    await theirs.getByRole('heading', { name: 'You may not see this' }).waitFor();
  });

  thoroughTest(
    'a new name is saved, another short name changes addresses and says so; a wrong one is told at its field',
    async () => {
      const page = await site.visit({ as: 'ada', path: `${address}/details`, expecting: [/400/] });
      await page.getByRole('textbox', { name: 'Short name' }).fill('x');
      await page.getByText('Addresses change from /projects/lighthouse to /projects/x').waitFor();
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByText('It must have at least 3 characters.').waitFor();
      await page.getByRole('textbox', { name: 'Short name' }).fill('lighthouse');
      await page.getByRole('textbox', { name: /^Name/ }).fill('Lighthouse of the North');
      await page.getByRole('link', { name: 'Labels' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page
        .getByRole('navigation', { name: 'Breadcrumbs' })
        .getByText('Lighthouse of the North')
        .waitFor();
      await page.getByRole('button', { name: 'Undo' }).first().click();
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Lighthouse Keeper').waitFor();
    },
  );

  thoroughTest(
    'a picture and an announcement stand above the page of the project, until they are taken away',
    async () => {
      const page = await site.visit({ as: 'ada', path: `${address}/details` });
      const pictures = page.getByRole('group', { name: 'Picture' });
      await expect.poll(() => pictures.getByRole('radio').count()).toBe(25);
      await pictures.getByRole('radio', { name: 'Waves' }).check();
      const chosen = async () => (await site.admin.get('/projects/101')).body.header_background;
      await expect.poll(chosen).toBe('ocean-waves');
      const other = await site.visit({ as: 'bruno', path: '/projects/lighthouse' });
      const refused: string[] = [];
      other.on('response', (answer) => {
        if (answer.status() >= 400) refused.push(answer.url());
      });
      const above = other.locator('main svg[viewBox="0 0 1200 160"]');
      await above.waitFor();
      // Seen by others at once.
      await pictures.getByRole('radio', { name: 'None' }).check();
      await expect.poll(chosen).toBeUndefined();
      await above.waitFor({ state: 'detached' });

      const announcement = page.getByRole('region', { name: 'Announcement' });
      const told = other.getByRole('complementary', { name: 'Announcement of the project' });
      for (const words of ['The lamp is dark on Sunday.', '']) {
        await announcement.getByRole('textbox', { name: 'Text' }).fill(words);
        await announcement.getByRole('button', { name: 'Save' }).click();
        if (words === '') await told.waitFor({ state: 'detached' });
        else await told.getByText(words).waitFor();
      }
      // Whether there is one is not asked in a way that is an error.
      await other.reload();
      await other.getByRole('heading', { level: 1 }).waitFor();
      await other
        .getByRole('link', { name: /^Stories/ })
        .first()
        .waitFor();
      expect(refused).toEqual([]);
    },
  );

  test('P12.3 public made private: says who will see it, asks, and is in the history', async () => {
    const page = await site.visit({ as: 'ada', path: `${address}/access` });
    await page.getByRole('radio', { name: /^Private/ }).click({ force: true });
    const dialog = page.getByRole('alertdialog', { name: 'Make it private?' });
    await dialog.getByText('Only its members see it.').waitFor();
    const accessOf = async () => (await site.admin.get('/projects/101')).body.access;
    expect(await accessOf()).toBe('public');
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await page.getByText('The project is now private.').first().waitFor();
    expect(await accessOf()).toBe('private');
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await eventually(async () => expect(await accessOf()).toBe('public'));
    await page.getByRole('link', { name: 'History' }).click();
    const row = page.getByRole('row', { name: /Setting changed\s*Visibility.*public.*private/ });
    await row.getByText('Ada Lindqvist').waitFor();
  });

  test('P12.4 200 people by 12 groups are ticked by keys; one save, one call for each group that changed', async () => {
    const { body: project } = await site.admin.post('/projects', {
      shortname: 'crowd',
      label: 'Crowd',
      is_public: true,
      xml_template_name: 'empty',
    });
    const people = Array.from({ length: 200 }, (_, index) => `crew${String(index).padStart(3, '0')}`);
    for (let at = 0; at < people.length; at += 100)
      site.sql(
        `insert into account (name, name_key, real_name, email, status, search_text, created_at) values ${people
          .slice(at, at + 100)
          .map((name) => `('${name}', '${name}', '${name} Doe', '', 'A', '${name}', 0)`)
          .join(', ')}`,
      );
    const members = people.map((username) => ({ username }));
    const added = await site.admin.patch(`/user_groups/${project.id}_3/users`, { add: members });
    expect(added.status, added.text).toBe(200);
    const groups: string[] = [];
    for (let index = 0; index < 10; index += 1)
      groups.push((await made('/user_groups', { project_id: project.id, short_name: `group_${index}` })).id);
    const page = await site.visit({ as: 'admin', path: '/projects/crowd/admin/members' });
    await page.getByText('201 people').waitFor();
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH' && request.url().includes('/user_groups/')) calls.push(request.url());
    });
    await page.getByRole('checkbox', { name: /crew000.*: group_0/ }).focus();
    await page.keyboard.press('Space');
    for (const key of ['ArrowDown', 'ArrowDown', 'Space', 'ArrowRight', 'Space', 'ArrowUp', 'Space'])
      await page.keyboard.press(key);
    await page.getByText('4 changes').waitFor();
    await page.getByRole('link', { name: 'Labels' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The members are saved.').first().waitFor();
    expect(calls).toHaveLength(2);
    expect(await membersOf(groups[0] ?? '')).toEqual(['crew000', 'crew002']);
    expect(await membersOf(groups[1] ?? '')).toEqual(['crew001', 'crew002']);
  });

  thoroughTest('two administrators at once lose nobody, and pasted names are added', async () => {
    const first = await site.visit({ as: 'ada', path: `${address}/members` });
    const second = await site.visit({ as: 'admin', path: `${address}/members` });
    await first.getByRole('checkbox', { name: /Bruno.*: keepers/ }).check();
    await second.getByRole('checkbox', { name: /Chiara.*: keepers/ }).check();
    for (const page of [first, second]) {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The members are saved.').first().waitFor();
    }
    const { body: groups } = await site.admin.get('/projects/101/user_groups');
    const keepers = groups.find((group: { label: string }) => group.label === 'keepers').id;
    expect(await membersOf(keepers)).toEqual(expect.arrayContaining(['bruno', 'chiara', 'elif', 'finn']));
    await made('/users', { username: 'pasted', real_name: 'Pa Sted', password });
    await first.getByRole('button', { name: 'Add people' }).click();
    const dialog = first.getByRole('dialog', { name: 'Add people' });
    await dialog.getByLabel('People').fill('pasted, nobody.there');
    await dialog.getByRole('button', { name: 'Add them' }).click();
    await dialog.getByText('Nobody is called nobody.there.').waitFor();
    await dialog.getByLabel('People').fill('pasted');
    await dialog.getByRole('button', { name: 'Add them' }).click();
    await first.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => expect(await membersOf('101_3')).toContain('pasted'));
  });

  test('P12.5 a secret is shown once; a ping to a local receiver shows status and answer; sent again, renewed', async () => {
    const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    expect((await site.admin.patch('/platform/settings', { webhook_hosts: host })).status).toBe(200);
    const page = await site.visit({ as: 'ada', path: `${address}/webhooks`, expecting: [/400/] });
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Add a webhook' });
    await form.getByLabel(/^Address/).fill('ftp://nowhere');
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    await form.getByText('It must be an http or https address').waitFor();
    await form.getByLabel(/^Address/).fill(`http://${host}/hook`);
    const answers = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/api/projects/*/webhooks', (route) => {
      if (route.request().method() === 'POST') sent++;
      return answers.promise.then(() => route.continue());
    });
    for (const _ of ['once', 'and by mistake again']) await page.keyboard.press('Enter');
    await form.locator('[data-pending]').waitFor();
    answers.resolve();
    const shown = page.getByRole('region', { name: 'Copy the secret now' });
    const secret = (await shown.locator('code').textContent()) ?? '';
    expect(sent).toBe(1);
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: `Deliveries to http://${host}/hook` }).click();
    const log = page.getByRole('dialog', { name: `Deliveries to http://${host}/hook` });
    await log.getByRole('button', { name: 'Ping' }).click();
    await log.getByText('Delivered').waitFor();
    // The number of a port may have it in it, too.
    await log.getByText('202', { exact: true }).waitFor();
    await log.getByRole('button', { name: 'More' }).click();
    await log.getByText('light is on').waitFor();
    await log.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is sent again.').first().waitFor();
    await log.getByRole('button', { name: 'Close' }).last().click();
    await page.reload();
    await page.getByText(`http://${host}/hook`).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: `Actions for http://${host}/hook` }).click();
    await page.getByRole('menuitem', { name: 'Renew the secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Renew the secret' }).click();
    expect(await shown.locator('code').textContent()).not.toBe(secret);
  });

  thoroughTest(
    'two types of links that are switched off one right after the other are both off',
    async () => {
      const page = await site.visit({ as: 'ada', path: `${address}/links` });
      await page.getByRole('switch').nth(1).waitFor();
      let letGo = () => {};
      const isLetGo = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await page.route('**/api/projects/*/disabled_link_types', async (route) => {
        await isLetGo;
        await route.continue();
      });
      const switches = [page.getByRole('switch').nth(0), page.getByRole('switch').nth(1)];
      for (const one of switches) {
        await one.press('Space');
        expect(await one.isChecked()).toBe(false);
      }
      letGo();
      const off = async () => (await site.admin.get('/projects/101/disabled_link_types')).body.shortnames;
      await expect.poll(off).toHaveLength(2);
      for (const one of switches) expect(await one.isChecked()).toBe(false);
      expect((await site.admin.put('/projects/101/disabled_link_types', { shortnames: [] })).status).toBe(
        200,
      );
    },
  );

  thoroughTest('what is added while a list is loaded for the first time stands in it', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    const added = Promise.withResolvers<void>();
    const isList = ({ pathname }: URL) => pathname === '/api/projects/101/webhooks';
    await page.route(isList, async (route) => {
      const answer = await route.fetch();
      if (route.request().method() === 'GET') await added.promise;
      await route.fulfill({ response: answer });
    });
    await page.goto(`${site.url}${address}/webhooks`);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Add a webhook' });
    await form.getByLabel(/^Address/).fill('https://example.org/late');
    const stored = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    await stored;
    added.resolve();
    await page.getByRole('button', { name: 'Deliveries to https://example.org/late' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('P12.6 a deleted tracker comes back with its artifacts; where its name is taken another is asked for', async () => {
    const { body: trackers } = await site.admin.get('/projects/101/trackers?limit=50');
    const { id, label, item_name: name } = trackers[0];
    const sizeOf = async () =>
      (await site.admin.get(`/trackers/${id}/artifacts?limit=1`)).headers.get('x-pagination-size');
    const before = await sizeOf();
    expect((await site.admin.delete(`/trackers/${id}`)).status).toBe(200);
    await made('/projects/101/trackers', { label: 'Usurper', item_name: name });
    const page = await site.visit({ as: 'ada', path: `${address}/trash`, expecting: [/400/] });
    const { body: self } = await site.admin.get('/users/self');
    await page.getByRole('row', { name: label }).getByText(` by ${self.display_name}`).waitFor();
    await page.getByRole('button', { name: `Bring ${label} back` }).click();
    const dialog = page.getByRole('dialog', { name: `Another short name for ${label}` });
    await dialog.getByLabel('Short name').fill('returned');
    await dialog.getByRole('button', { name: 'Bring back' }).click();
    await page.getByText(`${label} is back.`).first().waitFor();
    expect(await sizeOf()).toBe(before);
  });

  thoroughTest(
    'what is typed into the details stays while others change them, and while something is saved',
    async () => {
      const page = await site.visit({ as: 'ada', path: `${address}/details` });
      const description = page.getByLabel('Description');
      await description.waitFor();
      const settings = '/projects/101/settings';
      const { body: before } = await site.admin.get(settings);
      const { body: project } = await site.admin.get('/projects/101');
      await page.getByRole('textbox', { name: /^Name/ }).fill('Keeper of the lighthouse');
      await site.admin.patch(settings, { description: 'Written by somebody else' });
      await expect.poll(() => description.inputValue(), { timeout: 60_000 }).toBe('Written by somebody else');
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByText('Saved.').first().waitFor();
      const { body: after } = await site.admin.get(settings);
      expect([after.label, after.description]).toEqual([
        'Keeper of the lighthouse',
        'Written by somebody else',
      ]);

      const goOn = Promise.withResolvers<void>();
      await page.route('**/api/projects/101/banner', async (route) => {
        await goOn.promise;
        await route.fallback();
      });
      const banner = page.getByRole('region', { name: 'Announcement' });
      const text = banner.getByLabel('Text');
      await text.fill('Storm');
      const sent = page.waitForRequest('**/api/projects/101/banner');
      await banner.getByRole('button', { name: 'Save' }).click();
      await sent;
      await text.fill('Storm at night');
      const stored = page.waitForResponse('**/api/projects/101/banner');
      goOn.resolve();
      await stored;
      await expect
        .poll(() => banner.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'))
        .toBe(null);
      expect(await text.inputValue()).toBe('Storm at night');
      await site.admin.patch(settings, { label: before.label, description: before.description });
      await site.admin.put('/projects/101/banner', { message: project.banner });
    },
  );

  thoroughTest(
    'what somebody else stored of the same is told before it is replaced, and lists live together',
    async () => {
      const settings = '/projects/101/settings';
      const { body: before } = await site.admin.get(settings);
      const page = await site.visit({ as: 'ada', path: `${address}/details` });
      const description = page.getByLabel('Description');
      await description.fill('Mine');
      await site.admin.patch(settings, { description: 'Theirs' });
      const told = page.getByRole('alert').filter({ hasText: 'Description, theirs: Theirs' });
      await page.getByRole('button', { name: 'Save', exact: true }).first().click();
      await told.waitFor();
      expect((await site.admin.get(settings)).body.description).toBe('Theirs');
      await expectAccessibleEverywhere(page);
      await told.getByRole('button', { name: 'Save mine' }).click();
      await page.getByText('Saved.').first().waitFor();
      await expect.poll(() => told.count()).toBe(0);
      expect((await site.admin.get(settings)).body.description).toBe('Mine');
      await site.admin.patch(settings, { description: before.description });

      const link = await made('/projects/101/project_services', {
        label: 'Tides',
        service_url: '/projects/lighthouse?tides',
        open_in_new_tab: false,
      });
      const linkNow = async () => (await site.admin.get(`/project_services/${link.id}`)).body;
      await page.goto(`${site.url}${address}/services`);
      await page.getByRole('button', { name: 'Change Tides' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
      await dialog.getByLabel(/^Name/).fill('High water');
      await site.admin.patch(`/project_services/${link.id}`, { icon: 'ti ti-wave' });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await linkNow()).toMatchObject({
        label: 'High water',
        icon: 'ti ti-wave',
        open_in_new_tab: false,
      });
      const entry = page.getByRole('navigation', { name: 'Main', exact: true });
      await page.goto(`${site.url}/projects/lighthouse`);
      expect(await entry.getByRole('link', { name: 'High water' }).getAttribute('target')).toBe(null);
      await site.admin.delete(`/project_services/${link.id}`);

      const hook = await made('/projects/101/webhooks', {
        url: 'https://tides.example.org/hook',
        events: ['artifact.created', 'artifact.updated'],
      });
      await page.goto(`${site.url}${address}/webhooks`);
      await page.getByRole('button', { name: /^Actions.*tides/ }).click();
      await page.getByRole('menuitem', { name: 'Change' }).click();
      await dialog.getByRole('checkbox', { name: 'artifact.deleted' }).check({ force: true });
      await site.admin.patch(`/webhooks/${hook.id}`, { events: ['artifact.created', 'comment.edited'] });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const { body: after } = await site.admin.get(`/webhooks/${hook.id}`);
      expect(after.events.toSorted()).toEqual(['artifact.created', 'artifact.deleted', 'comment.edited']);
      await site.admin.delete(`/webhooks/${hook.id}`);

      const group = await made('/user_groups', {
        project_id: 101,
        short_name: 'pilots',
        description: 'Who steers',
      });
      await page.goto(`${site.url}${address}/groups`);
      await page.getByRole('button', { name: 'Change pilots' }).click();
      const about = dialog.getByLabel('Description');
      await about.waitFor();
      expect(await about.inputValue()).toBe('Who steers');
      await about.fill('Who steers at night');
      await site.admin.patch(`/user_groups/${group.id}`, { description: 'Who steers by day' });
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByText('Description, theirs: Who steers by day').waitFor();
      await dialog.getByRole('button', { name: 'Take theirs' }).click();
      expect(await about.inputValue()).toBe('Who steers by day');
      await site.admin.delete(`/user_groups/${group.id}`);
    },
  );

  thoroughTest(
    'who loses the right to a page while something is typed there keeps the words, and is told when they save',
    async () => {
      const administrators = (add: object[], remove: object[]) =>
        site.admin.patch('/user_groups/101_4/users', { add, remove });
      const bruno = { username: 'bruno' };
      expect((await administrators([bruno], [])).status).toBe(200);
      const page = await site.visit({ as: 'bruno', path: `${address}/details` });
      const description = page.getByLabel('Description');
      await description.fill('Words of Bruno');
      expect((await administrators([], [bruno])).status).toBe(200);
      // The menu tells that the page has heard of it.
      await expect.poll(() => entries(page)).not.toContain('Labels');
      await page.getByRole('button', { name: 'Save', exact: true }).first().click();
      await page.getByText('Only project administrators may do this.').waitFor();
      expect(await description.inputValue()).toBe('Words of Bruno');
      await page.getByRole('link', { name: /^Back/ }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
      await page.goto(`${site.url}${address}/details`);
      await page.getByRole('heading', { name: 'You may not see this' }).waitFor();
    },
  );

  thoroughTest(
    'what is brought back on a slow line comes back once, however often its button is pressed',
    async () => {
      const tracker = await made('/projects/101/trackers', { label: 'Flags', item_name: 'flag' });
      expect((await site.admin.delete(`/trackers/${tracker.id}`)).status).toBe(200);
      const page = await site.visit({ as: 'ada', path: `${address}/trash` });
      const goOn = Promise.withResolvers<void>();
      let sent = 0;
      await page.route(`**/api/deleted_trackers/${tracker.id}/restore`, async (route) => {
        sent++;
        await goOn.promise;
        await route.fallback();
      });
      const button = page.getByRole('button', { name: 'Bring Flags back' });
      await button.click();
      await button.click({ force: true });
      await button.press('Enter');
      goOn.resolve();
      await page.getByText('Flags is back.').first().waitFor();
      await button.waitFor({ state: 'detached' });
      expect(sent).toBe(1);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect((await site.admin.delete(`/trackers/${tracker.id}`)).status).toBe(200);
    },
  );

  test('P12.7 a project taken out as an archive and brought in again is the same project', {
    timeout: 300_000,
  }, async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/lighthouse/admin/archive' });
    const saving = page.waitForEvent('download', { timeout: 120_000 });
    await page.getByRole('link', { name: 'Download: Everything' }).click();
    const path = await (await saving).path();
    await goInside(page, '/admin/imports');
    await page.getByRole('button', { name: 'Import an archive' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import an archive' });
    await dialog.getByLabel('Archive', { exact: true }).setInputFiles(path);
    await dialog.getByLabel(/^Another short name/).fill('lighthouse-again');
    await dialog.getByRole('checkbox', { name: /Only check/ }).uncheck({ force: true });
    await dialog.getByRole('button', { name: 'Import it' }).click();
    const open = page.getByRole('link', { name: 'Open lighthouse-again' });
    await open.waitFor({ timeout: 240_000 });
    await open.click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const projectOf = async (shortname: string): Promise<{ id: number; description: string }> => {
      const query = encodeURIComponent(JSON.stringify({ shortname }));
      return (await site.admin.get(`/projects?query=${query}`)).body[0];
    };
    /** What a project has, without what every copy has of its own: ids, addresses and times. */
    const contentOf = async (shortname: string) => {
      const { id } = await projectOf(shortname);
      const { body: trackers } = await site.admin.get(`/projects/${id}/trackers?limit=50`);
      const content: unknown[] = [];
      for (const tracker of trackers) {
        const fields = tracker.fields.map(({ name, label, type, required }: Record<string, unknown>) => [
          name,
          label,
          type,
          required,
        ]);
        const artifacts = await site.admin.get(`/trackers/${tracker.id}/artifacts?limit=100&values=all`);
        const titles = artifacts.body.map(({ title, status }: Record<string, unknown>) => [title, status]);
        const steps = tracker.workflow?.transitions?.length ?? 0;
        content.push([tracker.item_name, tracker.label, tracker.color_name, fields, steps, titles]);
      }
      const { body: groups } = await site.admin.get(`/projects/${id}/user_groups`);
      const { body: members } = await site.admin.get(`/user_groups/${id}_3/users?limit=50`);
      const { body: svn } = await site.admin.get(`/projects/${id}/svn`);
      return {
        content,
        groups: groups.map(({ short_name: name }: { short_name: string }) => name),
        members: members.map(({ username }: { username: string }) => username).sort(),
        repositories: svn.repositories.map(({ name }: { name: string }) => name),
      };
    };
    expect(await contentOf('lighthouse-again')).toEqual(await contentOf('lighthouse'));
  });

  thoroughTest(
    'the history tells of forms and workflow with before and after, and is narrowed by what happened',
    async () => {
      const made = await site.admin.post('/projects/101/trackers', { label: 'Told', item_name: 'told' });
      expect(made.status, made.text).toBe(201);
      await site.admin.patch(`/trackers/${made.body.id}/settings`, { label: 'Retold' });
      const page = await site.visit({ as: 'admin', path: '/projects/lighthouse/admin/history' });
      const row = page.getByRole('row', { name: /Tracker changed.*Retold: label/ });
      await row.waitFor();
      expect(await row.locator('del').textContent()).toBe('Told');
      expect(await row.locator('ins').textContent()).toBe('Retold');
      await page.getByRole('button', { name: /What/ }).click();
      await page.getByRole('option', { name: 'Tracker created', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /Tracker created.*Told/ }).waitFor();
      expect(await page.getByRole('row', { name: /Tracker changed/ }).count()).toBe(0);
    },
  );

  test('P12.8 services are moved by keys and drag; the menu follows', async () => {
    const links = ['Tides', 'Weather'];
    for (const label of links)
      await made('/projects/101/project_services', { label, service_url: `/${label.toLowerCase()}` });
    const page = await site.visit({ as: 'ada', path: `${address}/services` });
    await page.getByRole('button', { name: 'Move Weather up' }).click();
    const order = async () => {
      const { body } = await site.admin.get('/projects/101/project_services?limit=50');
      return body
        .map(({ label }: { label: string }) => label)
        .filter((label: string) => links.includes(label));
    };
    await eventually(async () => expect(await order()).toEqual(['Weather', 'Tides']));
    const other = await site.visit({ as: 'bruno', path: '/projects/lighthouse' });
    const tools = other.getByRole('region', { name: 'Lighthouse Keeper' });
    await tools.getByRole('link', { name: 'Weather' }).waitFor();
    const names = await tools.getByRole('link').allTextContents();
    expect(names.indexOf('Weather')).toBeLessThan(names.indexOf('Tides'));
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Tides' })
      .dragTo(page.getByRole('listitem').filter({ hasText: 'Home' }));
    await eventually(async () => expect(await order()).toEqual(['Tides', 'Weather']));
  });

  thoroughTest(
    'whoever deletes by keys is at the next row then, and at the next control where theirs goes off',
    async () => {
      for (const label of ['z aft', 'z bow', 'z keel']) await made('/projects/101/labels', { label });
      const page = await site.visit({ as: 'ada', path: `${address}/labels` });
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      const remove = async (name: string) => {
        await page.getByRole('button', { name: `Delete ${name}`, exact: true }).press('Enter');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
        await page.getByText(`${name} was deleted.`).waitFor({ state: 'attached' });
        await page.getByRole('row', { name }).waitFor({ state: 'detached' });
      };
      await remove('z bow');
      await eventually(async () => expect(await focused()).toBe('Delete z keel'));
      await remove('z keel');
      await eventually(async () => expect(await focused()).toBe('Delete z aft'));
      await remove('z aft');
      await eventually(async () =>
        expect(await page.evaluate(() => document.activeElement?.closest('main') === null)).toBe(false),
      );

      await made('/projects/101/project_services', { label: 'Currents', service_url: '/currents' });
      await page.goto(`${site.url}${address}/services`);
      const up = page.getByRole('button', { name: 'Move Currents up' });
      await up.focus();
      const list = page.getByRole('list', { name: 'Services' }).getByRole('listitem');
      // A press while the move before it is stored moves nothing.
      await eventually(async () => {
        if ((await list.first().textContent())?.includes('Currents') !== true)
          await page.keyboard.press('Enter');
        expect(await list.first().textContent()).toContain('Currents');
      });
      await eventually(async () => expect(await focused()).toBe('Move Currents down'));
    },
  );
});
