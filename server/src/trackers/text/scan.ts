/** The attributes of a tag by their names in lower case, the values as they are written. */
export type Attributes = ReadonlyMap<string, string>;

/** Is told what stands in a text of HTML, from front to back. */
export interface MarkupReader {
  /** A text between tags, as it is written. */
  text(source: string): void;
  open(name: string, attributes: Attributes, source: string): void;
  close(name: string, source: string): void;
}

interface Construct {
  /** Undefined for comments, declarations and whatever else is never shown. */
  readonly name: string | undefined;
  readonly closes: boolean;
  readonly attributes: Attributes;
  readonly end: number;
}

const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r "'>][^\t\n\f\r >]*)))?/y;
const tagEnd = /[\t\n\f\r /]*>/y;
const commentEnd = /--!?>/g;

const noAttributes: Attributes = new Map();

/** Where the pattern ends that is looked for from a place on, undefined when there is none. */
function endOf(pattern: RegExp, source: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}

function readAttributes(source: string, from: number): { attributes: Attributes; end: number } {
  const attributes = new Map<string, string>();
  let end = from;
  attribute.lastIndex = from;
  for (let match = attribute.exec(source); match !== null; match = attribute.exec(source)) {
    const [, name = '', double, single, bare] = match;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
    end = attribute.lastIndex;
  }
  return { attributes, end };
}

const endsName = /[\t\n\f\r />]/g;

function readTag(source: string, at: number, closes: boolean): Construct | undefined {
  const start = closes ? at + 2 : at + 1;
  const after = endOf(endsName, source, start);
  if (after === undefined) return undefined;
  const name = source.slice(start, after - 1).toLowerCase();
  if (source[after - 1] === '>') return { name, closes, attributes: noAttributes, end: after };
  const { attributes, end: last } = readAttributes(source, after - 1);
  const end = endOf(tagEnd, source, last);
  return end === undefined ? undefined : { name, closes, attributes, end };
}

/** A comment that never ends hides the rest, as in a browser; so does no other construct. */
function readDeclaration(source: string, at: number): Construct | undefined {
  const end = source.startsWith('<!--', at)
    ? (endOf(commentEnd, source, at + 2) ?? source.length)
    : source.indexOf('>', at) + 1;
  return end === 0 ? undefined : { name: undefined, closes: false, attributes: noAttributes, end };
}

function isLetterAt(source: string, index: number): boolean {
  const code = source.charCodeAt(index) | 0x20;
  return code >= 0x61 && code <= 0x7a;
}

function readConstruct(source: string, at: number): Construct | undefined {
  if (isLetterAt(source, at + 1)) return readTag(source, at, false);
  return source[at + 1] === '/' && isLetterAt(source, at + 2)
    ? readTag(source, at, true)
    : readDeclaration(source, at);
}

const startsConstruct = (source: string, at: number) =>
  isLetterAt(source, at + 1) || '/!?'.includes(source[at + 1] ?? ' ');

/** Elements in which a browser sees no markup until they end. */
const rawEnds = new Map(
  ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map((name) => [
    name,
    new RegExp(`(?=</${name}[\\t\\n\\f\\r />])`, 'gi'),
  ]),
);

/** What such an element holds is passed over. */
function endOfRawText({ name = '', closes, end }: Construct, source: string): number {
  if (closes) return end;
  if (name === 'plaintext') return source.length;
  const rawEnd = rawEnds.get(name);
  return rawEnd === undefined ? end : (endOf(rawEnd, source, end) ?? source.length);
}

function report(
  { name, closes, attributes, end }: Construct,
  source: string,
  at: number,
  reader: MarkupReader,
) {
  if (name === undefined) return;
  const written = source.slice(at, end);
  if (closes) reader.close(name, written);
  else reader.open(name, attributes, written);
}

/**
 * Takes HTML apart in one pass, whatever is in it. It need not see exactly what a browser would: whoever reads it
 * writes HTML anew. A tag that never ends makes the rest text, so that no place is looked at twice.
 */
export function scan(
  source: string,
  reader: MarkupReader,
  { skipsRawText }: { skipsRawText: boolean },
): void {
  let from = 0;
  let at = source.indexOf('<');
  while (at !== -1) {
    if (!startsConstruct(source, at)) {
      at = source.indexOf('<', at + 1);
      continue;
    }
    const construct = readConstruct(source, at);
    if (construct === undefined) break;
    if (at > from) reader.text(source.slice(from, at));
    report(construct, source, at, reader);
    from = skipsRawText ? endOfRawText(construct, source) : construct.end;
    at = source.indexOf('<', from);
  }
  if (from < source.length) reader.text(source.slice(from));
}
