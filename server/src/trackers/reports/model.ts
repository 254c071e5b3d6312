import type { Field, Tracker } from '../model.ts';
import type { ReportCriterion } from '../query/index.ts';
import type { TrackerView } from '../view.ts';
import type { RendererSettings, RendererType } from './settings.ts';

/** One criterion of a saved search. */
export interface SavedCriterion {
  /** Null: it looks for words in comments. */
  readonly fieldId: number | null;
  /** Several values can be chosen where it is shown. */
  readonly isAdvanced?: true;
  /** Absent: it is offered, but asks for nothing. The value of a list is an array of ids, of typed ones as `"o7"`. */
  readonly asks?: ReportCriterion;
}

export interface ReportColumn {
  readonly fieldId: number;
  /** For links: the only type that is shown, and how. */
  readonly linkType?: string;
  readonly linkFormat?: string;
}

export interface SortKey {
  readonly fieldId: number;
  readonly isDescending?: true;
}

/** A table of artifacts or another picture of them, in which a report shows what it finds. */
export interface NewRenderer {
  readonly type: RendererType;
  readonly name: string;
  readonly description: string;
  /** Rows on a page. */
  readonly pageSize: number;
  /** Null: the usual ones, whatever fields the tracker has. */
  readonly columns: readonly ReportColumn[] | null;
  readonly sort: readonly SortKey[];
  /** What else there is to say about its type. */
  readonly settings: RendererSettings;
}
export interface Renderer extends NewRenderer {
  readonly id: number;
}

/** A saved search, without what it has by being stored. */
export interface NewReport {
  readonly name: string;
  readonly description: string;
  readonly isDefault: boolean;
  /** Whether people see what it asks for. */
  readonly isQueryDisplayed: boolean;
  /** Whether the query counts; else the criteria do. */
  readonly usesQuery: boolean;
  readonly query: string;
  readonly criteria: readonly SavedCriterion[];
  readonly renderers: readonly NewRenderer[];
}

/** A saved search of a tracker. What it names may be gone from the tracker, and is passed over then. */
export interface Report extends NewReport {
  readonly id: number;
  readonly trackerId: number;
  /** Null: public. */
  readonly ownerId: number | null;
  readonly renderers: readonly Renderer[];
}

export const usualTable: NewRenderer = {
  type: 'table',
  name: 'Table',
  description: '',
  pageSize: 15,
  columns: null,
  sort: [],
  settings: {},
};

/** What every tracker has from the beginning. */
export const defaultReport: NewReport = {
  name: 'Default',
  description: '',
  isDefault: true,
  isQueryDisplayed: true,
  usesQuery: false,
  query: '',
  criteria: [],
  renderers: [usualTable],
};

const mostUsualColumns = 10;

/** Fields that somebody would look for first, and others that have a simple value, as the form has them. */
function usualColumns({ elements, semantics }: Tracker): ReportColumn[] {
  const { title, status, contributor, description } = semantics;
  const first = [title, status, contributor].flatMap((semantic) => semantic?.fieldId ?? []);
  const simple = elements.filter(
    ({ id, isUsed, type }) => isUsed && type.value?.flat !== undefined && id !== description?.fieldId,
  );
  const others = simple.filter(({ id }) => !first.includes(id));
  const chosen = new Set([...first, ...others.slice(0, mostUsualColumns - first.length).map(({ id }) => id)]);
  return simple.filter(({ id }) => chosen.has(id)).map(({ id }) => ({ fieldId: id }));
}

/** The columns of a table that are there, in their order. */
export function columnsOf({ columns }: NewRenderer, tracker: Tracker): readonly ReportColumn[] {
  return (columns ?? usualColumns(tracker)).filter(({ fieldId }) => tracker.elementById.has(fieldId));
}

/** The fields of a table of which the viewer may read values, each once. Links are no value of a table. */
export function shownColumns(table: NewRenderer, view: TrackerView): readonly Field[] {
  const fields = columnsOf(table, view.tracker).flatMap(
    ({ fieldId }) => view.tracker.elementById.get(fieldId) ?? [],
  );
  return [...new Set(fields)].filter(
    (field) => field.type.value !== undefined && field.type.acceptLinks === undefined && view.canRead(field),
  );
}

/** Whether somebody may learn that a report names a field: administrators know all of them. */
export const mayName = ({ isAdmin, canRead, tracker }: TrackerView, fieldId: number): boolean => {
  const field = tracker.elementById.get(fieldId);
  return field !== undefined && (isAdmin || canRead(field));
};
