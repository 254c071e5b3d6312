import type { Page } from 'playwright-core';

/**
 * Another page of the application, as by a link: without loading all of it anew, which takes a second of the processor. The page that
 * comes has another title; whoever calls waits for what it shows.
 */
export async function goInside(page: Page, path: string): Promise<void> {
  const before = await page.evaluate((to) => {
    const title = document.title.replace(/^\(\d+\) /, '');
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
    return title;
  }, path);
  await page.waitForFunction((title) => document.title.replace(/^\(\d+\) /, '') !== title, before, {
    polling: 50,
  });
}
