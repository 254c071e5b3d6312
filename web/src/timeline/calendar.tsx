import type { ArtifactRow } from '@atelier/client/routes';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { useCommands } from '../shell/index.ts';
import { againAfter, usePendingChanges, wordsOfError } from '../store/index.ts';
import type { ViewProps } from '../tracker/index.ts';
import {
  Button,
  classes,
  coloured,
  EmptyPlace,
  ErrorPlace,
  IconButton,
  LinkButton,
  Menu,
  MenuItem,
  Segmented,
  Skeleton,
  StatusRing,
  Unseen,
} from '../ui/index.ts';
import { useDayActs } from './acts.ts';
import styles from './calendar.module.css';
import { columnsFor, useDated, useRenewal, useUndated } from './calls.ts';
import {
  type Day,
  dateNumber,
  dayIn,
  isWeekend,
  monthAfter,
  monthNumber,
  monthOf,
  textOf,
  weekOf,
  weeksOfMonth,
} from './days.ts';
import { placeOf, useDayDrag } from './drag.ts';
import { type Item, itemOf, moveItem } from './items.ts';
import { chosenTiming, timingsOf } from './timing.ts';
import { Tray } from './tray.tsx';

const kinds = ['month', 'week', 'agenda'] as const;
type Kind = (typeof kinds)[number];

/** Where each item of a week stands: as high as there is room. */
function lanesOf(items: readonly Item[], week: Day, place: (item: Item) => { start: Day; end: Day }) {
  const lanes: {
    readonly item: Item;
    readonly first: number;
    readonly last: number;
    readonly lane: number;
  }[] = [];
  const ends: number[] = [];
  const here = items
    .map((item) => ({ item, ...place(item) }))
    .filter(({ start, end }) => end >= week && start < week + 7)
    .sort((one, other) => one.start - other.start || other.end - other.start - (one.end - one.start));
  for (const { item, start, end } of here) {
    const [first, last] = [Math.max(0, start - week), Math.min(6, end - week)];
    const free = ends.findIndex((taken) => taken < first);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = last;
    lanes.push({ item, first, last, lane });
  }
  return lanes;
}

/** Bars of a week that are drawn before the rest is told as a number. */
const seenLanes = 3;

