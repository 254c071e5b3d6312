import { invalidMember } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import type { Field, TrackerView } from '../../trackers/index.ts';

/** A column of a table of artifacts. */
export interface CsvColumn {
  readonly name: string;
  /** Undefined for the column that says which artifact a row is about, and where a fact is told. */
  readonly field: Field | undefined;
  /** What every artifact has beside its fields; told, and never read. */
  readonly fact?: CsvFact;
}

/** Named as columns of rows are. */
const csvFacts = ['@submitted_on', '@submitted_by', '@last_update_date', '@last_update_by', '@rank'] as const;
export type CsvFact = (typeof csvFacts)[number];

/** Whether it says which artifact a row is about. */
export const isIdColumn = ({ field, fact }: CsvColumn) => field === undefined && fact === undefined;

const isArtifactId = ({ type }: Field) => type.cell?.isArtifactId === true;

/** Names of the column with the ids of artifacts, unless a field has the same. */
const idNames = ['aid', 'id', '@id'];

/** Fields that can have a column for the viewer: those that they may read, or fill. */
const fieldsOf = (view: TrackerView) =>
  view.tracker.elements.filter(
    (field) =>
      field.isUsed &&
      field.type.cell !== undefined &&
      (view.canRead(field) || view.canSubmitField(field) || view.canUpdate(field)),
  );

const hasOther = (fields: readonly Field[], name: string) =>
  fields.some((field) => field.name === name && !isArtifactId(field));

function idColumn(view: TrackerView): CsvColumn {
  const fields = fieldsOf(view);
  return { name: idNames.find((name) => !hasOther(fields, name)) ?? '@id', field: undefined };
}

/** Fields that a name means: by short name, else by label, else without regard to letter case. */
function fieldsNamed(fields: readonly Field[], name: string): readonly Field[] {
  const folded = fold(name);
  const ways: ((field: Field) => boolean)[] = [
    (field) => field.name === name,
    (field) => field.label === name,
    (field) => fold(field.name) === folded || fold(field.label) === folded,
  ];
  return ways.map((isMeant) => fields.filter(isMeant)).find((found) => found.length > 0) ?? [];
}

/** The column that a name of a header stands for; words when it stands for none. */
function columnNamed(view: TrackerView, name: string): CsvColumn | string {
  const fields = fieldsOf(view);
  const [field, ...others] = fieldsNamed(fields, name);
  if (others.length > 0) return 'Several fields have this label: use their short names.';
  const isId = field === undefined ? idNames.includes(name.toLowerCase()) : isArtifactId(field);
  if (isId) return { name, field: undefined };
  const fact = csvFacts.find((one) => one === name);
  if (field === undefined && fact !== undefined) return { name, field, fact };
  return field === undefined ? 'There is no such field.' : { name, field };
}

/** The columns of an export: those that were asked for, or all of the form behind the id. */
export function exportColumns(view: TrackerView, requested: readonly string[]): readonly CsvColumn[] {
  const own = view.shown.filter((field) => field.type.cell !== undefined && !isArtifactId(field));
  if (requested.length === 0) return [idColumn(view), ...own.map((field) => ({ name: field.name, field }))];
  return requested.map((name) => {
    const column = columnNamed(view, name);
    const isShown = typeof column !== 'string' && (column.field === undefined || view.canRead(column.field));
    if (isShown) return { ...column, name: column.field?.name ?? name };
    throw invalidMember('columns', `There is no field ${JSON.stringify(name)}.`);
  });
}

/** The header of a table that is read. */
export interface Header {
  readonly columns: readonly CsvColumn[];
  readonly faults: readonly { readonly name: string; readonly reason: string }[];
}

export function readHeader(view: TrackerView, names: readonly string[]): Header {
  const faults: { name: string; reason: string }[] = [];
  const columns: CsvColumn[] = [];
  for (const name of names.map((cell) => cell.trim())) {
    const column = columnNamed(view, name);
    const isTwice =
      typeof column !== 'string' &&
      columns.some(({ field, fact }) => field === column.field && fact === column.fact);
    if (typeof column === 'string') faults.push({ name, reason: column });
    else if (isTwice) faults.push({ name, reason: 'Another column is about the same.' });
    else columns.push(column);
  }
  return { columns, faults };
}
