/*
 * Routes of artifacts. artifacts.ts has the artifact itself: read it first. One file for each other subject: history.ts, history-in-parts.ts and timeline.ts, links.ts, moves.ts,
 * ranks.ts, files.ts, deleted.ts, bulk-changes.ts and batch.ts, of-trackers.ts (lists of a tracker, query.ts), rows.ts (tables), tables.ts and table-exports.ts (CSV).
 */

export { artifactBindings, asArtifacts } from './artifacts.ts';
export { bulkChangeBindings } from './bulk-changes.ts';
export { deletedArtifactBindings } from './deleted.ts';
export { fileBindings } from './files.ts';
export { artifactHistoryBindings } from './history.ts';
export { artifactLinkBindings, asFlat } from './links.ts';
export { artifactMoveBindings } from './moves.ts';
export { common, listOf, trackerArtifactBindings } from './of-trackers.ts';
export { parseQueryObject } from './query.ts';
export { artifactRankBindings } from './ranks.ts';
export { artifactRowBindings } from './rows.ts';
export { artifactTableBindings } from './tables.ts';
export { timelineBindings } from './timeline.ts';
