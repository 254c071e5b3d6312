import { invalid, Refusal } from '../../kernel/errors.ts';
import type { Steps } from '../limits/index.ts';

/** How deep values may lie in each other, and how many of them a body may have. */
export const deepest = 100;
export const mostBodyValues = 100_000;

export const tooDeep = () => invalid(`The body is nested more than ${deepest} deep.`);
export const tooManyValues = () => invalid(`The body has more than ${mostBodyValues} values.`);

const lineFeed = 0x0a;

/** Says where a text stops being JSON. */
function badJson(text: string, at: number): Refusal {
  const end = Math.min(at, text.length);
  let line = 1;
  let lineStart = 0;
  // Split into lines, a text of nothing but line feeds would take many times its own memory.
  for (let index = 0; index < end; index++)
    if (text.charCodeAt(index) === lineFeed) {
      line++;
      lineStart = index + 1;
    }
  const column = end - lineStart + 1;
  return invalid(`Error encoding/decoding JSON: Syntax error at line ${line}, column ${column}`);
}

/** Characters that are read in one step. */
const stepLength = 32 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const letterU = 0x75;

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** A number or a word. Longer numbers than this can be written shorter. */
const scalar = /-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,400})?|true|false|null/y;

/** What a text cannot have between its quotes: control characters, and escapes that there are not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const badInText = /[\u0000-\u001f]|\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/;

type Open = { readonly array: unknown[] } | { readonly object: Record<string, unknown>; key: string };

/** What may come next. */
type Expected = 'value' | 'first item' | 'name' | 'first name' | 'colon' | 'comma';

/** Reads JSON as JSON.parse does, with the same result, but a little at a time. */
class JsonReading {
  readonly #text: string;
  readonly #open: Open[] = [];
  #at = 0;
  #expected: Expected = 'value';
  /** Of a text that is being read: where the part begins that is not understood yet, and what came before. */
  #part: { start: number; before: string } | undefined;
  #commas = 0;
  #openings = 0;
  #result: { readonly value: unknown } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads on for a step; gives the value when there is no more to read. */
  step(): { readonly value: unknown } | undefined {
    const until = Math.min(this.#at + stepLength, this.#text.length);
    while (this.#at < until) this.#token();
    if (this.#at < this.#text.length) return undefined;
    if (this.#result === undefined || this.#part !== undefined) throw this.#fault();
    return this.#result;
  }

  #token(): void {
    if (this.#part !== undefined) return this.#readText(this.#part);
    const code = this.#text.charCodeAt(this.#at);
    if (isSpace(code)) this.#at++;
    else if (this.#result !== undefined) throw this.#fault();
    else if (code === quote) this.#beginText();
    else if (code === closeBracket || code === closeBrace) this.#close(code);
    else if (this.#expected === 'colon') this.#pass(code, colon, 'value');
    else if (this.#expected === 'comma') this.#passComma(code);
    else if (this.#expected === 'name' || this.#expected === 'first name') throw this.#fault();
    else if (code === openBracket || code === openBrace) this.#enter(code);
    else this.#readScalar();
  }

  #fault(at = this.#at): Refusal {
    return badJson(this.#text, at);
  }

  #pass(code: number, wanted: number, next: Expected): void {
    if (code !== wanted) throw this.#fault();
    this.#at++;
    this.#expected = next;
  }

  #passComma(code: number): void {
    const inner = this.#open.at(-1);
    this.#pass(code, comma, inner !== undefined && 'object' in inner ? 'name' : 'value');
    if (++this.#commas > mostBodyValues) throw tooManyValues();
  }

  #enter(code: number): void {
    if (this.#open.length >= deepest) throw tooDeep();
    if (++this.#openings > mostBodyValues) throw tooManyValues();
    this.#open.push(code === openBracket ? { array: [] } : { object: {}, key: '' });
    this.#expected = code === openBracket ? 'first item' : 'first name';
    this.#at++;
  }

  #close(code: number): void {
    const inner = this.#open.pop();
    const isArray = inner !== undefined && 'array' in inner;
    const expected = this.#expected;
    const mayEnd = expected === 'comma' || expected === (isArray ? 'first item' : 'first name');
    if (inner === undefined || !mayEnd || isArray !== (code === closeBracket)) throw this.#fault();
    this.#at++;
    this.#put('array' in inner ? inner.array : inner.object);
  }

  #readScalar(): void {
    scalar.lastIndex = this.#at;
    const [word] = scalar.exec(this.#text) ?? [];
    if (word === undefined) throw this.#fault();
    this.#at += word.length;
    this.#put(JSON.parse(word));
  }

  #beginText(): void {
    if (this.#expected === 'colon' || this.#expected === 'comma') throw this.#fault();
    this.#at++;
    this.#part = { start: this.#at, before: '' };
  }

  /** Goes on to the end of the text, or as far as a step goes; never into the middle of an escape. */
  #readText(part: { start: number; before: string }): void {
    const text = this.#text;
    const until = Math.min(this.#at + stepLength, text.length);
    let at = this.#at;
    for (; at < until; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code === backslash) at += text.charCodeAt(at + 1) === letterU ? 5 : 1;
    }
    this.#at = at;
    const read = part.before + this.#understood(part.start, at);
    if (at >= text.length) throw this.#fault();
    if (text.charCodeAt(at) === quote && at < until) this.#endText(read);
    else this.#part = { start: at, before: read };
  }

  #endText(read: string): void {
    this.#at++;
    this.#part = undefined;
    const inner = this.#open.at(-1);
    const isName = this.#expected === 'name' || this.#expected === 'first name';
    if (!isName || inner === undefined || !('object' in inner)) return this.#put(read);
    inner.key = read;
    this.#expected = 'colon';
  }

  /** Gives a value that is read to what it lies in. */
  #put(value: unknown): void {
    const inner = this.#open.at(-1);
    this.#expected = 'comma';
    if (inner === undefined) this.#result = { value };
    else if ('array' in inner) inner.array.push(value);
    else setMember(inner.object, inner.key, value);
  }

  /** What a part of a text between two quotes or cuts says. */
  #understood(start: number, end: number): string {
    const part = this.#text.slice(start, end);
    try {
      return JSON.parse(`"${part}"`);
    } catch {
      throw this.#fault(start + Math.max(0, part.search(badInText)));
    }
  }
}

/** Plain assignment to this one name would change what the object inherits from. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The value of a JSON text, as JSON.parse gives it, read in small steps. */
export function* jsonInSteps(text: string): Steps<unknown> {
  const reading = new JsonReading(text);
  for (;;) {
    const result = reading.step();
    if (result !== undefined) return result.value;
    yield;
  }
}

/** What is wrong with a text that JSON.parse does not take. */
export function jsonFault(text: string): Refusal {
  try {
    const steps = jsonInSteps(text);
    while (steps.next().done !== true);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return badJson(text, text.length);
}
