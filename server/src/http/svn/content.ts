import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../../kernel/errors.ts';
import { svnContentFolder } from '../../present/index.ts';
import { browsedPath, openRepository, type RepositoryView } from '../../svn/index.ts';
import type { FlatHeaders } from '../headers.ts';
import { authenticate, errorPage, RootExchange, stopping } from '../pipeline/index.ts';
import type { Services } from '../services.ts';

const methods = 'OPTIONS, GET';
const notKept: FlatHeaders = ['Cache-Control', 'private, no-store'];

/** Bytes of the changes of one revision that are sent at the most; nobody reads more. */
const longestDiff = 16 * 1024 * 1024;
const cutMark = '\n\n(The rest is left out: there is too much of it.)\n';

interface Target {
  readonly id: number;
  readonly kind: string;
  readonly path: string;
  readonly revision: number | undefined;
  /** Two revisions that are compared. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Whether a page wants to show it. */
  readonly isInline: boolean;
}

function numberIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text !== null && !/^\d{1,9}$/.test(text)) throw notFound('There is no such revision.');
  return text === null ? undefined : Number(text);
}

function targetIn({ url = '' }: IncomingMessage): Target {
  const [, id, kind, query] = /^\/svn-content\/(\d{1,15})\/(file|diff)(?:\?(.*))?$/.exec(url) ?? [];
  if (id === undefined || kind === undefined) throw notFound('There is nothing of the kind.');
  const parameters = new URLSearchParams(query);
  return {
    ...{ id: Number(id), kind, path: browsedPath(parameters.get('path') ?? '/') },
    revision: numberIn(parameters, 'revision'),
    from: numberIn(parameters, 'from'),
    to: numberIn(parameters, 'to'),
    isInline: parameters.get('inline') === '1',
  };
}

type Opened = ReturnType<RepositoryView['open']>;

/** What a program says, up to so many bytes; it is ended when nobody listens any more. `said`: what was read of it before. */
const poured = (child: Opened, most: number, said: AsyncIterable<Uint8Array> = child.stdout ?? none()) => ({
  async pour(take: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    let length = 0;
    try {
      for await (const bytes of said) {
        length += bytes.length;
        await take(length > most ? bytes.subarray(0, Math.max(0, bytes.length - (length - most))) : bytes);
        if (length > most) return await take(Buffer.from(cutMark));
      }
      if (child.exitCode === null) await once(child, 'close');
      if (child.exitCode !== 0) throw new Error('A program of Subversion failed in the middle.');
    } finally {
      child.kill();
    }
  },
});

async function* none(): AsyncGenerator<Uint8Array> {}

/** The first bytes of what a program says, and then all of it. */
async function peeked(child: Opened): Promise<{ first: Uint8Array; said: AsyncIterable<Uint8Array> }> {
  const parts = (child.stdout ?? none())[Symbol.asyncIterator]();
  const { value: first = new Uint8Array() } = await parts.next();
  async function* said() {
    if (first.length > 0) yield first;
    for (let part = await parts.next(); part.done !== true; part = await parts.next()) yield part.value;
  }
  return { first, said: said() };
}

/** What runs nothing and loads nothing, wherever it is opened. */
const sandbox: FlatHeaders = ['Content-Security-Policy', "default-src 'none'; sandbox"];

/** Pictures that browsers show, by the ends of their names. */
const pictures: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/** How a page may show bytes; undefined: not at all. */
function shownType(path: string, first: Uint8Array): string | undefined {
  const [, end = ''] = /\.([a-z0-9]+)$/i.exec(path) ?? [];
  const picture = pictures[end.toLowerCase()];
  return picture ?? (first.includes(0) ? undefined : 'text/plain; charset=utf-8');
}

async function giveFile(
  exchange: RootExchange,
  view: RepositoryView,
  { path, revision, isInline }: Target,
): Promise<void> {
  const node = await view.node(path, revision);
  if (node.isFolder) throw notFound('This is a folder.');
  const name = encodeURIComponent(path.split('/').at(-1) ?? 'file').replaceAll("'", '%27');
  const child = view.open({ file: path, revision: node.at_revision });
  const { first, said } = await peeked(child);
  const shown = isInline ? shownType(path, first) : undefined;
  const own = [
    'Content-Type',
    shown ?? 'application/octet-stream',
    'Content-Disposition',
    `${shown === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${name}`,
    ...sandbox,
  ];
  await exchange.stream(200, [...notKept, ...own], poured(child, Number.POSITIVE_INFINITY, said));
}

async function giveDiff(
  exchange: RootExchange,
  view: RepositoryView,
  { path, revision, from, to }: Target,
): Promise<void> {
  const own = ['Content-Type', 'text/plain; charset=utf-8', ...sandbox];
  if (from !== undefined && to !== undefined) {
    const comparison = await view.openComparison(path, { from, to });
    return exchange.stream(200, [...notKept, ...own], poured(comparison, longestDiff));
  }
  if (revision === undefined || revision === 0) throw notFound('There is no such revision.');
  await view.requireReadableDiff(revision);
  await exchange.stream(200, [...notKept, ...own], poured(view.open({ diffOf: revision }), longestDiff));
}

async function run(services: Services, exchange: RootExchange): Promise<void> {
  const { request } = exchange;
  if (exchange.isStopping) throw stopping();
  if (request.method === 'OPTIONS') return exchange.answer(200, ['Allow', methods]);
  if (request.method !== 'GET')
    return exchange.answer(405, [...notKept, 'Allow', methods], errorPage(405, 'This can only be read.'));
  // Links lead here from anywhere; the answer runs nothing and other sites cannot read it.
  const viewer = await authenticate(services, request, { fromAnyPage: true });
  exchange.requestLog.userId = viewer.userId;
  const target = targetIn(request);
  const view = await openRepository(services.svnDeps, viewer, target.id);
  services.svnUses.note(target.id, viewer.userId, 'views');
  await (target.kind === 'file' ? giveFile : giveDiff)(exchange, view, target);
}

/** Answers a request for the bytes of a file, or for the changes of a revision. */
export async function answerSvnContent(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const label = `${request.method} ${svnContentFolder}`;
  const exchange = new RootExchange(services, request, response, { headers: [], label });
  try {
    await run(services, exchange);
  } catch (error) {
    exchange.fail(error, notKept);
  }
}
