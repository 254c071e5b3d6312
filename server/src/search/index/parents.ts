import { sql } from '../../storage/index.ts';
import type { Condition, TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import { canReadLinks, isIdOfVisible, viewsFor } from '../visibility.ts';
import { LinkedTrackers } from './linked-trackers.ts';
import type { SearchScope } from './predicates.ts';
import type { SqlPiece } from './sql.ts';

const childType = '_is_child';

/** Artifacts that have a parent which the viewer sees. */
export const hasParent: Condition = {
  is: 'linked',
  direction: 'reverse',
  type: childType,
  end: { is: 'anything' },
};

/** How the viewer sees the trackers that parents of a tracker's artifacts can be in: those whose links they may read. */
export async function viewsOfParents(
  readContext: ReadContext,
  { tracker }: TrackerView,
): Promise<readonly TrackerView[]> {
  const ids = await new LinkedTrackers(readContext.reader).from(tracker.id, 'reverse');
  return (await viewsFor(readContext, ids)).filter(canReadLinks);
}

/**
 * The artifacts of a tracker that have a parent, each once as `child` with its `parent`. Of several parents that the viewer sees the one
 * with the smallest id counts, as rows show it; one that they do not see is none.
 */
export function parentRows({ view, viewer }: SearchScope, views: readonly TrackerView[]): SqlPiece {
  const seen = isIdOfVisible('artifact_link.source_id', { views, isRestricted: false }, viewer);
  return sql`select artifact_link.target_id as child, min(artifact_link.source_id) as parent from artifact_link
    inner join artifact as linked on linked.id = artifact_link.target_id
    where linked.tracker_id = ${view.tracker.id} and artifact_link.type = ${childType} and ${seen}
    group by artifact_link.target_id`;
}
