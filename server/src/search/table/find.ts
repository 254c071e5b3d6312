import type { Condition, TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import {
  directionOfIds,
  type FindingPage,
  findIds,
  type IdPage,
  search,
  type TableOrder,
} from '../index/index.ts';

/** A page of the artifacts of a tracker that meet the condition and that the viewer may see, in this order, and their exact number. */
export function findSorted(
  readContext: ReadContext,
  view: TrackerView,
  condition: Condition,
  { order, ...page }: Omit<FindingPage, 'isDescending'> & { readonly order: TableOrder },
): Promise<IdPage> {
  const direction = directionOfIds(order);
  if (direction !== undefined) return findIds(readContext, view, condition, { ...page, ...direction });
  return search(readContext, page, (finding) =>
    finding.index.tablePage(finding, { view, condition }, order, page),
  );
}