/** What a search finds, by days. */
export function CalendarView(props: ViewProps) {
  const { tracker, search, settings, onSettings, onFound, tools, onOpen } = props;
  const { timeline: words } = useMessages();
  const formats = useFormats();
  const today = dayIn(deviceMoment(Date.now())) ?? 0;
  const [kind, setKind] = useState<Kind>('month');
  const [shown, setShown] = useState<Day>(today);
  const [said, say] = useState('');
  const timing = chosenTiming(tracker, settings);
  const colourBy = typeof settings['color_by'] === 'string' ? settings['color_by'] : undefined;
  const weeks = kind === 'week' ? [weekOf(shown)] : weeksOfMonth(shown);
  const first = weeks[0] ?? shown;
  const last = (weeks.at(-1) ?? shown) + 6;
  const columns = useMemo(
    () => (timing === undefined ? [] : columnsFor(timing, [colourBy])),
    [timing, colourBy],
  );
  const dated = useDated(tracker, search, timing, { first, last, columns });
  const undated = useUndated(tracker, search, timing, columns);
  const waiting = usePendingChanges();
  useRenewal(tracker);
  const size = dated.data?.size;
  useEffect(() => onFound({ size, error: dated.error }), [onFound, size, dated.error]);
  const items = useMemo(() => {
    if (timing === undefined) return [];
    const context = { tracker, timing, colourBy, today, waiting };
    const rows = [...(dated.data?.rows ?? []), ...(undated.data?.rows ?? [])];
    return rows.flatMap((row) => itemOf(row, context) ?? []);
  }, [dated.data, undated.data, tracker, timing, colourBy, today, waiting]);
  const grid = useRef<HTMLDivElement>(null);
  const { drop, press, told } = useDayActs(timing, say, onOpen);
  /** The day at a place of the window. */
  const dayAt = ({ x, y }: { x: number; y: number }): Day | undefined => {
    for (const cell of grid.current?.querySelectorAll<HTMLElement>('[data-day]') ?? []) {
      const box = cell.getBoundingClientRect();
      if (x >= box.left && x < box.right && y >= box.top && y < box.bottom)
        return Number(cell.dataset['day']);
    }
    return undefined;
  };
  const { dragged, begin, wasDragged } = useDayDrag((from, to) => {
    const [before, after] = [dayAt(from), dayAt(to)];
    return before === undefined || after === undefined ? 0 : after - before;
  }, drop);
  const turn = (by: number) => setShown(kind === 'week' ? shown + 7 * by : monthAfter(monthOf(shown), by));
  useCommands([
    { id: 'calendar.today', name: words.today, keys: 't', icon: 'calendar', run: () => setShown(today) },
    { id: 'calendar.before', name: words.before, keys: '[', icon: 'chevron-left', run: () => turn(-1) },
    { id: 'calendar.after', name: words.after, keys: ']', icon: 'chevron-right', run: () => turn(1) },
  ]);
  if (timing === undefined)
    return (
      <div className={styles['empty']}>
        <EmptyPlace
          icon="calendar"
          name={words.noDates}
          actions={
            tracker.is_administrator === true && (
              <LinkButton href={`/trackers/${tracker.id}/admin/form`}>{words.addDate}</LinkButton>
            )
          }
        >
          {tracker.is_administrator === true ? words.noDatesAdministrator : words.noDatesOthers}
        </EmptyPlace>
      </div>
    );
  const nameOf = (name: string, label: string | undefined) =>
    name === '@start' ? words.timeframe : (label ?? name);
  const tray = (undated.data?.rows ?? []).filter((row) => !items.some((item) => item.row.uri === row.uri));
  const onDay = (row: ArtifactRow, day: Day) => {
    moveItem(row, timing, { start: day, ...(timing.end === undefined ? {} : { end: day }) });
    say(words.movedTo(row.title ?? row.xref, told(day, day)));
  };
  return (
    <div className={styles['page']}>
      {tools !== null &&
        createPortal(
          <>
            <span className={styles['turn']}>
              <IconButton icon="chevron-left" label={words.before} size="small" onPress={() => turn(-1)} />
              <Button size="small" onPress={() => setShown(today)}>
                {words.today}
              </Button>
              <IconButton icon="chevron-right" label={words.after} size="small" onPress={() => turn(1)} />
            </span>
            <Menu
              aria-label={words.by}
              placement="bottom end"
              onAction={(key) => onSettings({ date: String(key) })}
              trigger={
                <Button kind="quiet" size="small" opens>
                  {`${words.by} ${nameOf(timing.name, timing.start?.label)}`}
                </Button>
              }
            >
              {timingsOf(tracker).map(({ name, start }) => (
                <MenuItem key={name} id={name} isSet={name === timing.name}>
                  {nameOf(name, start?.label)}
                </MenuItem>
              ))}
            </Menu>
            <Segmented
              label={words.shownAs}
              options={kinds.map((id) => ({ id, name: words.kinds[id] }))}
              value={kind}
              onChange={(id) => setKind(kinds.find((one) => one === id) ?? 'month')}
            />
          </>,
          tools,
        )}
      <h2 className={styles['month']} aria-live="polite">
        {kind === 'week'
          ? words.fromTo(formats.day(textOf(first)), formats.day(textOf(last)))
          : formats.month(textOf(shown))}
      </h2>
      <Unseen>
        <span role="status">{said}</span>
      </Unseen>
      {dated.error !== null && dated.data === undefined ? (
        <div className={styles['empty']}>
          <ErrorPlace
            words={wordsOfError(dated.error)}
            onRetry={againAfter(dated.error, () => void dated.refetch())}
          />
        </div>
      ) : dated.data === undefined ? (
        <div className={styles['empty']}>
          <Skeleton lines={8} />
        </div>
      ) : (
        <div className={styles['body']}>
          {kind === 'agenda' ? (
            <Agenda
              items={items}
              first={monthOf(shown)}
              last={monthAfter(monthOf(shown), 1) - 1}
              today={today}
              onOpen={onOpen}
              onTurn={turn}
            />
          ) : (
            <div className={styles['grid']} ref={grid}>
              <div className={styles['weekdays']} aria-hidden="true">
                {Array.from({ length: 7 }, (_, day) => (
                  <span key={words.weekdays[day]}>{words.weekdays[day]}</span>
                ))}
              </div>
              {weeks.map((week) => (
                <Week
                  key={week}
                  week={week}
                  month={kind === 'week' ? undefined : monthNumber(shown)}
                  today={today}
                  lanes={lanesOf(items, week, (item) => placeOf(item, dragged))}
                  isTall={kind === 'week'}
                  bar={(item) => (
                    <Bar
                      item={item}
                      isDragged={dragged?.item.row.uri === item.row.uri}
                      isOpen={props.opened === item.row.id}
                      hasEnd={timing.end !== undefined && !item.isPoint}
                      lateWord={words.late}
                      howTo={words.howToMove}
                      said={told(item.start, item.end)}
                      onGrip={(event, grip) => begin(event, item, grip)}
                      onPress={(event) => press(event, item)}
                      onClick={() => {
                        if (!wasDragged.current) onOpen(item.row);
                      }}
                    />
                  )}
                />
              ))}
            </div>
          )}
          {!timing.isImplied && (
            <Tray
              rows={tray}
              size={Math.max(
                tray.length,
                (undated.data?.size ?? 0) - ((undated.data?.rows.length ?? 0) - tray.length),
              )}
              isBeside
              hint={words.trayHint}
              onOpen={onOpen}
              onPut={(row) =>
                onDay(row, kind === 'month' && monthOf(shown) !== monthOf(today) ? monthOf(shown) : today)
              }
              onDropAt={(row, at) => {
                const day = dayAt(at);
                if (day !== undefined) onDay(row, day);
              }}
            />
          )}
        </div>
      )}
    </div>
  );
}

