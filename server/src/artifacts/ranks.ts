export { rankColumn } from '../search/index.ts';

/**
 * Every artifact has a rank of its own among all artifacts: a number whose order alone means something. An artifact is
 * made with its id times this step as its rank, which nobody else ever gets; so new ones come last without looking at
 * any other, and between two of them there is room for those that are moved.
 */
export const rankStep = 2 ** 20;

export const rankOf = ({ id, rank }: { readonly id: number; readonly rank: number | null }) =>
  rank ?? id * rankStep;

/** Ranks strictly between two others. */
export interface Gap {
  readonly above: number;
  readonly below: number;
}

/** So far apart, ranks can be shifted by one without meeting. */
const leastDistance = 3;

export const fits = ({ above, below }: Gap, count: number) => (below - above) / (count + 1) >= leastDistance;

/** Ranks for so many artifacts, evenly over a gap that they fit in, and none that an artifact is made with. */
export function spread({ above, below }: Gap, count: number): number[] {
  const distance = (below - above) / (count + 1);
  return Array.from({ length: count }, (_, index) => {
    const rank = Math.floor(above + distance * (index + 1));
    return rank % rankStep === 0 ? rank + 1 : rank;
  });
}

/** Up to this many doublings a stretch has one artifact that was made in it. */
const ownLevel = 20;

/**
 * How many artifacts a stretch of 2^level ranks takes before it counts as crowded. A stretch is spread evenly only when
 * it is not crowded itself, after which the shorter ones in it are far from it; so a move costs, taken over many moves, no
 * more than the logarithm of the number of artifacts. Longer stretches must also hold what was made in them.
 */
export const capacityOf = (level: number) =>
  Math.floor(1.25 ** Math.min(level, ownLevel) * 1.66 ** Math.max(0, level - ownLevel));

export interface Ranked {
  readonly id: number;
  readonly rank: number;
}
