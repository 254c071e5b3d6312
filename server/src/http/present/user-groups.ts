import type { FullUserGroup, MinimalUserGroup } from '@atelier/contract';
import type { Settings } from '../../identity/index.ts';
import { builtInGroups, groupIds, restIdOf, type UserGroup } from '../../projects/index.ts';
import { presentMinimalProject } from './projects.ts';

type GroupLabels = Pick<Settings, 'registered_users_label' | 'authenticated_users_label'>;

/** The platform may call two of its groups otherwise. */
function labelOf({ id, name }: UserGroup, labels: GroupLabels): string {
  const given: Readonly<Record<number, string>> = {
    [groupIds.registered]: labels.registered_users_label,
    [groupIds.authenticated]: labels.authenticated_users_label,
  };
  return given[id] || (builtInGroups.get(id)?.label ?? name);
}

/** The form that is embedded in other things. */
export function presentEmbeddedUserGroup(group: UserGroup, labels: GroupLabels): MinimalUserGroup {
  const id = restIdOf(group);
  return {
    id,
    uri: `user_groups/${id}`,
    label: labelOf(group, labels),
    users_uri: `user_groups/${id}/users`,
    short_name: group.name,
    key: builtInGroups.get(group.id)?.key ?? group.name,
  };
}

export function presentUserGroup(group: UserGroup, labels: GroupLabels): MinimalUserGroup {
  return { ...presentEmbeddedUserGroup(group, labels), additional_information: [] };
}

export function presentFullUserGroup(group: UserGroup, labels: GroupLabels): FullUserGroup {
  return {
    ...presentEmbeddedUserGroup(group, labels),
    project: group.project === null ? null : presentMinimalProject(group.project),
    additional_information: [],
  };
}
