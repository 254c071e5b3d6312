import { createHash, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '../../artifacts/index.ts';
import { parseInstant } from '../../kernel/clock.ts';
import type { AnswerFormat } from '../headers.ts';
import type { Version } from '../route.ts';

/**
 * A strong tag of two parts: the first stands for the version, the second for everything else in the answer: for what it
 * is made from where that is known, which is cheaper, or else for its bytes.
 */
export function etagOf(
  { tag, madeFrom }: Version,
  format: AnswerFormat,
  body: string | readonly Uint8Array[],
): string {
  const rest = madeFrom === undefined ? hashOf(body).slice(0, 20) : cyrb64(`${format} ${madeFrom}`);
  return `"${tag}-${rest}"`;
}

function hashOf(body: string | readonly Uint8Array[]): string {
  if (typeof body === 'string') return hash('sha1', body, 'hex');
  const whole = createHash('sha1');
  for (const bytes of body) whole.update(bytes);
  return whole.digest('hex');
}

/** Sixty-four well mixed bits of a short text, as cyrb53 makes fifty-three of them: nobody gains by finding two texts that share them. */
function cyrb64(text: string): string {
  let [left, right] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    left = Math.imul(left ^ character, 0x9e3779b1);
    right = Math.imul(right ^ character, 0x5f356495);
  }
  left = Math.imul(left ^ (left >>> 16), 0x85ebca6b) ^ Math.imul(right ^ (right >>> 13), 0xc2b2ae35);
  right = Math.imul(right ^ (right >>> 16), 0x85ebca6b) ^ Math.imul(left ^ (left >>> 13), 0xc2b2ae35);
  return hexadecimal(left) + hexadecimal(right);
}

const hexadecimal = (bits: number) => (bits >>> 0).toString(16).padStart(8, '0');

/** The tags of a list, with or without quotes and the mark of weak ones. */
function tagsIn(header: string): string[] {
  return header
    .split(',')
    .map((tag) =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/^"(.*)"$/, '$1'),
    )
    .filter((tag) => tag !== '');
}

/** Whether the caller has this very answer. */
export function matchesNone(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return tagsIn(header).some((tag) => tag === '*' || `"${tag}"` === etag);
}

/** The days and months of HTTP dates; anything else that JavaScript would read as a date is none. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
const zone = /(GMT|UTC?|[+-]\d{4})$/;

/** HTTP dates are in Greenwich time, also in the oldest form, which does not say so. */
function parseHttpDate(text: string): number {
  if (!httpDate.test(text)) return Number.NaN;
  return Date.parse(zone.test(text) ? text : `${text} GMT`);
}

function secondIn(header: string): number | null {
  const text = header.trim();
  const instant = parseInstant(text) ?? parseHttpDate(text);
  return Number.isNaN(instant) ? null : Math.floor(instant / 1000);
}

/** What the headers of a change say about the version that the caller knows. */
export function preconditionOf(headers: IncomingHttpHeaders): Precondition {
  const { 'if-match': tags, 'if-unmodified-since': since } = headers;
  return {
    ...(tags === undefined ? {} : { tags: tagsIn(tags).map((tag) => tag.split('-')[0] ?? '') }),
    ...(since === undefined ? {} : { second: secondIn(since) }),
  };
}
