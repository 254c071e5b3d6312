import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { openCreation, useCommands } from '../shell/index.ts';
import { againAfter, usePendingChanges, wordsOfError } from '../store/index.ts';
import type { ViewProps } from '../tracker/index.ts';
import {
  Button,
  classes,
  coloured,
  EmptyPlace,
  ErrorPlace,
  Icon,
  LinkButton,
  Segmented,
  Skeleton,
  StatusRing,
  Unseen,
} from '../ui/index.ts';
import { useDayActs } from './acts.ts';
import { columnsFor, mostItems, useDated, useRenewal, useUndated } from './calls.ts';
import { type Day, dateNumber, dayIn, isWeekend, monthAfter, monthOf, textOf, weekOf } from './days.ts';
import { type Dragged, placeOf, useDayDrag } from './drag.ts';
import { type Item, itemOf, moveItem } from './items.ts';
import { brokenOrders, dependenciesOf, type Group, groupsOf, progressOf } from './plan.ts';
import styles from './timeline.module.css';
import { frameOf } from './timing.ts';
import { Tray } from './tray.tsx';

const zooms = ['week', 'month', 'quarter', 'year'] as const;
type Zoom = (typeof zooms)[number];
/** Pixels of a day. */
const dayWidth: Readonly<Record<Zoom, number>> = { week: 44, month: 20, quarter: 7, year: 2 };
const rowHeight = 32;
/** All that ever was and will be, as far as a search is asked. */
const firstDay = dayIn('1990-01-01') ?? 0;
const lastDay = dayIn('2090-12-31') ?? 0;
/** Years around today that are drawn; what lies beyond is cut. */
const drawnDays = 3 * 366;

type Line =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'item'; readonly item: Item };

/** What a search finds, as bars along the days. */
export function TimelineView(props: ViewProps) {
  const { tracker } = props;
  const { timeline: words } = useMessages();
  if (frameOf(tracker) === undefined)
    return (
      <div className={styles['place']}>
        <EmptyPlace
          icon="timeline"
          name={words.noFrame}
          actions={
            tracker.is_administrator === true && (
              <LinkButton href={`/trackers/${tracker.id}/admin/semantics`}>{words.setUp}</LinkButton>
            )
          }
        >
          {tracker.is_administrator === true ? words.noFrameAdministrator : words.noFrameOthers}
        </EmptyPlace>
      </div>
    );
  return <Framed {...props} />;
}

function useItems({ tracker, search, settings, onFound }: ViewProps, today: Day) {
  const timing = useMemo(() => frameOf(tracker), [tracker]);
  const colourBy = typeof settings['color_by'] === 'string' ? settings['color_by'] : undefined;
  const columns = useMemo(
    () => (timing === undefined ? [] : columnsFor(timing, [colourBy, '@progress', '@parent', '@links'])),
    [timing, colourBy],
  );
  const dated = useDated(tracker, search, timing, { first: firstDay, last: lastDay, columns });
  const undated = useUndated(tracker, search, timing, columns);
  const waiting = usePendingChanges();
  const { size } = dated.data ?? {};
  useEffect(() => onFound({ size, error: dated.error }), [onFound, size, dated.error]);
  const items = useMemo(() => {
    if (timing === undefined) return [];
    const context = { tracker, timing, colourBy, today, waiting };
    const rows = [...(dated.data?.rows ?? []), ...(undated.data?.rows ?? [])];
    return rows.flatMap((row) => itemOf(row, context) ?? []);
  }, [dated.data, undated.data, tracker, timing, colourBy, today, waiting]);
  return { timing, dated, undated, items };
}

