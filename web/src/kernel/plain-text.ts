const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

function sign(entity: string, name: string): string {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? entity;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** The words of a text in HTML, on one line: to be read, never to be taken for HTML again. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<\/?(?:p|div|br|li|ul|ol|tr|td|th|h[1-6]|pre|blockquote|table)\b[^<>]*>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(#?\w{1,8});/g, sign)
    .replaceAll(/\s+/g, ' ')
    .trim();
