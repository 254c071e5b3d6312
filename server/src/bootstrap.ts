import { randomBytes } from 'node:crypto';
import {
  identityOperations,
  insertAccount,
  nameKey,
  noneId,
  type PasswordHasher,
  searchText,
} from './identity/index.ts';
import { commandLineViewer } from './kernel/viewer.ts';
import { insertBuiltInProjects } from './projects/index.ts';
import type { Database, Reader, Transaction } from './storage/index.ts';

/** The first administrator's credentials: shown once, kept nowhere. */
export interface FirstCredentials {
  readonly password: string;
  readonly accessKey: string;
}

const firstAdministratorId = 101;

/** Whether nothing was ever stored. */
export async function isEmpty(reader: Reader): Promise<boolean> {
  const query = reader.sql.selectFrom('account').select('id').where('id', '=', firstAdministratorId);
  return (await reader.first(query)) === undefined;
}

async function insertNone(tx: Transaction): Promise<void> {
  const name = 'None';
  await tx.run(
    tx.sql.insertInto('account').values({
      id: noneId,
      name,
      name_key: nameKey(name),
      real_name: '',
      email: '',
      ldap_id: null,
      status: 'S',
      password_hash: null,
      password_set_at: null,
      search_text: searchText(name, ''),
      created_at: Date.now(),
      last_access_at: null,
    }),
  );
}

async function fill(tx: Transaction, passwordHash: string): Promise<string> {
  await insertNone(tx);
  await insertBuiltInProjects(tx);
  const { id } = await insertAccount(tx, {
    name: 'admin',
    realName: 'Site Administrator',
    email: 'admin@localhost',
    ldapId: null,
    status: 'A',
    passwordHash,
    isSiteAdmin: true,
  });
  const key = {
    accountId: id,
    description: 'First access key',
    expiresAt: null,
    scopes: ['write:rest', 'write:svn'],
    isUnannounced: true,
  };
  return identityOperations([]).createAccessKey(tx, commandLineViewer('anonymous'), key);
}

/** What a first start does beside filling the database, all in one transaction with it. */
export interface FirstStart {
  /** Shows the credentials to whoever started the service. */
  readonly show: (credentials: FirstCredentials) => Promise<void>;
  /** Asks for the demo project, where one is wanted. */
  readonly requestDemo?: ((tx: Transaction) => Promise<void>) | undefined;
}

/**
 * Puts what every platform has into an empty database, and nothing into any other. The credentials are shown before any of it is stored: a start
 * that is cut off leaves either nothing, and the next one begins anew, or an account whose password was seen.
 */
export async function bootstrap(
  database: Database,
  hasher: PasswordHasher,
  { show, requestDemo }: FirstStart,
): Promise<void> {
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await hasher.hash(password);
  await database.exclusiveTransaction(async (tx) => {
    // Another process may have been first.
    if (!(await isEmpty(tx))) return;
    const accessKey = await fill(tx, passwordHash);
    await requestDemo?.(tx);
    await show({ password, accessKey });
  });
}
