import type { Page } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Calls, Reader, Transaction } from '../storage/index.ts';
import type { TrackerExtension, Trackers } from '../trackers/index.ts';
import { addComment, type CommentEdit, editComment, type NewComment } from './commenting.ts';
import { createArtifact, type NewArtifact } from './creation.ts';
import { deletionOperations } from './deletion/index.ts';
import { settleJobCall, takeJobCalls } from './jobs.ts';
import {
  addTotalRows,
  announceSum,
  type BuildStep,
  finishBuild,
  storeTotals,
  sweepTotalRows,
} from './kept-totals/building.ts';
import { contributionsChanged } from './kept-totals/names.ts';
import { type ArtifactListing, findArtifactPage, findRankedArtifacts } from './listing.ts';
import { type MoveProgress, moveArtifact } from './move-writing.ts';
import type { MoveWish } from './moving.ts';
import { findOwnArtifacts, type OwnArtifacts } from './own.ts';
import { moveArtifacts, type RankMove } from './ranking.ts';
import { reindexNext, requestReindexing } from './reindexing.ts';
import { parentChanged, retypeLinks } from './retyping.ts';
import { type SweepPlace, sweepIndex } from './sweeping.ts';
import { findParentArtifacts, findUsedLinkTypes } from './tracker-links.ts';
import { type ArtifactUpdate, updateArtifact } from './update.ts';
import type { Surrounding } from './writing.ts';

/** What becomes of artifacts when trackers change. */
export const artifactsInTrackers: TrackerExtension = {
  parentChanged,
  contributionsChanged,
  measuringChanged: (tx, viewer, fieldId) => requestReindexing(tx, viewer, { fieldId }),
};

/** Everything that changes artifacts. Each runs in one transaction, wherever writes run. */
export function artifactOperations(surrounding: Surrounding) {
  return {
    createArtifact: (tx: Transaction, viewer: Viewer, input: NewArtifact) =>
      createArtifact(tx, viewer, input, surrounding),
    updateArtifact: (tx: Transaction, viewer: Viewer, input: ArtifactUpdate) =>
      updateArtifact(tx, viewer, input, surrounding),
    addComment: (tx: Transaction, viewer: Viewer, input: NewComment) =>
      addComment(tx, viewer, input, surrounding),
    editComment: (tx: Transaction, viewer: Viewer, input: CommentEdit) =>
      editComment(tx, viewer, input, surrounding),
    moveArtifact: (
      tx: Transaction,
      viewer: Viewer,
      input: MoveWish & { readonly progress?: MoveProgress | undefined },
    ) => moveArtifact(tx, viewer, input, surrounding),
    moveArtifacts: (tx: Transaction, viewer: Viewer, input: RankMove) =>
      moveArtifacts(tx, viewer, input, surrounding),
    retypeLinks,
    requestReindexing,
    sweepIndex: (tx: Transaction, viewer: Viewer, input: SweepPlace) =>
      sweepIndex(tx, viewer, input, surrounding.trackers),
    reindexNext: (tx: Transaction, viewer: Viewer, input: undefined) =>
      reindexNext(tx, viewer, input, surrounding.trackers),
    announceSum,
    addTotalRows: (tx: Transaction, viewer: Viewer, input: BuildStep) =>
      addTotalRows(tx, viewer, input, surrounding.trackers),
    sweepTotalRows,
    finishBuild,
    storeTotals,
    ...deletionOperations(surrounding),
    takeJobCalls,
    settleJobCall,
  };
}

export type ArtifactOperations = Calls<ReturnType<typeof artifactOperations>>;

/** Reads that take their time, and so run off the event loop. */
export function artifactSearches(trackers: Trackers) {
  type TrackerPage = Page & { readonly trackerId: number };
  return {
    findArtifactPage: (reader: Reader, viewer: Viewer, input: ArtifactListing) =>
      findArtifactPage(reader, viewer, input, trackers),
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
