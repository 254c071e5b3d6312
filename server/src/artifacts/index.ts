/*
 * Artifacts: everything about the things that people track. Each sub-room has a map of its own.
 *
 * model.ts      what an artifact is, and its document: read it first
 * context.ts    what every write is handed; what every read is handed is in `search/context.ts`
 * visibility.ts who sees what; comments.ts who reads which comment; store.ts shared statements
 * read/  write/ the two large rooms: begin with read/artifact.ts and write/update.ts
 * links/  totals/  rank/  move/  delete/  csv/  full-text/  bulk-insert/  reindex/   one subject each
 * operations.ts every write and every search of this room, by name; open.ts, title.ts, several.ts, ranks.ts, deletion-limit.ts what they share
 *
 * Nothing is shown past the viewer's rights, nothing is saved past the workflow, and nothing is written without its consequences.
 */

export {
  insertHistory,
  insertLinks,
  type PastChangeset,
  prepareHistory,
  type ReadyBatch,
  type ReadyChangeset,
  type ReadyHistory,
  type ReferenceTarget,
} from './bulk-insert/index.ts';
export { mayRead as mayReadComment, parseComment, type StoredComment, shownGroups } from './comments.ts';
export type { EventListeners } from './context.ts';
export {
  type CsvColumn,
  type CsvFact,
  type CsvImportDeps,
  exportColumns,
  importTable,
  type TableImportOutcome,
} from './csv/index.ts';
export {
  type ArchivedArtifact,
  type ArchivedChangeset,
  type ArchivedFacts,
  type DeletedArtifact,
  type DeletionArchive,
  deleteWithArchive,
  listDeleted,
  readArchivedChangesets,
  readFacts,
  restoreFromArchive,
} from './delete/index.ts';
export type { WordMatch } from './full-text/index.ts';
export {
  type Direction,
  findMentioned,
  findReferencedArtifacts,
  hasLinksToRetype,
  linkLabels,
  listLinked,
  listNatures,
  type Nature,
  TextReferences,
} from './links/index.ts';
export {
  type Artifact,
  type ArtifactRow,
  type Document,
  factsOf,
  isSameValue,
  type Links,
  linkField,
  type Neighbour,
  parseDocument,
} from './model.ts';
export { forecastMove, type MoveForecast, move } from './move/index.ts';
export {
  type ArtifactOperations,
  artifactOperations,
  artifactSearches,
  artifactsInTrackers,
} from './operations.ts';
export type { Ranked } from './ranks.ts';
export { rankColumn, rankOf } from './ranks.ts';
export {
  AllowanceFreshness,
  type ArtifactChange,
  type ArtifactDeed,
  type ArtifactPiece,
  type ArtifactRights,
  type ArtifactWalk,
  asSeenChangeset,
  type ChangedField,
  type Changeset,
  type ChangesetWithChanges,
  type DayRange,
  findCommenters,
  findCommitters,
  findHistory,
  findReadableFile,
  findTimeline,
  freshnessOf,
  gather,
  type HistoryRequest,
  ListedArtifacts,
  linksOf,
  movedEnds,
  type Outline,
  outsideReferencesOf,
  type PieceSource,
  Pieces,
  pageOfAll,
  pieceBytes,
  presentationKeyOf,
  type ReadArtifact,
  type ReadOptions,
  type RelatedData,
  type RowFact,
  type RowFacts,
  type RowSearch,
  readArtifact,
  readChange,
  readChangesOf,
  readCommented,
  readHistory,
  readRowFacts,
  referencesOf,
  requireVisible,
  requireVisibleOutline,
  rightsTo,
  roomFor,
  rowLinks,
  type ShownArtifact,
  type TimelineEvent,
  type TimelineKind,
  type TrackerOverview,
  timelineKinds,
  versionTag,
  writtenArtifact,
} from './read/index.ts';
export { hasBacklog, sweepStart } from './reindex/index.ts';
export { readArtifacts, visibleIds } from './several.ts';
export { artifactBytes, artifactColumns, findArtifacts, raiseRelatedVersions } from './store.ts';
export { titleIn } from './title.ts';
export {
  linksIn,
  noTotal,
  type ShownTotal,
  TotalsKeeper,
  totalKey,
  unsettleTotalsOf,
} from './totals/index.ts';
export { couldSee, type ReadContext, readContextOf, viewFor, visibleOf } from './visibility.ts';
export {
  type BatchDeps,
  type ChangeResult,
  type CommentVersion,
  hasDueCalls,
  hostsIn,
  isAllowedAddress,
  type LinkToStore,
  makeAll,
  makeCalls,
  type NewArtifact,
  type PlannedChange,
  type Precondition,
  type RequestKey,
  readCommentVersions,
  tryAll,
  type ValueSource,
} from './write/index.ts';
