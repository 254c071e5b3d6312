import type { Page } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { ProjectExtension } from '../projects/index.ts';
import type { Calls, Reader, Transaction } from '../storage/index.ts';
import type { TrackerExtension, Trackers } from '../trackers/index.ts';
import { deletionOperations } from './delete/index.ts';
import { findByWords, type WordSearch } from './full-text/find.ts';
import { searchTitles, type TitleSearch } from './full-text/titles.ts';
import { findParentArtifacts, findUsedLinkTypes } from './links/of-trackers.ts';
import { parentChanged, retypeLinks } from './links/retype.ts';
import type { MoveRequest } from './move/model.ts';
import { type MoveProgress, moveArtifact } from './move/move-tx.ts';
import { type RankMove, rankArtifacts } from './rank/rank.ts';
import { type CountListing, countRows, findTrackerOverviews } from './read/counts.ts';
import {
  type ArtifactListing,
  type ArtifactWalk,
  findArtifactPage,
  findArtifactsAfter,
  findRankedArtifacts,
  findReportArtifacts,
  findRows,
  type ReportListing,
  type RowListing,
} from './read/list.ts';
import { findOwnArtifacts, type OwnArtifacts } from './read/mine.ts';
import { renderForProject, type TextToRender } from './read/rendered-text.ts';
import { reindexNext, requestReindexing } from './reindex/reindex.ts';
import { type SweepPlace, sweepIndex } from './reindex/sweep.ts';
import {
  addTotalRows,
  announceSum,
  type BuildStep,
  finishBuild,
  storeTotals,
  sweepTotalRows,
} from './totals/kept/build.ts';
import { contributionsChanged } from './totals/kept/names.ts';
import type { ArtifactDeps } from './write/change.ts';
import { settleJobCall, takeJobCalls } from './write/ci-jobs.ts';
import { addComment, type CommentEdit, editComment, type NewComment } from './write/comment.ts';
import { createArtifact, type NewArtifact } from './write/create.ts';
import { type PlannedChange, tryChanges } from './write/dry-run.ts';
import { keptArtifact, keptWhole, once, purgeRequestKeys, type Repeatable } from './write/once.ts';
import { type ArtifactUpdate, updateArtifact } from './write/update.ts';

/** What becomes of artifacts when trackers change. */
export const artifactsInTrackers: TrackerExtension = {
  parentChanged,
  contributionsChanged,
  measuringChanged: (tx, viewer, fieldId) => requestReindexing(tx, viewer, { fieldId }),
};

/** Everything that changes artifacts. Each runs in one transaction, wherever writes run. */
export function artifactOperations(deps: ArtifactDeps) {
  return {
    createArtifact: (tx: Transaction, viewer: Viewer, input: NewArtifact & Repeatable) =>
      once(
        tx,
        viewer,
        input,
        () => createArtifact(tx, viewer, input, deps),
        keptArtifact(tx, viewer, deps.trackers, true),
      ),
    updateArtifact: (tx: Transaction, viewer: Viewer, input: ArtifactUpdate & Repeatable) =>
      once(
        tx,
        viewer,
        input,
        () => updateArtifact(tx, viewer, input, deps),
        keptArtifact(tx, viewer, deps.trackers, false),
      ),
    tryChanges: (tx: Transaction, viewer: Viewer, input: { readonly changes: readonly PlannedChange[] }) =>
      tryChanges(tx, viewer, input.changes, deps),
    addComment: (tx: Transaction, viewer: Viewer, input: NewComment & Repeatable) =>
      once(tx, viewer, input, () => addComment(tx, viewer, input, deps), keptWhole()),
    editComment: (tx: Transaction, viewer: Viewer, input: CommentEdit & Repeatable) =>
      once(tx, viewer, input, () => editComment(tx, viewer, input, deps), keptWhole()),
    moveArtifact: (
      tx: Transaction,
      viewer: Viewer,
      input: MoveRequest & { readonly progress?: MoveProgress | undefined },
    ) => moveArtifact(tx, viewer, input, deps),
    rankArtifacts: (tx: Transaction, viewer: Viewer, input: RankMove & Repeatable) =>
      once(tx, viewer, input, () => rankArtifacts(tx, viewer, input, deps), keptWhole()),
    purgeRequestKeys: (tx: Transaction, _viewer: Viewer, _input: undefined) => purgeRequestKeys(tx),
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
    takeJobCalls,
    settleJobCall,
  };
}

export type ArtifactOperations = Calls<ReturnType<typeof artifactOperations>>;

/** Reads that take their time, and so run off the event loop. */
export function artifactSearches(trackers: Trackers, extensions: readonly ProjectExtension[]) {
  type TrackerPage = Page & { readonly trackerId: number };
  return {
    findArtifactPage: (reader: Reader, viewer: Viewer, input: ArtifactListing) =>
      findArtifactPage(reader, viewer, input, trackers),
    findReportArtifacts: (reader: Reader, viewer: Viewer, input: ReportListing) =>
      findReportArtifacts(reader, viewer, input, trackers),
    findRows: (reader: Reader, viewer: Viewer, input: RowListing) =>
      findRows(reader, viewer, input, trackers),
    countRows: (reader: Reader, viewer: Viewer, input: CountListing) =>
      countRows(reader, viewer, input, trackers),
    findTrackerOverviews: (
      reader: Reader,
      viewer: Viewer,
      input: { readonly projectId: number; readonly patience: number },
    ) => findTrackerOverviews(reader, viewer, input, trackers),
    findArtifactsAfter: (reader: Reader, viewer: Viewer, input: ArtifactWalk) =>
      findArtifactsAfter(reader, viewer, input, trackers),
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
