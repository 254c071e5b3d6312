import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettings } from '../../identity/index.ts';
import type { Database } from '../../storage/index.ts';

export interface ArchiveFaults {
  /** Archives that deleted artifacts have, and that are in no folder. */
  readonly missing: readonly { readonly artifactId: number; readonly archive: string }[];
  /** The folder that a setting names, if it is not there. */
  readonly missingFolder: string | undefined;
  readonly count: number;
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Rows that are read at once. */
const page = 1000;

async function isAnywhere(folders: readonly string[], name: string): Promise<boolean> {
  for (const folder of folders) if (await isThere(join(folder, name))) return true;
  return false;
}

/** Looks whether all artifacts that were deleted can still be brought back. */
export async function inspectArchives(database: Database, dataFolder: string): Promise<ArchiveFaults> {
  const { archive_deleted_items_path: chosen } = await readSettings(database);
  const folders = [...(chosen === '' ? [] : [chosen]), join(dataFolder, 'deleted')];
  const missing: { artifactId: number; archive: string }[] = [];
  let [count, last, isOver] = [0, 0, false];
  while (!isOver) {
    const query = database.sql.selectFrom('deleted_artifact').select(['artifact_id', 'archive']);
    const rows = await database.all<{ artifact_id: number; archive: string | null }>(
      query.where('artifact_id', '>', last).orderBy('artifact_id').limit(page),
    );
    for (const { artifact_id: artifactId, archive } of rows) {
      if (archive === null) continue;
      count++;
      if (!(await isAnywhere(folders, archive))) missing.push({ artifactId, archive });
    }
    isOver = rows.length < page;
    last = rows.at(-1)?.artifact_id ?? last;
  }
  return { missing, missingFolder: chosen === '' || (await isThere(chosen)) ? undefined : chosen, count };
}
