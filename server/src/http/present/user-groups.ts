import type { FullUserGroup, MinimalUserGroup } from '@atelier/contract';
import type { Settings } from '../../identity/index.ts';
import { builtInGroups, formatGroupId, groupIds, type UserGroup } from '../../projects/index.ts';
import { presentMinimalProject } from './projects.ts';

type GroupLabels = Pick<Settings, 'registered_users_label' | 'authenticated_users_label'>;

/** A group and the project it is seen from. */
export interface NamedGroup {
  readonly id: number;
  readonly name: string;
  readonly projectId: number | null;
}

const named = ({ id, name, project }: UserGroup): NamedGroup => ({
  id,
  name,
  projectId: project?.id ?? null,
});

/** The platform may call two of its groups otherwise. */
function labelOf({ id, name }: NamedGroup, labels: GroupLabels): string {
  const given: Readonly<Record<number, string>> = {
    [groupIds.registered]: labels.registered_users_label,
    [groupIds.authenticated]: labels.authenticated_users_label,
  };
  return given[id] || (builtInGroups.get(id)?.label ?? name);
}

/** The form that is embedded in other things. */
export function presentEmbeddedUserGroup(group: NamedGroup, labels: GroupLabels): MinimalUserGroup {
  const id = formatGroupId(group.id, group.projectId);
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
  return { ...presentEmbeddedUserGroup(named(group), labels), additional_information: [] };
}

export function presentFullUserGroup(group: UserGroup, labels: GroupLabels): FullUserGroup {
  return {
    ...presentEmbeddedUserGroup(named(group), labels),
    project: group.project === null ? null : presentMinimalProject(group.project),
    additional_information: [],
  };
}
