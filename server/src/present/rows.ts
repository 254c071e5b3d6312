import type * as contract from '@atelier/contract';
import {
  type Artifact,
  type RelatedData,
  type RowFact,
  type RowFacts,
  rowLinks,
  versionTag,
} from '../artifacts/index.ts';
import { formatInstant, type Instant } from '../kernel/clock.ts';
import { invalidMember } from '../kernel/errors.ts';
import { fieldNamed } from '../search/index.ts';
import {
  arrayCell,
  type CellTexts,
  dateCell,
  type Field,
  listCell,
  type Need,
  numberCell,
  shownColumns,
  type TrackerView,
  usualTable,
} from '../trackers/index.ts';
import { isOpenArtifact, type PresentationContext, statusOf, titleOf, ValueWriter } from './artifacts.ts';
import type { Frame } from './frame.ts';

/** All that rows are made from, beside artifacts. */
export interface RowData extends RelatedData {
  readonly facts: RowFacts;
  /** Artifacts of whose changes the viewer is told. */
  readonly watched: ReadonlySet<number>;
}

/** Around the cells of one row. */
interface RowContext {
  readonly artifact: Artifact;
  readonly data: RowData;
  readonly presentation: PresentationContext;
  readonly writer: ValueWriter;
}

/** A column that shows something beside the value of a field. */
interface NamedColumn {
  readonly type: contract.RowColumn['type'];
  readonly label: string;
  readonly needs?: readonly Need[];
  readonly facts?: readonly RowFact[];
  readonly isWatching?: true;
  cell(context: RowContext): string;
}

/** A column of the answer. */
export interface RowColumn {
  readonly name: string;
  /** Null for what is no field. */
  readonly field: Field | null;
  readonly type: contract.RowColumn['type'];
  readonly label: string;
  readonly needs: readonly Need[];
  readonly facts: readonly RowFact[];
  readonly isWatching: boolean;
  cell(context: RowContext): string;
}

/** Texts in rows are to be glanced at. */
const texts: CellTexts = { longest: 300, isSource: false };

const instantCell = (instant: Instant | null | undefined, withTime: boolean) =>
  dateCell(instant == null ? null : formatInstant(instant), withTime);

/** Whether what begins and ends the work has a time of the day. */
function showsTime({ tracker }: TrackerView, end: 'startFieldId' | 'endFieldId'): boolean {
  const timeframe: Readonly<Record<string, unknown>> = tracker.semantics.timeframe ?? {};
  const id = timeframe[end];
  const field = typeof id === 'number' ? tracker.elementById.get(id) : undefined;
  return field !== undefined && field.type.across?.family(field) !== 'date';
}

const valueCell = (value: unknown) => JSON.stringify({ value });

function parentCell({ artifact, data, presentation }: RowContext): string {
  const parent = data.facts.parents.get(artifact.row.id);
  if (parent === undefined) return valueCell(null);
  const { row, view } = parent;
  const title = titleOf(parent, new ValueWriter(parent, data, presentation));
  return valueCell({ id: row.id, xref: `${view.tracker.itemName} #${row.id}`, title });
}

