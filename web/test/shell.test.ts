import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { goInside } from './harness/inside.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

describe.skipIf(lacksBrowser)('the frame around pages', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  test('P2.1 Ctrl K, a number and Enter open the artifact of that id', async () => {
    const page = await site.visit({ as: 'ada' });
    await page.getByRole('heading', { name: 'My work' }).waitFor();
    await page.keyboard.press('Control+k');
    const box = page.getByRole('dialog', { name: 'Search and commands' }).getByRole('searchbox');
    await box.fill('142');
    await page.getByRole('option', { name: /142/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/artifacts/142');
  });

  test('P2.2 without the server the palette finds a project at once', async () => {
    const page = await site.visit({ as: 'ada' });
    await page.getByRole('heading', { name: 'My work' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /Go to projects/ }).waitFor();
    await page.route('**/api/quick_search*', () => undefined);
    await page.keyboard.type('lighthouse');
    await page
      .getByRole('option', { name: /Lighthouse Keeper/ })
      .first()
      .waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  thoroughTest(
    'the announcement of one’s own project is there with the page, which does not move down later',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/robots.txt' });
      await page.route('**/api/projects/101', () => undefined);
      await page.goto(`${site.url}/trackers/5`);
      await page.getByRole('complementary', { name: 'Announcement of the project' }).waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    },
  );

  thoroughTest('on a phone the bar is at the bottom also while the page above it is loaded', async () => {
    const page = await site.visit({ as: 'ada', path: '/robots.txt' });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.route('**/api/projects/101', () => undefined);
    await page.goto(`${site.url}/projects/lighthouse/members`);
    const bar = page.getByRole('navigation').filter({ hasText: 'Inbox' });
    await bar.waitFor();
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    expect(y + height).toBe(800);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  /** What tells that a command did what its button does, for each that every page has. */
  const outcomes: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    Keys: (page) => page.getByRole('dialog', { name: 'Keys of this page' }).waitFor(),
    'Go to my work': (page) => page.getByRole('heading', { level: 1, name: 'My work' }).waitFor(),
    'Go to the inbox': (page) => page.waitForURL('**/inbox'),
    'Go to projects': (page) => page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor(),
    'Search everywhere': (page) => page.waitForURL('**/search*'),
    'Go to queries over several trackers': (page) => page.waitForURL('**/query'),
    'Go to my account': (page) => page.waitForURL('**/account/profile'),
    'Go to my access keys': (page) => page.waitForURL('**/account/keys'),
    Create: (page) => page.getByRole('dialog').getByRole('textbox').first().waitFor(),
    // Its first list is open, and closes before the dialog does.
    'Create elsewhere': async (page) => {
      const tracker = page.getByRole('option', { name: 'Bugs', exact: true });
      await tracker.waitFor();
      await page.keyboard.press('Escape');
      await tracker.waitFor({ state: 'detached' });
      // The next key is for the dialog.
      await page.getByRole('dialog').locator(':focus').waitFor();
    },
    'Recent actions': (page) => page.getByRole('dialog', { name: 'Recent actions' }).waitFor(),
    Help: (page) => page.getByRole('heading', { level: 1, name: 'Help' }).waitFor(),
    'Copy the address of this page': (page) =>
      page.getByText('The address is copied.').first().waitFor({ state: 'attached' }),
    'Switch between light and dark': (page) => page.locator('html[data-theme=dark]').waitFor(),
    'Fold the sidebar': (page) => page.getByRole('button', { name: 'Unfold the sidebar' }).waitFor(),
    'Theme: Light': (page) => page.locator('html[data-theme=light]').waitFor(),
    'Theme: Dark': (page) => page.locator('html[data-theme=dark]').waitFor(),
    'Theme: Like the system': (page) => page.locator('html:not([data-theme])').waitFor(),
    'Rows: Compact': (page) => page.locator('html[data-density=compact]').waitFor(),
    'Rows: Comfortable': (page) => page.locator('html:not([data-density=compact])').waitFor(),
    'Language: English': (page) => page.locator('html[lang=en]').waitFor(),
    'Language: Français': (page) => page.locator('html[lang=fr]').waitFor(),
    'Sign out': (page) => page.waitForURL('**/login'),
  };

  test('P2.3 every command of the palette is reached by keyboard and does what its button does', async () => {
    const page = await site.visit({ as: 'finn', path: '/users/ada' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const list = async () => {
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.type('>');
      await page.getByRole('option').first().waitFor();
    };
    /** What the page has chosen is stored before: else it could come after this. */
    const speakEnglish = async () => {
      const finn = site.as('finn');
      const chosen = () => finn.get('/users/self/preferences?key=web.language');
      await eventually(async () => expect((await chosen()).body.value).toBe('fr'));
      await finn.patch('/users/self/preferences', { key: 'web.language', value: 'en' });
    };
    await list();
    const offered = await page
      .getByRole('option')
      .evaluateAll((options) =>
        options
          .filter((option) => option.getAttribute('aria-disabled') !== 'true')
          .map((option) => option.getAttribute('data-key')?.replace(/^command /, '') ?? ''),
      );
    const opened = page.getByRole('dialog');
    // The first one empties the line.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    const walked = Object.keys(outcomes);
    for (const name of walked) {
      if (!page.url().endsWith('/users/ada')) await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Ada Lindqvist' }).waitFor();
      await list();
      await page.keyboard.type(name);
      const nameOfFirst = () => page.getByRole('option').first().textContent();
      await expect.poll(nameOfFirst, { timeout: 60_000 }).toMatch(name);
      await page.keyboard.press('Enter');
      await outcomes[name]?.(page);
      // The commands have French names now.
      if (name === 'Language: Français') {
        await speakEnglish();
        await page.reload();
      }
      // What opened above the page.
      if ((await opened.count()) > 0) await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
    }
    // All that there are were walked; the page of a person has none of its own.
    expect(offered.length).toBe(walked.length);
  });

  thoroughTest(
    'a menu stays open however soon it is opened again, and what is behind it is out of reach',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/projects' });
      const opener = page.getByRole('button', { name: /^Menu of/ });
      const menu = page.getByRole('menu');
      for (let round = 0; round < 3; round += 1) {
        await opener.click();
        await menu.waitFor();
        // Neither for those who hear the page nor for the pointer nor for keys.
        expect(await page.getByRole('main').count()).toBe(0);
        await page.keyboard.press('Tab');
        expect(
          await menu
            .locator(':focus')
            .or(menu.and(page.locator(':focus')))
            .count(),
        ).toBe(1);
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'detached' });
      }
      const { x, y } = (await opener.boundingBox()) ?? { x: 0, y: 0 };
      await opener.click();
      await menu.waitFor();
      await page.mouse.click(x + 4, y + 4);
      await menu.waitFor({ state: 'detached' });
      await page.getByRole('main').waitFor();
    },
  );

  test('P2.4 ? lists the keys that work here, and they do', async () => {
    const page = await site.visit({ as: 'ada' });
    await page.getByRole('heading', { name: 'My work' }).waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys of this page' });
    await keys.getByText('Go to projects').waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });

  test('P2.4 ? lists no key twice: where a page has a use of its own for one, that is told', async () => {
    const page = await site.visit({ as: 'ada' });
    const [{ id }] = (await site.admin.get('/trackers/5/artifacts?limit=1')).body;
    for (const [path, own] of [
      ['/trackers/5', 'Search here'],
      [`/artifacts/${id}`, 'Copy address'],
      ['/trackers/5?view=calendar', 'Today'],
    ] as const) {
      await goInside(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const keys = page.getByRole('dialog', { name: 'Keys of this page' });
      await eventually(async () => {
        await page.locator('main').focus();
        await page.keyboard.press('?');
        await keys.getByText('Go to projects').waitFor();
        const lines = keys.getByRole('listitem');
        const caps = await lines.evaluateAll((items) =>
          items.flatMap((item) => [...(item.lastElementChild?.children ?? [])].map((cap) => cap.textContent)),
        );
        const names = await lines.allTextContents();
        await page.keyboard.press('Escape');
        await keys.waitFor({ state: 'detached' });
        expect(new Set(caps).size, `${path}: ${names.join('; ')}`).toBe(caps.length);
        expect(names.join('; ')).toContain(own);
      });
    }
  });

  test('P2.6 a star on a project puts it into the sidebar of all tabs', async () => {
    const page = await site.visit({ as: 'bruno', path: '/projects/lighthouse' });
    const other = await page.context().newPage();
    await other.goto(`${site.url}/projects`);
    await other.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.getByRole('button', { name: 'Put into the favourites' }).click();
    for (const tab of [page, other])
      await tab
        .getByRole('region', { name: 'Favourites' })
        .getByRole('link', { name: 'Lighthouse Keeper' })
        .waitFor();
    await page.getByRole('button', { name: 'Take out of the favourites' }).click();
    await other.getByRole('region', { name: 'Favourites' }).waitFor({ state: 'detached' });
  });

  thoroughTest(
    'a star that is put on something before the favourites have come, or after another device changed them, leaves the others',
    async () => {
      const finn = site.as('finn');
      const favorites = async () =>
        (await finn.get('/users/self/favorites')).body.map(({ uri }: { uri: string }) => uri);
      const keep = async (uris: string[]) =>
        expect((await finn.put('/users/self/favorites', { uris })).status).toBe(200);
      await keep(['trackers/5']);
      const page = await site.visit({ as: 'finn', path: '/robots.txt' });
      const come = Promise.withResolvers<void>();
      await page.route('**/users/self/favorites', async (route) => {
        if (route.request().method() === 'GET') await come.promise;
        await route.continue();
      });
      await page.goto(`${site.url}/projects/lighthouse`);
      await page.getByRole('button', { name: 'Put into the favourites' }).click();
      come.resolve();
      await page.getByRole('button', { name: 'Take out of the favourites' }).waitFor();
      expect(await favorites()).toEqual(['trackers/5', 'projects/101']);
      await keep(['projects/101', 'trackers/4']);
      await page.getByRole('button', { name: 'Take out of the favourites' }).click();
      await page.getByRole('button', { name: 'Put into the favourites' }).waitFor();
      expect(await favorites()).toEqual(['trackers/4']);
    },
  );

  thoroughTest(
    'a button without words says what it does when it is pointed at or focused, and which key does it',
    async () => {
      const page = await site.visit({ as: 'ada' });
      const button = page.getByRole('button', { name: 'Fold the sidebar' });
      await button.hover();
      const words = page.getByRole('tooltip');
      await words.getByText('Fold the sidebar').waitFor();
      expect(await button.getAttribute('aria-describedby')).toBe(
        await words.getByText('Fold the sidebar').getAttribute('id'),
      );
      await page.mouse.move(600, 400);
      await words.waitFor({ state: 'detached' });
      await button.focus();
      await page.keyboard.press('Shift+Tab');
      await words.getByText('Switch between light and dark').waitFor();
      await page.keyboard.press('Escape');
      await words.waitFor({ state: 'detached' });
    },
  );

  thoroughTest(
    'in a narrow window the sidebar leaves its room to the page: icons, whose names come when they are pointed at or asked for',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/projects/lighthouse/admin/labels', width: 800 });
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      const widthOf = async () => (await sidebar.boundingBox())?.width;
      await page.getByRole('heading', { level: 1, name: 'Labels' }).waitFor();
      expect(await widthOf()).toBe(56);
      await sidebar.getByRole('link', { name: 'Webhooks' }).hover();
      await sidebar.getByText('Webhooks').waitFor();
      await sidebar.getByRole('button', { name: 'Unfold the sidebar' }).click();
      await expect.poll(widthOf).toBe(232);
      await sidebar.getByText('Webhooks').waitFor();
      await page.keyboard.press('[');
      await expect.poll(widthOf).toBe(56);
      // It says nothing about windows that have the room.
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect.poll(widthOf).toBe(232);
      await page.getByRole('link', { name: 'Back: Lighthouse Keeper' }).click();
      await sidebar.getByText('My work').waitFor();
      await page.setViewportSize({ width: 800, height: 800 });
      await expect.poll(widthOf).toBe(56);
      await sidebar.getByRole('link', { name: /^Bugs/ }).focus();
      await page.keyboard.press('Tab');
      await sidebar.getByText('Epics').waitFor();
    },
  );

  test('P2.5 switching projects keeps the kind of page', async () => {
    const { status, text } = await site.admin.post('/projects', {
      shortname: 'harbour',
      label: 'Harbour',
      is_public: true,
      template_id: 100,
    });
    expect(status, text).toBe(201);
    const page = await site.visit({ as: 'admin', path: '/projects/lighthouse/members' });
    await page.getByRole('button', { name: 'Switch project: Lighthouse Keeper' }).click();
    await page.getByRole('menuitem', { name: 'Harbour' }).click();
    await page.waitForURL('**/projects/harbour/members');
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await page.goto(`${site.url}/trackers/5`);
    await page.getByRole('button', { name: 'Switch project: Lighthouse Keeper' }).click();
    await page.getByRole('menuitem', { name: 'Harbour' }).click();
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();
  });

  test('P2.12 a command that one may not run says why', async () => {
    const page = await site.visit({ path: '/projects/lighthouse' });
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('>create');
    const create = page.getByRole('option', { name: 'Create' });
    await create.getByText('Sign in to create something.').waitFor();
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('searchbox').fill('>undo');
    await page.getByRole('option').getByText('There is nothing to undo.').waitFor();
  });

  const createAboutInbox = async () => {
    const { body: tracker } = await site.admin.get('/trackers/5');
    const { field_id: title } = tracker.fields.find(({ name }: { name: string }) => name === 'summary');
    const { status, text } = await site.as('ada').post('/artifacts', {
      tracker: { id: 5 },
      values: [{ field_id: title, value: 'The inbox of the keeper is full' }],
    });
    expect(status, text).toBe(201);
  };

  thoroughTest(
    'a line of the palette that is pressed stays where it is when the server has found more',
    async () => {
      await createAboutInbox();
      const page = await site.visit({ as: 'ada', path: '/projects' });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const come = Promise.withResolvers<void>();
      await page.route('**/api/quick_search?*', async (route) => {
        await come.promise;
        await route.fallback();
      });
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('searchbox').fill('inbox');
      await dialog.getByRole('option', { name: /Go to the inbox/ }).hover();
      await page.mouse.down();
      const given = page.waitForResponse('**/api/quick_search?*inbox*');
      come.resolve();
      await (await given).finished();
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
      await page.mouse.up();
      await page.waitForURL('**/inbox');

      // A menu of the browser takes the end of the press that opened it.
      await page.keyboard.press('Control+k');
      await dialog.getByRole('searchbox').fill('inbox');
      await dialog.getByRole('option', { name: /Go to the inbox/ }).waitFor();
      await dialog.getByRole('searchbox').hover();
      await page.mouse.down({ button: 'right' });
      await dialog.getByRole('searchbox').fill('>undo');
      await dialog.getByRole('option').getByText('There is nothing to undo.').waitFor();
      await page.mouse.up({ button: 'right' });
    },
  );

  thoroughTest(
    'the first line of the palette stands out, also where better ones come before it',
    async () => {
      await createAboutInbox();
      const page = await site.visit({ as: 'ada', path: '/projects' });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const come = Promise.withResolvers<void>();
      await page.route('**/api/quick_search?*', async (route) => {
        await come.promise;
        await route.fallback();
      });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('inbox');
      const options = page.getByRole('dialog').getByRole('option');
      const standsOut = async () =>
        (await page.locator('[role=option][data-focused]').allTextContents()).join();
      await eventually(async () => expect(await standsOut()).toBe(await options.first().textContent()));
      const before = await standsOut();
      come.resolve();
      await eventually(async () => expect(await options.first().textContent()).not.toBe(before));
      await eventually(async () => expect(await standsOut()).toBe(await options.first().textContent()));
      await page.keyboard.press('ArrowDown');
      await eventually(async () => expect(await standsOut()).toBe(await options.nth(1).textContent()));
    },
  );

  thoroughTest('with → a line of the palette shows what can be done with it', async () => {
    const page = await site.visit({ as: 'ada', path: '/projects/lighthouse' });
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    const { body } = await site.admin.get('/trackers/5/artifact_rows?limit=1&sort=-id');
    const [{ id, xref }] = body.rows;
    const turnTo = async () => {
      await page.getByRole('searchbox').fill(`#${body.rows[0].title}`);
      await page.getByRole('option', { name: xref }).first().waitFor();
      // More may come above it: the line that keys are about is looked for, up and down.
      let [last, key] = ['', 'ArrowDown'];
      await eventually(async () => {
        const current = (await page.locator('[role=option][data-focused]').allTextContents()).join();
        if (current.includes(xref)) return;
        if (current !== '' && current === last) key = key === 'ArrowDown' ? 'ArrowUp' : 'ArrowDown';
        last = current;
        await page.keyboard.press(key);
        throw new Error(`Keys are about ${current}`);
      });
      await page.keyboard.press('ArrowRight');
      await page.getByRole('option', { name: `Copy “${xref}”` }).waitFor();
      await page.getByRole('option', { name: 'Watch' }).waitFor();
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').waitFor();
    await turnTo();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: `Copy “${xref}”` }).waitFor({ state: 'detached' });
    await turnTo();
    await page.getByRole('option', { name: 'Assign to me' }).click();
    const assigned = async () => {
      const { body: artifact } = await site.admin.get(`/artifacts/${id}`);
      return artifact.assignees.map(({ username }: { username: string }) => username);
    };
    await expect.poll(assigned, { timeout: 60_000 }).toEqual(['ada']);
    // What was told stays under Recent actions, and can be taken back there.
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Recent actions' }).click();
    // On the clock of whoever looks.
    const clock = await page.evaluate(() =>
      [Date.now() - 60_000, Date.now()].map((at) => new Date(at).toTimeString().slice(0, 5)),
    );
    expect(clock).toContain(await page.getByRole('dialog').locator('time').first().textContent());
    await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(assigned, { timeout: 60_000 }).not.toEqual(['ada']);
  });

  thoroughTest('on a phone what is always at hand stands below', async () => {
    const page = await site.visit({ as: 'ada', width: 360, path: '/projects' });
    const bar = page.getByRole('navigation', { name: 'At hand' });
    await bar.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Escape');
    await bar.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { level: 1, name: 'My work' }).waitFor();
    // Away from buttons that say what they do.
    await page.mouse.move(180, 400);
    await expectAccessibleEverywhere(page);
  });

  test('P2.7 nothing scrolls sideways at 360 px, and the drawer leads everywhere', async () => {
    const page = await site.visit({ as: 'ada', width: 360, path: '/projects' });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    for (const path of [
      '/',
      '/projects',
      '/projects/lighthouse',
      '/projects/lighthouse/members',
      '/search?words=lamp',
      '/query',
      '/help',
    ]) {
      await goInside(page, path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectNoSidewaysScrolling(page);
    }
  });

  test('P15.6 an address that leads nowhere says so and has a way on', async () => {
    const page = await site.visit({ as: 'ada', path: '/projects/no-such-project' });
    await page.getByRole('heading', { name: 'There is no such thing' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'My work' }).click();
    await page.getByRole('heading', { name: 'My work' }).waitFor();
  });

  test('W-3 going back draws a page without asking anybody', async () => {
    const page = await site.visit({ as: 'ada', path: '/projects/lighthouse' });
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('link', { name: /Bruno Okafor/ }).waitFor();
    await page.route('**/api/**', () => undefined);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await page.goForward();
    await page.getByRole('link', { name: /Bruno Okafor/ }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  thoroughTest('its pages are for everybody, in both themes, on a phone and on a desk', async () => {
    const page = await site.visit({ as: 'ada' });
    // My work is looked at where it is tested.
    for (const path of ['/projects', '/projects/lighthouse/members', '/nowhere']) {
      await goInside(page, path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectAccessibleEverywhere(page);
      // What is in the frame scrolls, not the frame.
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
    }
  });
});
