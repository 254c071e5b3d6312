import { type ReactNode, useId, useRef, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { againAfter, wordsOfError } from '../store/index.ts';
import { Button, ErrorPlace, IconButton, Menu, MenuItem, Skeleton } from '../ui/index.ts';
import styles from './charts.module.css';
import { saveCsv, saveSvg } from './download.ts';
import type { ChartTable } from './series.ts';

interface ChartRegionProps {
  readonly name: string;
  /** What the drawing says, in words. */
  readonly summary?: string | undefined;
  readonly table: ChartTable | undefined;
  readonly error: Error | null;
  readonly askAgain: () => void;
  readonly tools?: ReactNode;
  readonly className?: string | undefined;
  /** Whether it can be saved as a picture. */
  readonly isDrawn?: boolean;
  readonly children: ReactNode;
}

/** A chart: its name, what it says in words, the drawing, and the same as a table or a file. */
export function ChartRegion({
  name,
  summary,
  table,
  error,
  askAgain,
  tools,
  className,
  isDrawn = true,
  children,
}: ChartRegionProps) {
  const { charts: words } = useMessages();
  const [isTable, setTable] = useState(false);
  const nameId = useId();
  const drawing = useRef<HTMLDivElement>(null);
  const save = (form: string) => {
    if (form === 'csv' && table !== undefined) saveCsv(name, table);
    const svg = drawing.current?.querySelector('svg');
    if (form === 'svg' && svg) saveSvg(name, svg);
  };
  return (
    <section aria-labelledby={nameId} className={`${styles['region'] ?? ''} ${className ?? ''}`}>
      <header className={styles['head']}>
        <h2 id={nameId}>{name}</h2>
        <span className={styles['tools']}>
          {tools}
          {table !== undefined && (
            <>
              <Button
                kind="quiet"
                size="small"
                icon={isTable ? 'chart-bar' : 'table'}
                onPress={() => setTable(!isTable)}
              >
                {isTable ? words.showAsChart : words.showAsTable}
              </Button>
              <Menu
                aria-label={words.download(name)}
                placement="bottom end"
                onAction={(key) => save(String(key))}
                trigger={<IconButton icon="download" label={words.download(name)} size="small" />}
              >
                {isDrawn && !isTable ? <MenuItem id="svg">{words.asSvg}</MenuItem> : null}
                <MenuItem id="csv">{words.asCsv}</MenuItem>
              </Menu>
            </>
          )}
        </span>
        {table !== undefined && summary !== undefined && summary !== '' && (
          <p className={styles['summary']}>{summary}</p>
        )}
      </header>
      {error !== null && table === undefined ? (
        <ErrorPlace words={wordsOfError(error)} onRetry={againAfter(error, askAgain)} />
      ) : table === undefined ? (
        <Skeleton lines={5} />
      ) : isTable ? (
        <TableOf name={name} table={table} />
      ) : (
        <div ref={drawing}>{children}</div>
      )}
    </section>
  );
}

function TableOf({ name, table: { head, rows } }: { readonly name: string; readonly table: ChartTable }) {
  const formats = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={styles['tableBox']} tabIndex={0} aria-label={name}>
      <table className={styles['table']}>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...numbers]) => (
            <tr key={first}>
              <th scope="row">{/^\d{4}-\d\d-\d\d$/.test(first) ? formats.day(first) : first}</th>
              {numbers.map((number, place) => (
                <td key={head[place + 1]}>{number === null ? '–' : formats.number(number, 2)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
