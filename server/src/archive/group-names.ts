import { builtInGroups } from '../projects/index.ts';

/** What permissions call the groups that every project has. */
const constants = new Map([...builtInGroups.values()].map(({ constant, id }) => [constant, id]));

/** `ugroup_project_members_name_key`, and `project_members` alone. */
const keys = new Map([...builtInGroups.values()].map(({ key, id }) => [key, id]));
const bareKeys = new Map(
  [...keys].map(([key, id]) => [key.replace(/^ugroup_(.*)_name_key$/, '$1'), id] as const),
);
const names = new Map([...builtInGroups.values()].map(({ name, id }) => [name, id]));

/** The group that a name in an archive means; `own` are those that the project defines, by name. */
export function groupNamed(text: string, own: ReadonlyMap<string, number>): number | undefined {
  const name = text.trim();
  return constants.get(name) ?? own.get(name) ?? keys.get(name) ?? bareKeys.get(name) ?? names.get(name);
}

/** Groups that the project defines, by id. */
type OwnGroups = ReadonlyMap<number, string>;

/** How permissions name a group; undefined when it is gone. */
export const constantOf = (id: number, own: OwnGroups) => builtInGroups.get(id)?.constant ?? own.get(id);

/** How everything else names it. */
export const keyOf = (id: number, own: OwnGroups) => builtInGroups.get(id)?.key ?? own.get(id);
