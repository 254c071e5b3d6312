/*
 * Artifacts as viewers see them.
 *
 * artifact.ts    one artifact with all that is shown of it: read it first
 * related.ts     what an artifact shows that is not on its row: links, references, people, sums
 * list.ts        pages of a tracker, of a report, by rank; several of them in-parts.ts, when they are too many to be held; listed.ts those that were written before
 * last-changes.ts  what was changed last in a project
 * mine.ts        open artifacts that have to do with the viewer; counts.ts how many there are of what, trends.ts how that came to be; field-counts.ts how many have a value of a field
 * history.ts     changesets, comments; timeline.ts the same as one stream of events; changeset.ts one of them for those who are told of it
 * access.ts      what the viewer may do with an artifact now
 * freshness.ts   what must still hold for an answer to be given again; version.ts the tag of a version
 * row-facts.ts, file.ts, search.ts, rendered-text.ts   the rest that pages ask for
 *
 * There is no read without a viewer: what somebody may not see is neither in an answer nor in its size.
 */

export { AllowanceFreshness, type ArtifactRights, rightsTo } from './access.ts';
export {
  type ReadArtifact,
  type ReadOptions,
  readArtifact,
  requireVisible,
  type ShownArtifact,
  type WrittenArtifact,
  writtenArtifact,
} from './artifact.ts';
export { type ArtifactChange, findCommenters, movedEnds, readChange } from './changeset.ts';
export { countRows, findTrackerOverviews, type TrackerOverview } from './counts.ts';
export { countFieldValues } from './field-counts.ts';
export { findReadableFile } from './file.ts';
export { freshnessOf } from './freshness.ts';
export {
  asSeenChangeset,
  type Changeset,
  findHistory,
  type HistoryRequest,
  type Outline,
  readCommented,
  readHistory,
  requireChangeset,
} from './history.ts';
export { type ArtifactPiece, type PieceSource, Pieces, pieceBytes, roomFor } from './in-parts.ts';
export { type ArtifactDeed, findLastChanges } from './last-changes.ts';
export {
  type ArtifactWalk,
  findArtifactPage,
  findArtifactsAfter,
  findRankedArtifacts,
  findReportArtifacts,
  findRows,
  pageOfAll,
} from './list.ts';
export { ListedArtifacts, presentationKeyOf } from './listed.ts';
export { findOwnArtifacts } from './mine.ts';
export { gather, linksOf, outsideReferencesOf, type RelatedData, referencesOf } from './related.ts';
export { renderForProject, type TextToRender } from './rendered-text.ts';
export { type RowFact, type RowFacts, readRowFacts, rowLinks } from './row-facts.ts';
export type { DayRange, RowSearch } from './search.ts';
export {
  type ChangedField,
  type ChangesetWithChanges,
  findCommitters,
  findTimeline,
  readChangesOf,
  requireVisibleOutline,
  type TimelineEvent,
  type TimelineKind,
  timelineKinds,
} from './timeline.ts';
export { readTrends, type TrendListing } from './trends.ts';
export { versionTag } from './version.ts';
