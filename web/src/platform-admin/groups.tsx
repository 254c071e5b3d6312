import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Confirm,
  FaultLine,
  FormDialog,
  Main,
  Overtaken,
  PagedPlace,
  Table,
  useSending,
  useTyped,
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
import { findPeople, type PlatformGroup, readGroup, removeGroup, saveGroup, useGroups } from './calls.ts';
import styles from './platform-admin.module.css';
import { useAdminRights } from './rights.ts';

const permissionIds = [1, 2, 4, 5, 6, 7, 8, 9] as const;

interface GroupLists {
  readonly people: readonly string[];
  readonly permissions: readonly string[];
}

const listsOf = (group: PlatformGroup | undefined): GroupLists => ({
  people: group?.users.map(({ username }) => username ?? '') ?? [],
  permissions: group?.permissions.map(({ id }) => String(id)) ?? [],
});

const namesIn = (lines: readonly string[]) =>
  lines.flatMap((line) => line.split(/[\s,;]+/)).filter((text) => text !== '');

const wishOf = (group: PlatformGroup | undefined) => ({ name: group?.name ?? '', ...listsOf(group) });

function GroupForm({ group, onClose }: { readonly group: PlatformGroup | undefined; onClose(): void }) {
  const { groups } = useMessages().platformAdmin;
  const { isBusy, faults, send } = useSending();
  const stored = wishOf(group);
  const typed = useTyped(stored, async () =>
    wishOf(group === undefined ? undefined : await readGroup(group)),
  );
  const [unknown, setUnknown] = useState<string>();
  const store = async (changes: Partial<typeof stored>, now: typeof stored) => {
    const { name, people, permissions } = { ...now, ...changes };
    const { ids } = await findPeople(namesIn(people));
    await saveGroup({ id: group?.id, name, userIds: ids, permissions: permissions.map(Number) });
    notify({ text: groups.saved(name) });
    onClose();
  };
  const submit = (isForced = false) =>
    void send(async () => {
      const { unknown: strangers } = await findPeople(namesIn(typed.values.people));
      setUnknown(strangers.length === 0 ? undefined : groups.unknown(strangers.join(', ')));
      if (strangers.length === 0) await typed.save(store, isForced);
    });
  return (
    <FormDialog
      title={group === undefined ? groups.create : groups.changeNamed(group.name)}
      submit={group === undefined ? groups.create : groups.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
      width="medium"
    >
      <TextField
        label={groups.name}
        value={typed.values.name}
        onChange={(name) => typed.change({ name })}
        autoFocus
        isRequired
        fault={faults.at('name')}
      />
      <TextArea
        label={groups.members}
        help={groups.membersHelp}
        value={typed.values.people.join('\n')}
        onChange={(text) => typed.change({ people: text.split('\n') })}
        fault={unknown ?? faults.at('user_ids')}
      />
      <CheckboxGroup
        label={groups.permissions}
        value={[...typed.values.permissions]}
        onChange={(permissions) => typed.change({ permissions })}
        fault={faults.at('permissions')}
      >
        {permissionIds.map((id) => (
          <Checkbox key={id} value={String(id)} help={groups.permissionWords[id]}>
            {groups.permissionNames[id]}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <FaultLine words={faults.elsewhere('name', 'user_ids', 'permissions')} />
      <Overtaken typed={typed} names={{ name: groups.name }} onMine={() => submit(true)} />
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
