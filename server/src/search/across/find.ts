import { type FindingPage, type IdPage, search, type Target } from '../index/find.ts';
import type { ReadContext } from '../visibility.ts';
import type { Order } from './order.ts';
import { pageOfRows } from './sorted-rows.ts';
import { pageOfSets } from './sorted-sets.ts';

/** A page of what is found in several trackers, each with a condition of its own, in one order. */
export function findAcross(
  readContext: ReadContext,
  targets: readonly Target[],
  order: Order,
  page: Omit<FindingPage, 'isDescending'>,
): Promise<IdPage> {
  const pageIn = readContext.reader.foldsPostings ? pageOfSets : pageOfRows;
  return search(readContext, page, (finding) => pageIn(finding, targets, order, page));
}
