import { useMessages } from '../messages/index.ts';
import { Checkbox, CheckboxGroup, Chip } from '../ui/index.ts';
import {
  type ControlProps,
  type Field,
  type FieldValue,
  isMembers,
  membersIn,
  type ReaderProps,
  textIn,
  withValue,
} from './model.ts';
import { simpleType } from './simple.ts';

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const namesIn = (value: FieldValue | undefined): string[] => textsIn(value?.['granted_groups']);
const idsIn = (value: FieldValue | undefined): string[] => textsIn(value?.['granted_groups_ids']);

function groupsOf(field: Field): { readonly id: string; readonly name: string }[] {
  const { values } = field;
  return membersIn(isMembers(values) ? values['ugroup_representations'] : []).map((group) => ({
    id: String(group['id']),
    name: textIn(group['label']),
  }));
}

function Reader({ value }: ReaderProps) {
  const { fields } = useMessages();
  const names = namesIn(value);
  if (names.length === 0) return <span>{fields.everybody}</span>;
  return names.map((name) => <Chip key={name}>{name}</Chip>);
}

function Control({ field, value, onChange, label, fault, isRequired }: ControlProps) {
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

export const permType = simpleType('perm', {
  Reader,
  Control,
  entryOf: (field, value) => ({ field_id: field.field_id, value: { granted_groups: idsIn(value) } }),
  cellOf: (_field, value) => ({
    value: namesIn(value).map((label, place) => ({ id: idsIn(value)[place], label })),
  }),
  valueOfCell: (field) => withValue(field, { granted_groups: [], granted_groups_ids: [] }),
  defaultOf: () => undefined,
  isEmpty: (value) => idsIn(value).length === 0,
  summary: (value, formats) => formats.list(namesIn(value)),
});
