/*
 * Artifacts as tables of comma-separated values.
 *
 * import.ts    takes a table in, row by row: read it first
 * table.ts     the text as rows; columns.ts which field each column means, both ways
 * plan.ts      what is to become of each row; faults.ts collects what is wrong with cells
 *
 * A table is read to its end before the first row is stored, and every fault is named by row and column.
 */

export { type CsvColumn, type CsvFact, exportColumns } from './columns.ts';
export { type CsvImportDeps, importTable, type TableImportOutcome } from './import.ts';
