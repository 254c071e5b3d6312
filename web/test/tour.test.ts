import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleEverywhere } from './harness/accessible.ts';
import { lacksBrowser, type Site, startSite, thoroughTest, untilAnswersKept } from './harness/site.ts';

describe.skipIf(lacksBrowser)('finding one’s way', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  const hint = (page: Page) => page.getByRole('complementary', { name: 'Tour of the demo' });

  test('18.12 a tour of five steps leads through the demo, goes on after a reload, and is left and taken again at any time', async () => {
    const page = await site.visit({ as: 'ada', path: '/help' });
    await page.getByRole('button', { name: 'Tour of the demo' }).click();
    await hint(page).getByText('1 of 5').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    // Whoever opens another page meanwhile, here or in another tab, stays there.
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
    await page.goto(`${site.url}/help`);
    await hint(page).getByText('1 of 5').waitFor();
    const next = hint(page).getByRole('button', { name: 'Next' });
    await next.click();
    await hint(page).getByText('2 of 5').waitFor();
    await page.getByRole('grid').waitFor();
    expect(visited).not.toContain('/projects/lighthouse');
    await next.click();
    await page.waitForURL(/view=board/);
    await hint(page).getByText('3 of 5').waitFor();
    await page.reload();
    await hint(page).getByText('3 of 5').waitFor();
    await next.click();
    await page.waitForURL(/\/artifacts\/\d+/);
    await hint(page).getByText('4 of 5').waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await hint(page).getByRole('button', { name: 'Back' }).click();
    await page.waitForURL(/view=board/);
    await hint(page).getByRole('button', { name: 'Leave the tour' }).click();
    await hint(page).waitFor({ state: 'detached' });
    const asked = page.waitForResponse('**/api/users/self/standing');
    await page.reload();
    await asked;
    await page.getByRole('button', { name: 'Save view' }).waitFor();
    // What this device kept half a second before gives way to the answer.
    await hint(page).waitFor({ state: 'detached' });
    // Again, from the demo itself, to its end.
    await page.goto(`${site.url}/projects/lighthouse`);
    await page.getByRole('button', { name: 'Take the tour' }).click();
    for (const place of [1, 2, 3, 4]) {
      await hint(page).getByText(`${place} of 5`).waitFor();
      await next.click();
    }
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    await hint(page).getByRole('button', { name: 'Done' }).click();
    await hint(page).waitFor({ state: 'detached' });
    // Ada does not administer the platform, and is not offered what she may not do.
    await page.goto(`${site.url}/projects/lighthouse`);
    await page.getByRole('button', { name: 'Take the tour' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete the demo' }).count()).toBe(0);
  });

  thoroughTest('what somebody chooses is not taken back by an answer from before', async () => {
    const page = await site.visit({ as: 'bruno', path: '/help' });
    await page.getByRole('button', { name: 'Tour of the demo' }).waitFor();
    await untilAnswersKept(page, ['users/self","standing']);
    const held: (() => Promise<void>)[] = [];
    await page.route('**/api/users/self/standing', async (route) => {
      const response = await route.fetch();
      held.push(() => route.fulfill({ response }));
    });
    await page.reload();
    // The page shows what it knows, while the server is asked who one is.
    const begin = page.getByRole('button', { name: 'Tour of the demo' });
    await begin.waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await begin.click();
    await hint(page).getByText('1 of 5').waitFor();
    const told = page.waitForResponse('**/api/users/self/standing');
    for (const answer of held) await answer();
    await told;
    const next = hint(page).getByRole('button', { name: 'Next' });
    await next.click();
    await hint(page).getByText('2 of 5').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await hint(page).getByText('2 of 5').waitFor();
    await hint(page).getByRole('button', { name: 'Leave the tour' }).click();
    await hint(page).waitFor({ state: 'detached' });
  });

  test('P15.3 every empty place of a new project has an action that works', async () => {
    const made = await site.admin.post('/projects', {
      shortname: 'harbour',
      label: 'Harbour',
      description: 'Boats',
      is_public: true,
      xml_template_name: 'empty',
    });
    expect(made.status, made.text).toBe(201);
    const page = await site.visit({ as: 'admin', path: '/projects/harbour' });
    const inside = page.getByRole('main');
    await inside.getByRole('link', { name: 'New repository' }).click();
    await inside.getByRole('button', { name: 'New repository' }).waitFor();
    await page.goto(`${site.url}/projects/harbour`);
    await inside.getByRole('button', { name: 'New tracker' }).click();
    const dialog = page.getByRole('dialog', { name: 'New tracker' });
    await dialog.getByRole('radio', { name: 'Empty' }).check({ force: true });
    await dialog.getByLabel(/^Name/).fill('Boats');
    await dialog.getByRole('button', { name: 'Create the tracker' }).click();
    await inside.getByRole('link', { name: 'Build the form' }).waitFor();
    const { pathname: tracker } = new URL(page.url());
    const acts = [
      ['board', 'Build the form', /\/admin\/form$/],
      ['calendar', 'Add a date to the form', /\/admin\/form$/],
      ['timeline', 'Say which dates it has', /\/admin\/semantics$/],
      ['charts', 'Build the form', /\/admin\/form$/],
    ] as const;
    for (const [view, name, leads] of acts) {
      await page.goto(`${site.url}${tracker}?view=${view}`);
      await inside.getByRole('link', { name }).click();
      await page.waitForURL(leads);
    }
    await page.goto(`${site.url}${tracker}/admin/form`);
    await page.getByRole('button', { name: 'Usual fields' }).click();
    await page.getByRole('button', { name: 'Title required' }).waitFor();
    await page.goto(`${site.url}${tracker}?view=board`);
    await inside.getByRole('button', { name: 'Add a card to Open' }).first().click();
    await page.getByRole('textbox', { name: 'Title of the new card' }).waitFor();
    for (const view of ['table', 'charts']) {
      await page.goto(`${site.url}${tracker}?view=${view}`);
      await inside.getByRole('button', { name: 'Create the first' }).click();
      await page
        .getByRole('dialog')
        .getByLabel(/^Title/)
        .waitFor();
    }
  });

  test('P15 the demo is deleted by an administrator from where it says that it is one', async () => {
    const page = await site.visit({ as: 'admin', path: '/projects/lighthouse' });
    await page.getByText('This is a demo project: look around').waitFor();
    await page.getByRole('button', { name: 'Delete the demo' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the demo' }).click();
    await page.getByText('The demo project is deleted.').first().waitFor();
    expect((await site.admin.get('/deleted_projects')).text).toContain('lighthouse');
  });
});
