import { Refusal } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import { parseQuery } from './parser.ts';
import { Scanner, SyntaxFault } from './scanner.ts';

/** What can be read of a query without its grammar: texts in quotes, names with @, and words. */
const parts = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|@[a-z0-9_.]+|[a-z0-9_-]+/gis;

function isQuery(text: string): boolean {
  try {
    parseQuery(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxFault || error instanceof Refusal) return false;
    throw error;
  }
}

interface Names {
  readonly from: string;
  readonly to: string;
}

/** A query over one tracker after a field got another short name. What is none, before or after it, stays as it is. */
export function renamedInQuery(query: string, { from, to }: Names): string {
  const renamed = query.replace(parts, (part: string, at: number) => {
    if (part.toLowerCase() !== from.toLowerCase()) return part;
    const isCall = /^\s*\(/.test(query.slice(at + part.length));
    return isCall ? part : to;
  });
  return isQuery(renamed) ? renamed : query;
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** A query over one tracker after a value of a list got another label. */
export function relabelledInQuery(
  query: string,
  { list, from, to }: Names & { readonly list: string },
): string {
  const isMeant = (text: string) => fold((new Scanner(text).string() ?? '').trim()) === fold(from);
  let isCompared = false;
  const relabelled = query.replace(parts, (part: string) => {
    if (/^["']/.test(part)) return isCompared && isMeant(part) ? quoted(to) : part;
    // Between the name of the list and what it is compared to stands nothing else.
    if (!/^(in|not)$/i.test(part)) isCompared = part.toLowerCase() === list.toLowerCase();
    return part;
  });
  return isQuery(relabelled) ? relabelled : query;
}
