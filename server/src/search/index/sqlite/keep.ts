import { setTimeout as pause } from 'node:timers/promises';
import { systemViewer } from '../../../kernel/viewer.ts';
import type { Database } from '../../../storage/index.ts';
import type { KeepingDeps, TextFolding } from '../search-index.ts';
import { prepareFold } from './merge.ts';
import { hasTextsToFold } from './text-merge.ts';
import { foldWords } from './word-merge.ts';

/** More texts than this make searches slow. */
const manyTexts = 20_000;

/** Goes once through what is pending: what comes meanwhile is gathered for the next time, since each time costs its own. */
export async function foldPostings(
  { database, trackers, operations }: KeepingDeps,
  stopping?: AbortSignal,
): Promise<void> {
  for (let after = 0; !stopping?.aborted; ) {
    const fold = await prepareFold(database, trackers, after);
    if (fold === undefined) return;
    await operations.storeFold(systemViewer, fold);
    after = fold.artifacts.at(-1)?.[0] ?? after;
  }
}

/** Until the parts of every text are known, and the words of most. Writes get the more time the fewer texts wait, unless there are none. */
export async function foldTexts(
  deps: KeepingDeps,
  { isAlone = false, stopping, isFirst = false, leastWaiting }: TextFolding,
): Promise<void> {
  const { database, operations } = deps;
  let hasFolded = isFirst;
  for (let share = await shareForWrites(database); share > 0; share = await shareForWrites(database)) {
    const begun = performance.now();
    await operations.foldTexts(systemViewer, undefined);
    hasFolded = true;
    if (!isAlone) await pause(share * (performance.now() - begun), undefined, { signal: stopping });
  }
  if (hasFolded) await foldWords(deps, { leastWaiting, stopping });
}

/** How much longer than folding texts writes may take; 0 when none is to be folded. */
async function shareForWrites(database: Database): Promise<number> {
  if (!(await hasTextsToFold(database, 0))) return 0;
  return (await hasTextsToFold(database, manyTexts)) ? 0.2 : 9;
}
