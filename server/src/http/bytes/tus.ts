import type { IncomingMessage, ServerResponse } from 'node:http';
import { giveUpImport, uploadOfImport } from '../../archive/index.ts';
import {
  type Checksum,
  ChecksumMismatch,
  checksumAlgorithms,
  readUpload,
  receive,
  type Upload,
} from '../../files/index.ts';
import { invalid, notFound } from '../../kernel/errors.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { projectExtensions } from '../../operations.ts';
import type { FlatHeaders } from '../headers.ts';
import {
  authenticate,
  dropRest,
  ForeignPage,
  isPacking,
  RootExchange,
  stopping,
  toFailure,
} from '../pipeline/index.ts';
import type { Services } from '../services.ts';

/** Below these paths lie uploads, by their ids: those of files, and those of archives of projects. */
export const uploadFolder = '/uploads/tracker/file';
export const archiveFolder = '/uploads/project/file';

const version = '1.0.0';
const methods = 'OPTIONS, HEAD, PATCH, DELETE';
/** Milliseconds without a byte after which the sender counts as gone. */
const longestSilence = 60_000;

const headers: FlatHeaders = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Credentials',
  'true',
  'Access-Control-Allow-Methods',
  'OPTIONS, HEAD, PATCH, POST, DELETE',
  'Access-Control-Allow-Headers',
  [
    'Authorization, Content-Type, Origin, X-Auth-UserId, X-Auth-Token, X-Client-Uuid, X-Auth-AccessKey',
    'Tus-Resumable, Upload-Offset, Upload-Length, Upload-Checksum, X-HTTP-Method-Override',
  ].join(', '),
  'Access-Control-Expose-Headers',
  [
    'X-PAGINATION-SIZE, X-PAGINATION-LIMIT-MAX, X-PAGINATION-LIMIT',
    'Tus-Version, Tus-Resumable, Upload-Offset, Upload-Length, Upload-Expires, Tus-Extension, Tus-Max-Size',
  ].join(', '),
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

const capabilities: FlatHeaders = [
  'Tus-Version',
  version,
  'Tus-Extension',
  'termination,checksum,expiration',
  'Tus-Checksum-Algorithm',
  checksumAlgorithms.join(','),
];

/** A refusal with a status that no kind of refusal has. */
class TusRefusal extends Error {
  readonly status: number;
  readonly headers: FlatHeaders;

  constructor(status: number, words: string, own: FlatHeaders = []) {
    super(words);
    this.status = status;
    this.headers = own;
  }
}

const overridable = ['PATCH', 'POST', 'PUT', 'DELETE'];
const notAllowed = () =>
  new TusRefusal(405, 'Uploads know HEAD, PATCH, DELETE and OPTIONS.', ['Allow', methods]);

/** The method that is meant: some networks let no more than POST through. */
function methodOf({ method = '', headers: input }: IncomingMessage): string {
  const target = input['x-http-method-override'];
  if (target === undefined) return method;
  const meant = String(target).trim().toUpperCase();
  if (!overridable.includes(method) || !overridable.includes(meant)) throw notAllowed();
  return meant;
}

const isArchive = ({ url = '' }: IncomingMessage) => url.startsWith(`${archiveFolder}/`);

function idIn(request: IncomingMessage): number {
  const folder = isArchive(request) ? archiveFolder : uploadFolder;
  const [name = ''] = (request.url ?? '').slice(folder.length + 1).split('?', 1);
  if (!/^\d{1,15}$/.test(name)) throw notFound('There is no such upload of yours.');
  return Number(name);
}

function requireVersion({ headers: input }: IncomingMessage): void {
  if (input['tus-resumable'] !== version)
    throw new TusRefusal(412, `The header Tus-Resumable must be ${version}.`, ['Tus-Version', version]);
}

function requireContentType({ headers: input }: IncomingMessage): void {
  const type = input['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/offset+octet-stream')
    throw new TusRefusal(415, 'The content type must be application/offset+octet-stream.');
  // Places and lengths count the bytes of the file.
  if (isPacking(input['content-encoding'])) throw new TusRefusal(415, 'The bytes must not be packed.');
}

function offsetIn({ headers: input }: IncomingMessage): number {
  const text = String(input['upload-offset'] ?? '').trim();
  if (!/^\d{1,15}$/.test(text)) throw invalid('The header Upload-Offset must tell where the bytes go.');
  return Number(text);
}

function checksumIn({ headers: input }: IncomingMessage): Checksum | undefined {
  const text = input['upload-checksum'];
  if (text === undefined) return undefined;
  const [name = '', digest = '', ...rest] = String(text).trim().split(/\s+/);
  const algorithm = checksumAlgorithms.find((known) => known === name);
  if (algorithm === undefined) throw invalid(`The checksum must be one of ${checksumAlgorithms.join(', ')}.`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(digest) || rest.length > 0)
    throw invalid('The header Upload-Checksum must be the name of an algorithm and a digest in base64.');
  return { algorithm, digest: Buffer.from(digest, 'base64') };
}

