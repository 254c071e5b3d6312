import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Artifact,
  type ArtifactWalk,
  type Column,
  exportColumns,
  gather,
  readArtifacts,
  type Sight,
  sightOf,
} from '../artifacts/index.ts';
import { second } from '../kernel/clock.ts';
import { csvLine, harmless, type Separator } from '../kernel/csv.ts';
import type { Viewer } from '../kernel/viewer.ts';

import type { TrackerView } from '../trackers/index.ts';
import { artifactText } from './present/artifacts.ts';
import { cellsOf } from './present/cells.ts';
import { type Answer, TextParts } from './route.ts';
import { mannerOf, written } from './routes/artifacts.ts';
import type { Services } from './services.ts';

/** Artifacts that are read and written in one turn of the event loop. */
const chunk = 50;
/** Ids that are found at once: each time costs a search. */
const foundAtOnce = 10_000;

/** What requests call the separators. */
export const separators: Readonly<Record<'comma' | 'semicolon' | 'tab', Separator>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
};

/** Writes artifacts that the viewer sees, each as a line. */
type WriteLines = (sight: Sight, artifacts: readonly Artifact[]) => Promise<string>;

/** All artifacts of a search by id. Nothing is held open in between, so that an export of any length costs nobody else. */
async function* walk(
  services: Services,
  viewer: Viewer,
  { trackerId, selection }: { readonly trackerId: number; readonly selection: ArtifactWalk['selection'] },
  write: WriteLines,
): AsyncGenerator<string> {
  const { database, searches, trackers, config } = services;
  const patience = config.searchSeconds * second;
  const step = { trackerId, selection, limit: foundAtOnce, patience };
  for (let after = 0; ; ) {
    const ids = await searches.findArtifactsAfter(viewer, { ...step, after });
    for (let start = 0; start < ids.length; start += chunk) {
      await nextTurn();
      // Time has passed: who may see what is looked at anew.
      const sight = await sightOf(database, viewer, trackers);
      const artifacts = await readArtifacts(sight, ids.slice(start, start + chunk));
      yield await write(
        sight,
        artifacts.filter(({ row }) => row.tracker_id === trackerId),
      );
    }
    if (ids.length < foundAtOnce) return;
    after = ids.at(-1) ?? after;
  }
}

async function* behind(first: string, parts: AsyncIterable<string>): AsyncGenerator<string> {
  // What the search refuses must come before anything is sent.
  let head = first;
  for await (const part of parts) {
    yield head + part;
    head = '';
  }
  if (head !== '') yield head;
}

/** The cells of artifacts, as exports write them. */
export async function tableCells(
  services: Services,
  sight: Sight,
  artifacts: readonly Artifact[],
  columns: readonly Column[],
): Promise<readonly (readonly string[])[]> {
  const manner = await mannerOf(services, sight);
  const surroundings = await gather(sight, artifacts);
  const write = () => artifacts.map((artifact) => cellsOf(artifact, surroundings, manner, columns));
  const cells = write();
  if (!manner.people.isIncomplete) return cells;
  await manner.people.load(sight.reader);
  return write();
}

const csvLines =
  (services: Services, columns: readonly Column[], separator: Separator): WriteLines =>
  async (sight, artifacts) => {
    const rows = await tableCells(services, sight, artifacts, columns);
    return rows.map((cells) => csvLine(cells.map(harmless), separator)).join('');
  };

/** Lines of JSON have artifacts as lists of artifacts do, with the values of the chosen fields. */
const jsonLines =
  (services: Services, columns: readonly Column[] | undefined): WriteLines =>
  async (sight, artifacts) => {
    const manner = await mannerOf(services, sight);
    const surroundings = await gather(sight, artifacts);
    const forms = { collection: true, byField: false };
    const shownIn = (view: TrackerView) =>
      columns === undefined
        ? view.shown
        : columns.flatMap(({ field }) => (field !== undefined && view.canRead(field) ? field : []));
    const lineOf = (artifact: Artifact) => {
      const view = { ...artifact.view, shown: shownIn(artifact.view) };
      return `${artifactText({ ...artifact, view }, surroundings, manner, forms)}\n`;
    };
    return written(sight, manner, () => artifacts.map(lineOf).join(''));
  };

const mark = '\uFEFF';

/** What is exported, and how. */
export interface ExportWish {
  readonly selection: ArtifactWalk['selection'];
  readonly format: 'csv' | 'jsonl';
  /** Names of columns; none: all that there are. */
  readonly columns: readonly string[];
  readonly separator: Separator;
  readonly withMark: boolean;
}

/** All artifacts of a search of a tracker as one text, sent while it is made. */
export function exportAnswer(
  services: Services,
  viewer: Viewer,
  view: TrackerView,
  { selection, format, columns: names, separator, withMark }: ExportWish,
): Answer<undefined> {
  const columns = exportColumns(view, names);
  const { id: trackerId, itemName } = view.tracker;
  const headers = { 'Content-Disposition': `attachment; filename="${itemName}.${format}"` };
  const linesBy = (write: WriteLines) => walk(services, viewer, { trackerId, selection }, write);
  if (format === 'jsonl') {
    const lines = linesBy(jsonLines(services, names.length === 0 ? undefined : columns));
    return { body: new TextParts('application/x-ndjson; charset=utf-8', behind('', lines)), headers };
  }
  const header = csvLine(
    columns.map(({ name }) => harmless(name)),
    separator,
  );
  const lines = behind((withMark ? mark : '') + header, linesBy(csvLines(services, columns, separator)));
  return { body: new TextParts('text/csv; charset=utf-8; header=present', lines), headers };
}
