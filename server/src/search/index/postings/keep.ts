import { setTimeout as pause } from 'node:timers/promises';
import { systemViewer } from '../../../kernel/viewer.ts';
import type { KeepingDeps, PostingsEngine } from '../search-index.ts';
import { prepareFold } from './merge.ts';

/** Milliseconds at the most until somebody whose fold came too late makes another. */
const patience = 200;

/** Goes once through what is pending: what comes meanwhile is gathered for the next time, since each time costs its own. */
export async function foldPostings(
  { database, trackers, operations }: KeepingDeps,
  engine: PostingsEngine,
  stopping?: AbortSignal,
): Promise<void> {
  for (let after = 0; !stopping?.aborted; ) {
    const fold = await prepareFold(database, { trackers, engine }, after);
    if (fold === undefined) return;
    if (await operations.storeFold(systemViewer, fold)) after = fold.artifacts.at(-1)?.[0] ?? after;
    // Another process folds as well, and has taken in some of what is pending: looked at once more, at another time than that one does.
    else await pause(Math.random() * patience, undefined, { signal: stopping });
  }
}
