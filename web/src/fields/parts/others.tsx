import { useId, useState } from 'react';
import { Link } from 'react-aria-components';
import { useFormats, useMessages } from '../../messages/index.ts';
import { Button, EmptyDash } from '../../ui/index.ts';
import type { ReaderProps } from '../model.ts';
import { type Point, pointsIn, referencesIn, wordsOf } from '../others.ts';
import styles from './controls.module.css';

export function CrossReader({ value }: ReaderProps) {
  const references = referencesIn(value);
  if (references.length === 0) return <EmptyDash />;
  return (
    <span className={styles['references']}>
      {references.map(({ ref, address, direction }) => (
        <Link key={`${direction} ${ref}`} href={address}>
          {ref}
        </Link>
      ))}
    </span>
  );
}

/** A chart that says in words what it draws, and is a table on demand. */
export function BurndownReader({ field, value }: ReaderProps) {
  const { artifact, charts } = useMessages();
  const [isTable, setTable] = useState(false);
  const { points, days, capacity } = pointsIn(value);
  if (points.length === 0) return <span>{artifact.burndown.nothing}</span>;
  return (
    <div>
      {isTable ? (
        <BurndownTable points={points} />
      ) : (
        <BurndownChart name={field.label} points={points} days={days} capacity={capacity} />
      )}
      <Button kind="quiet" size="small" onPress={() => setTable(!isTable)}>
        {isTable ? charts.showAsChart : charts.showAsTable}
      </Button>
    </div>
  );
}

const WIDTH = 640;
const HEIGHT = 200;
const LEFT = 36;
const BOTTOM = 24;

function BurndownChart({
  name,
  points,
  days,
  capacity,
}: {
  readonly name: string;
  readonly points: readonly Point[];
  readonly days: number;
  readonly capacity: number | null;
}) {
  const { burndown } = useMessages().artifact;
  const formats = useFormats();
  const titleId = useId();
  const top = Math.max(capacity ?? 0, 1, ...points.map(({ left }) => left ?? 0));
  const steps = Math.max(days, points.length - 1, 1);
  const x = (place: number) => LEFT + (place / steps) * (WIDTH - LEFT - 60);
  const y = (left: number) => 8 + (1 - left / top) * (HEIGHT - BOTTOM - 8);
  const known = points.flatMap(({ left }, place) => (left === null ? [] : [{ left, place }]));
  const last = known.at(-1);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles['chart']} role="img" aria-labelledby={titleId}>
      <title
        id={titleId}
      >{`${name}: ${burndown.remaining} ${last === undefined ? '–' : formats.number(last.left)}`}</title>
      {[0, 0.5, 1].map((part) => (
        <g key={part}>
          <line
            x1={LEFT}
            x2={WIDTH - 60}
            y1={y(part * top)}
            y2={y(part * top)}
            className={part === 0 ? styles['zero'] : styles['grid']}
          />
          <text x={LEFT - 8} y={y(part * top) + 4} textAnchor="end">
            {formats.number(part * top, 1)}
          </text>
        </g>
      ))}
      <line
        x1={x(0)}
        y1={y(capacity ?? known[0]?.left ?? top)}
        x2={x(days)}
        y2={y(0)}
        className={styles['ideal']}
      />
      <polyline
        points={known.map(({ left, place }) => `${x(place)},${y(left)}`).join(' ')}
        className={styles['line']}
      />
      {last && (
        <text x={x(last.place) + 8} y={y(last.left) + 4}>
          {formats.number(last.left)}
        </text>
      )}
      <text x={LEFT} y={HEIGHT - 4}>
        {formats.day(points[0]?.date ?? '')}
      </text>
    </svg>
  );
}

function BurndownTable({ points }: { readonly points: readonly Point[] }) {
  const { burndown } = useMessages().artifact;
  const formats = useFormats();
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th>{burndown.day}</th>
          <th>{burndown.remaining}</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ date, left }) => (
          <tr key={date}>
            <td>{formats.day(date)}</td>
            <td>{left === null ? '–' : formats.number(left)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function AnyReader({ value }: ReaderProps) {
  const words = wordsOf(value?.['value']);
  return words === '' ? <EmptyDash /> : <span>{words}</span>;
}
