import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Confirm,
  FaultLine,
  FormDialog,
  Main,
  PagedPlace,
  Table,
  useSending,
} from '../project-admin/index.ts';
import { notify } from '../shell/index.ts';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  Chip,
  IconButton,
  Menu,
  MenuItem,
  TextArea,
  TextField,
} from '../ui/index.ts';
import { findPeople, type PlatformGroup, removeGroup, saveGroup, useGroups } from './calls.ts';
import styles from './platform-admin.module.css';
import { useAdminRights } from './rights.ts';

const permissionIds = [1, 2, 4, 5, 6, 7, 8, 9] as const;

function GroupForm({ group, onClose }: { readonly group: PlatformGroup | undefined; onClose(): void }) {
  const { groups } = useMessages().platformAdmin;
  const { isBusy, faults, send } = useSending();
  const [name, setName] = useState(group?.name ?? '');
  const [people, setPeople] = useState(group?.users.map(({ username }) => username).join('\n') ?? '');
  const [unknown, setUnknown] = useState<string>();
  const [chosen, setChosen] = useState<string[]>(group?.permissions.map(({ id }) => String(id)) ?? []);
  const submit = () =>
    void send(async () => {
      setUnknown(undefined);
      const found = await findPeople(people.split(/[\s,;]+/).filter((text) => text !== ''));
      if (found.unknown.length > 0) {
        setUnknown(groups.unknown(found.unknown.join(', ')));
        return;
      }
      await saveGroup({ id: group?.id, name, userIds: found.ids, permissions: chosen.map(Number) });
      notify({ text: groups.saved(name) });
      onClose();
    });
  return (
    <FormDialog
      title={group === undefined ? groups.create : groups.changeNamed(group.name)}
      submit={group === undefined ? groups.create : groups.save}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
      width="medium"
    >
      <TextField
        label={groups.name}
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        fault={faults.at('name')}
      />
      <TextArea
        label={groups.members}
        help={groups.membersHelp}
        value={people}
        onChange={setPeople}
        fault={unknown ?? faults.at('user_ids')}
      />
      <CheckboxGroup
        label={groups.permissions}
        value={chosen}
        onChange={setChosen}
        fault={faults.at('permissions')}
      >
        {permissionIds.map((id) => (
          <Checkbox key={id} value={String(id)} help={groups.permissionWords[id]}>
            {groups.permissionNames[id]}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <FaultLine words={faults.elsewhere('name', 'user_ids', 'permissions')} />
    </FormDialog>
  );
}

/** Who holds which permissions on the whole platform. */
export function Groups() {
  const { groups } = useMessages().platformAdmin;
  const { mayChange } = useAdminRights();
  const list = useGroups();
  const [edited, setEdited] = useState<PlatformGroup | 'new'>();
  const [leaving, setLeaving] = useState<PlatformGroup>();
  const create = mayChange && (
    <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>
      {groups.create}
    </Button>
  );
  return (
    <AdminPart title={groups.title} words={groups.words} actions={create}>
      <PagedPlace list={list} icon="users-group" empty={groups.none} emptyWords={groups.noneWords}>
        {(items) => (
          <Table label={groups.title} columns={[groups.name, groups.members, groups.permissions, '']}>
            {items.map((group) => (
              <tr key={group.id}>
                <td>
                  <Main>{group.name}</Main>
                </td>
                <td data-label={groups.members}>
                  <span className={styles['chips']}>
                    {group.users.map(({ id, username }) => (
                      <Chip key={id}>{username}</Chip>
                    ))}
                  </span>
                </td>
                <td data-label={groups.permissions}>
                  {group.permissions.map(({ id, name }) => groups.permissionNames[id] ?? name).join(', ')}
                </td>
                <td>
                  {mayChange && (
                    <Menu
                      placement="bottom end"
                      trigger={<IconButton icon="dots" size="small" label={groups.actionsOf(group.name)} />}
                    >
                      <MenuItem icon="pencil" onAction={() => setEdited(group)}>
                        {groups.change}
                      </MenuItem>
                      <MenuItem icon="trash" isDanger onAction={() => setLeaving(group)}>
                        {groups.delete}
                      </MenuItem>
                    </Menu>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
      {edited !== undefined && (
        <GroupForm group={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {leaving !== undefined && (
        <Confirm
          title={groups.deleteNamed(leaving.name)}
          confirm={groups.delete}
          deletes={leaving.name}
          run={() => removeGroup(leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{groups.deleteWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
