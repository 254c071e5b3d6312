import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { type Field, possibleChoices } from '../../fields/index.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { notify, Problem, tellFault, useProjectTrackers } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, IconButton, MultiSelect, Select, Skeleton } from '../../ui/index.ts';
import { fieldsFor } from '../form-elements.ts';
import { changeTriggers, type Trigger, useTrackersWhole, useTriggers } from './calls.ts';
import styles from './settings.module.css';
import { Sheet } from './sheet.tsx';

const listsOf = (tracker: Tracker): Field[] =>
  tracker.fields.filter(
    ({ type, bindings }) => bindings.type === 'static' && fieldsFor.trigger.some((code) => code === type),
  );

/** A value of a list by `field value`, with words. */
function valuesIn(tracker: Tracker) {
  return listsOf(tracker).flatMap((field) =>
    possibleChoices(field).map(({ id, name }) => ({
      id: `${field.field_id} ${id}`,
      name: `${field.label}: ${name}`,
      section: tracker.label,
    })),
  );
}

const valueIn = (key: string) => {
  const [fieldId = 0, valueId = 0] = key.split(' ').map(Number);
  return { field_id: fieldId, value_id: valueId };
};

const keyOf = ({ field_id: field, value_id: value }: Trigger['target']) => `${field} ${value}`;

/** `triggers`: what children set in their parents, as sentences. */
export function TriggersPage({ tracker }: { readonly tracker: Tracker }) {
  const { triggers: words } = useMessages().trackerAdmin;
  const children = useProjectTrackers(`projects/${tracker.project.id}`).filter(
    ({ parentId }) => parentId === tracker.id,
  );
  const { data: trackers } = useTrackersWhole(children.map(({ id }) => id));
  const { data: triggers, error, refetch } = useTriggers(tracker.id);
  if (triggers === undefined && error !== null)
    return <Problem error={error} askAgain={() => void refetch()} />;
  if (triggers === undefined || trackers === undefined)
    return <Skeleton lines={6} className={styles['sheet'] ?? ''} />;
  return (
    <Sheet words={words.words}>
      {children.length === 0 && <p className={styles['second']}>{words.noChildren}</p>}
      <Sentences tracker={tracker} trackers={trackers} triggers={triggers} />
      {children.length > 0 && <NewTrigger tracker={tracker} trackers={trackers} />}
    </Sheet>
  );
}

interface SentencesProps {
  readonly tracker: Tracker;
  readonly trackers: readonly Tracker[];
  readonly triggers: readonly Trigger[];
}

/** All of them are stored anew with every change, under other ids. */
const isSameTrigger = (one: Trigger, other: Trigger) =>
  JSON.stringify([one.condition, one.target, one.children]) ===
  JSON.stringify([other.condition, other.target, other.children]);

function Sentences({ tracker, trackers, triggers }: SentencesProps) {
  const { triggers: words } = useMessages().trackerAdmin;
  const formats = useFormats();
  const names = new Map([tracker, ...trackers].flatMap(valuesIn).map(({ id, name }) => [id, name]));
  const nameOf = (value: Trigger['target']) => names.get(keyOf(value)) ?? `#${value.value_id}`;
  const sentence = ({ condition, target, children }: Trigger) =>
    words.sentence(words.conditions[condition], formats.list(children.map(nameOf)), nameOf(target));
  const remove = async (trigger: Trigger) => {
    try {
      await changeTriggers(tracker.id, (now) => now.filter((one) => !isSameTrigger(one, trigger)));
      const undo = () => void changeTriggers(tracker.id, (now) => [...now, trigger]).catch(tellFault);
      notify({ text: words.removed, undo });
    } catch (error) {
      tellFault(error);
    }
  };
  return (
    <ul className={styles['sentences']}>
      {triggers.map((trigger) => (
        <li key={trigger.id}>
          <span>{sentence(trigger)}</span>
          <IconButton
            icon="x"
            size="small"
            label={words.remove(sentence(trigger))}
            onPress={() => remove(trigger)}
          />
        </li>
      ))}
    </ul>
  );
}

function NewTrigger({ tracker, trackers }: Omit<SentencesProps, 'triggers'>) {
  const { triggers: words } = useMessages().trackerAdmin;
  const [condition, setCondition] = useState<Trigger['condition']>('all_of');
  const [children, setChildren] = useState<readonly string[]>([]);
  const [target, setTarget] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const add = async () => {
    const trigger = { condition, children: children.map(valueIn), target: valueIn(target ?? '') };
    setBusy(true);
    try {
      await changeTriggers(tracker.id, (now) => [...now, trigger]);
      setChildren([]);
      setTarget(null);
      setFault(null);
    } catch (error) {
      setFault(wordsOfError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles['form']}>
      <Select
        label={words.when}
        value={condition}
        onChange={(id) => setCondition(id === 'at_least_one' ? 'at_least_one' : 'all_of')}
        options={[
          { id: 'all_of', name: words.conditions.all_of },
          { id: 'at_least_one', name: words.conditions.at_least_one },
        ]}
      />
      <MultiSelect
        label={words.have}
        value={children}
        onChange={setChildren}
        options={trackers.flatMap(valuesIn)}
        fault={fault}
      />
      <Select label={words.set} value={target} onChange={setTarget} options={valuesIn(tracker)} />
      <Button
        kind="primary"
        isDisabled={children.length === 0 || target === null}
        isBusy={isBusy}
        onPress={() => void add()}
      >
        {words.add}
      </Button>
    </div>
  );
}
