import type { Artifact, CsvColumn, CsvFact, RelatedData } from '../artifacts/index.ts';
import { formatInstant } from '../kernel/clock.ts';
import { type PresentationContext, ValueWriter } from './artifacts.ts';

/** What every artifact has, as one text. */
const facts: Readonly<Record<CsvFact, (writer: ValueWriter) => string>> = {
  '@submitted_on': ({ artifact }) => formatInstant(artifact.submittedOn),
  '@submitted_by': (writer) => writer.userLogin(writer.artifact.submittedBy),
  '@last_update_date': ({ artifact }) => formatInstant(artifact.modifiedOn),
  '@last_update_by': (writer) => writer.userLogin(writer.artifact.modifiedBy),
  '@rank': ({ artifact }) => String(artifact.rank),
};

/** An artifact as one text for each column of a table. */
export function cellsOf(
  artifact: Artifact,
  related: RelatedData,
  presentation: PresentationContext,
  columns: readonly CsvColumn[],
): string[] {
  const writer = new ValueWriter(artifact, related, presentation);
  const { row, view, document } = artifact;
  return columns.map(({ field, fact }) => {
    if (fact !== undefined) return facts[fact](writer);
    if (field === undefined) return String(row.id);
    return view.canRead(field) ? (field.type.cell?.write(field, document[field.id], writer) ?? '') : '';
  });
}
