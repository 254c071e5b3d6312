import { invalidMember } from '../kernel/errors.ts';
import { builtInGroups, formatGroupId, groupIds } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import type { Tracker } from './model.ts';

/** Groups that anybody may be in, or nobody, make no choice. */
const noChoice: readonly number[] = [groupIds.everybody, groupIds.registered, groupIds.nobody];

/** The groups that every open list of groups takes. */
export function groupsOfOpenLists(projectGroups: Tracker['projectGroups']): number[] {
  const all = [...builtInGroups.keys(), ...projectGroups.keys()];
  return all.filter((id) => !noChoice.includes(id)).sort((left, right) => left - right);
}

/** The short name of a group; undefined when it is gone. */
export const groupName = (projectGroups: Tracker['projectGroups'], id: number): string | undefined =>
  builtInGroups.get(id)?.name ?? projectGroups.get(id);

/** The group that an id of the API names, among those that mean something in the tracker's project. */
function groupFor({ project, projectGroups }: Tracker, text: string): number | undefined {
  const builtIn = [...builtInGroups.keys()].filter((id) => id !== groupIds.nobody);
  const known = [...builtIn, ...projectGroups.keys()];
  return (
    known.find((id) => formatGroupId(id, project.id) === text) ??
    builtIn.find((id) => String(id) === text) ??
    [...projectGroups.keys()].find((id) => `${project.id}_${id}` === text)
  );
}

/** The numbers of the groups that a member of a request lists, each once. */
export function requireGroups(tracker: Tracker, member: string, input: readonly string[]): number[] {
  const groups = input.map((text) => {
    const id = groupFor(tracker, text);
    if (id === undefined)
      throw invalidMember(member, `There is no user group ${JSON.stringify(text)} in this project.`);
    return id;
  });
  return [...new Set(groups)];
}

/** What these groups are in the tracker's project: built-in ones are everywhere, all others the same by their name. */
export async function sameGroups(
  reader: Reader,
  ids: readonly number[],
  { projectGroups }: Tracker,
): Promise<ReadonlyMap<number, number>> {
  const isHere = (id: number) => builtInGroups.has(id) || projectGroups.has(id);
  const same = new Map(ids.filter(isHere).map((id) => [id, id]));
  const elsewhere = ids.filter((id) => !isHere(id));
  if (elsewhere.length === 0) return same;
  const query = reader.sql.selectFrom('user_group').select(['id', 'name']).where('id', 'in', elsewhere);
  const byName = new Map([...projectGroups].map(([id, name]) => [name, id]));
  for (const { id, name } of await reader.all(query)) {
    const here = byName.get(name);
    if (here !== undefined) same.set(id, here);
  }
  return same;
}
