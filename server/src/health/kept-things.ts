import { join } from 'node:path';
import { type ArchiveFaults, inspectArchives } from '../archive/index.ts';
import type { Config } from '../kernel/config.ts';
import { type Database, openDatabase } from '../storage/index.ts';
import { inspectRepositories, type RepositoryFaults } from '../svn/index.ts';
import type { HealthFinding } from './finding.ts';

/** Names that one finding tells; how many there are is told anyway. */
const mostNames = 10;

function named(names: readonly string[]): string {
  const rest = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The same in no language. */
const listed = (names: readonly string[]) =>
  [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])].join(', ');

function repositoryFindings(
  { withoutFolder, damaged, withoutRow, withoutDump, count }: RepositoryFaults,
  dataFolder: string,
): HealthFinding[] {
  const about = 'repositories';
  const folder = join(dataFolder, 'svn_plugin');
  const findings: HealthFinding[] = [];
  if (withoutFolder.length > 0)
    findings.push({
      ...{
        about,
        state: 'problem',
        says: `${withoutFolder.length} are not in ${folder}: ${named(withoutFolder)}.`,
      },
      ...{ code: 'repositories-gone' },
      facts: { count: withoutFolder.length, folder, names: listed(withoutFolder) },
      advice:
        'Put their folders back from a backup, as svnadmin hotcopy or atelier restore gives them, or delete the repositories.',
    });
  if (damaged.length > 0)
    findings.push({
      ...{ about, state: 'problem', says: `${damaged.length} are damaged: ${named(damaged)}.` },
      ...{ code: 'repositories-damaged', facts: { count: damaged.length, names: listed(damaged), folder } },
      advice: `\`svnadmin verify\` says what is wrong. \`svnadmin recover\` mends what can be; else put their folders in ${folder} back from a backup.`,
    });
  if (withoutRow.length > 0)
    findings.push({
      ...{
        about,
        state: 'warning',
        says: `No project has these folders of ${folder}: ${named(withoutRow)}.`,
      },
      ...{ code: 'repositories-unknown', facts: { folder, names: listed(withoutRow) } },
      advice:
        'See that the service uses the right database: folders that nothing points to are removed after a week. Move away what you want to keep.',
    });
  if (withoutDump.length > 0)
    findings.push({
      ...{ about, state: 'problem', says: `Dumps of deleted ones are missing: ${named(withoutDump)}.` },
      code: 'dumps-gone',
      facts: { names: listed(withoutDump), folder: join(dataFolder, 'backup', 'svn') },
      advice: `Without them the repositories cannot be brought back: put them into ${join(dataFolder, 'backup', 'svn')} from a backup.`,
    });
  if (findings.length > 0) return findings;
  const says = `${count.toLocaleString('en')}, all with their folders.`;
  return [{ about, state: 'ok', says, code: 'repositories-whole', facts: { count } }];
}

function archiveFindings(
  { missing, missingFolder, count }: ArchiveFaults,
  dataFolder: string,
): HealthFinding[] {
  const about = 'deleted artifacts';
  const findings: HealthFinding[] = [];
  if (missingFolder !== undefined)
    findings.push({
      ...{
        about,
        state: 'problem',
        says: `The folder ${missingFolder} of their archives is not there, so nothing can be deleted.`,
      },
      ...{ code: 'archives-homeless', facts: { folder: missingFolder } },
      advice: 'Make it for the user of the service, or change the setting archive_deleted_items_path.',
    });
  if (missing.length > 0)
    findings.push({
      ...{
        about,
        state: 'problem',
        says: `${missing.length} archives are missing: ${named(missing.map(({ archive }) => archive))}.`,
      },
      ...{ code: 'archives-gone' },
      facts: {
        count: missing.length,
        names: listed(missing.map(({ archive }) => archive)),
        folder: join(dataFolder, 'deleted'),
      },
      advice: `Without them the artifacts cannot be brought back: put them into ${join(dataFolder, 'deleted')} from a backup.`,
    });
  if (findings.length > 0) return findings;
  const says = `${count.toLocaleString('en')} archives, all there.`;
  return [{ about, state: 'ok', says, code: 'archives-whole', facts: { count } }];
}

/** The same for a database that is open. */
export const keptFindings = async (database: Database, dataFolder: string): Promise<HealthFinding[]> => [
  ...repositoryFindings(await inspectRepositories(database, dataFolder), dataFolder),
  ...archiveFindings(await inspectArchives(database, dataFolder), dataFolder),
];

/** Whether what lies beside the database is what the database says. The database must be of this version. */
export async function checkKeptThings({ dataFolder, databaseUrl }: Config): Promise<HealthFinding[]> {
  const database = await openDatabase({ folder: dataFolder, databaseUrl, connections: 1 });
  try {
    return await keptFindings(database, dataFolder);
  } finally {
    await database.close();
  }
}
