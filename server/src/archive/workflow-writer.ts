import { element, type XmlElement } from '../kernel/xml.ts';
import { groupIds } from '../projects/index.ts';
import {
  noneValue,
  type PostAction,
  type Rules,
  referenceOf,
  type Tracker,
  type Transition,
  type Trigger,
} from '../trackers/index.ts';
import { constantOf } from './group-names.ts';
import { fieldKey, valueKey } from './keys.ts';

const reference = (name: string, fieldId: number) => element(name, { REF: fieldKey(fieldId) });

/** 0 and nothing at all are the same here. */
const valueReference = (name: string, valueId: number) =>
  element(name, valueId === noneValue ? { is_none: '1' } : { REF: valueKey(valueId) });

const fromElement = ({ fromId }: Transition) =>
  element('from_id', { REF: fromId === null ? 'null' : valueKey(fromId) });

/** What a transition sets a field to: the type of the field names the element. */
function setting(action: Extract<PostAction, { type: 'set_field_value' }>, tracker: Tracker): XmlElement[] {
  const type = tracker.elementById.get(action.fieldId)?.type.code;
  if (type === undefined) return [];
  const { value } = action;
  const attributes =
    typeof value === 'number' ? { value } : { valuetype: value === 'current' ? 2 : value === '' ? 1 : 0 };
  return [element(`postaction_field_${type}`, attributes, [reference('field_id', action.fieldId)])];
}

function actionElements(action: PostAction, tracker: Tracker): XmlElement[] {
  switch (action.type) {
    case 'set_field_value':
      return setting(action, tracker);
    case 'run_job':
      return [element('postaction_ci_build', { job_url: action.url })];
    case 'frozen_fields':
      return [
        element(
          'postaction_frozen_fields',
          {},
          action.fieldIds.map((id) => reference('field_id', id)),
        ),
      ];
    case 'hidden_fieldsets':
      return [
        element(
          'postaction_hidden_fieldsets',
          {},
          action.fieldsetIds.map((id) => reference('fieldset_id', id)),
        ),
      ];
  }
}

/** A transition for groups that are gone is for administrators: without any group, readers let every member take it. */
function groupsNamed({ groups }: Transition, { projectGroups }: Tracker): readonly string[] {
  const named = groups.flatMap((id) => constantOf(id, projectGroups) ?? []);
  const isLost = groups.length > 0 && named.length === 0;
  return isLost ? [constantOf(groupIds.projectAdmins, projectGroups) ?? ''] : named;
}

function conditions(transition: Transition, tracker: Tracker): XmlElement {
  const { notEmptyIds, isCommentRequired } = transition;
  const permissions = groupsNamed(transition, tracker).map((ugroup) => element('permission', { ugroup }));
  const fields = notEmptyIds.map((id) => reference('field', id));
  return element('conditions', {}, [
    element('condition', { type: 'perms' }, [element('permissions', {}, permissions)]),
    ...(fields.length === 0 ? [] : [element('condition', { type: 'notempty' }, fields)]),
    ...(isCommentRequired
      ? [element('condition', { type: 'commentnotempty', is_comment_required: '1' })]
      : []),
  ]);
}

function settings(transition: Transition, tracker: Tracker): XmlElement[] {
  const actions = transition.actions.flatMap((action) => actionElements(action, tracker));
  return [
    ...(actions.length === 0 ? [] : [element('postactions', {}, actions)]),
    conditions(transition, tracker),
  ];
}

const toElement = (valueId: number) => element('to_id', { REF: valueKey(valueId) });

function advanced(transitions: readonly Transition[], tracker: Tracker): XmlElement {
  const elements = transitions.map((transition) =>
    element('transition', {}, [
      fromElement(transition),
      toElement(transition.toId),
      ...settings(transition, tracker),
    ]),
  );
  return element('transitions', {}, elements);
}

