/** What a command has to say, for programs and for people. */
export interface CommandAnswer {
  readonly data: unknown;
  readonly words: string;
  /** True when the command did its work and has to tell of a problem. */
  readonly isProblem?: boolean;
}

export type Cell = string | number | boolean | null | undefined;

/** What others wrote must not reach the terminal as a command to it. */
const shown = (text: string) => text.replace(/\p{Cc}/gu, ' ');

function cellText(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : '';
  return shown(String(cell ?? ''));
}

const widthOf = (text: string) => [...text].length;
const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Aligned columns under their headings. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map(cellText))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  return lines
    .map((line) => line.map((text, column) => padded(text, widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** A table, or the words for an empty one. */
export function listing(
  data: readonly unknown[],
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): CommandAnswer {
  return { data, words: rows.length === 0 ? empty : table(headings, rows) };
}

export function show({ data, words }: CommandAnswer, asJson: boolean): void {
  process.stdout.write(`${asJson ? JSON.stringify(data, null, 2) : words}\n`);
}
