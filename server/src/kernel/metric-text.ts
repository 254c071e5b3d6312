/** One number of a metric. `labels`: as they are written; `suffix`: what comes behind the name, where a metric has several kinds of numbers. */
export interface Sample {
  readonly value: number;
  readonly labels?: string;
  readonly suffix?: string;
}

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly samples: readonly Sample[];
}

const escaped = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** Labels as they are written. There may be thousands of numbers with the same, so that it is done once. */
export const labelText = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');

function lineOf(name: string, { suffix = '', labels = '', value }: Sample): string {
  return labels === '' ? `${name}${suffix} ${value}` : `${name}${suffix}{${labels}} ${value}`;
}

/** Metrics as the text that Prometheus reads. */
export function metricText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, type, help, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((sample) => lineOf(name, sample)),
  ]);
  return `${lines.join('\n')}\n`;
}

/** A histogram as samples: how many were within each bound, their sum and their number. `counts`: by bucket, the last without a bound. */
export function histogramSamples(
  bounds: readonly number[],
  counts: readonly number[],
  sum: number,
  labels: string,
): Sample[] {
  let below = 0;
  const samples = counts.map((count, index): Sample => {
    below += count;
    return { suffix: '_bucket', labels: `${labels},le="${bounds[index] ?? '+Inf'}"`, value: below };
  });
  samples.push({ suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: below });
  return samples;
}
