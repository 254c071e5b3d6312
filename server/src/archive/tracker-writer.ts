import { element, type XmlElement } from '../kernel/xml.ts';
import { groupIds } from '../projects/index.ts';
import {
  archivedNumber,
  archivedProperties,
  archivedValues,
  bindOf,
  type Field,
  fieldPermissions,
  type KeptSettings,
  type Report,
  type Tracker,
  trackerPermissions,
} from '../trackers/index.ts';
import { constantOf, keyOf } from './group-names.ts';
import { fieldKey, fieldPermissionName, trackerKey, trackerPermissionName, valueKey } from './keys.ts';
import type { AccountReferences } from './people.ts';
import { reportElements } from './report-writer.ts';
import { semanticElements } from './semantics.ts';
import { ruleElements, workflowElement } from './workflow-writer.ts';

const optional = (name: string, text: string | undefined) =>
  text === undefined || text === '' ? [] : [element(name, {}, text)];

/** Attributes that are as usual are left out, but for those that readers expect. */
function attributesOf({ id, parentId, notificationLevel, hasPrivateComments, kept }: Tracker) {
  return {
    id: trackerKey(id),
    parent_id: parentId === null ? '0' : trackerKey(parentId),
    allow_copy: kept.allowsCopy,
    enable_emailgateway: kept.hasMailGateway,
    instantiate_for_new_projects: kept.isForNewProjects,
    log_priority_changes: kept.logsRankChanges,
    notifications_level: notificationLevel,
    is_displayed_in_new_dropdown: kept.isPromoted,
    use_private_comments: hasPrivateComments,
    should_send_event_in_notification: kept.sendsEvents,
    enable_move_artifacts: kept.allowsMoving !== false,
  };
}

const cannedResponses = ({ cannedResponses: responses = [] }: KeptSettings) =>
  element(
    'cannedResponses',
    {},
    responses.map(({ title, body }) =>
      element('cannedResponse', {}, [element('title', {}, title), element('body', {}, body)]),
    ),
  );

function decorator(color: string, REF: string | undefined): XmlElement {
  if (!color.startsWith('#')) return element('decorator', { REF, tlp_color_name: color });
  const [r, g, b] = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  return element('decorator', { REF, r, g, b });
}

/** The colours of values; that of having none refers to nothing. */
function decorators(field: Field): XmlElement[] {
  const coloured = archivedValues(field).filter(({ color }) => color !== '');
  const { noneColor } = field.bind ?? {};
  return [
    ...coloured.map(({ id, color }) => decorator(color, valueKey(id))),
    ...(noneColor === undefined ? [] : [decorator(noneColor, undefined)]),
  ];
}

async function defaultValues(field: Field, references: AccountReferences): Promise<XmlElement[]> {
  const ids = field.bind?.defaults ?? [];
  if (field.bind?.kind === 'users') return Promise.all(ids.map((id) => references.refer('value', id)));
  return ids.map((id) => element('value', { REF: valueKey(archivedNumber(field, id)) }));
}

const listed = (name: string, items: readonly XmlElement[]) =>
  items.length === 0 ? [] : [element(name, {}, items)];

async function bindElement(
  field: Field,
  { projectGroups }: Tracker,
  references: AccountReferences,
): Promise<XmlElement[]> {
  const { bind } = field;
  if (bind === null) return [];
  const nameOf = (id: number) => (bind.kind === 'users' ? projectGroups.get(id) : keyOf(id, projectGroups));
  const order = bind.kind === 'static' ? { is_rank_alpha: bind.isAlphabetic } : {};
  return [
    element('bind', { type: bind.kind, ...order }, [
      ...listed('items', bindOf(field).toItems(field, nameOf)),
      ...listed('decorators', decorators(field)),
      ...listed('default_values', await defaultValues(field, references)),
    ]),
  ];
}

async function formElement(
  field: Field,
  tracker: Tracker,
  references: AccountReferences,
): Promise<XmlElement> {
  const { id, type, rank, isUsed, isRequired, hasNotifications } = field;
  const attributes = {
    type: type.code,
    ID: fieldKey(id),
    rank,
    use_it: isUsed ? undefined : '0',
    required: isRequired ? '1' : undefined,
    notifications: hasNotifications ? '1' : undefined,
  };
  const properties = element('properties', archivedProperties(type, field.properties));
  return element('formElement', attributes, [
    element('name', {}, field.name),
    element('label', {}, field.label),
    ...optional('description', field.description),
    ...(Object.keys(properties.attributes).length === 0 ? [] : [properties]),
    ...(type.kind === 'container' ? await formElements(tracker, id, references) : []),
    ...(await bindElement(field, tracker, references)),
  ]);
}

/** The elements in a container, or at the root of the form. */
async function formElements(
  tracker: Tracker,
  parent: number | null,
  references: AccountReferences,
): Promise<XmlElement[]> {
  const isInside = ({ parentId }: Field) =>
    (parentId !== null && tracker.elementById.has(parentId) ? parentId : null) === parent;
  const children = tracker.elements.filter(isInside);
  if (children.length === 0) return [];
  const elements: XmlElement[] = [];
  for (const field of children) elements.push(await formElement(field, tracker, references));
  return [element('formElements', {}, elements)];
}

function permissions({ grants, elements, projectGroups }: Tracker): XmlElement {
  const lines = (scope: string, type: string, groups: readonly number[], more = {}) =>
    groups.flatMap((id) => {
      const ugroup = constantOf(id, projectGroups);
      return ugroup === undefined ? [] : element('permission', { scope, ...more, ugroup, type });
    });
  const own = trackerPermissions.flatMap((name) =>
    lines('tracker', trackerPermissionName(name), grants[name]),
  );
  // Without any line, readers let everybody in.
  const shut = lines('tracker', trackerPermissionName('full'), [groupIds.nobody]);
  return element('permissions', {}, [
    ...(own.length === 0 ? shut : own),
    ...elements.flatMap(({ id, grants: own }) =>
      fieldPermissions.flatMap((name) =>
        lines('field', fieldPermissionName(name), own[name], { REF: fieldKey(id) }),
      ),
    ),
  ]);
}

/** The structure of a tracker, without its artifacts. The element `artifacts` follows its last child. */
export async function trackerElement(
  tracker: Tracker,
  references: AccountReferences,
  reports: readonly Report[] = [],
): Promise<XmlElement> {
  const { name, itemName, description, color, kept } = tracker;
  return element('tracker', attributesOf(tracker), [
    element('name', {}, name),
    element('item_name', {}, itemName),
    element('description', {}, description),
    element('color', {}, color),
    ...optional('submit_instructions', kept.submitInstructions),
    ...optional('browse_instructions', kept.browseInstructions),
    cannedResponses(kept),
    ...(await formElements(tracker, null, references)),
    ...semanticElements(tracker),
    ruleElements(tracker),
    ...reportElements(reports, tracker),
    ...workflowElement(tracker),
    ...(kept.webhooks ?? []).map((url) => element('webhooks', {}, [element('webhook', { url })])),
    permissions(tracker),
  ]);
}
