import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isRightAligned, isTextColumn } from '../fields/index.ts';
import type { BuiltOrder } from '../kernel/built-query.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { followList } from '../shell/index.ts';
import { type List, useList } from '../store/index.ts';
import { AskingLine, Button, classes, Icon, Popover, Skeleton, TrackerMark } from '../ui/index.ts';
import { idOfRow, type QueryColumn, type QueryRow, type QuerySource, useLinked } from './calls.ts';
import { ContentCell } from './cells.tsx';
import styles from './queries.module.css';

export interface ResultTableProps {
  readonly source: QuerySource;
  readonly label: string;
  /** What columns are called, where that is more than their short names. */
  labelOf(name: string): string;
  /** The id of the artifact in the side panel. */
  readonly opened?: number | undefined;
  /** Shows an artifact; without it links lead to its page. */
  readonly onOpen?: ((id: number, place: number) => void) | undefined;
  readonly order?: BuiltOrder | undefined;
  readonly onSort?: ((name: string) => void) | undefined;
  readonly acts?: RefObject<TableActs | null> | undefined;
}

export interface TableActs {
  /** Opens the artifact at a place. */
  openAt(place: number): void;
  /** Goes on by some rows and gives them the focus. */
  step(by: number): void;
  openCurrent(): void;
}

type Rows = List<QueryRow, readonly QueryColumn[]>;

/** Below this width of its place a table becomes cards. */
const narrowest = 560;
const cardHeight = 78;
const comfortable = 40;

function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (place.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return width;
}

/** The style sheet says how high a row is in each density. */
const rowHeight = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || comfortable;

const widths: Readonly<Record<string, string>> = {
  pretty_title: 'minmax(280px, 3fr)',
  text: 'minmax(200px, 2fr)',
  numeric: '92px',
  date: '124px',
  user: '160px',
  list_user: '160px',
  list_static: '148px',
  list_user_group: '160px',
  project: '160px',
  tracker: '132px',
  link_type: '140px',
  unknown: '120px',
};

const leastWidths: Readonly<Record<string, number>> = { pretty_title: 280, text: 200 };
const leastWidth = (type: string) => leastWidths[type] ?? (Number.parseInt(widths[type] ?? '', 10) || 140);

/** Of the id, and of the links at the end. */
const [idWidth, linksWidth] = [76, 92];