function Week({
  week,
  month,
  today,
  lanes,
  isTall,
  bar,
}: {
  readonly week: Day;
  readonly month: number | undefined;
  readonly today: Day;
  readonly lanes: ReturnType<typeof lanesOf>;
  readonly isTall: boolean;
  readonly bar: (item: Item) => ReactNode;
}) {
  const { timeline: words } = useMessages();
  const formats = useFormats();
  const [isUnfolded, setUnfolded] = useState(false);
  const most = isTall || isUnfolded ? Number.POSITIVE_INFINITY : seenLanes;
  const seen = lanes.filter(({ lane }) => lane < most);
  const hidden = lanes.length - seen.length;
  const height = Math.max(isTall ? 14 : seenLanes + 1, ...seen.map(({ lane }) => lane + 2));
  return (
    <section
      className={styles['week']}
      style={{ minHeight: 34 + height * 25 }}
      aria-label={words.weekOf(formats.longDay(textOf(week)))}
    >
      {Array.from({ length: 7 }, (_, place) => week + place).map((day) => (
        <div
          key={day}
          data-day={day}
          className={classes(
            styles['day'],
            isWeekend(day) && styles['weekend'],
            month !== undefined && monthNumber(day) !== month && styles['other'],
          )}
        >
          <time
            dateTime={textOf(day)}
            className={classes(styles['number'], day === today && styles['today'])}
          >
            {dateNumber(day) === 1 ? formats.day(textOf(day)) : dateNumber(day)}
          </time>
        </div>
      ))}
      {seen.map(({ item, first, last, lane }) => (
        <div
          key={item.row.uri}
          className={styles['place']}
          style={{
            left: `calc(${(first / 7) * 100}% + ${item.start < week + first ? 0 : 4}px)`,
            width: `calc(${((last - first + 1) / 7) * 100}% - ${(item.start < week + first ? 0 : 4) + (item.end > week + last ? 0 : 4)}px)`,
            top: 32 + lane * 25,
          }}
        >
          {bar(item)}
        </div>
      ))}
      {hidden > 0 && (
        <button type="button" className={styles['more']} onClick={() => setUnfolded(true)}>
          {words.more(hidden)}
        </button>
      )}
    </section>
  );
}

