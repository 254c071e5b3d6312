import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestKey } from '../../artifacts/index.ts';
import { invalid } from '../../kernel/errors.ts';

/** The IETF's draft of the header puts the key in quotes, and so do libraries that follow it. */
const form = /^("?)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\1$/i;

/** What recognises a write that is sent once more: its `Idempotency-Key` and all that it asks for. */
export function requestKeyOf(
  headers: IncomingHttpHeaders,
  ...asked: readonly unknown[]
): RequestKey | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const [, , key] = form.exec((Array.isArray(sent) ? sent.join(',') : sent).trim()) ?? [];
  if (key === undefined) throw invalid('The header `Idempotency-Key` must be a UUID.');
  return { key: key.toLowerCase(), digest: hash('sha256', JSON.stringify(asked), 'base64url') };
}

/** The key of one part of a request: each part is written by itself. */
export const keyOfPart = (whole: RequestKey | undefined, part: string | number): RequestKey | undefined =>
  whole && { ...whole, key: `${whole.key} ${part}` };
