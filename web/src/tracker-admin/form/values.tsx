import type { Tracker } from '@atelier/client/routes';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { notify } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import {
  Button,
  Checkbox,
  Dialog,
  Dot,
  Icon,
  IconButton,
  Menu,
  MenuItem,
  Popover,
  TextArea,
  TextField,
} from '../../ui/index.ts';
import {
  addGroupValues,
  addValues,
  changeValue,
  type FieldSettings,
  type ListValue,
  notOvertaken,
  readElement,
  removeValue,
  type SettingsChange,
  useFieldUses,
  useGroups,
  type ValueChange,
} from '../calls.ts';
import { Colours } from '../colours.tsx';
import { TypedField } from '../typed-field.tsx';
import styles from './form.module.css';

interface ValuesProps {
  readonly tracker: Tracker;
  readonly settings: FieldSettings;
  onChange(wish: SettingsChange): void;
}

const tell = (error: unknown) => notify({ text: wordsOfError(error), kind: 'bad' });

/** The values of a list: their names, colours and order, which one is the default, and which are hidden. */
export function Values({ tracker, settings, onChange }: ValuesProps) {
  const { form: words } = useMessages().trackerAdmin;
  const [isPasting, setPasting] = useState(false);
  const { bind, field_id: fieldId } = settings;
  if (bind === null) return null;
  const isStatic = bind.type === 'static';
  return (
    <section aria-label={words.values} className={styles['values']}>
      <div className={styles['valuesHead']}>
        <h3>{words.values}</h3>
        {isStatic && (
          <Button kind="quiet" size="small" onPress={() => setPasting(true)}>
            {words.pasteList}
          </Button>
        )}
      </div>
      <ol className={styles['valueList']}>
        {bind.values.map((value, index) => (
          <Value key={value.id} tracker={tracker} settings={settings} value={value} index={index} />
        ))}
      </ol>
      {isStatic ? (
        <NewValue trackerId={tracker.id} fieldId={fieldId} />
      ) : (
        <NewGroup tracker={tracker} settings={settings} />
      )}
      {isStatic && (
        <Checkbox isSelected={bind.is_alphabetic} onChange={(isOn) => onChange({ is_alphabetic: isOn })}>
          {words.alphabetic}
        </Checkbox>
      )}
      {isPasting && (
        <PasteDialog trackerId={tracker.id} fieldId={fieldId} onClose={() => setPasting(false)} />
      )}
    </section>
  );
}

interface ValueProps {
  readonly tracker: Tracker;
  readonly settings: FieldSettings;
  readonly value: ListValue;
  readonly index: number;
}

