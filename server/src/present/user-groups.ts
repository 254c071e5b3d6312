import type { FullUserGroup, MinimalUserGroup } from '@atelier/contract';
import {
  builtInGroups,
  formatGroupId,
  type GroupLabels,
  groupLabel,
  type UserGroup,
} from '../projects/index.ts';
import { presentMinimalProject } from './projects.ts';

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

/** The form that is embedded in other things. */
export function presentEmbeddedUserGroup(group: NamedGroup, labels: GroupLabels): MinimalUserGroup {
  const id = formatGroupId(group.id, group.projectId);
  return {
    id,
    uri: `user_groups/${id}`,
    label: groupLabel(group, labels),
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
    ...(group.description === undefined ? {} : { description: group.description }),
    additional_information: [],
  };
}

/** Presents a group by its number; undefined when there is none (any more). */
export type GroupPresenter = (id: number) => MinimalUserGroup | undefined;
