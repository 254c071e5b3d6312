import type { IncomingHttpHeaders } from 'node:http';
import type { Span } from '../../files/index.ts';

/**
 * The one range that a request asks for, from `start` up to and without `end`. Undefined, and so everything, when there
 * is none, or one that cannot be read or lies beyond the end, or when the caller has a part of other bytes.
 */
export function rangeIn(headers: IncomingHttpHeaders, etag: string, size: number): Span | undefined {
  const { range = '', 'if-range': condition } = headers;
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  if (first === undefined || (condition !== undefined && condition !== etag)) return undefined;
  const start = Number(first);
  const end = last === '' || last === undefined ? size : Number(last) + 1;
  return start < end && end <= size ? { start, end } : undefined;
}
