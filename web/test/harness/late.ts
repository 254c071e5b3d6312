import type { Page, Request } from 'playwright-core';

type Address = Parameters<Page['route']>[0];

/** An answer that is given at once, and comes late. */
export interface LateAnswer {
  /** When the server has answered. */
  readonly given: Promise<unknown>;
  /** Lets it come, and waits until it is seen, or was not wanted any more. */
  come(): Promise<void>;
}

/** Holds the answer to the next question back, while later ones are answered. */
export async function holdAnswer(page: Page, address: Address): Promise<LateAnswer> {
  const given = Promise.withResolvers<void>();
  const goes = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  let held: Request | undefined;
  const end = (request: Request) => request === held && over.resolve();
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  await page.route(address, async (route) => {
    if (held !== undefined || route.request().method() !== 'GET') return route.fallback();
    held = route.request();
    const response = await route.fetch();
    given.resolve();
    await goes.promise;
    await route.fulfill({ response }).catch(() => undefined);
  });
  return {
    given: given.promise,
    come: async () => {
      goes.resolve();
      await over.promise;
      // What it tells is drawn in the next frame.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    },
  };
}
