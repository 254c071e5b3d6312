import { Link } from '@tanstack/react-router';
import { arc, pie } from 'd3-shape';
import { createContext, type ReactNode, use } from 'react';
import { Link as AddressLink } from 'react-aria-components';
import { writeSearch } from '../kernel/addresses.ts';
import { useFormats } from '../messages/index.ts';
import { classes, coloured } from '../ui/index.ts';
import styles from './charts.module.css';
import type { Part } from './series.ts';

/** Where a part leads: to the table that shows just that; nowhere where no filter says it. */
export type LinkOf = (path: readonly Part[]) => Record<string, unknown> | undefined;

/** The page that parts lead to; without one, the page on which they are. */
export const PageOfParts = createContext<string | undefined>(undefined);

function PartLink({
  path,
  linkOf,
  name,
  className,
  children,
}: {
  readonly path: readonly Part[];
  readonly linkOf: LinkOf;
  readonly name: string;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}) {
  const search = linkOf(path);
  const page = use(PageOfParts);
  if (search === undefined) return <span className={className}>{children}</span>;
  if (page !== undefined)
    return (
      <AddressLink href={`${page}?${writeSearch(search)}`} aria-label={name} className={className ?? ''}>
        {children}
      </AddressLink>
    );
  return (
    <Link to="." search={search} aria-label={name} title={name} className={className ?? ''}>
      {children}
    </Link>
  );
}

interface PartsProps {
  readonly parts: readonly Part[];
  readonly linkOf: LinkOf;
}

/** A bar for each part, divided where its parts are told. */
export function Bars({ parts, linkOf }: PartsProps) {
  const formats = useFormats();
  const highest = Math.max(1, ...parts.map(({ amount }) => amount));
  const amountOf = (part: Part) => formats.number(part.amount, 2);
  return (
    <ul className={styles['bars']}>
      {parts.map((part) => (
        <li key={String(part.key)}>
          <span className={styles['barName']}>{part.label}</span>
          <span className={styles['bar']}>
            {(part.parts.length === 0 ? [part] : part.parts)
              .filter(({ amount }) => amount > 0)
              .map((inner) => {
                const path = inner === part ? [part] : [part, inner];
                const share = (inner.amount / highest) * 100;
                return (
                  <span
                    key={String(inner.key)}
                    {...coloured(inner.colour)}
                    className={styles['share']}
                    style={{ width: `${share}%` }}
                  >
                    <PartLink
                      path={path}
                      linkOf={linkOf}
                      name={`${path.map(({ label }) => label).join(', ')}: ${amountOf(inner)}`}
                      className={styles['shareLink']}
                    >
                      {share > 6 ? amountOf(inner) : ''}
                    </PartLink>
                  </span>
                );
              })}
          </span>
          <span className={styles['barAmount']}>{amountOf(part)}</span>
        </li>
      ))}
    </ul>
  );
}

const donutSize = 200;

/** Parts of a whole. */
export function Donut({ name, parts, linkOf }: PartsProps & { readonly name: string }) {
  const formats = useFormats();
  const shown = parts.filter(({ amount }) => amount > 0);
  const whole = shown.reduce((all, { amount }) => all + amount, 0);
  const slices = pie<Part>()
    .sort(null)
    .value(({ amount }) => amount)
    .padAngle(0.012)(shown);
  const draw = arc<(typeof slices)[number]>()
    .innerRadius(donutSize * 0.3)
    .outerRadius(donutSize / 2);
  return (
    <div className={styles['donut']}>
      <svg width={donutSize} height={donutSize} role="img" aria-label={name}>
        <g transform={`translate(${donutSize / 2} ${donutSize / 2})`}>
          {slices.map((slice) => (
            <path
              key={String(slice.data.key)}
              {...coloured(slice.data.colour)}
              className={styles['column']}
              d={draw(slice) ?? ''}
            />
          ))}
          <text textAnchor="middle" dy="0.35em" className={styles['whole']}>
            {formats.number(whole, 2)}
          </text>
        </g>
      </svg>
      <Names parts={shown} linkOf={linkOf} />
    </div>
  );
}

/** The names of parts with their colours and amounts. */
export function Names({ parts, linkOf }: PartsProps) {
  const formats = useFormats();
  return (
    <ul className={styles['names']}>
      {parts.map((part) => (
        <li key={String(part.key)} {...coloured(part.colour)}>
          <PartLink
            path={[part]}
            linkOf={linkOf}
            name={`${part.label}: ${formats.number(part.amount, 2)}`}
            className={classes(styles['nameOfPart'])}
          >
            <i />
            {part.label} <b>{formats.number(part.amount, 2)}</b>
          </PartLink>
        </li>
      ))}
    </ul>
  );
}
