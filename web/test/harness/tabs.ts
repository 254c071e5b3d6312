import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Who looks at pages, and on what. */
export interface Looks {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  readonly language: string;
  readonly zone: string;
  /** Whether the service worker keeps the application on the device. */
  readonly hasWorker: boolean;
}

/** One tab of a browser that knows nobody. */
export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Tabs of the same language and zone are as good as each other; none if it is for one visit only. */
  readonly kind: string | undefined;
}

const optionsOf = ({ theme, width, height, language, zone, hasWorker }: Looks) =>
  ({
    // Requests that a worker answers cannot be held back or answered by a test.
    serviceWorkers: hasWorker ? 'allow' : 'block',
    colorScheme: theme,
    viewport: { width, height },
    locale: language,
    timezoneId: zone,
    reducedMotion: 'reduce',
  }) satisfies BrowserContextOptions;

/** They outlive the file that opened them, and what it loaded. */
const known: unique symbol = Symbol.for('atelier.test.tabs');
const everywhere = Object.assign<typeof globalThis, { [known]?: Tab[] }>(globalThis, {});

function freeTabs(): Tab[] {
  everywhere[known] ??= [];
  return everywhere[known];
}

/**
 * Opens a tab, or takes one that was emptied: a process of its own for each visit, which has the scripts of the application handed over and
 * compiles them, is half of what a visit costs. `isNew`: for a test of the first visit, or one that changes what cannot be changed back.
 */
export async function takeTab(browser: Browser, looks: Looks, isNew: boolean): Promise<Tab> {
  const kind = isNew || looks.hasWorker ? undefined : `${looks.language} ${looks.zone}`;
  const free = freeTabs();
  const place = free.findIndex((tab) => tab.kind === kind && tab.context.browser() === browser);
  const [tab] = kind === undefined || place < 0 ? [] : free.splice(place, 1);
  if (tab === undefined) {
    const context = await browser.newContext(optionsOf(looks));
    return { context, page: await context.newPage(), kind };
  }
  const { width, height, theme } = looks;
  await tab.page.setViewportSize({ width, height });
  await tab.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  return tab;
}

/** After a visit: makes the tab one that knows nobody again, or closes it. */
export async function giveBackTab(tab: Tab, site: string): Promise<void> {
  const { context, page, kind } = tab;
  try {
    if (kind === undefined || page.isClosed()) return await context.close();
    await empty(tab, site);
    freeTabs().push(tab);
  } catch {
    // The service is gone, or the page has crashed.
    await context.close();
  }
}

async function empty({ context, page }: Tab, site: string): Promise<void> {
  page.removeAllListeners();
  await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearPermissions();
  // Of the same origin, and without scripts: what is kept for the time of a visit can be forgotten nowhere else.
  await page.goto(`${site}/robots.txt`, { timeout: 10_000 });
  await page.evaluate(() => sessionStorage.clear());
  const protocol = await context.newCDPSession(page);
  await protocol.send('Storage.clearDataForOrigin', { origin: site, storageTypes: 'all' });
  await protocol.send('Page.resetNavigationHistory');
  await protocol.detach();
  await context.clearCookies();
  // Nothing is pointed at.
  await page.mouse.move(-1, -1);
}
