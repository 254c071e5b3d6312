import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/harness/eventually.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { goInside } from './harness/inside.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

/** Of the demo project. */
const bugs = 5;

describe.skipIf(lacksBrowser)('search', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  test('P9.2 a private comment is found by those whom it is for, and by nobody else', async () => {
    const set = await site.admin.patch(`/trackers/${bugs}/settings`, { has_private_comments: true });
    expect(set.status, set.text).toBe(200);
    const [{ id }] = (await site.admin.get(`/trackers/${bugs}/artifacts?limit=1`)).body;
    const said = await site.as('ada').post(`/artifacts/${id}/comments`, {
      body: 'The sextant is in the cellar',
      format: 'text',
      ugroups: ['101_4'],
    });
    expect(said.status, said.text).toBe(201);
    const page = await site.visit({ as: 'ada', path: '/search?words=sextant' });
    await page.getByText('1 artifact', { exact: true }).first().waitFor();
    await page.locator('mark', { hasText: 'sextant' }).waitFor();
    const other = await site.visit({ as: 'bruno', path: '/search?words=sextant' });
    await other.getByText('Nothing found for “sextant”').waitFor();
    await other.getByText(/parts of them/).waitFor();
    expect(await other.locator('mark').count()).toBe(0);
  });

  thoroughTest('what was found is narrowed by project and tracker, with the numbers of the API', async () => {
    const sizeOf = async (more = '') => {
      const { headers } = await site.as('ada').get(`/search?words=lamp&limit=1${more}`);
      return Number(headers.get('X-PAGINATION-SIZE'));
    };
    const page = await site.visit({ as: 'ada', path: '/search?words=lamp' });
    const facets = page.getByRole('navigation', { name: 'Where it was found' });
    await facets.getByRole('link', { name: `Everywhere ${await sizeOf()}` }).waitFor();
    await facets
      .getByRole('link', { name: `Lighthouse Keeper ${await sizeOf('&project_id=101')}` })
      .waitFor();
    const inBugs = await sizeOf(`&tracker_id=${bugs}`);
    await facets.getByRole('link', { name: `Bugs ${inBugs}` }).click();
    await page
      .getByText(inBugs === 1 ? '1 artifact' : `${inBugs} artifacts`, { exact: true })
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe(`?words=lamp&tracker=${bugs}`);
    await facets.locator('[aria-current]').getByText('Bugs').waitFor();
    const open = await sizeOf(`&tracker_id=${bugs}&is_open=true`);
    await page.getByRole('button', { name: /State/ }).click();
    await page.getByRole('option', { name: 'Open only' }).click();
    await eventually(async () => expect(new URL(page.url()).searchParams.get('open')).toBe('1'));
    const words = open === 0 ? 'Nothing found for “lamp”' : open === 1 ? '1 artifact' : `${open} artifacts`;
    await page.getByText(words, { exact: true }).first().waitFor();
  });

  thoroughTest('j and k walk through what was found, and it opens beside the list', async () => {
    const { body } = await site.as('ada').get('/search?words=lamp&limit=3');
    const page = await site.visit({ as: 'ada', path: '/search?words=lamp' });
    await page.locator('[data-found]').first().waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-found'))).toBe(
      String(body[0].id),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: body[0].xref }).waitFor();
    expect(new URL(page.url()).searchParams.get('artifact')).toBe(String(body[0].id));
    await page
      .getByRole('complementary', { name: body[0].xref })
      .getByRole('button', { name: /^Next/ })
      .click();
    await page.getByRole('complementary', { name: body[1].xref }).waitFor();
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await page.getByRole('complementary', { name: body[1].xref }).waitFor({ state: 'detached' });
  });

  thoroughTest(
    '? lists the keys that work on the search page, no others, and each does what it says',
    async () => {
      const { body } = await site.as('ada').get('/search?words=lamp&limit=2');
      const page = await site.visit({ as: 'ada', path: '/search?words=lamp' });
      /** What is listed beside the keys of every page. */
      const listed = async (): Promise<string[]> => {
        await page.locator('main').focus();
        await page.keyboard.press('?');
        const dialog = page.getByRole('dialog', { name: 'Keys of this page' });
        await dialog.getByText('Go to projects').waitFor();
        const lines = (await dialog.getByRole('listitem').allTextContents()).map((text) => text.trim());
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        return lines.filter((text) => !everywhere.includes(text)).sort();
      };
      const everywhere: string[] = [];
      const lamps = page.locator('[data-found]');
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-found'));
      await goInside(page, '/projects');
      await page.getByRole('heading', { level: 1 }).waitFor();
      everywhere.push(...(await listed()).filter((text) => !text.startsWith('Go to search')));

      await goInside(page, '/search');
      await page.getByText('Search everywhere').waitFor();
      expect(await listed()).toEqual(['Look for other words/']);
      await goInside(page, '/search?words=nowheretobefound');
      await page.getByText('Nothing found for').waitFor();
      expect(await listed()).toEqual(['Look for other words/']);

      await goInside(page, '/search?words=lamp');
      await lamps.first().waitFor();
      // Nothing is chosen yet that could be opened.
      const walking = ['Look for other words/', 'Next rowJDown', 'Previous rowKUp'];
      expect(await listed()).toEqual(walking);
      await page.keyboard.press('j');
      await eventually(async () => expect(await focused()).toBe(String(body[0].id)));
      expect(await listed()).toEqual([...walking, 'Open the rowO'].sort());
      await lamps.first().focus();
      await page.keyboard.press('ArrowDown');
      await eventually(async () => expect(await focused()).toBe(String(body[1].id)));
      await page.keyboard.press('k');
      await eventually(async () => expect(await focused()).toBe(String(body[0].id)));
      await page.keyboard.press('o');
      const panel = page.getByRole('complementary', { name: body[0].xref });
      await panel.waitFor();
      expect(await listed()).toContain('Close the panelEsc');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await page.keyboard.type('storm');
      const box = page.getByRole('searchbox', { name: 'Words' });
      await eventually(async () => expect(await box.inputValue()).toBe('storm'));
      expect(new URL(page.url()).searchParams.get('words')).toBe('lamp');
    },
  );

  thoroughTest('projects, people and repositories of the name stand in a line above', async () => {
    const page = await site.visit({ as: 'ada', path: '/search?words=lighthouse' });
    const named = page.getByRole('navigation', { name: 'Of this name' });
    await named.getByRole('link', { name: 'Lighthouse Keeper' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Keeper' }).waitFor();
    await goInside(page, '/search?words=bruno');
    await named.getByRole('link', { name: /Bruno Okafor/ }).waitFor();
  });

  thoroughTest('the search is for everybody, on every screen', async () => {
    const page = await site.visit({ as: 'ada', path: '/search?words=lamp' });
    await page.getByRole('navigation', { name: 'Where it was found' }).waitFor();
    await page.locator('[data-found]').first().waitFor();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoSidewaysScrolling(page);
  });
});
