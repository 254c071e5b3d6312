import { invalid } from '../../kernel/errors.ts';

/** Bytes in which a document says what it is, at the most. */
const longestDeclaration = 256;

function beginning(parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = parts;
  return first.length < longestDeclaration && parts.length > 1
    ? Buffer.concat(parts.slice(0, longestDeclaration)).subarray(0, longestDeclaration)
    : first.subarray(0, longestDeclaration);
}

/** A mark of the order of bytes, or the first character of a document in two bytes. */
const signs: readonly (readonly [number, number, string])[] = [
  [0xef, 0xbb, 'utf-8'],
  [0xff, 0xfe, 'utf-16le'],
  [0x3c, 0x00, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
  [0x00, 0x3c, 'utf-16be'],
];

const declared = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const parameter = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/i;

const nameIn = (text: string, pattern: RegExp) => {
  const [, quoted, plain] = pattern.exec(text) ?? [];
  return (quoted || plain)?.trim() || undefined;
};

/** Whether UTF-8 is meant by a name: ASCII is a part of it, and what says of itself in ASCII that it is UTF-16 is wrong, as programs are that write a text before they encode it. */
const meansUtf8 = (name: string) => /^(utf-?8|us-ascii|ascii|utf-?16.*|ucs-2)$/i.test(name);

function known(name: string): string {
  if (meansUtf8(name)) return 'utf-8';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw invalid(`Malformed XML. The encoding \`${name.slice(0, 100)}\` is not known.`);
  }
}

/**
 * How an XML document is encoded: as its first bytes show, else as it says itself, as the servers read it for which clients were
 * written, else as its Content-Type says.
 */
export function xmlEncoding(parts: readonly Buffer[], contentType = ''): string {
  const start = beginning(parts);
  const sign = signs.find(([first, second]) => start[0] === first && start[1] === second);
  if (sign !== undefined) return sign[2];
  return known(nameIn(start.toString('latin1'), declared) ?? nameIn(contentType, parameter) ?? 'utf-8');
}
