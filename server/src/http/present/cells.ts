import type { Artifact, Column, Surroundings } from '../../artifacts/index.ts';
import { type Manner, ValueWriter } from './artifacts.ts';

/** An artifact as one text for each column of a table. */
export function cellsOf(
  artifact: Artifact,
  surroundings: Surroundings,
  manner: Manner,
  columns: readonly Column[],
): string[] {
  const writer = new ValueWriter(artifact, surroundings, manner);
  const { row, view, document } = artifact;
  return columns.map(({ field }) => {
    if (field === undefined) return String(row.id);
    return view.canRead(field) ? (field.type.cell?.write(field, document[field.id], writer) ?? '') : '';
  });
}
