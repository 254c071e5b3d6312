import { search } from '../index/find.ts';
import type { FindingPage, IdPage, Target } from '../index/search-index.ts';
import type { Order } from '../index/sort-order.ts';
import type { ReadContext } from '../visibility.ts';

/** A page of what is found in several trackers, each with a condition of its own, in one order. */
export function findAcross(
  readContext: ReadContext,
  targets: readonly Target[],
  order: Order,
  page: Omit<FindingPage, 'isDescending'>,
): Promise<IdPage> {
  return search(readContext, page, (finding) => finding.index.sortedPage(finding, targets, order, page));
}
