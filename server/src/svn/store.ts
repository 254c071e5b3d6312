import { type Reader, type Selectable, statement, type Tables, toFlag } from '../storage/index.ts';
import { type RepositorySettings, repositoryNameKey } from './model.ts';
import { readNotifications } from './notifications.ts';

export type RepositoryRow = Selectable<Tables['svn_repository']>;

const rowById = statement((sql, p: { id: number }) =>
  sql.selectFrom('svn_repository').selectAll().where('id', '=', p.id),
);

const rowByName = statement((sql, p: { projectId: number; nameKey: string }) =>
  sql
    .selectFrom('svn_repository')
    .selectAll()
    .where('project_id', '=', p.projectId)
    .where('name_key', '=', p.nameKey),
);

/** A repository that is there; `findAnyRow` also knows those that are in the making or deleted. */
export async function findRow(reader: Reader, id: number): Promise<RepositoryRow | undefined> {
  const row = await findAnyRow(reader, id);
  return row?.state === 'live' ? row : undefined;
}

export const findAnyRow = (reader: Reader, id: number): Promise<RepositoryRow | undefined> =>
  reader.first<{ id: number }, RepositoryRow>(rowById, { id });

/** Names in addresses are spelled as they are. */
export async function findRowNamed(
  reader: Reader,
  projectId: number,
  name: string,
): Promise<RepositoryRow | undefined> {
  const row = await reader.first<{ projectId: number; nameKey: string }, RepositoryRow>(rowByName, {
    projectId,
    nameKey: repositoryNameKey(name),
  });
  return row?.state === 'live' && row.name === name ? row : undefined;
}

const accessTextOf = statement((sql, p: { id: number; version: number }) =>
  sql
    .selectFrom('svn_access_version')
    .select('content')
    .where('repository_id', '=', p.id)
    .where('version', '=', p.version),
);

export async function readAccessTextOf(
  reader: Reader,
  { id, access_version: version }: Pick<RepositoryRow, 'id' | 'access_version'>,
): Promise<string> {
  if (version === 0) return '';
  return (await reader.first(accessTextOf, { id, version }))?.content ?? '';
}

export const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

export async function settingsOf(reader: Reader, row: RepositoryRow): Promise<RepositorySettings> {
  return {
    commitRules: {
      isReferenceMandatory: row.is_reference_mandatory === 1,
      isMessageChangeAllowed: row.is_message_change_allowed === 1,
    },
    immutableTags: { paths: linesOf(row.immutable_paths), whitelist: linesOf(row.immutable_whitelist) },
    accessText: await readAccessTextOf(reader, row),
    notifications: await readNotifications(reader, row.id),
    hasDefaultPermissions: row.has_default_permissions === 1,
  };
}

/** The columns that hold settings. */
export const settingColumns = ({
  commitRules,
  immutableTags,
  hasDefaultPermissions,
}: RepositorySettings) => ({
  is_reference_mandatory: toFlag(commitRules.isReferenceMandatory),
  is_message_change_allowed: toFlag(commitRules.isMessageChangeAllowed),
  immutable_paths: immutableTags.paths.join('\n'),
  immutable_whitelist: immutableTags.whitelist.join('\n'),
  has_default_permissions: toFlag(hasDefaultPermissions),
});
