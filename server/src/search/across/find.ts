import type { ReadContext } from '../context.ts';
import { type FindingPage, type IdPage, type Order, search, type Target } from '../index/index.ts';

/** A page of what is found in several trackers, each with a condition of its own, in one order. */
export function findAcross(
  readContext: ReadContext,
  targets: readonly Target[],
  order: Order,
  page: Omit<FindingPage, 'isDescending'>,
): Promise<IdPage> {
  return search(readContext, page, (finding) => finding.index.sortedPage(finding, targets, order, page));
}
