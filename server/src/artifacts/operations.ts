import type { ProjectExtension } from '../projects/index.ts';
import { provenSearchesIn, type ReadContext, searchesIn } from '../search/index.ts';
import type { Calls } from '../storage/index.ts';
import type { TrackerExtension, Trackers } from '../trackers/index.ts';
import { type ArtifactDeps, operationsIn } from './context.ts';
import { deletionOperations } from './delete/index.ts';
import { countByWords, findByWords, searchTitles } from './full-text/index.ts';
import { findParentArtifacts, findUsedLinkTypes, parentChanged, retypeLinks } from './links/index.ts';
import { moveOperations } from './move/index.ts';
import { rankArtifacts } from './rank/index.ts';
import {
  countFieldValues,
  countRows,
  findArtifactPage,
  findArtifactsAfter,
  findLastChanges,
  findOwnArtifacts,
  findRankedArtifacts,
  findReportArtifacts,
  findRows,
  findTrackerOverviews,
  readTrends,
  renderForProject,
  type TextToRender,
  type TrendListing,
} from './read/index.ts';
import { reindexNext, requestReindexing, sweepIndex } from './reindex/index.ts';
import {
  addTotalRows,
  announceSum,
  contributionsChanged,
  finishBuild,
  storeTotals,
  sweepTotalRows,
  ValueTurns,
} from './totals/index.ts';
import { keptWhole, repeatable, writeOperations } from './write/index.ts';

/** What becomes of artifacts when trackers change. */
export const artifactsInTrackers: TrackerExtension = {
  parentChanged,
  contributionsChanged,
  measuringChanged: (tx, viewer, fieldId) => requestReindexing(tx, viewer, { fieldId }),
};

/** Everything that changes artifacts. Each runs in one transaction, wherever writes run. */
export function artifactOperations(deps: ArtifactDeps) {
  return {
    ...writeOperations(deps),
    ...moveOperations(deps),
    ...deletionOperations(deps),
    ...operationsIn(deps, {
      rankArtifacts: repeatable(rankArtifacts, keptWhole()),
      sweepIndex,
      reindexNext,
      addTotalRows,
    }),
    retypeLinks,
    requestReindexing,
    announceSum,
    sweepTotalRows,
    finishBuild,
    storeTotals,
  };
}

export type ArtifactOperations = Calls<ReturnType<typeof artifactOperations>>;

/** Reads that take their time, and so run off the event loop. */
export function artifactSearches(trackers: Trackers, extensions: readonly ProjectExtension[]) {
  const turns = new ValueTurns();
  const reads = searchesIn(trackers, {
    findReportArtifacts,
    countRows,
    countFieldValues,
    readTrends: (readContext: ReadContext, input: TrendListing) => readTrends(readContext, input, turns),
    findTrackerOverviews,
    findArtifactsAfter,
    findLastChanges,
    countByWords,
    findByWords,
    renderForProject: (readContext: ReadContext, input: TextToRender) =>
      renderForProject(readContext, input, extensions),
    searchTitles,
    findRankedArtifacts,
    findOwnArtifacts,
    findParentArtifacts,
    findUsedLinkTypes,
  });
  return { ...reads, ...provenSearchesIn(trackers, { findArtifactPage, findRows }) };
}
