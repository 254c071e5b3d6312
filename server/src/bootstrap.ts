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
import type { Database, Transaction } from './storage/index.ts';

/** The first administrator's credentials: shown once, kept nowhere. */
export interface FirstCredentials {
  readonly password: string;
  readonly accessKey: string;
}

const firstAdministratorId = 101;

async function isEmpty(database: Database): Promise<boolean> {
  const query = database.sql.selectFrom('account').select('id').where('id', '=', firstAdministratorId);
  return (await database.first(query)) === undefined;
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
  return identityOperations.createAccessKey(tx, commandLineViewer('anonymous'), key);
}

/** Puts what every platform has into an empty database; undefined when it is not empty. */
export async function bootstrap(
  database: Database,
  hasher: PasswordHasher,
): Promise<FirstCredentials | undefined> {
  if (!(await isEmpty(database))) return undefined;
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await hasher.hash(password);
  const accessKey = await database.exclusiveTransaction(async (tx) => {
    // Another process may have been first.
    const taken = await tx.first(
      tx.sql.selectFrom('account').select('id').where('id', '=', firstAdministratorId),
    );
    return taken === undefined ? fill(tx, passwordHash) : undefined;
  });
  return accessKey === undefined ? undefined : { password, accessKey };
}
