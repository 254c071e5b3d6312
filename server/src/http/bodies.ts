import { invalid, Refusal } from '../kernel/errors.ts';
import { isStorable } from '../kernel/text.ts';
import { fromXml } from './xml.ts';

export type BodyFormat = 'json' | 'xml' | 'form';

const formats: Readonly<Record<string, BodyFormat>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'application/x-www-form-urlencoded': 'form',
};

export class UnsupportedMediaType extends Error {
  constructor(contentType: string) {
    super(`Content type \`${contentType.slice(0, 100)}\` is not supported.`);
  }
}

/** The format that a Content-Type names; none means JSON. */
export function bodyFormat(contentType: string | undefined): BodyFormat {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === '') return 'json';
  const format = formats[mediaType];
  if (format === undefined) throw new UnsupportedMediaType(contentType ?? '');
  return format;
}

const deepest = 100;

/** Every text of a body must be one that both engines can keep. */
function checkTexts(value: unknown, path: string, depth = 0): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      throw invalid(`\`${path}\` contains a character that text cannot have (NUL or half a pair).`);
  } else if (value !== null && typeof value === 'object') {
    if (depth >= deepest) throw invalid(`The body is nested more than ${deepest} deep.`);
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name)) throw invalid('A member name contains a character that text cannot have.');
      checkTexts(member, path === '' ? name : `${path}[${name}]`, depth + 1);
    }
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
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
  const members = [...new URLSearchParams(text)].filter(([name]) => name !== '__proto__');
  const values = members.map(([name, value]) => [
    name,
    value === 'true' ? true : value === 'false' ? false : value,
  ]);
  return Object.fromEntries(values);
}

function parseXml(text: string): unknown {
  try {
    return fromXml(text) ?? {};
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
  checkTexts(value, '');
  return value;
}
