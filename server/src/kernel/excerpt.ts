import { fold } from './text.ts';

/** A part of a text, and where in it something was found: from the first letter to the one behind the last. */
export interface Excerpt {
  readonly text: string;
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

const lengthBefore = 60;
const longest = 240;
const more = '…';

/** Moves a place that is inside a letter behind it. */
const wholeLetter = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at);

const foldedLetters = new Map<string, string>();
const mostLetters = 20_000;

function foldLetter(letter: string): string {
  if (letter < '\u0080') return letter.toLowerCase();
  const known = foldedLetters.get(letter) ?? fold(letter);
  if (foldedLetters.size > mostLetters) foldedLetters.clear();
  foldedLetters.set(letter, known);
  return known;
}

/** The beginning of a text as it is searched, with the place in the text that each letter comes from. */
class FoldedBeginning {
  readonly places: number[] = [];
  folded = '';
  readonly #text: string;
  /** Where in the text the rest begins. */
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isWhole(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Folds on, up to this place of the text. */
  goOn(end: number): void {
    const to = wholeLetter(this.#text, Math.min(end, this.#text.length));
    for (const letter of this.#text.slice(this.#at, to)) {
      const own = foldLetter(letter);
      for (let unit = 0; unit < own.length; unit++) this.places.push(this.#at);
      this.folded += own;
      this.#at += letter.length;
    }
  }

  /** The place in the text that a letter of the folded one comes from. */
  placeOf(index: number): number {
    return this.places[index] ?? this.#at;
  }
}

/** Letters that are folded before it is looked again whether enough are. */
const stretch = 4096;

/** Folds the text until the first of the parts is there, and what is shown behind it. */
function foldUntilFound(beginning: FoldedBeginning, parts: readonly string[]): void {
  const longestPart = Math.max(...parts.map((part) => part.length));
  for (let end = stretch, before = 0; ; end += stretch) {
    beginning.goOn(end);
    const from = Math.max(0, before - longestPart);
    const { folded, isWhole } = beginning;
    if (isWhole) return;
    if (parts.some((part) => folded.includes(part, from))) return beginning.goOn(end + longest + longestPart);
    before = beginning.folded.length;
  }
}

/** Where the parts are, in order; those that overlap are one. */
function rangesOf(beginning: FoldedBeginning, parts: readonly string[]): [start: number, end: number][] {
  const { folded, places } = beginning;
  const ranges: [number, number][] = [];
  for (const part of parts)
    for (let from = folded.indexOf(part); from !== -1; from = folded.indexOf(part, from + part.length)) {
      let to = from + part.length;
      // One letter may be searched as several: it is found whole.
      while (to < folded.length && places[to] === places[to - 1]) to++;
      ranges.push([beginning.placeOf(from), beginning.placeOf(to)]);
    }
  return ranges.sort(([left], [right]) => left - right);
}

function merged(ranges: readonly [start: number, end: number][]): [start: number, end: number][] {
  const separate: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = separate.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else separate.push([start, end]);
  }
  return separate;
}

/** The surroundings of the first of the parts, which are folded; undefined when none is there. */
export function excerptOf(text: string, parts: readonly string[]): Excerpt | undefined {
  // Folding letter by letter takes many times as long.
  const whole = fold(text);
  if (!parts.some((part) => whole.includes(part))) return undefined;
  const beginning = new FoldedBeginning(text);
  foldUntilFound(beginning, parts);
  const ranges = rangesOf(beginning, parts);
  const [first] = ranges;
  if (first === undefined) return undefined;
  const from = wholeLetter(text, Math.max(0, first[0] - lengthBefore));
  const to = wholeLetter(text, Math.min(text.length, Math.max(from + longest, first[1])));
  const begin = from > 0 ? more : '';
  const shift = begin.length - from;
  return {
    text: begin + text.slice(from, to).replaceAll(/\s/g, ' ') + (to < text.length ? more : ''),
    highlights: merged(ranges.filter(([, end]) => end <= to)).map(
      ([start, end]) => [start + shift, end + shift] as const,
    ),
  };
}
