import { blocksOf, type DiffFile, type DiffLine, withoutBlanks } from '../kernel/unified-diff.ts';

/** One row of what is drawn: the head of a file, a line or two beside each other, what is left out, or words. */
export type DiffRow =
  | { readonly kind: 'head'; readonly file: number }
  | { readonly kind: 'gap'; readonly file: number; readonly count: number; readonly context: string }
  | { readonly kind: 'words'; readonly file: number; readonly words: 'binary' | 'empty' | 'folded' }
  | { readonly kind: 'property'; readonly file: number; readonly text: string }
  | {
      readonly kind: 'line';
      readonly file: number;
      readonly line: DiffLine;
      /** The line that stands for it on the other side. */
      readonly other?: DiffLine | undefined;
    }
  | {
      readonly kind: 'pair';
      readonly file: number;
      readonly left: DiffLine | undefined;
      readonly right: DiffLine | undefined;
    };

export const rowHeight = { head: 40, gap: 28, words: 32, property: 20, line: 20, pair: 20 } as const;

export interface RowWish {
  readonly isSideBySide: boolean;
  readonly hidesBlanks: boolean;
  isFolded(file: number): boolean;
}

function linesOfPart(file: number, lines: readonly DiffLine[], isSideBySide: boolean): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const { same, removed, added } of blocksOf(lines)) {
    if (same !== undefined) {
      rows.push(
        isSideBySide ? { kind: 'pair', file, left: same, right: same } : { kind: 'line', file, line: same },
      );
      continue;
    }
    if (isSideBySide) {
      const height = Math.max(removed.length, added.length);
      for (let index = 0; index < height; index++)
        rows.push({ kind: 'pair', file, left: removed[index], right: added[index] });
      continue;
    }
    for (const [index, line] of removed.entries())
      rows.push({ kind: 'line', file, line, other: added[index] });
    for (const [index, line] of added.entries())
      rows.push({ kind: 'line', file, line, other: removed[index] });
  }
  return rows;
}

/** All rows of differences, one after the other. */
export function rowsOf(
  files: readonly DiffFile[],
  { isSideBySide, hidesBlanks, isFolded }: RowWish,
): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const [file, { parts, isBinary, properties }] of files.entries()) {
    rows.push({ kind: 'head', file });
    if (isFolded(file)) {
      rows.push({ kind: 'words', file, words: 'folded' });
      continue;
    }
    if (isBinary) rows.push({ kind: 'words', file, words: 'binary' });
    let end = 1;
    for (const { after, before, context, lines } of parts) {
      const begin = after === 0 ? before : after;
      if (begin > end) rows.push({ kind: 'gap', file, count: begin - end, context });
      rows.push(...linesOfPart(file, hidesBlanks ? withoutBlanks(lines) : lines, isSideBySide));
      end = lines.findLast((line) => line.after !== undefined)?.after ?? begin;
      end += 1;
    }
    for (const text of properties) rows.push({ kind: 'property', file, text });
    if (parts.length === 0 && properties.length === 0 && !isBinary)
      rows.push({ kind: 'words', file, words: 'empty' });
  }
  return rows;
}
