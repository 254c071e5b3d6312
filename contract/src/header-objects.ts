import type { JsonSchema } from './json-schema.ts';

export interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
}

export const integer = (description: string): HeaderObject => ({ description, schema: { type: 'integer' } });
export const text = (description: string): HeaderObject => ({ description, schema: { type: 'string' } });

/** Headers that some routes have beside those of their kind. */
export const furtherHeaders = {
  'X-Quota': integer('Bytes that your temporary files may have in all'),
  'X-DISK-USAGE': integer('Bytes that they have'),
  'X-Upload-Max-File-Chunksize': integer('Bytes that one chunk may have'),
  Location: text('Where what was made can be read'),
  'X-RateLimit-Limit': integer('How often you may do this within 24 hours'),
  'X-RateLimit-Remaining': integer('How often you still may'),
};

export type FurtherHeader = keyof typeof furtherHeaders;
