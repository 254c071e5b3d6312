import { type Page, type Slice, slice } from '../../kernel/paging.ts';
import type { IdPage } from '../../search/index.ts';
import { isOpen } from '../open.ts';
import { isVisible, type ReadContext, requireTracker, viewFor } from '../visibility.ts';

/** Open artifacts of the parent tracker that the viewer may see, newest first. Runs off the event loop. */
export async function findParentArtifacts(
  readContext: ReadContext,
  { trackerId, limit, offset }: Page & { trackerId: number },
): Promise<IdPage> {
  const { reader, viewer } = readContext;
  const { tracker } = await requireTracker(readContext, trackerId);
  const parent = tracker.parentId === null ? undefined : await viewFor(readContext, tracker.parentId);
  if (parent === undefined) return { ids: [], size: 0 };
  const query = reader.sql
    .selectFrom('artifact')
    .where('tracker_id', '=', parent.tracker.id)
    .where(isVisible(parent, viewer))
    .where(isOpen(parent));
  const counted = await reader.first(query.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await reader.all(query.select('id').orderBy('id', 'desc').limit(limit).offset(offset));
  return { ids: rows.map(({ id }) => id), size: counted?.size ?? 0 };
}

export interface UsedLinkType {
  readonly shortname: string;
  readonly forwardLabel: string;
}

/** Types of the present links from artifacts of the tracker. Runs off the event loop. */
export async function findUsedLinkTypes(
  readContext: ReadContext,
  { trackerId, ...page }: Page & { trackerId: number },
): Promise<Slice<UsedLinkType>> {
  const { reader } = readContext;
  await requireTracker(readContext, trackerId);
  const known = await reader.all(reader.sql.selectFrom('link_type').select(['shortname', 'forward_label']));
  const labels = new Map(known.map((row) => [row.shortname, row.forward_label]));
  const used = await reader.all(
    reader.sql
      .selectFrom('artifact_link')
      .innerJoin('artifact', 'artifact.id', 'artifact_link.source_id')
      .select('artifact_link.type')
      .distinct()
      .where('artifact.tracker_id', '=', trackerId)
      .orderBy('artifact_link.type'),
  );
  return slice(
    used.map(({ type }) => ({ shortname: type, forwardLabel: labels.get(type) ?? '' })),
    page,
  );
}
