import type { Viewer } from '../kernel/viewer.ts';
import { type Database, type Reader, type Revisions, readRevisions } from '../storage/index.ts';
import type { Trackers, TrackerView } from '../trackers/index.ts';

/** What every read is handed: what it reads from, for whom, and what is known of trackers at that moment. */
export interface ReadContext {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly trackers: Trackers;
  readonly revisions: Revisions;
  /** Whether things are looked at where they are: there, site administrators see what is in a deleted project, too. */
  readonly isOnTheSpot?: boolean;
}

/** What a viewer may see now. */
export async function readContextOf(
  database: Database,
  viewer: Viewer,
  trackers: Trackers,
): Promise<ReadContext> {
  return { reader: database, viewer, trackers, revisions: await database.revisions() };
}

/** What a viewer may see as this reader has it: within a transaction, or while a search runs. */
export async function readContextIn(
  reader: Reader,
  viewer: Viewer,
  trackers: Trackers,
): Promise<ReadContext> {
  return { reader, viewer, trackers, revisions: await readRevisions(reader) };
}

/** The view of a tracker; refuses where the viewer may see nothing of it. */
export const requireTracker = (
  { reader, viewer, trackers, revisions }: ReadContext,
  trackerId: number,
): Promise<TrackerView> => trackers.require(reader, viewer, trackerId, revisions);

/** Reads of a room by name: each takes the context and what is asked for. */
type ContextReads = Readonly<Record<string, (readContext: ReadContext, input: never) => Promise<unknown>>>;

type SearchesOf<Table extends ContextReads> = {
  readonly [Name in keyof Table]: Table[Name] extends (
    readContext: ReadContext,
    input: infer Input,
  ) => Promise<infer Output>
    ? (reader: Reader, viewer: Viewer, input: Input) => Promise<Output>
    : never;
};

/** A plain list of reads as searches, which run off the event loop: each gets its context as it begins. */
export function searchesIn<Table extends ContextReads>(trackers: Trackers, table: Table): SearchesOf<Table> {
  const entries = Object.entries(table).map(([name, read]) => [
    name,
    async (reader: Reader, viewer: Viewer, input: never) =>
      read(await readContextIn(reader, viewer, trackers), input),
  ]);
  return Object.fromEntries(entries) as SearchesOf<Table>;
}
