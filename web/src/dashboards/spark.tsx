import { statusField } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { useTracker } from '../store/index.ts';
import { useCountTrend } from './calls.ts';
import styles from './dashboards.module.css';

const width = 118;
const height = 30;
/** Half the line, so that it is not cut off. */
const edge = 1;

/** The line of the numbers, as high as the place allows; one that does not move lies in the middle. */
function sparkPath(values: readonly number[]): string {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const span = highest - lowest;
  const at = (value: number) =>
    span === 0 ? height / 2 : edge + (1 - (value - lowest) / span) * (height - 2 * edge);
  const step = values.length < 2 ? 0 : (width - 2 * edge) / (values.length - 1);
  return values
    .map((value, place) => `${place === 0 ? 'M' : 'L'}${edge + place * step} ${at(value)}`)
    .join('');
}

/** How a number came to be what it is: a line without axes. */
export function Spark({ values }: { readonly values: readonly number[] }) {
  return (
    <svg className={styles['spark']} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={sparkPath(values)} />
    </svg>
  );
}

const week = 7;

/** The number beside its line, and one sentence about what changed in a week. */
export function useSpark(trackerId: number, query: string, size: number | undefined) {
  const { dashboards: words } = useMessages();
  const formats = useFormats();
  const { thing: tracker } = useTracker(`trackers/${trackerId}`);
  const status = tracker && statusField(tracker)?.name;
  const trend = useCountTrend(trackerId, query, status).data;
  const last = trend?.values.at(-1);
  // A line that ends elsewhere than at the number is not about it, or not yet.
  if (trend === undefined || last === undefined || last !== size || trend.values.length <= week)
    return undefined;
  if (size === 0 && !trend.isWhole) return undefined;
  const change = last - (trend.values.at(-1 - week) ?? last);
  const amount = formats.number(Math.abs(change));
  const sentence = trend.isWhole
    ? words.sinceAWeek(change, amount)
    : change === 0
      ? words.noneYoung
      : words.youngerThanAWeek(change, amount);
  return { values: trend.values, sentence };
}
