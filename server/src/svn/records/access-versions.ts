import type { Instant } from '../../kernel/clock.ts';
import type { Page, Slice } from '../../kernel/paging.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader, Transaction } from '../../storage/index.ts';
import { requireRepository, requireSvnAdministrator } from '../policy.ts';

/** What a project wrote into an access file, at some time. */
export interface AccessVersion {
  /** From 1; the last is current. */
  readonly version: number;
  readonly createdAt: Instant;
  readonly createdBy: number;
  readonly content: string;
}

/** Keeps a text as the next version and makes it current. */
export async function saveAccessVersion(
  tx: Transaction,
  viewer: Pick<Viewer, 'userId'>,
  repository_id: number,
  content: string,
): Promise<void> {
  const query = tx.sql.selectFrom('svn_repository').select('access_version').where('id', '=', repository_id);
  const [row] = await tx.lock(query);
  const version = (row?.access_version ?? 0) + 1;
  const saved = { repository_id, version, content, created_by: viewer.userId, created_at: Date.now() };
  await tx.run(tx.sql.insertInto('svn_access_version').values(saved));
  const current = tx.sql.updateTable('svn_repository').set({ access_version: version });
  await tx.run(current.where('id', '=', repository_id));
}

export async function listAccessVersions(
  reader: Reader,
  viewer: Viewer,
  { id, limit, offset }: { id: number } & Page,
): Promise<Slice<AccessVersion>> {
  const { row, project } = await requireRepository(reader, viewer, id);
  await requireSvnAdministrator(reader, viewer, project);
  const query = reader.sql.selectFrom('svn_access_version').where('repository_id', '=', row.id);
  const counted = await reader.first(query.select((version) => version.fn.countAll<number>().as('size')));
  const columns = ['version', 'created_at as createdAt', 'created_by as createdBy', 'content'] as const;
  const items = await reader.all(
    query.select(columns).orderBy('version', 'desc').limit(limit).offset(offset),
  );
  return { items, size: counted?.size ?? 0 };
}
