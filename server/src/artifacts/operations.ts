import type { Page } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { ProjectExtension } from '../projects/index.ts';
import type { Calls, Reader, Transaction } from '../storage/index.ts';
import type { TrackerExtension, Trackers } from '../trackers/index.ts';
import { deletionOperations } from './delete/index.ts';
import {
  countByWords,
  findByWords,
  searchTitles,
  type TitleSearch,
  type WordSearch,
} from './full-text/index.ts';
import { findParentArtifacts, findUsedLinkTypes, parentChanged, retypeLinks } from './links/index.ts';
import { moveOperations } from './move/index.ts';
import { type RankMove, rankArtifacts } from './rank/index.ts';
import {
  type ArtifactListing,
  type ArtifactWalk,
  type CountListing,
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
  type LastChangesWish,
  type OwnArtifacts,
  type ReportListing,
  type RowListing,
  readTrends,
  renderForProject,
  type TextToRender,
  type TrendListing,
} from './read/index.ts';
import { reindexNext, requestReindexing, type SweepPlace, sweepIndex } from './reindex/index.ts';
import {
  addTotalRows,
  announceSum,
  type BuildStep,
  contributionsChanged,
  finishBuild,
  storeTotals,
  sweepTotalRows,
  ValueTurns,
} from './totals/index.ts';
import { type ArtifactDeps, keptWhole, once, type RepeatableWrite, writeOperations } from './write/index.ts';

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
    rankArtifacts: (tx: Transaction, viewer: Viewer, input: RankMove & RepeatableWrite) =>
      once(tx, viewer, input, () => rankArtifacts(tx, viewer, input, deps), keptWhole()),
    retypeLinks,
    requestReindexing,
    sweepIndex: (tx: Transaction, viewer: Viewer, input: SweepPlace) =>
      sweepIndex(tx, viewer, input, deps.trackers),
    reindexNext: (tx: Transaction, viewer: Viewer, input: undefined) =>
      reindexNext(tx, viewer, input, deps.trackers),
    announceSum,
    addTotalRows: (tx: Transaction, viewer: Viewer, input: BuildStep) =>
      addTotalRows(tx, viewer, input, deps.trackers),
    sweepTotalRows,
    finishBuild,
    storeTotals,
    ...deletionOperations(deps),
  };
}

export type ArtifactOperations = Calls<ReturnType<typeof artifactOperations>>;

/** Reads that take their time, and so run off the event loop. */
export function artifactSearches(trackers: Trackers, extensions: readonly ProjectExtension[]) {
  type TrackerPage = Page & { readonly trackerId: number };
  const turns = new ValueTurns();
  return {
    findArtifactPage: (reader: Reader, viewer: Viewer, input: ArtifactListing) =>
      findArtifactPage(reader, viewer, input, trackers),
    findReportArtifacts: (reader: Reader, viewer: Viewer, input: ReportListing) =>
      findReportArtifacts(reader, viewer, input, trackers),
    findRows: (reader: Reader, viewer: Viewer, input: RowListing) =>
      findRows(reader, viewer, input, trackers),
    countRows: (reader: Reader, viewer: Viewer, input: CountListing) =>
      countRows(reader, viewer, input, trackers),
    countFieldValues: (reader: Reader, viewer: Viewer, input: { readonly trackerId: number }) =>
      countFieldValues(reader, viewer, input, trackers),
    readTrends: (reader: Reader, viewer: Viewer, input: TrendListing) =>
      readTrends(reader, viewer, input, { trackers, turns }),
    findTrackerOverviews: (
      reader: Reader,
      viewer: Viewer,
      input: { readonly projectId: number; readonly patience: number },
    ) => findTrackerOverviews(reader, viewer, input, trackers),
    findArtifactsAfter: (reader: Reader, viewer: Viewer, input: ArtifactWalk) =>
      findArtifactsAfter(reader, viewer, input, trackers),
    findLastChanges: (reader: Reader, viewer: Viewer, input: LastChangesWish) =>
      findLastChanges(reader, viewer, input, trackers),
    countByWords: (reader: Reader, viewer: Viewer, input: Omit<WordSearch, keyof Page>) =>
      countByWords(reader, viewer, input, trackers),
    findByWords: (reader: Reader, viewer: Viewer, input: WordSearch) =>
      findByWords(reader, viewer, input, trackers),
    renderForProject: (reader: Reader, viewer: Viewer, input: TextToRender) =>
      renderForProject(reader, viewer, input, extensions),
    searchTitles: (reader: Reader, viewer: Viewer, input: TitleSearch) =>
      searchTitles(reader, viewer, input, trackers),
    findRankedArtifacts: (reader: Reader, viewer: Viewer, input: TrackerPage) =>
      findRankedArtifacts(reader, viewer, input, trackers),
    findOwnArtifacts: (reader: Reader, viewer: Viewer, input: OwnArtifacts) =>
      findOwnArtifacts(reader, viewer, input, trackers),
    findParentArtifacts: (reader: Reader, viewer: Viewer, input: TrackerPage) =>
      findParentArtifacts(reader, viewer, input, trackers),
    findUsedLinkTypes: (reader: Reader, viewer: Viewer, input: TrackerPage) =>
      findUsedLinkTypes(reader, viewer, input, trackers),
  };
}
