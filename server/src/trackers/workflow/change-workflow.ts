import { invalidForUser, Refusal } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/values.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { requireProjectWritable } from '../../projects/index.ts';
import { type Transaction, toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { integerIn } from '../field-kit/index.ts';
import { type PostAction, referenceOf, type Workflow } from '../governance.ts';
import type { Field, Tracker } from '../model.ts';
import { requireLockedView, requireTrackerAdministrator } from '../policy.ts';
import { insertWorkflow, setActions, setConditions } from './write.ts';

/** Refusals whose words clients show to people as they are. */
function forUser<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.kind, '', { ...error.extras, userMessage: error.detail });
  }
}

async function requireForChange(tx: Transaction, viewer: Viewer, id: number): Promise<Tracker> {
  const { view, project } = await requireLockedView(tx, viewer, id);
  forUser(() => {
    requireProjectWritable(project);
    requireTrackerAdministrator(view);
  });
  return view.tracker;
}

function requireWorkflow({ workflow }: Tracker): Workflow {
  if (workflow === undefined) throw invalidForUser('The tracker has no workflow.');
  return workflow;
}

/** A list with one value, of those that the tracker defines, can carry a workflow. */
const carriesWorkflow = ({ type, bind }: Field) => type.isMultiple === false && bind?.kind === 'static';

async function create(tx: Transaction, tracker: Tracker, input: unknown): Promise<void> {
  const fieldId = integerIn(input);
  if (fieldId === undefined) throw invalidForUser('`field_id` must be the id of a field, an integer.');
  if (tracker.workflow !== undefined) throw invalidForUser('The tracker already has a workflow.');
  const field = tracker.elementById.get(fieldId);
  if (!field?.isUsed || field.type.kind !== 'field') {
    const userMessage = `The tracker has no field ${fieldId} in use.`;
    throw new Refusal('not-found', '', { userMessage });
  }
  if (!carriesWorkflow(field))
    throw invalidForUser('A workflow needs a select box or radio buttons with values of the tracker itself.');
  await insertWorkflow(tx, tracker.id, { fieldId, isUsed: false, isLegacy: false, isAdvanced: false });
}

const booleans: readonly (readonly [unknown, boolean])[] = [
  [true, true],
  [false, false],
  // XML has nothing but text.
  ['true', true],
  ['false', false],
];
const booleanIn = (input: unknown) => booleans.find(([written]) => written === input)?.[1];

type WorkflowColumns = { is_used?: 0 | 1; is_legacy?: 0 | 1; is_advanced?: 0 | 1 };

async function store(tx: Transaction, { id }: Tracker, columns: WorkflowColumns): Promise<void> {
  await tx.run(tx.sql.updateTable('workflow').set(columns).where('tracker_id', '=', id));
}

async function use(tx: Transaction, tracker: Tracker, input: unknown): Promise<void> {
  const isUsed = booleanIn(input);
  if (isUsed === undefined) throw invalidForUser('`is_used` must be true or false.');
  requireWorkflow(tracker);
  await store(tx, tracker, { is_used: toFlag(isUsed), is_legacy: 0 });
}

async function remove(tx: Transaction, tracker: Tracker): Promise<void> {
  requireWorkflow(tracker);
  const { sql } = tx;
  await tx.run(sql.deleteFrom('workflow_transition').where('tracker_id', '=', tracker.id));
  await tx.run(sql.deleteFrom('workflow').where('tracker_id', '=', tracker.id));
}

const belongsToStates = ({ type }: PostAction) => type === 'frozen_fields' || type === 'hidden_fieldsets';

/** What freezes fields and hides fieldsets belongs to states, which only the simple mode has. */
async function toAdvanced(tx: Transaction, { transitions }: Workflow): Promise<void> {
  for (const transition of transitions) {
    const kept = transition.actions.filter((action) => !belongsToStates(action));
    if (kept.length < transition.actions.length) await setActions(tx, [transition], kept);
  }
}

/** All transitions to one value get the settings of one of them. */
async function toSimple(tx: Transaction, { transitions }: Workflow): Promise<void> {
  for (const toId of new Set(transitions.map((transition) => transition.toId))) {
    const reference = referenceOf(transitions, toId);
    if (reference === undefined) continue;
    const others = transitions.filter((other) => other.toId === toId && other !== reference);
    await setConditions(tx, others, reference);
    await setActions(tx, others, reference.actions);
  }
}

async function switchMode(tx: Transaction, tracker: Tracker, isAdvanced: boolean): Promise<void> {
  const { workflow } = tracker;
  if (workflow === undefined || workflow.isAdvanced === isAdvanced) return;
  await (isAdvanced ? toAdvanced(tx, workflow) : toSimple(tx, workflow));
  await store(tx, tracker, { is_advanced: toFlag(isAdvanced) });
}

const shape =
  'Expecting {"workflow": ...} with one of set_transitions_rules, delete_transitions_rules, is_legacy and is_advanced.';

async function setTransitions(tx: Transaction, tracker: Tracker, rules: unknown): Promise<void> {
  if (isObject(rules) && rules['field_id'] !== undefined) return create(tx, tracker, rules['field_id']);
  if (isObject(rules) && rules['is_used'] !== undefined) return use(tx, tracker, rules['is_used']);
  throw invalidForUser('`set_transitions_rules` must have `field_id` or `is_used`.');
}

async function apply(tx: Transaction, tracker: Tracker, input: unknown): Promise<void> {
  const workflow = isObject(input) ? input['workflow'] : undefined;
  if (!isObject(workflow)) throw invalidForUser(shape);
  const { set_transitions_rules: rules, delete_transitions_rules: removal } = workflow;
  if (rules !== undefined && removal !== undefined)
    throw invalidForUser('Transitions cannot be set and deleted at once.');
  const isAdvanced = booleanIn(workflow['is_advanced']);
  if (booleanIn(removal) === true) return remove(tx, tracker);
  if (rules !== undefined) return setTransitions(tx, tracker, rules);
  if (booleanIn(workflow['is_legacy']) === false) return store(tx, tracker, { is_legacy: 0 });
  if (isAdvanced !== undefined) return switchMode(tx, tracker, isAdvanced);
  throw invalidForUser(shape);
}

/** Makes, uses, switches or removes the workflow of a tracker, as the compatible API words it. */
export async function changeWorkflow(
  tx: Transaction,
  viewer: Viewer,
  { id, input }: { id: number; input: unknown },
): Promise<void> {
  const tracker = await requireForChange(tx, viewer, id);
  await apply(tx, tracker, input);
  await trackerChanged(tx, viewer, tracker);
}
