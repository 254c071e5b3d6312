import { type Command, Option } from 'commander';
import type { Account, Status } from '../identity/index.ts';
import { accountNamed } from './accounts.ts';
import { type CommandAnswer, listing } from './answer.ts';
import { declareCommand, onInstance, requireChange } from './command.ts';
import { UsageError } from './faults.ts';
import type { Instance } from './instance.ts';
import { type PasswordOptions, passwordOf, passwordOptions } from './password.ts';

const statusOf = {
  active: 'A',
  restricted: 'R',
  suspended: 'S',
  pending: 'P',
  deleted: 'D',
  validated: 'V',
  'validated-restricted': 'W',
} as const satisfies Record<string, Status>;
type StatusWord = keyof typeof statusOf;

const wordOf = (status: string) =>
  Object.entries(statusOf).find(([, letter]) => letter === status)?.[0] ?? status;

interface UserOptions extends PasswordOptions {
  readonly email?: string;
  readonly realName?: string;
  readonly siteAdmin?: boolean;
  readonly status?: StatusWord;
  readonly revokeKeys?: boolean;
}

function withOptions(command: Command, statuses: readonly StatusWord[]): Command {
  for (const option of passwordOptions()) command.addOption(option);
  return command
    .option('--email <address>', 'address for mail')
    .option('--real-name <name>', 'name as people write it')
    .addOption(new Option('--status <status>', 'what the account may be used for').choices(statuses))
    .option('--site-admin', 'make the user an administrator of the platform');
}

export function declare(group: Command): void {
  group.description('Make, change and list accounts.');
  const create = declareCommand(
    group,
    'create',
    'Make an account. Without a password it can be used with access keys only.',
    'user create ines --email ines@example.com --real-name "Inès Roy" --password-stdin < secret.txt',
  );
  withOptions(create, ['active', 'restricted', 'suspended'])
    .argument('<name>', 'user name')
    .action(onInstance(createUser));
  const set = declareCommand(
    group,
    'set',
    'Change an account. What is not named stays as it is; a new password ends the web sessions and tokens.',
    'user set ines --status suspended',
    'user set ines --site-admin',
  );
  withOptions(set, ['active', 'restricted', 'suspended', 'pending', 'deleted'])
    .option('--revoke-keys', 'with a new password: revoke the access keys as well')
    .option('--no-site-admin', 'take the administration of the platform away')
    .argument('<name>', 'user name')
    .action(onInstance(setUser));
  declareCommand(group, 'list', 'List every account.', 'user list --json').action(onInstance(listUsers));
}

async function presented({ database, identity }: Instance, { id, name, realName, email, status }: Account) {
  const is_site_admin = await identity.isSiteAdministrator(database, id);
  return { id, username: name, real_name: realName, email, status: wordOf(status), is_site_admin };
}

async function hashOf(instance: Instance, options: PasswordOptions): Promise<string | undefined> {
  const password = await passwordOf(options);
  if (password === undefined) return undefined;
  const { config, database, identity } = instance;
  identity.checkPassword(password, (await identity.readSettings(database)).password_min_length);
  const hashLimiter = new identity.HashLimiter(identity.HashLimiter.createMemory(1));
  return new identity.PasswordHasher(config.argon2, hashLimiter).hash(password);
}

async function createUser(instance: Instance, name: string, options: UserOptions): Promise<CommandAnswer> {
  const { email = '', realName = '', siteAdmin: isSiteAdmin = false, status = 'active' } = options;
  const account = await instance.operations.createAccount(instance.viewer, {
    name,
    realName,
    email,
    ldapId: null,
    status: statusOf[status],
    passwordHash: (await hashOf(instance, options)) ?? null,
    isSiteAdmin,
  });
  const words = `The user ${account.name} has the id ${account.id}.`;
  return { data: await presented(instance, account), words };
}

async function setUser(instance: Instance, name: string, options: UserOptions): Promise<CommandAnswer> {
  const { email, realName, siteAdmin: isSiteAdmin, status } = options;
  const { id } = await accountNamed(instance, name);
  const changes = {
    email,
    realName,
    isSiteAdmin,
    status: status && statusOf[status],
    passwordHash: await hashOf(instance, options),
  };
  requireChange(changes);
  const revokesKeys = options.revokeKeys === true;
  if (revokesKeys && changes.passwordHash === undefined)
    throw new UsageError('--revoke-keys goes with a new password.');
  await instance.operations.changeAccount(instance.viewer, { id, ...changes, revokesKeys });
  const account = await accountNamed(instance, name);
  return { data: await presented(instance, account), words: `The user ${account.name} was changed.` };
}

async function listUsers(instance: Instance): Promise<CommandAnswer> {
  const accounts = await instance.identity.listAccounts(instance.database, instance.viewer);
  const users = [];
  for (const account of accounts) users.push(await presented(instance, account));
  const rows = users.map((user) => [
    user.id,
    user.username,
    user.status,
    user.is_site_admin,
    user.real_name,
    user.email,
  ]);
  return listing(
    users,
    ['ID', 'NAME', 'STATUS', 'SITE ADMIN', 'REAL NAME', 'EMAIL'],
    rows,
    'There are no users.',
  );
}
