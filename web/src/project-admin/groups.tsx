import type { Project } from '@atelier/client/routes';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify, tellFault, WaitingPlace } from '../shell/index.ts';
import { Button, Tag, TextArea, TextField } from '../ui/index.ts';
import {
  changeGroup,
  isOwnGroup,
  type MinimalUserGroup,
  makeGroup,
  readGroup,
  removeGroup,
  type UserGroup,
  useGroups,
  useMatrix,
  useProjectSettings,
} from './calls.ts';
import {
  AdminPart,
  Buttons,
  ChangeAndDelete,
  Confirm,
  Faint,
  FaultLine,
  FormDialog,
  Main,
  Table,
  useSending,
} from './parts.tsx';
import { Overtaken, useTyped } from './typed.tsx';

const wishOf = (group: UserGroup | undefined) => ({
  short_name: group?.short_name ?? '',
  description: group?.description ?? '',
});

function GroupForm({
  project,
  group,
  onClose,
}: {
  readonly project: Project;
  readonly group: UserGroup | undefined;
  onClose(): void;
}) {
  const { groups } = useMessages().projectAdmin;
  const { isBusy, faults, send } = useSending();
  const stored = wishOf(group);
  const typed = useTyped(stored, async () =>
    group === undefined ? stored : wishOf(await readGroup(group.id)),
  );
  const { short_name: name, description } = typed.values;
  const store = async (changes: Partial<typeof stored>) => {
    if (group === undefined) await makeGroup(project.uri, { short_name: name.trim(), description });
    else await changeGroup(project.uri, group.id, changes);
    notify({ text: groups.saved(name) });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <FormDialog
      title={group === undefined ? groups.create : groups.changeNamed(group.label)}
      submit={group === undefined ? groups.create : groups.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <TextField
        label={groups.name}
        help={groups.nameHelp}
        value={name}
        onChange={(text) => typed.change({ short_name: text })}
        autoFocus
        isRequired
        fault={faults.at('short_name')}
      />
      <TextArea
        label={groups.description}
        value={description}
        onChange={(text) => typed.change({ description: text })}
        rows={2}
        fault={faults.at('description')}
      />
      <FaultLine words={faults.elsewhere('short_name', 'description')} />
      <Overtaken
        typed={typed}
        names={{ short_name: groups.name, description: groups.description }}
        onMine={() => submit(true)}
      />
    </FormDialog>
  );
}

/** Groups of a project: made, renamed, and deleted after it was said who is in them. */
export function Groups({ project }: { readonly project: Project }) {
  const { groups } = useMessages().projectAdmin;
  const asked = useGroups(project.uri);
  const { data } = asked;
  const matrix = useMatrix(project.uri).data;
  const delegated = useProjectSettings(project.uri).data?.membership_delegation ?? [];
  const [edited, setEdited] = useState<UserGroup | 'new'>();
  const [leaving, setLeaving] = useState<MinimalUserGroup>();
  const sizeOf = (id: string) => matrix?.people.filter((person) => person.groups.includes(id)).length;
  return (
    <AdminPart
      title={groups.title}
      words={groups.words}
      actions={
        <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>
          {groups.create}
        </Button>
      }
    >
      <WaitingPlace asked={asked} lines={5} />
      {data !== undefined && (
        <Table label={groups.title} columns={[groups.name, groups.people, '']}>
          {data.map((group) => (
            <tr key={group.id}>
              <td>
                <Main second={group.short_name === group.label ? '' : group.short_name}>
                  {group.label} {!isOwnGroup(group) && <Tag>{groups.builtIn}</Tag>}{' '}
                  {delegated.includes(group.id) && <Tag>{groups.managesMembers}</Tag>}
                </Main>
              </td>
              <td data-label={groups.people}>
                <Faint>{sizeOf(group.id) ?? ''}</Faint>
              </td>
              <td>
                {isOwnGroup(group) && (
                  <Buttons>
                    <ChangeAndDelete
                      words={groups}
                      name={group.label}
                      onChange={() => void readGroup(group.id).then(setEdited, tellFault)}
                      onDelete={() => setLeaving(group)}
                    />
                  </Buttons>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {edited !== undefined && (
        <GroupForm
          project={project}
          group={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {leaving !== undefined && (
        <Confirm
          title={groups.deleteNamed(leaving.label)}
          confirm={groups.delete}
          deletes={leaving.label}
          run={() => removeGroup(project.uri, leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{groups.deleteWords(sizeOf(leaving.id) ?? 0)}</p>
          {delegated.includes(leaving.id) && <p>{groups.deleteDelegated}</p>}
        </Confirm>
      )}
    </AdminPart>
  );
}
