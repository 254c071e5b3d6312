import type { Command } from 'commander';
import { type CommandAnswer, table } from './answer.ts';
import { declareCommand, onInstance } from './command.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';
import { changeGroup, presentGroup, slugOf } from './platform-groups.ts';

const argument = 'id or name of the permission, as `permission list` shows them';

export function declare(group: Command): void {
  group.description('Permissions on the whole platform, and the platform groups that hold them.');
  declareCommand(group, 'list', 'List the permissions there are.', 'permission list').action(
    onInstance(listPermissions),
  );
  declareCommand(
    group,
    'grant',
    'Give a permission to the members of a platform group.',
    'permission grant helpdesk user-management',
  )
    .argument('<group>', 'name of the platform group')
    .argument('<permission>', argument)
    .action(onInstance(grant));
  declareCommand(
    group,
    'revoke',
    'Take a permission away from the members of a platform group.',
    'permission revoke helpdesk user-management',
  )
    .argument('<group>', 'name of the platform group')
    .argument('<permission>', argument)
    .action(onInstance(revoke));
}

function permissionsOf({ identity }: Instance) {
  return [...identity.permissionNames].map(([id, name]) => ({ id, slug: slugOf(name), name }));
}

async function listPermissions(instance: Instance): Promise<CommandAnswer> {
  const permissions = permissionsOf(instance);
  const rows = permissions.map(({ id, slug, name }) => [id, slug, name]);
  return { data: permissions, words: table(['ID', 'PERMISSION', 'IN WORDS'], rows) };
}

function permissionNamed(instance: Instance, text: string) {
  const permissions = permissionsOf(instance);
  const found = permissions.find(({ id, slug }) => String(id) === text || slug === slugOf(text));
  if (found !== undefined) return found;
  const known = permissions.map(({ slug }) => slug).join(', ');
  throw new CommandFault(`There is no permission ${text}. There are: ${known}.`);
}

async function grant(instance: Instance, name: string, permission: string): Promise<CommandAnswer> {
  const { id, slug } = permissionNamed(instance, permission);
  const group = await changeGroup(instance, name, ({ permissions }) => ({
    permissions: [...permissions, id],
  }));
  return {
    data: presentGroup(instance, group),
    words: `The platform group ${group.name} now holds ${slug}.`,
  };
}

async function revoke(instance: Instance, name: string, permission: string): Promise<CommandAnswer> {
  const { id, slug } = permissionNamed(instance, permission);
  const group = await changeGroup(instance, name, ({ permissions }) => ({
    permissions: permissions.filter((held) => held !== id),
  }));
  const words = `The platform group ${group.name} does not hold ${slug} any more.`;
  return { data: presentGroup(instance, group), words };
}
