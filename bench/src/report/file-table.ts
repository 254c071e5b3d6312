import type { FileRow } from '../files/measure-files.ts';
import { type Column, decimals, renderColumns } from './table.ts';

/** In MB a second. */
const rateOf = ({ bytes, seconds }: FileRow) => bytes / 1_000_000 / seconds;

/** The rate as a share of the copy's, or of what bare `node:http` reached in the same scenario. */
function shareOf(floor: 'copy' | 'http', row: FileRow, rows: FileRow[]): number | undefined {
  const isFloor = ({ server, scenario }: FileRow) =>
    server === floor && (floor === 'copy' || scenario === row.scenario);
  const base = rows.find(isFloor);
  return base && rateOf(row) / rateOf(base);
}

const texts: Column<FileRow>[] = [
  ['scenario', (row) => row.scenario],
  ['by', (row) => row.server],
];

const numbers: Column<FileRow>[] = [
  ['MB', (row) => decimals(row.bytes / 1_000_000, 0)],
  ['seconds', (row) => decimals(row.seconds, 2)],
  ['MB/s', (row) => decimals(rateOf(row), 0)],
  ['of copy', (row, rows) => decimals(shareOf('copy', row, rows), 2)],
  ['of http', (row, rows) => decimals(shareOf('http', row, rows), 2)],
  ['RssAnon before', (row) => decimals(row.memory?.beforeMb, 0)],
  ['peak', (row) => decimals(row.memory?.peakMb, 0)],
  ['after', (row) => decimals(row.memory?.afterMb, 0)],
];

export const renderFileTable = (rows: FileRow[]) => renderColumns(rows, texts, numbers);
