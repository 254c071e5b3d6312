import type { IncomingMessage } from 'node:http';
import { SaxesParser } from 'saxes';
import { invalid, Refusal } from '../kernel/errors.ts';

/** Bytes of a MERGE at the most: it names a transaction, and the locks that somebody holds on what they commit. */
const longestMerge = 16 * 1024 * 1024;

async function readWhole(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    length += part.length;
    if (length > longestMerge) throw new Refusal('too-large', 'The body of this MERGE is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What the elements called `href` say. What another reader could understand in another way is refused. */
export function hrefsIn(bytes: Buffer): string[] {
  const hrefs: string[] = [];
  const open: { readonly isHref: boolean; text: string }[] = [];
  const parser = new SaxesParser();
  const add = (part: string) => {
    for (const element of open) if (element.isHref) element.text += part;
  };
  parser.on('doctype', () => parser.fail('A document type has no place here.'));
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') parser.fail('The body must be in UTF-8.');
  });
  parser.on('opentag', ({ name }) => open.push({ isHref: /(^|:)href$/i.test(name), text: '' }));
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const done = open.pop();
    if (done?.isHref) hrefs.push(done.text.trim());
  });
  try {
    parser.write(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).close();
  } catch {
    throw invalid('The body of this MERGE cannot be understood.');
  }
  return hrefs;
}

/** The body of a request that commits, and the addresses in it: Apache follows them without asking us. */
export async function readMerge(request: IncomingMessage): Promise<{ body: Buffer; hrefs: string[] }> {
  const body = await readWhole(request);
  return { body, hrefs: hrefsIn(body) };
}
