import type { ArtifactCounts, ArtifactTrends } from '@atelier/client/routes';
import { distinctColours } from '../ui/index.ts';

/** A row of numbers with its name and colour. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

export const colourAt = (place: number): string => distinctColours[place] ?? 'inca-silver';
const noColour = 'chrome-silver';

/** Values of a status keep the colours that their tracker gives them. */
export function stateSeries({ series }: ArtifactTrends, noValue: string): readonly Series[] {
  return series.map(({ key, label, color, values }) => ({
    key: String(key),
    label: key === null ? noValue : label,
    colour: color ?? noColour,
    values,
  }));
}

/** Series that the server names by what is counted. */
export const plainSeries = (
  { series }: ArtifactTrends,
  names: Readonly<Record<string, string>>,
): readonly Series[] =>
  series.map(({ key, label, values }, place) => ({
    key: String(key),
    label: names[String(key)] ?? label,
    colour: colourAt(place),
    values,
  }));

/** What the first has more than the second, at each step: what is left of all, for example. */
export function difference(
  [all, part]: readonly Series[],
  { key, label, colour }: Omit<Series, 'values'>,
): Series {
  const values = (all?.values ?? []).map((whole, place) => {
    const done = part?.values[place];
    // Without what binary fractions add far behind the point.
    return whole === null || done === null || done === undefined ? null : Number((whole - done).toFixed(6));
  });
  return { key, label, colour, values };
}

/** Artifacts that have something in common, maybe divided once more. */
export interface Part {
  readonly key: number | string | boolean | null;
  readonly label: string;
  readonly colour: string;
  readonly amount: number;
  readonly parts: readonly Part[];
}

type Bucket = ArtifactCounts['buckets'][number];

/** Buckets as parts of a chart; without own colours they get those of the palette. */
export function partsOf(
  { buckets }: ArtifactCounts,
  { isSum, noValue, nameOf }: { isSum: boolean; noValue: string; nameOf(label: string): string },
): readonly Part[] {
  const one = (bucket: Omit<Bucket, 'buckets'>, place: number, hasColours: boolean): Part => ({
    key: bucket.key,
    label: bucket.key === null ? noValue : nameOf(bucket.label),
    colour: bucket.color ?? (hasColours || bucket.key === null ? noColour : colourAt(place)),
    amount: isSum ? (bucket.sum ?? 0) : bucket.count,
    parts: [],
  });
  const colourful = (some: readonly { readonly color: string | null }[]) =>
    some.some(({ color }) => color !== null);
  return buckets.map((bucket, place) => ({
    ...one(bucket, place, colourful(buckets)),
    parts: (bucket.buckets ?? []).map((inner, index, all) => one(inner, index, colourful(all))),
  }));
}

export const lastOf = (values: readonly (number | null)[]): number =>
  values.findLast((value) => value !== null) ?? 0;
export const firstOf = (values: readonly (number | null)[]): number =>
  values.find((value) => value !== null) ?? 0;
export const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

/** A chart as rows of words and numbers: what a screen reader, a table and a file have of it. */
export interface ChartTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly [string, ...(number | null)[]])[];
}

/** One row for each step. */
export const tableOfSeries = (
  stepName: string,
  steps: readonly string[],
  series: readonly Series[],
): ChartTable => ({
  head: [stepName, ...series.map(({ label }) => label)],
  rows: steps.map((step, place) => [step, ...series.map(({ values }) => values[place] ?? null)]),
});

/** One row for each part. */
export function tableOfParts(names: readonly string[], amount: string, parts: readonly Part[]): ChartTable {
  const [name = ''] = names;
  const inner = parts[0]?.parts ?? [];
  if (inner.length === 0)
    return { head: [name, amount], rows: parts.map(({ label, amount: all }) => [label, all]) };
  return {
    head: [name, ...inner.map(({ label }) => label), amount],
    rows: parts.map((part) => [part.label, ...part.parts.map((one) => one.amount), part.amount]),
  };
}

const quoted = (cell: string | number | null) => {
  const text = cell === null ? '' : String(cell);
  // A cell that a spreadsheet would take for a formula is told to be a text.
  const safe = typeof cell === 'string' && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvOf = ({ head, rows }: ChartTable): string =>
  [head, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n');
