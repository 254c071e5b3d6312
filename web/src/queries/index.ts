/*
 * Queries over several trackers: built, written, kept, and what they find.
 *
 * page.tsx          read it first; builder.tsx, condition.tsx what asks by controls, help.ts what is offered while one writes
 * names.ts          what can be asked for in some trackers; kept.tsx queries that are kept
 * result.tsx, table.tsx, cells.tsx, export.ts   what is found: drawn, and as a file
 */

export type { AskedQuery } from './calls.ts';
export { QueryPage } from './page.tsx';
export { QueryResult, type QueryResultProps } from './result.tsx';
