import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { workFileNames } from '../../kernel/work-files.ts';
import type { Database } from '../../storage/index.ts';
import { dumpFileOf } from '../records/index.ts';
import type { RepositoryRow } from '../store.ts';
import { youngestAt } from '../workspace/index.ts';

export interface RepositoryFaults {
  /** Places of repositories that the database has and the data folder does not: `102/code`. */
  readonly withoutFolder: readonly string[];
  /** Places of repositories that do not tell their youngest revision. */
  readonly damaged: readonly string[];
  /** Places in the data folder that no repository has. */
  readonly withoutRow: readonly string[];
  /** Names of dumps of deleted repositories that are not there. */
  readonly withoutDump: readonly string[];
  /** How many repositories there are. */
  readonly count: number;
}

/** What cannot be looked at is told like what is missing: the doctor goes on. */
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

type Row = Pick<RepositoryRow, 'project_id' | 'name' | 'state' | 'dump_file' | 'deleted_at'>;

const placeOf = ({ project_id, name }: Row) => `${project_id}/${name}`;

/** What lies in the folder of repositories, but for what is in the making. */
async function placesIn(folder: string): Promise<string[]> {
  const projects = (await workFileNames(folder)).filter((name) => /^\d+$/.test(name));
  const places = await Array.fromAsync(projects, async (project) =>
    (await workFileNames(join(folder, project)))
      .filter((name) => /^[A-Za-z]/.test(name))
      .map((name) => `${project}/${name}`),
  );
  return places.flat().sort();
}

/** Whether a repository can be served: every one has this file. */
const hasFolder = (folder: string, row: Row) => isThere(join(folder, placeOf(row), 'format'));

/** No program can do anything with one that does not tell this; what else may be lost takes long to find. */
const isDamaged = async (folder: string, row: Row) =>
  row.state === 'live' && (await youngestAt(join(folder, placeOf(row)))) === undefined;

/** One that is being deleted has its folder or its dump. */
async function isLost(folder: string, dumps: string, row: Row): Promise<boolean> {
  if (row.state === 'creating' || row.dump_file !== null) return false;
  if (await hasFolder(folder, row)) return false;
  return row.state === 'live' || !(await isThere(join(dumps, dumpFileOf(row))));
}

/** Compares the repositories that the database has with those in the data folder. */
export async function inspectRepositories(database: Database, dataFolder: string): Promise<RepositoryFaults> {
  const [folder, dumps] = [join(dataFolder, 'svn_plugin'), join(dataFolder, 'backup', 'svn')];
  // What is in the folder is looked at first: a repository that is made meanwhile has a row before it has a folder.
  const places = await placesIn(folder);
  const columns = ['project_id', 'name', 'state', 'dump_file', 'deleted_at'] as const;
  const rows = await database.all<Row>(
    database.sql.selectFrom('svn_repository').select(columns).orderBy('id'),
  );
  const known = new Set(rows.map(placeOf));
  const [withoutFolder, damaged, withoutDump]: [string[], string[], string[]] = [[], [], []];
  for (const row of rows) {
    if (await isLost(folder, dumps, row)) withoutFolder.push(placeOf(row));
    else if (await isDamaged(folder, row)) damaged.push(placeOf(row));
    if (row.dump_file !== null && !(await isThere(join(dumps, row.dump_file))))
      withoutDump.push(row.dump_file);
  }
  const count = rows.filter(({ state }) => state === 'live').length;
  const withoutRow = places.filter((place) => !known.has(place));
  return { withoutFolder, damaged, withoutRow, withoutDump, count };
}
