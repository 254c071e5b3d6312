import type { Measurement } from '../measure.ts';
import type { ServerName } from '../scenario.ts';

/** Floors may differ from the product by this share of the body, because ids have one digit or three. */
const bytesTolerance = 0.02;
const generatorLimit = 0.95;

/** Throughput as a share of that floor's, under the same load with the same threads. */
export function ratioTo(floor: ServerName, row: Measurement, rows: Measurement[]): number | undefined {
  const base = sibling(floor, row, rows);
  return base && row.requestsPerSecond / base.requestsPerSecond;
}

function sibling(server: ServerName, row: Measurement, rows: Measurement[]): Measurement | undefined {
  return rows.find(
    (other) => other.server === server && other.scenario === row.scenario && other.threads === row.threads,
  );
}

/** What a reader must know before trusting the figures. */
export function caveats(rows: Measurement[]): string[] {
  return rows.flatMap((row) => [...generatorCaveat(row), ...bytesCaveat(row, rows)]);
}

function generatorCaveat(row: Measurement): string[] {
  if (row.generatorBusy < generatorLimit) return [];
  const share = Math.round(row.generatorBusy * 100);
  return [`${label(row)}: the load generator was ${share} % busy, the server may be faster than this`];
}

function bytesCaveat(row: Measurement, rows: Measurement[]): string[] {
  const product = sibling('atelier', row, rows);
  if (product === undefined || row.server === 'sqlite' || row.server === 'postgres') return [];
  const difference = Math.abs(row.meanBodyBytes / product.meanBodyBytes - 1);
  if (difference <= bytesTolerance) return [];
  return [`${label(row)}: bodies differ from the product's by ${(difference * 100).toFixed(1)} %`];
}

function label({ scenario, server, threads }: Measurement): string {
  return `${scenario} on ${server}, ${threads}`;
}
