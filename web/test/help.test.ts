import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readDocs } from '../docs.plugin.ts';
import { readLibraries } from '../licences.plugin.ts';
import { findInTexts } from '../src/kernel/find-in-texts.ts';
import { expectAccessibleEverywhere, expectNoSidewaysScrolling } from './harness/accessible.ts';
import { goInside } from './harness/inside.ts';
import { lacksBrowser, type Site, startSite, thoroughTest } from './harness/site.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the pages of docs/', () => {
  const pages = readDocs();

  test('18.12 every link and every anchor of every page leads somewhere', () => {
    const isThere = (href: string) => {
      const [path = '', anchor] = href.split('#');
      const page = pages.find(({ name }) => `/help/${name}` === path);
      if (page === undefined) return path === '/help';
      return anchor === undefined || page.sections.some(({ id }) => id === anchor);
    };
    const links = pages.flatMap(({ name, sections }) =>
      sections.flatMap(({ html }) =>
        [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => ({ name, href })),
      ),
    );
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ href }) => !/^(https?:|@@)/.test(href) && !isThere(href))).toEqual([]);
  });

  thoroughTest('every page has a title, and every file that it shows is there and small', () => {
    for (const { name, title, files } of pages) {
      expect(title, name).not.toBe('');
      for (const file of files.filter((path) => /first-team/.test(path)))
        expect(statSync(root + file).size, file).toBeLessThan(100_000);
    }
  });

  thoroughTest('words are found without regard to case and accents, names first', () => {
    const texts = [
      ['a', '', '', 'The basket forgets what was put into it.'],
      ['b', 'basket', 'The Bäsket', 'Another thing.'],
      ['c', '', '', 'Nothing.'],
    ] as const;
    const found = findInTexts(texts, (page) => page, 'BASKET');
    expect(found.map(({ page, anchor }) => [page, anchor])).toEqual([
      ['b', 'basket'],
      ['a', ''],
    ]);
    expect(findInTexts(texts, (page) => page, 'basket nowhere')).toEqual([]);
    expect(findInTexts(texts, (page) => page, ' ')).toEqual([]);
  });
});

thoroughTest(
  'libraries in the product are those that npm installs for who runs it, none of those that test it',
  () => {
    const { packages } = JSON.parse(readFileSync(`${root}node_modules/.package-lock.json`, 'utf8'));
    const installed = withoutLeftOver(Object.entries<InstalledPackage>(packages))
      .filter(([folder]) => folder.includes('node_modules/'))
      .filter(([, { dev, devOptional, link }]) => !dev && !devOptional && !link)
      .map(([folder, { version }]) => `${folder.split('node_modules/').at(-1)} ${version}`);
    const libraries = readLibraries();
    const named = libraries.map(({ name, version }) => `${name} ${version}`);
    expect(installed.length).toBeGreaterThan(100);
    expect(named.toSorted()).toEqual(installed.toSorted());
    expect(libraries.filter(({ licence }) => licence === '')).toEqual([]);
  },
);

