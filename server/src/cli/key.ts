import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AccessKey, scopes } from '../identity/index.ts';
import { formatInstant, type Instant, parseInstant } from '../kernel/clock.ts';
import { accountNamed } from './accounts.ts';
import { type CommandAnswer, listing } from './answer.ts';
import { declareCommand, everything, onInstance, wholeNumber } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';

interface KeyOptions {
  readonly description: string;
  readonly expires?: Instant;
  readonly scope: readonly string[];
}

function dateOf(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined)
    throw new InvalidArgumentError('Expecting a date of the form 2027-01-31 or 2027-01-31T12:00:00+01:00.');
  return instant;
}

export function declare(group: Command): void {
  group.description('Make, list and delete the access keys of a user.');
  declareCommand(
    group,
    'create',
    'Make an access key and print it. It is shown only now: a digest is all that is kept.',
    'key create ines --description "nightly build" --expires 2027-01-31',
    'key create ines --scope read:rest read:svn',
  )
    .argument('<user>', 'user name')
    .option('--description <text>', 'what the key is for', '')
    .option('--expires <date>', 'when the key ends; a day alone ends it as that day begins', dateOf)
    .addOption(
      new Option('--scope <scope...>', 'what the key opens')
        .choices(scopes)
        .default(['write:rest'], 'write:rest'),
    )
    .action(onInstance(createKey));
  declareCommand(group, 'list', 'List the access keys of a user that have not ended.', 'key list ines')
    .argument('<user>', 'user name')
    .action(onInstance(listKeys));
  declareCommand(group, 'delete', 'Delete an access key; it is refused from now on.', 'key delete ines 12')
    .argument('<user>', 'user name')
    .argument('<id>', 'id of the key, as `key list` shows it', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(onInstance(deleteKey));
}

async function createKey(instance: Instance, user: string, options: KeyOptions): Promise<CommandAnswer> {
  const { id: accountId } = await accountNamed(instance, user);
  const identifier = await instance.operations.createAccessKey(instance.viewer, {
    accountId,
    description: options.description,
    expiresAt: options.expires ?? null,
    scopes: options.scope,
  });
  return { data: { identifier }, words: identifier };
}

const optional = (instant: Instant | null) => (instant === null ? null : formatInstant(instant));

function presented({ id, description, scopes, ...key }: AccessKey) {
  return {
    id,
    description,
    scopes,
    creation_date: formatInstant(key.createdAt),
    expiration_date: optional(key.expiresAt),
    last_used_on: optional(key.lastUsedAt),
    last_used_by: key.lastUsedBy,
  };
}

async function listKeys(instance: Instance, user: string): Promise<CommandAnswer> {
  const { database, viewer, identity } = instance;
  const { id: accountId, name } = await accountNamed(instance, user);
  const { items } = await identity.listAccessKeys(database, viewer, { accountId, ...everything });
  const keys = items.map(presented);
  const rows = keys.map((key) => [
    key.id,
    key.scopes.join(' '),
    key.creation_date,
    key.expiration_date ?? 'never',
    key.last_used_on ?? 'never',
    key.description,
  ]);
  const headings = ['ID', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED', 'DESCRIPTION'];
  return listing(keys, headings, rows, `${name} has no access keys.`);
}

async function deleteKey(instance: Instance, user: string, id: number): Promise<CommandAnswer> {
  const { id: accountId, name } = await accountNamed(instance, user);
  const isDeleted = await instance.operations.deleteAccessKey(instance.viewer, { id, accountId });
  if (!isDeleted) throw new CommandFault(`${name} has no access key ${id}.`);
  return { data: { id }, words: `The access key ${id} of ${name} was deleted.` };
}
