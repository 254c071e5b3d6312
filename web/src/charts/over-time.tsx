import { area, line } from 'd3-shape';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { useFormats } from '../messages/index.ts';
import { coloured } from '../ui/index.ts';
import { type Frame, frameOf, NumberLines, StepNames, useWidth } from './axes.tsx';
import styles from './charts.module.css';
import { lastOf, type Series } from './series.ts';

interface DrawingProps {
  readonly name: string;
  readonly steps: readonly string[];
  readonly series: readonly Series[];
  readonly height?: number;
}

/** Names at the ends of lines stand at least so far apart. */
const nameHeight = 17;

/** Where names stand: beside their lines, or pushed down by the one above. */
function spread(wanted: readonly number[], lowest: number): readonly number[] {
  const places = [...wanted.keys()].sort((left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0));
  const found = [...wanted];
  let free = 0;
  for (const place of places) {
    found[place] = Math.max(wanted[place] ?? 0, free);
    free = (found[place] ?? 0) + nameHeight;
  }
  let floor = lowest;
  for (const place of places.toReversed()) {
    found[place] = Math.min(found[place] ?? 0, floor);
    floor = (found[place] ?? 0) - nameHeight;
  }
  return found;
}

function EndNames({
  series,
  at,
  frame,
}: {
  readonly series: readonly Series[];
  readonly at: readonly number[];
  readonly frame: Frame;
}) {
  const formats = useFormats();
  const named = largest(
    series.map((one, place) => ({ ...one, wanted: at[place] ?? 0 })),
    Math.floor((frame.foot - frame.top) / nameHeight) + 1,
  );
  const places = spread(
    named.map(({ wanted }) => wanted),
    frame.foot - 4,
  );
  return named.map(({ key, label, colour, values }, place) => (
    <g key={key} {...coloured(colour)}>
      <text x={frame.right + 8} y={(places[place] ?? 0) + 4} className={styles['endName']}>
        {`${cut(label)} ${formats.number(lastOf(values), 2)}`}
      </text>
    </g>
  ));
}

/** Those that end highest, as many as there is room to name. The others are told by the table, and below the pointer. */
function largest<One extends Series>(series: readonly One[], room: number): readonly One[] {
  const byEnd = [...series].sort((left, right) => lastOf(right.values) - lastOf(left.values));
  const named = new Set(byEnd.slice(0, room));
  return series.filter((one) => named.has(one));
}

const longestName = 16;
const cut = (label: string) => (label.length > longestName ? `${label.slice(0, longestName - 1)}…` : label);

/** Room at the right for the longest name, with its number. */
const roomForNames = (series: readonly Series[]) =>
  Math.max(
    40,
    ...series.map(
      ({ label, values }) => 22 + cut(label).length * 7 + lastOf(values).toLocaleString('en').length * 7.5,
    ),
  );

type TipProps = Omit<DrawingProps, 'name'> & { place: number; x: number; width: number };

/** The values of the step under the pointer, beside it and inside the chart. */
function Tip({ steps, series, place, x, width }: TipProps) {
  const formats = useFormats();
  const left = Math.min(x + 12, Math.max(0, width - 190));
  return (
    <div className={styles['tip']} style={{ left }} aria-hidden="true">
      <b>{formats.day(steps[place] ?? '')}</b>
      {series.map(({ key, label, colour, values }) => (
        <span key={key} {...coloured(colour)}>
          <i />
          {label}
          <b>{values[place] === null ? '–' : formats.number(values[place] ?? 0, 2)}</b>
        </span>
      ))}
    </div>
  );
}

/** Which step is under the pointer. */
function usePointed(count: number, placeAt: (x: number) => number) {
  const [place, setPlace] = useState<number>();
  const follow = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const at = placeAt(clientX - currentTarget.getBoundingClientRect().left);
    setPlace(at >= 0 && at < count ? at : undefined);
  };
  return { place, handlers: { onPointerMove: follow, onPointerLeave: () => setPlace(undefined) } };
}

interface AlongStepsProps extends DrawingProps {
  readonly height: number;
  readonly highest: number;
  /** What is drawn in the frame, from step to step. */
  draw(frame: Frame, x: (place: number) => number): ReactNode;
  /** How high the name of each stands, at its end. */
  endsAt(frame: Frame): readonly number[];
}

/** What goes on from step to step: it is named where it ends, and tells the values of the step under the pointer. */
function AlongSteps({ name, steps, series, height, highest, draw, endsAt }: AlongStepsProps) {
  const { box, width } = useWidth();
  const foot = height - 28;
  const isNarrow = width < 460;
  const frame = frameOf(highest, {
    right: Math.max(60, width - (isNarrow ? 4 : roomForNames(series))),
    foot,
  });
  const last = steps.length - 1;
  const x = (place: number) => frame.left + (last <= 0 ? 0 : (place / last) * (frame.right - frame.left));
  const { place, handlers } = usePointed(steps.length, (at) =>
    Math.round(((at - frame.left) / (frame.right - frame.left)) * last),
  );
  return (
    <div ref={box} className={styles['drawing']} style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={name} {...handlers}>
          <NumberLines frame={frame} />
          {draw(frame, x)}
          <StepNames steps={steps} frame={frame} x={x} />
          {!isNarrow && <EndNames series={series} at={endsAt(frame)} frame={frame} />}
          {place !== undefined && (
            <line x1={x(place)} x2={x(place)} y1={frame.top} y2={foot} className={styles['hair']} />
          )}
        </svg>
      )}
      {place !== undefined && <Tip steps={steps} series={series} place={place} x={x(place)} width={width} />}
    </div>
  );
}