interface InstalledPackage {
  readonly version: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** npm 9 also brings what is needed by packages for other systems alone, which it leaves out. */
function withoutLeftOver(
  installed: readonly (readonly [string, InstalledPackage])[],
): (readonly [string, InstalledPackage])[] {
  const own: InstalledPackage = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const all = [own, ...installed.map(([, one]) => one)];
  const needed = new Set(
    all.flatMap((one) => Object.keys({ ...one.dependencies, ...one.optionalDependencies })),
  );
  const kept = installed.filter(
    ([folder, { optional }]) => optional !== true || needed.has(folder.split('node_modules/').at(-1) ?? ''),
  );
  return kept.length === installed.length ? kept : withoutLeftOver(kept);
}

describe.skipIf(lacksBrowser)('the help', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterEach(() => site.leave());
  afterAll(() => site?.stop());

  test('18.12 the pages of docs/ are read, linked with each other and searched', async () => {
    const page = await site.visit({ as: 'ada', path: '/help' });
    await page
      .getByRole('region', { name: 'Running it' })
      .getByRole('link', { name: 'Backup and restore' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Backup and restore' }).waitFor();
    await goInside(page, '/help/operations');
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Metrics' })
      .click();
    const heading = page.getByRole('heading', { name: 'Metrics', exact: true });
    const topOfHeading = () => heading.evaluate((node) => node.getBoundingClientRect().top);
    await expect.poll(topOfHeading, { timeout: 15_000 }).toBeLessThan(300);
    // An address with an anchor is the same page at the same place.
    await page.reload();
    await expect.poll(topOfHeading, { timeout: 15_000 }).toBeLessThan(300);
    await page.getByRole('link', { name: 'backup.md' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Backup and restore' }).waitFor();
    await page.goto(`${site.url}/help`);
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('drill restore');
    const results = page.getByRole('list', { name: 'What was found' });
    await results.getByRole('link').first().waitFor();
    expect(new URL(page.url()).searchParams.get('words')).toBe('drill restore');
    await results
      .getByRole('link', { name: /^Backup and restore/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Backup and restore' }).waitFor();
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('xyzzy');
    await page.getByRole('button', { name: 'All help pages' }).click();
    await page.getByRole('region', { name: 'Using Atelier' }).waitFor();
  });

  test('18.12 columns of numbers stand right where the page says so', async () => {
    const page = await site.visit({ as: 'ada', path: '/help/performance' });
    const cell = page.locator('article table').first().locator('tbody td').nth(1);
    await cell.waitFor();
    const sideOf = (nth: number) =>
      page
        .locator('article table')
        .first()
        .locator('tbody td')
        .nth(nth)
        .evaluate((element) => getComputedStyle(element).textAlign);
    expect([await sideOf(0), await sideOf(1)]).toEqual(['start', 'right']);
  });

  test('18.14 pages of the help are for everybody, small and wide, light and dark', async () => {
    const page = await site.visit({ as: 'ada', path: '/help' });
    const paths = ['/help/operations', '/help/keys', '/help/query-language', '/help/readme', '/help'];
    for (const path of [...paths, '/help/about']) {
      await goInside(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (path === '/help/about') await readLicences(page);
      await expectAccessibleEverywhere(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await expectNoSidewaysScrolling(page);
    }
  });

  test('P15.5 examples of the query language run', async () => {
    const page = await site.visit({ as: 'ada', path: '/help/query-language' });
    const examples = page.getByRole('region', { name: 'Try it' });
    const links = examples.getByRole('link', { name: /^Run: / });
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(addresses.length).toBeGreaterThanOrEqual(5);
    for (const address of addresses) {
      const id = /^\/trackers\/(\d+)\?/.exec(address)?.[1];
      const query = new URLSearchParams(address.split('?')[1]).get('q') ?? '';
      const asked = new URLSearchParams({ expert_query: query, limit: '1' });
      const answer = await site.as('ada').get(`/trackers/${id}/artifacts?${asked}`);
      expect(answer.status, `${query}: ${answer.text}`).toBe(200);
    }
    await links.first().click();
    await page.getByRole('grid').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe(
      new URLSearchParams(addresses[0]?.split('?')[1]).get('q'),
    );
  });

  test('18.12 the page of keys has every key that pages tell of', async () => {
    const page = await site.visit({ as: 'ada', path: '/help/keys' });
    await page.getByRole('heading', { level: 2, name: 'On every page' }).waitFor();
    const lines = async (scope: ReturnType<typeof page.locator>) =>
      (await scope.getByRole('listitem').allTextContents()).map((text) => text.trim());
    const known = await lines(page.getByRole('main'));
    const capsOf = (text: string) => known.some((one) => one === text);
    for (const path of ['/', '/projects', '/inbox', '/search?words=lamp']) {
      await goInside(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('listitem').first().waitFor();
      expect((await lines(dialog)).filter((text) => !capsOf(text))).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('18.12 pages of the help that are not there say so, and pictures come from the platform itself', async () => {
    const page = await site.visit({ as: 'ada', path: '/help/no-such-page', expecting: [/404/] });
    await page.getByRole('heading', { level: 1, name: /There is no such/ }).waitFor();
    await page.goto(`${site.url}/goto?key=wiki&val=Home%20page`);
    await page.getByText('wiki #Home page leads nowhere: there is no such thing').waitFor();
    await goInside(page, '/help/keys');
    await goInside(page, '/help/reference');
    await page.getByText('A word and a number in a text').waitFor();
    expect(await page.getByText('leads nowhere').count()).toBe(0);
    await page.goto(`${site.url}/help/readme`);
    const picture = page.getByRole('img', { name: /^A tracker as a table/ });
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((node: HTMLImageElement) => node.naturalWidth), { timeout: 60_000 })
      .toBe(widthOfPng(`${root}docs/pictures/table-light.png`));
  });

  thoroughTest(
    'a token is taken away by its own button, with the mouse or with keys, which go on in its field',
    async () => {
      const page = await site.visit({ as: 'ada', path: '/help/controls' });
      const field = page.getByRole('combobox', { name: 'Labels' });
      await field.fill('mast');
      await page.getByRole('option', { name: /mast/ }).click();
      // The name says nothing of a list that the button does not open.
      const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true });
      await page.keyboard.press('Escape');
      await field.press('Shift+Tab');
      await remove('mast').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await remove('mast').waitFor({ state: 'detached' });
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await remove('cart').click();
      await remove('cart').waitFor({ state: 'detached' });
      await field.and(page.locator(':focus')).waitFor();
    },
  );
});

/** Each library stands below its licence, and shows the words that come with it. */
async function readLicences(page: Page) {
  const libraries = page.getByRole('region', { name: 'Libraries in the product' });
  await libraries.getByText(/^Apache-2\.0/).click();
  await libraries.getByText(/^sharp /).click();
  await libraries.getByRole('region', { name: 'Licence of sharp' }).getByText('Apache License').waitFor();
  await libraries.getByText(/^MIT\d/).click();
  await libraries.getByText(/^react 19/).click();
  const words = libraries.getByRole('region', { name: 'Licence of react', exact: true });
  expect(await words.textContent()).toMatch(/Copyright \(c\) (Meta|Facebook)/);
}

const widthOfPng = (path: string) => readFileSync(path).readUInt32BE(16);
