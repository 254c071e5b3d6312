import type { ColumnKind, StoredColumn } from '../catalog.ts';

/** A value as JSON has it. */
type Plain = string | number | null;

function toPlain(value: unknown): Plain {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const number = Number(value);
  // JSON has no infinite numbers.
  return Number.isFinite(number) ? number : String(number);
}

function fromPlain(value: Plain, kind: ColumnKind): unknown {
  if (value === null) return null;
  if (kind === 'bytes') return Buffer.from(String(value), 'base64');
  return kind === 'text' ? String(value) : Number(value);
}

/** A row as a line of a dump, its values in the order of the columns. */
export const dumpLine = (row: Readonly<Record<string, unknown>>, columns: readonly StoredColumn[]) =>
  JSON.stringify(columns.map(({ name }) => toPlain(row[name])));

/** The values of a line, as the database takes them. */
export function valuesOf(line: string, columns: readonly StoredColumn[]): unknown[] {
  const values: Plain[] = JSON.parse(line);
  return columns.map(({ kind }, index) => fromPlain(values[index] ?? null, kind));
}
