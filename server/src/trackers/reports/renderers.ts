import { invalidMember } from '../../kernel/errors.ts';
import type { Tracker } from '../model.ts';
import { oneLine, paragraph } from '../texts.ts';
import type { TrackerView } from '../view.ts';
import {
  mayName,
  type NewRenderer,
  type Renderer,
  type ReportColumn,
  type SortKey,
  usualTable,
} from './model.ts';
import { archivedSettings, checkedSettings, type RendererType } from './settings.ts';

/** A table or another renderer as a request gives it; one with an id is there already, and keeps what is not given. */
export interface RendererInput {
  readonly id?: number | undefined;
  readonly type?: RendererType | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly pageSize?: number | undefined;
  /** Null: the usual ones. */
  readonly columns?: readonly ReportColumn[] | null | undefined;
  readonly sort?: readonly SortKey[] | undefined;
  /** As the request gave them. */
  readonly settings?: unknown;
}

export type CheckedRenderer = NewRenderer & { readonly id?: number | undefined };

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

const usualNames: Readonly<Record<RendererType, string>> = {
  table: 'Table',
  board: 'Board',
  calendar: 'Calendar',
  timeline: 'Timeline',
  chart: 'Chart',
};

const newOf = (type: RendererType = 'table'): NewRenderer => ({
  ...usualTable,
  type,
  name: usualNames[type],
});

/** Only tables have columns, pages and an order of their own. */
function refuseOfTables(
  member: string,
  type: RendererType,
  { columns, sort, pageSize }: RendererInput,
): void {
  for (const [name, value] of Object.entries({ columns, sort, page_size: pageSize }))
    if (value !== undefined && value !== null)
      throw invalidMember(`${member}[${name}]`, `A ${type} has none: only tables do.`);
}

function checkedRenderer(
  view: TrackerView,
  member: string,
  input: RendererInput,
  present: readonly Renderer[],
): CheckedRenderer {
  const { id, name, description, pageSize, columns, sort, settings } = input;
  const former = id === undefined ? newOf(input.type) : present.find((renderer) => renderer.id === id);
  if (former === undefined) throw invalidMember(`${member}[id]`, 'The report has no such renderer.');
  if (input.type !== undefined && input.type !== former.type)
    throw invalidMember(`${member}[type]`, `It is a ${former.type} and stays one: add another one instead.`);
  if (former.type !== 'table') refuseOfTables(member, former.type, input);
  const mayNameField = (fieldId: number) => mayName(view, fieldId);
  const around = { tracker: view.tracker, mayName: mayNameField };
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
    ...(settings === undefined
      ? {}
      : {
          settings: {
            ...archivedSettings(former.type, former.settings),
            ...checkedSettings(former.type, `${member}[settings]`, settings, around),
          },
        }),
  };
}

/** The renderers that a report shall have; refuses what it cannot have. */
export function checkedRenderers(
  view: TrackerView,
  input: readonly RendererInput[],
  present: readonly Renderer[],
): readonly CheckedRenderer[] {
  const ids = input.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) throw invalidMember('renderers', 'It names a renderer more than once.');
  return input.map((renderer, index) => checkedRenderer(view, `renderers[${index}]`, renderer, present));
}
