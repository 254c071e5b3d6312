import { invalid, Refusal } from '../../kernel/errors.ts';
import { isStorable } from '../../kernel/text.ts';
import { isObject } from '../../kernel/values.ts';
import type { Steps } from '../limits/index.ts';
import { xmlEncoding } from './encodings.ts';
import { deepest, jsonFault, jsonInSteps, mostBodyValues, tooDeep, tooManyValues } from './json-steps.ts';
import { xmlInSteps } from './xml.ts';

export type BodyFormat = 'json' | 'xml' | 'form';

const formats: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/x-www-form-urlencoded', 'form'],
]);

export class UnsupportedMediaType extends Error {
  constructor(value: string, header: 'type' | 'encoding' = 'type') {
    super(`Content ${header} \`${value.slice(0, 100)}\` is not supported.`);
  }
}

/** Whether a content encoding says that the bytes are others than they stand for. */
export const isPacking = (encoding: string | undefined): encoding is string =>
  encoding !== undefined && !['', 'identity'].includes(encoding.trim().toLowerCase());

/** Refuses a body that was packed: as text it would be called broken. */
export function requirePlain(parts: readonly Buffer[], encoding: string | undefined): void {
  if (isPacking(encoding) && parts.some(({ length }) => length > 0))
    throw new UnsupportedMediaType(encoding, 'encoding');
}

const mediaTypeOf = (contentType: string | undefined) =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

function isReadableType(contentType: string): boolean {
  const mediaType = mediaTypeOf(contentType);
  return mediaType === '' || formats.has(mediaType);
}

export const isXmlType = (contentType: string | undefined) => mediaTypeOf(contentType) === 'application/xml';

export const isCsvType = (contentType: string | undefined) => mediaTypeOf(contentType) === 'text/csv';

/** The format that a Content-Type names; none means JSON. */
export function bodyFormat(contentType: string | undefined): BodyFormat {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === '') return 'json';
  const format = formats.get(mediaType);
  if (format === undefined) throw new UnsupportedMediaType(contentType ?? '');
  return format;
}

/** Bodies up to this length are parsed as they are; longer ones are looked over first. */
const surelySmall = 100_000;

/** Characters of JSON that are parsed in one go; what is longer is read in steps. */
const longestAtOnce = 128 * 1024;

/** Refuses JSON that would take long to parse and keep, at the cost of one look at its characters. */
function checkJsonShape(text: string): void {
  let depth = 0;
  let commas = 0;
  let openings = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === 0x22) index = endOfString(text, index);
    else if (character === 0x5b || character === 0x7b) {
      depth++;
      openings++;
    } else if (character === 0x5d || character === 0x7d) depth--;
    else if (character === 0x2c) commas++;
    if (depth > deepest) throw tooDeep();
    if (commas > mostBodyValues || openings > mostBodyValues) throw tooManyValues();
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22)
    index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index;
}

const badText = (path: string) =>
  invalid(`\`${path}\` contains a character that text cannot have (NUL or half a pair).`);

/** Values that are looked at in one step. */
const valuesAtOnce = 4096;

/** Looks through a value for texts that not both engines can keep, and counts what there is in it. */
class TextCheck {
  values = 0;

  /** The path of a bad text is worked out on the way back, if at all. */
  *find(value: unknown, depth = 0): Steps<readonly string[] | undefined> {
    if (++this.values % valuesAtOnce === 0) yield;
    if (typeof value === 'string') return isStorable(value) ? undefined : [];
    if (Array.isArray(value)) return yield* this.#findItem(value, depth + 1);
    return isObject(value) ? yield* this.#findMember(value, depth + 1) : undefined;
  }

  /** As `find`, where that is decided at a glance. */
  #isFine(value: unknown): boolean {
    const isContainer = typeof value === 'object' && value !== null;
    if (isContainer || (typeof value === 'string' && !isStorable(value))) return false;
    this.values++;
    return true;
  }

  *#findMember(object: Readonly<Record<string, unknown>>, depth: number): Steps<string[] | undefined> {
    if (depth > deepest) throw tooDeep();
    for (const name of Object.keys(object)) {
      if (!isStorable(name)) throw invalid('A member name contains a character that text cannot have.');
      const path = this.#isFine(object[name]) ? undefined : yield* this.find(object[name], depth);
      if (path !== undefined) return [name, ...path];
    }
    return undefined;
  }

  *#findItem(items: readonly unknown[], depth: number): Steps<string[] | undefined> {
    if (depth > deepest) throw tooDeep();
    for (let index = 0; index < items.length; index++) {
      const path = this.#isFine(items[index]) ? undefined : yield* this.find(items[index], depth);
      if (path !== undefined) return [String(index), ...path];
    }
    return undefined;
  }
}

/** Refuses a value with a text that cannot be kept; else tells how many values there are in it. */
function* checkTexts(value: unknown): Steps<number> {
  const check = new TextCheck();
  const path = yield* check.find(value);
  if (path === undefined) return check.values;
  const [first = 'body', ...others] = path;
  throw badText(first + others.map((name) => `[${name}]`).join(''));
}

/** Bytes that are decoded in one step. */
const bytesAtOnce = 256 * 1024;