function gridStyle(columns: readonly QueryColumn[]): CSSProperties {
  const style: CSSProperties & Record<'--columns' | '--width', string> = {
    '--columns': `${idWidth}px ${columns.map(({ type }) => widths[type] ?? '140px').join(' ')} ${linksWidth}px`,
    '--width': `${idWidth + linksWidth + columns.reduce((sum, { type }) => sum + leastWidth(type), 0)}px`,
  };
  return style;
}

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/** What a query found, in as many rows as there are, of which those that are seen are there. */
export function ResultTable(props: ResultTableProps) {
  const { source, label, labelOf, opened, onOpen, order, onSort, acts } = props;
  const { queries } = useMessages();
  const place = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const isNarrow = width > 0 && width < narrowest;
  const [seen, setSeen] = useState({ from: 0, to: source.pageSize });
  const list = useList(source, seen);
  const size = list.size ?? 0;
  const height = rowHeight();
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: size,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? cardHeight : height),
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights that were measured are of the other form.
  useLayoutEffect(() => virtual.measure(), [isNarrow, height]);
  const shown = virtual.getVirtualItems();
  const [from, to] = [shown[0]?.index ?? 0, (shown.at(-1)?.index ?? source.pageSize - 1) + 1];
  useEffect(() => setSeen({ from, to }), [from, to]);
  useEffect(() => {
    const uriAt = (index: number) => {
      const row = list.itemAt(index);
      return row === undefined ? undefined : `artifacts/${idOfRow(row)}`;
    };
    if (size > 0) followList({ size, from: from - source.pageSize, to: to + source.pageSize, uriAt });
  }, [list, size, from, to, source.pageSize]);
  const columns = (list.more ?? []).filter(({ type }) => type !== 'artifact');
  const spotted = useSpot({ list, size, columns: columns.length, virtual, scroller });
  const { spot, go } = spotted;
  const openAt = (index: number) => {
    const row = list.itemAt(index);
    if (row !== undefined) onOpen?.(idOfRow(row), index);
  };
  useImperativeHandle(acts, () => ({
    openAt: (index) => {
      go(index, 0);
      openAt(index);
    },
    step: (by) => go(spotted.wasSet ? spot.row + by : 0, spot.cell),
    openCurrent: () => openAt(spot.row),
  }));
  const follow = (event: MouseEvent, id: number, index: number) => {
    if (onOpen === undefined || !isPlain(event)) return;
    event.preventDefault();
    onOpen(id, index);
  };
  const row = (index: number) => ({ index, row: list.itemAt(index), columns, labelOf, follow });
  return (
    <div ref={place} className={styles['table']}>
      <AskingLine isAsking={list.isAsking && list.size !== undefined} />
      {isNarrow ? (
        <div ref={scroller} className={styles['scroller']}>
          <ul className={styles['rows']} style={{ height: virtual.getTotalSize() }} aria-label={label}>
            {shown.map(({ index, start }) => (
              <li
                key={index}
                ref={virtual.measureElement}
                data-index={index}
                className={styles['slot']}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={size}
                aria-posinset={index + 1}
              >
                <Card {...row(index)} />
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <div
          ref={scroller}
          role="grid"
          tabIndex={-1}
          aria-label={label}
          aria-rowcount={size + 1}
          aria-colcount={columns.length + 2}
          className={styles['scroller']}
          style={gridStyle(columns)}
          onKeyDown={(event) => spotted.press(event, openAt)}
          onFocus={spotted.noteFocus}
        >
          <div role="rowgroup" className={styles['head']}>
            <div role="row" aria-rowindex={1} className={styles['row']}>
              <span role="columnheader" className={styles['cell']}>
                {queries.id}
              </span>
              {columns.map((column) => (
                <Heading
                  key={column.name}
                  column={column}
                  name={labelOf(column.name)}
                  order={order?.name === column.name ? order : undefined}
                  onSort={onSort}
                />
              ))}
              <span role="columnheader" className={styles['cell']}>
                {queries.links}
              </span>
            </div>
          </div>
          <div role="rowgroup" className={styles['rows']} style={{ height: virtual.getTotalSize() }}>
            {shown.map(({ index, start, size: high }) => (
              <div
                key={index}
                role="presentation"
                className={styles['slot']}
                style={{ height: high, transform: `translateY(${start}px)` }}
              >
                <Row
                  {...row(index)}
                  isOpened={opened !== undefined && opened === rowId(list, index)}
                  cell={spot.row === index ? spot.cell : undefined}
                />
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

const rowId = (list: Rows, index: number) => {
  const row = list.itemAt(index);
  return row === undefined ? undefined : idOfRow(row);
};

/** The cell that keys act on. */
function useSpot({
  size,
  columns,
  virtual,
  scroller,
}: {
  readonly list: Rows;
  readonly size: number;
  readonly columns: number;
  readonly virtual: { scrollToIndex(index: number): void };
  readonly scroller: RefObject<HTMLDivElement | null>;
}) {
  const [spot, setSpot] = useState({ row: 0, cell: 0 });
  const [wasSet, setWasSet] = useState(false);
  const wanted = useRef<{ readonly row: number; readonly cell: number }>(undefined);
  useEffect(() => {
    const { row, cell } = wanted.current ?? {};
    const found = scroller.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-cell="${cell}"]`);
    if (wanted.current === undefined || found === null || found === undefined) return;
    wanted.current = undefined;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  const go = (row: number, cell: number) => {
    const next = {
      row: Math.max(0, Math.min(size - 1, row)),
      cell: Math.max(0, Math.min(columns + 1, cell)),
    };
    setSpot(next);
    setWasSet(true);
    wanted.current = next;
    virtual.scrollToIndex(next.row);
  };
  const press = (event: KeyboardEvent, openAt: (row: number) => void) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(spot.row + 1, spot.cell),
      ArrowUp: () => go(spot.row - 1, spot.cell),
      ArrowLeft: () => go(spot.row, spot.cell - 1),
      ArrowRight: () => go(spot.row, spot.cell + 1),
      Home: () => go(event.ctrlKey ? 0 : spot.row, 0),
      End: () => go(event.ctrlKey ? size - 1 : spot.row, columns + 1),
      PageDown: () => go(spot.row + 10, spot.cell),
      PageUp: () => go(spot.row - 10, spot.cell),
      Enter: () => openAt(spot.row),
    };
    const isOfCell = event.target instanceof HTMLElement && event.target.dataset['cell'] !== undefined;
    const move = moves[event.key];
    if (!isOfCell || move === undefined || event.altKey || event.metaKey || event.shiftKey) return;
    // A link or a button in the cell does what Enter does there.
    if (event.key === 'Enter' && (spot.cell === 0 || spot.cell === columns + 1)) return;
    event.preventDefault();
    move();
  };
  const noteFocus = ({ target }: FocusEvent) => {
    const found = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-cell]') : null;
    if (found === null) return;
    const next = { row: Number(found.dataset['row']), cell: Number(found.dataset['cell']) };
    setWasSet(true);
    if (next.row !== spot.row || next.cell !== spot.cell) setSpot(next);
  };
  return { spot, wasSet, go, press, noteFocus };
}

function Heading({
  column,
  name,
  order,
  onSort,
}: {
  readonly column: QueryColumn;
  readonly name: string;
  readonly order: BuiltOrder | undefined;
  readonly onSort: ((name: string) => void) | undefined;
}) {
  const isRight = isRightAligned(column.type);
  const sorted = order === undefined ? 'none' : order.isDescending ? 'descending' : 'ascending';
  const maySort = onSort !== undefined && !unsorted.includes(column.type);
  return (
    <span
      role="columnheader"
      aria-sort={sorted}
      className={classes(styles['cell'], isRight && styles['right'])}
      title={column.name}
    >
      {maySort ? (
        <button type="button" className={styles['sort']} onClick={() => onSort(column.name)}>
          <span className={styles['words']}>{name}</span>
          {order !== undefined && <Icon name={order.isDescending ? 'arrow-down' : 'arrow-up'} size={14} />}
        </button>
      ) : (
        <span className={styles['words']}>{name}</span>
      )}
    </span>
  );
}

/** Columns that no query can be sorted by. */
const unsorted = ['project', 'tracker', 'pretty_title', 'link_type', 'unknown'];

interface RowProps {
  readonly index: number;
  readonly row: QueryRow | undefined;
  readonly columns: readonly QueryColumn[];
  labelOf(name: string): string;
  follow(event: MouseEvent, id: number, index: number): void;
}

function Row({
  index,
  row,
  columns,
  follow,
  isOpened,
  cell,
}: RowProps & { readonly isOpened: boolean; readonly cell: number | undefined }) {
  const { ui } = useMessages();
  if (row === undefined)
    return (
      <div role="row" aria-rowindex={index + 2} className={styles['row']}>
        <span role="gridcell" className={styles['cell']} aria-label={ui.loading}>
          <span className={styles['bar']} />
        </span>
      </div>
    );
  const id = idOfRow(row);
  const spot = (place: number) => ({
    'data-row': index,
    'data-cell': place,
    tabIndex: cell === place || (cell === undefined && index === 0 && place === 0) ? 0 : -1,
  });
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpened}
      className={classes(
        styles['row'],
        isOpened && styles['opened'],
        cell !== undefined && styles['current'],
      )}
    >
      <span role="gridcell" className={styles['cell']}>
        <a
          href={`/artifacts/${id}`}
          className={styles['id']}
          onClick={(event) => follow(event, id, index)}
          {...spot(0)}
        >
          #{id}
        </a>
      </span>
      {columns.map((column, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the grid does the same
        <span
          key={column.name}
          role="gridcell"
          className={classes(styles['cell'], isRightAligned(column.type) && styles['right'])}
          onClick={(event) => follow(event, id, index)}
          {...spot(place + 1)}
        >
          <ContentCell column={column} cell={row[column.name]} />
        </span>
      ))}
      <span role="gridcell" className={styles['cell']}>
        <Links row={row} spot={spot(columns.length + 1)} />
      </span>
    </div>
  );
}

const countIn = (row: QueryRow, name: string) => Number(row['@artifact']?.[name] ?? 0);

function Links({
  row,
  spot,
}: {
  readonly row: QueryRow;
  readonly spot: { readonly 'data-row': number; readonly 'data-cell': number; readonly tabIndex: number };
}) {
  const { queries } = useMessages();
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [to, from] = [countIn(row, 'number_of_forward_link'), countIn(row, 'number_of_reverse_link')];
  const id = idOfRow(row);
  if (to + from === 0)
    return (
      <span className={styles['none']} {...spot}>
        0
      </span>
    );
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['links']}
        aria-label={queries.linksOf(id, to, from)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        {...spot}
      >
        <Icon name="link" size={14} />
        {formats.number(to + from)}
      </button>
      <Popover label={queries.linksOf(id, to, from)} isOpen={isOpen} onOpenChange={setOpen} anchor={button}>
        <Linked id={id} />
      </Popover>
    </>
  );
}

function Linked({ id }: { readonly id: number }) {
  const { queries, ui } = useMessages();
  const { data, error, refetch } = useLinked(id, true);
  if (error !== null) return <Button onPress={() => void refetch()}>{ui.tryAgain}</Button>;
  if (data === undefined) return <Skeleton lines={3} className={styles['linked'] ?? ''} />;
  if (data.length === 0) return <p className={styles['linked']}>{queries.noneSeen}</p>;
  return (
    <ul className={styles['linked']}>
      {data.map((one) => (
        <li key={one.id}>
          <a href={`/artifacts/${one.id}`}>
            <TrackerMark colour={one.color} />
            <span className={styles['reference']}>{one.xref}</span>
            <span className={styles['words']}>{one.title}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A row where there is no room for columns. */
function Card({ index, row, columns, labelOf, follow }: RowProps) {
  const { ui } = useMessages();
  if (row === undefined)
    return (
      <div className={styles['card']} role="status" aria-label={ui.loading}>
        <span className={styles['bar']} />
      </div>
    );
  const id = idOfRow(row);
  const title =
    columns.find(({ type }) => type === 'pretty_title') ?? columns.find(({ type }) => isTextColumn(type));
  const facts = columns.filter((column) => column !== title);
  return (
    <div className={styles['card']}>
      <a
        href={`/artifacts/${id}`}
        className={styles['cardTitle']}
        onClick={(event) => follow(event, id, index)}
      >
        {title?.type !== 'pretty_title' && <span className={styles['reference']}>#{id}</span>}
        {title !== undefined && <ContentCell column={title} cell={row[title.name]} />}
      </a>
      {facts.length > 0 && (
        <dl className={styles['facts']}>
          {facts.map((column) => (
            <div key={column.name}>
              <dt>{labelOf(column.name)}</dt>
              <dd>
                <ContentCell column={column} cell={row[column.name]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
