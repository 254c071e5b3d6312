/** Characters that XML 1.0 cannot carry. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as far as XML can carry it. */
export const xmlText = (text: string) => text.replace(unwritable, '');

const nameStart =
  'A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}';
const notInName = new RegExp(`[^${nameStart}.0-9\\u{b7}-]`, 'gu');
const startsAsName = new RegExp(`^[${nameStart}]`, 'u');

/** The element that stands for a member: one whose name is not a legal XML name gets one that is. */
export function xmlName(member: string): string {
  const name = member.replace(notInName, '_');
  return startsAsName.test(name) ? name : `_${name}`;
}

/** The member that an element stands for where members are called by ids, which are no legal XML names. */
export const idInXml = (name: string) => name.replace(/^_(?=\d+$)/, '');
