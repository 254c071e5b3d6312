import type { Instant } from '../../kernel/clock.ts';
import type { Page, Slice } from '../../kernel/paging.ts';
import type { Reader } from '../../storage/index.ts';
import type { Tracker } from '../../trackers/index.ts';
import { type ReadContext, viewFor } from '../visibility.ts';

/** A deleted artifact that can be brought back. */
export interface DeletedArtifact {
  readonly id: number;
  readonly tracker: Tracker;
  readonly title: string | null;
  readonly deletedOn: Instant;
  readonly deletedBy: number;
}

export interface DeletedListing extends Page {
  readonly trackerId: number | undefined;
}

const archived = ({ sql }: Reader) => sql.selectFrom('deleted_artifact').where('archive', 'is not', null);

/** The trackers with deleted artifacts that the viewer administers. */
async function administered(
  readContext: ReadContext,
  only: number | undefined,
): Promise<ReadonlyMap<number, Tracker>> {
  const query = archived(readContext.reader).select('tracker_id').distinct();
  const rows = await readContext.reader.all(
    only === undefined ? query : query.where('tracker_id', '=', only),
  );
  const trackers = new Map<number, Tracker>();
  for (const { tracker_id } of rows) {
    const view = await viewFor(readContext, tracker_id);
    if (view?.isAdmin) trackers.set(tracker_id, view.tracker);
  }
  return trackers;
}

/** Deleted artifacts of the trackers that the viewer administers, the last one first. */
export async function listDeleted(
  readContext: ReadContext,
  { trackerId, limit, offset }: DeletedListing,
): Promise<Slice<DeletedArtifact>> {
  const trackers = await administered(readContext, trackerId);
  if (trackers.size === 0) return { items: [], size: 0 };
  const own = archived(readContext.reader).where('tracker_id', 'in', [...trackers.keys()]);
  const counted = await readContext.reader.first(own.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await readContext.reader.all(
    own.selectAll().orderBy('deleted_on', 'desc').orderBy('artifact_id', 'desc').limit(limit).offset(offset),
  );
  const items = rows.flatMap((row): DeletedArtifact[] => {
    const tracker = trackers.get(row.tracker_id);
    const { artifact_id: id, title, deleted_on: deletedOn, deleted_by: deletedBy } = row;
    return tracker === undefined ? [] : [{ id, tracker, title, deletedOn, deletedBy }];
  });
  return { items, size: counted?.size ?? 0 };
}
