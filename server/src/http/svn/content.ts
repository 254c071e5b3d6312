import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../../kernel/errors.ts';
import { svnContentFolder } from '../../present/index.ts';
import { browsedPath, openRepository, type RepositoryView } from '../../svn/index.ts';
import type { FlatHeaders } from '../headers.ts';
import { authenticate, errorPage, RootExchange, stopping } from '../pipeline/index.ts';
import type { Services } from '../services.ts';
import { ProgramOutput } from './program-output.ts';

const methods = 'OPTIONS, GET';
const notKept: FlatHeaders = ['Cache-Control', 'private, no-store'];

/** Bytes of the changes of one revision that are sent at the most; nobody reads more. */
const longestDiff = 16 * 1024 * 1024;

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
  const output = await ProgramOutput.of(
    view.open({ file: path, revision: node.at_revision }, exchange.whenLeft()),
  );
  const shown = isInline ? shownType(path, output.first) : undefined;
  const own = [
    'Content-Type',
    shown ?? 'application/octet-stream',
    'Content-Disposition',
    `${shown === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${name}`,
    ...sandbox,
  ];
  await exchange.stream(200, [...notKept, ...own], output.upTo(Number.POSITIVE_INFINITY));
}

async function giveDiff(
  exchange: RootExchange,
  view: RepositoryView,
  { path, revision, from, to }: Target,
): Promise<void> {
  const left = exchange.whenLeft();
  const opened = async () => {
    if (from !== undefined && to !== undefined) return view.openComparison(path, { from, to }, left);
    if (revision === undefined || revision === 0) throw notFound('There is no such revision.');
    await view.requireReadableDiff(revision);
    return view.open({ diffOf: revision }, left);
  };
  const output = await ProgramOutput.of(await opened());
  const own = ['Content-Type', 'text/plain; charset=utf-8', ...sandbox];
  await exchange.stream(200, [...notKept, ...own], output.upTo(longestDiff));
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
    if (exchange.isLeft) exchange.abandon();
    else exchange.fail(error, notKept);
  }
}
