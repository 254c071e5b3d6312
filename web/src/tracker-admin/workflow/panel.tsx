import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { holds, shapeOf } from '../../fields/index.ts';
import { followed } from '../../kernel/followed.ts';
import type { GraphEdge } from '../../kernel/state-graph.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { notify, Problem } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  Dialog,
  Icon,
  IconButton,
  type IconName,
  Menu,
  MenuItem,
  MultiSelect,
  Note,
  Select,
  Skeleton,
  TextField,
} from '../../ui/index.ts';
import { type FieldSettings, useGroups } from '../calls.ts';
import { actionTypeOf, formElementType } from '../form-elements.ts';
import { changeActions, changeConditions, type PostAction, useTransition } from './calls.ts';
import { type Flow, nameOfState } from './model.ts';
import { StateMark } from './state-mark.tsx';
import styles from './workflow.module.css';

const tell = (error: unknown) => notify({ text: wordsOfError(error), kind: 'bad' });

interface TransitionPanelProps {
  readonly tracker: Tracker;
  readonly flow: Flow;
  readonly elements: readonly FieldSettings[];
  readonly edge: GraphEdge;
  onClose(): void;
  onRemove(): Promise<unknown>;
}

/** Who may take a step, what it needs, and what follows by itself. */
export function TransitionPanel(props: TransitionPanelProps) {
  const { tracker, flow, edge, onClose, onRemove } = props;
  const { trackerAdmin } = useMessages();
  const words = trackerAdmin.workflow;
  const { data, error, refetch } = useTransition(tracker.id, edge.id);
  const state = (id: number | null) => flow.states.find((one) => one.id === id);
  const target = nameOfState(flow, edge.to, words.new);
  return (
    <>
      <div className={styles['panelHead']}>
        <h2>
          <StateMark state={state(edge.from)} />
          {nameOfState(flow, edge.from, words.new)}
          <Icon name="arrow-right" size={14} />
          <StateMark state={state(edge.to)} />
          {target}
        </h2>
        <IconButton icon="x" size="small" label={words.closePanel} onPress={onClose} />
      </div>
      {!flow.isAdvanced && <p className={styles['second']}>{words.shared(target)}</p>}
      {data === undefined &&
        (error === null ? <Skeleton lines={4} /> : <Problem error={error} askAgain={() => void refetch()} />)}
      {data !== undefined && (
        <>
          <Conditions {...props} conditions={data.conditions} />
          <Actions {...props} actions={data.actions} />
        </>
      )}
      <div>
        <Button kind="danger" onPress={onRemove}>
          {words.remove}
        </Button>
      </div>
    </>
  );
}

type Loaded = NonNullable<ReturnType<typeof useTransition>['data']>;

const inForm = ({ is_used: isUsed, is_removed: isRemoved }: FieldSettings) => isUsed && !isRemoved;

function Conditions({
  tracker,
  flow,
  elements,
  edge,
  conditions,
}: TransitionPanelProps & Pick<Loaded, 'conditions'>) {
  const { workflow: words } = useMessages().trackerAdmin;
  const { data: groups = [] } = useGroups(tracker.project.id);
  const [fault, setFault] = useState<string | null>(null);
  const change = (wish: Parameters<typeof changeConditions>[2]) =>
    void changeConditions(tracker.id, edge.id, wish).then(() => setFault(null), tell);
  const authorized = conditions.authorized_user_group_ids;
  const needed = elements.filter(
    (one) => inForm(one) && formElementType(one.type).isFilled && one.field_id !== flow.field.field_id,
  );
  return (
    <>
      <CheckboxGroup
        label={words.who}
        value={authorized}
        fault={fault}
        onChange={(ids) => {
          if (ids.length === 0) setFault(words.needsGroup);
          else
            change((now) => ({
              authorized_user_group_ids: followed(now.authorized_user_group_ids, authorized, ids),
            }));
        }}
      >
        {groups.map(({ id, label }) => (
          <Checkbox key={id} value={id}>
            {label}
          </Checkbox>
        ))}
      </CheckboxGroup>
      {authorized.length === 0 && <Note meaning="care">{words.groupsGone}</Note>}
      <MultiSelect
        label={words.needs}
        placeholder={words.needsNothing}
        value={conditions.not_empty_field_ids.map(String)}
        onChange={(ids) =>
          change((now) => ({
            not_empty_field_ids: followed(
              now.not_empty_field_ids,
              conditions.not_empty_field_ids,
              ids.map(Number),
            ),
          }))
        }
        options={needed.map(({ field_id: id, label }) => ({ id: String(id), name: label }))}
      />
      {edge.from !== null && (
        <Checkbox
          isSelected={conditions.is_comment_required}
          onChange={(isOn) => change(() => ({ is_comment_required: isOn }))}
        >
          {words.needsComment}
        </Checkbox>
      )}
    </>
  );
}

