export { type AnnouncedChange, artifactChanged, type ChangeListeners } from './announcing.ts';
export { type CommentVersion, readCommentVersions } from './commenting.ts';
export { mayRead as mayReadComment, parseComment, type StoredComment, shownGroups } from './comments.ts';
export type { NewArtifact, ValueSource } from './creation.ts';
export { type Column, exportColumns } from './csv/columns.ts';
export { type ImportOutcome, type ImportTools, importTable, type RowResult } from './csv/importing.ts';
export {
  type ArchivedArtifact,
  type ArchivedChangeset,
  type ArchivedFacts,
  type DeletedArtifact,
  type DeletionArchive,
  type DeletionTools,
  deleteWithArchive,
  listDeleted,
  type RestorationTools,
  readChangesets,
  readFacts,
  restoreFromArchive,
} from './deletion/index.ts';
export { findReadableFile } from './file-access.ts';
export { freshnessOf } from './freshness.ts';
export type { WordMatch } from './full-text/finding.ts';
export {
  asSeenChangeset,
  type Changeset,
  findHistory,
  type HistoryWish,
  type Outline,
  readCommented,
  readHistory,
} from './history.ts';
export { hasDueCalls, makeCalls } from './job-calls.ts';
export { hostsIn, isAllowed } from './jobs.ts';
export { TotalsKeeper } from './kept-totals/keeper.ts';
export { unsettleTotals, unsettleTotalsOf } from './kept-totals/names.ts';
export { type Direction, linkLabels, listLinked, listNatures, type Nature } from './linked.ts';
export { type ArtifactWalk, pageOfAll } from './listing.ts';
export { type ChangeResult, type MakingTools, makeAll, tryAll } from './making.ts';
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
export { forecastMove, type MoveForecast, type MoveWish, move } from './moving.ts';
export { type ArtifactChange, findCommenters, readChange } from './one-change.ts';
export {
  type ArtifactOperations,
  artifactOperations,
  artifactSearches,
  artifactsInTrackers,
} from './operations.ts';
export { linksIn } from './past-values.ts';
export { type Piece, Pieces, pieceBytes, roomFor } from './pieces.ts';
export type { Ranked } from './ranking.ts';
export { rankColumn, rankOf } from './ranks.ts';
export {
  type ReadArtifact,
  readArtifact,
  readAtOnce,
  requireVisible,
  type ShownArtifact,
  sightOf,
  visibleIds,
  writtenArtifact,
} from './reading.ts';
export { hasBacklog } from './reindexing.ts';
export { hasLinksToRetype } from './retyping.ts';
export { findArtifacts, touchSurroundings } from './store.ts';
export { gather, linksOf, outsideReferencesOf, referencesOf, type Surroundings } from './surroundings.ts';
export { sweepStart } from './sweeping.ts';
export { findReferencedArtifacts, TextReferences } from './text-references.ts';
export { titleIn } from './titles.ts';
export { noTotal, type ShownTotal, totalKey } from './totals.ts';
export type { PlannedChange } from './trial.ts';
export type { ArtifactUpdate, Precondition } from './update.ts';
export { versionTag } from './version.ts';
export { type Sight, visibleOf } from './visibility.ts';
export {
  artifactColumns,
  insertHistory,
  insertLinks,
  type LinkToStore,
  type PastArtifact,
  type PastChangeset,
  prepareHistory,
  type ReadyBatch,
  type ReadyChangeset,
  type ReadyHistory,
  type ReferenceTarget,
} from './whole.ts';
