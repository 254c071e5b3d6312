import type { Database, Transaction } from './database.ts';
import type { Session } from './engine.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { trackers } from './migrations/0002-trackers.ts';
import { files } from './migrations/0003-files.ts';
import { workflow } from './migrations/0004-workflow.ts';
import { administration } from './migrations/0005-administration.ts';
import { deletion } from './migrations/0006-deletion.ts';
import { archives } from './migrations/0007-archives.ts';
import { archivedSettings } from './migrations/0008-archived-settings.ts';
import { search } from './migrations/0009-search.ts';
import { subversion } from './migrations/0010-subversion.ts';
import { notify } from './migrations/0011-notify.ts';
import { reports } from './migrations/0012-reports.ts';
import { crosstracker } from './migrations/0013-crosstracker.ts';
import { spans } from './migrations/0014-spans.ts';
import { waiting } from './migrations/0015-waiting.ts';
import { sumsByTrackers } from './migrations/0016-sums-by-trackers.ts';
import { customLinks } from './migrations/0017-custom-links.ts';
import { avatars } from './migrations/0018-avatars.ts';
import { heldJobs } from './migrations/0019-held-jobs.ts';
import { linkedTrackers } from './migrations/0020-linked-trackers.ts';
import { deletedProjects } from './migrations/0021-deleted-projects.ts';
import { archiveNumbers } from './migrations/0022-archive-numbers.ts';
import { eventKinds } from './migrations/0023-event-kinds.ts';
import { favorites } from './migrations/0024-favorites.ts';
import { watching } from './migrations/0025-watching.ts';
import { passwordTokens } from './migrations/0026-password-tokens.ts';
import { relatedVersion } from './migrations/0027-related-version.ts';
import { requestKeys } from './migrations/0028-request-keys.ts';
import { mentions } from './migrations/0029-mentions.ts';
import type { Ddl, Migration } from './migrations/migration.ts';

const migrations: readonly Migration[] = [
  foundation,
  trackers,
  files,
  workflow,
  administration,
  deletion,
  archives,
  archivedSettings,
  search,
  subversion,
  notify,
  reports,
  crosstracker,
  spans,
  waiting,
  sumsByTrackers,
  customLinks,
  avatars,
  heldJobs,
  linkedTrackers,
  deletedProjects,
  archiveNumbers,
  eventKinds,
  favorites,
  watching,
  passwordTokens,
  relatedVersion,
  requestKeys,
  mentions,
];
/** The schema that this program writes. */
export const newestSchema = migrations.at(-1)?.id ?? 0;

/** The stored data was written by a newer program; this one must not touch it. */
export class NewerDatabase extends Error {
  constructor(stored: number) {
    super(
      `The database was written by a newer version of Atelier (schema ${stored}, this program knows ${newestSchema}). ` +
        'Nothing was changed. Install the newer version, or restore a backup made by this one.',
    );
  }
}

async function appliedMigrations(transaction: Transaction, session: Session, ddl: Ddl): Promise<Set<number>> {
  const { integer, text } = ddl.columns;
  await session.run({
    sql: `create table if not exists migration (id ${integer} primary key, name ${text} not null, applied_at ${integer} not null)${ddl.tableOptions}`,
    values: [],
  });
  const rows = await transaction.all(transaction.sql.selectFrom('migration').select('id'));
  return new Set(rows.map(({ id }) => id));
}

/** The schema that the stored data has; 0 before the first start. */
export async function storedSchema(database: Database): Promise<number> {
  if (!(await database.hasTable('migration'))) return 0;
  const rows = await database.all<{ id: number }>(database.sql.selectFrom('migration').select('id'));
  return Math.max(0, ...rows.map(({ id }) => id));
}

async function refuseNewer(database: Database): Promise<void> {
  const stored = await storedSchema(database);
  if (stored > newestSchema) throw new NewerDatabase(stored);
}

/** Applies what was not applied yet, in order, up to a schema. To be called in an exclusive transaction. */
export async function applyMigrations(
  transaction: Transaction,
  session: Session,
  ddl: Ddl,
  schema: number,
): Promise<void> {
  const applied = await appliedMigrations(transaction, session, ddl);
  const stored = Math.max(0, ...applied);
  if (stored > newestSchema) throw new NewerDatabase(stored);
  for (const { id, name, statements } of migrations) {
    if (applied.has(id) || id > schema) continue;
    for (const sql of statements(ddl)) await session.run({ sql, values: [] });
    await transaction.run(
      transaction.sql.insertInto('migration').values({ id, name, applied_at: Date.now() }),
    );
  }
}

/** Brings the database to this program's schema: in order, all or nothing, one process at a time. */
export async function migrate(database: Database): Promise<void> {
  await database.requireFit();
  await refuseNewer(database);
  await database.exclusiveTransaction((transaction, session) =>
    applyMigrations(transaction, session, database.capabilities, newestSchema),
  );
}
