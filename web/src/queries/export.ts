import { csvText } from '../kernel/csv-text.ts';
import { type QuerySource, readAll } from './calls.ts';
import { cellText } from './cells.tsx';

/** What a query found as a file: all of its rows, with the columns that are seen. */
export async function saveAsCsv(
  source: QuerySource,
  name: string,
  headings: { readonly id: string; of(name: string): string },
  onProgress: (read: number, size: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const { columns, rows } = await readAll(source, onProgress, signal);
  const head = columns.map((column) => (column.type === 'artifact' ? headings.id : headings.of(column.name)));
  const lines = rows.map((row) => columns.map((column) => cellText(column, row[column.name])));
  const file = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'query'}.csv`;
  // A mark in front, by which spreadsheets know that it is UTF-8.
  const blob = new Blob([`\ufeff${csvText([head, ...lines])}`], { type: 'text/csv' });
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return rows.length;
}
