import { invalid } from '../../../kernel/errors.ts';
import { isStorable } from '../../../kernel/text.ts';

/** The object that a `query` parameter holds; undefined when it is other text. */
export function parseQueryObject(query: string): Readonly<Record<string, unknown>> | undefined {
  const text = query.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // Escapes such as \u0000 come to life only now.
    if (isStorable(JSON.stringify(value).replace(/\\u0000/g, '\0'))) return value as Record<string, unknown>;
  } catch {
    throw invalid('parameter "query" syntax error, invalid JSON');
  }
  throw invalid('parameter "query" contains a character that text cannot have');
}
