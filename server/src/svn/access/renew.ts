import { systemViewer } from '../../kernel/viewer.ts';
import { findProject } from '../../projects/index.ts';
import type { Database } from '../../storage/index.ts';
import type { SvnDeps } from '../deps.ts';
import { findRow, type RepositoryRow } from '../store.ts';
import { writeAccess } from './file.ts';
import { readSections } from './generated.ts';

/** Stands for all that an access file is made from. */
export async function markOf(
  database: Database,
  { access_version, has_default_permissions, has_faulty_access }: RepositoryRow,
): Promise<string> {
  const { identity, structure } = await database.revisions();
  return [identity, structure, access_version, has_default_permissions, has_faulty_access].join(' ');
}

/**
 * Writes the access file that holds now, and gives what it was made from. Somebody else may write what was true a moment
 * later in between; so whoever wrote looks once more, and the last to write has written the newest.
 */
export async function renewAccess(
  { database, svnWorkspace }: Pick<SvnDeps, 'database' | 'svnWorkspace'>,
  id: number,
): Promise<string | undefined> {
  for (let written: string | undefined; ; ) {
    database.renew();
    const row = await findRow(database, id);
    const project = row && (await findProject(database, systemViewer, row.project_id));
    if (row === undefined || project === undefined) return undefined;
    const mark = await markOf(database, row);
    if (mark === written) return mark;
    const place = { projectId: project.id, name: row.name };
    await writeAccess(svnWorkspace, place, await readSections(database, project, row));
    written = mark;
  }
}
