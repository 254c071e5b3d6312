/*
 * Queries over several trackers, and the widgets that keep them.
 *
 * run.ts      a query from its text to its rows: read it first
 * scope.ts    which trackers FROM means; where.ts what WHERE means in each; names.ts what a name means in several at once
 * columns.ts  cells of SELECT; order.ts and find.ts one order and one page over all trackers; assignees.ts people
 * saved-queries.ts, widgets.ts   queries that people keep, and where; kept-queries.ts all of them, by words; renamed-people.ts people in them who are called otherwise
 *
 * A tracker, a field or an artifact that the viewer may not see counts as not there.
 */

export { columnTypeOf, isColumnName, type QueryColumn } from './columns.ts';
export { findAcross } from './find.ts';
export { type KeptQuery, listKeptQueries } from './kept-queries.ts';
export { fieldIn, isSemanticName, semanticField } from './names.ts';
export { crossTrackerOperations, crossTrackerSearches } from './operations.ts';
export { orderOf, placed } from './order.ts';
export { keptQueriesOfAccounts } from './renamed-people.ts';
export type { FoundContent } from './run.ts';
export { listQueries, requireQuery, type SavedQuery } from './saved-queries.ts';
export { listWidgets, requireWidget, type Widget } from './widgets.ts';
