import type { Command } from 'commander';
import { declareAnswer, onInstance } from './command.ts';
import type { Instance } from './instance.ts';

export function declare(command: Command): void {
  declareAnswer(
    command,
    'Make what artifacts are found by once more, from the artifacts themselves. The service may run meanwhile.',
    'reindex',
  );
  command.action(onInstance(reindex));
}

async function reindex({ database, operations, viewer, platform }: Instance) {
  const { blocksInUse, IndexKeeper } = await import('../search/index.ts');
  const { sweepStart } = await import('../artifacts/index.ts');
  const { trackers } = platform;
  let removed = 0;
  for (let next: typeof sweepStart | undefined = sweepStart; next !== undefined; ) {
    const step = await operations.sweepIndex(viewer, next);
    removed += step.removed;
    next = step.next;
  }
  await operations.requestReindexing(viewer, { fieldId: 0 });
  while (await operations.reindexNext(viewer, undefined));
  for (const block of await blocksInUse(database)) await operations.renewBlock(viewer, { block });
  const keeper = new IndexKeeper({ database, trackers, operations });
  await keeper.mergePostings();
  await keeper.mergeTexts({ isAlone: true });
  return { data: { removed }, words: `The search index is made. ${removed} wrong entries were removed.` };
}
