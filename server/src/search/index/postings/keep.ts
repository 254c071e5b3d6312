import { setTimeout as pause } from 'node:timers/promises';
import { systemViewer } from '../../../kernel/viewer.ts';
import type { KeepingDeps, PostingsEngine } from '../search-index.ts';
import { prepareMerge } from './merge.ts';

/** Milliseconds at the most until somebody whose merge came too late makes another. */
const patience = 200;

/** Goes once through what is pending: what comes meanwhile is gathered for the next time, since each time costs its own. */
export async function mergePostings(
  { database, trackers, operations }: KeepingDeps,
  engine: PostingsEngine,
  stopping?: AbortSignal,
): Promise<void> {
  for (let after = 0; !stopping?.aborted; ) {
    const merge = await prepareMerge(database, { trackers, engine }, after);
    if (merge === undefined) return;
    if (await operations.storeMerge(systemViewer, merge)) after = merge.artifacts.at(-1)?.[0] ?? after;
    // Another process merges as well, and has taken in some of what is pending: looked at once more, at another time than that one does.
    else await pause(Math.random() * patience, undefined, { signal: stopping });
  }
}
