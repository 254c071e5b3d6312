import { SaxesParser } from 'saxes';
import {
  type ArchivedChangeset,
  type ArchivedFacts,
  readArchivedChangesets,
  readFacts,
} from '../../artifacts/index.ts';
import type { Reader } from '../../storage/index.ts';
import { archiveFault } from '../model.ts';
import type { XmlWriter } from '../xml-writer.ts';

/*
 * The elements that archives have cannot tell everything: links from other artifacts, the rank, the ids of comments,
 * thousandths of seconds. So that an artifact comes back as it was, its XML also has its rows, each in a processing
 * instruction, which whoever else reads the document passes over: first all but the history, then each changeset, then
 * how many there were.
 */

/** The entry of an archive that is read when the artifact comes back. */
export const xmlEntry = 'artifact.xml';

const target = 'atelier-row';

/** Raised whenever what was written before is to be read in another way. */
const format = 1;

type FactsOf = Parameters<typeof readFacts>[1];

/** Writes what brings an artifact back. */
export async function writeRows(out: XmlWriter, reader: Reader, artifact: FactsOf): Promise<void> {
  out.instruction(target, { format, ...(await readFacts(reader, artifact)) });
  let changesets = 0;
  for await (const changeset of readArchivedChangesets(reader, artifact.id)) {
    out.instruction(target, changeset);
    await out.settle();
    changesets++;
  }
  out.instruction(target, { changesets });
}

/** The texts of the instructions, as they come. */
async function* rowsIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const parser = new SaxesParser({ xmlns: false });
  let found: string[] = [];
  parser.on('error', ({ message }) => {
    throw archiveFault(xmlEntry, parser.line, message);
  });
  parser.on('doctype', () => {
    throw archiveFault(xmlEntry, parser.line, 'A document type is not allowed.');
  });
  parser.on('processinginstruction', (instruction) => {
    if (instruction.target === target) found.push(instruction.body);
  });
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* found;
    found = [];
  }
  parser.close();
}

/** How earlier versions wrote the row: one column had another name. */
type FormerRow = Omit<FactsOf, 'related_version'> & { readonly surroundings: number };
type FormerFacts = Omit<ArchivedFacts, 'artifact'> & { readonly artifact: FormerRow };

function presentRow(row: FactsOf | FormerRow): FactsOf {
  if ('related_version' in row) return row;
  const { surroundings: related_version, ...others } = row;
  return { ...others, related_version };
}

/** What the archive says before the history. */
export async function readFirstRow(
  bytes: AsyncIterable<Uint8Array>,
  artifactId: number,
): Promise<ArchivedFacts> {
  for await (const text of rowsIn(bytes)) {
    const facts: (ArchivedFacts | FormerFacts) & { format: number } = JSON.parse(text);
    if (facts.format !== format || facts.artifact.id !== artifactId) break;
    return { ...facts, artifact: presentRow(facts.artifact) };
  }
  throw archiveFault(xmlEntry, undefined, `It is not about artifact ${artifactId}, or of another version.`);
}

/** The history, which must be whole. */
export async function* readRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedChangeset> {
  let number = 0;
  for await (const text of rowsIn(bytes)) {
    number++;
    if (number === 1) continue;
    const row: ArchivedChangeset | { changesets: number } = JSON.parse(text);
    if ('changesets' in row) {
      if (row.changesets === number - 2) return;
      break;
    }
    yield row;
  }
  throw archiveFault(xmlEntry, undefined, 'A part of its history is missing.');
}
