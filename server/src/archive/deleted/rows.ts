import {
  type ArchivedChangeset,
  type ArchivedFacts,
  readChangesets,
  readFacts,
} from '../../artifacts/index.ts';
import type { Reader } from '../../storage/index.ts';
import { archiveFault } from '../model.ts';

/*
 * XML cannot tell everything: links from other artifacts, the rank, the ids of comments, thousandths of seconds. So that
 * an artifact comes back as it was, its archive also has its rows, one JSON object a line: first all but the history, then
 * each changeset, then how many there were.
 */

/** The entry of an archive that has the rows. */
export const rowsEntry = 'rows.jsonl';

/** Raised whenever what was written before is to be read in another way. */
const format = 1;

type FactsOf = Parameters<typeof readFacts>[1];

const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

/** The lines that bring an artifact back. */
export async function* writeRows(reader: Reader, artifact: FactsOf): AsyncGenerator<Uint8Array> {
  yield line({ format, ...(await readFacts(reader, artifact)) });
  let changesets = 0;
  for await (const changeset of readChangesets(reader, artifact.id)) {
    yield line(changeset);
    changesets++;
  }
  yield line({ changesets });
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** What the archive says before the history. */
export async function readFirstRow(
  bytes: AsyncIterable<Uint8Array>,
  artifactId: number,
): Promise<ArchivedFacts> {
  for await (const text of linesOf(bytes)) {
    const facts: ArchivedFacts & { format: number } = JSON.parse(text);
    if (facts.format !== format || facts.artifact.id !== artifactId) break;
    return facts;
  }
  throw archiveFault(rowsEntry, 1, `It is not about artifact ${artifactId}, or of another version.`);
}

/** The history, which must be whole. */
export async function* readRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedChangeset> {
  let number = 0;
  for await (const text of linesOf(bytes)) {
    number++;
    if (number === 1) continue;
    const row: ArchivedChangeset | { changesets: number } = JSON.parse(text);
    if ('changesets' in row) {
      if (row.changesets === number - 2) return;
      break;
    }
    yield row;
  }
  throw archiveFault(rowsEntry, number, 'Something is missing.');
}
