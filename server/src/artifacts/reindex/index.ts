/*
 * Makes the search index anew, in small steps beside everything else.
 *
 * reindex.ts  what changes of trackers leave to be done: artifacts whose field is now measured otherwise
 * sweep.ts    goes through all artifacts and mends what the index has of each, for `atelier reindex`
 */

export { hasBacklog, reindexNext, requestReindexing } from './reindex.ts';
export { sweepIndex, sweepStart } from './sweep.ts';
