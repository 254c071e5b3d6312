import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findReadableFile, readContextOf } from '../../artifacts/index.ts';
import {
  findPieces,
  isComplete,
  openSpan,
  type Piece,
  readUpload,
  type Span,
  type StoredFile,
} from '../../files/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import { downloadFolder } from '../../present/index.ts';
import { BlobMissing } from '../../storage/index.ts';
import type { FlatHeaders } from '../headers.ts';
import {
  authenticate,
  errorPage,
  matchesNone,
  prefersHtml,
  RootExchange,
  stopping,
} from '../pipeline/index.ts';
import type { Services } from '../services.ts';
import { dispositionOf, policyOf, servedType } from './download-headers.ts';
import { rangeIn } from './ranges.ts';

const methods = 'OPTIONS, GET, HEAD';
/** Where people are sent who may have to say who they are. */
const loginPage = '/login';

const headers: FlatHeaders = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Credentials',
  'true',
  'Access-Control-Allow-Methods',
  methods,
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Origin, X-Auth-UserId, X-Auth-Token, X-Client-Uuid, X-Auth-AccessKey',
  'Access-Control-Expose-Headers',
  'X-PAGINATION-SIZE, X-PAGINATION-LIMIT-MAX, X-PAGINATION-LIMIT',
  'X-DNS-Prefetch-Control',
  'off',
];
const kept: FlatHeaders = ['Cache-Control', 'private', 'Pragma', 'no-cache'];
const notKept: FlatHeaders = [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** What an address asks for. */
interface Target {
  readonly id: number;
  readonly name: string;
  readonly isPreview: boolean;
  /** Shown by the browser instead of saved, where that is safe. */
  readonly isInline: boolean;
}

/** `214-run%20log.txt`, or the same below `preview/`; undefined when the address is nothing of the kind. */
function targetIn(address: string): Target | undefined {
  const [path = '', query = ''] = address.slice(downloadFolder.length + 1).split('?', 2);
  const [, preview, id, encoded = ''] = /^(preview\/)?(\d{1,15})-([^/]+)$/.exec(path) ?? [];
  if (id === undefined || !URL.canParse(`http://host/?${query}`)) return undefined;
  const isInline = new URLSearchParams(query).get('disposition') === 'inline';
  try {
    return { id: Number(id), name: decodeURIComponent(encoded), isPreview: preview !== undefined, isInline };
  } catch {
    return undefined;
  }
}

async function findUpload({ database }: Services, viewer: Viewer, id: number) {
  try {
    const upload = await readUpload(database, viewer, id);
    return isComplete(upload) ? upload : undefined;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** The file, when the viewer may see it: attached, or an upload of theirs that is complete. */
async function findFile(services: Services, viewer: Viewer, { id, name }: Target) {
  const readContext = await readContextOf(services.database, viewer, services.trackers);
  const file = (await findReadableFile(readContext, id)) ?? (await findUpload(services, viewer, id));
  return file?.name === name ? file : undefined;
}

/** The bytes that are asked for, and what they are. */
interface Download {
  readonly file: StoredFile;
  readonly pieces: readonly Piece[];
  readonly size: number;
}

async function findDownload(
  services: Services,
  viewer: Viewer,
  target: Target,
): Promise<Download | undefined> {
  const file = await findFile(services, viewer, target);
  if (file === undefined) return undefined;
  if (!target.isPreview)
    return { file, pieces: await findPieces(services.database, file.id, 'original'), size: file.size };
  const pieces = await services.previews.find(file);
  const [picture] = pieces;
  return picture && { file, pieces, size: picture.size };
}

/** The bytes of a file never change, so their hashes tell them from all others. */
const tagOf = ({ pieces }: Download) =>
  `"${hash('sha256', pieces.map((piece) => piece.hash).join(' '), 'hex').slice(0, 40)}"`;

/** Some of the bytes, or none of them, but not without a look whether they are there. */
async function open({ keeper: { blobs } }: Services, { pieces }: Download, span: Span | undefined) {
  const [first] = pieces;
  if (span === undefined && first !== undefined && !(await blobs.has(first.hash)))
    throw new BlobMissing(first.hash);
  return openSpan(blobs, pieces, span ?? { start: 0, end: 0 });
}

async function give(services: Services, exchange: RootExchange, download: Download, target: Target) {
  const { file, size } = download;
  const { method, headers: input } = exchange.request;
  const etag = tagOf(download);
  if (matchesNone(input['if-none-match'], etag)) return exchange.answer(304, ['Etag', etag, ...kept]);
  const range = rangeIn(input, etag, size);
  const span = range ?? { start: 0, end: size };
  const own = [
    ...kept,
    ...['Etag', etag, 'Accept-Ranges', 'bytes', 'Content-Length', String(span.end - span.start)],
    ...(range === undefined ? [] : ['Content-Range', `bytes ${span.start}-${span.end - 1}/${size}`]),
    ...['Content-Type', servedType(file), ...policyOf(file, target), ...dispositionOf(file, target)],
  ];
  const bytes = await open(services, download, method === 'HEAD' ? undefined : span);
  try {
    await exchange.stream(range === undefined ? 200 : 206, own, bytes);
  } finally {
    await bytes.close();
  }
}

function refuse(exchange: RootExchange, viewer: Viewer): void {
  const { headers: input, url = '' } = exchange.request;
  if (isAnonymous(viewer) && prefersHtml(input.accept))
    return exchange.answer(302, [
      ...notKept,
      'Location',
      `${loginPage}?return_to=${encodeURIComponent(url)}`,
    ]);
  exchange.answer(404, notKept, errorPage(404, 'There is no such file, or none that you may see.'));
}

async function run(services: Services, exchange: RootExchange): Promise<void> {
  const { method, url = '' } = exchange.request;
  if (exchange.isStopping) throw stopping();
  if (method === 'OPTIONS') return exchange.answer(200, ['Allow', methods]);
  if (method !== 'GET' && method !== 'HEAD')
    return exchange.answer(
      405,
      [...notKept, 'Allow', methods],
      errorPage(405, 'Files can only be read here.'),
    );
  // Links lead here from anywhere; the answer runs nothing and other sites cannot read it.
  const viewer = await authenticate(services, exchange.request, { fromAnyPage: true });
  exchange.requestLog.userId = viewer.userId;
  try {
    const target = targetIn(url);
    const download = target && (await findDownload(services, viewer, target));
    if (target === undefined || download === undefined) refuse(exchange, viewer);
    else await give(services, exchange, download, target);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    refuse(exchange, viewer);
  }
}

/** Answers a request for the bytes of a file, or for a small picture of it. */
export async function answerDownload(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const label = `${request.method} ${downloadFolder}`;
  const exchange = new RootExchange(services, request, response, { headers, label });
  try {
    await run(services, exchange);
  } catch (error) {
    exchange.fail(error, notKept);
  }
}
