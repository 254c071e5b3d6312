/*
 * The query language of one tracker, as the page reads it while somebody types: what a query says, where it stops being one, and what could
 * stand there. The server reads it again and has the last word.
 */

/** A part of the text of a query. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const queryOperators = ['=', '!=', '<=', '>=', '<', '>', 'BETWEEN', 'IN', 'NOT IN'] as const;
export type QueryOperator = (typeof queryOperators)[number];

export type QueryValue = Span &
  (
    | { readonly is: 'text'; readonly text: string }
    | { readonly is: 'number'; readonly text: string }
    | { readonly is: 'now'; readonly count: number; readonly unit: PeriodUnit }
    | { readonly is: 'myself' }
    | { readonly is: 'open' }
  );

export type PeriodUnit = 'd' | 'w' | 'm' | 'y';

export interface Comparison extends Span {
  readonly is: 'comparison';
  readonly name: string;
  readonly nameSpan: Span;
  readonly operator: QueryOperator;
  readonly operatorSpan: Span;
  readonly values: readonly QueryValue[];
}

/** `IS LINKED TO …`, `WITH PARENT …`: kept as it was read, but for what is refused in it. */
export interface LinkCondition extends Span {
  readonly is: 'link';
  readonly isNot: boolean;
  readonly isOtherTracker: boolean;
}

/** Any of them must hold; of each, all terms. */
export interface Alternatives extends Span {
  readonly is: 'alternatives';
  readonly options: readonly (readonly Term[])[];
}

export type Term = Comparison | LinkCondition | Alternatives;

/** What can stand at a place of a query. */
export type Wanted =
  | { readonly is: 'field' }
  | { readonly is: 'column' }
  | { readonly is: 'operator'; readonly name: string; readonly operator: QueryOperator }
  | { readonly is: 'value'; readonly name: string; readonly operator: QueryOperator }
  | { readonly is: 'text'; readonly of: 'tracker' | 'link type' | 'project' }
  | { readonly is: 'number' }
  | { readonly is: 'word'; readonly word: string }
  | { readonly is: 'closing'; readonly quote: string }
  | { readonly is: 'escaped' }
  | { readonly is: 'end' };

/** Why a text is no query: where it stops being one, and what could stand there. */
export interface QueryFault {
  readonly at: number;
  /** From 1, as the server tells them. */
  readonly line: number;
  readonly column: number;
  readonly wanted: readonly Wanted[];
}

export type ReadQuery =
  | { readonly condition: Alternatives; readonly fault?: undefined }
  | { readonly condition?: undefined; readonly fault: QueryFault };

const space = /[ \t\n\r\u00a0]*/y;
const anyName = /[a-z0-9_-]+/iy;
const anyMetadata = /@[a-z0-9_.]+/iy;
const digits = /\d+/y;
const fraction = /\d+\.\d+/y;
const plainText = { '"': /[^"\\\n\r\f]+/y, "'": /[^'\\\n\r\f]+/y };
const lineBreak = /\r\n|[\n\r\f]/y;
const codePoint = /u([0-9a-f]{1,6})(?:\r\n|[ \t\n\r\f])?/iy;
const plainEscape = /[^\n\r\f0-9a-f]/iuy;
const lastCodePoint = 0x10ffff;

/** Parentheses inside each other; the server takes no more either. */
const deepest = 100;

