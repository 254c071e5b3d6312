import * as contract from '@atelier/contract';
import { findReadableFile, readContextOf } from '../../../artifacts/index.ts';
import {
  addBytes,
  checkedLabel,
  chunkSize,
  type FileFacts,
  findPieces,
  listTemporaryFiles,
  openSpan,
  readTemporaryFile,
  readUsage,
  requireChunkNumber,
  requireRoom,
} from '../../../files/index.ts';
import { invalidMember, notFound } from '../../../kernel/errors.ts';
import type { Page } from '../../../kernel/paging.ts';
import { downloadPath, presentTemporaryFile } from '../../../present/index.ts';
import { BlobMissing } from '../../../storage/index.ts';
import { uploadFolder } from '../../bytes/index.ts';
import type { FlatHeaders } from '../../headers.ts';
import { type Answer, bind, Json, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

/** The answer to a request for some bytes of a file, as JSON that needs no escaping. */
async function chunkOf(
  { database, keeper }: Services,
  file: FileFacts,
  page: Page,
): Promise<Answer<contract.FileChunk>> {
  const { id, size } = file;
  const span = { start: page.offset, end: Math.min(page.offset + page.limit, size) };
  const pieces = await findPieces(database, id, 'original');
  try {
    const bytes = Buffer.concat(await Array.fromAsync(await openSpan(keeper.blobs, pieces, span)));
    return { body: new Json(`{"data":"${bytes.toString('base64')}"}`), page: { ...page, size } };
  } catch (error) {
    if (error instanceof BlobMissing) throw notFound('The bytes of this file are missing.');
    throw error;
  }
}

/** Nothing but base64 with its padding is taken: what was decoded must encode to the same text. */
function decoded(content: string): Buffer {
  const longest = 4 * Math.ceil(chunkSize / 3);
  const bytes = content.length > longest ? undefined : Buffer.from(content, 'base64');
  if (bytes === undefined || bytes.length > chunkSize)
    throw invalidMember('content', `A chunk has at most ${chunkSize} bytes.`);
  if (bytes.toString('base64') !== content) throw invalidMember('content', 'It is not valid base64.');
  return bytes;
}

const chunkHeaders: FlatHeaders = ['X-Upload-Max-File-Chunksize', String(chunkSize)];

function temporaryFileBindings(services: Services): RouteBinding[] {
  const { config, database, keeper, operations } = services;
  const quota = config.maxFileSize;
  const bindings = [
    bind(contract.listTemporaryFiles, async ({ viewer, query }) =>
      pageOf(query, await listTemporaryFiles(database, viewer, query), presentTemporaryFile),
    ),
    bind(contract.createTemporaryFile, async ({ viewer, body }) => {
      const input = { name: body.name, type: body.mimetype, description: body.description ?? '' };
      const label = checkedLabel(input, { type: 'mimetype' });
      const bytes = decoded(body.content);
      await requireRoom(database, viewer, bytes.length, quota);
      const file = await addBytes(services, bytes, (chunk) =>
        operations.createTemporaryFile(viewer, { ...label, chunk, quota }),
      );
      return { body: presentTemporaryFile(file) };
    }),
    bind(contract.readTemporaryChunk, async ({ viewer, params, query }) =>
      chunkOf(services, await readTemporaryFile(database, viewer, params.id), query),
    ),
    bind(contract.appendToTemporaryFile, async ({ viewer, params, body }) => {
      const number = body.offset;
      requireChunkNumber(await readTemporaryFile(database, viewer, params.id), number);
      const bytes = decoded(body.content);
      await requireRoom(database, viewer, bytes.length, quota);
      const file = await addBytes(services, bytes, (chunk) =>
        operations.appendChunk(viewer, { id: params.id, number, chunk, quota }),
      );
      return { body: presentTemporaryFile(file) };
    }),
    bind(contract.deleteTemporaryFile, async ({ viewer, params }) => {
      await keeper.erase(await operations.deleteTemporaryFile(viewer, params));
      return {};
    }),
  ];
  const headers = [...chunkHeaders, 'X-Quota', String(quota)];
  const callerHeaders = async (userId: number) => {
    const bytes = userId === 0 ? 0 : (await readUsage(database, userId)).bytes;
    return ['X-DISK-USAGE', String(bytes)];
  };
  return bindings.map((binding) => ({ ...binding, headers, callerHeaders }));
}

export function fileBindings(services: Services): RouteBinding[] {
  const { config, database, operations, trackers } = services;
  const reading = bind(contract.readFileChunk, async ({ viewer, params, query }) => {
    const readContext = await readContextOf(database, viewer, trackers);
    const file = await findReadableFile(readContext, params.id);
    if (file === undefined) throw notFound('There is no such file.');
    return chunkOf(services, file, query);
  });
  return [
    { ...reading, headers: chunkHeaders },
    ...temporaryFileBindings(services),
    bind(contract.reserveUpload, async ({ viewer, params, body }) => {
      const input = { name: body.name, type: body.file_type, description: body.description ?? '' };
      const upload = await operations.reserveUpload(viewer, {
        ...checkedLabel(input, { type: 'file_type' }),
        fieldId: params.id,
        size: body.file_size,
        largest: config.maxFileSize,
        quota: config.uploadQuota,
      });
      const { id, size } = upload;
      const upload_href = size === 0 ? null : `${uploadFolder}/${id}`;
      return { body: { id, download_href: downloadPath(upload), upload_href } };
    }),
  ];
}
