import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { leavesRareCases } from '../../../server/test/harness/thorough.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

declare global {
  interface Window {
    axe: { run(options: object): Promise<AxeResults> };
  }
}

// Initials in a face are a picture, not a label.
const allRules = { rules: { 'label-content-name-mismatch': { enabled: false } } };

/** What another theme can change: all other rules look at what is there, where it is, and what it is called. */
const rulesOfColours = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** In the words of the rules that are broken, with the elements that break them. */
async function violationsOn(page: Page, rules: object = allRules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (which) => window.axe.run({ resultTypes: ['violations'], ...which }),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
}

/** Large parts that scroll have a colour of their own: only then can browsers move them without painting them anew. */
async function expectCheapScrolling(page: Page): Promise<void> {
  const seenThrough = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { overflowY, backgroundColor } = getComputedStyle(element);
        const { clientHeight, scrollHeight } = element;
        const isLarge = clientHeight > innerHeight / 2 && scrollHeight > clientHeight;
        return isLarge && ['auto', 'scroll'].includes(overflowY) && !backgroundColor.startsWith('rgb(');
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  );
  expect(seenThrough).toEqual([]);
}

interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
  readonly rules: object;
}

/** Each width and each theme once. */
const looks: readonly Look[] = [
  { width: 360, theme: 'light', rules: allRules },
  { width: 1280, theme: 'dark', rules: allRules },
];

const everyLook: readonly Look[] = [360, 1280].flatMap((width) => [
  { width, theme: 'light', rules: allRules },
  { width, theme: 'dark', rules: rulesOfColours },
]);

/** In both themes, on a phone and on a desk, without loading the page again. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const { width, theme, rules } of leavesRareCases ? looks : everyLook) {
    await page.setViewportSize({ width, height: 800 });
    await expectCheapScrolling(page);
    await page.emulateMedia({ colorScheme: theme });
    const violations = await violationsOn(page, rules);
    expect({ width, theme, violations }).toEqual({ width, theme, violations: [] });
  }
}

/** Nothing but what scrolls inside a box of its own is wider than the screen. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [content, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(screen ?? 0);
  // What stands below, on a phone, stays there: pages scroll inside their frame, whoever asks them to.
  const scrolled = await page.evaluate(() => {
    scrollTo(0, 300);
    return document.querySelector('#main[tabindex]') === null ? 0 : scrollY;
  });
  expect(scrolled).toBe(0);
}