function Bar({
  item,
  isDragged,
  isOpen,
  hasEnd,
  lateWord,
  howTo,
  said,
  onGrip,
  onPress,
  onClick,
}: {
  readonly item: Item;
  readonly isDragged: boolean;
  readonly isOpen: boolean;
  readonly hasEnd: boolean;
  readonly lateWord: string;
  readonly howTo: string;
  readonly said: string;
  readonly onGrip: (event: React.PointerEvent<HTMLElement>, grip: 'whole' | 'start' | 'end') => void;
  readonly onPress: (event: React.KeyboardEvent) => void;
  readonly onClick: () => void;
}) {
  const { row, title, colour, stage, isLate, isMovable } = item;
  return (
    <button
      type="button"
      {...coloured(colour)}
      className={classes(
        styles['bar'],
        isLate && styles['late'],
        isDragged && styles['dragged'],
        isOpen && styles['open'],
        isMovable && styles['movable'],
      )}
      title={`${row.xref} ${title}`}
      aria-label={`${row.xref} ${title}, ${said}${isLate ? `, ${lateWord}` : ''}`}
      aria-description={isMovable ? howTo : undefined}
      onPointerDown={(event) => onGrip(event, 'whole')}
      onKeyDown={onPress}
      onClick={onClick}
    >
      <StatusRing colour={colour} stage={stage} />
      <span className={styles['title']}>{title}</span>
      {isLate && <span className={styles['lateWord']}>{lateWord}</span>}
      {isMovable && hasEnd && (
        <span className={styles['edge']} onPointerDown={(event) => onGrip(event, 'end')} />
      )}
    </button>
  );
}

/** Days one below the other, those with something on them. */
function Agenda({
  items,
  first,
  last,
  today,
  onOpen,
  onTurn,
}: {
  readonly items: readonly Item[];
  readonly first: Day;
  readonly last: Day;
  readonly today: Day;
  readonly onOpen: ViewProps['onOpen'];
  /** Shows another month. */
  readonly onTurn: (by: number) => void;
}) {
  const { timeline: words } = useMessages();
  const formats = useFormats();
  const days = Array.from({ length: last - first + 1 }, (_, place) => first + place)
    .map((day) => ({ day, here: items.filter(({ start, end }) => start <= day && end >= day) }))
    .filter(({ here }) => here.length > 0);
  if (days.length === 0)
    return (
      <EmptyPlace
        icon="calendar"
        name={words.nothingInMonth}
        actions={
          <>
            <Button onPress={() => onTurn(1)}>{words.nextMonth}</Button>
            <Button kind="quiet" onPress={() => onTurn(-1)}>
              {words.previousMonth}
            </Button>
          </>
        }
      />
    );
  return (
    <ol className={styles['agenda']}>
      {days.map(({ day, here }) => (
        <li key={day}>
          <h3 className={day === today ? styles['today'] : undefined}>{formats.longDay(textOf(day))}</h3>
          <ul>
            {here.map((item) => (
              <li key={item.row.uri}>
                <button type="button" onClick={() => onOpen(item.row)}>
                  <StatusRing colour={item.colour} stage={item.stage} />
                  <span className={styles['id']}>#{item.row.id}</span>
                  <span className={styles['title']}>{item.title}</span>
                  {item.isLate && <span className={styles['lateWord']}>{words.late}</span>}
                </button>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