function Framed(props: ViewProps) {
  const { tracker, settings, onSettings, tools, onOpen, opened } = props;
  const { timeline: words } = useMessages();
  const formats = useFormats();
  const today = dayIn(deviceMoment(Date.now())) ?? 0;
  const { timing, dated, undated, items } = useItems(props, today);
  const zoom = zooms.find((one) => one === settings['zoom']) ?? 'month';
  const width = dayWidth[zoom];
  const showsLinks = settings['shows_links'] !== false;
  const [said, say] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  useRenewal(tracker);
  const { drop, press, told } = useDayActs(timing, say, onOpen);
  const { dragged, begin, wasDragged } = useDayDrag((from, to) => Math.round((to.x - from.x) / width), drop);
  const groups = useMemo(() => groupsOf(items, settings['group_by']), [items, settings]);
  const lines = useMemo(
    () =>
      groups.flatMap((group): Line[] => [
        ...(groups.length === 1 && group.key === '' ? [] : [{ kind: 'group', group } as const]),
        ...(folded.has(group.key) ? [] : group.items.map((item) => ({ kind: 'item', item }) as const)),
      ]),
    [groups, folded],
  );
  const { first, last } = useSpan(items, today);
  const box = useRef<HTMLDivElement>(null);
  const goTo = (day: Day) => {
    const seen = box.current;
    if (seen !== null)
      seen.scrollLeft = Math.max(0, (day - first) * width - (seen.clientWidth - treeWidth(seen)) / 3);
  };
  const isThere = dated.data !== undefined && items.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where one comes to it anew
  useLayoutEffect(() => goTo(today), [isThere, zoom]);
  useCommands([
    { id: 'timeline.today', name: words.today, keys: 't', icon: 'calendar', run: () => goTo(today) },
  ]);
  const broken = useMemo(() => brokenOrders(items), [items]);
  if (timing === undefined) return null;
  const rows = (undated.data?.rows ?? []).filter((row) => !items.some((item) => item.row.uri === row.uri));
  return (
    <div className={styles['page']}>
      {tools !== null &&
        createPortal(
          <>
            {broken.length > 0 && (
              <button
                type="button"
                className={styles['broken']}
                onClick={() => {
                  const [one] = broken;
                  if (one !== undefined) goTo(one.follower.start);
                }}
              >
                <Icon name="alert-triangle" size={14} /> {words.broken(broken.length)}
              </button>
            )}
            <Button
              kind="quiet"
              size="small"
              aria-pressed={showsLinks}
              onPress={() => onSettings({ shows_links: !showsLinks })}
            >
              {words.links}
            </Button>
            <Segmented
              label={words.zoom}
              options={zooms.map((id) => ({ id, name: words.zooms[id] }))}
              value={zoom}
              onChange={(id) => onSettings({ zoom: id })}
            />
            <Button size="small" onPress={() => goTo(today)}>
              {words.today}
            </Button>
          </>,
          tools,
        )}
      <Unseen>
        <span role="status">{said}</span>
      </Unseen>
      {dated.error !== null && dated.data === undefined ? (
        <div className={styles['place']}>
          <ErrorPlace
            words={wordsOfError(dated.error)}
            onRetry={againAfter(dated.error, () => void dated.refetch())}
          />
        </div>
      ) : dated.data === undefined ? (
        <div className={styles['place']}>
          <Skeleton lines={8} />
        </div>
      ) : items.length === 0 ? (
        <div className={styles['place']}>
          <EmptyPlace
            icon="timeline"
            name={words.nothing}
            actions={
              tracker.may_submit === true && (
                <Button icon="plus" onPress={() => openCreation({ tracker: tracker.uri })}>
                  {words.create}
                </Button>
              )
            }
          >
            {words.nothingWords}
          </EmptyPlace>
        </div>
      ) : (
        <Chart
          box={box}
          lines={lines}
          first={first}
          last={last}
          today={today}
          zoom={zoom}
          dragged={dragged}
          showsLinks={showsLinks}
          opened={opened}
          folded={folded}
          onFold={(key) =>
            setFolded((before) => {
              const after = new Set(before);
              if (!after.delete(key)) after.add(key);
              return after;
            })
          }
          acts={{
            begin,
            press,
            told,
            hasEnd: timing.end !== undefined,
            open: (item) => {
              if (!wasDragged.current) onOpen(item.row);
            },
          }}
        />
      )}
      {dated.data !== undefined && dated.data.size > mostItems && (
        <p className={styles['note']}>
          {words.tooMany(formats.number(mostItems), formats.number(dated.data.size))}
        </p>
      )}
      {!timing.isImplied && (
        <Tray
          rows={rows}
          size={Math.max(
            rows.length,
            (undated.data?.size ?? 0) - ((undated.data?.rows.length ?? 0) - rows.length),
          )}
          hint={words.trayHint}
          onOpen={onOpen}
          onPut={(row) =>
            moveItem(row, timing, { start: today, ...(timing.end === undefined ? {} : { end: today }) })
          }
          onDropAt={(row, { x, y }) => {
            const seen = box.current;
            const place = seen?.getBoundingClientRect();
            if (seen === null || place === undefined || y > place.bottom || y < place.top) return;
            const at = x - place.left - treeWidth(seen);
            if (at < 0) return;
            const day = first + Math.floor((at + seen.scrollLeft) / width);
            moveItem(row, timing, { start: day, ...(timing.end === undefined ? {} : { end: day }) });
          }}
        />
      )}
    </div>
  );
}

