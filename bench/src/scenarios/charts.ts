import type { Dataset } from '../dataset/dataset.ts';
import { countOf } from '../dataset/ids.ts';
import type { Scenario, ScenarioRequest } from '../scenario.ts';
import { dayAt, numbers } from './days.ts';

/** Milliseconds that half of the charts may take, over so many artifacts. */
const most = 300;
const mostArtifacts = 100_000;
const daysOfAYear = 365;

export const chartNames = ['counts-by-two', 'trend-states', 'trend-flow', 'trend-effort'];

/** What charts ask for: how many artifacts have what in common, and how they came to be what they are over a year, by days. */
export function charts(dataset: Dataset): Scenario[] {
  const { trackerId } = dataset.form;
  const hasTarget = countOf(dataset) <= mostArtifacts;
  const chart = (name: string, queries: string[], path: string): Scenario => ({
    name,
    traffic: {
      kind: 'any',
      requests: queries.map(
        (query): ScenarioRequest => ({ method: 'GET', path: `/api/trackers/${trackerId}/${path}?${query}` }),
      ),
    },
    connections: 1,
    floors: 'none',
    targets: hasTarget ? [{ kind: 'latency', figure: 'p50Ms', most }] : [],
  });
  // Each time another year, so that nothing is asked twice in a row.
  const years = numbers(50).map((index) => {
    const begin = index * 20;
    return `from=${dayAt(begin)}&to=${dayAt(begin + daysOfAYear - 1)}&step=day`;
  });
  const trend = (name: string, kind: string) =>
    chart(
      name,
      years.map((year) => `kind=${kind}&${year}`),
      'artifact_trends',
    );
  return [
    chart(
      'counts-by-two',
      ['by=status&by=severity', 'by=categories&by=status', 'by=assigned_to&by=start_date:month'],
      'artifact_counts',
    ),
    trend('trend-states', 'states'),
    trend('trend-flow', 'flow'),
    trend('trend-effort', 'effort&field=effort'),
  ];
}
