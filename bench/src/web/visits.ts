import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { observe, rowsShownAfter, slowest, takeObserved } from './observed.ts';

/** Where to look, and as whom. */
export interface Site {
  readonly baseUrl: string;
  readonly trackerId: number;
  readonly person: { readonly username: string; readonly password: string };
}

export async function signedIn(
  browser: Browser,
  { baseUrl, person }: Site,
  extraHTTPHeaders: Record<string, string> = {},
): Promise<BrowserContext> {
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ baseURL: baseUrl, viewport, extraHTTPHeaders });
  // Somebody who has been here before.
  const { username, password } = person;
  const known = Buffer.from(`${username}:${password}`).toString('base64');
  await context.request.patch('/api/users/self/preferences', {
    headers: { Authorization: `Basic ${known}` },
    data: { key: 'web.onboarding', value: 'over' },
  });
  const answer = await context.request.post('/api/sessions', { data: person });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`);
  return context;
}

export interface Loaded {
  /** Milliseconds until rows were there. */
  readonly rows: number;
  /** Bytes of the files as they came over the wire, by kind. */
  readonly script: number;
  readonly style: number;
}

/** Opens an address in a page of its own and waits for rows. */
export async function open(context: BrowserContext, path: string): Promise<{ page: Page; loaded: Loaded }> {
  const page = await context.newPage();
  await observe(page);
  const protocol = await context.newCDPSession(page);
  const bytes = await countBytes(protocol);
  await page.goto(path);
  const rows = await rowsShownAfter(page);
  // Before anything that is loaded for later.
  const [script, style] = [bytes.get('Script') ?? 0, bytes.get('Stylesheet') ?? 0];
  return { page, loaded: { rows, script, style } };
}

/** Waits until the device keeps the document and all files that the page has loaded. */
export async function untilKept(page: Page): Promise<void> {
  // Playwright's own wait takes the promise of an asynchronous answer for the answer.
  while (!(await isKept(page))) await setTimeout(50);
}

const isKept = (page: Page) =>
  page.evaluate(async () => {
    const kept = await caches.open('atelier-1');
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    const wanted = ['/', ...loaded.filter((path) => path.startsWith('/assets/'))];
    const found = await Promise.all(wanted.map((path) => kept.match(path)));
    return found.every((answer) => answer !== undefined);
  });

async function countBytes(protocol: CDPSession): Promise<ReadonlyMap<string, number>> {
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  await protocol.send('Network.enable');
  protocol.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  protocol.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? '';
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  return bytes;
}

const slow = (protocol: CDPSession, rate: number) =>
  protocol.send('Emulation.setCPUThrottlingRate', { rate });

/** Presses a key many times, one after the other has been painted. */
async function press(page: Page, key: string, times: number): Promise<number> {
  for (let at = 0; at < times; at++) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => painted(null))));
  }
  return times;
}

/** A line of what somebody does; gives how many keys and buttons were pressed for it. */
type Act = (page: Page, scale: number) => Promise<number>;

const times = (count: number, scale: number) => Math.max(1, Math.round(count * scale));

/** Down the table, a row at a time. */
const walk: Act = (page, scale) => press(page, 'j', times(200, scale));

/** The page itself has the focus: keys are commands then. */
const leaveControls = (page: Page) =>
  page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());

/** Found by its element, as all that is waited for: looking for roles takes the page's own time, just when it is to draw. */
const panel = (page: Page) => page.locator('aside[aria-label*="#"]').first();

const links = (page: Page) => page.locator('[role="grid"] a');

const openAndClose: Act = async (page, scale) => {
  const count = times(50, scale);
  for (let at = 0; at < count; at++) {
    await press(page, 'o', 1);
    await panel(page).waitFor();
    await press(page, 'Escape', 1);
    await panel(page).waitFor({ state: 'detached' });
  }
  return 2 * count;
};

const filter: Act = async (page) => {
  await press(page, '/', 1);
  await page.keyboard.press('ControlOrMeta+A');
  for (const letter of 'performance ') await press(page, letter === ' ' ? 'Space' : letter, 1);
  await page.keyboard.press('ControlOrMeta+A');
  await press(page, 'Delete', 1);
  await press(page, 'Enter', 1);
  await leaveControls(page);
  await links(page).first().waitFor();
  return 15;
};

const sort: Act = async (page) => {
  const heads = page.getByRole('columnheader').getByRole('button');
  for (const at of [0, 2, 4]) await heads.nth(at).click();
  await links(page).first().waitFor();
  return 3;
};

const group: Act = async (page) => {
  const choose = async (at: number) => {
    await page
      .getByRole('button', { name: /^Group/ })
      .first()
      .click();
    await page.getByRole('menuitem').nth(at).click();
    await links(page).first().waitFor();
  };
  await choose(1);
  await choose(0);
  return 4;
};

const edit: Act = async (page, scale) => {
  const count = times(20, scale);
  await links(page).first().waitFor();
  for (let at = 0; at < count; at++) {
    await press(page, 'j', 1);
    await press(page, 'e', 1);
    await page.locator('[role="grid"] :is(input[type="text"], textarea)').waitFor();
    await press(page, 'End', 1);
    await press(page, 'x', 1);
    await press(page, 'Enter', 1);
  }
  return 5 * count;
};

const select: Act = async (page, scale) => {
  const count = times(200, scale);
  for (let at = 0; at < count; at++) {
    await press(page, 'x', 1);
    await press(page, 'j', 1);
  }
  await press(page, 'Escape', 1);
  return 2 * count + 1;
};

/** From the table to a whole page, and back. */
const read: Act = async (page, scale) => {
  const count = times(50, scale);
  for (let at = 0; at < count; at++) {
    await links(page)
      .nth(at % 10)
      .click();
    await panel(page).locator('[aria-label="Open as a page"]').click();
    await page.waitForURL('**/artifacts/*');
    await page.locator('h1').first().waitFor();
    await page.goBack();
    await panel(page).waitFor();
    await press(page, 'Escape', 1);
    await panel(page).waitFor({ state: 'detached' });
  }
  return 3 * count;
};

const acts: Readonly<Record<string, Act>> = {
  walk,
  'open and close the panel': openAndClose,
  'type a filter': filter,
  sort,
  group,
  'edit cells': edit,
  select,
  'open artifacts': read,
};

/** What all acts took, and how many keys and buttons were pressed. */
interface Worked {
  readonly made: number;
  readonly interactions: readonly number[];
}

/** The script: each act alone can fail without the others, and is told then. */
async function work(page: Page, scale: number): Promise<Worked> {
  page.setDefaultTimeout(15_000);
  let made = 0;
  const interactions: number[] = [];
  for (const [name, act] of Object.entries(acts)) {
    try {
      const pressed = await act(page, scale);
      const observed = await takeObserved(page);
      console.log(`  ${name.padEnd(36)}${slowest(observed.interactions, pressed).toFixed(0).padStart(7)} ms`);
      made += pressed;
      interactions.push(...observed.interactions);
    } catch (error) {
      const [reason] = String(error).split('\n');
      console.log(`  not measured: ${name} (${reason})`);
      await page.keyboard.press('Escape');
    }
    await leaveControls(page);
  }
  return { made, interactions };
}

/** The time that 98 of 100 interactions stay below. */
export async function interaction(context: BrowserContext, path: string, rate: number): Promise<number> {
  const { page } = await open(context, path);
  await leaveControls(page);
  await takeObserved(page);
  const protocol = await context.newCDPSession(page);
  await slow(protocol, rate);
  const { made, interactions } = await work(page, rate === 1 ? 1 : 0.25);
  await page.close();
  return slowest(interactions, made);
}

/** The same on the floor: 200 times a key. */
export async function floorInteraction(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { page } = await open(context, url);
  const made = await press(page, 'j', 200);
  const { interactions } = await takeObserved(page);
  await context.close();
  return slowest(interactions, made);
}

/** The longest frame of some seconds of scrolling; 50 where none took longer. */
export async function scrolling(context: BrowserContext, path: string, seconds: number): Promise<number> {
  const { page } = await open(context, path);
  await page.mouse.move(640, 500);
  await takeObserved(page);
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) await page.mouse.wheel(0, 600);
  const { longFrames } = await takeObserved(page);
  await page.close();
  return Math.max(50, ...longFrames);
}

/** Another page of the application, as by a link: it is there when its heading is, under a title of its own. */
async function goInside(page: Page, path: string): Promise<void> {
  const before = await page.evaluate((to) => {
    const { title } = document;
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
    return title;
  }, path);
  await page.waitForFunction((title) => document.title !== title, before);
  await page.locator('h1').first().waitFor();
}

/** Bytes that the page holds, once nothing of it is garbage. */
async function heldBy(protocol: CDPSession): Promise<number> {
  // What is found by the first may have held what the second finds.
  for (let round = 0; round < 3; round++) await protocol.send('HeapProfiler.collectGarbage');
  const {
    usedSize,
    embedderHeapUsedSize = 0,
    backingStorageSize = 0,
  } = await protocol.send('Runtime.getHeapUsage');
  return usedSize + embedderHeapUsedSize + backingStorageSize;
}

/** Bytes that are held after many pages were opened and left, beyond those that were held after some of each kind. */
export async function heldAfter(pages: number, context: BrowserContext, site: Site): Promise<number> {
  const table = `/trackers/${site.trackerId}`;
  const { page } = await open(context, table);
  const ids = await page.evaluate(async (address): Promise<number[]> => {
    const artifacts: { id: number }[] = await (await fetch(address)).json();
    return artifacts.map(({ id }) => id);
  }, `/api${table}/artifacts?limit=100`);
  const protocol = await context.newCDPSession(page);
  const others = ['/', '/projects', table, '/inbox', '/search?words=page'];
  /** Two artifacts, and a page of another kind. */
  async function visit(from: number, to: number): Promise<number> {
    for (let at = from; at < to; at++) {
      const path =
        at % 3 === 2 ? others[((at - 2) / 3) % others.length] : `/artifacts/${ids[at % ids.length]}`;
      await goInside(page, path ?? '/');
    }
    await goInside(page, '/help');
    return heldBy(protocol);
  }
  const some = 6 * others.length;
  const before = await visit(0, some);
  const after = await visit(some, some + pages);
  await page.close();
  return after - before;
}
