import { type Soon, whenThere } from '../../kernel/soon.ts';
import { type Database, isSameRevisions, type Revisions } from '../../storage/index.ts';
import type { Artifact } from '../model.ts';
import { type ArtifactVersions, findRemoteState, findState } from '../store.ts';
import type { AllowanceFreshness } from './access.ts';
import type { RelatedData } from './related.ts';

/**
 * Whether what was read of an artifact still holds, told from its two counters and the revisions alone. Undefined where
 * they do not tell everything: sums that are not kept yet change with artifacts far away, and charts with the hour.
 */
export function freshnessOf(
  { row }: Artifact,
  { isCounted }: RelatedData,
  revisions: Revisions,
  allowance?: AllowanceFreshness,
) {
  if (!isCounted) return undefined;
  let mark: number | undefined;
  const isFresh = (state: ArtifactVersions | undefined) =>
    state !== undefined &&
    state.version === row.version &&
    state.related_version === row.related_version &&
    isSameRevisions(state, revisions);
  return {
    holds(database: Database): Soon<boolean> {
      if (allowance?.isTimely === false) return false;
      const now = database.changeMark();
      if (now !== undefined && now === mark) return true;
      const find = database.isRemote ? findRemoteState : findState;
      return whenThere(find(database, row.id), (state) =>
        whenThere(allowance?.holds(database) ?? true, (isAllowed) => {
          const holds = isAllowed && isFresh(state);
          mark = holds ? now : undefined;
          return holds;
        }),
      );
    },
  };
}
