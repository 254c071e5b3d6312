import { invalidMember } from '../../kernel/errors.ts';
import type { Tracker } from '../model.ts';
import { oneLine, paragraph } from '../texts.ts';
import type { TrackerView } from '../view.ts';
import {
  mayName,
  type NewReportTable,
  type ReportColumn,
  type ReportTable,
  type SortKey,
  usualTable,
} from './model.ts';

/** A table as a request gives it; one with an id is there already, and keeps what is not given. */
export interface TableInput {
  readonly id?: number | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly pageSize?: number | undefined;
  /** Null: the usual ones. */
  readonly columns?: readonly ReportColumn[] | null | undefined;
  readonly sort?: readonly SortKey[] | undefined;
}

export type CheckedTable = NewReportTable & { readonly id?: number | undefined };

function requireNamed(view: TrackerView, member: string, fieldId: number): void {
  if (!mayName(view, fieldId)) throw invalidMember(member, `There is no field ${fieldId} in this tracker.`);
}

function refuseRepeated(member: string, keys: readonly string[]): void {
  if (new Set(keys).size < keys.length) throw invalidMember(member, 'It names a field more than once.');
}

const holdsLinks = ({ elementById }: Tracker, fieldId: number) =>
  elementById.get(fieldId)?.type.acceptLinks !== undefined;

function checkedColumn(view: TrackerView, member: string, column: ReportColumn): ReportColumn {
  const { fieldId, linkType, linkFormat } = column;
  requireNamed(view, `${member}[field_id]`, fieldId);
  const { value, kind } = view.tracker.elementById.get(fieldId)?.type ?? {};
  if (kind !== 'field' || value === undefined)
    throw invalidMember(`${member}[field_id]`, `The field ${fieldId} has no values to show.`);
  const isTold = linkType !== undefined || linkFormat !== undefined;
  if (isTold && !holdsLinks(view.tracker, fieldId))
    throw invalidMember(member, `The field ${fieldId} holds no links that could have a type.`);
  for (const text of [linkType, linkFormat]) if (text !== undefined) paragraph(member, text);
  return column;
}

function checkedColumns(
  view: TrackerView,
  member: string,
  columns: readonly ReportColumn[],
): readonly ReportColumn[] {
  refuseRepeated(
    member,
    columns.map(({ fieldId, linkType = '' }) => `${fieldId} ${linkType}`),
  );
  return columns.map((column, index) => checkedColumn(view, `${member}[${index}]`, column));
}

function checkedSort(view: TrackerView, member: string, sort: readonly SortKey[]): readonly SortKey[] {
  refuseRepeated(
    member,
    sort.map(({ fieldId }) => String(fieldId)),
  );
  for (const [index, { fieldId }] of sort.entries())
    requireNamed(view, `${member}[${index}][field_id]`, fieldId);
  return sort;
}

function checkedTable(
  view: TrackerView,
  member: string,
  input: TableInput,
  present: readonly ReportTable[],
): CheckedTable {
  const { id, name, description, pageSize, columns, sort } = input;
  const former = id === undefined ? usualTable : present.find((table) => table.id === id);
  if (former === undefined) throw invalidMember(`${member}[id]`, 'The report has no such table.');
  return {
    ...former,
    id,
    ...(name === undefined ? {} : { name: oneLine(`${member}[label]`, name) }),
    ...(description === undefined ? {} : { description: paragraph(`${member}[description]`, description) }),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(columns === undefined
      ? {}
      : { columns: columns && checkedColumns(view, `${member}[columns]`, columns) }),
    ...(sort === undefined ? {} : { sort: checkedSort(view, `${member}[sort]`, sort) }),
  };
}

/** The tables that a report shall have; refuses what it cannot have. */
export function checkedTables(
  view: TrackerView,
  input: readonly TableInput[],
  present: readonly ReportTable[],
): readonly CheckedTable[] {
  const ids = input.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) throw invalidMember('renderers', 'It names a table more than once.');
  return input.map((table, index) => checkedTable(view, `renderers[${index}]`, table, present));
}
