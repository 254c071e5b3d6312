import { randomBytes } from 'node:crypto';
import {
  administrationProjectId,
  identityOperations,
  insertAccount,
  nameKey,
  noneId,
  type PasswordHasher,
  searchText,
} from './identity/index.ts';
import { commandLineViewer } from './kernel/viewer.ts';
import type { Database, Flag, Transaction } from './storage/index.ts';

/** The first administrator's credentials: shown once, kept nowhere. */
export interface FirstCredentials {
  readonly password: string;
  readonly accessKey: string;
}

const firstAdministratorId = 101;
const defaultTemplateId = 100;

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

async function insertBuiltInProject(
  tx: Transaction,
  id: number,
  shortname: string,
  label: string,
): Promise<void> {
  const isTemplate: Flag = id === defaultTemplateId ? 1 : 0;
  await tx.run(
    tx.sql.insertInto('project').values({
      id,
      label,
      shortname,
      shortname_key: shortname,
      description: label,
      status: isTemplate ? 'system' : 'active',
      access: 'public',
      icon: '',
      is_template: isTemplate,
      field_values: '{}',
      has_synchronised_membership: 0,
      banner: null,
      header_background: null,
      created_at: Date.now(),
    }),
  );
}

async function fill(tx: Transaction, passwordHash: string): Promise<string> {
  await insertNone(tx);
  await insertBuiltInProject(tx, administrationProjectId, 'admin-project', 'Administration Project');
  await insertBuiltInProject(tx, defaultTemplateId, 'default-template', 'Default Site Template');
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
