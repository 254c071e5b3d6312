/*
 * Artifacts that go to another tracker, with their history.
 *
 * move.ts        what would become of an artifact, and the move itself, in as many transactions as its history takes: read it first
 * move-tx.ts     one of those transactions; plan.ts says which field takes which values, values.ts turns them into its own
 * references.ts, comment-groups.ts   what else must be rewritten for the other tracker and project
 *
 * The id, the links, the comments and who changed what stay. What no field can take is told before.
 */

export { forecastMove, type MoveForecast, move } from './move.ts';
export { moveOperations } from './operations.ts';
export { deleteReferences, insertReferences, readAllReferences, type StoredReference } from './references.ts';
