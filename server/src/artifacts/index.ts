export {
  insertHistory,
  insertLinks,
  type PastArtifact,
  type PastChangeset,
  prepareHistory,
  type ReadyBatch,
  type ReadyChangeset,
  type ReadyHistory,
  type ReferenceTarget,
} from './bulk-insert/bulk-insert.ts';
export { type Column, exportColumns } from './csv/columns.ts';
export { type CsvImportDeps, type ImportOutcome, importTable, type RowResult } from './csv/import.ts';
export {
  type ArchivedArtifact,
  type ArchivedChangeset,
  type ArchivedFacts,
  type DeletedArtifact,
  type DeletionArchive,
  type DeletionDeps,
  deleteWithArchive,
  listDeleted,
  type RestoreDeps,
  readChangesets,
  readFacts,
  restoreFromArchive,
} from './delete/index.ts';
export type { WordMatch } from './full-text/find.ts';
export { type Direction, linkLabels, listLinked, listNatures, type Nature } from './links/linked.ts';
export { hasLinksToRetype } from './links/retype.ts';
export { findMentioned, findReferencedArtifacts, TextReferences } from './links/text-references.ts';
export {
  type Artifact,
  type ArtifactRow,
  type CrossReference,
  type Document,
  factsOf,
  isSameValue,
  type Links,
  linkField,
  type Neighbour,
  parseDocument,
} from './model.ts';
export type { MoveRequest } from './move/model.ts';
export { forecastMove, type MoveForecast, move } from './move/move.ts';
export {
  type ArtifactOperations,
  artifactOperations,
  artifactSearches,
  artifactsInTrackers,
} from './operations.ts';
export type { Ranked } from './rank/rank.ts';
export { rankColumn, rankOf } from './rank/ranks.ts';
export {
  type ReadArtifact,
  readArtifact,
  readAtOnce,
  readContextOf,
  requireVisible,
  type ShownArtifact,
  writtenArtifact,
} from './read/artifact.ts';
export { type ArtifactChange, findCommenters, readChange } from './read/changeset.ts';
export { mayRead as mayReadComment, parseComment, type StoredComment, shownGroups } from './read/comments.ts';
export type { TrackerOverview } from './read/counts.ts';
export { findReadableFile } from './read/file.ts';
export { freshnessOf } from './read/freshness.ts';
export {
  asSeenChangeset,
  type Changeset,
  findHistory,
  type HistoryRequest,
  type Outline,
  readCommented,
  readHistory,
} from './read/history.ts';
export { type Piece, Pieces, pieceBytes, roomFor } from './read/in-parts.ts';
export { type ArtifactWalk, pageOfAll } from './read/list.ts';
export { gather, linksOf, outsideReferencesOf, type RelatedData, referencesOf } from './read/related.ts';
export {
  mayUpdateIn,
  type RowFact,
  type RowFacts,
  readRowFacts,
  rowLinks,
} from './read/row-facts.ts';
export type { DayRange, RowSearch } from './read/search.ts';
export { visibleIds } from './read/several.ts';
export { AllowanceFreshness, type Standing, standingAtOnce, standingOf } from './read/standing.ts';
export {
  type ChangesetWithChanges,
  type FieldChange,
  findCommitters,
  findTimeline,
  readChangesets as readChangesOf,
  requireVisibleOutline,
  type TimelineEvent,
  type TimelineKind,
  timelineKinds,
} from './read/timeline.ts';
export { versionTag } from './read/version.ts';
export { hasBacklog } from './reindex/reindex.ts';
export { sweepStart } from './reindex/sweep.ts';
export { findArtifacts, raiseRelatedVersions } from './store.ts';
export { titleIn } from './title.ts';
export { TotalsKeeper } from './totals/kept/keeper.ts';
export { unsettleTotals, unsettleTotalsOf } from './totals/kept/names.ts';
export { linksIn } from './totals/past-values.ts';
export { noTotal, type ShownTotal, totalKey } from './totals/totals.ts';
export { couldSee, type ReadContext, viewFor, visibleOf } from './visibility.ts';
export { type BatchDeps, type ChangeResult, makeAll, tryAll } from './write/batch.ts';
export { hasDueCalls, makeCalls } from './write/ci-job-calls.ts';
export { hostsIn, isAllowed } from './write/ci-jobs.ts';
export { type CommentVersion, readCommentVersions } from './write/comment.ts';
export { artifactColumns, type LinkToStore } from './write/consequences.ts';
export type { NewArtifact, ValueSource } from './write/create.ts';
export type { PlannedChange } from './write/dry-run.ts';
export type { RequestKey } from './write/once.ts';
export type { EventListeners } from './write/outbox.ts';
export type { ArtifactUpdate, Precondition } from './write/update.ts';
