import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { deadEnds, unreachable } from '../../kernel/state-graph.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { notify, Problem } from '../../shell/index.ts';
import { useLive, wordsOfError } from '../../store/index.ts';
import {
  Button,
  Dialog,
  EmptyPlace,
  Note,
  NoteAction,
  Segmented,
  Select,
  Skeleton,
  Switch,
} from '../../ui/index.ts';
import { type FieldSettings, useFormElements } from '../calls.ts';
import { fieldsFor } from '../form-elements.ts';
import {
  addTransition,
  changeWorkflow,
  makeAgain,
  type PostAction,
  readActionsOf,
  removeTransition,
} from './calls.ts';
import { Graph } from './graph.tsx';
import { Matrix } from './matrix.tsx';
import { edgeBetween, type Flow, flowOf, nameOfState, type Step } from './model.ts';
import { TransitionPanel } from './panel.tsx';
import styles from './workflow.module.css';

const tell = (error: unknown) => notify({ text: wordsOfError(error), kind: 'bad' });

/** `workflow`: which steps artifacts may take, as a table and as a picture of the same thing. */
export function WorkflowPage({ tracker }: { readonly tracker: Tracker }) {
  // Another administrator may be at the same picture.
  useLive(`trackers/${tracker.id}`, () => undefined);
  const { data: elements, error, refetch } = useFormElements(tracker.id);
  if (elements === undefined && error !== null)
    return <Problem error={error} askAgain={() => void refetch()} />;
  if (elements === undefined) return <Skeleton lines={8} className={styles['coming'] ?? ''} />;
  const flow = flowOf(tracker, elements);
  if (flow === undefined) return <NoWorkflow tracker={tracker} elements={elements} />;
  return <OfFlow tracker={tracker} flow={flow} elements={elements} />;
}

const carriers = (elements: readonly FieldSettings[]) =>
  elements.filter(
    ({ type, bind, is_used: isUsed, is_removed: isRemoved }) =>
      isUsed && !isRemoved && bind?.type === 'static' && fieldsFor.workflow.some((code) => code === type),
  );

function NoWorkflow({
  tracker,
  elements,
}: {
  readonly tracker: Tracker;
  readonly elements: readonly FieldSettings[];
}) {
  const { workflow: words } = useMessages().trackerAdmin;
  const offered = carriers(elements);
  const status = tracker.semantics.status?.field_id;
  const [chosen, setChosen] = useState<string | null>(
    String((offered.find(({ field_id: id }) => id === status) ?? offered[0])?.field_id ?? ''),
  );
  const make = () =>
    changeWorkflow(
      tracker.id,
      { set_transitions_rules: { field_id: Number(chosen) } },
      { set_transitions_rules: { is_used: true } },
    ).catch(tell);
  return (
    <div className={styles['none']}>
      <EmptyPlace
        icon="arrows-split-2"
        name={words.noneTitle}
        actions={
          offered.length === 0 ? undefined : (
            <div className={styles['make']}>
              <Select
                aria-label={words.on}
                value={chosen}
                onChange={setChosen}
                options={offered.map(({ field_id: id, label }) => ({ id: String(id), name: label }))}
              />
              <Button kind="primary" onPress={make}>
                {words.make}
              </Button>
            </div>
          )
        }
      >
        {offered.length === 0 ? words.noCarrier : words.noneWords}
      </EmptyPlace>
    </div>
  );
}

const sights = ['matrix', 'graph', 'both'] as const;
type Sight = (typeof sights)[number];

interface OfFlowProps {
  readonly tracker: Tracker;
  readonly flow: Flow;
  readonly elements: readonly FieldSettings[];
}

