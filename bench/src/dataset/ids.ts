import { strideFor } from '../load/script.ts';
import type { Dataset } from './dataset.ts';

export const countOf = ({ firstId, lastId }: Dataset) => lastId - firstId + 1;

/** Ids of that many artifacts from all over the tracker, or of all when there are fewer. */
export function idsAcross(dataset: Dataset, wanted: number): number[] {
  const count = countOf(dataset);
  const stride = strideFor(count);
  return Array.from(
    { length: Math.min(wanted, count) },
    (_, index) => dataset.firstId + ((index * stride) % count),
  );
}
