import { SaxesParser } from 'saxes';
import { invalid, Refusal } from '../../kernel/errors.ts';
import type { Steps } from '../limits/index.ts';
import { feedInSteps, type IncomingBody, NodeCount } from '../pipeline/index.ts';
import type { Services } from '../services.ts';

/*
 * What Apache is sent but contents of files is read here first. Apache makes a tree of the whole body, of ten times its size, and looks through all
 * namespaces and all elements around for each element: what it gets is bounded in each of these.
 */

interface DavLimits {
  readonly bytes: number;
  /** Elements and attributes. */
  readonly nodes: number;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** By method; what clients of Subversion send is far below. */
const limits: ReadonlyMap<string, DavLimits> = new Map([
  // Apache answers each property for each file of a folder.
  ['PROPFIND', { bytes: 64 * kibibyte, nodes: 500 }],
  // A log of some paths, for example.
  ['REPORT', { bytes: 16 * mebibyte, nodes: 20_000 }],
  // Properties may be long: lists of what was merged, or of what else belongs to a folder.
  ['PROPPATCH', { bytes: 16 * mebibyte, nodes: 20_000 }],
  // The first request of a commit has its message.
  ['POST', { bytes: 16 * mebibyte, nodes: 0 }],
  // Both name the locks on all that is committed or removed.
  ['MERGE', { bytes: 16 * mebibyte, nodes: 100_000 }],
  ['DELETE', { bytes: 16 * mebibyte, nodes: 100_000 }],
]);
const limitsOfOthers: DavLimits = { bytes: mebibyte, nodes: 1000 };

/** Of an update: it names each path of a working copy that is at another revision than the one above it. */
const nodesOfUpdate = 500_000;

/** What is declared more often is told apart only by looking through all that came before. */
const mostNamespaces = 100;
const mostAttributes = 100;
const deepest = 100;
/** Apache keeps each line of a text by itself. */
const mostLines = 500_000;

const tooMuch = (what: string) => new Refusal('too-large', `The body of this request has ${what}.`);

function countLines(bytes: Buffer): void {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1))
    if (++lines > mostLines) throw tooMuch(`more than ${mostLines} lines`);
}

/** What the elements called `href` say. What another reader could understand in another way is refused. */
function* hrefsInSteps(bytes: Buffer, method: string, most: number): Steps<string[]> {
  const hrefs: string[] = [];
  const open: { readonly isHref: boolean; text: string }[] = [];
  const namespaces = new Set<string>();
  const parser = new SaxesParser();
  const nodes = new NodeCount(most, mostAttributes);
  const add = (part: string) => {
    for (const element of open) if (element.isHref) element.text += part;
  };
  nodes.watch(parser, {
    tag: (name) => {
      const isUpdate = open.length === 0 && method === 'REPORT' && /(^|:)update-report$/.test(name);
      if (isUpdate) nodes.most = nodesOfUpdate;
    },
    attribute: (name, value) => {
      if (/^xmlns(:|$)/.test(name) && namespaces.add(value).size > mostNamespaces)
        throw tooMuch(`more than ${mostNamespaces} namespaces`);
    },
  });
  parser.on('doctype', () => parser.fail('A document type has no place here.'));
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') parser.fail('The body must be in UTF-8.');
  });
  parser.on('opentag', ({ name }) => {
    if (open.length >= deepest) throw tooMuch(`elements nested more than ${deepest} deep`);
    open.push({ isHref: /(^|:)href$/i.test(name), text: '' });
  });
  parser.on('text', add);
  parser.on('cdata', (part) => {
    nodes.add();
    add(part);
  });
  parser.on('closetag', () => {
    const done = open.pop();
    if (done?.isHref) hrefs.push(done.text.trim());
  });
  try {
    countLines(bytes);
    yield* feedInSteps(parser, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalid(`The body of this ${method} cannot be understood.`);
  }
  return hrefs;
}

/** The body of a request, whole and within its bounds, and the addresses in it: Apache follows some of them without asking us. */
export async function readDavBody(
  { slices }: Services,
  incoming: IncomingBody,
  method: string,
): Promise<{ body: Buffer; hrefs: readonly string[] }> {
  const { bytes, nodes } = limits.get(method) ?? limitsOfOthers;
  await incoming.readAll(bytes);
  const body = Buffer.concat(incoming.parts);
  // That of a POST is no XML.
  const isXml = method !== 'POST' && body.length > 0;
  return { body, hrefs: isXml ? await slices.do(hrefsInSteps(body, method, nodes)) : [] };
}
