import { setTimeout as pause } from 'node:timers/promises';
import { systemViewer } from '../../../kernel/viewer.ts';
import type { Database } from '../../../storage/index.ts';
import { foldWords } from '../postings/index.ts';
import type { KeepingDeps, PostingsEngine, TextFolding } from '../search-index.ts';
import { hasTextsToFold } from './text-merge.ts';

/** More texts than this make searches slow. */
const manyTexts = 20_000;

/** Until the parts of every text are known, and the words of most. Writes get the more time the fewer texts wait, unless there are none. */
export async function foldTexts(
  deps: KeepingDeps,
  engine: PostingsEngine,
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
  if (hasFolded) await foldWords(deps, engine, { leastWaiting, stopping });
}

/** How much longer than folding texts writes may take; 0 when none is to be folded. */
async function shareForWrites(database: Database): Promise<number> {
  if (!(await hasTextsToFold(database, 0))) return 0;
  return (await hasTextsToFold(database, manyTexts)) ? 0.2 : 9;
}
