import type { Measurement } from '../measure.ts';
import type { ServerName } from '../scenario.ts';
import { ratioTo } from './compare.ts';

/** A title, and what stands below it in each row. */
export type Column<Row> = [title: string, cell: (row: Row, rows: Row[]) => string];

const textColumns: Column<Measurement>[] = [
  ['scenario', (row) => row.scenario],
  ['server', (row) => row.server],
  ['threads', (row) => row.threads],
];

const numberColumns: Column<Measurement>[] = [
  ['bytes', (row) => decimals(row.meanBodyBytes, 0)],
  ['req/s', (row) => decimals(row.requestsPerSecond, 0)],
  ['p50 ms', (row) => decimals(row.p50Ms, 2)],
  ['p99 ms', (row) => decimals(row.p99Ms, 2)],
  ['max ms', (row) => decimals(row.maxMs, 1)],
  ['of (a)', (row, rows) => decimals(ratioTo('http', row, rows), 2)],
  ['of (b)', (row, rows) => decimals(ratioTo('http+sqlite', row, rows), 2)],
  ['of (c)', (row, rows) => decimals(ratioTo('sqlite', row, rows), 2)],
  ['of (p)', (row, rows) => decimals(ratioTo('http+postgres', row, rows), 2)],
  ['of (q)', (row, rows) => decimals(ratioTo('postgres', row, rows), 2)],
  ['cpu µs', (row) => decimals(row.cpuMicros, 0)],
  ['RssAnon MB', (row) => decimals(row.rssAnonMb, 0)],
];

/** The floors that only one of the engines has. */
const floorsByColumn = new Map<string, ServerName>([
  ['of (b)', 'http+sqlite'],
  ['of (c)', 'sqlite'],
  ['of (p)', 'http+postgres'],
  ['of (q)', 'postgres'],
]);

/** Columns of floors that nobody measured are left out. */
export function renderTable(rows: Measurement[]): string {
  const servers = new Set(rows.map(({ server }) => server));
  const isMeasured = ([title]: Column<Measurement>) => {
    const floor = floorsByColumn.get(title);
    return floor === undefined || servers.has(floor);
  };
  return renderColumns(rows, textColumns, numberColumns.filter(isMeasured));
}

/** Text to the left, numbers to the right, all rows of one width. */
export function renderColumns<Row>(rows: Row[], texts: Column<Row>[], numbers: Column<Row>[]): string {
  const columns = [
    ...texts.map((column) => renderColumn(column, rows, 'left')),
    ...numbers.map((column) => renderColumn(column, rows, 'right')),
  ];
  const lines = ['', ...rows].map((_, index) => columns.map((cells) => cells[index]).join('  '));
  return lines.join('\n');
}

/** The title and the cells, all of one width. */
function renderColumn<Row>([title, cell]: Column<Row>, rows: Row[], side: 'left' | 'right'): string[] {
  const cells = [title, ...rows.map((row) => cell(row, rows))];
  const width = Math.max(...cells.map((text) => text.length));
  return cells.map((text) => (side === 'left' ? text.padEnd(width) : text.padStart(width)));
}

export function decimals(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits);
}
