import { type ArtifactsImport, exportArtifacts, importArtifacts, type Tracker } from '@atelier/client/routes';
import { readCsv } from '../../kernel/csv.ts';
import { writeSort } from '../../kernel/filters.ts';
import { client } from '../../store/index.ts';
import { patiently } from '../patience.ts';
import { askedSearch, orderOf, titleField, type View } from '../view.ts';

export const separators = ['comma', 'semicolon', 'tab'] as const;
export type Separator = (typeof separators)[number];

/** Which artifacts, which of their fields, and how they are written. */
export interface ExportWish {
  readonly rows: 'selected' | 'seen' | 'all';
  readonly columns: 'seen' | 'all';
  readonly separator: Separator;
  readonly hasBom: boolean;
  readonly ids: readonly number[] | undefined;
}

/** Columns of a view that no file has. */
const neverWritten = ['@parent', '@children', '@links', '@comments', '@files', '@watched', '@progress'];

export const writtenColumns = ({ columns }: View) =>
  columns.filter(({ name }) => !neverWritten.includes(name));
export const unwrittenColumns = ({ columns }: View) =>
  columns.filter(({ name }) => neverWritten.includes(name));

/** The table as a file. */
export async function exportTable(tracker: Tracker, view: View, wish: ExportWish): Promise<Blob> {
  const search = wish.rows === 'all' ? {} : askedSearch(tracker, view);
  const title = titleField(tracker)?.name;
  const names = [
    'id',
    ...(title === undefined ? [] : [title]),
    ...writtenColumns(view).map(({ name }) => name),
  ];
  const sort = writeSort(orderOf(view));
  const response = await client.download(exportArtifacts, {
    params: { id: tracker.id },
    query: {
      format: 'csv',
      ...search,
      ...(wish.columns === 'all' ? {} : { columns: [[...new Set(names)].join(',')] }),
      ...(sort === '' ? {} : { sort: [sort] }),
      ...(wish.rows === 'selected' && wish.ids !== undefined ? { ids: [wish.ids.join(',')] } : {}),
      separator: wish.separator,
      bom: wish.hasBom,
    },
  });
  return response.blob();
}

export type ImportAnswer = ArtifactsImport;

/** What stands first in days whose year stands last. */
export const dateOrders = ['day_first', 'month_first'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A table as it is sent. */
export interface SentTable {
  readonly csv: string;
  readonly dateOrder: DateOrder | undefined;
}

/** Imports a table, or only tells what would come of it. What has a key is stored once, however often it is sent. */
export function importTable(
  tracker: Tracker,
  { csv, dateOrder }: SentTable,
  isDryRun: boolean,
  idempotencyKey?: string,
): Promise<ImportAnswer> {
  const order = dateOrder === undefined ? {} : { date_order: dateOrder };
  const body = { csv, dry_run: isDryRun, separator: 'comma' as const, ...order };
  const input = { params: { id: tracker.id }, body, idempotencyKey };
  return patiently(() => client.call(importArtifacts, input));
}

/** What artifacts have in some columns now, by their ids; of those that one may see. */
export async function presentCells(
  tracker: Tracker,
  ids: readonly number[],
  names: readonly string[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  if (ids.length === 0) return new Map();
  const columns = ['@id', ...names];
  const response = await client.download(exportArtifacts, {
    params: { id: tracker.id },
    query: { format: 'csv', ids: [ids.join(',')], columns: [columns.join(',')] },
  });
  const { rows } = readCsv(await response.text(), 'comma');
  return new Map(
    rows.map(([id = '', ...cells]) => [
      Number(id),
      new Map(names.map((name, place) => [name, cells[place] ?? ''])),
    ]),
  );
}
