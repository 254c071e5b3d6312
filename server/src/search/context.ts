import type { Viewer } from '../kernel/viewer.ts';
import {
  type Database,
  isSameRevisions,
  type Reader,
  type Revisions,
  readRevisions,
} from '../storage/index.ts';
import type { Trackers, TrackerView } from '../trackers/index.ts';

/** What every read is handed: what it reads from, for whom, and what is known of trackers at that moment. */
export interface ReadContext {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly trackers: Trackers;
  readonly revisions: Revisions;
  /** Whether the revisions are those that were told here last, so that it has to be looked whether they still hold. */
  readonly areRecent?: boolean;
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

/** What was recalled is not what is. */
class OldRevisions extends Error {}

/**
 * The context of reads that see one state, in which revisions that were recalled are looked up together with all else. What the reads
 * give is worth something only once `prove` was waited for.
 */
export function provable(
  { areRecent, ...readContext }: ReadContext,
  reader: Reader,
): { readonly readContext: ReadContext; prove(): Promise<void> } {
  const present = areRecent ? readRevisions(reader) : undefined;
  // Whoever waits for it below hears of its fault, unless another came first.
  present?.catch(() => {});
  return {
    readContext: { ...readContext, reader },
    async prove() {
      if (present !== undefined && !isSameRevisions(await present, readContext.revisions))
        throw new OldRevisions();
    },
  };
}

/**
 * Runs a read that looks itself whether what was recalled still holds (`provable`): over a network that spares it the wait for the revisions
 * before it can begin. Where they are others by now it is run once more, and so is one that was refused by what was true before.
 */
async function withRecent<T>(
  reader: Reader,
  look: (revisions?: Revisions) => Promise<ReadContext>,
  read: (readContext: ReadContext) => Promise<T>,
): Promise<T> {
  const recent = reader.recentRevisions?.();
  if (recent === undefined) return read(await look());
  try {
    return await read(await look(recent));
  } catch (error) {
    const readContext = await look();
    if (!(error instanceof OldRevisions) && isSameRevisions(readContext.revisions, recent)) throw error;
    return read(readContext);
  }
}

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

/** The same for reads all of which are searches of the index, which prove what was recalled. */
export function provenSearchesIn<Table extends ContextReads>(
  trackers: Trackers,
  table: Table,
): SearchesOf<Table> {
  const entries = Object.entries(table).map(([name, read]) => [
    name,
    (reader: Reader, viewer: Viewer, input: never) =>
      withRecent(
        reader,
        async (recent) =>
          recent === undefined
            ? readContextIn(reader, viewer, trackers)
            : { reader, viewer, trackers, revisions: recent, areRecent: true },
        (readContext) => read(readContext, input),
      ),
  ]);
  return Object.fromEntries(entries) as SearchesOf<Table>;
}