function OfFlow({ tracker, flow, elements }: OfFlowProps) {
  const { workflow: words } = useMessages().trackerAdmin;
  const [sight, setSight] = useState<Sight>('both');
  const [step, setStep] = useState<Step>();
  const edge = step && edgeBetween(flow, step.from, step.to);
  const nameOf = ({ from, to }: Step) =>
    `${nameOfState(flow, from, words.new)} → ${nameOfState(flow, to, words.new)}`;
  const add = async (wish: Step) => {
    try {
      const id = await addTransition(tracker.id, wish.from, wish.to);
      const undo = () => void removeTransition(tracker.id, id).catch(tell);
      notify({ text: words.made(nameOf(wish)), undo });
    } catch (error) {
      tell(error);
    }
  };
  const remove = async (wish: Step, id: number) => {
    try {
      const before = await removeTransition(tracker.id, id);
      notify({
        text: words.removed(nameOf(wish)),
        undo: () => void makeAgain(tracker.id, before).catch(tell),
      });
    } catch (error) {
      tell(error);
    }
  };
  const toggle = (wish: Step) => {
    setStep(wish);
    const existing = edgeBetween(flow, wish.from, wish.to);
    if (existing === undefined) void add(wish);
    else void remove(wish, existing.id);
  };
  return (
    <div className={styles['page']}>
      <Toolbar tracker={tracker} flow={flow} elements={elements} sight={sight} onSight={setSight} />
      <div className={styles['middle']}>
        <div className={styles['sights']}>
          {sight !== 'graph' && (
            <div className={styles['matrixPart']}>
              <Matrix flow={flow} chosen={step} onChoose={setStep} onToggle={toggle} />
              <Warnings flow={flow} tracker={tracker} onShow={setStep} />
            </div>
          )}
          {sight !== 'matrix' && <Graph flow={flow} chosen={step} onChoose={setStep} />}
        </div>
        <aside className={styles['panel']} aria-label={words.transition} data-open={edge && ''}>
          {edge === undefined || step === undefined ? (
            <EmptyPlace icon="arrows-split-2" name={words.chooseOne}>
              {words.chooseWords}
            </EmptyPlace>
          ) : (
            <TransitionPanel
              key={edge.id}
              tracker={tracker}
              flow={flow}
              elements={elements}
              edge={edge}
              onClose={() => setStep(undefined)}
              onRemove={() => remove(step, edge.id)}
            />
          )}
        </aside>
      </div>
    </div>
  );
}

/** What a person who only reads the table would not notice. */
function Warnings({
  flow,
  tracker,
  onShow,
}: {
  readonly flow: Flow;
  readonly tracker: Tracker;
  onShow(step: Step): void;
}) {
  const { workflow: words } = useMessages().trackerAdmin;
  const formats = useFormats();
  const ids = flow.states.filter(({ isHidden }) => !isHidden).map(({ id }) => id);
  const lost = unreachable(ids, flow.edges);
  const open = new Set(tracker.semantics.status?.value_ids ?? []);
  const stuck = deadEnds(ids, flow.edges).filter((id) => open.has(id));
  const names = (some: readonly number[]) => formats.list(some.map((id) => nameOfState(flow, id, words.new)));
  const [first] = lost;
  return (
    <>
      {first !== undefined && (
        <Note
          meaning="care"
          actions={<NoteAction onPress={() => onShow({ from: null, to: first })}>{words.show}</NoteAction>}
        >
          {words.unreachable(names(lost), lost.length)}
        </Note>
      )}
      {stuck.length > 0 && <Note meaning="care">{words.stuck(names(stuck), stuck.length)}</Note>}
    </>
  );
}

interface ToolbarProps extends OfFlowProps {
  readonly sight: Sight;
  onSight(sight: Sight): void;
}

