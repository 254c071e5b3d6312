import { fold } from './text.ts';

/** A part of a text, and where in it something was found: from the first letter to the one behind the last. */
export interface Excerpt {
  readonly text: string;
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

const foldedLetters = new Map<string, string>();
const mostLetters = 20_000;

function foldLetter(letter: string): string {
  if (letter < '\u0080') return letter.toLowerCase();
  const known = foldedLetters.get(letter) ?? fold(letter);
  if (foldedLetters.size > mostLetters) foldedLetters.clear();
  foldedLetters.set(letter, known);
  return known;
}

/** A text as it is searched, with the place in the text that each letter comes from. */
function foldedWithPlaces(text: string): { readonly folded: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let folded = '';
  let at = 0;
  for (const letter of text) {
    const own = foldLetter(letter);
    for (let unit = 0; unit < own.length; unit++) places.push(at);
    folded += own;
    at += letter.length;
  }
  return { folded, places: [...places, at] };
}

/** Where the parts are, in order; those that overlap are one. */
function rangesOf(text: string, parts: readonly string[]): [start: number, end: number][] {
  const { folded, places } = foldedWithPlaces(text);
  const ranges: [number, number][] = [];
  for (const part of parts)
    for (let from = folded.indexOf(part); from !== -1; from = folded.indexOf(part, from + part.length)) {
      let to = from + part.length;
      // One letter may be searched as several: it is found whole.
      while (to < folded.length && places[to] === places[to - 1]) to++;
      ranges.push([places[from] ?? 0, places[to] ?? text.length]);
    }
  const merged: [number, number][] = [];
  for (const [start, end] of ranges.sort(([left], [right]) => left - right)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

const lengthBefore = 60;
const longest = 240;
const more = '…';

/** Moves a place that is inside a letter behind it. */
const wholeLetter = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at);

/** The surroundings of the first of the parts, which are folded; undefined when none is there. */
export function excerptOf(text: string, parts: readonly string[]): Excerpt | undefined {
  const ranges = rangesOf(text, parts);
  const [first] = ranges;
  if (first === undefined) return undefined;
  const from = wholeLetter(text, Math.max(0, first[0] - lengthBefore));
  const to = wholeLetter(text, Math.min(text.length, Math.max(from + longest, first[1])));
  const begin = from > 0 ? more : '';
  const shift = begin.length - from;
  return {
    text: begin + text.slice(from, to).replaceAll(/\s/g, ' ') + (to < text.length ? more : ''),
    highlights: ranges
      .filter(([, end]) => end <= to)
      .map(([start, end]) => [start + shift, end + shift] as const),
  };
}
