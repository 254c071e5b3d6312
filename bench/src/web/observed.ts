import type { Page } from 'playwright-core';

/** What a page tells of itself while it is used. Times in milliseconds. */
export interface Observed {
  /** From the press of a key or button to the next paint, of those that took 16 ms or more. */
  readonly interactions: readonly number[];
  /** Frames that took longer than 50 ms. */
  readonly longFrames: readonly number[];
}

/** Runs in the page before anything else of it: keeps what the browser reports. */
function watch(): void {
  const kept = { interactions: new Map<number, number>(), longFrames: [] as number[], rowsAt: 0 };
  Object.assign(globalThis, { benchObserved: kept });
  const interactions = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const id = (entry as PerformanceEntry & { interactionId?: number }).interactionId ?? 0;
      if (id > 0) kept.interactions.set(id, Math.max(kept.interactions.get(id) ?? 0, entry.duration));
    }
  });
  interactions.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.duration > 50) kept.longFrames.push(entry.duration);
  }).observe({ type: 'long-animation-frame', buffered: true });
  const look = () => {
    const filled = document.querySelectorAll(
      '[role="row"] a[href*="/artifacts/"], li a[href*="/artifacts/"]',
    );
    if (kept.rowsAt === 0 && filled.length >= 5) kept.rowsAt = performance.now();
    if (kept.rowsAt === 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

interface Kept {
  interactions: Map<number, number>;
  longFrames: number[];
  rowsAt: number;
}

export const observe = (page: Page) => page.addInitScript(watch);

/** Milliseconds from the beginning of the navigation until rows of artifacts were there. */
export async function rowsShownAfter(page: Page): Promise<number> {
  const shown = await page.waitForFunction(() => {
    const { benchObserved } = globalThis as unknown as { benchObserved: { rowsAt: number } };
    return benchObserved.rowsAt;
  });
  return Number(await shown.jsonValue());
}

/** What was observed since the last time; waits for a frame, so that the last interaction is in it. */
export function takeObserved(page: Page): Promise<Observed> {
  return page.evaluate(async () => {
    await new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 0)), 100));
    const { benchObserved } = globalThis as unknown as { benchObserved: Kept };
    const seen = {
      interactions: [...benchObserved.interactions.values()],
      longFrames: [...benchObserved.longFrames],
    };
    benchObserved.interactions.clear();
    benchObserved.longFrames.length = 0;
    return seen;
  });
}

/** The duration that all but two of a hundred interactions stay below. Those below 16 ms are not reported one by one. */
export function slowest(observed: readonly number[], made: number): number {
  const sorted = [...observed].sort((left, right) => right - left);
  const allowed = Math.floor(made * 0.02);
  return sorted[allowed] ?? 16;
}
