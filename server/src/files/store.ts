import {
  lockingStatement,
  mostIds,
  type Reader,
  type SqlBuilder,
  statement,
  statementOverIds,
  type Transaction,
} from '../storage/index.ts';
import type { FileFacts, StoredFile } from './model.ts';

const facts = [
  'id',
  'submitted_by as submittedBy',
  'description',
  'first_description as firstDescription',
  'name',
  'size',
  'type',
] as const;

const wholeFiles = (sql: SqlBuilder) =>
  sql
    .selectFrom('attachment')
    .select(facts)
    .select(['state', 'artifact_id as artifactId', 'field_id as fieldId', 'expected_size as expectedSize'])
    .select(['chunks', 'expires_at as expiresAt', 'preview'])
    .select(['lock_token as writer', 'lock_until as writerUntil']);

const fileById = statement((sql, p: { id: number }) => wholeFiles(sql).where('id', '=', p.id));
const lockedFile = lockingStatement((sql, p: { id: number }) => wholeFiles(sql).where('id', '=', p.id));

export function findFile(reader: Reader, id: number): Promise<StoredFile | undefined> {
  return reader.first(fileById, { id });
}

/** As `findFile`; nobody else changes the file until the transaction ends. */
export function lockFile(tx: Transaction, id: number): Promise<StoredFile | undefined> {
  return tx.first(lockedFile, { id });
}

/** As `lockFile`, for several, in the order of their ids. */
export function lockFiles(tx: Transaction, ids: readonly number[]): Promise<StoredFile[]> {
  return tx.lock(wholeFiles(tx.sql).where('id', 'in', ids).orderBy('id'));
}

const factsByIds = statementOverIds((sql, ids) =>
  sql.selectFrom('attachment').select(facts).where('id', 'in', ids),
);

/** What is known of files, also of those that were removed. */
export async function findFiles(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FileFacts>> {
  const files = new Map<number, FileFacts>();
  for (let start = 0; start < ids.length; start += mostIds)
    for (const file of await reader.all(...factsByIds(ids.slice(start, start + mostIds))))
      files.set(file.id, file);
  return files;
}

const temporaryPage = statement((sql, p: { owner: number; now: number; limit: number; offset: number }) =>
  sql
    .selectFrom('attachment')
    .where('submitted_by', '=', p.owner)
    .where('state', '=', 'temporary')
    .where('expires_at', '>', p.now)
    .select(facts)
    .orderBy('id')
    .limit(p.limit)
    .offset(p.offset),
);

export function findTemporaryFiles(
  reader: Reader,
  owner: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<FileFacts[]> {
  return reader.all(temporaryPage, { owner, now: Date.now(), ...page });
}

/** Keeps others from deciding about how much this person may still send. */
export async function lockQuotaOf(tx: Transaction, owner: number): Promise<void> {
  await tx.lock(tx.sql.selectFrom('account').select('id').where('id', '=', owner));
}