function Value({ tracker, settings, value, index }: ValueProps) {
  const { trackerAdmin } = useMessages();
  const { form: words } = trackerAdmin;
  const { data: uses } = useFieldUses(tracker.id);
  const row = useRef<HTMLLIElement>(null);
  const values = settings.bind?.values ?? [];
  const use = uses
    ?.find(({ field_id: id }) => id === settings.field_id)
    ?.values.find(({ id }) => id === value.id);
  const place = { fieldId: settings.field_id, valueId: value.id };
  const change = (wish: ValueChange) => changeValue(tracker.id, place, wish);
  const set = (wish: ValueChange) => void change(wish).catch(tell);
  const store = async (label: string, replaced: string) => {
    const { bind } = await readElement(settings.field_id);
    const now = bind?.values.find(({ id }) => id === value.id)?.label ?? replaced;
    await notOvertaken(tracker.id, { now, replaced, value: label }, trackerAdmin);
    await change({ label });
  };
  const move = (step: 1 | -1) => {
    const next = step === 1 ? values[index + 2] : values[index - 1];
    if ((step === 1 && index === values.length - 1) || (step === -1 && index === 0)) return;
    set({ next_value_id: next?.id ?? null });
  };
  const onKeys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!event.altKey || (step !== 1 && step !== -1)) return;
    event.preventDefault();
    move(step);
  };
  const remove = async () => {
    try {
      await removeValue(tracker.id, settings.field_id, value.id);
      notify({ text: words.valueRemoved(value.label) });
    } catch (error) {
      tell(error);
    }
  };
  const acts: Record<string, () => void> = {
    up: () => move(-1),
    down: () => move(1),
    default: () => set({ is_default: !value.is_default }),
    hide: () => set({ is_hidden: !value.is_hidden }),
    remove: () => void remove(),
  };
  return (
    <li ref={row} className={styles['value']}>
      <Popover
        label={words.colourOf(value.label)}
        trigger={
          <IconButton
            icon="palette"
            size="small"
            label={words.colourOf(value.label)}
            className={styles['colour'] ?? ''}
          >
            <Dot colour={value.color} />
          </IconButton>
        }
      >
        {(close) => (
          <Colours
            label={words.colourOf(value.label)}
            value={value.color}
            none={words.noColour}
            onChange={(color) => {
              close();
              set({ color });
            }}
          />
        )}
      </Popover>
      {value.ugroup_id === null ? (
        <TypedField
          aria-label={words.valueName(value.label)}
          value={value.label}
          className={styles['valueField']}
          onStore={store}
          onKeys={onKeys}
        />
      ) : (
        <span className={styles['valueField']}>{value.label}</span>
      )}
      <span className={styles['valueFacts']}>
        {value.is_default && <span>{words.isDefault}</span>}
        {value.is_hidden && (
          <span>
            <Icon name="eye-off" size={14} /> {words.isHidden}
          </span>
        )}
      </span>
      <Menu
        aria-label={words.actionsOf(value.label)}
        placement="bottom end"
        onAction={(key) => acts[String(key)]?.()}
        trigger={<IconButton icon="dots" size="small" label={words.actionsOf(value.label)} />}
      >
        <MenuItem id="default" icon="star">
          {value.is_default ? words.noDefault : words.makeDefault}
        </MenuItem>
        <MenuItem id="hide" icon={value.is_hidden ? 'eye' : 'eye-off'}>
          {value.is_hidden ? words.show : words.hide}
        </MenuItem>
        <MenuItem id="up" icon="arrow-up" keys="alt+arrowup">
          {words.moveUp}
        </MenuItem>
        <MenuItem id="down" icon="arrow-down" keys="alt+arrowdown">
          {words.moveDown}
        </MenuItem>
        <MenuItem id="remove" icon="trash" isDanger reasonNot={use?.obstacle ?? null}>
          {words.removeField}
        </MenuItem>
      </Menu>
    </li>
  );
}

function NewValue({ trackerId, fieldId }: { readonly trackerId: number; readonly fieldId: number }) {
  const { form: words } = useMessages().trackerAdmin;
  const [label, setLabel] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (label.trim() === '' || isBusy) return;
    setBusy(true);
    setLabel('');
    try {
      await addValues(trackerId, fieldId, [label.trim()]);
      setFault(null);
    } catch (error) {
      setFault(wordsOfError(error));
      setLabel(label);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void add(event)}>
      <TextField
        aria-label={words.addValue}
        placeholder={words.addValue}
        icon="plus"
        value={label}
        onChange={setLabel}
        fault={fault}
      />
    </form>
  );
}

function NewGroup({ tracker, settings }: Pick<ValuesProps, 'tracker' | 'settings'>) {
  const { form: words } = useMessages().trackerAdmin;
  const { data: groups = [] } = useGroups(tracker.project.id);
  const known = new Set(settings.bind?.values.map(({ ugroup_id: id }) => id));
  const offered = groups.filter(({ id }) => !known.has(id));
  if (offered.length === 0) return null;
  return (
    <Menu
      aria-label={words.addValue}
      onAction={(key) => void addGroupValues(tracker.id, settings.field_id, [String(key)]).catch(tell)}
      trigger={
        <Button kind="quiet" icon="plus">
          {words.addValue}
        </Button>
      }
    >
      {offered.map(({ id, label }) => (
        <MenuItem key={id} id={id}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function PasteDialog({
  trackerId,
  fieldId,
  onClose,
}: {
  readonly trackerId: number;
  readonly fieldId: number;
  onClose(): void;
}) {
  const { trackerAdmin, ui } = useMessages();
  const words = trackerAdmin.form;
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const lines = linesOf(text);
  const add = async () => {
    setBusy(true);
    try {
      await addValues(trackerId, fieldId, lines);
      notify({ text: words.pasted(lines.length) });
      onClose();
    } catch (error) {
      setFault(wordsOfError(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={words.pasteList}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} isDisabled={lines.length === 0} onPress={() => void add()}>
            {words.pasteButton(lines.length)}
          </Button>
        </>
      }
    >
      <TextArea
        label={words.values}
        help={words.pasteWords}
        rows={10}
        value={text}
        onChange={setText}
        fault={fault}
        autoFocus
      />
    </Dialog>
  );
}
