import { useMessages } from '../../messages/index.ts';
import { useMembership, useStanding } from '../../store/index.ts';
import { Checkbox, CheckboxGroup, Chip, Note } from '../../ui/index.ts';
import {
  type ControlProps,
  type Field,
  type FieldPlace,
  isMembers,
  membersIn,
  type ReaderProps,
  textIn,
  withValue,
} from '../model.ts';
import { idsIn, namesIn } from '../permissions.ts';
import { useOwnGroups } from './calls.ts';

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

/** Everybody, and everybody with an account. */
const groupsOfAll = ['1', '2'];

/** Whether these groups would leave out whoever chooses them. Administrators, also of the tracker alone, see every artifact. */
function useShutsOut(ids: readonly string[], { tracker }: FieldPlace): boolean {
  const { is_site_administrator: isSiteAdministrator } = useStanding();
  const isAdministrator =
    useMembership(tracker.project.uri)?.is_administrator === true ||
    isSiteAdministrator ||
    tracker.permissions_for_groups !== null;
  const own = useOwnGroups(!isAdministrator);
  if (isAdministrator || own === undefined || ids.length === 0) return false;
  return !ids.some((id) => groupsOfAll.includes(id) || own.includes(id));
}

export function PermissionsControl({
  field,
  value,
  onChange,
  place,
  label,
  fault,
  isRequired,
}: ControlProps) {
  // Read before anything is chosen: a control that waits for words would lose the focus.
  const { artifact, fields } = useMessages();
  const shutsOut = useShutsOut(idsIn(value), place);
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
    <>
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
      {shutsOut && (
        <Note meaning="care" isAlert>
          {artifact.shutsYouOut}
        </Note>
      )}
    </>
  );
}
