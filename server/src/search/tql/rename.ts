import { Refusal } from '../../kernel/errors.ts';
import { parseQuery } from './parser.ts';
import { SyntaxFault } from './scanner.ts';

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

/** A query over one tracker after a field got another short name. What is none, before or after it, stays as it is. */
export function renamedInQuery(query: string, { from, to }: { from: string; to: string }): string {
  const renamed = query.replace(parts, (part: string, at: number) => {
    if (part.toLowerCase() !== from.toLowerCase()) return part;
    const isCall = /^\s*\(/.test(query.slice(at + part.length));
    return isCall ? part : to;
  });
  return isQuery(renamed) ? renamed : query;
}
