import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { en as first } from '../src/messages/en.ts';
import { en as entry } from '../src/messages/en-entry.ts';
import { en as rest } from '../src/messages/en-later.ts';
import { fr as firstInFrench } from '../src/messages/fr.ts';
import { fr as entryInFrench } from '../src/messages/fr-entry.ts';
import { fr as restInFrench } from '../src/messages/fr-later.ts';
import { isAway } from './harness/faults.ts';
import { goInside } from './harness/inside.ts';
import {
  lacksBrowser,
  lacksSubversion,
  password,
  type Site,
  startSite,
  thoroughTest,
  untilAnswersKept,
  untilKept,
} from './harness/site.ts';

/** All words of a language that are more than one letter; names that both languages write alike are in both. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return /\p{L}{3}/u.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** A busy machine may take its time. */
const soon: typeof expect.poll = (look) => expect.poll(look, { timeout: 60_000 });

describe.skipIf(lacksBrowser)('what holds on every page', () => {
  let site: Site;
  /** A bug of the demo that nobody else here changes. */
  let bug: { id: number; title: string; xref: string };
  beforeAll(async () => {
    site = await startSite({}, { isAlone: true });
    const { body } = await site.admin.get('/trackers/5/artifact_rows?limit=1&sort=-id');
    bug = body.rows[0];
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first();

  test('W-1 W-2 addresses that the API hands out lead to pages that name the thing, also after a reload', async () => {
    const { body: project } = await site.admin.get('/projects/101');
    const { body: trackers } = await site.admin.get('/projects/101/trackers');
    const { body: people } = await site.admin.get('/user_groups/101_3/users?limit=50');
    const { body: services } = await site.admin.get('/projects/101/project_services?limit=50');
    const { body: found } = await site.admin.get('/trackers/5/artifact_rows?limit=1&sort=-id');
    const bare = project.label_without_icon;
    const named: [address: string, name: string][] = [
      [`/projects/${project.shortname}`, bare],
      [`/projects/${project.id}`, bare],
      ...trackers
        .slice(0, 2)
        .map(({ html_url: address, label }: { html_url: string; label: string }) => [address, label]),
      ...people
        .slice(0, 2)
        .map(({ user_url: address, real_name: name }: { user_url: string; real_name: string }) => [
          address,
          name,
        ]),
      ...services
        .filter(
          (service: { is_enabled: boolean; name: string }) =>
            service.is_enabled && service.name === 'summary',
        )
        .map(({ service_url: address }: { service_url: string }) => [address, bare]),
    ];
    for (const { id, title } of found.rows) {
      const { body: artifact } = await site.admin.get(`/artifacts/${id}`);
      named.push([artifact.html_url, title], [`/goto?key=bug&val=${id}&group_id=101`, title]);
    }
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    const reloaded = new Set<string>();
    for (const [address, name] of named) {
      const answer = await page.goto(new URL(address, site.url).href);
      expect({ address, status: answer?.status() }).toEqual({ address, status: 200 });
      const naming = page.getByRole('heading', { name }).or(page.getByRole('navigation').getByText(name));
      await naming.first().waitFor();
      await soon(() => page.title()).toContain(name);
      const shown = page.url();
      const kind = new URL(shown).pathname.split('/')[1] ?? '';
      if (reloaded.has(kind)) continue;
      reloaded.add(kind);
      await page.reload();
      await naming.first().waitFor();
      expect(page.url()).toBe(shown);
    }
    expect([...reloaded].sort()).toEqual(['artifacts', 'projects', 'trackers', 'users']);
  });

  thoroughTest(
    'in narrow windows nothing lies over something else, is squeezed or out of reach, and on paper a title comes first',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/', width: 640 });
      const boxOf = async (found: ReturnType<Page['getByText']>) => {
        await found.waitFor();
        const box = await found.boundingBox();
        if (box === null) throw new Error(`${found} is not seen`);
        return { ...box, right: box.x + box.width, bottom: box.y + box.height };
      };
      for (const width of [640, 920]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(site.url);
        const tabs = await boxOf(page.getByRole('tablist'));
        expect((await boxOf(page.getByRole('button', { name: /Group/ }))).y).toBeGreaterThanOrEqual(
          tabs.bottom,
        );
        await page.goto(`${site.url}/search?words=lamp`);
        const titles = page.getByRole('region', { name: 'What was found' }).getByRole('link');
        expect((await boxOf(titles.first())).height).toBeLessThan(160);
        if (lacksSubversion) continue;
        await page.goto(`${site.url}/projects/lighthouse/svn/lamp`);
        const name = page.getByRole('link', { name: 'branches' }).getByText('branches');
        await name.waitFor();
        expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      }
      await page.setViewportSize({ width: 640, height: 800 });
      await page.goto(`${site.url}/artifacts/${bug.id}`);
      const fact = page.getByText('Severity', { exact: true }).first();
      expect((await boxOf(fact)).y).toBeGreaterThan((await boxOf(heading(page))).bottom);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('complementary', { name: 'Facts' }).getByText('Severity').waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 718, height: 1000 });
      expect((await boxOf(fact)).y).toBeGreaterThan((await boxOf(heading(page))).bottom);
      expect((await boxOf(fact)).y).toBeLessThan((await boxOf(page.getByText('Timeline').first())).y);
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(`${site.url}/trackers/5?open=${bug.id}`);
      await page.getByRole('button', { name: 'More', exact: true }).first().waitFor();
      expect((await boxOf(page.getByRole('button', { name: 'Close the panel' }))).right).toBeLessThanOrEqual(
        320,
      );
    },
  );

  thoroughTest('on paper a board has all its columns, and what only keys need is not there', async () => {
    const page = await site.visit({ as: 'ada', path: '/trackers/5?view=board', width: 718, height: 1000 });
    const last = page.getByRole('main').getByText('Rejected', { exact: true });
    await last.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(718);
    const { x = 0, width = 0 } = (await last.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(718);
    expect(await page.getByRole('link', { name: 'Skip to the content' }).count()).toBe(0);
  });

  const openForFingers = async (viewport: { width: number; height: number }): Promise<Page> => {
    const context = await site.browser.newContext({
      viewport,
      isMobile: true,
      hasTouch: true,
      locale: 'en',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    });
    await site.signIn(context, 'ada');
    return context.newPage();
  };

  describe.each([
    ['a phone', { width: 390, height: 844 }],
    ['a tablet', { width: 1024, height: 768 }],
  ] as const)('on %s', (_, viewport) => {
    let page: Page;
    beforeEach(async () => {
      page = await openForFingers(viewport);
    });
    afterEach(() => page.context().close());

    /** Controls that are smaller than 44 px in either direction, where one presses. Tables and words in a text are dense. */
    const tooSmall = () =>
      page.evaluate(() => {
        const controls = 'a[href], button, summary, label, input, [role=tab], [role=radio]';
        const isDense = (control: Element) =>
          control.closest('table, [role=row], [inert]') !== null ||
          getComputedStyle(control).display === 'inline';
        const isFit = (control: Element) => {
          control.scrollIntoView({ block: 'center', inline: 'center' });
          const { x, y, width, height } = control.getBoundingClientRect();
          const [across, along] = [x + Math.min(width / 2, 30), y + height / 2];
          const isHit = (right: number, down: number) =>
            control.contains(document.elementFromPoint(across + right, along + down));
          const reach = (right: number, down: number) => {
            let steps = 0;
            while (steps < 44 && isHit(right * steps, down * steps)) steps += 1;
            return steps;
          };
          // Without the line around it, and what a row of a list shares with the next.
          const least = 41;
          return reach(-1, 0) + reach(1, 0) >= least && reach(0, -1) + reach(0, 1) >= least;
        };
        return [...document.querySelectorAll(controls)]
          .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
          .filter(
            (control) =>
              !isDense(control) &&
              !control.matches('label input, label[for], [aria-hidden] *, [href="#main"]'),
          )
          .filter((control) => !isFit(control))
          .map((control) => control.outerHTML.slice(0, 200));
      });

    thoroughTest.each([
      ['/projects/lighthouse', 'Repositories'],
      ['/trackers/5?group=status', 'Confirmed'],
      ['/artifacts/151', 'Photo is turned by ninety degrees'],
      ['/account/security', 'Password'],
    ])('what can be pressed on %s is large enough for a finger', async (path, words) => {
      await page.goto(site.url + path);
      await page.getByText(words).or(page.getByLabel(words)).first().waitFor();
      await soon(tooSmall).toEqual([]);
    });
  });

  thoroughTest('what shows below a pointer elsewhere is there at once on a tablet', async () => {
    const page = await openForFingers({ width: 1024, height: 768 });
    await page.goto(`${site.url}/artifacts/151`);
    const opacity = (name: string) =>
      page
        .getByRole('button', { name })
        .first()
        .evaluate((button) => getComputedStyle(button).opacity);
    await page
      .getByRole('button', { name: /^Unlink/ })
      .first()
      .waitFor();
    expect(await opacity('Actions on this comment')).toBe('1');
    await page.goto(`${site.url}/trackers/5`);
    expect(await opacity('Column Status')).toBe('1');
    await page.context().close();
  });

  thoroughTest(
    'in forced colours the word of what is chosen is seen, and names in charts have the colours of their parts',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/trackers/5?view=charts' });
      await page.emulateMedia({ forcedColors: 'active' });
      const names = page.getByRole('region', { name: 'Created and closed' }).getByRole('list').locator('i');
      await names.nth(1).waitFor();
      const grounds = await names.evaluateAll((marks) =>
        marks.map((mark) => getComputedStyle(mark).backgroundColor),
      );
      expect(new Set(grounds).size).toBe(2);
      /** Words that keep their own colours have no ground of the page behind them. */
      const keepsColours = (found: ReturnType<Page['getByRole']>) =>
        found.evaluate((element) => getComputedStyle(element).forcedColorAdjust);
      await page.getByRole('button', { name: /^By/ }).click();
      await page.keyboard.press('ArrowDown');
      expect(await keepsColours(page.locator('[role^=menuitem]:focus'))).toBe('none');
      await page.keyboard.press('Escape');
      await page.goto(`${site.url}/account/appearance`);
      const chosen = page
        .getByRole('radio', { name: 'Comfortable' })
        .and(page.locator('[aria-checked=true]'));
      expect(await keepsColours(chosen)).toBe('none');
    },
  );

  thoroughTest('a page asks for the same thing once, and not for what is not shown', async () => {
    const { body: project } = await site.admin.post('/projects', {
      shortname: 'asked-once',
      label: 'Asked once',
      is_public: true,
      xml_template_name: 'empty',
    });
    const { body: tracker } = await site.admin.post(`/projects/${project.id}/trackers`, {
      label: 'Still empty',
      item_name: 'empty',
    });
    const asked: string[] = [];
    const visited: string[] = [];
    const page = await site.visit({ as: 'admin', path: '/robots.txt' });
    // What was just made is told to pages, which ask again for what it may have changed.
    await page.route('**/api/events?*', () => {});
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      const isRead = request.method() === 'GET' && pathname.startsWith('/api/') && pathname !== '/api/events';
      if (isRead) asked.push(pathname + search);
      if (pathname === '/api/users/self/history') visited.push(request.postDataJSON().uri);
    });
    const open = async (path: string, whenThere: () => Promise<unknown>) => {
      asked.length = 0;
      await page.goto(site.url + path);
      await whenThere();
      return asked.filter((address, place) => asked.indexOf(address) !== place);
    };
    const text = (words: string) => () => page.getByRole('main').getByText(words).first().waitFor();
    expect(await open('/', text('Open and unassigned'))).toEqual([]);
    const people = page.getByRole('row', { name: /^Project members/ }).getByText(/^\d+$/);
    expect(await open('/projects/lighthouse/admin/groups', () => people.waitFor())).toEqual([]);
    expect(await open('/projects/lighthouse/admin/webhooks', text('No webhooks yet'))).toEqual([]);
    expect(await open('/account/notifications', text('Mute a tracker'))).toEqual([]);
    // Those of projects that nobody looks at come when they are chosen from.
    expect(asked).not.toContain(`/api/projects/${project.id}/tracker_overviews`);
    const choice = page.getByRole('button', { name: /Mute a tracker/ });
    const words = 'Not in these hours.';
    await page.route(
      `**/api/projects/${project.id}/tracker_overviews`,
      (route) =>
        route.fulfill({ status: 403, json: { error: { code: 403, message: `Forbidden: ${words}` } } }),
      { times: 1 },
    );
    await choice.click();
    await page.getByText(words).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await choice.click();
    await page.getByRole('option', { name: 'Still empty' }).waitFor();
    await page.keyboard.press('Escape');

    await open('/projects/asked-once', text('Still empty'));
    expect(asked).toContain(`/api/projects/${project.id}/tracker_overviews`);
    expect(asked.filter((address) => address.startsWith(`/api/trackers/${tracker.id}`))).toEqual([]);

    // What one looks at is noted once, although the page is drawn before and after its tracker has come.
    await soon(() => visited).toContain(project.uri);
    visited.length = 0;
    await open(`/trackers/${tracker.id}`, () =>
      page.getByRole('link', { name: 'Still empty' }).first().waitFor(),
    );
    await goInside(page, '/projects/asked-once');
    await soon(() => visited).toContain(project.uri);
    expect(visited).toEqual([`trackers/${tracker.id}`, project.uri]);
  });

  test('W-4 somebody who is shown in ten places has another name in all of them by one answer', async () => {
    const comments = Array.from({ length: 8 }, (_, index) => `Said ${index} times`);
    const { body: made } = await site.as('bruno').post('/artifacts', {
      tracker: { id: 5 },
      values: [
        { field_id: 195, value: 'The lens is dusty' },
        { field_id: 201, bind_value_ids: [103] },
      ],
    });
    for (const body of comments)
      await site.as('bruno').put(`/artifacts/${made.id}`, { values: [], comment: { body, format: 'text' } });
    const page = await site.visit({ as: 'bruno', path: `/artifacts/${made.id}` });
    await page.getByText('Said 7 times').waitFor();
    const places = (name: string) => page.getByText(name).or(page.getByLabel(name)).count();
    const { body: bruno } = await site.as('bruno').get('/users/self');
    const before = await places(bruno.real_name);
    expect(before).toBeGreaterThanOrEqual(10);

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('> account');
    await page.getByRole('dialog').getByRole('option').first().click();
    const name = page.getByRole('textbox', { name: 'Real name' });
    await name.fill('Bruno of the Lamp');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).first().waitFor();
    // From here on nothing more is told of artifacts.
    await page.context().route('**/api/artifacts/**', () => undefined);
    await page.goBack();
    await page.getByText('Said 7 times').waitFor();
    await soon(() => places('Bruno of the Lamp')).toBe(before);
    expect(await places(bruno.real_name)).toBe(0);
    await site.as('bruno').patch('/users/self/profile', { real_name: bruno.real_name });
  });

  test('W-5 without a server a change and a comment wait, survive a reload, and are stored once', async () => {
    const page = await site.visit({
      as: 'ada',
      path: `/artifacts/${bug.id}`,
      hasWorker: true,
      expecting: isAway,
    });
    await heading(page).waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    await heading(page).waitFor();
    await untilKept(page);
    const before = await site.admin.get(`/artifacts/${bug.id}/changesets?limit=50`);
    await site.stopServer();
    await page.keyboard.press('m');
    const box = page.getByRole('textbox', { name: 'Comment' });
    await box.fill('Written while nobody listened');
    await page.keyboard.press('Control+Enter');
    await page
      .locator('#root')
      .getByText(/1 change waits to be saved/)
      .waitFor();
    await page.reload();
    await page
      .locator('#root')
      .getByText(/1 change waits to be saved/)
      .waitFor();
    await site.startServer();
    await eventually(async () => expect((await fetch(site.url)).status).toBe(200));
    await page.getByRole('button', { name: 'Try now' }).click();
    const after = await eventually(async () => {
      const { body } = await site.admin.get(`/artifacts/${bug.id}/changesets?limit=50`);
      expect(body.length).toBe(before.body.length + 1);
      return body;
    });
    const comments = after.filter(({ last_comment: said }: { last_comment: { body: string } | null }) =>
      said?.body.includes('Written while nobody listened'),
    );
    expect(comments).toHaveLength(1);
  });

  test('W-15 by keyboard alone: sign in, find an artifact, change its status, comment, move a card, sign out', async () => {
    const { body: made } = await site.admin.post('/artifacts', {
      tracker: { id: 5 },
      values: [
        { field_id: 195, value: 'The capstan needs two hands' },
        // What the step to "In progress" asks for.
        { field_id: 201, bind_value_ids: [102] },
      ],
    });
    const page = await site.visit({ path: '/login' });
    const { keyboard } = page;
    const name = page.getByRole('textbox', { name: 'Name' });
    await soon(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
    await keyboard.type('ada');
    await keyboard.press('Tab');
    await keyboard.type(password);
    await keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();

    /** Opens the palette, types, and goes down to a line. */
    const choose = async (words: string, line: RegExp) => {
      await keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      await keyboard.type(words);
      const options = page.getByRole('dialog').getByRole('option');
      await options.filter({ hasText: line }).first().waitFor();
      let [last, key] = ['', 'ArrowDown'];
      await soon(async () => {
        const current = (await page.locator('[role=option][data-focused]').allTextContents()).join();
        if (line.test(current)) return true;
        // At the end of the list, which may have grown above meanwhile.
        if (current !== '' && current === last) key = key === 'ArrowDown' ? 'ArrowUp' : 'ArrowDown';
        last = current;
        await keyboard.press(key);
        return false;
      }).toBe(true);
      await keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await choose('capstan needs', /The capstan needs two hands/);
    await page.getByRole('heading', { level: 1, name: 'The capstan needs two hands' }).waitFor();

    await keyboard.press('s');
    const steps = page.getByRole('menu', { name: 'Status' });
    await steps.getByRole('menuitemradio').or(steps.getByRole('menuitem')).first().waitFor();
    await keyboard.type('Confirmed');
    await keyboard.press('Enter');
    await soon(async () => (await site.admin.get(`/artifacts/${made.id}`)).body.status).toBe('Confirmed');

    await keyboard.press('m');
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await soon(() => comment.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await keyboard.type('Two hands, then');
    await keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Timeline' }).getByText('Two hands, then').waitFor();
    // Letters are for the page again.
    await keyboard.press('Escape');
    await soon(() => comment.evaluate((element) => element.contains(document.activeElement))).toBe(false);

    await choose('Bugs', /^Bugs/);
    await page.getByRole('grid').waitFor();
    await keyboard.press('v');
    await keyboard.press('b');
    const card = page.getByRole('link', { name: /The capstan needs two hands/ });
    await card.waitFor();
    // How keys go from card to card is held by the tests of the board.
    await card.focus();
    await keyboard.press('Shift+M');
    await page
      .getByRole('menu')
      .getByRole('menuitem', { name: /^In progress/ })
      .waitFor();
    await keyboard.type('In progress');
    await keyboard.press('Enter');
    await soon(async () => (await site.admin.get(`/artifacts/${made.id}`)).body.status).toBe('In progress');

    // The line below it searches for the same words.
    await choose('Sign out', /^Sign out/);
    await name.waitFor();
  });

  thoroughTest(
    'whoever signs out while a change is on its way is asked, and is signed out as soon as it is stored',
    async () => {
      const title = 'The lamp was left burning';
      const { body: made } = await site.admin.post('/artifacts', {
        tracker: { id: 5 },
        values: [{ field_id: 195, value: title }],
      });
      const page = await site.visit({ as: 'ada', path: `/artifacts/${made.id}` });
      const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
      await page.route(`**/api/artifacts/${made.id}`, async (route) => {
        if (route.request().method() === 'PUT') await mayGoOn;
        await route.continue();
      });
      await page.getByRole('button', { name: title }).click();
      await page.getByRole('textbox', { name: 'Edit the title' }).fill(`${title}, said in leaving`);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Menu of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('alertdialog').getByText('One change is not saved yet.').waitFor();
      goOn();
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      expect((await site.admin.get(`/artifacts/${made.id}`)).body.title).toBe(`${title}, said in leaving`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    },
  );

  test('W-9 a comment half written survives a reload, other pages and a browser that is killed', async () => {
    const page = await site.visit({ as: 'chiara', path: `/artifacts/${bug.id}` });
    await heading(page).waitFor();
    await page.keyboard.press('m');
    const box = page.getByRole('textbox', { name: 'Comment' });
    await box.fill('Half of a thou');
    await page
      .getByText(/^Draft/)
      .first()
      .waitFor();
    await page.reload();
    await box.getByText('Half of a thou').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await page.goBack();
    await box.getByText('Half of a thou').waitFor();
    // Killed: nothing is told to the page before it is gone, and no answer comes from it.
    const protocol = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    void protocol.send('Page.crash').catch(() => undefined);
    await crashed;
    const after = await page.context().newPage();
    await after.goto(`${site.url}/artifacts/${bug.id}`);
    await after.getByRole('textbox', { name: 'Comment' }).getByText('Half of a thou').waitFor();
  });

  const idOf = async (name: string): Promise<number> =>
    (await site.admin.get(`/users?query=${name}`)).body[0].id;

  /** Holds on to what the device keeps of a person, until the page is put aside or told to let go. */
  const hold = (page: Page, person: number, stores = ['answers', 'changes']) =>
    page.evaluate(
      ([id, names]) =>
        new Promise<void>((held) => {
          const opening = indexedDB.open(`atelier-${id}`);
          opening.onsuccess = () => {
            const transaction = opening.result.transaction(names, 'readwrite');
            transaction.onabort = () => Object.assign(window, { holds: 'no more' });
            const store = transaction.objectStore(names[0] ?? '');
            const goOn = () => {
              if (Reflect.get(window, 'holds') !== 'no more') store.count().onsuccess = goOn;
              held();
            };
            goOn();
          };
        }),
      [person, stores] as const,
    );
  const letGo = (page: Page) => page.evaluate(() => Object.assign(window, { holds: 'no more' }));

  thoroughTest('what a device gives late does not reach somebody else who is there by then', async () => {
    const page = await site.visit({ as: 'ada', path: `/artifacts/${bug.id}`, expecting: [/ERR_FAILED/] });
    const waiting = (of: Page) => of.locator('#root').getByText(/1 change waits to be saved/);
    await page.route(`**/api/artifacts/${bug.id}*`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    );
    await heading(page).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Comment' }).fill('Said by Ada');
    await page.keyboard.press('Control+Enter');
    await waiting(page).waitFor();
    const ada = await idOf('ada');
    await hold(page, ada);
    await site.signIn(page.context(), 'bruno');
    const other = await page.context().newPage();
    const sent: string[] = [];
    other.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    await other.goto(`${site.url}/artifacts/${bug.id}`);
    await other.getByRole('button', { name: /^Menu of Bruno/ }).waitFor();
    await letGo(page);
    // Asked for after what the page asked for, and drawn after what became of that.
    await other.evaluate(
      (id) =>
        new Promise<void>((read) => {
          const opening = indexedDB.open(`atelier-${id}`);
          opening.onsuccess = () => {
            const asked = opening.result.transaction('changes').objectStore('changes').count();
            asked.onsuccess = () => requestAnimationFrame(() => requestAnimationFrame(() => read()));
          };
        }),
      ada,
    );
    expect(await waiting(other).count()).toBe(0);
    expect(sent.filter((address) => address.includes('/artifacts/'))).toEqual([]);
  });

  thoroughTest(
    'a page comes while another one holds on to what the device keeps, and one that is put aside lets go of it',
    async () => {
      const page = await site.visit({ as: 'ada', path: `/artifacts/${bug.id}` });
      await heading(page).waitFor();
      // Once the page stands it knows of what it begins.
      await page.waitForFunction(() => !/native code/.test(String(IDBDatabase.prototype.transaction)));
      await hold(page, await idOf('ada'));
      const other = await page.context().newPage();
      await other.goto(`${site.url}/artifacts/${bug.id}`);
      await other.locator('#root').getByRole('heading', { name: bug.title }).waitFor();
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
      await page.waitForFunction(() => Reflect.get(window, 'holds') === 'no more');
    },
  );

  thoroughTest(
    'what is read is kept, however long the device takes to tell that what it has is of another version',
    async () => {
      const page = await site.visit({ as: 'ada', path: `/artifacts/${bug.id}` });
      await heading(page).waitFor();
      await untilAnswersKept(page, ['standing']);
      const ada = await idOf('ada');
      await page.evaluate(
        (id) =>
          new Promise<void>((done) => {
            const opening = indexedDB.open(`atelier-${id}`);
            opening.onsuccess = () => {
              const transaction = opening.result.transaction('facts', 'readwrite');
              transaction.objectStore('facts').put('another', 'contract');
              transaction.oncomplete = () => done();
            };
          }),
        ada,
      );
      await hold(page, ada, ['facts']);
      const other = await page.context().newPage();
      await other.goto(`${site.url}/artifacts/${bug.id}`);
      await other.locator('#root').getByRole('heading', { name: bug.title }).waitFor();
      // Set after the one by which a page writes what it has read, and longer: by then that one has struck.
      await other.evaluate(() => new Promise((struck) => setTimeout(struck, 600)));
      await letGo(page);
      await untilAnswersKept(other, ['standing', `artifacts/${bug.id}`]);
    },
  );

  test('W-12 a page that misses a part of its build after an upgrade loads itself anew, and keeps the draft', async () => {
    const page = await site.visit({
      as: 'ada',
      path: `/artifacts/${bug.id}`,
      // Told or not, depending on what is sooner: the words about it, or the page that is loaded anew.
      expecting: [/\/assets\/account-/],
    });
    await heading(page).waitFor();
    await page.keyboard.press('m');
    const box = page.getByRole('textbox', { name: 'Comment' });
    await box.fill('Written before the upgrade');
    await page
      .getByText(/^Draft/)
      .first()
      .waitFor();
    await page.route('**/api/platform/about', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), build: 'another' } });
    });
    let isOld = true;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false;
    });
    await page.route('**/assets/account-*.js', (route) =>
      isOld ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    expect(isOld).toBe(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(`${site.url}/artifacts/${bug.id}`);
    await box.getByText('Written before the upgrade').waitFor();

    // Without an upgrade the network is away, and asking again helps once it is back.
    await page.route('**/assets/account-*', (route) => route.abort());
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });

  test('17.13 a new version is told of, and Reload keeps the draft', async () => {
    const page = await site.visit({ as: 'ada', path: '/help', expecting: [/503/] });
    await heading(page).waitFor();
    let isUpgraded = false;
    await page.route('**/api/platform/about', async (route) => {
      const answer = await route.fetch();
      const about = await answer.json();
      await route.fulfill({ response: answer, json: isUpgraded ? { ...about, build: 'another' } : about });
    });
    // The stream of the new server says at once which build it has.
    const hello = { build: 'another', now: new Date().toISOString(), topics: ['user'] };
    await page.route('**/api/events?*', (route) =>
      isUpgraded
        ? route.fulfill({
            contentType: 'text/event-stream',
            body: `retry: 2000\nid: 1\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`,
          })
        : route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: {} }),
    );
    await page.goto(`${site.url}/artifacts/${bug.id}`);
    await heading(page).waitFor();
    await page.keyboard.press('m');
    const box = page.getByRole('textbox', { name: 'Comment' });
    await box.fill('Half of a thought');
    await page
      .getByText(/^Draft/)
      .first()
      .waitFor();
    isUpgraded = true;
    await page.getByText('There is a new version of Atelier.').waitFor({ timeout: 60_000 });
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Reload' }).click();
    await loaded;
    // What the new document asked for is answered first.
    await page.unrouteAll({ behavior: 'wait' });
    await box.getByText('Half of a thought').waitFor();
  });

  test('W-16 no English word of ours is left on pages in French', async () => {
    const english = new Set(textsOf({ ...first, ...entry, ...rest }));
    const french = new Set(textsOf({ ...firstInFrench, ...entryInFrench, ...restInFrench }));
    // Names that people gave to their fields and values are as they gave them.
    const { body: trackers } = await site.admin.get('/projects/101/trackers');
    const given = new Set(textsOf(trackers));
    const page = await site.visit({ as: 'ada', path: '/', language: 'fr' });
    const left: string[] = [];
    for (const path of [
      '/projects',
      '/',
      '/projects/lighthouse',
      '/projects/lighthouse/members',
      '/trackers/5',
      `/artifacts/${bug.id}`,
      '/search?words=lamp',
      '/query',
      '/account/profile',
      '/account/keys',
      '/account/appearance',
      '/help',
      '/nowhere',
    ]) {
      await goInside(page, path);
      await heading(page).waitFor();
      const seen = await page.evaluate(() => {
        const texts: string[] = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
          // What was found is written by people: the words around what is marked may be any.
          if (node.parentElement?.closest('[lang=en], :has(> mark)') === null)
            texts.push(node.textContent?.trim() ?? '');
        for (const element of document.querySelectorAll('[aria-label]'))
          texts.push(element.getAttribute('aria-label') ?? '');
        return texts;
      });
      for (const text of seen)
        if (english.has(text) && !french.has(text) && !given.has(text)) left.push(`${path}: ${text}`);
    }
    expect(left).toEqual([]);
    // Keys are called as on French keyboards.
    await goInside(page, '/help/keys');
    await page.getByText('Maj', { exact: true }).first().waitFor();
    await expect(page.locator('kbd', { hasText: /^(Shift|Esc|Up|Down|Left|Right)$/ }).count()).resolves.toBe(
      0,
    );
  });

  test('W-14 texts with tricks have no effect anywhere', async () => {
    const tricks = [
      '<script>window.tricked = 1</script>',
      '<img src=x onerror="window.tricked = 1">',
      '<svg onload="window.tricked = 1"><a xlink:href="javascript:window.tricked=1"><text>x</text></a></svg>',
      '<math><mtext><table><mglyph><style><img src=x onerror="window.tricked=1">',
      '<a href="javascript:window.tricked = 1">here</a>',
      '<a href="java&#10;script:window.tricked = 1">here</a>',
      '<style>body { display: none }</style>',
      '<base href="https://example.org/">',
      '<meta http-equiv="refresh" content="0;url=https://example.org/">',
      '<form action="https://example.org/"><input name="password"><button>Send</button></form>',
      '<iframe srcdoc="<script>parent.tricked = 1</script>"></iframe>',
      '<object data="javascript:window.tricked = 1"></object>',
      '<embed src="javascript:window.tricked = 1">',
      '<details open ontoggle="window.tricked = 1">x</details>',
      '<input autofocus onfocus="window.tricked = 1">',
      '<video><source onerror="window.tricked = 1"></video>',
      '<body onload="window.tricked = 1">',
      '<div style="background: url(https://example.org/x.png); position: fixed; inset: 0">x</div>',
      '<link rel="stylesheet" href="https://example.org/x.css">',
      '<template><script>window.tricked = 1</script></template>',
      '<noscript><p title="</noscript><img src=x onerror=window.tricked=1>">',
      '[here](javascript:window.tricked=1)',
      '![x](https://example.org/x.png)',
      '<img src="https://example.org/y.png">',
      '<x onclick="window.tricked = 1" tabindex=1 onfocus="window.tricked=1">x</x>',
      '<button formaction="javascript:window.tricked = 1">x</button>',
      '<marquee onstart="window.tricked = 1">x</marquee>',
      '<isindex type=image src=1 onerror="window.tricked = 1">',
      '<a href="data:text/html,<script>window.tricked=1</script>">here</a>',
      '<img name="getElementById" id="root">',
      '\u202e<b>txt</b>',
      '{{constructor.constructor("window.tricked = 1")()}}',
      '<script src="https://example.org/x.js"></script>',
      '<audio src=x onerror="window.tricked = 1">',
      '<select autofocus onfocus="window.tricked = 1"><option>x</select>',
      '<textarea autofocus onfocus="window.tricked = 1"></textarea>',
      '<frameset onload="window.tricked = 1">',
      '<p id="main" class="frame">x</p>',
      '<svg><animate onbegin="window.tricked = 1" attributeName="x" dur="1s">',
      '<svg><use href="data:image/svg+xml,<svg id=x onload=window.tricked=1>#x"></use></svg>',
    ];
    expect(tricks.length).toBeGreaterThanOrEqual(40);
    const text = tricks.join('\n\n');
    const { body: tracker } = await site.admin.get('/trackers/5');
    const idOf = (semantic: 'title' | 'description') => tracker.semantics[semantic].field_id;
    const made = await site.as('ada').post('/artifacts', {
      tracker: { id: 5 },
      values: [
        { field_id: idOf('title'), value: `trickster ${tricks[1]}` },
        { field_id: idOf('description'), value: { content: text, format: 'commonmark' } },
      ],
    });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body;
    const said = await site.as('ada').post(`/artifacts/${id}/comments`, { body: text, format: 'html' });
    expect(said.status, said.text).toBe(201);
    const page = await site.visit({ as: 'ada', path: `/artifacts/${id}` });
    await page.getByRole('heading', { level: 1, name: /trickster/ }).waitFor();
    await page.getByText('here').first().waitFor();
    for (const link of await page.getByRole('main').getByRole('link', { name: 'here' }).all())
      expect(await link.getAttribute('href')).not.toMatch(/^\s*(java|data)/i);
    for (const path of ['/trackers/5?sort=-id', '/search?words=trickster']) {
      await page.goto(site.url + path);
      await page
        .getByText(/trickster/)
        .first()
        .waitFor();
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('trickster');
    await page
      .getByRole('option', { name: /trickster/ })
      .first()
      .waitFor();
    expect(await page.evaluate(() => Reflect.get(window, 'tricked'))).toBeUndefined();
  });

  thoroughTest('a page that one may not see names who can help', async () => {
    const page = await site.visit({ as: 'finn', path: '/robots.txt' });
    await page.route('**/api/trackers/5', (route) =>
      route.fulfill({
        status: 403,
        json: { error: { code: 403, message: 'Forbidden: You may not see this' } },
      }),
    );
    await page.goto(`${site.url}/projects/lighthouse`);
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Bugs/ }).click();
    await page.getByRole('heading', { level: 1, name: 'You may not see this' }).waitFor();
    const help = page.getByRole('region', { name: 'These people can let you in' });
    await help.getByRole('link', { name: 'Ada Lindqvist' }).waitFor();
    // Those of the project where one was before cannot help with another one.
    await page.route('**/api/trackers/99', (route) =>
      route.fulfill({
        status: 403,
        json: { error: { code: 403, message: 'Forbidden: You may not see this' } },
      }),
    );
    await page.evaluate(() => {
      history.pushState({}, '', '/trackers/99');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.waitForURL('**/trackers/99');
    await page.getByRole('heading', { level: 1, name: 'You may not see this' }).waitFor();
    await soon(() => help.count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  describe.each([400, 403, 404, 409, 412, 413, 429, 500, 503])('a server that answers %i', (status) => {
    const fulfil = {
      status,
      json: { error: { code: status, message: `Words of the server about ${status}` } },
    };

    thoroughTest('to what a page reads is told in its place, and the rest of the page lives', async () => {
      const page = await site.visit({ as: 'ada', path: '/robots.txt', expecting: [/status of 5\d\d/] });
      await page.route('**/api/artifacts/**', (route) => route.fulfill(fulfil));
      await page.route('**/api/trackers/**', (route) => route.fulfill(fulfil));
      await page.goto(`${site.url}/artifacts/${bug.id}`);
      const isTold = async () => {
        await heading(page).waitFor();
        await page.getByRole('navigation', { name: 'Main' }).waitFor();
        await page.locator('main').getByRole('link', { name: 'My work' }).waitFor();
      };
      await isTold();
      // A page that lives in between: what is told next is about the next.
      await page.locator('main').getByRole('link', { name: 'My work' }).click();
      await page.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
      await goInside(page, '/trackers/5');
      await isTold();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

  test('P15.4 a part that breaks leaves the way to all other pages', async () => {
    const page = await site.visit({ as: 'ada', path: '/projects', expecting: [/./] });
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    // What no server of ours answers: the table cannot be drawn from it.
    await page.route('**/api/trackers/5', (route) => route.fulfill({ json: { id: 5, uri: 'trackers/5' } }));
    await page.goto(`${site.url}/trackers/5`);
    await page.locator('main').getByRole('button', { name: 'Try again' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .first()
      .getByRole('link', { name: 'My work' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goBack();
    await page
      .locator('main')
      .getByRole('button', { name: 'Try again' })
      .or(page.getByRole('grid'))
      .first()
      .waitFor();
  });

  test('W-6 a change that is refused is undone in view, and is edited again with what was typed', async () => {
    const page = await site.visit({ as: 'ada', path: `/artifacts/${bug.id}` });
    await page.getByRole('heading', { level: 1, name: bug.title }).waitFor();
    await page.route(`**/api/artifacts/${bug.id}`, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 400,
            json: { error: { code: 400, message: 'Bad Request: No such lamp' } },
          })
        : route.fallback(),
    );
    await page.getByRole('button', { name: bug.title }).click();
    const box = page.getByRole('textbox', { name: 'Edit the title' });
    await box.fill('A title that is refused');
    await page.keyboard.press('Enter');
    await page.getByText('No such lamp').first().waitFor();
    await page.getByRole('heading', { level: 1, name: bug.title }).waitFor();
    await page.getByRole('button', { name: 'Edit again' }).click();
    await soon(() => box.inputValue()).toBe('A title that is refused');
    await page.keyboard.press('Escape');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect((await site.admin.get(`/artifacts/${bug.id}`)).body.title).toBe(bug.title);
  });

  test('W-6 a comment that is refused is in its box again', async () => {
    const page = await site.visit({
      as: 'ada',
      path: `/artifacts/${bug.id}`,
      expecting: [/status of 5\d\d/],
    });
    await heading(page).waitFor();
    await page.route(`**/api/artifacts/${bug.id}`, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 413,
            json: { error: { code: 413, message: 'Payload Too Large: Too long' } },
          })
        : route.fallback(),
    );
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Comment' }).fill('Words that are refused');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/Too long/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Copy what I wrote' }).waitFor();
    await page.getByRole('textbox', { name: 'Comment' }).getByText('Words that are refused').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
