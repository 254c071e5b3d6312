import { invalid, Refusal } from '../kernel/errors.ts';
import { isStorable } from '../kernel/text.ts';
import { fromXml } from './xml.ts';

export type BodyFormat = 'json' | 'xml' | 'form';

const formats: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/x-www-form-urlencoded', 'form'],
]);

export class UnsupportedMediaType extends Error {
  constructor(contentType: string) {
    super(`Content type \`${contentType.slice(0, 100)}\` is not supported.`);
  }
}

const mediaTypeOf = (contentType: string | undefined) =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

export function isReadable(contentType: string): boolean {
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

const deepest = 100;
const mostValues = 100_000;

const tooDeep = () => invalid(`The body is nested more than ${deepest} deep.`);
const tooMany = () => invalid(`The body has more than ${mostValues} values.`);

/** Bodies up to this length are parsed as they are; longer ones are looked over first. */
const surelySmall = 100_000;

/** Refuses JSON that would take long to parse and keep, at the cost of one look at its characters. */
function checkJsonShape(text: string): void {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === 0x22) index = endOfString(text, index);
    else if (character === 0x5b || character === 0x7b) depth++;
    else if (character === 0x5d || character === 0x7d) depth--;
    else if (character === 0x2c && ++values > mostValues) throw tooMany();
    if (depth > deepest) throw tooDeep();
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

/** Every text of a body must be one that both engines can keep. The path is worked out on the way back, if at all. */
function findBadText(value: unknown, depth = 0): readonly string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  if (value === null || typeof value !== 'object') return undefined;
  if (depth >= deepest) throw tooDeep();
  if (Array.isArray(value)) return findBadItem(value, depth);
  for (const name of Object.keys(value)) {
    if (!isStorable(name)) throw invalid('A member name contains a character that text cannot have.');
    const path = findBadText((value as Record<string, unknown>)[name], depth + 1);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

function findBadItem(items: readonly unknown[], depth: number): readonly string[] | undefined {
  for (let index = 0; index < items.length; index++) {
    const path = findBadText(items[index], depth + 1);
    if (path !== undefined) return [String(index), ...path];
  }
  return undefined;
}

function checkTexts(value: unknown): void {
  const path = findBadText(value);
  if (path === undefined) return;
  const [first = 'body', ...others] = path;
  throw badText(first + others.map((name) => `[${name}]`).join(''));
}

const strict = new TextDecoder('utf-8', { fatal: true });

export function decode(bytes: Buffer = Buffer.alloc(0)): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  if (text.length > surelySmall) checkJsonShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('Error encoding/decoding JSON: Syntax error');
  }
  if (value === null) throw invalid('Error parsing JSON');
  return value;
}

/** `curl -d '{…}'` calls every body a form; what is plainly JSON is read as such, so that people are spared the header. */
function parseForm(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return parseJson(text);
  const pairs = text.split('&', mostFields + 1).filter((pair) => pair !== '');
  if (pairs.length > mostFields) throw invalid(`The form has more than ${mostFields} fields.`);
  const members = pairs.map(parsePair).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(members);
}

const mostFields = 1000;

function parsePair(pair: string): [string, string | boolean] {
  const [name = '', ...rest] = pair.split('=');
  const value = decodeField(rest.join('='));
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

function parseXml(text: string): unknown {
  try {
    const value = fromXml(text);
    return isBlank(value) ? {} : value;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalid('Malformed XML.');
  }
}

const parsers: Readonly<Record<BodyFormat, (text: string) => unknown>> = {
  json: parseJson,
  xml: parseXml,
  form: parseForm,
};

/** The value of a request body. An empty one has no members. */
export function parseBody(bytes: Buffer | undefined, format: BodyFormat): unknown {
  if (bytes === undefined || bytes.length === 0) return {};
  const text = decode(bytes);
  if (text.trim() === '') return {};
  const value = parsers[format](text);
  checkTexts(value);
  return value;
}
