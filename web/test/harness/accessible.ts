import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

declare global {
  interface Window {
    axe: { run(options: object): Promise<AxeResults> };
  }
}

/** In the words of the rules that are broken, with the elements that break them. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    window.axe.run({
      resultTypes: ['violations'],
      // Initials in a face are a picture, not a label.
      rules: { 'label-content-name-mismatch': { enabled: false } },
    }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
}

/** In both themes, on a phone and on a desk, without loading the page again. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect({ width, theme, violations: await violationsOn(page) }).toEqual({
        width,
        theme,
        violations: [],
      });
    }
  }
}

/** Nothing but what scrolls inside a box of its own is wider than the screen. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [content, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(screen ?? 0);
}
