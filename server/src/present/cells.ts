import type { Artifact, CsvColumn, RelatedData } from '../artifacts/index.ts';
import { type PresentationContext, ValueWriter } from './artifacts.ts';

/** An artifact as one text for each column of a table. */
export function cellsOf(
  artifact: Artifact,
  related: RelatedData,
  presentation: PresentationContext,
  columns: readonly CsvColumn[],
): string[] {
  const writer = new ValueWriter(artifact, related, presentation);
  const { row, view, document } = artifact;
  return columns.map(({ field }) => {
    if (field === undefined) return String(row.id);
    return view.canRead(field) ? (field.type.cell?.write(field, document[field.id], writer) ?? '') : '';
  });
}
