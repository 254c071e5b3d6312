import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { lacksSubversion } from '../../../server/test/fixtures/svn.ts';
import {
  Caller,
  type ServerProcess,
  startHosted,
  startServer,
} from '../../../server/test/harness/atelier.ts';
import { lacksBrowser, lendBrowser } from '../../../server/test/harness/browser.ts';
import { eventually } from '../../../server/test/harness/eventually.ts';
import { cheapHashing } from '../../../server/test/harness/prepared.ts';
import { thoroughTest } from '../../../server/test/harness/thorough.ts';
import { faultsOf } from './faults.ts';
import { borrowPort, keepVisits, keptVisits, returnPort } from './visit-keeper.ts';
import { Visit, type VisitOptions } from './visits.ts';

export { lacksBrowser, lacksSubversion, thoroughTest };

/** Everybody of the demo, and the administrator, signs in with it. */
export const password = 'correct horse battery';

interface DemoTemplate {
  /** The data folder of a service that has loaded the demo project and was stopped. */
  readonly folder: string;
  readonly adminKey: string;
}

/** A service with cheap passwords, whose data are in a folder. */
export const environmentIn = (folder: string) => ({
  ATELIER_ARGON2_MEMORY: String(cheapHashing.memory),
  ATELIER_ARGON2_PASSES: String(cheapHashing.passes),
  ATELIER_HTTP_THREADS: '1',
  ATELIER_DATA: folder,
  ATELIER_PORT: '0',
  ATELIER_HOST: '127.0.0.1',
  ATELIER_APT: '0',
  TZ: 'Europe/Paris',
});

const callerWith = (url: string, key: string) => new Caller(url, { 'X-Auth-AccessKey': key });

function callerAs(url: string, login: string): Caller {
  const encoded = Buffer.from(`${login}:${password}`).toString('base64');
  return new Caller(url, { Authorization: `Basic ${encoded}` });
}

