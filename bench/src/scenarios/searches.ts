import type { EngineName } from '../databases/home.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { countOf } from '../dataset/ids.ts';
import { rareWords } from '../dataset/texts.ts';
import type { Scenario, ScenarioRequest, Site, Target } from '../scenario.ts';
import { dayAt, dayCount, numbers } from './days.ts';

const pageSize = 50;
/** Milliseconds that half of the searches may take on SQLite. */
const most = { usual: 30, dates: 20, anyPart: 150 };
/** The same on PostgreSQL. */
const mostOnPostgres = { usual: 50, anyPart: 200 };

interface Search {
  name: string;
  most: number;
  /** On PostgreSQL, where it is not as much as most searches may take. */
  mostOnPostgres?: number;
  /** Where something else than the large tracker is asked. */
  trackerId?: number;
  /** Parts of the query string, which are asked in turn. */
  queries: string[];
}

const criteria = (value: unknown) => `query=${encodeURIComponent(JSON.stringify(value))}`;
const expert = (text: string) => `expert_query=${encodeURIComponent(text)}`;

/** What people look for, with values that differ from one time to the next. */
function searchesIn({ form, beside, firstId, lastId }: Dataset, sizeOfFifth: number): Search[] {
  const { status, severity, categories } = form.values;
  const usual = most.usual;
  const fifth = { status: status[0] };
  // Of the days that the dataset has.
  const tenth = dayCount / 10;
  const pages = Math.floor((lastId - firstId) / pageSize);
  const lastPage = Math.floor((sizeOfFifth - 1) / pageSize) * pageSize;
  return [
    {
      name: 'search-fifth',
      most: usual,
      queries: [criteria(fifth), ...categories.slice(0, 4).map((value) => criteria({ categories: value }))],
    },
    { name: 'search-two-fields', most: usual, queries: [criteria({ ...fifth, severity: severity[0] })] },
    {
      name: 'search-either',
      most: usual,
      queries: categories.map((value, index) =>
        criteria({ categories: [value, categories[(index + 1) % categories.length]] }),
      ),
    },
    { name: 'search-all', most: usual, queries: ['order=asc', 'order=desc'] },
    {
      name: 'search-all-far',
      most: usual,
      queries: [2, 3, 4].map((part) => `offset=${Math.floor(pages / part) * pageSize}`),
    },
    { name: 'search-parent', most: usual, queries: [expert('with parent'), expert('without parent')] },
    {
      name: 'search-last-page',
      most: usual,
      queries: [`${criteria(fifth)}&offset=${lastPage}`],
    },
    {
      name: 'search-dates',
      most: most.dates,
      queries: numbers(9).map((index) => {
        const value = [dayAt(index * tenth), dayAt((index + 1) * tenth - 1)];
        return criteria({ start_date: { operator: 'between', value } });
      }),
    },
    {
      name: 'search-numbers',
      most: usual,
      queries: [
        ...[2, 9, 15].map((points) => criteria({ points: `>${points}` })),
        ...['effort > 20', 'effort <= 30.5', 'points between(3, 12)', 'points = 7'].map(expert),
      ],
    },
    { name: 'search-word', most: usual, queries: rareWords.map((word) => criteria({ title: word })) },
    {
      name: 'search-comments',
      most: usual,
      queries: rareWords.map((word) => expert(`@comments = "${word}"`)),
    },
    {
      name: 'search-beside',
      most: usual,
      trackerId: beside.trackerId,
      queries: [
        criteria({ status: beside.values.status[0], severity: beside.values.severity[0] }),
        criteria({ start_date: { operator: 'between', value: [dayAt(0), dayAt(tenth - 1)] } }),
        ...rareWords.map((word) => criteria({ title: word })),
        expert('with parent'),
        'order=desc',
      ],
    },
    {
      name: 'search-any-part',
      most: most.anyPart,
      mostOnPostgres: mostOnPostgres.anyPart,
      queries: ['e', 'z', 'qu', 'in', 'Ł', 'the', 'page'].map((part) => criteria({ title: part })),
    },
  ];
}

/** What people type into a palette, letter by letter. */
const typed = [
  ...rareWords,
  ...rareWords.map((word) => word.slice(0, 4)),
  'page',
  'the',
  'qu',
  'e',
  'login page',
];

/** Things of every kind by their names; a few, without counting them. */
const quickSearch: Scenario = {
  name: 'quick-search',
  traffic: {
    kind: 'any',
    requests: typed.map((words) => ({
      method: 'GET',
      path: `/api/quick_search?words=${encodeURIComponent(words)}`,
    })),
  },
  connections: 1,
  floors: 'none',
  targets: [{ kind: 'latency', figure: 'p99Ms', most: 40, on: 'SQLite' }],
};

/** Words that many artifacts have, in titles, texts, comments and files: ranked, and with the exact number of all. */
const usualWords: Scenario = {
  name: 'search-usual-words',
  traffic: {
    kind: 'any',
    requests: ['page', 'the', 'login', 'customer'].map((words) => ({
      method: 'GET',
      path: `/api/search?words=${encodeURIComponent(words)}`,
    })),
  },
  connections: 1,
  floors: 'none',
  targets: [{ kind: 'latency', figure: 'p50Ms', most: most.usual, on: 'SQLite' }],
};

