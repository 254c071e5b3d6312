import { RE2JS, RE2JSException } from 're2js';
import { invalid } from './errors.ts';
import { fold } from './text.ts';

/** A pattern costs as much time for each character of a text as it has instructions: this many are plenty. */
const mostInstructions = 500;
const longest = 1000;

const special = /[\\.+*?()|[\]{}^$-]/g;
const quoted = (text: string) => text.replace(special, '\\$&');

const verbatim = /\(\?(?:P?<[^>]*>|[a-z-]*[:)])?|\\[pP](?:\{[^}]*\}|.)?|[.*+?|()^$\]{}]/isuy;
const quotation = /\\Q(.*?)(?:\\E|$)/suy;
const hexadecimal = /\\x(?:\{([0-9a-f]+)\}|([0-9a-f]{2}))/iuy;
const escaped = /\\.?/suy;
const character = /./suy;
const classStart = /\[\^?\]?/uy;
const namedClass = /\[:\^?\w+:\]|\\[pPdDsSwW](?:\{[^}]*\}|(?<=[pP]).)?/uy;

/** Ranges of characters that are longer are left as they are. */
const longestRange = 5000;

/**
 * Writes a regular expression anew for text that was folded: its letters are folded too, one by one, and everything
 * else stays. What is no expression stays none.
 */
class PatternFolding {
  readonly #source: string;
  #at = 0;
  /** Whether there may be letters left that were not folded. */
  #hasCapitals = false;

  constructor(source: string) {
    this.#source = source.normalize('NFC');
  }

  folded(): string {
    const parts: string[] = [];
    while (this.#at < this.#source.length) parts.push(this.#next());
    return `${this.#hasCapitals ? '(?i)' : ''}${parts.join('')}`;
  }

  #next(): string {
    const kept = this.#match(verbatim)?.[0];
    if (kept !== undefined) {
      this.#hasCapitals ||= kept.startsWith('\\');
      return kept;
    }
    const text = this.#match(quotation)?.[1];
    if (text !== undefined) return [...text].map(literal).join('');
    if (this.#source.charAt(this.#at) === '[') return this.#class();
    const code = this.#codePoint();
    if (code !== undefined) return literal(String.fromCodePoint(code));
    return this.#match(escaped)?.[0] ?? literal(this.#match(character)?.[0] ?? '');
  }

  #class(): string {
    this.#hasCapitals = true;
    const parts = [this.#match(classStart)?.[0] ?? ''];
    while (this.#at < this.#source.length && this.#source.charAt(this.#at) !== ']')
      parts.push(this.#match(namedClass)?.[0] ?? this.#member());
    return parts.join('');
  }

  /** One character of a class, or a range of them. */
  #member(): string {
    const first = this.#memberCharacter();
    const rest = this.#source.slice(this.#at, this.#at + 2);
    if (!/^-[^\]]/su.test(rest)) return first.length > 1 && first.startsWith('\\') ? first : memberOf(first);
    this.#at += 1;
    const last = this.#memberCharacter();
    return `${inClass(first)}-${inClass(last)}${foldedRange(first, last)}`;
  }

  #memberCharacter(): string {
    const code = this.#codePoint();
    if (code !== undefined) return String.fromCodePoint(code);
    return this.#match(escaped)?.[0] ?? this.#match(character)?.[0] ?? '';
  }

  #codePoint(): number | undefined {
    const match = this.#match(hexadecimal);
    if (match === undefined) return undefined;
    const code = Number.parseInt(match[1] ?? match[2] ?? '', 16);
    if (code > 0x10ffff) throw invalid('Invalid regular expression: there is no such character.');
    return code;
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const match = form.exec(this.#source) ?? undefined;
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }
}

/** One character may fold to several, or to none, and still be repeated as one. */
function literal(character: string): string {
  const folded = fold(character);
  return [...folded].length === 1 ? quoted(folded) : `(?:${quoted(folded)})`;
}

const inClass = (character: string) =>
  character.length > 1 && character.startsWith('\\') ? character : quoted(character);

/** A class has single characters only: of one that folds to several it has each. */
const memberOf = (character: string) => quoted(fold(character) || character);

/** What the characters of a range become when they are folded. */
function foldedRange(first: string, last: string): string {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
  if (to < 0x80 || to - from > longestRange) return '';
  const members = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const folded = new Set(members.flatMap((code) => [...fold(String.fromCodePoint(code))]));
  return quoted([...folded].join(''));
}

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalid(`Invalid regular expression: ${error.message.replace(/^error parsing regexp: /, '')}.`);
  }
}

/** The pattern that finds in folded text what an expression finds in the text itself; refuses what is no expression. */
export function foldedPattern(expression: string): string {
  if (expression.length > longest)
    throw invalid(`Invalid regular expression: it must have at most ${longest} characters.`);
  const pattern = new PatternFolding(expression).folded();
  if (compiled(pattern).programSize() > mostInstructions)
    throw invalid('Invalid regular expression: it repeats too much.');
  return pattern;
}

/** Tells, in time proportional to the length of a text, whether a pattern matches any part of it. */
export function matcherOf(pattern: string): (text: string) => boolean {
  const expression = compiled(pattern);
  return (text) => expression.test(text);
}
