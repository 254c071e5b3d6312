import type { Tracker } from '@atelier/client/routes';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { itemNameOf } from '../../kernel/short-name.ts';
import { useMessages } from '../../messages/index.ts';
import { notify, Problem, tellFault, useProjectTrackers } from '../../shell/index.ts';
import { useStanding, wordsOfError } from '../../store/index.ts';
import { Button, Dialog, Popover, Select, Skeleton, Switch, TextField, TrackerMark } from '../../ui/index.ts';
import { notOvertaken } from '../calls.ts';
import { Colours } from '../colours.tsx';
import { TypedField } from '../typed-field.tsx';
import {
  bringTrackerBack,
  changeTracker,
  copyTracker,
  readTrackerSettings,
  removeTracker,
  type SettingsWish,
  type TrackerSettings,
  useTrackerSettings,
} from './calls.ts';
import styles from './settings.module.css';
import { Section, Sheet } from './sheet.tsx';

/** `general`: what the tracker is called, where it stands, and its end. */
export function GeneralPage({ tracker }: { readonly tracker: Tracker }) {
  const { general: words } = useMessages().trackerAdmin;
  const { data, error, refetch } = useTrackerSettings(tracker.id);
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={8} className={styles['sheet'] ?? ''} />
    ) : (
      <Problem error={error} askAgain={() => void refetch()} />
    );
  return (
    <Sheet words={words.words}>
      <Names tracker={tracker} settings={data} />
      <Copy tracker={tracker} />
      <Remove tracker={tracker} />
    </Sheet>
  );
}

const typedMembers = ['label', 'item_name', 'description'] as const;

function Names({ tracker, settings }: { readonly tracker: Tracker; readonly settings: TrackerSettings }) {
  const { trackerAdmin } = useMessages();
  const words = trackerAdmin.general;
  const [parentFault, setParentFault] = useState<string | null>(null);
  const trackers = useProjectTrackers(`projects/${tracker.project.id}`);
  const change = (wish: SettingsWish) => changeTracker(tracker, wish);
  const set = (wish: SettingsWish) => change(wish).catch(tellFault);
  /** What somebody else has typed meanwhile is told before it is replaced. */
  const type = (name: (typeof typedMembers)[number]) => async (value: string, replaced: string) => {
    const now = await readTrackerSettings(tracker.id);
    await notOvertaken(tracker.id, { now: now[name], replaced, value }, trackerAdmin);
    await change({ [name]: value });
    notify({
      text: words.changed,
      undo: () => set({ [name]: now[name] }),
    });
  };
  const setParent = async (id: string | null) => {
    try {
      await change({ parent_id: id === null ? null : Number(id) });
      setParentFault(null);
      notify({ text: words.changed, undo: () => set({ parent_id: settings.parent_id }) });
    } catch (error) {
      setParentFault(wordsOfError(error));
    }
  };
  return (
    <div className={styles['form']}>
      <TypedField label={words.name} value={settings.label} onStore={type('label')} />
      <TypedField
        label={words.itemName}
        help={words.itemNameHelp(settings.item_name)}
        value={settings.item_name}
        onStore={type('item_name')}
      />
      <TypedField
        label={words.description}
        value={settings.description}
        isLong
        onStore={type('description')}
      />
      <div>
        <p className={styles['label']}>{words.colour}</p>
        <Popover
          label={words.colour}
          trigger={
            <Button opens aria-label={words.colourNow(settings.color_name)}>
              <TrackerMark colour={settings.color_name} /> {settings.color_name.replaceAll('-', ' ')}
            </Button>
          }
        >
          {(close) => (
            <Colours
              label={words.colour}
              value={settings.color_name}
              onChange={(color) => {
                close();
                if (color !== null) set({ color_name: color });
              }}
            />
          )}
        </Popover>
      </div>
      <Select
        label={words.parent}
        help={words.parentHelp}
        value={settings.parent_id === null ? null : String(settings.parent_id)}
        onChange={(id) => void setParent(id)}
        none={words.noParent}
        options={trackers
          .filter(({ id }) => id !== tracker.id)
          .map(({ id, label, color }) => ({
            id: String(id),
            name: label,
            mark: <TrackerMark colour={color} />,
          }))}
        fault={parentFault}
      />
      <Switch
        isSelected={settings.has_private_comments}
        onChange={(isOn) => set({ has_private_comments: isOn })}
        help={words.privateCommentsHelp}
      >
        {words.privateComments}
      </Switch>
    </div>
  );
}

