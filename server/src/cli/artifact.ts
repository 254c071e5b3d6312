import type { Command } from 'commander';
import type { Answer } from './answer.ts';
import { declareCommand, onInstance, wholeNumber } from './command.ts';
import type { Instance } from './instance.ts';

export function declare(group: Command): void {
  group.description('Bring deleted artifacts back.');
  declareCommand(
    group,
    'restore',
    'Bring a deleted artifact back from its archive, with its history, files and links.',
    'artifact restore 3051',
  )
    .argument('<id>', 'the id that the artifact had', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(onInstance(restoreArtifact));
}

async function restoreArtifact({ openWorkshop, viewer }: Instance, id: number): Promise<Answer> {
  const { restoreFromArchive } = await import('../artifacts/index.ts');
  const { DeletedArtifacts } = await import('../archive/index.ts');
  const { database, operations, trackers, keeper, config } = openWorkshop();
  const archive = new DeletedArtifacts(database, trackers, keeper.blobs, config.dataFolder);
  await restoreFromArchive({ operations, archive, keeper }, viewer, id);
  return { data: { id, deleted: false }, words: `The artifact ${id} is back.` };
}
