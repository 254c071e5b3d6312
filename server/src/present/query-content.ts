import { type Artifact, linkField, linksOf, type RelatedData } from '../artifacts/index.ts';
import { formatInstant } from '../kernel/clock.ts';
import {
  canReadLinks,
  columnTypeOf,
  fieldIn,
  isColumnName,
  type QueryColumn,
  semanticField,
} from '../search/index.ts';
import {
  dateCell,
  type Field,
  htmlCell,
  labelItem,
  listCell,
  numberCell,
  personItem,
  type ShowingContext,
} from '../trackers/index.ts';
import { type PresentationContext, titleOf, ValueWriter } from './artifacts.ts';
import type { Frame } from './frame.ts';

/** The link by which an artifact was found. */
export interface FoundLink {
  readonly shortname: string;
  readonly direction: string;
  readonly label: string;
  readonly uri: string;
}

/** Around the cells of an answer. */
export interface CellContext {
  readonly related: RelatedData;
  readonly presentation: PresentationContext;
  /** Links by the ids of the artifacts that they lead to; none where nothing was found by links. */
  readonly links: ReadonlyMap<number, FoundLink>;
}

const noLink: FoundLink = { shortname: '', direction: '', label: '', uri: '' };

/** What columns show of artifacts of trackers that do not have them. */
const emptyCells: Readonly<Partial<Record<QueryColumn['type'], string>>> = {
  numeric: numberCell(null),
  text: htmlCell(''),
  date: dateCell(null, false),
};

const emptyCell = (type: QueryColumn['type']): string =>
  emptyCells[type] ?? (type.startsWith('list_') ? listCell([]) : '{"value":""}');

/** Fields may have changed since the columns were told. */
function fieldCell(
  { type }: QueryColumn,
  field: Field | undefined,
  artifact: Artifact,
  context: ShowingContext,
): string {
  const across = field?.type.across;
  if (field === undefined || across === undefined || columnTypeOf(across.family(field)) !== type)
    return emptyCell(type);
  return across.cell(field, artifact.document[field.id], context);
}

/** A status need not be one of the values that the tracker defines; then it has no colour. */
function statusCell(column: QueryColumn, artifact: Artifact, context: ShowingContext): string {
  const field = semanticField(artifact.view, '@status');
  if (field === undefined || field.bind?.kind === 'static')
    return fieldCell(column, field, artifact, context);
  const labels = field.type.value?.flat?.(field, artifact.document[field.id], context);
  return listCell((Array.isArray(labels) ? labels : []).map((label: string) => labelItem(label, null)));
}

function prettyTitle(artifact: Artifact, context: ShowingContext): string {
  const { tracker } = artifact.view;
  const title = titleOf(artifact, context) ?? '';
  return JSON.stringify({
    tracker_name: tracker.itemName,
    color: tracker.color,
    artifact_id: artifact.row.id,
    title,
  });
}

function cellOf(
  column: QueryColumn,
  artifact: Artifact,
  context: ShowingContext,
  answering: CellContext,
): string {
  const { name } = column;
  const { row, view } = artifact;
  const { project, name: label, color } = view.tracker;
  if (!isColumnName(name)) return fieldCell(column, fieldIn(view, name), artifact, context);
  switch (name) {
    case '@id':
      return numberCell(row.id);
    case '@submitted_on':
      return dateCell(formatInstant(row.submitted_on), true);
    case '@last_update_date':
      return dateCell(formatInstant(row.modified_on), true);
    case '@submitted_by':
      return personItem(row.submitted_by, context);
    case '@last_update_by':
      return personItem(row.modified_by, context);
    case '@project.name':
      return JSON.stringify({ name: project.label, icon: project.icon });
    case '@tracker.name':
      return JSON.stringify({ name: label, color });
    case '@pretty_title':
      return prettyTitle(artifact, context);
    case '@link_type':
      return JSON.stringify(answering.links.get(row.id) ?? noLink);
    case '@status':
      return statusCell(column, artifact, context);
    default:
      return fieldCell(column, semanticField(view, name), artifact, context);
  }
}

/** Links count towards what the viewer sees, as the routes about links tell them. */
function artifactCell({ row, view }: Artifact, { related }: CellContext): string {
  const { forward, reverse } = linksOf(related, row.id);
  const { neighbours } = related;
  const isTold = linkField(view.tracker) === undefined || canReadLinks(view);
  const tellingSources = reverse.flatMap(([id]) => neighbours.get(id)?.view ?? []).filter(canReadLinks);
  return JSON.stringify({
    id: row.id,
    uri: `/plugins/tracker/?aid=${row.id}`,
    number_of_forward_link: canReadLinks(view) ? forward.filter(([id]) => neighbours.has(id)).length : 0,
    number_of_reverse_link: isTold ? tellingSources.length : 0,
  });
}

/** One artifact that a query found. */
export function contentText(
  columns: readonly QueryColumn[],
  artifact: Artifact,
  answering: CellContext,
): string {
  const context = new ValueWriter(artifact, answering.related, answering.presentation);
  const cells = columns.map(
    (column) => `${JSON.stringify(column.name)}:${cellOf(column, artifact, context, answering)}`,
  );
  return `{${[`"@artifact":${artifactCell(artifact, answering)}`, ...cells].join(',')}}`;
}

/** What stands around the artifacts that a query found. */
export function contentFrame(columns: readonly QueryColumn[]): Frame {
  const selected = [{ name: '@artifact', type: 'artifact' }, ...columns];
  return { before: `{"selected":${JSON.stringify(selected)},"artifacts":[`, between: ',', after: ']}' };
}
