import { scaleLinear } from 'd3-scale';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useFormats } from '../messages/index.ts';
import styles from './charts.module.css';

/** The width that there is for a drawing, so that words in it keep their size. */
export function useWidth(): { readonly box: RefObject<HTMLDivElement | null>; readonly width: number } {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

/** Where things stand in a drawing: a band of steps from left to right, numbers from the foot to the top. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly foot: number;
  readonly ticks: readonly number[];
  y(value: number): number;
}

const wantedTicks = 5;
const narrowest = 34;
const digitWidth = 7.5;

/** Room at the left for the longest number, with what stands between its thousands: all languages need about as much. */
const roomForNumbers = (ticks: readonly number[]) =>
  Math.max(narrowest, ...ticks.map((tick) => 10 + digitWidth * tick.toLocaleString('en').length));

/** Numbers from 0 to at least the highest, with as many lines as one can read. */
export function frameOf(
  highest: number,
  { right, top = 8, foot }: { right: number; top?: number; foot: number },
): Frame {
  const scale = scaleLinear()
    .domain([0, Math.max(highest, 1)])
    .range([foot, top])
    .nice(wantedTicks);
  const whole = scale.ticks(wantedTicks).filter((tick) => highest > 4 || Number.isInteger(tick));
  return { left: roomForNumbers(whole), right, top, foot, ticks: whole, y: (value) => scale(value) };
}

export function NumberLines({ frame }: { readonly frame: Frame }) {
  const formats = useFormats();
  return frame.ticks.map((tick) => (
    <g key={tick}>
      <line
        x1={frame.left}
        x2={frame.right}
        y1={frame.y(tick)}
        y2={frame.y(tick)}
        className={tick === 0 ? styles['zero'] : styles['line']}
      />
      <text x={frame.left - 8} y={frame.y(tick) + 4} textAnchor="end" className={styles['axis']}>
        {formats.number(tick, 2)}
      </text>
    </g>
  ));
}

/** Pixels that a day needs below a drawing. */
const dayWidth = 96;

/** Some of the steps by their days: the first and the last, and as many between as there is room for. */
export function StepNames({
  steps,
  frame,
  x,
}: {
  readonly steps: readonly string[];
  readonly frame: Frame;
  readonly x: (place: number) => number;
}) {
  const formats = useFormats();
  const last = steps.length - 1;
  const count = Math.max(1, Math.min(last, Math.floor((frame.right - frame.left) / dayWidth)));
  const places =
    last <= 0 ? [0] : Array.from({ length: count + 1 }, (_, part) => Math.round((part * last) / count));
  return [...new Set(places)].map((place) => (
    <text
      key={place}
      x={x(place)}
      y={frame.foot + 18}
      textAnchor={last <= 0 ? 'middle' : place === 0 ? 'start' : place === last ? 'end' : 'middle'}
      className={styles['axis']}
    >
      {formats.day(steps[place] ?? '')}
    </text>
  ));
}
