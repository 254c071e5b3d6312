import Type, { type Static } from '@bundled/typebox';
import { defineRoute, idParams, nullable, untrimmed } from './route.ts';

export const FileDescription = Type.Object(
  {
    id: Type.Integer(),
    submitted_by: Type.Integer({ description: 'Who uploaded it' }),
    description: Type.String(),
    name: Type.String(),
    size: Type.Integer({ description: 'In bytes; of a temporary file, what has arrived so far' }),
    type: Type.String({ description: 'The media type as the uploader named it' }),
    html_url: nullable(Type.String({ description: 'Where an attached file is downloaded' })),
    html_preview_url: nullable(Type.String({ description: 'A small picture of an attached picture' })),
    uri: Type.String(),
  },
  { $id: 'FileDescription' },
);
export type FileDescription = Static<typeof FileDescription>;

export const FileChunk = Type.Object(
  { data: Type.String({ description: 'The bytes in base64, with padding and without line breaks' }) },
  { $id: 'FileChunk' },
);
export type FileChunk = Static<typeof FileChunk>;

/** Bytes of one chunk at the most. */
const chunkSize = 1_048_576;
/** What is told about temporary files with every answer. */
const room = ['X-Upload-Max-File-Chunksize', 'X-Quota', 'X-DISK-USAGE'] as const;
const chunks = { default: chunkSize, maximum: chunkSize, unit: 'Bytes' } as const;

export const readFileChunk = defineRoute({
  method: 'GET',
  path: '/artifact_files/{id}',
  kind: 'hybrid',
  summary: 'Read a chunk of an attached file',
  description:
    'Begin with offset 0. While offset + X-PAGINATION-LIMIT is less than X-PAGINATION-SIZE, go on at offset + limit. ' +
    'Each chunk is decoded by itself; joined in order they are the file.',
  params: idParams,
  paging: chunks,
  response: FileChunk,
  headers: ['X-Upload-Max-File-Chunksize'],
});

export const createTemporaryFile = defineRoute({
  method: 'POST',
  path: '/artifact_temporary_files',
  kind: 'protected',
  summary: 'Make a temporary file from its first chunk',
  description:
    'Attach it by naming its id in the value of a file field; what is not attached is removed some days after its ' +
    'last chunk. X-QUOTA and X-DISK-USAGE tell how much you may have and have.',
  example: {
    body: {
      name: 'log.txt',
      mimetype: 'text/plain',
      content: 'VGhlIGxhbXAgaXMgbGl0LAo=',
      description: 'What the lamp said',
    },
  },
  body: Type.Object({
    name: Type.String(),
    mimetype: Type.String(),
    content: untrimmed({ description: `At most ${chunkSize} bytes, in base64` }),
    description: Type.Optional(nullable(Type.String())),
  }),
  status: 201,
  response: FileDescription,
  headers: room,
});

export const appendToTemporaryFile = defineRoute({
  method: 'PUT',
  path: '/artifact_temporary_files/{id}',
  kind: 'protected',
  summary: 'Add a chunk to the end of a temporary file',
  description: 'Chunks come one after the other: one that was sent already, or too early, is refused.',
  example: { params: { id: 22 }, body: { content: 'YW5kIGRhcmsgYWdhaW4uCg==', offset: 2 } },
  params: idParams,
  body: Type.Object({
    content: untrimmed({ description: `At most ${chunkSize} bytes, in base64` }),
    offset: Type.Integer({ description: 'The number of the chunk: 2 for the second' }),
  }),
  response: FileDescription,
  headers: room,
});

export const listTemporaryFiles = defineRoute({
  method: 'GET',
  path: '/artifact_temporary_files',
  kind: 'protected',
  summary: 'Your temporary files, in the order in which they were made',
  description: 'Files that are attached to an artifact are no longer among them.',
  paging: { default: 10, maximum: 50, minimum: 1 },
  response: Type.Array(FileDescription),
  headers: room,
});

export const readTemporaryChunk = defineRoute({
  method: 'GET',
  path: '/artifact_temporary_files/{id}',
  kind: 'protected',
  summary: 'Read a chunk of one of your temporary files',
  description: 'Begin with offset 0 and go on at offset + limit, as with attached files.',
  params: idParams,
  paging: chunks,
  response: FileChunk,
  headers: room,
});

export const deleteTemporaryFile = defineRoute({
  method: 'DELETE',
  path: '/artifact_temporary_files/{id}',
  kind: 'protected',
  summary: 'Delete one of your temporary files',
  description: 'Its bytes no longer count for your quota.',
  params: idParams,
  headers: room,
});

export const UploadReservation = Type.Object(
  {
    id: Type.Integer({ description: 'The id to put in the value of the field, once it is complete' }),
    download_href: Type.String(),
    upload_href: nullable(
      Type.String({ description: 'Where to send the bytes by tus 1.0; null when there are none' }),
    ),
  },
  { $id: 'UploadReservation', description: 'Both addresses are paths from the root of the server' },
);
export type UploadReservation = Static<typeof UploadReservation>;

export const reserveUpload = defineRoute({
  method: 'POST',
  path: '/tracker_fields/{id}/files',
  kind: 'protected',
  summary: 'Reserve an upload of a file for a field',
  description:
    'Asking again for the same name and size gives the same upload, so that it can be resumed. It lives for 4 hours. ' +
    'The upload itself speaks tus 1.0 with the extensions termination, checksum and expiration.',
  example: { params: { id: 208 }, body: { name: 'lamp.jpg', file_size: 48123, file_type: 'image/jpeg' } },
  params: idParams,
  body: Type.Object({
    name: Type.String(),
    file_size: Type.Integer({ minimum: 0, description: 'In bytes' }),
    file_type: Type.String({ description: 'The media type' }),
    description: Type.Optional(nullable(Type.String())),
  }),
  refusals: [409],
  response: UploadReservation,
});

export const fileRoutes = [
  readFileChunk,
  createTemporaryFile,
  listTemporaryFiles,
  readTemporaryChunk,
  appendToTemporaryFile,
  deleteTemporaryFile,
  reserveUpload,
] as const;