/** All transitions to one value have the same settings. */
function states(transitions: readonly Transition[], tracker: Tracker): XmlElement {
  const targets = [...new Set(transitions.map(({ toId }) => toId))];
  const elements = targets.map((target) => {
    const leading = transitions.filter(({ toId }) => toId === target);
    const shared = referenceOf(transitions, target);
    return element('state', {}, [
      toElement(target),
      element(
        'transitions',
        {},
        leading.map((transition) => element('transition', {}, [fromElement(transition)])),
      ),
      ...(shared === undefined ? [] : settings(shared, tracker)),
    ]);
  });
  return element('states', {}, elements);
}

export function workflowElement(tracker: Tracker): XmlElement[] {
  const { workflow } = tracker;
  if (workflow === undefined) return [];
  const { fieldId, isUsed, isAdvanced, transitions } = workflow;
  const head = [reference('field_id', fieldId), element('is_used', {}, isUsed ? '1' : '0')];
  return [
    isAdvanced
      ? element('workflow', {}, [...head, advanced(transitions, tracker)])
      : element('simple_workflow', {}, [...head, states(transitions, tracker)]),
  ];
}

function dateRules({ dates }: Rules): XmlElement[] {
  return dates.map(({ sourceFieldId, targetFieldId, comparator }) =>
    element('rule', {}, [
      reference('source_field', sourceFieldId),
      reference('target_field', targetFieldId),
      element('comparator', { type: comparator }),
    ]),
  );
}

type ListRule = Rules['lists'][number];

/** Archives name values of lists by what the form lists, which no person is. */
const namesPeople =
  ({ elementById }: Tracker) =>
  ({ sourceFieldId, targetFieldId }: ListRule): boolean =>
    [sourceFieldId, targetFieldId].some((id) => elementById.get(id)?.bind?.kind === 'users');

/** Lists that depend on each other in a way that archives have no form for, in words. */
export function ruleLosses(tracker: Tracker): string[] {
  const labelOf = (id: number) => tracker.elementById.get(id)?.label ?? '';
  const lost = tracker.rules.lists
    .filter(namesPeople(tracker))
    .map(
      ({ sourceFieldId, targetFieldId }) =>
        `In the tracker ${tracker.name}, ${labelOf(targetFieldId)} depends on ${labelOf(sourceFieldId)}: lists of people cannot, so that is left out.`,
    );
  return [...new Set(lost)];
}

function listRules(tracker: Tracker): XmlElement[] {
  const isLost = namesPeople(tracker);
  const kept = tracker.rules.lists.filter((rule) => !isLost(rule));
  return kept.map((rule) =>
    element('rule', {}, [
      reference('source_field', rule.sourceFieldId),
      reference('target_field', rule.targetFieldId),
      valueReference('source_value', rule.sourceValueId),
      valueReference('target_value', rule.targetValueId),
    ]),
  );
}

export const ruleElements = (tracker: Tracker): XmlElement =>
  element('rules', {}, [
    element('date_rules', {}, dateRules(tracker.rules)),
    element('list_rules', {}, listRules(tracker)),
  ]);

const fieldAndValue = ({ fieldId, valueId }: Trigger['target']) => [
  reference('field_id', fieldId),
  element('field_value_id', { REF: valueKey(valueId) }),
];

function triggerRule({ needsAll, target, children }: Trigger): XmlElement {
  return element('trigger_rule', {}, [
    element(
      'triggers',
      {},
      children.map((child) => element('trigger', {}, fieldAndValue(child))),
    ),
    element('condition', {}, needsAll ? 'all_of' : 'at_least_one'),
    element('target', {}, fieldAndValue(target)),
  ]);
}

/** What children set in their parents, in all trackers of a project. */
export const triggersElement = (trackers: readonly Tracker[]): XmlElement =>
  element(
    'triggers',
    {},
    trackers.flatMap(({ triggers }) => triggers.own.map(triggerRule)),
  );
