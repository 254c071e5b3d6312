import type { Project } from '@atelier/client/routes';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import {
  Button,
  Chip,
  colourNames,
  Dot,
  isColourName,
  readableColour,
  Select,
  TextField,
} from '../ui/index.ts';
import { type Label, removeLabel, saveLabel, useLabels } from './calls.ts';
import {
  AdminPart,
  Buttons,
  ChangeAndDelete,
  Confirm,
  FaultLine,
  FormDialog,
  PagedPlace,
  Table,
  useSending,
} from './parts.tsx';

function LabelForm({
  project,
  label,
  onClose,
}: {
  readonly project: Project;
  readonly label: Label | undefined;
  onClose(): void;
}) {
  const { labels } = useMessages().projectAdmin;
  const [name, setName] = useState(label?.label ?? '');
  const [color, setColor] = useState<string>(label?.color ?? 'inca-silver');
  const { isBusy, faults, send } = useSending();
  const submit = () =>
    void send(() =>
      saveLabel(project.uri, label?.id, { label: name, ...(isColourName(color) ? { color } : {}) }),
    ).then((isDone) => {
      if (!isDone) return;
      notify({ text: labels.saved });
      onClose();
    });
  return (
    <FormDialog
      title={label === undefined ? labels.create : labels.changeNamed(label.label)}
      submit={label === undefined ? labels.create : labels.save}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={labels.name}
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        fault={faults.at('label')}
      />
      <Select
        label={labels.color}
        value={color}
        onChange={(chosen) => setColor(chosen ?? 'inca-silver')}
        options={colourNames.map((id) => ({ id, name: readableColour(id), mark: <Dot colour={id} /> }))}
        fault={faults.at('color')}
      />
      <FaultLine words={faults.elsewhere('label', 'color')} />
    </FormDialog>
  );
}

/** Labels of a project, each with its colour. */
export function Labels({ project }: { readonly project: Project }) {
  const { labels } = useMessages().projectAdmin;
  const list = useLabels(project.uri);
  const [edited, setEdited] = useState<Label | 'new'>();
  const [leaving, setLeaving] = useState<Label>();
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>
      {labels.create}
    </Button>
  );
  return (
    <AdminPart title={labels.title} words={labels.words} actions={create}>
      <PagedPlace list={list} icon="tag" empty={labels.none} emptyWords={labels.noneWords}>
        {(items) => (
          <Table label={labels.title} columns={[labels.name, '']}>
            {items.map((label) => (
              <tr key={label.id}>
                <td>
                  <Chip colour={label.color}>{label.label}</Chip>
                </td>
                <td>
                  <Buttons>
                    <ChangeAndDelete
                      words={labels}
                      name={label.label}
                      onChange={() => setEdited(label)}
                      onDelete={() => setLeaving(label)}
                    />
                  </Buttons>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
      {edited !== undefined && (
        <LabelForm
          project={project}
          label={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {leaving !== undefined && (
        <Confirm
          title={labels.deleteNamed(leaving.label)}
          confirm={labels.delete}
          deletes={leaving.label}
          run={() => removeLabel(project.uri, leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{labels.deleteWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
