import { invalidForUser } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/values.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { Transaction } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import { integerIn } from '../field-kit/index.ts';
import type { Entry } from '../field-type.ts';
import type { FrozenFields, HiddenFieldsets, PostAction, RunJob, SetFieldValue } from '../governance.ts';
import type { Tracker } from '../model.ts';
import { requireTransitionForWriting, sharingWith } from './transitions.ts';
import { setActions } from './write.ts';

/** Actions of one transition at the most. */
const mostActions = 100;
const longestUrl = 255;

function requireId(entry: Entry, member: string, at: string): number {
  const id = integerIn(entry[member]);
  if (id === undefined) throw invalidForUser(`${at}.${member} must be an integer.`);
  return id;
}

function requireIds(entry: Entry, member: string, at: string): readonly number[] {
  const input = entry[member];
  const ids = Array.isArray(input) ? input.map(integerIn) : [];
  const known = ids.filter((id) => id !== undefined);
  if (known.length === 0 || known.length < ids.length)
    throw invalidForUser(`${at}.${member} must be a list of integers that is not empty.`);
  if (new Set(known).size < known.length) throw invalidForUser(`${at}.${member} names an id twice.`);
  return known;
}

function setFieldValue({ elementById }: Tracker, entry: Entry, at: string): SetFieldValue {
  const fieldId = requireId(entry, 'field_id', at);
  const { field_type: code, value: input } = entry;
  const field = elementById.get(fieldId);
  const rules = field?.isUsed && field.type.code === code ? field.type.workflow : undefined;
  if (rules === undefined)
    throw invalidForUser(
      `${at}: the tracker has no field ${fieldId} in use with this \`field_type\` to set.`,
    );
  const value = input === undefined ? undefined : rules.setting(input);
  if (value === undefined) throw invalidForUser(`${at}.value must be ${rules.accepts}.`);
  return { type: 'set_field_value', fieldId, value };
}

function runJob({ job_url: url }: Entry, at: string): RunJob {
  if (typeof url !== 'string' || !/^https?:\/\/.+/.test(url) || [...url].length > longestUrl)
    throw invalidForUser(
      `${at}.job_url must be an address that begins with http:// or https://, of at most ${longestUrl} characters.`,
    );
  return { type: 'run_job', url };
}

function refuseWithoutStates({ workflow }: Tracker, at: string): void {
  if (workflow?.isAdvanced !== false)
    throw invalidForUser(`${at}: this action exists in the simple mode of workflows only.`);
}

function frozenFields(tracker: Tracker, entry: Entry, at: string): FrozenFields {
  refuseWithoutStates(tracker, at);
  const fieldIds = requireIds(entry, 'field_ids', at);
  const { elementById, workflow, rules } = tracker;
  for (const id of fieldIds) {
    const field = elementById.get(id);
    if (!field?.isUsed || field.type.kind !== 'field')
      throw invalidForUser(`${at}: the tracker has no field ${id} in use.`);
    if (id === workflow?.fieldId)
      throw invalidForUser(`${at}: the field that has the workflow cannot be frozen.`);
    if (rules.dependencies.some((rule) => rule.sourceFieldId === id || rule.targetFieldId === id))
      throw invalidForUser(`${at}: the field ${field.label} takes part in a dependency between lists.`);
  }
  return { type: 'frozen_fields', fieldIds };
}

function hiddenFieldsets(tracker: Tracker, entry: Entry, at: string): HiddenFieldsets {
  refuseWithoutStates(tracker, at);
  const fieldsetIds = requireIds(entry, 'fieldset_ids', at);
  for (const id of fieldsetIds) {
    const element = tracker.elementById.get(id);
    if (!element?.isUsed || !element.type.isCollapsible)
      throw invalidForUser(`${at}: the tracker has no fieldset ${id} in use.`);
  }
  return { type: 'hidden_fieldsets', fieldsetIds };
}

function actionIn(tracker: Tracker, entry: unknown, at: string): PostAction {
  if (!isObject(entry)) throw invalidForUser(`${at} must be an object.`);
  switch (entry['type']) {
    case 'set_field_value':
      return setFieldValue(tracker, entry, at);
    case 'run_job':
      return runJob(entry, at);
    case 'frozen_fields':
      return frozenFields(tracker, entry, at);
    case 'hidden_fieldsets':
      return hiddenFieldsets(tracker, entry, at);
    default:
      throw invalidForUser(`${at}.type must be set_field_value, run_job, frozen_fields or hidden_fieldsets.`);
  }
}

function refuseRepeated(actions: readonly PostAction[]): void {
  const ids = actions.flatMap((action) => (action.type === 'set_field_value' ? action.fieldId : []));
  if (new Set(ids).size < ids.length) throw invalidForUser('A field can be set once only.');
}

/** Replaces what a transition, and those that share its settings, do by themselves. */
export async function changePostActions(
  tx: Transaction,
  viewer: Viewer,
  { id, actions: input }: { id: number; actions: readonly unknown[] },
): Promise<void> {
  const { tracker, transition } = await requireTransitionForWriting(tx, viewer, id);
  if (input.length > mostActions)
    throw invalidForUser(`A transition has at most ${mostActions} post actions.`);
  const actions = input.map((entry, index) => actionIn(tracker, entry, `post_actions[${index}]`));
  refuseRepeated(actions);
  await setActions(tx, sharingWith(tracker, transition), actions);
  await trackerChanged(tx, viewer, tracker);
}
