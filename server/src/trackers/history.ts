import type { Comparator, PostAction, Transition } from './governance.ts';
import { groupName } from './groups.ts';
import {
  type Field,
  fieldPermissions,
  type Grants,
  noneValue,
  type Semantics,
  type Tracker,
  trackerPermissions,
} from './model.ts';

/** Something that can be said of a tracker in one line, of which a history tells what it was and what it is. */
interface Fact {
  /** The same for as long as it is about the same thing. */
  readonly key: string;
  /** What kind of thing it is; with `_add`, `_change` or `_remove` it is the event of a history. */
  readonly kind: string;
  /** About what inside the tracker; empty where it is about all of it. */
  readonly about: string;
  readonly text: string;
  /** The key of what it belongs to: that it came or went is told by that alone. */
  readonly of?: string;
}

/** One thing that is not as it was. */
export interface TrackerDifference {
  readonly event: string;
  readonly subject: string;
  readonly details: { readonly before: string; readonly after: string };
}

const listed = (words: readonly string[]) => words.join(', ');

const named = ({ projectGroups }: Tracker, ids: readonly number[]) =>
  listed(ids.map((id) => groupName(projectGroups, id) ?? String(id)).sort());

const labelOf = ({ elementById }: Tracker, id: number) => elementById.get(id)?.label ?? `${id}`;

function valueLabel({ elementById }: Tracker, fieldId: number, id: number): string {
  if (id === noneValue) return '-';
  const bind = elementById.get(fieldId)?.bind;
  return bind?.values.find((value) => value.id === id)?.label ?? `${id}`;
}

function grantsText<Permission extends string>(
  tracker: Tracker,
  permissions: readonly Permission[],
  grants: Grants<Permission>,
): string {
  const told = permissions.filter((permission) => grants[permission].length > 0);
  return told.map((permission) => `${permission}: ${named(tracker, grants[permission])}`).join('; ');
}

function settingFacts(tracker: Tracker): Fact[] {
  const { name, itemName, description, color, parentId, notificationLevel, hasPrivateComments } = tracker;
  const settings: Readonly<Record<string, string>> = {
    label: name,
    item_name: itemName,
    description,
    color_name: color,
    parent_id: parentId === null ? '' : String(parentId),
    notification_level: String(notificationLevel),
    has_private_comments: String(hasPrivateComments),
  };
  return Object.entries(settings).map(([about, text]) => ({
    key: `setting ${about}`,
    ...{ kind: 'tracker', about, text, of: 'tracker' },
  }));
}

function fieldText({ label, name, type, description, isRequired, isUsed, properties }: Field): string {
  const settings = Object.entries(properties).filter(([, value]) => value !== null && value !== '');
  return listed([
    `${label} (${name}, ${type.code})`,
    ...(description === '' ? [] : [description]),
    ...(isRequired ? ['required'] : []),
    ...(isUsed ? [] : ['unused']),
    ...settings.map(([setting, value]) => `${setting}: ${value}`),
  ]);
}

function valuesText(tracker: Tracker, { bind }: Field): string {
  if (bind === null) return '';
  if (bind.kind === 'users') return named(tracker, bind.groups);
  const own = bind.values.filter(({ id }) => id > 0);
  const told = own.map(({ id, label, color, isHidden }) => {
    const more = [...(color === '' ? [] : [color]), ...(isHidden ? ['hidden'] : [])];
    const isDefault = bind.defaults.includes(id) ? '*' : '';
    return `${label}${isDefault}${more.length === 0 ? '' : ` (${listed(more)})`}`;
  });
  return listed(told);
}

function fieldFacts(tracker: Tracker): Fact[] {
  return tracker.elements.flatMap((field) => {
    const of = `field ${field.id}`;
    const about = field.label;
    const grants = grantsText(tracker, fieldPermissions, field.grants);
    return [
      { key: of, kind: 'field', about, text: fieldText(field) },
      { key: `values ${field.id}`, kind: 'field_values', about, text: valuesText(tracker, field), of },
      { key: `grants ${field.id}`, kind: 'field_permissions', about, text: grants, of },
    ];
  });
}

const fieldIdMembers = /[fF]ieldIds?$/;
const valueIdMembers = /^(?:openIds|valueIds)$/;

function semanticText(tracker: Tracker, semantic: NonNullable<Semantics[keyof Semantics]>): string {
  const statusField = tracker.semantics.status?.fieldId ?? 0;
  const told = Object.entries(semantic).map(([member, value]: [string, unknown]) => {
    const ids = [value].flat().map(Number);
    if (fieldIdMembers.test(member)) return listed(ids.map((id) => labelOf(tracker, id)));
    if (valueIdMembers.test(member)) return listed(ids.map((id) => valueLabel(tracker, statusField, id)));
    return String(value);
  });
  return told.join(': ');
}

function semanticFacts(tracker: Tracker): Fact[] {
  return Object.entries(tracker.semantics).map(([about, semantic]) => ({
    ...{ key: `semantic ${about}`, kind: 'semantic', about },
    text: semanticText(tracker, semantic),
  }));
}

