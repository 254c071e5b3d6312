import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { Caller, startServer } from '../../../server/test/harness/atelier.ts';
import { startBrowser } from '../../../server/test/harness/browser.ts';
import { eventually } from '../../../server/test/harness/eventually.ts';
import { faultsOf } from './faults.ts';
import { environmentIn } from './site.ts';

/** A platform that nobody has used yet, and a browser that visits it. */
export interface FreshPlatform {
  readonly url: string;
  /** The password of admin, as the first start printed it. */
  readonly secret: string;
  /** What asks the API as the administrator. */
  readonly admin: Caller;
  /** The host and port of a server that takes calls of webhooks. */
  readonly receiver: string;
  /** Each time for another person. */
  open(path: string): Promise<Page>;
  /** Nothing went wrong on any page; then all of it ends. */
  stop(): Promise<void>;
}

export async function startFresh(more: Readonly<Record<string, string>> = {}): Promise<FreshPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-fresh-'));
  const server = await startServer({
    ...environmentIn(folder),
    ATELIER_WEB: '1',
    ATELIER_DEMO: '0',
    ...more,
  });
  const { browser, close } = await startBrowser();
  const receiver = createServer((request, answer) => {
    request.resume();
    answer.writeHead(202).end('taken');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await eventually(async () => expect((await fetch(server.url)).status).toBe(200));
  const contexts: BrowserContext[] = [];
  const faults: string[][] = [];
  const key = /X-Auth-AccessKey: (\S+?)['"]/.exec(server.output())?.[1] ?? '';
  return {
    url: server.url,
    secret: /password {4}(\S+)/.exec(server.output())?.[1] ?? '',
    admin: new Caller(server.url, { 'X-Auth-AccessKey': key }),
    receiver: `127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    open: async (path) => {
      const context = await browser.newContext({
        serviceWorkers: 'block',
        viewport: { width: 1280, height: 800 },
        locale: 'en',
        timezoneId: 'Europe/Paris',
        reducedMotion: 'reduce',
      });
      // A long way on a busy machine: single steps may take their time.
      context.setDefaultTimeout(60_000);
      contexts.push(context);
      const page = await context.newPage();
      faults.push(faultsOf(page, server.url, []));
      await page.goto(server.url + path);
      return page;
    },
    stop: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await close();
      receiver.close();
      await server.end();
      expect(faults.flat()).toEqual([]);
    },
  };
}
