import { SaxesParser } from 'saxes';
import { invalid } from '../../kernel/errors.ts';
import type { Steps } from '../limits/index.ts';
import { feedInSteps, type IncomingBody, NodeCount } from '../pipeline/index.ts';
import type { Services } from '../services.ts';

/** Bytes of a MERGE at the most: it names a transaction, and the locks that somebody holds on what they commit. */
const longestMerge = 16 * 1024 * 1024;

/** What the elements called `href` say. What another reader could understand in another way is refused. */
function* hrefsInSteps(bytes: Buffer): Steps<string[]> {
  const hrefs: string[] = [];
  const open: { readonly isHref: boolean; text: string }[] = [];
  const parser = new SaxesParser();
  const add = (part: string) => {
    for (const element of open) if (element.isHref) element.text += part;
  };
  new NodeCount().watch(parser);
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
    yield* feedInSteps(parser, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('The body of this MERGE cannot be understood.');
  }
  return hrefs;
}

/** The body of a request that commits, and the addresses in it: Apache follows them without asking us. */
export async function readMerge(
  { slices }: Services,
  incoming: IncomingBody,
): Promise<{ body: Buffer; hrefs: string[] }> {
  await incoming.readAll(longestMerge);
  const body = Buffer.concat(incoming.parts);
  return { body, hrefs: await slices.do(hrefsInSteps(body)) };
}
