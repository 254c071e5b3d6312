const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/**
 * The one way text is made comparable without regard to case and accents, before it is stored and before it is
 * searched, so that both engines only ever compare bytes.
 */
export function fold(text: string): string {
  const lower = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return lower.replace(special, (letter) => letters[letter] ?? letter);
}

/** Words of one search at the most; the others are not looked for. */
const mostWords = 20;

/** The words of a search, folded. */
export function foldedWords(text: string): string[] {
  const words = fold(text)
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.slice(0, mostWords);
}

/** NUL and lone surrogates cannot be kept by every engine, so no text with them comes in. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Escapes the wildcards of LIKE, for patterns used with `escape '\'`. */
export function likePattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

/** By their bytes, as SQL compares them. */
export const compareTexts = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** As people look for names, without regard to case and accents. */
export const compareNames = (left: string, right: string) =>
  compareTexts(fold(left), fold(right)) || compareTexts(left, right);