function actionText(tracker: Tracker, action: PostAction): string {
  const labels = (ids: readonly number[]) => listed(ids.map((id) => labelOf(tracker, id)));
  switch (action.type) {
    case 'set_field_value':
      return `${labelOf(tracker, action.fieldId)} := ${action.value ?? ''}`;
    case 'run_job':
      // Addresses of build servers often have a key in them.
      return 'run_job';
    case 'frozen_fields':
      return `frozen_fields: ${labels(action.fieldIds)}`;
    case 'hidden_fieldsets':
      return `hidden_fieldsets: ${labels(action.fieldsetIds)}`;
  }
}

function transitionText(tracker: Tracker, transition: Transition): string {
  const { groups, notEmptyIds, isCommentRequired, actions } = transition;
  const needed = [
    ...notEmptyIds.map((id) => labelOf(tracker, id)),
    ...(isCommentRequired ? ['a comment'] : []),
  ];
  return [
    named(tracker, groups),
    ...(needed.length === 0 ? [] : [`needs ${listed(needed)}`]),
    ...actions.map((action) => actionText(tracker, action)),
  ].join('; ');
}

function workflowFacts(tracker: Tracker): Fact[] {
  const { workflow } = tracker;
  if (workflow === undefined) return [];
  const { fieldId, isUsed, isAdvanced, transitions } = workflow;
  const about = labelOf(tracker, fieldId);
  const stateOf = (id: number | null) => (id === null ? '(new)' : valueLabel(tracker, fieldId, id));
  return [
    {
      ...{ key: 'workflow', kind: 'workflow', about },
      text: listed([isUsed ? 'enforced' : 'not enforced', isAdvanced ? 'advanced' : 'simple']),
    },
    ...transitions.map((transition) => ({
      key: `transition ${transition.fromId} ${transition.toId}`,
      kind: 'transition',
      about: `${stateOf(transition.fromId)} → ${stateOf(transition.toId)}`,
      text: transitionText(tracker, transition),
    })),
  ];
}

const ruleText = (tracker: Tracker, rule: { source: number; comparator: Comparator; target: number }) =>
  `${labelOf(tracker, rule.source)} ${rule.comparator} ${labelOf(tracker, rule.target)}`;

function ruleFacts(tracker: Tracker): Fact[] {
  const { dates, dependencies } = tracker.rules;
  return [
    ...dates.map(({ sourceFieldId: source, targetFieldId: target, comparator }) => {
      const text = ruleText(tracker, { source, comparator, target });
      return { key: `dates ${source} ${comparator} ${target}`, kind: 'rule', about: text, text };
    }),
    ...dependencies.map(({ sourceFieldId: source, targetFieldId: target, allowed }) => ({
      ...{ key: `lists ${source} ${target}`, kind: 'rule' },
      about: `${labelOf(tracker, source)} → ${labelOf(tracker, target)}`,
      text: [...allowed]
        .map(
          ([id, ids]) =>
            `${valueLabel(tracker, source, id)}: ${listed([...ids].map((one) => valueLabel(tracker, target, one)))}`,
        )
        .join('; '),
    })),
  ];
}

function triggerFacts(tracker: Tracker): Fact[] {
  return tracker.triggers.own.map(({ needsAll, target, children }) => {
    const text = `${labelOf(tracker, target.fieldId)} := ${valueLabel(tracker, target.fieldId, target.valueId)}`;
    const told = `${text} (${needsAll ? 'all' : 'one'}: ${children.map(({ fieldId, valueId }) => `${fieldId}=${valueId}`).join(', ')})`;
    return { key: `trigger ${told}`, kind: 'trigger', about: text, text: told };
  });
}

function factsOf(tracker: Tracker): Map<string, Fact> {
  const grants = grantsText(tracker, trackerPermissions, tracker.grants);
  const facts: Fact[] = [
    ...settingFacts(tracker),
    { key: 'grants', kind: 'tracker_permissions', about: '', text: grants, of: 'tracker' },
    ...fieldFacts(tracker),
    ...semanticFacts(tracker),
    ...workflowFacts(tracker),
    ...ruleFacts(tracker),
    ...triggerFacts(tracker),
  ];
  return new Map(facts.map((fact) => [fact.key, fact]));
}

/** How the form is ordered, where it has the same elements as before. */
function orderChange(before: Tracker, after: Tracker): TrackerDifference[] {
  const places = ({ elements }: Tracker) => elements.map(({ id, parentId }) => `${parentId} ${id}`).join();
  const isSame = before.elements.length === after.elements.length;
  if (!isSame || places(before) === places(after)) return [];
  const labels = ({ elements }: Tracker) => listed(elements.map(({ label }) => label));
  return [
    {
      ...{ event: 'form_order', subject: after.name },
      details: { before: labels(before), after: labels(after) },
    },
  ];
}

/** What is not in a tracker as it was, in words for the history of its project. */
export function changesBetween(before: Tracker, after: Tracker): TrackerDifference[] {
  const [old, now] = [factsOf(before), factsOf(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].flatMap((key): TrackerDifference[] => {
    const [was, is] = [old.get(key), now.get(key)];
    const fact = is ?? was;
    if (fact === undefined || was?.text === is?.text) return [];
    if (fact.of !== undefined && (was === undefined || is === undefined)) return [];
    const deed = was === undefined ? 'add' : is === undefined ? 'remove' : 'change';
    const subject = fact.about === '' ? after.name : `${after.name}: ${fact.about}`;
    const details = { before: was?.text ?? '', after: is?.text ?? '' };
    return [{ event: `${fact.kind}_${deed}`, subject, details }];
  });
  return [...changed, ...orderChange(before, after)];
}