type ActionType = PostAction['type'];

const icons: Readonly<Record<ActionType, IconName>> = {
  set_field_value: 'pencil',
  run_job: 'send',
  frozen_fields: 'lock',
  hidden_fieldsets: 'eye-off',
};

function useActionWords(elements: readonly FieldSettings[]): (action: PostAction) => string {
  const { workflow: words } = useMessages().trackerAdmin;
  const formats = useFormats();
  const label = (id: number | undefined) =>
    elements.find(({ field_id: one }) => one === id)?.label ?? `#${id}`;
  return ({ type, field_id, value, job_url, field_ids = [], fieldset_ids = [] }) => {
    switch (type) {
      case 'set_field_value':
        if (value === 'current') return words.setsToday(label(field_id));
        return value === '' || value === null
          ? words.clears(label(field_id))
          : words.sets(label(field_id), String(value));
      case 'run_job':
        return words.calls(job_url ?? '');
      case 'frozen_fields':
        return words.freezes(formats.list(field_ids.map(label)));
      case 'hidden_fieldsets':
        return words.hides(formats.list(fieldset_ids.map(label)));
    }
  };
}

function Actions({ tracker, flow, elements, edge, actions }: TransitionPanelProps & Pick<Loaded, 'actions'>) {
  const { workflow: words } = useMessages().trackerAdmin;
  const wordsOf = useActionWords(elements);
  const [asked, setAsked] = useState<ActionType>();
  const remove = (action: PostAction) =>
    changeActions(tracker.id, edge.id, (now) =>
      now.filter(
        (one) => !(one.id === action.id && one.type === action.type && one.field_type === action.field_type),
      ),
    ).catch(tell);
  const kinds: readonly ActionType[] = flow.isAdvanced
    ? ['set_field_value', 'run_job']
    : ['set_field_value', 'run_job', 'frozen_fields', 'hidden_fieldsets'];
  const offered = kinds.filter(
    (kind) => kind === 'set_field_value' || kind === 'run_job' || !actions.some(({ type }) => type === kind),
  );
  return (
    <section aria-label={words.follows}>
      <h3 className={styles['partName']}>{words.follows}</h3>
      <ul className={styles['actions']}>
        {actions.map((action) => (
          <li key={`${action.type} ${action.field_type} ${action.id}`}>
            <Icon name={icons[action.type]} />
            <span>{wordsOf(action)}</span>
            <IconButton
              icon="x"
              size="small"
              label={words.removeAction(wordsOf(action))}
              onPress={() => remove(action)}
            />
          </li>
        ))}
      </ul>
      <Menu
        aria-label={words.addAction}
        onAction={(key) => setAsked(kinds.find((kind) => kind === key))}
        trigger={
          <Button kind="quiet" icon="plus">
            {words.addAction}
          </Button>
        }
      >
        {offered.map((kind) => (
          <MenuItem key={kind} id={kind} icon={icons[kind]}>
            {words.actionKinds[kind]}
          </MenuItem>
        ))}
      </Menu>
      {asked !== undefined && (
        <ActionDialog
          kind={asked}
          elements={elements.filter(inForm)}
          workflowFieldId={flow.field.field_id}
          onClose={() => setAsked(undefined)}
          onAdd={(action) => changeActions(tracker.id, edge.id, (now) => [...now, action])}
        />
      )}
    </section>
  );
}