const treeWidth = (box: HTMLElement) =>
  Number.parseFloat(getComputedStyle(box).getPropertyValue('--tree')) || 300;

/** The days that are drawn: all that is there with some room around, but not more than some years. */
function useSpan(items: readonly Item[], today: Day) {
  return useMemo(() => {
    let [first, last] = [today - 30, today + 60];
    for (const { start, end } of items) {
      first = Math.min(first, start - 7);
      last = Math.max(last, end + 21);
    }
    return {
      first: weekOf(Math.max(first, today - drawnDays)),
      last: Math.min(last, today + drawnDays),
    };
  }, [items, today]);
}

interface ChartActs {
  readonly begin: ReturnType<typeof useDayDrag>['begin'];
  readonly press: ReturnType<typeof useDayActs>['press'];
  readonly told: (start: Day, end: Day) => string;
  readonly hasEnd: boolean;
  readonly open: (item: Item) => void;
}

interface ChartProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly lines: readonly Line[];
  readonly first: Day;
  readonly last: Day;
  readonly today: Day;
  readonly zoom: Zoom;
  readonly dragged: Dragged | undefined;
  readonly showsLinks: boolean;
  readonly opened: number | undefined;
  readonly folded: ReadonlySet<string>;
  readonly onFold: (key: string) => void;
  readonly acts: ChartActs;
}

