import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useMessages } from '../messages/index.ts';
import { CodeText, classes, useHighlighted } from '../ui/index.ts';
import styles from './code.module.css';

export interface Chosen {
  readonly from: number;
  readonly to: number;
}

interface CodeViewProps {
  readonly name: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly language: string | undefined;
  readonly isWrapped?: boolean | undefined;
  readonly chosen: Chosen | undefined;
  onChoose(number: number, isExtended: boolean): void;
  /** What stands before a line: who wrote it. */
  before?(index: number): ReactNode;
  readonly lineHeight?: number | undefined;
}

/** How wide the longest line is, in characters; tabs count as eight. */
const widthOf = (lines: readonly string[]) =>
  lines.reduce((most, line) => Math.max(most, line.length + 7 * (line.split('\t').length - 1)), 0);

/** Lines of code, of which those are drawn that are seen. */
export function CodeView(props: CodeViewProps) {
  const { name, text, lines, language, isWrapped = false, chosen, onChoose, before, lineHeight = 20 } = props;
  const { svn } = useMessages();
  const scroller = useRef<HTMLElement>(null);
  const tokens = useHighlighted(text, language);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  });
  const first = chosen?.from;
  // Once for an address that names lines; later the reader scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened.
  useEffect(() => {
    if (first !== undefined && first <= lines.length)
      virtualizer.scrollToIndex(first - 1, { align: 'center' });
  }, []);
  const choose = (event: MouseEvent, number: number) => {
    event.preventDefault();
    onChoose(number, event.shiftKey);
  };
  return (
    <section ref={scroller} className={styles['scroller']} aria-label={svn.contentsOf(name)}>
      <div
        className={styles['lines']}
        style={{
          height: virtualizer.getTotalSize(),
          minWidth: isWrapped ? undefined : `calc(${widthOf(lines)}ch + 80px)`,
        }}
        data-highlighted={tokens === undefined ? undefined : ''}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const number = index + 1;
          const isChosen = chosen !== undefined && number >= chosen.from && number <= chosen.to;
          return (
            <div
              key={index}
              ref={isWrapped ? virtualizer.measureElement : undefined}
              data-index={index}
              className={classes(
                styles['line'],
                isWrapped && styles['wrapped'],
                isChosen && styles['chosen'],
              )}
              style={{ transform: `translateY(${start}px)`, minHeight: lineHeight }}
            >
              {before?.(index)}
              <a
                href={`#L${number}`}
                className={styles['lineNumber']}
                aria-label={svn.line(number)}
                aria-current={isChosen ? 'location' : undefined}
                onClick={(event) => choose(event, number)}
              >
                {number}
              </a>
              <code className={styles['code']}>
                <CodeText text={lines[index] ?? ''} tokens={tokens?.[index]} />
              </code>
            </div>
          );
        })}
      </div>
    </section>
  );
}
