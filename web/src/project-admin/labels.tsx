import type { Project } from '@atelier/client/routes';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import { Button, Chip, Dot, Select, TextField } from '../ui/index.ts';
import { type Label, type NewLabel, removeLabel, saveLabel, useLabels } from './calls.ts';
import {
  AdminPart,
  Buttons,
  Confirm,
  FaultLine,
  FormDialog,
  PagedPlace,
  Table,
  useSending,
} from './parts.tsx';

type ColorName = NonNullable<NewLabel['color']>;

/** The colours of labels. */
const colorNames = [
  'inca-silver',
  'chrome-silver',
  'firemist-silver',
  'red-wine',
  'fiesta-red',
  'coral-pink',
  'teddy-brown',
  'clockwork-orange',
  'graffiti-yellow',
  'army-green',
  'neon-green',
  'acid-green',
  'sherwood-green',
  'ocean-turquoise',
  'surf-green',
  'deep-blue',
  'lake-placid-blue',
  'daphne-blue',
  'plum-crazy',
  'ultra-violet',
  'lilac-purple',
  'panther-pink',
  'peggy-pink',
  'flamingo-pink',
] as const satisfies readonly ColorName[];

const isColor = (text: string | null): text is ColorName => colorNames.some((name) => name === text);

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
      saveLabel(project.uri, label?.id, { label: name, ...(isColor(color) ? { color } : {}) }),
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
        options={colorNames.map((id) => ({ id, name: id.replaceAll('-', ' '), mark: <Dot colour={id} /> }))}
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
                    <Button
                      size="small"
                      kind="quiet"
                      aria-label={labels.changeNamed(label.label)}
                      onPress={() => setEdited(label)}
                    >
                      {labels.change}
                    </Button>
                    <Button
                      size="small"
                      kind="quiet"
                      aria-label={labels.deleteNamed(label.label)}
                      onPress={() => setLeaving(label)}
                    >
                      {labels.delete}
                    </Button>
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
          isDanger
          run={() => removeLabel(project.uri, leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{labels.deleteWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
