/** Why a text is no query: where it stops being one, and what could stand there instead. */
export class SyntaxFault extends Error {
  /** How far the text could be read. */
  readonly at: number;
  readonly line: number;
  readonly column: number;
  readonly expected: readonly string[];

  constructor(text: string, at: number, expected: readonly string[]) {
    const before = text.slice(0, at).split(/\r\n|[\n\r]/);
    const line = before.length;
    const column = [...(before.at(-1) ?? '')].length + 1;
    const [found] = text.slice(at, at + 2);
    const instead = found === undefined ? 'the end of the query' : JSON.stringify(found);
    super(`Line ${line}, column ${column}: expecting ${inWords(expected)} instead of ${instead}.`);
    this.name = 'SyntaxFault';
    this.at = at;
    this.line = line;
    this.column = column;
    this.expected = expected;
  }
}

function inWords(expected: readonly string[]): string {
  const last = expected.at(-1) ?? 'nothing';
  return expected.length < 2 ? last : `${expected.slice(0, -1).join(', ')} or ${last}`;
}

const space = /[ \t\n\r\u00a0]*/y;
const anyName = /[a-z0-9_-]+/iy;
const anyMetadata = /@[a-z0-9_.]+/iy;
const digits = /\d+/y;
const fraction = /\d+\.\d+/y;
const plain = { '"': /[^"\\\n\r\f]+/y, "'": /[^'\\\n\r\f]+/y };
const lineBreak = /\r\n|[\n\r\f]/y;
const codePoint = /u([0-9a-f]{1,6})(?:\r\n|[ \t\n\r\f])?/iy;
const character = /[^\n\r\f0-9a-f]/iuy;

type Quote = keyof typeof plain;

/**
 * Reads a query token by token. White space may stand between all of them, and none of them needs any after it. Where
 * a token is not there, nothing is read; the furthest such place is where a query that is none is wrong.
 */
export class Scanner {
  readonly #text: string;
  #at = 0;
  #furthest = 0;
  readonly #expected = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Gives what `read` reads; where that is nothing, it is as if it had not tried. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.#at;
    const result = read();
    if (result === undefined) this.#at = start;
    return result;
  }

  fault(): SyntaxFault {
    return new SyntaxFault(this.#text, this.#furthest, [...this.#expected]);
  }

  isAtEnd(): boolean {
    this.#match(space);
    return this.#at === this.#text.length || this.#missing('the end of the query');
  }

  /** Characters that are written in one way only. */
  symbol(text: string): boolean {
    this.#match(space);
    if (!this.#text.startsWith(text, this.#at)) return this.#missing(`"${text}"`);
    this.#at += text.length;
    return true;
  }

  /** A word in capitals, which may be written in any letters. */
  keyword(word: string): boolean {
    this.#match(space);
    const written = this.#text.slice(this.#at, this.#at + word.length);
    if (written.toUpperCase() !== word) return this.#missing(word);
    this.#at += word.length;
    return true;
  }

  /** The first of the keywords that is there. Of two that begin alike the longer one comes first. */
  oneOf<const Words extends readonly string[]>(words: Words): Words[number] | undefined {
    return words.find((word) => this.keyword(word));
  }

  /** A word without the space that may stand before others. */
  unit<const Words extends readonly string[]>(words: Words): Words[number] | undefined {
    const written = this.#text.charAt(this.#at).toUpperCase();
    const unit = words.find((word) => word === written);
    if (unit === undefined) this.#missing(words.join(', '));
    else this.#at += 1;
    return unit;
  }

  fieldName = () => this.#token(anyName, 'the name of a field');
  metadata = () => this.#token(anyMetadata, 'a name with @');
  integer = () => this.#token(digits, 'a whole number');
  float = () => this.#token(fraction, 'a number');

  /** What a text in quotes says. */
  string(): string | undefined {
    this.#match(space);
    const quote = this.#text.charAt(this.#at);
    if (quote !== '"' && quote !== "'") {
      this.#missing('a text in quotes');
      return undefined;
    }
    return this.attempt(() => {
      this.#at += 1;
      return this.#untilQuote(quote);
    });
  }

  #untilQuote(quote: Quote): string | undefined {
    const parts: string[] = [];
    for (;;) {
      const part = this.#match(plain[quote])?.[0] ?? this.#escape();
      if (part !== undefined) parts.push(part);
      else if (this.#text.charAt(this.#at) === quote) break;
      else {
        this.#missing(`the closing ${quote}`);
        return undefined;
      }
    }
    this.#at += 1;
    return parts.join('');
  }

  #escape(): string | undefined {
    if (this.#text.charAt(this.#at) !== '\\') return undefined;
    return this.attempt(() => {
      this.#at += 1;
      if (this.#match(lineBreak) !== undefined) return '';
      const code = Number.parseInt(this.#match(codePoint)?.[1] ?? '', 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      const escaped = Number.isNaN(code) ? this.#match(character)?.[0] : undefined;
      if (escaped === undefined) this.#missing('a character that can follow a backslash');
      return escaped;
    });
  }

  #token(form: RegExp, words: string): string | undefined {
    this.#match(space);
    const token = this.#match(form)?.[0];
    if (token === undefined) this.#missing(words);
    return token;
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const match = form.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }

  #missing(words: string): false {
    if (this.#at > this.#furthest) this.#expected.clear();
    this.#furthest = Math.max(this.#furthest, this.#at);
    if (this.#at === this.#furthest) this.#expected.add(words);
    return false;
  }
}
