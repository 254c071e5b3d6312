import type { Dataset } from '../dataset/dataset.ts';
import { changeEntriesOf, entriesOf } from '../dataset/draft.ts';
import { countOf, idsAcross } from '../dataset/ids.ts';
import { newDrafts } from '../dataset/new-drafts.ts';
import { changedCount } from '../floors/write-floor.ts';
import type { Scenario, ScenarioFamily, Site, Target } from '../scenario.ts';
import { createHistory, createWideTracker } from './artifact-data.ts';
import { chartNames, charts } from './charts.ts';
import { searches, searchNames } from './searches.ts';

/** So few that whatever remembers answers remembers all of them. */
const cachedCount = 100;
const bodyCount = 200;
const pageSize = 1000;
const historyLength = 200;
const historyPage = 50;
/** Longer than this nobody else's request may have to wait. */
const mostMs = 50;

const path = '/api/artifacts/';

/** All scenarios with artifacts run on the largest dataset, of the others only reading one. */
export function artifacts(sizes: number[], index: number): ScenarioFamily {
  const size = sizes[index] ?? 0;
  const isLargest = index === sizes.length - 1;
  const smallest = isLargest && index > 0 ? readName(sizes[0] ?? 0) : undefined;
  return {
    name: sizeName(size),
    scenarioNames: isLargest ? [readName(size), ...largestNames] : [readName(size)],
    artifacts: size,
    async prepare(site) {
      const dataset = datasetOf(site);
      const read = readAny(readName(size), dataset, smallest);
      return isLargest ? [read, ...(await onLargest(site, dataset))] : [read];
    },
  };
}

const largestNames = [
  'artifact-read-cached',
  'artifact-create',
  'artifact-update',
  'artifact-list',
  'artifact-list-wait',
  'tracker-read',
  'changesets',
  ...searchNames,
  ...chartNames,
];

function sizeName(size: number): string {
  if (size % 1_000_000 === 0) return `${size / 1_000_000}m`;
  return size % 1000 === 0 ? `${size / 1000}k` : String(size);
}

const readName = (size: number) => `artifact-read-${sizeName(size)}`;

function datasetOf({ dataset }: Site): Dataset {
  if (dataset === undefined) throw new Error('These scenarios need a dataset');
  return dataset;
}

async function onLargest(site: Site, dataset: Dataset): Promise<Scenario[]> {
  const wideTracker = await createWideTracker(site, dataset);
  const longHistory = await createHistory(site, dataset, historyLength);
  return [
    readCached(dataset),
    ...list(dataset),
    readTracker(wideTracker),
    readHistory(longHistory),
    ...(await searches(site, dataset)),
    ...charts(dataset),
    create(dataset),
    update(dataset),
  ];
}

function readAny(name: string, dataset: Dataset, smallest: string | undefined): Scenario {
  const flat: Target[] = smallest === undefined ? [] : [{ kind: 'flat', as: smallest, least: 0.8 }];
  return {
    name,
    traffic: { kind: 'walk', path, first: dataset.firstId, count: countOf(dataset) },
    floors: 'answers',
    targets: [
      { kind: 'share', of: 'http+sqlite', least: 0.45 },
      { kind: 'share', of: 'http+postgres', least: 0.6 },
      ...flat,
    ],
  };
}

function readCached(dataset: Dataset): Scenario {
  const ids = idsAcross(dataset, cachedCount);
  return {
    name: 'artifact-read-cached',
    traffic: { kind: 'any', requests: ids.map((id) => ({ method: 'GET', path: `${path}${id}` })) },
    floors: 'answers',
    targets: [
      { kind: 'share', of: 'http+sqlite', least: 0.8 },
      { kind: 'share', of: 'http+postgres', least: 0.8 },
    ],
  };
}

function create(dataset: Dataset): Scenario {
  const { form } = dataset;
  const tracker = { id: form.trackerId };
  const bodies = newDrafts(dataset, bodyCount).map((draft) =>
    JSON.stringify({ tracker, values: entriesOf(draft, form) }),
  );
  return {
    name: 'artifact-create',
    traffic: {
      kind: 'any',
      requests: bodies.map((body) => ({ method: 'POST', path: '/api/artifacts', body })),
    },
    floors: 'creations',
    targets: [
      { kind: 'share', of: 'sqlite', least: 0.5 },
      { kind: 'share', of: 'postgres', least: 0.5 },
    ],
  };
}

function update(dataset: Dataset): Scenario {
  const bodies = newDrafts(dataset, bodyCount).map((draft) =>
    JSON.stringify({ values: changeEntriesOf(draft, dataset.form) }),
  );
  return {
    name: 'artifact-update',
    traffic: { kind: 'edits', paths: idsAcross(dataset, changedCount).map((id) => `${path}${id}`), bodies },
    floors: 'changes',
    targets: [
      { kind: 'share', of: 'sqlite', least: 0.5 },
      { kind: 'share', of: 'postgres', least: 0.5 },
    ],
  };
}

/** The largest answer there is, alone; and how long a small one has to wait for it. */
function list(dataset: Dataset): Scenario[] {
  const pages = Math.max(1, Math.floor(countOf(dataset) / pageSize));
  const step = Math.max(1, Math.floor(pages / 20));
  const offsets = Array.from({ length: Math.min(pages, 20) }, (_, index) => index * step * pageSize);
  const query = `values=all&limit=${pageSize}`;
  const requests = offsets.map((offset) => ({
    method: 'GET' as const,
    path: `/api/trackers/${dataset.form.trackerId}/artifacts?${query}&offset=${offset}`,
  }));
  const traffic = { kind: 'any' as const, requests };
  return [
    {
      name: 'artifact-list',
      traffic,
      connections: 1,
      floors: 'answers',
    },
    {
      name: 'artifact-list-wait',
      traffic: { kind: 'walk', path, first: dataset.firstId, count: countOf(dataset) },
      connections: 1,
      paceMs: 5,
      beside: { traffic },
      floors: 'none',
      targets: [{ kind: 'latency', figure: 'maxMs', most: mostMs }],
    },
  ];
}

function readTracker(id: number): Scenario {
  return {
    name: 'tracker-read',
    traffic: { kind: 'any', requests: [{ method: 'GET', path: `/api/trackers/${id}` }] },
    connections: 1,
    floors: 'answers',
    targets: [{ kind: 'latency', figure: 'p99Ms', most: mostMs }],
  };
}

function readHistory(id: number): Scenario {
  const offsets = Array.from({ length: historyLength - historyPage + 1 }, (_, offset) => offset);
  const page = `${path}${id}/changesets?limit=${historyPage}`;
  return {
    name: 'changesets',
    traffic: {
      kind: 'any',
      requests: offsets.map((offset) => ({ method: 'GET', path: `${page}&offset=${offset}` })),
    },
    connections: 1,
    floors: 'answers',
    targets: [{ kind: 'latency', figure: 'p99Ms', most: mostMs }],
  };
}
