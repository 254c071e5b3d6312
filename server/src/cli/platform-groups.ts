import type { PlatformGroup } from '../identity/index.ts';
import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';

type Changes = Partial<Record<'members' | 'permissions', readonly number[]>>;

/** The name of a permission as it is written on the command line: `user-management`. */
export const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

export async function platformGroupNamed(
  { database, viewer, identity }: Instance,
  name: string,
): Promise<PlatformGroup> {
  const group = await identity.findPlatformGroupByName(database, viewer, name);
  if (group === undefined) throw new CommandFault(`There is no platform group ${name}.`);
  return group;
}

/** Changes a group to what is made of it as it is now: two commands at the same time lose nothing of each other. */
export async function changeGroup(
  instance: Instance,
  name: string,
  change: (group: PlatformGroup) => Changes,
): Promise<PlatformGroup> {
  const { database, viewer, platform } = instance;
  const { id } = await platformGroupNamed(instance, name);
  const { changePlatformGroup } = platform.operations;
  return database.transaction(async (tx) => {
    // A change of nothing: it locks the group and reads it.
    const group = await changePlatformGroup(tx, viewer, { id });
    return changePlatformGroup(tx, viewer, { id, ...change(group) });
  });
}

export function presentGroup({ identity }: Instance, { id, name, permissions, members }: PlatformGroup) {
  return {
    id,
    name,
    permissions: permissions.map((permission) => {
      const words = identity.permissionNames.get(permission) ?? '';
      return { id: permission, name: words, slug: slugOf(words) };
    }),
    users: members.map((member) => ({ id: member.id, username: member.name })),
  };
}
