import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { type Instant, minute } from '../../kernel/clock.ts';
import { KeptAnswers } from './kept.ts';

/** Bytes and lines of a file whose lines are told one by one. */
export const longestBlamed = 5_000_000;
export const mostBlamedLines = 100_000;

/** Whoever wrote a line. */
export interface LineChange {
  readonly revision: number;
  readonly author: string;
  readonly at: Instant | null;
}

/** The date of a revision; null where it has none, or none that can be read. */
export function changeInstant(text: string): Instant | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

export interface BlamedLine {
  readonly text: string;
  readonly change: LineChange;
}

export type Blame = readonly BlamedLine[];

export const isBinary = (text: string) => text.includes('\0');

/** As Subversion counts them: what comes after the last line break is a line where it is not empty. */
export function fileLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const countOf = (xml: string, element: RegExp) => xml.match(element)?.length ?? 0;

/** Whether `svn blame --xml` knows of every line who wrote it; it has no words of the file. */
export const isWholeBlame = (xml: string): boolean =>
  countOf(xml, /<commit\b/g) === countOf(xml, /<entry\b/g);

/** Characters that are read without a rest for others. */
const piece = 256 * 1024;

/** Reads what `svn blame --xml` says. `since`: the revision that lines are put down to of which it says nothing. */
export async function blameXml(xml: string, lines: readonly string[], since: number): Promise<Blame> {
  const changes = new Map<number, LineChange>();
  const revisions: number[] = [];
  let revision = since;
  let said = { author: '', date: '', text: '' };
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'entry') [revision, said] = [since, { author: '', date: '', text: '' }];
    if (name === 'commit') revision = Number(attributes['revision']);
    said.text = '';
  });
  parser.on('text', (text) => {
    said.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'author') said.author = said.text;
    if (name === 'date') said.date = said.text;
    if (name !== 'entry') return;
    revisions.push(revision);
    if (!changes.has(revision) && said.date !== '')
      changes.set(revision, { revision, author: said.author, at: changeInstant(said.date) });
  });
  for (let at = 0; at < xml.length; at += piece) {
    parser.write(xml.slice(at, at + piece));
    await setImmediate();
  }
  parser.close();
  const unknown: LineChange = { revision: since, author: '', at: null };
  return lines.map((text, index) => ({
    text,
    change: changes.get(revisions[index] ?? since) ?? { ...unknown, revision: revisions[index] ?? since },
  }));
}

/** Characters of files whose blame is remembered, and for how long: authors can be corrected. */
const mostKept = 16_000_000;
const keptFor = 5 * minute;

export class KeptBlames {
  readonly #kept = new KeptAnswers<Blame>(mostKept, keptFor);

  get(key: string): Blame | undefined {
    return this.#kept.get(key);
  }

  put(key: string, blame: Blame, length: number): void {
    this.#kept.put(key, blame, length);
  }
}
