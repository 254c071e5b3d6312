import { randomUUID } from 'node:crypto';
import type { ArchivedFile } from '../../files/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { BlobKeeper } from '../../storage/index.ts';
import type { ArchivedArtifact, ArchivedChangeset, DeletionArchive } from './model.ts';
import type { DeletionOperations } from './operations.ts';
import type { Restorer } from './restore-tx.ts';

/** What bringing back works with. */
export interface RestoreDeps {
  readonly operations: Pick<
    DeletionOperations,
    | 'beginRestoration'
    | 'clearForRestoration'
    | 'restoreChangesets'
    | 'restoreFile'
    | 'restoreBytes'
    | 'finishRestoration'
  >;
  readonly archive: DeletionArchive;
  readonly keeper: BlobKeeper;
}

/** Changesets of one transaction at the most, and their characters. */
const most = { changesets: 200, characters: 1_000_000 };

async function* batchesOf(changesets: AsyncIterable<ArchivedChangeset>): AsyncGenerator<ArchivedChangeset[]> {
  let batch: ArchivedChangeset[] = [];
  let characters = 0;
  for await (const changeset of changesets) {
    batch.push(changeset);
    characters += changeset.row.changes.length + (changeset.row.comment?.length ?? 0);
    if (batch.length < most.changesets && characters < most.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

async function restoreOneFile(
  { operations, keeper }: RestoreDeps,
  viewer: Viewer,
  restorer: Restorer,
  file: ArchivedFile,
  bytes: AsyncIterable<Uint8Array> | undefined,
): Promise<void> {
  await operations.restoreFile(viewer, { ...restorer, file });
  if (bytes === undefined) return;
  const before = await keeper.mark();
  for await (const blob of keeper.blobs.store(bytes))
    await keeper.add([blob], before, (mark) =>
      operations.restoreBytes(viewer, { ...restorer, fileId: file.id, part: { blobs: [blob], mark } }),
    );
}

async function restoreFrom(
  deps: RestoreDeps,
  viewer: Viewer,
  restorer: Restorer,
  archived: ArchivedArtifact,
): Promise<void> {
  const { operations } = deps;
  const { facts } = archived;
  const files = facts.files.map(({ id }) => id);
  while (!(await operations.clearForRestoration(viewer, { ...restorer, files })));
  for await (const changesets of batchesOf(archived.changesets()))
    await operations.restoreChangesets(viewer, { ...restorer, changesets });
  for (const file of facts.files)
    await restoreOneFile(deps, viewer, restorer, file, await archived.bytesOf(file.id));
  await operations.finishRestoration(viewer, { ...restorer, facts });
}

/** Brings a deleted artifact back from its archive. It is there with the last transaction, and not before. */
export async function restoreFromArchive(
  deps: RestoreDeps,
  viewer: Viewer,
  id: number,
): Promise<{ trackerId: number }> {
  const restorer = { id, token: randomUUID() };
  const { archive } = await deps.operations.beginRestoration(viewer, restorer);
  const archived = await deps.archive.open(archive);
  try {
    await restoreFrom(deps, viewer, restorer, archived);
    return { trackerId: archived.facts.artifact.tracker_id };
  } finally {
    await archived.close();
  }
}
