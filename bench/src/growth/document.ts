import type { EngineName } from '../databases/home.ts';
import type { machineFacts } from '../machine.ts';
import type { Cost, SizeFigures } from './growth.ts';
import { type Line, pictureOf } from './picture.ts';

/** What stands in the document, in words, and whether it is a line of the picture. */
const operations: readonly (readonly [scenario: string, words: string, isDrawn?: true])[] = [
  ['artifact-read', 'read an artifact', true],
  ['artifact-read-cached', 'read one that was read lately'],
  ['artifact-update', 'change one (PUT with If-Match)', true],
  ['artifact-create', 'create one', true],
  ['changesets', '50 changes of one with 200'],
  ['tracker-read', 'read a tracker of 40 fields'],
  ['artifact-list', 'list of 1000 with all values'],
  ['rows-by-id', '500 rows of a table', true],
  ['rows-by-list', '500 rows, sorted by a list'],
  ['rows-by-two', '500 rows, sorted by two fields', true],
  ['search-fifth', 'search: a value of a fifth of all', true],
  ['search-two-fields', 'search: values of two fields'],
  ['search-either', 'search: either of two values'],
  ['search-all', 'all, the first page'],
  ['search-all-far', 'all, a page far behind'],
  ['search-parent', 'search: with or without parent'],
  ['search-last-page', 'search: the last page'],
  ['search-dates', 'search: days of a tenth'],
  ['search-numbers', 'search: numbers', true],
  ['search-word', 'search: a rare word'],
  ['search-usual-words', 'search: usual words'],
  ['search-comments', 'search: a word of comments'],
  ['search-any-part', 'search: any part of a title', true],
  ['search-beside', 'the same in a small tracker beside it'],
  ['quick-search', 'words in the palette'],
  ['counts-by-two', 'chart: counts by two fields'],
  ['trend-states', 'chart: states on each day of a year'],
  ['trend-flow', 'chart: created and closed on each day of a year'],
  ['trend-effort', 'chart: effort on each day of a year'],
];

const costOf = (figures: SizeFigures | undefined, scenario: string): Cost | undefined =>
  figures?.costs.find((cost) => cost.scenario === scenario);

const times = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
const count = (value: number) => value.toLocaleString('en').replaceAll(',', ' ');
const megabytes = (bytes: number) => `${count(Math.round(bytes / 1e6))} MB`;

function tableOf(ofEngine: readonly SizeFigures[]): string[] {
  const [smallest] = ofEngine;
  const largest = ofEngine.at(-1);
  const unit = costOf(smallest, 'artifact-read')?.p50Ms ?? 1;
  const known = operations.filter(([scenario]) =>
    ofEngine.some((one) => costOf(one, scenario) !== undefined),
  );
  const rows = known.map(([scenario, words]) => {
    const cells = ofEngine.map((one) => {
      const cost = costOf(one, scenario);
      return cost === undefined ? '–' : times(cost.p50Ms / unit);
    });
    const [from, to] = [costOf(smallest, scenario), costOf(largest, scenario)];
    const growth = from === undefined || to === undefined ? '–' : `${times(to.p50Ms / from.p50Ms)}×`;
    return `| ${words} | ${cells.join(' | ')} | ${growth} |`;
  });
  return [
    `| | ${ofEngine.map(({ artifacts }) => count(artifacts)).join(' | ')} | grows |`,
    `|---|${ofEngine.map(() => '--:').join('|')}|--:|`,
    ...rows,
  ];
}

function factsOf(ofEngine: readonly SizeFigures[]): string[] {
  const row = (words: string, cell: (one: SizeFigures) => string) =>
    `| ${words} | ${ofEngine.map(cell).join(' | ')} |`;
  return [
    `| | ${ofEngine.map(({ artifacts }) => count(artifacts)).join(' | ')} |`,
    `|---|${ofEngine.map(() => '--:').join('|')}|`,
    row('seconds until a start is ready', ({ startSeconds }) => startSeconds.toFixed(1)),
    row('memory of the process after all of it', ({ memoryMb }) =>
      memoryMb === undefined ? '–' : `${Math.round(memoryMb)} MB`,
    ),
    row('database and files on the disk', ({ bytes }) => megabytes(bytes)),
    row('bytes for each artifact', ({ bytes, artifacts }) => count(Math.round(bytes / artifacts))),
  ];
}

function linesOf(ofEngine: readonly SizeFigures[]): Line[] {
  const [smallest] = ofEngine;
  return operations
    .filter(([, , isDrawn]) => isDrawn === true)
    .flatMap(([scenario, name]) => {
      const unit = costOf(smallest, scenario)?.p50Ms;
      if (unit === undefined) return [];
      const points = ofEngine.flatMap((one) => {
        const cost = costOf(one, scenario);
        return cost === undefined ? [] : [{ artifacts: one.artifacts, times: cost.p50Ms / unit }];
      });
      return [{ name, points }];
    });
}

/** The document, and the pictures that it shows by their names. */
export function documentOf(
  all: readonly SizeFigures[],
  machine: ReturnType<typeof machineFacts>,
): { readonly text: string; readonly pictures: ReadonlyMap<string, string> } {
  const engines: readonly EngineName[] = [...new Set(all.map(({ engine }) => engine))];
  const pictures = new Map<string, string>();
  const parts = engines.flatMap((engine) => {
    const ofEngine = all.filter((one) => one.engine === engine);
    const unit = costOf(ofEngine[0], 'artifact-read')?.p50Ms ?? 0;
    const picture = `growth-${engine.toLowerCase()}.svg`;
    pictures.set(picture, pictureOf(`Costs on ${engine} by the size of a tracker`, linesOf(ofEngine)));
    return [
      `## ${engine}`,
      `The unit is the read of one artifact in the smallest tracker, ${unit.toFixed(2)} ms on the machine below: half of the requests took less than so many units.`,
      '',
      ...tableOf(ofEngine),
      '',
      `![How costs grow on ${engine}](pictures/${picture})`,
      '',
      ...factsOf(ofEngine),
      '',
    ];
  });
  const text = [
    '# Performance',
    '',
    'This page is written by `npm run bench -- growth --out docs/performance.md`. It asks trackers of several sizes for the same, one client',
    'alone, so a figure is what somebody waits for when nobody else is there; [the bench](../bench/README.md) says what many clients get together.',
    'Times differ from machine to machine, ratios much less: what does not grow with a tracker stays at 1×.',
    '',
    ...parts,
    '## The machine',
    `${machine.platform}, ${machine.cores} cores (${machine.cpu}), ${count(machine.memoryMb)} MB of memory, Node ${machine.node}. Service, database and client share the cores. PostgreSQL is`,
    'the one that the tests use, with its own settings, durable.',
    '',
  ].join('\n');
  return { text, pictures };
}
