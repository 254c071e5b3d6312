import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { observe, rowsShownAfter, slowest, takeObserved } from './observed.ts';

/** Where to look, and as whom. */
export interface Site {
  readonly baseUrl: string;
  readonly trackerId: number;
  readonly person: { readonly username: string; readonly password: string };
}

export async function signedIn(browser: Browser, { baseUrl, person }: Site): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width: 1280, height: 800 } });
  const answer = await context.request.post('/api/sessions', { data: person });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`);
  return context;
}

export interface Loaded {
  /** Milliseconds until rows were there. */
  readonly rows: number;
  /** Bytes over the wire, by kind. */
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
  return { page, loaded: { rows, script: bytes.get('Script') ?? 0, style: bytes.get('Stylesheet') ?? 0 } };
}

async function countBytes(protocol: CDPSession): Promise<ReadonlyMap<string, number>> {
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  await protocol.send('Network.enable');
  protocol.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
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

/** What somebody does in a table, by keyboard: walks down it, opens and closes the panel, walks back. */
async function work(page: Page, scale: number): Promise<number> {
  let made = await press(page, 'j', 200 * scale);
  for (let at = 0; at < 20 * scale; at++) {
    made += await press(page, 'Enter', 1);
    await page.getByRole('complementary').waitFor();
    made += await press(page, 'Escape', 1);
  }
  made += await press(page, 'k', 100 * scale);
  return made;
}

/** The time that 98 of 100 interactions stay below. */
export async function interaction(context: BrowserContext, path: string, rate: number): Promise<number> {
  const { page } = await open(context, path);
  await page.getByRole('grid').focus();
  await takeObserved(page);
  const protocol = await context.newCDPSession(page);
  await slow(protocol, rate);
  const made = await work(page, rate === 1 ? 1 : 0.25);
  const { interactions } = await takeObserved(page);
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
