import { diffLines, diffWordsWithSpace } from 'diff';
import { useMemo, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Unseen } from '../marks/marks.tsx';
import styles from './text-diff.module.css';

export type TextDiffProps = {
  name: string;
  before: string;
  after: string;
};

type Piece = { text: string; isChanged: boolean };
type Line = { kind: 'same' | 'added' | 'removed'; pieces: Piece[] };
type Fold = { kind: 'fold'; lines: Line[] };

const SIGNS = { same: '', added: '+', removed: '−' };
/** Unchanged lines that stay around a change. */
const AROUND = 2;

/** What changed in a text: lines with signs, and the words within them. */
export function TextDiff({ name, before, after }: TextDiffProps) {
  const { diff } = useMessages();
  const [isSideBySide, setSideBySide] = useState(false);
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  const added = lines.filter((line) => line.kind === 'added').length;
  const removed = lines.filter((line) => line.kind === 'removed').length;
  return (
    <figure className={styles['diff']} aria-label={name}>
      <figcaption className={styles['head']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['plus']} title={diff.added(added)}>
          +{added}
        </span>
        <span className={styles['minus']} title={diff.removed(removed)}>
          −{removed}
        </span>
        <button type="button" className={styles['sides']} onClick={() => setSideBySide(!isSideBySide)}>
          {isSideBySide ? diff.oneColumn : diff.sideBySide}
        </button>
      </figcaption>
      {added + removed === 0 && <p className={styles['fold']}>{diff.same}</p>}
      {isSideBySide ? <Sides lines={lines} /> : <OneColumn lines={lines} />}
    </figure>
  );
}

function OneColumn({ lines }: { lines: Line[] }) {
  return (
    <div className={styles['lines']}>
      {folded(lines).map((part, place) =>
        part.kind === 'fold' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <Folded key={place} lines={part.lines} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <DiffLine key={place} line={part} />
        ),
      )}
    </div>
  );
}

function Folded({ lines }: { lines: Line[] }) {
  const { diff } = useMessages();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <OneColumnWhole lines={lines} />;
  return (
    <button type="button" className={styles['fold']} onClick={() => setOpen(true)}>
      {diff.unchanged(lines.length)}
    </button>
  );
}

function OneColumnWhole({ lines }: { lines: Line[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
  return lines.map((line, place) => <DiffLine key={place} line={line} />);
}

function DiffLine({ line }: { line: Line | null }) {
  const { diff } = useMessages();
  if (line === null) return <div className={classes(styles['line'], styles['gap'])} />;
  const said = { same: '', added: diff.addedLine, removed: diff.removedLine }[line.kind];
  return (
    <div className={classes(styles['line'], styles[line.kind])}>
      <span className={styles['sign']} aria-hidden="true">
        {SIGNS[line.kind]}
      </span>
      {said !== '' && <Unseen>{said} </Unseen>}
      <span className={styles['text']}>
        {line.pieces.map((piece, place) =>
          piece.isChanged ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: words have no other name
            <mark key={place}>{piece.text}</mark>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: words have no other name
            <span key={place}>{piece.text}</span>
          ),
        )}
      </span>
    </div>
  );
}

function Sides({ lines }: { lines: Line[] }) {
  const { diff } = useMessages();
  const rows = sidesOf(lines);
  return (
    <div className={styles['both']}>
      <section aria-label={diff.before}>
        {rows.map(([left], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <DiffLine key={place} line={left} />
        ))}
      </section>
      <section aria-label={diff.after}>
        {rows.map(([, right], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <DiffLine key={place} line={right} />
        ))}
      </section>
    </div>
  );
}

/** Lines of both texts in order; a line that stands for another is compared with it word by word. */
export function diffOf(before: string, after: string): Line[] {
  const parts = diffLines(before, after, { timeout: 500 });
  // A text that is another one altogether is removed and added as a whole.
  if (parts === undefined) return [...plain(before, 'removed'), ...plain(after, 'added')];
  const lines: Line[] = [];
  for (let place = 0; place < parts.length; place++) {
    const part = parts[place];
    if (part === undefined) continue;
    const next = parts[place + 1];
    if (part.removed && next?.added) {
      lines.push(...changed(part.value, next.value));
      place++;
    } else {
      lines.push(...plain(part.value, part.added ? 'added' : part.removed ? 'removed' : 'same'));
    }
  }
  return lines;
}

function plain(text: string, kind: Line['kind']): Line[] {
  return linesOf(text).map((line) => ({ kind, pieces: [{ text: line, isChanged: false }] }));
}

function changed(before: string, after: string): Line[] {
  const was = linesOf(before);
  const is = linesOf(after);
  const removed: Line[] = [];
  const added: Line[] = [];
  for (let place = 0; place < Math.max(was.length, is.length); place++) {
    const [left, right] = [was[place], is[place]];
    if (left !== undefined && right !== undefined) {
      const words = diffWordsWithSpace(left, right, { timeout: 100 }) ?? [];
      const isAlike = words.some((word) => !word.added && !word.removed && word.value.trim() !== '');
      removed.push({ kind: 'removed', pieces: pieces(words, left, 'removed', isAlike) });
      added.push({ kind: 'added', pieces: pieces(words, right, 'added', isAlike) });
    } else if (left !== undefined) removed.push(...plain(left, 'removed'));
    else if (right !== undefined) added.push(...plain(right, 'added'));
  }
  return [...removed, ...added];
}

type Word = { value: string; added: boolean; removed: boolean };

function pieces(words: readonly Word[], whole: string, side: 'added' | 'removed', isAlike: boolean): Piece[] {
  if (!isAlike) return [{ text: whole, isChanged: false }];
  const other = side === 'added' ? 'removed' : 'added';
  return words.filter((word) => !word[other]).map((word) => ({ text: word.value, isChanged: word[side] }));
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function folded(lines: Line[]): (Line | Fold)[] {
  const parts: (Line | Fold)[] = [];
  let run: Line[] = [];
  const close = (isLast: boolean) => {
    const head = parts.length === 0 ? 0 : AROUND;
    const tail = isLast ? 0 : AROUND;
    if (run.length <= head + tail + 1) parts.push(...run);
    else {
      parts.push(...run.slice(0, head), { kind: 'fold', lines: run.slice(head, run.length - tail) });
      parts.push(...run.slice(run.length - tail));
    }
    run = [];
  };
  for (const line of lines) {
    if (line.kind === 'same') run.push(line);
    else {
      close(false);
      parts.push(line);
    }
  }
  close(true);
  return parts;
}

function sidesOf(lines: Line[]): [Line | null, Line | null][] {
  const rows: [Line | null, Line | null][] = [];
  let waiting: Line[] = [];
  const flush = () => {
    for (const line of waiting) rows.push([line, null]);
    waiting = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') waiting.push(line);
    else if (line.kind === 'added') rows.push([waiting.shift() ?? null, line]);
    else {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}
