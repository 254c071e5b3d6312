import type { Command } from 'commander';
import { accountNamed } from './accounts.ts';
import { type CommandAnswer, listing } from './answer.ts';
import { declareCommand, everything, nonEmpty, onInstance } from './command.ts';
import type { Instance } from './instance.ts';
import { changeGroup, platformGroupNamed, presentGroup } from './platform-groups.ts';

export function declare(group: Command): void {
  group.description('Groups of users that hold permissions on the whole platform: see `atelier permission`.');
  declareCommand(group, 'create', 'Make a platform group without members.', 'group create helpdesk')
    .argument('<name>', 'name of the group', nonEmpty)
    .action(onInstance(createGroup));
  declareCommand(group, 'add', 'Add users to a platform group.', 'group add helpdesk ines marc')
    .argument('<name>', 'name of the group')
    .argument('<user...>', 'user names')
    .action(onInstance(addMembers));
  declareCommand(group, 'remove', 'Remove users from a platform group.', 'group remove helpdesk marc')
    .argument('<name>', 'name of the group')
    .argument('<user...>', 'user names')
    .action(onInstance(removeMembers));
  declareCommand(group, 'list', 'List the platform groups.', 'group list').action(onInstance(listGroups));
  declareCommand(
    group,
    'delete',
    'Delete a platform group; its members lose what it gave.',
    'group delete helpdesk',
  )
    .argument('<name>', 'name of the group')
    .action(onInstance(deleteGroup));
}

async function createGroup(instance: Instance, name: string): Promise<CommandAnswer> {
  const group = await instance.operations.createPlatformGroup(instance.viewer, { name });
  return {
    data: presentGroup(instance, group),
    words: `The platform group ${group.name} has the id ${group.id}.`,
  };
}

async function idsOf(instance: Instance, users: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const user of users) ids.push((await accountNamed(instance, user)).id);
  return ids;
}

const count = (number: number) => (number === 1 ? '1 member' : `${number} members`);

async function setMembers(
  instance: Instance,
  name: string,
  change: (members: readonly number[]) => number[],
): Promise<CommandAnswer> {
  const changed = await changeGroup(instance, name, ({ members }) => ({
    members: change(members.map(({ id }) => id)),
  }));
  const words = `The platform group ${changed.name} has ${count(changed.members.length)}.`;
  return { data: presentGroup(instance, changed), words };
}

async function addMembers(
  instance: Instance,
  name: string,
  users: readonly string[],
): Promise<CommandAnswer> {
  const added = await idsOf(instance, users);
  return setMembers(instance, name, (members) => [...members, ...added]);
}

async function removeMembers(
  instance: Instance,
  name: string,
  users: readonly string[],
): Promise<CommandAnswer> {
  const removed = await idsOf(instance, users);
  return setMembers(instance, name, (members) => members.filter((id) => !removed.includes(id)));
}

async function listGroups(instance: Instance): Promise<CommandAnswer> {
  const { database, viewer, identity } = instance;
  const { items } = await identity.listPlatformGroups(database, viewer, everything);
  const groups = items.map((group) => presentGroup(instance, group));
  const rows = groups.map(({ id, name, permissions, users }) => [
    id,
    name,
    permissions.map(({ slug }) => slug).join(', '),
    users.map(({ username }) => username).join(', '),
  ]);
  return listing(groups, ['ID', 'NAME', 'PERMISSIONS', 'MEMBERS'], rows, 'There are no platform groups.');
}

async function deleteGroup(instance: Instance, name: string): Promise<CommandAnswer> {
  const group = await platformGroupNamed(instance, name);
  await instance.operations.deletePlatformGroup(instance.viewer, { id: group.id });
  return { data: { id: group.id, name: group.name }, words: `The platform group ${group.name} was deleted.` };
}
