/*
 * Differences as Subversion writes them, read: files with their parts, and lines with their numbers on both sides.
 */

export type DiffLineKind = 'same' | 'added' | 'removed';

export interface DiffLine {
  readonly kind: DiffLineKind;
  readonly text: string;
  /** Its number in the file before, and in the file after. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Neighbouring lines of a file; between two of them unchanged ones are left out. */
export interface DiffPart {
  readonly before: number;
  readonly after: number;
  /** The function it lies in, where the program tells it. */
  readonly context: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  /** Without a slash in front. */
  readonly path: string;
  readonly change: 'added' | 'deleted' | 'changed' | 'copied';
  readonly parts: readonly DiffPart[];
  readonly isBinary: boolean;
  /** What is said of properties, line by line. */
  readonly properties: readonly string[];
  readonly added: number;
  readonly removed: number;
}

const head = /^(Modified|Added|Deleted|Copied|Index): (.*?)(?: \(from rev \d+, .*\))?$/;
const partHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
const changes: Readonly<Record<string, DiffFile['change']>> = {
  Added: 'added',
  Deleted: 'deleted',
  Copied: 'copied',
};

type Growing = { -readonly [Name in keyof DiffFile]: DiffFile[Name] } & {
  parts: DiffPart[];
  properties: string[];
};

/** Lines of a part: as many as its head says, whatever is written in them. */
function readPart(
  lines: readonly string[],
  at: number,
  [, before = '0', countBefore = '1', after = '0', countAfter = '1', context = '']: readonly string[],
): { part: DiffPart; end: number } {
  const found: DiffLine[] = [];
  let [left, right] = [Number(before), Number(after)];
  const [leftEnd, rightEnd] = [left + Number(countBefore), right + Number(countAfter)];
  let index = at;
  while (index < lines.length && (left < leftEnd || right < rightEnd)) {
    const line = lines[index] ?? '';
    const text = line.slice(1).replace(/\r$/, '');
    if (line.startsWith('-')) found.push({ kind: 'removed', text, before: left++ });
    else if (line.startsWith('+')) found.push({ kind: 'added', text, after: right++ });
    else if (!line.startsWith('\\')) found.push({ kind: 'same', text, before: left++, after: right++ });
    index++;
  }
  if (lines[index]?.startsWith('\\') === true) index++;
  return { part: { before: Number(before), after: Number(after), context, lines: found }, end: index };
}

/** Whether the next line rules a line under the head of a file. */
const isHead = (lines: readonly string[], at: number) =>
  head.test(lines[at] ?? '') && /^={20,}$/.test(lines[at + 1] ?? '');

export function readUnifiedDiff(text: string): DiffFile[] {
  const lines = text.split('\n');
  const files: Growing[] = [];
  let file: Growing | undefined;
  let isInProperties = false;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (isHead(lines, at)) {
      const [, word = '', path = ''] = head.exec(line) ?? [];
      const change = changes[word] ?? 'changed';
      isInProperties = false;
      at += 2;
      // What is no text has a second head, for its properties.
      if (file?.isBinary === true && file.path === path && word === 'Index') continue;
      file = { path, change, parts: [], isBinary: false, properties: [], added: 0, removed: 0 };
      files.push(file);
      continue;
    }
    const found = isInProperties ? null : partHead.exec(line);
    if (file !== undefined && found !== null) {
      const { part, end } = readPart(lines, at + 1, found);
      file.parts.push(part);
      for (const { kind } of part.lines) {
        if (kind === 'added') file.added++;
        if (kind === 'removed') file.removed++;
      }
      at = end;
      continue;
    }
    if (file !== undefined) isInProperties = noteLine(file, line, isInProperties);
    at++;
  }
  return files;
}

/** What is said besides of a file. */
function noteLine(file: Growing, line: string, isInProperties: boolean): boolean {
  if (/^Property changes on: /.test(line)) return true;
  if (isInProperties) {
    if (line !== '' && !/^_{20,}$/.test(line) && !line.startsWith('\\')) file.properties.push(line);
    return true;
  }
  if (/^(Cannot display: file marked as a binary type|\(Binary files differ\))/.test(line))
    file.isBinary = true;
  if (/^--- .*\((nonexistent|rev 0)\)$/.test(line) && file.change === 'changed') file.change = 'added';
  if (/^\+\+\+ .*\(nonexistent\)$/.test(line)) file.change = 'deleted';
  return false;
}

const squeezed = (text: string) => text.replaceAll(/\s+/g, '');

/** The lines without changes of blanks alone: what stands for what it was is one line that stayed. */
export function withoutBlanks(lines: readonly DiffLine[]): DiffLine[] {
  const result: DiffLine[] = [];
  for (const { removed, added, same } of blocksOf(lines)) {
    if (same !== undefined) {
      result.push(same);
      continue;
    }
    const isBlankOnly =
      removed.length === added.length &&
      removed.every(({ text }, index) => squeezed(text) === squeezed(added[index]?.text ?? ''));
    if (isBlankOnly)
      result.push(
        ...added.map((line, index) => ({ ...line, kind: 'same' as const, before: removed[index]?.before })),
      );
    else result.push(...removed, ...added);
  }
  return result;
}

interface Block {
  readonly same?: DiffLine | undefined;
  readonly removed: readonly DiffLine[];
  readonly added: readonly DiffLine[];
}

/** What was removed and what came in its place, together. */
export function* blocksOf(lines: readonly DiffLine[]): Generator<Block> {
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined) return;
    if (line.kind === 'same') {
      yield { same: line, removed: [], added: [] };
      at++;
      continue;
    }
    const removed: DiffLine[] = [];
    const added: DiffLine[] = [];
    for (; lines[at]?.kind === 'removed'; at++) removed.push(lines[at] as DiffLine);
    for (; lines[at]?.kind === 'added'; at++) added.push(lines[at] as DiffLine);
    yield { removed, added };
  }
}
