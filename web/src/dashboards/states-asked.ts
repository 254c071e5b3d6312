/** The states that a query asks for, and what else it asks for. */
export interface StatesAsked {
  /** In small letters. */
  readonly labels: readonly string[];
  readonly rest: string;
}

const text = `(?:"[^"\\\\]*"|'[^'\\\\]*')`;
const texts = new RegExp(text, 'g');
const hasOr = /\bor\b/i;

/**
 * Takes apart a query that asks for states and, by AND, for other things: `status IN ("New", "Open") AND due < NOW()`. Undefined for all others,
 * of which no history tells how many there were.
 */
export function statesAsked(query: string, status: string): StatesAsked | undefined {
  const states = `${status}\\s*(?:=\\s*${text}|IN\\s*\\(\\s*${text}(?:\\s*,\\s*${text})*\\s*\\))`;
  const found = new RegExp(
    `^\\s*(?:(?<before>.*\\S)\\s+AND\\s+)?(?<states>${states})(?:\\s+AND\\s+(?<after>.*\\S))?\\s*$`,
    'is',
  ).exec(query)?.groups;
  if (found?.['states'] === undefined) return undefined;
  const rest = [found['before'], found['after']].filter((part) => part !== undefined);
  if (rest.some((part) => hasOr.test(part.replaceAll(texts, '')))) return undefined;
  const labels = found['states'].match(texts)?.map((label) => label.slice(1, -1).toLowerCase()) ?? [];
  return { labels, rest: rest.join(' AND ') };
}