const stateOf = ({ size, expiresAt }: Upload): FlatHeaders => [
  'Upload-Offset',
  String(size),
  'Upload-Expires',
  new Date(expiresAt).toUTCString(),
];

/**
 * Frees the memory of bytes that were used. Left to the collector, a large upload makes it search the whole heap again
 * and again. Memory that other bytes share is left alone.
 */
function free({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0);
}

/**
 * What arrives until the service stops: what came before is kept, and the sender goes on elsewhere. Each part is gone when
 * the next is asked for.
 */
async function* arriving(services: Services, request: IncomingMessage) {
  // The request is left open when something fails, so that it can be answered.
  const chunks: AsyncIterable<Buffer<ArrayBuffer>> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    yield chunk;
    free(chunk);
    // What has arrived is kept, also what a busy thread comes to only now.
    if (services.isStopping()) throw stopping();
  }
}

async function patch(services: Services, request: IncomingMessage, viewer: Viewer, id: number) {
  await readUpload(services.database, viewer, id);
  requireContentType(request);
  const offset = offsetIn(request);
  const checksum = checksumIn(request);
  const source = arriving(services, request);
  return stateOf(await receive(services, viewer, { id, offset, source, checksum }));
}

/** The upload of an id; of an archive, with the import that waits for it. */
async function meantBy({ database }: Services, request: IncomingMessage, viewer: Viewer, id: number) {
  if (!isArchive(request)) return { uploadId: id, importId: undefined };
  return uploadOfImport(database, viewer, id);
}

/** Does what is asked, and gives the headers that tell about it. */
async function perform(
  services: Services,
  exchange: RootExchange,
  method: string,
  input: number,
): Promise<FlatHeaders> {
  const { request } = exchange;
  const viewer = await authenticate(services, request);
  exchange.requestLog.userId = viewer.userId;
  const { uploadId: id, importId } = await meantBy(services, request, viewer, input);
  if (method === 'PATCH') return patch(services, request, viewer, id);
  if (method === 'DELETE') {
    await services.keeper.erase(await services.operations.cancelUpload(viewer, { id }));
    if (importId !== undefined) await giveUpImport({ ...services, extensions: projectExtensions }, importId);
    return [];
  }
  const upload = await readUpload(services.database, viewer, id);
  return ['Upload-Length', String(upload.expectedSize), 'Cache-Control', 'no-cache', ...stateOf(upload)];
}

async function run(services: Services, exchange: RootExchange): Promise<void> {
  const method = methodOf(exchange.request);
  if (exchange.isStopping) throw stopping();
  if (method === 'OPTIONS') return exchange.answer(204, [...capabilities, 'Allow', methods]);
  if (!['HEAD', 'PATCH', 'DELETE'].includes(method)) throw notAllowed();
  requireVersion(exchange.request);
  const told = await perform(services, exchange, method, idIn(exchange.request));
  exchange.answer(204, ['Tus-Resumable', version, ...told]);
}

/** Refusals are told in a few words: clients show them to people as they are. */
function fail(exchange: RootExchange, error: unknown): void {
  const { status, words, own } = failureOf(exchange, error);
  const text = { type: 'text/plain; charset=utf-8', content: `${words}\n` };
  const { complete, readableDidRead } = exchange.request;
  // A body that was read in part stands in the way of the next request; one that was not read at all is dropped by Node.
  const last = readableDidRead && !complete ? ['Connection', 'close'] : [];
  exchange.answer(status, ['Tus-Resumable', version, 'Cache-Control', 'no-store', ...own, ...last], text);
}

function failureOf({ requestLog }: RootExchange, error: unknown) {
  if (error instanceof TusRefusal) return { status: error.status, words: error.message, own: error.headers };
  if (error instanceof ChecksumMismatch) return { status: 460, words: error.message, own: [] };
  if (error instanceof ForeignPage) return { status: 403, words: error.message, own: [] };
  const { status, body, retryAfter, fault } = toFailure(error);
  if (fault !== undefined) requestLog.fault(fault);
  const own = retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)];
  return { status, words: body.error.message, own };
}

/** Answers a request to an upload: tus 1.0.0 with termination, checksum and expiration. */
export async function answerUpload(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const folder = isArchive(request) ? archiveFolder : uploadFolder;
  const label = `${request.method} ${folder}/{id}`;
  const exchange = new RootExchange(services, request, response, { headers, label });
  request.setTimeout(longestSilence, () => request.destroy());
  try {
    await run(services, exchange);
  } catch (error) {
    if (request.destroyed && !request.complete) exchange.abandon();
    else {
      fail(exchange, error);
      dropRest(request);
    }
  }
}