/** Rows of a table: as many as a page asks for at once, with twelve columns. */
function rowScenarios({ form: { trackerId } }: Dataset): Scenario[] {
  const columns = [
    'title,status,severity,categories,assigned_to,points,start_date',
    '@submitted_by,@submitted_on,@last_update_date,@comments,@rank',
  ].join(',');
  const path = `/api/trackers/${trackerId}/artifact_rows?limit=500&columns=${columns}`;
  const sorted = (name: string, sorts: string[], milliseconds: number): Scenario => ({
    name,
    traffic: {
      kind: 'any',
      requests: sorts.map((sort) => ({ method: 'GET', path: `${path}&sort=${sort}` })),
    },
    connections: 1,
    floors: 'none',
    targets: [{ kind: 'latency', figure: 'p50Ms', most: milliseconds, on: 'SQLite' }],
  });
  return [
    sorted('rows-by-id', ['id', '-id'], 25),
    sorted('rows-by-list', ['status', '-severity', 'severity&offset=250000'], 60),
    sorted('rows-by-two', ['status,-start_date', 'severity,title'], 150),
  ];
}

const requestsOf = ({ form }: Dataset, { queries, trackerId = form.trackerId }: Search): ScenarioRequest[] =>
  queries.map((query) => ({
    method: 'GET',
    path: `/api/trackers/${trackerId}/artifacts?limit=${pageSize}&${query}`,
  }));

export const searchNames = [
  'search-fifth',
  'search-two-fields',
  'search-either',
  'search-all',
  'search-all-far',
  'search-parent',
  'search-last-page',
  'search-dates',
  'search-numbers',
  'search-word',
  'search-comments',
  'search-beside',
  'search-any-part',
  'quick-search',
  'search-usual-words',
  'rows-by-id',
  'rows-by-list',
  'rows-by-two',
  'search-wait',
  'search-fair',
];

/** Searches one after the other, and how long a small request waits while they run. */
export async function searches(site: Site, dataset: Dataset): Promise<Scenario[]> {
  const known: { search: Search; requests: ScenarioRequest[] }[] = [];
  const fifth = criteria({ status: dataset.form.values.status[0] });
  const size = await site.api.sizeOf(`/api/trackers/${dataset.form.trackerId}/artifacts?limit=1&${fifth}`);
  for (const search of searchesIn(dataset, size)) {
    const requests = requestsOf(dataset, search);
    if (await understands(site, requests)) known.push({ search, requests });
    else console.error(`${search.name} is left out: the product does not understand it`);
  }
  const alone = known.map(
    ({ search, requests }): Scenario => ({
      name: search.name,
      traffic: { kind: 'any', requests },
      connections: 1,
      floors: 'none',
      targets: targetsOf(search),
    }),
  );
  return [
    ...alone,
    quickSearch,
    usualWords,
    ...rowScenarios(dataset),
    waiting(
      dataset,
      known.flatMap(({ requests }) => requests),
    ),
    fair(dataset),
  ];
}

function targetsOf({ most: onSqlite, mostOnPostgres: onPostgres = mostOnPostgres.usual }: Search): Target[] {
  const target = (on: EngineName, milliseconds: number): Target => ({
    kind: 'latency',
    figure: 'p50Ms',
    most: milliseconds,
    on,
  });
  return [target('SQLite', onSqlite), target('PostgreSQL', onPostgres)];
}

async function understands({ api }: Site, [first]: ScenarioRequest[]): Promise<boolean> {
  if (first === undefined) return false;
  try {
    await api.text(first);
    return true;
  } catch {
    return false;
  }
}

/** A thousand small requests a second, beside searches without a pause. */
function waiting(dataset: Dataset, requests: ScenarioRequest[]): Scenario {
  return {
    name: 'search-wait',
    traffic: { kind: 'walk', path: '/api/artifacts/', first: dataset.firstId, count: countOf(dataset) },
    connections: 10,
    paceMs: 10,
    beside: { traffic: { kind: 'any', requests } },
    floors: 'none',
    targets: [{ kind: 'latency', figure: 'p99Ms', most: 20, on: 'SQLite' }],
  };
}

/** Words that one person looks for, beside the dearest searches of another over four connections. */
function fair(dataset: Dataset): Scenario {
  const search = (title: string): ScenarioRequest[] =>
    requestsOf(dataset, { name: '', most: 0, queries: [criteria({ title })] });
  const patterns = ['/(a|e|o)+.*(q|z)$/', '/(.+ )+x{3}/', '/[a-z]+(er|ed).*Ł/'];
  return {
    name: 'search-fair',
    traffic: { kind: 'any', requests: rareWords.flatMap(search) },
    connections: 1,
    paceMs: 20,
    beside: {
      traffic: { kind: 'any', requests: patterns.flatMap(search) },
      connections: 4,
      accessKey: dataset.adminKey,
    },
    floors: 'none',
    targets: [{ kind: 'latency', figure: 'p99Ms', most: 100 }],
  };
}
