import { useMessages } from '../../messages/index.ts';
import { Checkbox, CheckboxGroup, Chip } from '../../ui/index.ts';
import {
  type ControlProps,
  type Field,
  isMembers,
  membersIn,
  type ReaderProps,
  textIn,
  withValue,
} from '../model.ts';
import { idsIn, namesIn } from '../permissions.ts';

function groupsOf(field: Field): { readonly id: string; readonly name: string }[] {
  const { values } = field;
  return membersIn(isMembers(values) ? values['ugroup_representations'] : []).map((group) => ({
    id: String(group['id']),
    name: textIn(group['label']),
  }));
}

export function PermissionsReader({ value }: ReaderProps) {
  const { fields } = useMessages();
  const names = namesIn(value);
  if (names.length === 0) return <span>{fields.everybody}</span>;
  return names.map((name) => <Chip key={name}>{name}</Chip>);
}

export function PermissionsControl({ field, value, onChange, label, fault, isRequired }: ControlProps) {
  const { fields } = useMessages();
  const groups = groupsOf(field);
  const set = (ids: readonly string[]) => {
    const granted = groups.filter(({ id }) => ids.includes(id));
    onChange(
      withValue(field, {
        granted_groups: granted.map(({ name }) => name),
        granted_groups_ids: granted.map(({ id }) => id),
      }),
    );
  };
  return (
    <CheckboxGroup
      {...(label === undefined ? { 'aria-label': field.label } : { label })}
      value={idsIn(value)}
      onChange={set}
      fault={fault}
      isRequired={isRequired ?? false}
      help={idsIn(value).length === 0 ? fields.everybody : fields.onlyGroups}
    >
      {groups.map(({ id, name }) => (
        <Checkbox key={id} value={id}>
          {name}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
