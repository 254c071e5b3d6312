import { setTimeout as pause } from 'node:timers/promises';
import { systemViewer } from '../../../kernel/viewer.ts';
import type { Database } from '../../../storage/index.ts';
import { mergeWords } from '../postings/index.ts';
import type { KeepingDeps, PostingsEngine, TextMerging } from '../search-index.ts';
import { hasTextsToMerge } from './text-merge.ts';

/** More texts than this make searches slow. */
const manyTexts = 20_000;

/** Until the parts of every text are known, and the words of most. Writes get the more time the fewer texts wait, unless there are none. */
export async function mergeTexts(
  deps: KeepingDeps,
  engine: PostingsEngine,
  { isAlone = false, stopping, isFirst = false, leastWaiting }: TextMerging,
): Promise<void> {
  const { database, operations } = deps;
  let hasMerged = isFirst;
  for (let share = await shareForWrites(database); share > 0; share = await shareForWrites(database)) {
    const begun = performance.now();
    await operations.mergeTexts(systemViewer, undefined);
    hasMerged = true;
    if (!isAlone) await pause(share * (performance.now() - begun), undefined, { signal: stopping });
  }
  if (hasMerged) await mergeWords(deps, engine, { leastWaiting, stopping });
}

/** How much longer than merging texts writes may take; 0 when none is to be merged. */
async function shareForWrites(database: Database): Promise<number> {
  if (!(await hasTextsToMerge(database, 0))) return 0;
  return (await hasTextsToMerge(database, manyTexts)) ? 0.2 : 9;
}
