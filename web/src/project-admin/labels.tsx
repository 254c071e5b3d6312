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
import { changeLabel, type Label, makeLabel, readLabel, removeLabel, useLabels } from './calls.ts';
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
import { Overtaken, useTyped } from './typed.tsx';

const usualColour = 'inca-silver';

const wishOf = (label: Label | undefined) => ({
  label: label?.label ?? '',
  color: String(label?.color ?? usualColour),
});

const colourOf = (color: string | undefined) => (color !== undefined && isColourName(color) ? { color } : {});

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
  const { isBusy, faults, send } = useSending();
  const stored = wishOf(label);
  const typed = useTyped(stored, async () =>
    wishOf(label === undefined ? undefined : await readLabel(project.uri, label)),
  );
  const { label: name, color } = typed.values;
  const store = async (changes: Partial<typeof stored>) => {
    if (label === undefined) await makeLabel(project.uri, { label: name, ...colourOf(color) });
    else
      await changeLabel(project.uri, label.id, {
        ...(changes.label === undefined ? {} : { label: changes.label }),
        ...colourOf(changes.color),
      });
    notify({ text: labels.saved });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <FormDialog
      title={label === undefined ? labels.create : labels.changeNamed(label.label)}
      submit={label === undefined ? labels.create : labels.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <TextField
        label={labels.name}
        value={name}
        onChange={(text) => typed.change({ label: text })}
        autoFocus
        isRequired
        fault={faults.at('label')}
      />
      <Select
        label={labels.color}
        value={color}
        onChange={(chosen) => typed.change({ color: chosen ?? usualColour })}
        options={colourNames.map((id) => ({ id, name: readableColour(id), mark: <Dot colour={id} /> }))}
        fault={faults.at('color')}
      />
      <FaultLine words={faults.elsewhere('label', 'color')} />
      <Overtaken
        typed={typed}
        names={{ label: labels.name, color: labels.color }}
        shown={(value, name) => (name === 'color' ? readableColour(String(value)) : String(value))}
        onMine={() => submit(true)}
      />
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
