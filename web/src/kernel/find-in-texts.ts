/** A part of a page that can be found: the page, where in it, its heading, its words. */
export type FindableText = readonly [page: string, anchor: string, title: string, text: string];

export interface FoundText {
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  /** What stands around the first word that was found. */
  readonly excerpt: string;
}

/** Without regard to case and accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const around = 70;

function excerptOf(text: string, words: readonly string[]): string {
  const folded = plain(text);
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = Math.max(0, first - around);
  const end = Math.min(text.length, first + 2 * around);
  return `${begin > 0 ? '…' : ''}${text.slice(begin, end).trim()}${end < text.length ? '…' : ''}`;
}

/** Parts that have every word, those with the words in their names first. */
export function findInTexts(
  texts: readonly FindableText[],
  titleOf: (page: string) => string,
  sought: string,
): readonly FoundText[] {
  const words = plain(sought).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = texts.flatMap(([page, anchor, title, text]) => {
    const [name, heading, content] = [plain(titleOf(page)), plain(title), plain(text)];
    if (!words.every((word) => name.includes(word) || heading.includes(word) || content.includes(word)))
      return [];
    // A page is found by its name once, at its beginning.
    if (anchor !== '' && !words.some((word) => heading.includes(word) || content.includes(word))) return [];
    const worth = words.reduce(
      (sum, word) =>
        sum +
        (heading.includes(word) ? 3 : 0) +
        (name.includes(word) ? 2 : 0) +
        (content.includes(word) ? 1 : 0),
      0,
    );
    return [{ worth, page, anchor, title, excerpt: excerptOf(text, words) }];
  });
  return found.toSorted((one, other) => other.worth - one.worth).map(({ worth: _, ...rest }) => rest);
}