const highestOf = (series: readonly Series[]) =>
  Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));

/** Amounts on top of each other: how much there was in all, and of what. The first one is on top. */
export function StackedAreas({ name, steps, series, height = 260 }: DrawingProps) {
  const totals = steps.map((_, place) => series.reduce((all, { values }) => all + (values[place] ?? 0), 0));
  const known = steps.map((_, at) => at).filter((at) => series.some(({ values }) => values[at] !== null));
  // From the foot up, so that the first one ends on top.
  const below = series.map((_, index) =>
    steps.map((__, at) => series.slice(index + 1).reduce((all, { values }) => all + (values[at] ?? 0), 0)),
  );
  const bottomOf = (index: number, at: number) => below[index]?.[at] ?? 0;
  const topOf = (index: number, at: number) => bottomOf(index, at) + (series[index]?.values[at] ?? 0);
  const lastKnown = known.at(-1) ?? 0;
  return (
    <AlongSteps
      {...{ name, steps, series, height }}
      highest={Math.max(0, ...totals)}
      draw={(frame, x) =>
        series.map(({ key, colour }, index) => (
          <g key={key} {...coloured(colour)}>
            <path
              className={styles['area']}
              d={
                area<number>()
                  .x((at) => x(at))
                  .y0((at) => frame.y(bottomOf(index, at)))
                  .y1((at) => frame.y(topOf(index, at)))(known) ?? ''
              }
            />
            <path
              className={styles['edge']}
              d={
                line<number>()
                  .x((at) => x(at))
                  .y((at) => frame.y(topOf(index, at)))(known) ?? ''
              }
            />
          </g>
        ))
      }
      endsAt={(frame) =>
        series.map((_, index) => frame.y((bottomOf(index, lastKnown) + topOf(index, lastKnown)) / 2))
      }
    />
  );
}

/** Lines beside each other. */
export function Lines({ name, steps, series, height = 220 }: DrawingProps) {
  return (
    <AlongSteps
      {...{ name, steps, series, height }}
      highest={highestOf(series)}
      draw={(frame, x) =>
        series.map(({ key, colour, values }) => (
          <path
            key={key}
            {...coloured(colour)}
            className={styles['edge']}
            d={
              line<number | null>()
                .defined((value) => value !== null)
                .x((_, at) => x(at))
                .y((value) => frame.y(value ?? 0))([...values]) ?? ''
            }
          />
        ))
      }
      endsAt={(frame) => series.map(({ values }) => frame.y(lastOf(values)))}
    />
  );
}

const columnWidth = 13;
const columnGap = 2;

/** What happened in each step, as columns beside each other. */
export function Columns({ name, steps, series, height = 260 }: DrawingProps) {
  const { box, width } = useWidth();
  const foot = height - 28;
  const frame = frameOf(highestOf(series), { right: Math.max(60, width - 4), foot });
  const band = (frame.right - frame.left) / Math.max(1, steps.length);
  const each = Math.min(columnWidth, Math.max(1, (band - 4) / series.length - columnGap));
  const group = series.length * (each + columnGap) - columnGap;
  const middle = (place: number) => frame.left + (place + 0.5) * band;
  const { place, handlers } = usePointed(steps.length, (at) => Math.floor((at - frame.left) / band));
  return (
    <div ref={box} className={styles['drawing']} style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={name} {...handlers}>
          <NumberLines frame={frame} />
          {place !== undefined && (
            <rect
              x={frame.left + place * band}
              y={frame.top}
              width={band}
              height={foot - frame.top}
              className={styles['pointed']}
            />
          )}
          {series.map(({ key, colour, values }, index) => (
            <g key={key} {...coloured(colour)}>
              {values.map((value, at) => {
                const top = frame.y(value ?? 0);
                if (foot - top < 0.5) return null;
                const left = middle(at) - group / 2 + index * (each + columnGap);
                return (
                  <path
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name than its step
                    key={at}
                    className={styles['column']}
                    d={`M${left} ${foot}V${top + 2}q0-2 2-2h${Math.max(0, each - 4)}q2 0 2 2V${foot}z`}
                  />
                );
              })}
            </g>
          ))}
          <StepNames steps={steps} frame={frame} x={middle} />
        </svg>
      )}
      {place !== undefined && (
        <Tip steps={steps} series={series} place={place} x={middle(place)} width={width} />
      )}
    </div>
  );
}

/** A line without axes, for a number that stands above it. */
export function Spark({ values }: { readonly values: readonly (number | null)[] }) {
  const { box, width } = useWidth();
  const height = 48;
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = (value: number) =>
    high === low ? height / 2 : 4 + (1 - (value - low) / (high - low)) * (height - 8);
  const last = Math.max(1, values.length - 1);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => (at / last) * width)
    .y((value) => y(value ?? 0))([...values]);
  return (
    <div ref={box} className={styles['drawing']} style={{ height }}>
      {width > 0 && known.length > 1 && (
        <svg width={width} height={height} aria-hidden="true" {...coloured('lake-placid-blue')}>
          <path className={styles['edge']} d={path ?? ''} />
        </svg>
      )}
    </div>
  );
}