function Toolbar({ tracker, flow, elements, sight, onSight }: ToolbarProps) {
  const { workflow: words } = useMessages().trackerAdmin;
  const [asked, setAsked] = useState<{ readonly lost: readonly PostAction[] }>();
  const [fieldId, setFieldId] = useState<number>();
  const setMode = async (mode: string | null) => {
    const isAdvanced = mode === 'advanced';
    if (isAdvanced === flow.isAdvanced) return;
    try {
      if (!isAdvanced) return await changeWorkflow(tracker.id, { is_advanced: false });
      const actions = await readActionsOf(flow.edges.map(({ id }) => id));
      const lost = actions
        .flat()
        .filter(({ type }) => type === 'frozen_fields' || type === 'hidden_fieldsets');
      if (lost.length === 0) await changeWorkflow(tracker.id, { is_advanced: true });
      else setAsked({ lost });
    } catch (error) {
      tell(error);
    }
  };
  return (
    <div className={styles['toolbar']}>
      <Switch
        isSelected={flow.isUsed}
        onChange={(isUsed) =>
          changeWorkflow(tracker.id, { set_transitions_rules: { is_used: isUsed } }).catch(tell)
        }
      >
        {words.enforced}
      </Switch>
      <div className={styles['choice']}>
        <span>{words.on}</span>
        <Select
          aria-label={words.on}
          look="value"
          value={String(flow.field.field_id)}
          onChange={(id) => id !== null && Number(id) !== flow.field.field_id && setFieldId(Number(id))}
          options={carriers(elements).map(({ field_id: id, label }) => ({ id: String(id), name: label }))}
        />
      </div>
      <div className={styles['choice']}>
        <span>{words.mode}</span>
        <Select
          aria-label={words.mode}
          look="value"
          value={flow.isAdvanced ? 'advanced' : 'simple'}
          onChange={(mode) => void setMode(mode)}
          options={[
            { id: 'simple', name: words.simple, second: words.simpleWords },
            { id: 'advanced', name: words.advanced, second: words.advancedWords },
          ]}
        />
      </div>
      <span className={styles['space']} />
      <Segmented
        label={words.sight}
        options={sights.map((id) => ({ id, name: words.sights[id] }))}
        value={sight}
        onChange={(id) => onSight(sights.find((one) => one === id) ?? 'both')}
      />
      {asked !== undefined && (
        <AdvancedDialog
          tracker={tracker}
          elements={elements}
          lost={asked.lost}
          onClose={() => setAsked(undefined)}
        />
      )}
      {fieldId !== undefined && (
        <OtherFieldDialog
          onClose={() => setFieldId(undefined)}
          onDo={() =>
            changeWorkflow(
              tracker.id,
              { delete_transitions_rules: true },
              { set_transitions_rules: { field_id: fieldId } },
            ).catch(tell)
          }
        />
      )}
    </div>
  );
}

/** Names what the advanced mode does not have, before it goes. */
function AdvancedDialog({
  tracker,
  elements,
  lost,
  onClose,
}: {
  readonly tracker: Tracker;
  readonly elements: readonly FieldSettings[];
  readonly lost: readonly PostAction[];
  onClose(): void;
}) {
  const { trackerAdmin, ui } = useMessages();
  const words = trackerAdmin.workflow;
  const formats = useFormats();
  const labels = (ids: readonly number[] = []) =>
    formats.list(ids.map((id) => elements.find(({ field_id: one }) => one === id)?.label ?? `#${id}`));
  const said = lost.map(({ type, field_ids, fieldset_ids }) =>
    type === 'frozen_fields' ? words.freezes(labels(field_ids)) : words.hides(labels(fieldset_ids)),
  );
  const go = async () => {
    await changeWorkflow(tracker.id, { is_advanced: true }).catch(tell);
    onClose();
  };
  return (
    <Dialog
      title={words.advancedTitle}
      isOpen
      onClose={onClose}
      role="alertdialog"
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="destroy" onPress={go}>
            {words.advancedButton}
          </Button>
        </>
      }
    >
      <p>{words.advancedLoses}</p>
      <ul className={styles['lost']}>
        {[...new Set(said)].map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Dialog>
  );
}

function OtherFieldDialog({ onClose, onDo }: { onClose(): void; onDo(): Promise<unknown> }) {
  const { trackerAdmin, ui } = useMessages();
  const words = trackerAdmin.workflow;
  return (
    <Dialog
      title={words.otherTitle}
      isOpen
      onClose={onClose}
      role="alertdialog"
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="destroy" onPress={() => onDo().then(onClose)}>
            {words.otherButton}
          </Button>
        </>
      }
    >
      <p>{words.otherWords}</p>
    </Dialog>
  );
}
