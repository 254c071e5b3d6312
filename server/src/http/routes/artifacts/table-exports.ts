import {
  type Artifact,
  type ArtifactWalk,
  type CsvColumn,
  exportColumns,
  gather,
  type ReadContext,
} from '../../../artifacts/index.ts';
import { second } from '../../../kernel/clock.ts';
import { csvLine, escapeFormula, type Separator } from '../../../kernel/csv.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { cellsOf, type Frame } from '../../../present/index.ts';
import type { TrackerView } from '../../../trackers/index.ts';
import { type Answering, ArtifactParts, loadPeople, presentationOf, type Writing } from '../../in-parts.ts';
import { type Answer, TextParts } from '../../route.ts';
import type { Services } from '../../services.ts';
import { asArtifacts } from './artifacts.ts';

/** Ids that are found at once: each time costs a search. */
const foundAtOnce = 10_000;

/** What requests call the separators. */
export const separators: Readonly<Record<'comma' | 'semicolon' | 'tab', Separator>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
};

/** The ids of a search, page by page. Nothing is held open in between, so that an export of any length costs nobody else. */
async function* foundIds(
  { searches, config }: Services,
  viewer: Viewer,
  { trackerId, search }: Pick<ArtifactWalk, 'trackerId' | 'search'>,
): AsyncGenerator<readonly number[]> {
  const patience = config.searchSeconds * second;
  const step = { trackerId, search, limit: foundAtOnce, patience };
  for (let after = 0; ; ) {
    const ids = await searches.findArtifactsAfter(viewer, { ...step, after });
    yield ids;
    if (ids.length < foundAtOnce) return;
    after = ids.at(-1) ?? after;
  }
}

/** The same in an order of their own. Each page is sorted anew, so that what changes meanwhile may come twice or not at all. */
async function* sortedIds(
  { searches, config }: Services,
  viewer: Viewer,
  {
    trackerId,
    search,
    sort,
  }: Pick<ArtifactWalk, 'trackerId' | 'search'> & { readonly sort: readonly string[] },
): AsyncGenerator<readonly number[]> {
  const patience = config.searchSeconds * second;
  for (let offset = 0; ; offset += foundAtOnce) {
    const page = { trackerId, search, sort, limit: foundAtOnce, offset, patience };
    const { ids } = await searches.findRows(viewer, page);
    yield ids;
    if (ids.length < foundAtOnce) return;
  }
}

/** Those of found ids that were asked for. */
async function* among(
  pages: AsyncIterable<readonly number[]>,
  ids: ReadonlySet<number>,
): AsyncGenerator<readonly number[]> {
  for await (const page of pages) yield page.filter((id) => ids.has(id));
}

/** The cells of artifacts, as exports write them. */
export async function tableCells(
  services: Services,
  readContext: ReadContext,
  artifacts: readonly Artifact[],
  columns: readonly CsvColumn[],
): Promise<readonly (readonly string[])[]> {
  const presentation = await presentationOf(services, readContext);
  const related = await gather(readContext, artifacts);
  const write = () => artifacts.map((artifact) => cellsOf(artifact, related, presentation, columns));
  const cells = write();
  if (!presentation.people.isIncomplete) return cells;
  await loadPeople(readContext, presentation.people);
  return write();
}

const asCsvLines = (columns: readonly CsvColumn[], separator: Separator): Writing => ({
  gather: (readContext, artifacts) => gather(readContext, artifacts),
  text: (artifact, related, presentation) =>
    csvLine(cellsOf(artifact, related, presentation, columns).map(escapeFormula), separator),
});

/** Lines of JSON have artifacts as lists of artifacts do, with the values of the chosen fields. */
function asJsonLines(columns: readonly CsvColumn[] | undefined): Writing {
  const fieldsOf = (view: TrackerView) =>
    columns?.flatMap(({ field }) => (field !== undefined && view.canRead(field) ? field : [])) ?? view.shown;
  const { gather: fetch, text, parts } = asArtifacts({ collection: true, byField: false, fieldsOf });
  return {
    gather: fetch,
    text: (...about) => `${text(...about)}\n`,
    *parts(...about) {
      yield* parts?.(...about) ?? [];
      yield '\n';
    },
  };
}

const bom = '\uFEFF';

/** What is exported, and how. */
export interface ExportRequest {
  readonly search: ArtifactWalk['search'];
  readonly format: 'csv' | 'jsonl';
  /** Names of what rows are sorted by; none: their ids. */
  readonly sort: readonly string[];
  /** Names of columns; none: all that there are. */
  readonly columns: readonly string[];
  /** Those alone of what is found; undefined: all. */
  readonly ids: ReadonlySet<number> | undefined;
  readonly separator: Separator;
  readonly withBom: boolean;
}

/** All artifacts of a search of a tracker as one text, sent while it is made. */
export function exportAnswer(
  services: Services,
  answering: Answering,
  view: TrackerView,
  { search, sort, format, columns: names, ids, separator, withBom }: ExportRequest,
): Answer<undefined> {
  const columns = exportColumns(view, names);
  const { id: trackerId, itemName } = view.tracker;
  const headers = { 'Content-Disposition': `attachment; filename="${itemName}.${format}"` };
  const isShown = ({ row }: Artifact) => row.tracker_id === trackerId;
  const lines = (writing: Writing, frame: Frame) => {
    const found =
      sort.length === 0
        ? foundIds(services, answering.viewer, { trackerId, search })
        : sortedIds(services, answering.viewer, { trackerId, search, sort });
    const pages = ids === undefined ? found : among(found, ids);
    return new ArtifactParts(services, answering, pages, { ...writing, isShown }, frame);
  };
  if (format === 'jsonl') {
    const writing = asJsonLines(names.length === 0 ? undefined : columns);
    const parts = lines(writing, { before: '', between: '', after: '' });
    return { body: new TextParts('application/x-ndjson; charset=utf-8', parts), headers };
  }
  const header = csvLine(
    columns.map(({ name }) => escapeFormula(name)),
    separator,
  );
  const frame = { before: (withBom ? bom : '') + header, between: '', after: '' };
  const parts = lines(asCsvLines(columns, separator), frame);
  return { body: new TextParts('text/csv; charset=utf-8; header=present', parts), headers };
}
