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

/** NUL and lone surrogates cannot be kept by every engine, so no text with them comes in. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Escapes the wildcards of LIKE, for patterns used with `escape '\'`. */
export function likePattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}