function filesIn({ view, document }: Artifact): number {
  const counts = view.shown.map((field) => {
    const value = document[field.id];
    return value === undefined ? 0 : (field.type.value?.files?.(value).length ?? 0);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

const named: Readonly<Record<string, NamedColumn>> = {
  '@start': {
    type: 'date',
    label: 'Start',
    needs: ['totals'],
    facts: ['timeframe'],
    cell: ({ artifact: { row, view }, data }) =>
      instantCell(data.facts.timeframes.get(row.id)?.start, showsTime(view, 'startFieldId')),
  },
  '@end': {
    type: 'date',
    label: 'End',
    needs: ['totals'],
    facts: ['timeframe'],
    cell: ({ artifact: { row, view }, data }) =>
      instantCell(data.facts.timeframes.get(row.id)?.end, showsTime(view, 'endFieldId')),
  },
  '@progress': {
    type: 'numeric',
    label: 'Progress',
    needs: ['totals', 'links'],
    facts: ['progress'],
    cell: ({ artifact: { row }, data }) => numberCell(data.facts.progress.get(row.id) ?? null),
  },
  '@parent': {
    type: 'artifact',
    label: 'Parent',
    needs: ['links'],
    facts: ['parent'],
    cell: parentCell,
  },
  '@children': {
    type: 'children',
    label: 'Children',
    needs: ['links'],
    facts: ['children'],
    cell: ({ artifact: { row }, data }) =>
      valueCell(data.facts.children.get(row.id) ?? { open: 0, closed: 0 }),
  },
  '@links': {
    type: 'links',
    label: 'Links',
    needs: ['links'],
    cell: ({ artifact, data }) =>
      arrayCell(
        rowLinks(artifact, data).map(({ id, type, direction }) => ({
          id,
          type: type === '' ? null : type,
          direction,
        })),
      ),
  },
  '@comments': {
    type: 'numeric',
    label: 'Comments',
    facts: ['comments'],
    cell: ({ artifact: { row }, data }) => numberCell(data.facts.comments.get(row.id) ?? 0),
  },
  '@files': { type: 'numeric', label: 'Files', cell: ({ artifact }) => numberCell(filesIn(artifact)) },
  '@last_update_date': {
    type: 'date',
    label: 'Last update',
    cell: ({ artifact: { row } }) => instantCell(row.modified_on, true),
  },
  '@last_update_by': {
    type: 'user',
    label: 'Last updated by',
    cell: ({ artifact: { row }, writer }) => listCell([writer.person(row.modified_by)]),
  },
  '@submitted_on': {
    type: 'date',
    label: 'Submitted on',
    cell: ({ artifact: { row } }) => instantCell(row.submitted_on, true),
  },
  '@submitted_by': {
    type: 'user',
    label: 'Submitted by',
    cell: ({ artifact: { row }, writer }) => listCell([writer.person(row.submitted_by)]),
  },
  '@rank': { type: 'numeric', label: 'Rank', cell: ({ writer }) => numberCell(writer.artifact.rank) },
  '@watched': {
    type: 'boolean',
    label: 'Watched',
    isWatching: true,
    cell: ({ artifact: { row }, data }) => valueCell(data.watched.has(row.id)),
  },
};

function namedColumn(name: string): RowColumn | undefined {
  const column = Object.hasOwn(named, name) ? named[name] : undefined;
  return column && { needs: [], facts: [], isWatching: false, ...column, name, field: null };
}

function fieldColumn(field: Field): RowColumn | undefined {
  const { row, value } = field.type;
  if (row === undefined) return undefined;
  return {
    name: field.name,
    field,
    type: row.type(field),
    label: field.label,
    needs: value?.needs ?? [],
    facts: [],
    isWatching: false,
    cell: ({ artifact, writer }) => row.cell(field, artifact.document[field.id], writer, texts),
  };
}

/** The column of a name; null where it is of a field that the viewer may not read. */
function columnNamed(view: TrackerView, name: string): RowColumn | null {
  const known = namedColumn(name);
  if (known !== undefined) return known;
  const used = view.tracker.elements.filter(({ isUsed, type }) => isUsed && type.kind === 'field');
  const field = fieldNamed(used, name);
  if (field === undefined) throw invalidMember('columns', `There is no column ${name}.`);
  if (!view.canRead(field)) return null;
  const column = fieldColumn(field);
  if (column === undefined) throw invalidMember('columns', `The field ${name} cannot be shown in a column.`);
  return column;
}

const mostColumns = 60;

/** The columns that are asked for, each once; the usual ones where none are. */
export function rowColumns(view: TrackerView, names: readonly string[]): RowColumn[] {
  if (names.length > mostColumns)
    throw invalidMember('columns', `At most ${mostColumns} columns can be given.`);
  if (names.length === 0) return shownColumns(usualTable, view).flatMap((field) => fieldColumn(field) ?? []);
  return [...new Set(names)].flatMap((name) => columnNamed(view, name) ?? []);
}

/** What artifacts need to be shown in these columns. Titles and states are always shown. */
export function needsOf(view: TrackerView, columns: readonly RowColumn[]): ReadonlySet<Need> {
  const { title, status } = view.tracker.semantics;
  const always = [title, status].flatMap(
    (semantic) => view.tracker.elementById.get(semantic?.fieldId ?? 0)?.type.value?.needs ?? [],
  );
  return new Set([...always, ...columns.flatMap(({ needs }) => needs)]);
}

/** One artifact as a row. */
export function rowText(
  columns: readonly RowColumn[],
  artifact: Artifact,
  data: RowData,
  presentation: PresentationContext,
): string {
  const { row, view } = artifact;
  const writer = new ValueWriter(artifact, data, presentation);
  const context = { artifact, data, presentation, writer };
  const cells = columns.map((column) => `${JSON.stringify(column.name)}:${column.cell(context)}`);
  return (
    `{"id":${row.id},"uri":"artifacts/${row.id}","xref":"${view.tracker.itemName} #${row.id}"` +
    `,"etag":"\\"${versionTag(row)}\\"","title":${JSON.stringify(titleOf(artifact, writer))}` +
    `,"full_status":${JSON.stringify(statusOf(artifact, writer))},"is_open":${isOpenArtifact(artifact)}` +
    `,"may_update":${data.facts.mayUpdate},"cells":{${cells.join(',')}}}`
  );
}

const presentColumn = ({ name, field, type, label }: RowColumn): contract.RowColumn => ({
  name,
  field_id: field?.id ?? null,
  type,
  label,
});

/** What stands around rows. */
export const rowFrame = (columns: readonly RowColumn[]): Frame => ({
  before: `{"columns":${JSON.stringify(columns.map(presentColumn))},"rows":[`,
  between: ',',
  after: ']}',
});
