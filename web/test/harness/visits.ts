import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

export interface VisitOptions {
  /** The login of whoever visits; nobody signs in without it. */
  readonly as?: string;
  readonly path?: string;
  /** The address of another service than the one of the site. */
  readonly at?: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly language?: string;
  /** The zone of whoever visits. */
  readonly zone?: string;
  /** Whether the service worker keeps the application on the device. */
  readonly hasWorker?: boolean;
  /** Whether all parts of the application are loaded as soon as a page is shown, as without a wish to save data. */
  readonly loadsAhead?: boolean;
  /** What will go wrong on the page, because the test makes it so. */
  readonly expecting?: readonly RegExp[];
}

function contextOptions({
  theme = 'light',
  width = 1280,
  height = 800,
  language = 'en',
  zone = 'Europe/Paris',
  hasWorker = false,
}: VisitOptions) {
  return {
    // Requests that a worker answers cannot be held back or answered by a test.
    serviceWorkers: hasWorker ? 'allow' : 'block',
    colorScheme: theme,
    viewport: { width, height },
    locale: language,
    timezoneId: zone,
    reducedMotion: 'reduce',
  } satisfies BrowserContextOptions;
}

/**
 * A browser whose owner pays for each byte: parts of the application that a test does not use would take a third of the processor's time
 * of a visit.
 */
const saveData = () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } });

const loadsAhead = (options: VisitOptions) => options.loadsAhead ?? options.hasWorker ?? false;

/** What cannot be changed while a page is open. */
const kindOf = (options: VisitOptions) => {
  const { locale, timezoneId, serviceWorkers } = contextOptions(options);
  return [locale, timezoneId, serviceWorkers, loadsAhead(options)].join();
};

/** What a test can do to a page or its context that nobody can undo. */
const lasting = [
  'addInitScript',
  'addLocatorHandler',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setOffline',
];

/** All that a test may listen to. */
const heard = [
  ...['console', 'dialog', 'domcontentloaded', 'download', 'filechooser', 'framenavigated', 'load', 'popup'],
  ...['pageerror', 'request', 'requestfailed', 'requestfinished', 'response', 'websocket', 'worker'],
] as const;

function tellUse(of: object, names: readonly string[], told: () => void): void {
  for (const name of names) {
    const act: unknown = Reflect.get(of, name);
    if (typeof act !== 'function') continue;
    Reflect.set(of, name, (...given: unknown[]) => {
      told();
      return Reflect.apply(act, of, given);
    });
  }
}

/** A page with a document that has nothing in it, in the same process as the application. */
const emptyPath = '/robots.txt';

/**
 * A page in a context of its own. A new process for each visit, which has to load and compile the application, would take two thirds more
 * of the processor's time: pages are used again, as good as new.
 */
export class Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #kind: string;
  readonly #protocol: CDPSession;
  #isSpent: boolean;

  private constructor(page: Page, protocol: CDPSession, options: VisitOptions) {
    const context = page.context();
    this.context = context;
    this.page = page;
    this.#protocol = protocol;
    this.#kind = kindOf(options);
    this.#isSpent = options.hasWorker === true || options.at !== undefined;
    const spend = () => {
      this.#isSpent = true;
    };
    for (const one of [page, context]) tellUse(one, lasting, spend);
    tellUse(
      page.clock,
      ['fastForward', 'install', 'pauseAt', 'runFor', 'setFixedTime', 'setSystemTime'],
      spend,
    );
    page.once('close', spend);
  }

  static async open(browser: Browser, options: VisitOptions): Promise<Visit> {
    const context = await browser.newContext(contextOptions(options));
    if (!loadsAhead(options)) await context.addInitScript(saveData);
    const page = await context.newPage();
    return new Visit(page, await context.newCDPSession(page), options);
  }

  fits(options: VisitOptions): boolean {
    return options.at === undefined && this.#kind === kindOf(options);
  }

  /** For somebody else. */
  async begin(options: VisitOptions): Promise<void> {
    const { viewport, colorScheme, reducedMotion } = contextOptions(options);
    await this.page.setViewportSize(viewport);
    await this.page.emulateMedia({ ...{ colorScheme, reducedMotion }, media: null, forcedColors: 'none' });
  }

  /** Forgets all that the visit left on the device, but for files of the application. Tells whether it can be used again. */
  async end(site: string): Promise<boolean> {
    const isReusable = !this.#isSpent && (await this.#forget(site).catch(() => false));
    if (!isReusable) await this.context.close();
    return isReusable;
  }

  async #forget(site: string): Promise<boolean> {
    const { context, page } = this;
    for (const event of heard) {
      page.removeAllListeners(event);
      context.removeAllListeners(event);
    }
    context.removeAllListeners('page');
    await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())));
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // It may ask whether to leave what is not saved yet.
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto(site + emptyPath, { timeout: 5000 });
    page.removeAllListeners('dialog');
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await context.clearCookies();
    await this.#protocol.send('Storage.clearDataForOrigin', {
      origin: site,
      storageTypes: 'indexeddb,cache_storage',
    });
    await this.#protocol.send('Page.resetNavigationHistory');
    return true;
  }
}