interface ActionDialogProps {
  readonly kind: ActionType;
  readonly elements: readonly FieldSettings[];
  readonly workflowFieldId: number;
  onClose(): void;
  onAdd(action: Omit<PostAction, 'id'>): Promise<void>;
}

const optionsOf = (elements: readonly FieldSettings[]) =>
  elements.map(({ field_id: id, label }) => ({ id: String(id), name: label }));

function ActionDialog({ kind, elements, workflowFieldId, onClose, onAdd }: ActionDialogProps) {
  const { trackerAdmin, ui } = useMessages();
  const words = trackerAdmin.workflow;
  const [ids, setIds] = useState<readonly string[]>([]);
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = elements.find(({ field_id: id }) => String(id) === ids[0]);
  const isDate = field !== undefined && holds(field, 'day');
  const action = (): Omit<PostAction, 'id'> => {
    const numbers = ids.map(Number);
    if (kind === 'run_job') return { type: kind, job_url: value.trim() };
    if (kind === 'frozen_fields') return { type: kind, field_ids: numbers };
    if (kind === 'hidden_fieldsets') return { type: kind, fieldset_ids: numbers };
    const type = actionTypeOf(field?.type);
    const given = isDate
      ? value
      : Number.isFinite(Number(value)) && value.trim() !== ''
        ? Number(value)
        : value;
    return {
      type: kind,
      field_id: numbers[0] ?? 0,
      ...(type === undefined ? {} : { field_type: type }),
      value: given,
    };
  };
  const add = async () => {
    setBusy(true);
    try {
      await onAdd(action());
      onClose();
    } catch (error) {
      setFault(wordsOfError(error));
      setBusy(false);
    }
  };
  const canFreeze = elements.filter(
    ({ type, field_id: id }) => formElementType(type).isUpdated && id !== workflowFieldId,
  );
  return (
    <Dialog
      title={words.actionKinds[kind]}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} onPress={() => void add()}>
            {words.addAction}
          </Button>
        </>
      }
    >
      <div className={styles['dialogForm']}>
        {kind === 'run_job' && (
          <TextField label={words.address} value={value} onChange={setValue} fault={fault} autoFocus />
        )}
        {kind === 'frozen_fields' && (
          <MultiSelect
            label={words.fields}
            value={ids}
            onChange={setIds}
            options={optionsOf(canFreeze)}
            fault={fault}
          />
        )}
        {kind === 'hidden_fieldsets' && (
          <MultiSelect
            label={words.groups}
            value={ids}
            onChange={setIds}
            options={optionsOf(elements.filter((element) => shapeOf(element) === 'group'))}
            fault={fault}
          />
        )}
        {kind === 'set_field_value' && (
          <>
            <Select
              label={words.field}
              value={ids[0] ?? null}
              onChange={(id) => {
                setIds(id === null ? [] : [id]);
                const chosen = elements.find(({ field_id: one }) => String(one) === id);
                setValue(chosen !== undefined && holds(chosen, 'day') ? 'current' : '');
              }}
              options={optionsOf(elements.filter(({ type }) => actionTypeOf(type) !== undefined))}
              fault={field === undefined ? fault : null}
            />
            {field !== undefined && isDate && (
              <Select
                label={words.value}
                value={value === '' ? 'nothing' : value}
                onChange={(id) => setValue(id === 'current' ? 'current' : '')}
                options={[
                  { id: 'current', name: words.dayOfStep },
                  { id: 'nothing', name: words.nothing },
                ]}
                fault={fault}
              />
            )}
            {field !== undefined && !isDate && (
              <TextField label={words.value} value={value} onChange={setValue} fault={fault} />
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
