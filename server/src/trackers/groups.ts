import { invalidMember } from '../kernel/errors.ts';
import { builtInGroups, formatGroupId, groupIds } from '../projects/index.ts';
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
export function requireGroups(tracker: Tracker, member: string, given: readonly string[]): number[] {
  const groups = given.map((text) => {
    const id = groupFor(tracker, text);
    if (id === undefined)
      throw invalidMember(member, `There is no user group ${JSON.stringify(text)} in this project.`);
    return id;
  });
  return [...new Set(groups)];
}