function Chart(props: ChartProps) {
  const { box, lines, first, last, today, zoom, dragged, showsLinks, opened, folded, onFold, acts } = props;
  const { timeline: words } = useMessages();
  const width = dayWidth[zoom];
  const days = last - first + 1;
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const placeOfUri = useMemo(
    () => new Map(lines.flatMap((line, place) => (line.kind === 'item' ? [[line.item.row.uri, place]] : []))),
    [lines],
  );
  const seen = rows.getVirtualItems();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={styles['box']} ref={box} tabIndex={0} aria-label={words.bars}>
      <div className={styles['all']} style={{ width: `calc(var(--tree) + ${days * width}px)` }}>
        <Heads first={first} last={last} today={today} zoom={zoom} />
        <div className={styles['rows']} style={{ height: rows.getTotalSize() }}>
          <div
            className={styles['ground']}
            style={{
              width: days * width,
              backgroundSize: `${7 * width}px 100%`,
              backgroundImage: `linear-gradient(to right, var(--line) 1px, transparent 1px ${5 * width}px, var(--grey-2) ${5 * width}px)`,
            }}
          />
          <div
            className={styles['now']}
            style={{ left: `calc(var(--tree) + ${(today - first + 0.5) * width}px)` }}
          />
          {showsLinks && (
            <Links
              lines={lines}
              places={placeOfUri}
              from={seen[0]?.index ?? 0}
              to={seen.at(-1)?.index ?? 0}
              first={first}
              days={days}
              width={width}
              dragged={dragged}
              height={rows.getTotalSize()}
            />
          )}
          <ul className={styles['list']}>
            {seen.map(({ index, start }) => {
              const line = lines[index];
              if (line === undefined) return null;
              return (
                <li
                  key={line.kind === 'group' ? `g${line.group.key}` : line.item.row.uri}
                  className={styles['row']}
                  style={{ top: start }}
                >
                  {line.kind === 'group' ? (
                    <GroupRow
                      group={line.group}
                      isFolded={folded.has(line.group.key)}
                      first={first}
                      width={width}
                      onFold={onFold}
                    />
                  ) : (
                    <ItemRow
                      item={line.item}
                      first={first}
                      today={today}
                      width={width}
                      dragged={dragged}
                      isOpen={opened === line.item.row.id}
                      acts={acts}
                    />
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      </div>
    </section>
  );
}

function Heads({ first, last, today, zoom }: Pick<ChartProps, 'first' | 'last' | 'today' | 'zoom'>) {
  const { timeline: words } = useMessages();
  const formats = useFormats();
  const width = dayWidth[zoom];
  const months: Day[] = [];
  for (let month = monthOf(first); month <= last; month = monthAfter(month, 1)) months.push(month);
  const days =
    zoom === 'week' || zoom === 'month'
      ? Array.from({ length: last - first + 1 }, (_, place) => first + place).filter((day) => !isWeekend(day))
      : zoom === 'quarter'
        ? Array.from({ length: Math.ceil((last - first + 1) / 7) }, (_, week) => first + week * 7)
        : [];
  return (
    <div className={styles['heads']} aria-hidden="true">
      <span className={styles['treeHead']}>{words.name}</span>
      {months.map((month) => (
        <b
          key={month}
          className={styles['month']}
          style={{
            left: `calc(var(--tree) + ${Math.max(0, month - first) * width}px)`,
            width: (Math.min(monthAfter(month, 1), last + 1) - Math.max(month, first)) * width - 8,
          }}
        >
          {formats.month(textOf(month))}
        </b>
      ))}
      {days.map((day) => (
        <span
          key={day}
          className={classes(styles['day'], day === today && styles['today'])}
          style={{
            left: `calc(var(--tree) + ${(day - first) * width}px)`,
            width: zoom === 'quarter' ? 7 * width : width,
          }}
        >
          {dateNumber(day)}
        </span>
      ))}
    </div>
  );
}

function GroupRow({
  group,
  isFolded,
  first,
  width,
  onFold,
}: {
  readonly group: Group;
  readonly isFolded: boolean;
  readonly first: Day;
  readonly width: number;
  readonly onFold: (key: string) => void;
}) {
  const { timeline: words } = useMessages();
  return (
    <>
      <button
        type="button"
        className={classes(styles['tree'], styles['group'])}
        aria-expanded={!isFolded}
        onClick={() => onFold(group.key)}
      >
        <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={14} />
        <span className={styles['title']}>{group.name === '' ? words.noParent : group.name}</span>
        <span className={styles['count']}>{words.closedOf(group.closed, group.items.length)}</span>
      </button>
      <span
        className={styles['bracket']}
        style={{
          left: `calc(var(--tree) + ${(group.start - first) * width}px)`,
          width: (group.end - group.start + 1) * width,
        }}
      />
    </>
  );
}

/** From so many pixels on a bar has room for a word. */
const roomForWord = 44;

function ItemRow({
  item,
  first,
  today,
  width,
  dragged,
  isOpen,
  acts,
}: {
  readonly item: Item;
  readonly first: Day;
  readonly today: Day;
  readonly width: number;
  readonly dragged: Dragged | undefined;
  readonly isOpen: boolean;
  readonly acts: ChartActs;
}) {
  const { timeline: words } = useMessages();
  const formats = useFormats();
  const { row, title, colour, stage, isMovable, isPoint, isLate } = item;
  const { start, end } = placeOf(item, dragged);
  const isDragged = dragged?.item.row.uri === row.uri;
  const left = (start - first) * width;
  const long = (end - start + 1) * width;
  const progress = progressOf(row);
  const said = acts.told(start, end);
  const word = stage === 'done' ? '✓' : progress === null ? '' : `${Math.round(progress * 100)} %`;
  return (
    <>
      <button type="button" className={styles['tree']} tabIndex={-1} onClick={() => acts.open(item)}>
        <StatusRing colour={colour} stage={stage} />
        <span className={styles['title']}>{title}</span>
      </button>
      <button
        type="button"
        {...coloured(colour)}
        className={classes(
          isPoint ? styles['point'] : styles['bar'],
          isMovable && styles['movable'],
          (isDragged || isOpen) && styles['chosen'],
        )}
        style={{ left: `calc(var(--tree) + ${left}px)`, ...(isPoint ? {} : { width: Math.max(4, long) }) }}
        aria-label={`${row.xref} ${title}, ${said}${isLate ? `, ${words.late}` : ''}`}
        aria-description={isMovable ? words.howToMove : undefined}
        title={`${row.xref} ${title}: ${said}`}
        onPointerDown={(event) => acts.begin(event, item, 'whole')}
        onKeyDown={(event) => acts.press(event, item)}
        onClick={() => acts.open(item)}
      >
        {!isPoint && long >= roomForWord && word}
        {!isPoint && progress !== null && (
          <span
            className={styles['done']}
            style={{ width: `${Math.min(1, Math.max(0, progress)) * 100}%` }}
          />
        )}
        {isMovable && !isPoint && acts.hasEnd && (
          <>
            <span
              className={styles['edgeStart']}
              onPointerDown={(event) => acts.begin(event, item, 'start')}
            />
            <span className={styles['edgeEnd']} onPointerDown={(event) => acts.begin(event, item, 'end')} />
          </>
        )}
      </button>
      {isPoint && (
        <span className={styles['beside']} style={{ left: `calc(var(--tree) + ${left + 20}px)` }}>
          {formats.day(textOf(start))}
        </span>
      )}
      {isDragged && (
        <span className={styles['tip']} style={{ left: `calc(var(--tree) + ${left + long + 10}px)` }}>
          {said}
        </span>
      )}
      {isLate && !isDragged && !isPoint && (
        <span
          className={styles['lateLine']}
          style={{
            left: `calc(var(--tree) + ${left + long}px)`,
            width: Math.max(0, (today - end - 0.5) * width),
          }}
        >
          <span className={styles['lateWord']}>{words.daysLate(today - end)}</span>
        </span>
      )}
    </>
  );
}

/** Lines from the end of one bar to the start of the one that waits for it. */
function Links({
  lines,
  places,
  from,
  to,
  first,
  days,
  width,
  dragged,
  height,
}: {
  readonly lines: readonly Line[];
  readonly places: ReadonlyMap<string, number>;
  readonly from: number;
  readonly to: number;
  readonly first: Day;
  readonly days: number;
  readonly width: number;
  readonly dragged: Dragged | undefined;
  readonly height: number;
}) {
  const dependencies = useMemo(
    () => dependenciesOf(lines.flatMap((line) => (line.kind === 'item' ? [line.item] : []))),
    [lines],
  );
  const shown = dependencies.flatMap(({ before, follower }) => {
    const [one, other] = [places.get(before.row.uri), places.get(follower.row.uri)];
    if (one === undefined || other === undefined) return [];
    if (Math.max(one, other) < from || Math.min(one, other) > to) return [];
    return [{ before, follower, one, other }];
  });
  return (
    <svg className={styles['links']} width={days * width} height={height} aria-hidden="true">
      {shown.map(({ before, follower, one, other }) => {
        const x1 = (placeOf(before, dragged).end - first + 1) * width;
        const x2 = (placeOf(follower, dragged).start - first) * width;
        const [y1, y2] = [(one + 0.5) * rowHeight, (other + 0.5) * rowHeight];
        const isBroken = placeOf(follower, dragged).start <= placeOf(before, dragged).end;
        const half = y1 + (y2 > y1 ? rowHeight / 2 : -rowHeight / 2);
        const path =
          x2 >= x1 + 12
            ? `M${x1} ${y1}h6V${y2}H${x2 - 2}`
            : `M${x1} ${y1}h8V${half}H${x2 - 10}V${y2}H${x2 - 2}`;
        return (
          <g
            key={`${before.row.uri}>${follower.row.uri}`}
            className={isBroken ? styles['wrong'] : styles['link']}
          >
            <path d={path} />
            <path d={`M${x2 - 6} ${y2 - 3}l5 3-5 3z`} className={styles['head']} />
          </g>
        );
      })}
    </svg>
  );
}
