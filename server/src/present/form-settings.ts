import type { FieldSettings } from '@atelier/contract';
import { formatGroupId } from '../projects/index.ts';
import { type Bind, type Field, shownProperties } from '../trackers/index.ts';
import { presentFieldPermissions } from './trackers.ts';
import type { GroupPresenter } from './user-groups.ts';

type ShownBind = NonNullable<FieldSettings['bind']>;

/** How requests name a default value: groups by their own ids. */
function nameOfDefault({ kind, values }: Bind, projectId: number, id: number): string {
  const groupId = kind === 'ugroups' ? values.find((value) => value.id === id)?.groupId : null;
  return groupId === null || groupId === undefined ? String(id) : formatGroupId(groupId, projectId);
}

function presentBind(bind: Bind, projectId: number): ShownBind {
  const { kind, isAlphabetic, groups, defaults, values } = bind;
  return {
    type: kind,
    is_alphabetic: isAlphabetic,
    groups: groups.map((id) => formatGroupId(id, projectId)),
    default_values: defaults.map((id) => nameOfDefault(bind, projectId, id)),
    values: values
      .toSorted((left, right) => left.rank - right.rank || left.id - right.id)
      .map(({ id, label, description, color, isHidden, groupId }) => ({
        id,
        label,
        description,
        color: color === '' ? null : color,
        is_hidden: isHidden,
        is_default: defaults.includes(id),
        ugroup_id: groupId === null ? null : formatGroupId(groupId, projectId),
      })),
  };
}

/** A form element as those see it who set it up. */
export function presentFieldSettings(field: Field, group: GroupPresenter, isRemoved: boolean): FieldSettings {
  const { type, bind, projectId } = field;
  return {
    field_id: field.id,
    tracker: { id: field.trackerId, uri: `trackers/${field.trackerId}` },
    type: type.code,
    name: field.name,
    label: field.label,
    description: field.description,
    parent_id: field.parentId,
    rank: field.rank,
    required: field.isRequired,
    has_notifications: field.hasNotifications,
    is_used: field.isUsed,
    is_removed: isRemoved,
    specific_properties: { ...shownProperties(type, field.properties) },
    permissions_for_groups: type.kind === 'field' ? presentFieldPermissions(field, group) : null,
    bind: bind === null ? null : presentBind(bind, projectId),
  };
}