function Copy({ tracker }: { readonly tracker: Tracker }) {
  const { general: words } = useMessages().trackerAdmin;
  const [isOpen, setOpen] = useState(false);
  return (
    <Section name={words.copy}>
      <p>{words.copyWords}</p>
      <Button icon="copy" onPress={() => setOpen(true)}>
        {words.copy}
      </Button>
      {isOpen && <CopyDialog tracker={tracker} onClose={() => setOpen(false)} />}
    </Section>
  );
}

/** Which of two fields the words of the server are about. */
const isAboutShortName = (words: string) => /item_name|short name/i.test(words);

function CopyDialog({ tracker, onClose }: { readonly tracker: Tracker; onClose(): void }) {
  const { trackerAdmin, ui } = useMessages();
  const words = trackerAdmin.general;
  const navigate = useNavigate();
  const { memberships } = useStanding();
  const [projectId, setProjectId] = useState<string | null>(String(tracker.project.id));
  const [label, setLabel] = useState(words.copyName(tracker.label));
  const [itemName, setItemName] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const shown = itemName ?? itemNameOf(label);
  const projects = memberships
    .filter(({ is_administrator: is }) => is)
    .map(({ project }) => ({ id: String(project.id), name: project.label_without_icon }));
  const own = { id: String(tracker.project.id), name: tracker.project.label };
  const options = projects.some(({ id }) => id === own.id) ? projects : [own, ...projects];
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const wish = { projectId: Number(projectId), label: label.trim(), itemName: shown };
      const id = await copyTracker(tracker.id, wish);
      notify({ text: words.copied(label.trim()) });
      onClose();
      void navigate({ to: `/trackers/${id}/admin/form` });
    } catch (error) {
      setFault(wordsOfError(error));
      setBusy(false);
    }
  };
  const isShort = fault !== undefined && isAboutShortName(fault);
  return (
    <Dialog
      title={words.copyTitle(tracker.label)}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" form="copy-tracker" isBusy={isBusy}>
            {words.copy}
          </Button>
        </>
      }
    >
      <form id="copy-tracker" className={styles['form']} noValidate onSubmit={(event) => void send(event)}>
        <Select label={words.intoProject} value={projectId} onChange={setProjectId} options={options} />
        <TextField
          label={words.name}
          value={label}
          onChange={setLabel}
          fault={isShort ? null : (fault ?? null)}
          autoFocus
        />
        <TextField
          label={words.itemName}
          value={shown}
          onChange={setItemName}
          fault={isShort ? fault : null}
        />
      </form>
    </Dialog>
  );
}

function Remove({ tracker }: { readonly tracker: Tracker }) {
  const { trackerAdmin, ui } = useMessages();
  const words = trackerAdmin.general;
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const remove = async () => {
    try {
      await removeTracker(tracker);
      notify({
        text: words.removed(tracker.label),
        undo: () => void bringTrackerBack(tracker).catch(tellFault),
      });
      void navigate({ to: `/projects/${tracker.project.id}/trackers` });
    } catch (error) {
      tellFault(error);
      setOpen(false);
    }
  };
  return (
    <Section name={words.remove}>
      <p>{words.removeWords}</p>
      <Button kind="danger" icon="trash" onPress={() => setOpen(true)}>
        {words.remove}
      </Button>
      {isOpen && (
        <Dialog
          title={words.removeTitle(tracker.label)}
          isOpen
          role="alertdialog"
          onClose={() => setOpen(false)}
          buttons={
            <>
              <Button onPress={() => setOpen(false)}>{ui.cancel}</Button>
              <Button kind="destroy" onPress={remove}>
                {words.remove}
              </Button>
            </>
          }
        >
          <p>{words.removeWords}</p>
        </Dialog>
      )}
    </Section>
  );
}
