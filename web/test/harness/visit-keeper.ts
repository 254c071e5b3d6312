import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Browser } from 'playwright-core';
import type { Visit } from './visits.ts';

/** What the files of this process hand on, one to the next. */
interface Kept {
  /** Where sites serve: browsers keep files, and what they compiled of them, by address. */
  port: string;
  isPortTaken: boolean;
  /** Pages that were used at that address, and are as good as new. */
  readonly visits: Visit[];
}

/** It outlives the file that began it, and what it loaded. */
const known: unique symbol = Symbol.for('atelier.test.visits');
const everywhere = Object.assign<typeof globalThis, { [known]?: Kept }>(globalThis, {});

function kept(): Kept {
  everywhere[known] ??= { port: '0', isPortTaken: false, visits: [] };
  return everywhere[known];
}

const portOf = (url: string) => new URL(url).port;

/** Somebody else on this machine may have taken it meanwhile. */
async function isFree(port: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(Number(port), '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** The port of the site before; `0`, which is any, while a site is there or nobody was. */
export async function borrowPort(): Promise<string> {
  const before = kept();
  if (before.port === '0' || before.isPortTaken) return '0';
  before.isPortTaken = true;
  if (await isFree(before.port)) return before.port;
  before.isPortTaken = false;
  return '0';
}

/** Pages of the site before, for one at the same address. */
export function keptVisits(browser: Browser, url: string): Visit[] {
  const before = kept();
  if (before.port === '0') Object.assign(before, { port: portOf(url), isPortTaken: true });
  if (before.port !== portOf(url)) return [];
  // Those of a browser that broke are gone with it.
  return before.visits.splice(0).filter(({ context }) => context.browser() === browser);
}

export async function keepVisits(visits: readonly Visit[], url: string): Promise<void> {
  const { port, visits: all } = kept();
  if (port === portOf(url)) all.push(...visits);
  else await Promise.all(visits.map(({ context }) => context.close()));
}

export function returnPort(url: string): void {
  if (kept().port === portOf(url)) kept().isPortTaken = false;
}
