import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { itemNameOf } from '../kernel/short-name.ts';
import { useMessages } from '../messages/index.ts';
import { notify, type TrackerEntry } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import {
  Button,
  Dialog,
  distinctColours,
  Radio,
  RadioGroup,
  Select,
  TextArea,
  TextField,
  TrackerMark,
} from '../ui/index.ts';
import { makeTracker, type NewTracker, useAdministeredTrackers, useTemplates } from './calls.ts';
import styles from './projects.module.css';

type Kind = NewTracker['source']['kind'];
const kinds: readonly Kind[] = ['template', 'copy', 'empty'];
const kindOf = (text: string): Kind => kinds.find((kind) => kind === text) ?? 'empty';

/** A new tracker takes the first colour that its project does not have. */
const freeColour = (trackers: readonly TrackerEntry[]) =>
  distinctColours.find((colour) => trackers.every(({ color }) => color !== colour)) ?? 'inca-silver';

/** Trackers of all templates, as one list to choose from. */
function useTemplateTrackers() {
  const { create } = useMessages().projects;
  const names: Readonly<Record<string, { readonly name: string } | undefined>> = create.templates;
  const templates = useTemplates().data ?? [];
  return templates.flatMap(({ name, label, trackers }) =>
    trackers.map((tracker) => ({
      id: `${name} ${tracker.item_name}`,
      name: tracker.label,
      itemName: tracker.item_name,
      mark: <TrackerMark colour={tracker.color_name} />,
      section: names[name]?.name ?? label,
    })),
  );
}

function sourceOf(kind: Kind, chosen: string | null): NewTracker['source'] | undefined {
  if (kind === 'empty') return { kind };
  if (chosen === null) return undefined;
  if (kind === 'copy') return { kind, trackerId: Number(chosen) };
  const [name = '', itemName = ''] = chosen.split(' ');
  return { kind, name, itemName };
}

/** Which field the words of the server are about. */
const isAboutItemName = (words: string) => /item_name|short name/i.test(words);

export interface NewTrackerProps {
  readonly project: string;
  readonly trackers: readonly TrackerEntry[];
  onClose(): void;
}

/** A tracker from a template, as a copy, or empty. */
export function NewTrackerDialog({ project, trackers, onClose }: NewTrackerProps) {
  const { projects, ui } = useMessages();
  const words = projects.newTracker;
  const navigate = useNavigate();
  const templates = useTemplateTrackers();
  const administered = useAdministeredTrackers();
  const [kind, setKind] = useState<Kind>('template');
  const [chosen, setChosen] = useState<string | null>(null);
  const [label, setLabel] = useState('');
  const [itemName, setItemName] = useState<string>();
  const [description, setDescription] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const source = sourceOf(kind, chosen);
  const shownItemName = itemName ?? itemNameOf(label);
  const copies = administered.map(({ id, label: name, color, project: section }) => ({
    id: String(id),
    name,
    section,
    mark: <TrackerMark colour={color} />,
  }));
  const options = kind === 'copy' ? copies : templates;
  const choose = (id: string | null) => {
    setChosen(id);
    const option = templates.find((template) => template.id === id);
    if (kind !== 'template' || option === undefined) return;
    // Whoever has typed nothing takes the names of the template.
    if (label === '' || templates.some(({ name }) => name === label)) {
      setLabel(option.name);
      setItemName(option.itemName);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isBusy || label.trim() === '' || source === undefined) return;
    setBusy(true);
    try {
      const color = freeColour(trackers);
      const wish = { label: label.trim(), itemName: shownItemName, description, color, source };
      const id = await makeTracker(project, wish);
      notify({ text: projects.create.created(label.trim()) });
      onClose();
      void navigate({ to: `/trackers/${id}` });
    } catch (error) {
      setRefused(wordsOfError(error));
      setBusy(false);
    }
  };
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setRefused(undefined);
      set(value);
    };
  const isAboutShort = refused !== undefined && isAboutItemName(refused);
  const labelFault = isTried && label.trim() === '' ? words.needsName : !isAboutShort ? refused : undefined;
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      width="medium"
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" form="new-tracker" isBusy={isBusy}>
            {words.button}
          </Button>
        </>
      }
    >
      <form id="new-tracker" className={styles['dialogForm']} noValidate onSubmit={submit}>
        <RadioGroup
          label={words.beginsWith}
          value={kind}
          onChange={(value) => {
            setKind(kindOf(value));
            setChosen(null);
          }}
        >
          {kinds.map((id) => (
            <Radio key={id} value={id} help={words.kinds[id].words}>
              {words.kinds[id].name}
            </Radio>
          ))}
        </RadioGroup>
        {kind !== 'empty' && (
          <Select
            label={kind === 'copy' ? words.copyOf : words.like}
            isRequired
            value={chosen}
            onChange={choose}
            options={options}
            fault={isTried && chosen === null ? words.needsChoice : null}
          />
        )}
        <TextField
          label={words.name}
          help={words.nameHelp}
          isRequired
          value={label}
          onChange={change(setLabel)}
          fault={labelFault ?? null}
        />
        <TextField
          label={words.itemName}
          help={words.itemNameHelp(shownItemName === '' ? 'bug' : shownItemName)}
          value={shownItemName}
          onChange={change(setItemName)}
          fault={isAboutShort ? refused : null}
        />
        <TextArea label={projects.create.description} value={description} onChange={change(setDescription)} />
      </form>
    </Dialog>
  );
}
