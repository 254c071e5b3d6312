import type { Database, Revisions } from '../storage/index.ts';
import type { Artifact } from './model.ts';
import { findState } from './store.ts';
import type { Surroundings } from './surroundings.ts';

const isSame = (left: Revisions, right: Revisions) =>
  left.identity === right.identity && left.structure === right.structure;

/**
 * Whether what was read of an artifact still holds, told from its two counters and the revisions alone. Undefined where
 * they do not tell everything: sums that are not kept yet change with artifacts far away, and charts with the hour.
 */
export function freshnessOf({ row }: Artifact, { isCounted }: Surroundings, revisions: Revisions) {
  if (!isCounted) return undefined;
  let mark: number | undefined;
  return {
    async holds(database: Database): Promise<boolean> {
      const now = database.changeMark();
      if (now !== undefined && now === mark) return true;
      const state = await findState(database, row.id);
      const isFresh =
        state !== undefined &&
        state.version === row.version &&
        state.surroundings === row.surroundings &&
        isSame(state, revisions);
      mark = isFresh ? now : undefined;
      return isFresh;
    },
  };
}