async function makeDemoTemplate(folder: string): Promise<DemoTemplate> {
  const server = await startServer({ ...environmentIn(folder), ATELIER_DEMO: '1' });
  const adminKey = /X-Auth-AccessKey: (\S+?)['"]/.exec(server.output())?.[1] ?? '';
  const admin = callerWith(server.url, adminKey);
  await eventually(async () => expect((await admin.get('/projects')).body).not.toEqual([]));
  // Its repository is made last, where Subversion is there.
  await eventually(async () => {
    if (lacksSubversion) return;
    const { body } = await admin.get('/projects/101/svn');
    expect(body.repositories).toHaveLength(1);
    expect((await admin.get(`/svn/${body.repositories[0].id}/log`)).status).toBe(200);
  });
  const { body: people } = await admin.get('/user_groups/101_3/users?limit=50');
  const current = /password {4}(\S+)/.exec(server.output())?.[1];
  for (const id of new Set([101, ...people.map((person: { id: number }) => person.id)])) {
    const { status, text } = await admin.put(`/users/${id}/password`, {
      password,
      current_password: current,
    });
    expect(status, text).toBe(200);
  }
  // Everybody has seen the first steps.
  const logins = ['admin', ...people.map((person: { username: string }) => person.username)];
  for (const login of logins) {
    const { status, text } = await callerAs(server.url, login).patch('/users/self/preferences', {
      key: 'web.onboarding',
      value: 'over',
    });
    expect(status, text).toBe(200);
  }
  await server.end();
  return { folder, adminKey };
}

/** Made once for all files of a run: by whoever needs it first, for whom all others wait. */
async function demoTemplate(): Promise<DemoTemplate> {
  const place = join(process.env['ATELIER_TEST_RUN'] ?? '', 'demo');
  const facts = join(place, 'facts.json');
  const fault = join(place, 'fault');
  if (isFirst(place)) {
    const folder = join(place, 'data');
    try {
      const made = JSON.stringify(await makeDemoTemplate(folder));
      writeFileSync(`${facts}.new`, made);
      renameSync(`${facts}.new`, facts);
    } catch (error) {
      writeFileSync(fault, String(error));
      throw error;
    }
  }
  while (!existsSync(facts) && !existsSync(fault)) await pause(50);
  if (existsSync(fault)) throw new Error(`The demo could not be loaded: ${readFileSync(fault, 'utf8')}`);
  return JSON.parse(readFileSync(facts, 'utf8'));
}

/** Only one process can make a folder. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Waits until something is so on a page. Playwright's own wait takes the promise of an asynchronous answer for the answer. */
const untilTrue = (look: () => Promise<boolean>) => eventually(async () => expect(await look()).toBe(true));

/** Waits until the worker keeps the document and all files that the page has loaded. */
export const untilKept = (page: Page) =>
  untilTrue(() =>
    page.evaluate(async () => {
      const kept = await caches.open('atelier-1');
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      const wanted = ['/', ...loaded.filter((path) => path.startsWith('/assets/'))];
      const found = await Promise.all(wanted.map((path) => kept.match(path)));
      return found.every((answer) => answer !== undefined);
    }),
  );

/** Waits until the device keeps answers whose keys have these parts: they are written a moment after they came, not all at once. */
export const untilAnswersKept = (page: Page, parts: readonly string[]) =>
  untilTrue(() =>
    page.evaluate(async (wanted) => {
      const [{ name } = {}] = await indexedDB.databases();
      if (name === undefined) return false;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const keys = await new Promise<IDBValidKey[]>((resolve, reject) => {
        const request = database.transaction('answers').objectStore('answers').getAllKeys();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      database.close();
      return wanted.every((part) => keys.some((key) => String(key).includes(part)));
    }, parts),
  );

/** The product with the demo project, and a browser that visits it. */
export class Site {
  #server: ServerProcess;
  readonly #environment: Readonly<Record<string, string>>;
  readonly browser: Browser;
  readonly #adminKey: string;
  readonly #visits: { visit: Visit; faults: string[] }[] = [];
  /** Those that are over, for the next. */
  readonly #ended: Visit[] = [];

  constructor(
    server: ServerProcess,
    environment: Readonly<Record<string, string>>,
    browser: Browser,
    adminKey: string,
  ) {
    this.#server = server;
    this.#environment = environment;
    this.browser = browser;
    this.#adminKey = adminKey;
    this.#ended.push(...keptVisits(browser, server.url));
  }

  get url(): string {
    return this.#server.url;
  }

  /** Where its data are. */
  get folder(): string {
    return this.#environment['ATELIER_DATA'] ?? '';
  }

  /** Calls the API as the administrator, to prepare and to check. */
  get admin(): Caller {
    return callerWith(this.url, this.#adminKey);
  }

  /** Calls the API as somebody else. */
  as(login: string): Caller {
    return callerAs(this.url, login);
  }

  /** Opens a page in a browser that knows nothing of earlier visits. */
  async visit(options: VisitOptions = {}): Promise<Page> {
    const address = options.at ?? this.url;
    const { page, context } = await this.#begin(options, (opened) =>
      faultsOf(opened, address, options.expecting ?? []),
    );
    if (options.as !== undefined) await this.signIn(context, options.as);
    await page.goto(address + (options.path ?? '/'));
    return page;
  }

  async #begin(options: VisitOptions, watch: (page: Page) => string[]): Promise<Visit> {
    const place = this.#ended.findLastIndex((ended) => ended.fits(options));
    const [known] = place < 0 ? [] : this.#ended.splice(place, 1);
    await known?.begin(options);
    const visit = known ?? (await Visit.open(this.browser, options));
    this.#visits.push({ visit, faults: watch(visit.page) });
    return visit;
  }

  /** As the page does it, without the page. */
  async signIn(context: BrowserContext, login: string): Promise<void> {
    const answer = await context.request.post(`${this.url}/api/sessions`, {
      data: { username: login, password },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }

  /** Changes what only time would. */
  sql(text: string): void {
    const database = new DatabaseSync(join(this.folder, 'atelier.sqlite'), { timeout: 5000 });
    try {
      database.exec(text);
    } finally {
      database.close();
    }
  }

  /** After each test: what was visited had no fault, and nobody is there any more. */
  async leave(): Promise<void> {
    const visits = this.#visits.splice(0);
    const end = async (visit: Visit) => {
      if (await visit.end(this.url)) this.#ended.push(visit);
    };
    await Promise.all(visits.map(({ visit }) => end(visit)));
    expect(visits.flatMap(({ faults }) => faults)).toEqual([]);
  }

  /** The service goes away, and comes back at the same address. */
  async stopServer(): Promise<void> {
    await this.#server.end();
  }

  async startServer(): Promise<void> {
    const { port } = new URL(this.url);
    this.#server = await startServer({ ...this.#environment, ATELIER_PORT: port });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#visits.splice(0).map(({ visit }) => visit.context.close()));
    await this.#server.end();
    await keepVisits(this.#ended.splice(0), this.url);
    returnPort(this.url);
  }
}

/**
 * Starts the product on a copy of the demo of its own, with its web application built. `isAlone`: in a process of its own, for tests in
 * which the service goes away.
 */
export async function startSite(
  more: Readonly<Record<string, string>> = {},
  { isAlone = false } = {},
): Promise<Site> {
  const [{ folder: template, adminKey }, browser] = await Promise.all([demoTemplate(), lendBrowser()]);
  const folder = mkdtempSync(join(tmpdir(), 'atelier-site-'));
  // With its owners: whoever serves repositories may be another one than whoever tests.
  execFileSync('cp', ['-a', `${template}/.`, folder]);
  const environment = {
    ...environmentIn(folder),
    ATELIER_PORT: await borrowPort(),
    ATELIER_WEB: '1',
    ...more,
  };
  const server = await (isAlone ? startServer(environment) : startHosted(environment));
  await eventually(async () => expect((await fetch(server.url)).status).toBe(200));
  return new Site(server, environment, browser, adminKey);
}
