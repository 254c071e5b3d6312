import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInData } from '../../kernel/folders.ts';
import { workFileName } from '../../kernel/work-files.ts';
import { element, type XmlElement } from '../../kernel/xml.ts';
import type { Project } from '../../projects/index.ts';
import {
  dumpRepository,
  type ExportedRepository,
  exportedRepositories,
  repositoryNamePart,
  SvnWorkspace,
} from '../../svn/index.ts';
import type { ZipWriter } from '../zip-writer.ts';
import type { ArchiveDeps } from './deps.ts';

const dumpPath = (name: string) => `svn/${repositoryNamePart(name)}.svn`;

/** Notifications of people and groups have no place in archives, and neither have the other settings. */
function repositoryElement({ name, accessText, notifications }: ExportedRepository): XmlElement {
  return element('repository', { name, 'dump-file': dumpPath(name) }, [
    element('access-file', {}, accessText),
    ...notifications
      .filter(({ emails }) => emails.length > 0)
      .map(({ path, emails }) => element('notification', { path, emails: emails.join(', ') })),
  ]);
}

/** What an archive tells of the repositories of a project. */
export const svnElement = (repositories: readonly ExportedRepository[]): XmlElement =>
  element('svn', {}, repositories.map(repositoryElement));

/** The repositories of a project as they go into its archive. */
export const repositoriesOf = ({ database }: Pick<ArchiveDeps, 'database'>, { id }: Project) =>
  exportedRepositories(database, id);

/** Puts the whole history of each repository into the archive. */
export async function addDumps(
  zip: ZipWriter,
  { config }: Pick<ArchiveDeps, 'config'>,
  { id: projectId }: Project,
  repositories: readonly ExportedRepository[],
): Promise<void> {
  const svnWorkspace = new SvnWorkspace(config);
  const folder = await makeInData(config.dataFolder, 'exports');
  for (const { name } of repositories) {
    const path = join(folder, workFileName('.svn'));
    try {
      await dumpRepository(svnWorkspace, { projectId, name }, path);
      await zip.add(dumpPath(name), createReadStream(path));
    } finally {
      await rm(path, { force: true });
    }
  }
}