/** Reads one text. What does not fit reads nothing; the furthest such place is where a text is wrong. */
export class Reader {
  readonly #text: string;
  #at = 0;
  #furthest = 0;
  #wanted: Wanted[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get at(): number {
    return this.#at;
  }

  /** Where the next token begins. */
  begin(): number {
    this.#match(space);
    return this.#at;
  }

  attempt<Part>(read: () => Part | undefined): Part | undefined {
    const start = this.#at;
    const part = read();
    if (part === undefined) this.#at = start;
    return part;
  }

  sign(sign: string, wanted: Wanted = { is: 'word', word: sign }): boolean {
    this.begin();
    if (!this.#text.startsWith(sign, this.#at)) return this.#missing(wanted);
    this.#at += sign.length;
    return true;
  }

  /** A word in any letters; nothing needs to divide it from what follows. */
  word(word: string, wanted: Wanted = { is: 'word', word }): boolean {
    this.begin();
    if (this.#text.slice(this.#at, this.#at + word.length).toUpperCase() !== word)
      return this.#missing(wanted);
    this.#at += word.length;
    return true;
  }

  name(wanted: Wanted = { is: 'field' }): string | undefined {
    this.begin();
    const name = this.#match(anyName) ?? this.#match(anyMetadata);
    if (name === undefined) this.#missing(wanted);
    return name?.[0];
  }

  number(wanted: Wanted): string | undefined {
    this.begin();
    const number = this.#match(fraction) ?? this.#match(digits);
    if (number === undefined) this.#missing(wanted);
    return number?.[0];
  }

  integer(): string | undefined {
    this.begin();
    const number = this.#match(digits);
    if (number === undefined) this.#missing({ is: 'number' });
    return number?.[0];
  }

  unit(): PeriodUnit | undefined {
    const unit = /[dwmy]/iy;
    unit.lastIndex = this.#at;
    const found = unit.exec(this.#text)?.[0].toLowerCase();
    if (found === 'd' || found === 'w' || found === 'm' || found === 'y') {
      this.#at += 1;
      return found;
    }
    for (const word of ['d', 'w', 'm', 'y']) this.#missing({ is: 'word', word });
    return undefined;
  }

  text(wanted: Wanted): string | undefined {
    this.begin();
    const quote = this.#text.charAt(this.#at);
    if (quote !== '"' && quote !== "'") {
      this.#missing(wanted);
      return undefined;
    }
    return this.attempt(() => {
      this.#at += 1;
      return this.#untilQuote(quote);
    });
  }

  isAtEnd(): boolean {
    this.begin();
    return this.#at === this.#text.length || this.#missing({ is: 'end' });
  }

  fault(): QueryFault {
    const lines = this.#text.slice(0, this.#furthest).split(/\r\n|[\n\r]/);
    return {
      at: this.#furthest,
      line: lines.length,
      column: [...(lines.at(-1) ?? '')].length + 1,
      wanted: this.#wanted,
    };
  }

  #untilQuote(quote: '"' | "'"): string | undefined {
    const parts: string[] = [];
    while (this.#text.charAt(this.#at) !== quote) {
      const part = this.#match(plainText[quote])?.[0] ?? this.#escape();
      if (part === undefined) {
        this.#missing({ is: 'closing', quote });
        return undefined;
      }
      parts.push(part);
    }
    this.#at += 1;
    return parts.join('');
  }

  #escape(): string | undefined {
    if (this.#text.charAt(this.#at) !== '\\') return undefined;
    return this.attempt(() => {
      this.#at += 1;
      if (this.#match(lineBreak) !== undefined) return '';
      const code = this.#match(codePoint)?.[1];
      const number = code === undefined ? undefined : Number.parseInt(code, 16);
      if (number !== undefined && number <= lastCodePoint) return String.fromCodePoint(number);
      const sign = number === undefined ? this.#match(plainEscape)?.[0] : undefined;
      if (sign === undefined) this.#missing({ is: 'escaped' });
      return sign;
    });
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const match = form.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }

  #missing(wanted: Wanted): false {
    if (this.#at > this.#furthest) {
      this.#furthest = this.#at;
      this.#wanted = [];
    }
    if (this.#at === this.#furthest) this.#wanted.push(wanted);
    return false;
  }
}

/** At least one, with a word or sign between them. */
export function several<Part>(
  reader: Reader,
  between: () => boolean,
  read: () => Part | undefined,
): Part[] | undefined {
  const first = read();
  if (first === undefined) return undefined;
  const parts = [first];
  for (;;) {
    const next = reader.attempt(() => (between() ? read() : undefined));
    if (next === undefined) return parts;
    parts.push(next);
  }
}

export function alternatives(reader: Reader, depth = 0): Alternatives | undefined {
  if (depth > deepest) return undefined;
  const from = reader.begin();
  const options = several(
    reader,
    () => reader.word('OR'),
    () =>
      several(
        reader,
        () => reader.word('AND'),
        () => term(reader, depth),
      ),
  );
  return options && { is: 'alternatives', options, from, to: reader.at };
}

const term = (reader: Reader, depth: number): Term | undefined =>
  reader.attempt(() => comparison(reader)) ??
  reader.attempt(() => inParentheses(reader, depth)) ??
  reader.attempt(() => link(reader));

function inParentheses(reader: Reader, depth: number): Alternatives | undefined {
  const inside = reader.sign('(') ? alternatives(reader, depth + 1) : undefined;
  return inside && reader.sign(')') ? inside : undefined;
}

function comparison(reader: Reader): Comparison | undefined {
  const from = reader.begin();
  const name = reader.name();
  if (name === undefined) return undefined;
  const nameSpan = { from, to: reader.at };
  const operatorFrom = reader.begin();
  const operator = queryOperators.find((one) => reader.word(one, { is: 'operator', name, operator: one }));
  if (operator === undefined) return undefined;
  const operatorSpan = { from: operatorFrom, to: reader.at };
  const values = valuesOf(reader, name, operator);
  return values && { is: 'comparison', name, nameSpan, operator, operatorSpan, values, from, to: reader.at };
}

function valuesOf(reader: Reader, name: string, operator: QueryOperator): QueryValue[] | undefined {
  const wanted: Wanted = { is: 'value', name, operator };
  const one = () => value(reader, wanted);
  if (operator !== 'BETWEEN' && operator !== 'IN' && operator !== 'NOT IN') {
    const single = one();
    return single && [single];
  }
  if (!reader.sign('(')) return undefined;
  const values = several(reader, () => reader.sign(','), one);
  if (values === undefined) return undefined;
  if (operator === 'BETWEEN') return values.length === 2 && reader.sign(')') ? values : undefined;
  reader.sign(',');
  return reader.sign(')') ? values : undefined;
}

function value(reader: Reader, wanted: Wanted): QueryValue | undefined {
  const from = reader.begin();
  const text = reader.text(wanted);
  if (text !== undefined) return { is: 'text', text, from, to: reader.at };
  const number = reader.number(wanted);
  if (number !== undefined) return { is: 'number', text: number, from, to: reader.at };
  if (called(reader, 'NOW', wanted)) {
    const shift = reader.attempt(() => period(reader));
    return { is: 'now', ...(shift ?? { count: 0, unit: 'd' }), from, to: reader.at };
  }
  if (called(reader, 'MYSELF', wanted)) return { is: 'myself', from, to: reader.at };
  return called(reader, 'OPEN', wanted) ? { is: 'open', from, to: reader.at } : undefined;
}

export const called = (reader: Reader, word: string, wanted: Wanted): true | undefined =>
  reader.attempt(() => (reader.word(word, wanted) && reader.sign('(') && reader.sign(')')) || undefined);

function period(reader: Reader): { count: number; unit: PeriodUnit } | undefined {
  const sign = reader.sign('+') ? 1 : reader.sign('-') ? -1 : undefined;
  if (sign === undefined) return undefined;
  const count = reader.integer();
  const unit = count === undefined ? undefined : reader.unit();
  return unit && { count: sign * Number(count), unit };
}

function link(reader: Reader): LinkCondition | undefined {
  const from = reader.begin();
  const read = relatives(reader) ?? relation(reader);
  return read && { is: 'link', ...read, from, to: reader.at };
}

type ReadLink = Pick<LinkCondition, 'isNot' | 'isOtherTracker'>;

const oneOf = (reader: Reader, words: readonly string[]) => words.find((word) => reader.word(word));

/** `WITH PARENT`, `WITHOUT CHILDREN` */
function relatives(reader: Reader): ReadLink | undefined {
  return reader.attempt(() => {
    const first = oneOf(reader, ['WITHOUT', 'WITH']);
    const relative = first === undefined ? undefined : oneOf(reader, ['PARENT', 'CHILDREN', 'CHILD']);
    if (relative === undefined) return undefined;
    return { isNot: first === 'WITHOUT', isOtherTracker: otherEnd(reader) === 'other tracker' };
  });
}

/** `IS LINKED TO`, `IS NOT COVERED BY` */
function relation(reader: Reader): ReadLink | undefined {
  if (!reader.word('IS')) return undefined;
  const isNot = reader.word('NOT');
  const kind = oneOf(reader, ['COVERED', 'COVERING', 'LINKED']);
  if (kind === undefined) return undefined;
  if (kind === 'COVERED') reader.attempt(() => (reader.word('BY') && artifact(reader)) || undefined);
  if (kind === 'COVERING') reader.attempt(() => artifact(reader) || undefined);
  if (kind !== 'LINKED') return { isNot, isOtherTracker: false };
  if (oneOf(reader, ['FROM', 'TO']) === undefined) return undefined;
  const end = otherEnd(reader);
  reader.attempt(() =>
    reader.word('WITH') && reader.word('TYPE') ? reader.text({ is: 'text', of: 'link type' }) : undefined,
  );
  return { isNot, isOtherTracker: end === 'other tracker' };
}

const artifact = (reader: Reader): boolean =>
  reader.word('ARTIFACT') && reader.sign('=') && reader.integer() !== undefined;

const otherEnd = (reader: Reader): 'artifact' | 'tracker' | 'other tracker' | undefined =>
  reader.attempt(() => (artifact(reader) ? 'artifact' : undefined)) ??
  reader.attempt(() => {
    if (!reader.word('TRACKER')) return undefined;
    const isSame = reader.sign('=');
    if (!isSame && !reader.sign('!=')) return undefined;
    const name = reader.text({ is: 'text', of: 'tracker' });
    return name === undefined ? undefined : isSame ? 'tracker' : 'other tracker';
  });

/** Reads a query. */
export function readQuery(text: string): ReadQuery {
  const reader = new Reader(text);
  const condition = alternatives(reader);
  return condition !== undefined && reader.isAtEnd() ? { condition } : { fault: reader.fault() };
}

/** What could come after a text that is the beginning of a query. */
export function wantedAfter(text: string): readonly Wanted[] {
  // A sign that nothing can stand for shows what was wanted in its place.
  const { fault } = readQuery(`${text}\u0000`);
  return fault !== undefined && text.slice(fault.at).trim() === '' ? fault.wanted : [];
}

/** All comparisons of a condition, in the order of the text. */
export function comparisonsIn(condition: Alternatives): readonly Comparison[] {
  const within = (one: Term): readonly Comparison[] =>
    one.is === 'comparison' ? [one] : one.is === 'alternatives' ? comparisonsIn(one) : [];
  return condition.options.flat().flatMap(within);
}

export function linksIn(condition: Alternatives): readonly LinkCondition[] {
  const within = (one: Term): readonly LinkCondition[] =>
    one.is === 'link' ? [one] : one.is === 'alternatives' ? linksIn(one) : [];
  return condition.options.flat().flatMap(within);
}