const strictDecoder = (encoding: string) => new TextDecoder(encoding, { fatal: true });
const strict = strictDecoder('utf-8');
const notValid = (encoding: string) => invalid(`The body is not valid ${encoding.toUpperCase()}.`);

function decode(bytes: Buffer, encoding: string): string {
  try {
    return (encoding === 'utf-8' ? strict : strictDecoder(encoding)).decode(bytes);
  } catch {
    throw notValid(encoding);
  }
}

/** The text of bytes that came in parts. */
function* textInSteps(parts: readonly Buffer[], encoding = 'utf-8'): Steps<string> {
  const [only = Buffer.alloc(0), ...more] = parts;
  if (more.length === 0 && only.length <= bytesAtOnce) return decode(only, encoding);
  const decoder = strictDecoder(encoding);
  let text = '';
  try {
    for (const part of parts)
      for (let start = 0; start < part.length; start += bytesAtOnce) {
        text += decoder.decode(part.subarray(start, start + bytesAtOnce), { stream: true });
        yield;
      }
    return text + decoder.decode();
  } catch {
    throw notValid(encoding);
  }
}

function parseJson(text: string): unknown {
  if (text.length > surelySmall) checkJsonShape(text);
  try {
    return JSON.parse(text);
  } catch {
    throw jsonFault(text);
  }
}

function* readJson(text: string): Steps<unknown> {
  const value = text.length > longestAtOnce ? yield* jsonInSteps(text) : parseJson(text);
  if (value === null) throw invalid('Error parsing JSON');
  return value;
}

/** Characters of a form at the most: it has nothing but short fields. */
const longestForm = 1024 * 1024;

/** `curl -d '{…}'` calls every body a form; what is plainly JSON is read as such, so that people are spared the header. */
function* readForm(text: string): Steps<unknown> {
  if (/^\s*[{[]/.test(text)) return yield* readJson(text);
  if (text.length > longestForm)
    throw new Refusal(
      'too-large',
      `A form has at most ${longestForm} characters; JSON and XML may have more.`,
    );
  const pairs = text.split('&', mostFields + 1).filter((pair) => pair !== '');
  if (pairs.length > mostFields) throw invalid(`The form has more than ${mostFields} fields.`);
  const members: [string, string | boolean][] = [];
  for (const pair of pairs) {
    const member = parsePair(pair);
    if (member[0] !== '__proto__') members.push(member);
    yield;
  }
  return Object.fromEntries(members);
}

const mostFields = 1000;

function parsePair(pair: string): [string, string | boolean] {
  const cut = pair.indexOf('=');
  const name = cut === -1 ? pair : pair.slice(0, cut);
  const value = cut === -1 ? '' : decodeField(pair.slice(cut + 1));
  return [decodeField(name), value === 'true' ? true : value === 'false' ? false : value];
}

function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('The form has a field that is not encoded as a form should be.');
  }
}

const isBlank = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

function* readXml(text: string): Steps<unknown> {
  try {
    const value = yield* xmlInSteps(text);
    return isBlank(value) ? {} : value;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalid('Malformed XML.');
  }
}

const readers: Readonly<Record<BodyFormat, (text: string) => Steps<unknown>>> = {
  json: readJson,
  xml: readXml,
  form: readForm,
};

/** What a body says, and how many values there are in it. */
export interface BodyValue {
  readonly value: unknown;
  readonly values: number;
}

function* valueInSteps(text: string, format: BodyFormat): Steps<BodyValue> {
  const value = /\S/.test(text) ? yield* readers[format](text) : {};
  return { value, values: yield* checkTexts(value) };
}

/** How the text of a body is encoded: XML tells, JSON and forms are UTF-8. */
const encodingOf = (parts: readonly Buffer[], format: BodyFormat, type: string | undefined) =>
  format === 'xml' ? xmlEncoding(parts, type) : 'utf-8';

/** The value of a request body, from its bytes. An empty one has no members. */
export function* bodyInSteps(
  parts: readonly Buffer[],
  format: BodyFormat,
  type: string | undefined,
): Steps<BodyValue> {
  return yield* valueInSteps(yield* textInSteps(parts, encodingOf(parts, format, type)), format);
}

/** A body that is the text of one member. */
export function* memberInSteps(parts: readonly Buffer[], member: string): Steps<BodyValue> {
  return { value: { [member]: yield* textInSteps(parts) }, values: 1 };
}

const isBlankByte = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

function firstByte(parts: readonly Buffer[]): number | undefined {
  for (const part of parts) for (const byte of part) if (!isBlankByte(byte)) return byte;
  return undefined;
}

/** Whether there is nothing but white space. */
export const isBlankBody = (parts: readonly Buffer[]) => firstByte(parts) === undefined;

const openBrace = 0x7b;
const nothing: BodyValue = { value: undefined, values: 0 };

/** The body of a GET: what is not plainly meant for us, or says nothing, is as good as none. */
export function* getBodyInSteps(parts: readonly Buffer[], type: string | undefined): Steps<BodyValue> {
  if (type !== undefined && !isReadableType(type)) return nothing;
  const format = bodyFormat(type);
  const first = firstByte(parts);
  if (first === undefined || (format === 'form' && first !== openBrace)) return nothing;
  const text = yield* textInSteps(parts, encodingOf(parts, format, type));
  return text.trim() === 'null' ? nothing : yield* valueInSteps(text, format);
}
