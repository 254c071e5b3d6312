import { useVirtualizer } from '@tanstack/react-virtual';
import { diffWordsWithSpace } from 'diff';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import type { DiffFile, DiffLine } from '../kernel/unified-diff.ts';
import { useMessages } from '../messages/index.ts';
import {
  Checkbox,
  CodeText,
  classes,
  Icon,
  IconButton,
  languageOfFile,
  Segmented,
  type TokenLine,
  Unseen,
  useHighlighted,
} from '../ui/index.ts';
import styles from './diff.module.css';
import { type DiffRow, rowHeight, rowsOf } from './diff-rows.ts';

/** Beyond these, files are folded until somebody opens them. */
const mostLines = 400;
const mostOpen = 30;
/** Lines of a file that get their colours. */
const mostColoured = 3000;

const isFoldedFirst = ({ added, removed }: DiffFile, index: number) =>
  index >= mostOpen || added + removed > mostLines;

const useIsWide = (): boolean => {
  const [isWide, setWide] = useState(() => window.matchMedia('(width >= 1000px)').matches);
  useEffect(() => {
    const query = window.matchMedia('(width >= 1000px)');
    const look = () => setWide(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isWide;
};

/** Lines that are too long to be compared word by word. */
const longestCompared = 2000;

/** A line with the words marked that its other side does not have. */
function Changed({ line, other }: { readonly line: DiffLine; readonly other: DiffLine }) {
  const [before, after] = line.kind === 'removed' ? [line.text, other.text] : [other.text, line.text];
  const pieces = diffWordsWithSpace(before, after).filter(({ added, removed }) =>
    line.kind === 'removed' ? !added : !removed,
  );
  const isOther = pieces.every(({ added, removed, value }) => added || removed || value.trim() === '');
  if (isOther) return line.text;
  let at = 0;
  return pieces.map(({ added, removed, value }) => {
    const key = at;
    at += value.length;
    return added || removed ? <mark key={key}>{value}</mark> : <span key={key}>{value}</span>;
  });
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

const Code = memo(function Code({
  line,
  other,
  tokens,
}: {
  readonly line: DiffLine;
  readonly other?: DiffLine | undefined;
  readonly tokens?: TokenLine | undefined;
}) {
  const { diff } = useMessages();
  const said = { same: '', added: diff.addedLine, removed: diff.removedLine }[line.kind];
  const isCompared =
    other !== undefined &&
    line.kind !== 'same' &&
    line.text.length < longestCompared &&
    other.text.length < longestCompared;
  return (
    <>
      <span className={styles['sign']} aria-hidden="true">
        {signs[line.kind]}
      </span>
      {said !== '' && <Unseen>{said} </Unseen>}
      <code className={styles['code']}>
        {isCompared ? <Changed line={line} other={other} /> : <CodeText text={line.text} tokens={tokens} />}
      </code>
    </>
  );
});

function Numbers({ line }: { readonly line: DiffLine }) {
  return (
    <>
      <span className={styles['number']}>{line.before}</span>
      <span className={styles['number']}>{line.after}</span>
    </>
  );
}

/** Both sides of a file as texts, and the colours of their lines. */
function useColours(file: DiffFile | undefined) {
  const sides = useMemo(() => {
    if (file === undefined || file.added + file.removed > mostColoured) return undefined;
    const lines = file.parts.flatMap((part) => part.lines);
    return {
      before: lines.filter(({ before }) => before !== undefined),
      after: lines.filter(({ after }) => after !== undefined),
    };
  }, [file]);
  const language = file === undefined ? undefined : languageOfFile(file.path);
  const before = useHighlighted(sides?.before.map(({ text }) => text).join('\n'), language);
  const after = useHighlighted(sides?.after.map(({ text }) => text).join('\n'), language);
  return useMemo(() => {
    const colours = new Map<DiffLine, TokenLine>();
    for (const [index, line] of (sides?.before ?? []).entries()) {
      const tokens = before?.[index];
      if (tokens !== undefined) colours.set(line, tokens);
    }
    for (const [index, line] of (sides?.after ?? []).entries()) {
      const tokens = after?.[index];
      if (tokens !== undefined) colours.set(line, tokens);
    }
    return colours;
  }, [sides, before, after]);
}

export interface FileWay {
  readonly name: string;
  readonly to: string;
}

interface HeadProps {
  readonly file: DiffFile;
  readonly isFolded: boolean;
  readonly ways: readonly FileWay[];
  toggle(): void;
}

function Head({ file, isFolded, ways, toggle }: HeadProps) {
  const { svn, diff } = useMessages();
  const at = file.path.lastIndexOf('/') + 1;
  return (
    <div className={styles['head']}>
      <IconButton
        icon={isFolded ? 'chevron-right' : 'chevron-down'}
        size="small"
        label={isFolded ? svn.unfold(file.path) : svn.fold(file.path)}
        aria-expanded={!isFolded}
        onPress={toggle}
      />
      <h2 className={styles['path']} title={file.path}>
        <span className={styles['folder']}>{file.path.slice(0, at)}</span>
        <strong>{file.path.slice(at)}</strong>
      </h2>
      <span className={styles['plus']} title={diff.added(file.added)}>
        +{file.added}
      </span>
      <span className={styles['minus']} title={diff.removed(file.removed)}>
        −{file.removed}
      </span>
      {file.change !== 'changed' && <span className={styles['change']}>{svn.changes[file.change]}</span>}
      <span className={styles['grow']} />
      {ways.map(({ name, to }) => (
        <Link key={name} href={to} className={styles['way'] ?? ''} aria-label={`${name}: ${file.path}`}>
          {name}
        </Link>
      ))}
    </div>
  );
}

function Row({
  row,
  colours,
}: {
  readonly row: DiffRow;
  readonly colours: ReadonlyMap<DiffLine, TokenLine>;
}) {
  const { svn } = useMessages();
  switch (row.kind) {
    case 'gap':
      return (
        <div className={styles['gap']}>
          <Icon name="selector" size={14} />
          {svn.linesLeftOut(row.count)} <code>{row.context}</code>
        </div>
      );
    case 'words':
      return <div className={styles['words']}>{svn.diffWords[row.words]}</div>;
    case 'property':
      return (
        <div className={styles['line']}>
          <code className={styles['property']}>{row.text}</code>
        </div>
      );
    case 'line':
      return (
        <div className={classes(styles['line'], styles[row.line.kind])}>
          <Numbers line={row.line} />
          <Code line={row.line} other={row.other} tokens={colours.get(row.line)} />
        </div>
      );
    case 'pair':
      return (
        <div className={styles['pair']}>
          <div
            className={classes(
              styles['side'],
              row.left === undefined ? styles['nothing'] : styles[row.left.kind],
            )}
          >
            <span className={styles['number']}>{row.left?.before}</span>
            {row.left !== undefined && (
              <Code line={row.left} other={row.right} tokens={colours.get(row.left)} />
            )}
          </div>
          <div
            className={classes(
              styles['side'],
              row.right === undefined ? styles['nothing'] : styles[row.right.kind],
            )}
          >
            <span className={styles['number']}>{row.right?.after}</span>
            {row.right !== undefined && (
              <Code line={row.right} other={row.left} tokens={colours.get(row.right)} />
            )}
          </div>
        </div>
      );
    case 'head':
      return null;
  }
}

/** Rows of one file ask for their colours when they are seen. */
const ColouredRow = memo(function ColouredRow({
  row,
  colours,
}: {
  readonly row: DiffRow;
  readonly colours: ReadonlyMap<DiffLine, TokenLine>;
}) {
  return <Row row={row} colours={colours} />;
});

/** Colours of the files that are seen; each has its own asker, since how many there are changes. */
function Colourer({
  file,
  index,
  onColours,
}: {
  readonly file: DiffFile;
  readonly index: number;
  onColours(index: number, colours: ReadonlyMap<DiffLine, TokenLine>): void;
}) {
  const colours = useColours(file);
  useEffect(() => {
    if (colours.size > 0) onColours(index, colours);
  }, [colours, index, onColours]);
  return null;
}

const none: ReadonlyMap<DiffLine, TokenLine> = new Map();

export interface DiffViewProps {
  readonly name: string;
  readonly files: readonly DiffFile[];
  readonly isSideBySide: boolean;
  readonly hidesBlanks: boolean;
  /** The file to scroll to, and how often it was asked for. */
  readonly target?: { readonly file: number; readonly asked: number } | undefined;
  ways(file: DiffFile): readonly FileWay[];
}

/** Differences of files, of which those rows are drawn that are seen. */
export function DiffView({ name, files, isSideBySide, hidesBlanks, target, ways }: DiffViewProps) {
  const scroller = useRef<HTMLElement>(null);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const [colours, setColours] = useState<ReadonlyMap<number, ReadonlyMap<DiffLine, TokenLine>>>(new Map());
  const keepColours = useRef((index: number, found: ReadonlyMap<DiffLine, TokenLine>) =>
    setColours((known) => new Map(known).set(index, found)),
  );
  const rows = useMemo(() => {
    const isFolded = (index: number) => {
      const file = files[index];
      return file !== undefined && isFoldedFirst(file, index) !== toggled.has(index);
    };
    return rowsOf(files, { isSideBySide, hidesBlanks, isFolded });
  }, [files, isSideBySide, hidesBlanks, toggled]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight[rows[index]?.kind ?? 'line'],
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes belong to the rows that there are.
  useEffect(() => virtualizer.measure(), [rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when somebody asks for a file.
  useEffect(() => {
    const at = rows.findIndex(({ kind, file }) => kind === 'head' && file === target?.file);
    if (target !== undefined && at !== -1) virtualizer.scrollToIndex(at, { align: 'start' });
  }, [target]);
  const toggle = (index: number) => {
    const next = new Set(toggled);
    if (!next.delete(index)) next.add(index);
    setToggled(next);
  };
  const items = virtualizer.getVirtualItems();
  const top = rows[items.find(({ end }) => end > (virtualizer.scrollOffset ?? 0))?.index ?? 0]?.file ?? 0;
  const isStuck = (virtualizer.scrollOffset ?? 0) > 0;
  const seen = [...new Set(items.map(({ index }) => rows[index]?.file ?? 0))];
  const headOf = (index: number) => {
    const file = files[index];
    if (file === undefined) return null;
    const isFolded = isFoldedFirst(file, index) !== toggled.has(index);
    return <Head file={file} isFolded={isFolded} ways={ways(file)} toggle={() => toggle(index)} />;
  };
  const widest = useMemo(
    () => files.reduce((most, { parts }) => Math.max(most, widthOfParts(parts)), 0),
    [files],
  );
  return (
    <section ref={scroller} className={styles['scroller']} aria-label={name}>
      {isStuck && <div className={styles['stuck']}>{headOf(top)}</div>}
      <div
        className={styles['rows']}
        style={{
          height: virtualizer.getTotalSize(),
          minWidth: isSideBySide ? undefined : `calc(${widest}ch + 130px)`,
        }}
      >
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={index}
                className={styles['row']}
                style={{ transform: `translateY(${start}px)`, height: rowHeight[row.kind] }}
              >
                {row.kind === 'head' ? (
                  !(isStuck && row.file === top) && headOf(row.file)
                ) : (
                  <ColouredRow row={row} colours={colours.get(row.file) ?? none} />
                )}
              </div>
            )
          );
        })}
      </div>
      {seen.map((index) => {
        const file = files[index];
        return file && <Colourer key={index} file={file} index={index} onColours={keepColours.current} />;
      })}
    </section>
  );
}

const widthOfParts = (parts: DiffFile['parts']) =>
  parts.reduce(
    (most, { lines }) => lines.reduce((wide, { text }) => Math.max(wide, Math.min(text.length, 1000)), most),
    0,
  );

/** How differences are shown, and what they come to. */
export function useDiffLook() {
  const [isSideBySide, setSideBySide] = useState(false);
  const [hidesBlanks, setHidesBlanks] = useState(false);
  const isWide = useIsWide();
  const { svn, diff } = useMessages();
  const controls = (
    <>
      <Checkbox isSelected={hidesBlanks} onChange={setHidesBlanks}>
        {svn.hideBlanks}
      </Checkbox>
      {isWide && (
        <Segmented
          label={svn.look}
          options={[
            { id: 'one', name: diff.oneColumn },
            { id: 'two', name: diff.sideBySide },
          ]}
          value={isSideBySide ? 'two' : 'one'}
          onChange={(id) => setSideBySide(id === 'two')}
        />
      )}
    </>
  );
  return { isSideBySide: isSideBySide && isWide, hidesBlanks, controls };
}

export function Sums({ files }: { readonly files: readonly DiffFile[] }) {
  const { svn } = useMessages();
  const sum = (of: (file: DiffFile) => number) => files.reduce((all, file) => all + of(file), 0);
  return (
    <span className={styles['sums']}>
      <span>{svn.fileCount(files.length)}</span>
      <span className={styles['plus']}>+{sum(({ added }) => added)}</span>
      <span className={styles['minus']}>−{sum(({ removed }) => removed)}</span>
    </span>
  );
}
