import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BadDump, type DumpDescription, type DumpedTable, descriptionFile } from './model.ts';
import { valuesOf } from './rows.ts';

export async function readDescription(folder: string): Promise<DumpDescription> {
  return JSON.parse(await readFile(join(folder, descriptionFile), 'utf8'));
}

/** The lines of a compressed file. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const bytes = createGunzip();
  // What goes wrong ends the second stream with the same error, and so the loop below.
  pipeline(createReadStream(path), bytes, () => {});
  let rest = '';
  for await (const part of bytes.setEncoding('utf8')) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new BadDump(`The last line of ${path} is cut.`);
}

/** All rows of a table in a dump, each the values of its columns in their order. */
export async function* dumpedRows(
  folder: string,
  { files, columns }: DumpedTable,
): AsyncGenerator<unknown[]> {
  for (const file of files)
    for await (const line of linesOf(join(folder, file))) yield valuesOf(line, columns);
}

/** The rows of a table of a dump by the names of their columns; none where the dump has no such table. */
export async function* readDumpedRows(
  folder: string,
  { tables }: DumpDescription,
  name: string,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const table = tables.find((one) => one.name === name);
  if (table === undefined) return;
  for await (const values of dumpedRows(folder, table))
    yield Object.fromEntries(table.columns.map((column, index) => [column.name, values[index]]));
}
