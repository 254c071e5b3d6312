import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Buttons,
  ChangeAndDelete,
  Confirm,
  FaultLine,
  FormDialog,
  Main,
  Overtaken,
  Table,
  useSending,
  useTyped,
} from '../project-admin/index.ts';
import { notify, tellFault, WaitingPlace } from '../shell/index.ts';
import {
  Button,
  Checkbox,
  EmptyPlace,
  IconButton,
  Radio,
  RadioGroup,
  Tag,
  TextArea,
  TextField,
} from '../ui/index.ts';
import {
  changeProjectField,
  makeProjectField,
  orderProjectFields,
  type ProjectField,
  readProjectField,
  removeProjectField,
  useProjectFields,
} from './calls.ts';
import { useAdminRights } from './rights.ts';

type FieldType = ProjectField['type'];

const wishOf = (field: ProjectField | undefined) => ({
  name: field?.name ?? '',
  description: field?.description ?? '',
  type: field?.type ?? ('line' as FieldType),
  is_required: field?.is_required ?? false,
});

function FieldForm({ field, onClose }: { readonly field: ProjectField | undefined; onClose(): void }) {
  const { projectFields } = useMessages().platformAdmin;
  const { isBusy, faults, send } = useSending();
  const stored = wishOf(field);
  const typed = useTyped(stored, async () =>
    wishOf(field === undefined ? undefined : await readProjectField(field)),
  );
  const { name, description, type, is_required: isRequired } = typed.values;
  const store = async (changes: Partial<typeof stored>) => {
    if (field === undefined) await makeProjectField(typed.values);
    else await changeProjectField(field.id, changes);
    notify({ text: projectFields.saved });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <FormDialog
      title={field === undefined ? projectFields.create : projectFields.changeNamed(field.name)}
      submit={field === undefined ? projectFields.create : projectFields.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <TextField
        label={projectFields.name}
        value={name}
        onChange={(text) => typed.change({ name: text })}
        autoFocus
        isRequired
        fault={faults.at('name')}
      />
      <TextArea
        label={projectFields.description}
        value={description}
        onChange={(text) => typed.change({ description: text })}
        rows={2}
        fault={faults.at('description')}
      />
      <RadioGroup
        label={projectFields.type}
        value={type}
        onChange={(value) => typed.change({ type: value === 'text' ? 'text' : 'line' })}
      >
        <Radio value="line">{projectFields.line}</Radio>
        <Radio value="text">{projectFields.text}</Radio>
      </RadioGroup>
      <Checkbox isSelected={isRequired} onChange={(is) => typed.change({ is_required: is })}>
        {projectFields.required}
      </Checkbox>
      <FaultLine words={faults.elsewhere('name', 'description')} />
      <Overtaken
        typed={typed}
        names={{
          name: projectFields.name,
          description: projectFields.description,
          type: projectFields.type,
        }}
        shown={(value, member) => (member === 'type' ? projectFields[value as FieldType] : String(value))}
        onMine={() => submit(true)}
      />
    </FormDialog>
  );
}

/** What every project tells about itself. */
export function ProjectFields() {
  const { projectFields } = useMessages().platformAdmin;
  const asked = useProjectFields();
  const { data } = asked;
  const { mayChange } = useAdminRights();
  const [edited, setEdited] = useState<ProjectField | 'new'>();
  const [leaving, setLeaving] = useState<ProjectField>();
  const create = mayChange && (
    <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>
      {projectFields.create}
    </Button>
  );
  const move = (from: number, by: number) => {
    const next = [...(data ?? [])];
    const [moved] = next.splice(from, 1);
    if (moved === undefined) return undefined;
    next.splice(from + by, 0, moved);
    return orderProjectFields(next).catch(tellFault);
  };
  return (
    <AdminPart title={projectFields.title} words={projectFields.words} actions={create}>
      <WaitingPlace asked={asked} lines={5} />
      {data?.length === 0 && (
        <EmptyPlace icon="list-details" name={projectFields.none}>
          {projectFields.noneWords}
        </EmptyPlace>
      )}
      {data !== undefined && data.length > 0 && (
        <Table label={projectFields.title} columns={[projectFields.name, projectFields.type, '']}>
          {data.map((field, place) => (
            <tr key={field.id}>
              <td>
                <Main second={field.description}>
                  {field.name} {field.is_required && <Tag>{projectFields.requiredTag}</Tag>}
                </Main>
              </td>
              <td data-label={projectFields.type}>
                {field.type === 'line' ? projectFields.line : projectFields.text}
              </td>
              <td>
                {mayChange && (
                  <Buttons>
                    <IconButton
                      icon="arrow-up"
                      size="small"
                      label={projectFields.up(field.name)}
                      isDisabled={place === 0}
                      onPress={() => move(place, -1)}
                    />
                    <IconButton
                      icon="arrow-down"
                      size="small"
                      label={projectFields.down(field.name)}
                      isDisabled={place === data.length - 1}
                      onPress={() => move(place, 1)}
                    />
                    <ChangeAndDelete
                      words={projectFields}
                      name={field.name}
                      onChange={() => setEdited(field)}
                      onDelete={() => setLeaving(field)}
                    />
                  </Buttons>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {edited !== undefined && (
        <FieldForm field={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {leaving !== undefined && (
        <Confirm
          title={projectFields.deleteNamed(leaving.name)}
          confirm={projectFields.delete}
          deletes={leaving.name}
          run={() => removeProjectField(leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{projectFields.deleteWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
