import type {
  FieldPermissions,
  FormElement,
  MinimalTracker,
  TrackerOverview as PresentedOverview,
  ProjectReference as PresentedProject,
  Tracker as PresentedTracker,
  StructureElement,
  TrackerPermissions,
  TrackerReference,
  TrackerSettings,
} from '@atelier/contract';
import type { TrackerOverview } from '../artifacts/index.ts';
import { formatInstant } from '../kernel/clock.ts';
import {
  bindOf,
  type Description,
  type Field,
  type ProjectReference,
  shownProperties,
  type Tracker,
  type TrackerView,
} from '../trackers/index.ts';
import { presentSemantics } from './semantics.ts';
import type { GroupPresenter } from './user-groups.ts';
import { type ArtifactForm, presentWorkflow } from './workflow.ts';

const presentProject = ({ id, label, icon }: ProjectReference): PresentedProject => ({
  id,
  uri: `projects/${id}`,
  label,
  icon,
});

/** The form in which other things name a tracker. */
function presentTrackerReference({ id, name, color, project }: Tracker): TrackerReference {
  return { id, uri: `trackers/${id}`, label: name, color, project: presentProject(project) };
}

/** `reasons` against creating an artifact are null where nobody asks for them. */
export function presentMinimalTracker(
  { id, name, color, project }: Tracker,
  reasons: readonly string[] | null = null,
): MinimalTracker {
  return {
    id,
    uri: `trackers/${id}`,
    label: name,
    color_name: color,
    project: presentProject(project),
    cannot_create_reasons: reasons && [...reasons],
  };
}

/** How much is in trackers. `views`: how the viewer sees them; a parent that is not among them is not told. */
export function presentOverviews(
  overviews: readonly TrackerOverview[],
  views: ReadonlyMap<number, TrackerView>,
): PresentedOverview[] {
  return overviews.flatMap((overview) => {
    const view = views.get(overview.trackerId);
    if (view === undefined) return [];
    const { id, name, itemName, description, color, parentId } = view.tracker;
    return {
      id,
      uri: `trackers/${id}`,
      label: name,
      item_name: itemName,
      description,
      color_name: color,
      parent_id: parentId !== null && views.has(parentId) ? parentId : null,
      open_count: overview.openCount,
      total_count: overview.totalCount,
      last_update_date: overview.lastUpdate === null ? null : formatInstant(overview.lastUpdate),
      may_submit: overview.maySubmit,
      is_administrator: view.isAdmin,
      default_report_id: overview.defaultReportId,
    };
  });
}

/** What can be set on a tracker beside its form. */
export function presentTrackerSettings(tracker: Tracker): TrackerSettings {
  const { id, uri, label, color_name, project } = presentMinimalTracker(tracker);
  return {
    id,
    uri,
    project,
    label,
    item_name: tracker.itemName,
    description: tracker.description,
    color_name,
    notification_level: tracker.notificationLevel,
    parent_id: tracker.parentId,
    has_private_comments: tracker.hasPrivateComments,
  };
}

const groupsIn = (ids: readonly number[], group: GroupPresenter) => ids.flatMap((id) => group(id) ?? []);

export function presentTrackerPermissions({ grants }: Tracker, group: GroupPresenter): TrackerPermissions {
  return {
    can_access: groupsIn(grants.full, group),
    can_access_submitted_by_user: groupsIn(grants.submitter_only, group),
    can_access_assigned_to_group: groupsIn(grants.assignee, group),
    can_access_submitted_by_group: groupsIn(grants.submitter, group),
    can_admin: groupsIn(grants.admin, group),
  };
}

export function presentFieldPermissions({ grants }: Field, group: GroupPresenter): FieldPermissions {
  return {
    can_submit: groupsIn(grants.submit, group),
    can_read: groupsIn(grants.read, group),
    can_update: groupsIn(grants.update, group),
  };
}

function bindingsOf(field: Field, tracker: Tracker): FormElement['bindings'] {
  const { type, bind } = field;
  if (type.bindings !== undefined) return { type: type.bindings.type, list: [...type.bindings.list] };
  if (bind === null) return { type: null, list: [] };
  return { type: bind.kind, list: [...bindOf(field).sources(field, tracker)] };
}

function permissionsOn(field: Field, view: TrackerView, isFrozen: boolean): FormElement['permissions'] {
  return [
    ...(view.canRead(field) ? ['read' as const] : []),
    ...(view.canUpdate(field) && !isFrozen ? ['update' as const] : []),
    ...(view.canSubmitField(field) ? ['create' as const] : []),
  ];
}

function permissionsForGroups(
  field: Field,
  { isAdmin }: TrackerView,
  group: GroupPresenter,
  isFrozen: boolean,
) {
  if (!isAdmin || field.type.kind !== 'field') return null;
  const permissions = presentFieldPermissions(field, group);
  return isFrozen ? { ...permissions, can_update: [] } : permissions;
}

/** Empty settings are an array, as existing clients know them. */
function propertiesOf({ type, properties }: Field): FormElement['specific_properties'] {
  const shown = shownProperties(type, properties);
  return Object.keys(shown).length === 0 ? [] : { ...shown };
}

/** How a form looks to one viewer, beside what it is. */
export interface FormLook {
  readonly collapsed: ReadonlySet<number>;
  readonly group: GroupPresenter;
}

/** One element of a form. `described`: what its type tells of it. */
export function presentElement(
  field: Field,
  view: TrackerView,
  { values = null, default_value = null, extra }: Description,
  look: FormLook,
  artifact?: ArtifactForm,
): FormElement {
  const { id, type } = field;
  const isFrozen = artifact?.frozen.has(id) ?? false;
  return {
    field_id: id,
    label: field.label,
    name: field.name,
    type: type.code,
    values,
    required: field.isRequired,
    collapsed: look.collapsed.has(id),
    bindings: bindingsOf(field, view.tracker),
    permissions: permissionsOn(field, view, isFrozen),
    permissions_for_groups: permissionsForGroups(field, view, look.group, isFrozen),
    default_value,
    has_notifications: field.hasNotifications,
    is_used: field.isUsed,
    description: field.description,
    specific_properties: propertiesOf(field),
    label_decorators: [],
    ...extra,
    ...(artifact !== undefined && type.isCollapsible ? { is_hidden: artifact.hidden.has(id) } : {}),
  };
}

/** The tree of the used elements. Elements whose container is gone stand at the root. */
function structureOf({ elements }: Tracker): StructureElement[] {
  const used = elements.filter(({ isUsed }) => isUsed);
  const ids = new Set(used.map(({ id }) => id));
  const placeOf = ({ parentId }: Field) => (parentId !== null && ids.has(parentId) ? parentId : null);
  const below = (parent: number | null): StructureElement[] =>
    used
      .filter((element) => placeOf(element) === parent)
      .map(({ id, type }) => ({ id, content: type.kind === 'container' ? below(id) : null }));
  return below(null);
}

/**
 * What an answer about a tracker is made from, but for what changes with every minute and says nothing: the moment that stands
 * as the default of fields which the platform fills.
 */
export function fingerprintOf(presented: PresentedTracker, { tracker }: TrackerView): string {
  const isFilled = (id: number) => tracker.elementById.get(id)?.type.isSubmittable === false;
  const fields = presented.fields.map((field) =>
    isFilled(field.field_id) ? { ...field, default_value: null } : field,
  );
  return JSON.stringify({ ...presented, fields });
}

/** Disabled. */
const noNotifications = 1;

/** What is shown with a form and is not part of the tracker itself. */
export interface TrackerRelated {
  readonly fields: FormElement[];
  readonly group: GroupPresenter;
  /** The trackers above it and where its timeframe comes from, as far as the viewer sees them. */
  readonly parent: Tracker | undefined;
  readonly timeframeSource: Tracker | undefined;
  readonly takesChanges: boolean;
}

/** The whole structure of a tracker as the viewer sees it. */
export function presentTracker(
  view: TrackerView,
  { fields, group, parent, timeframeSource, takesChanges }: TrackerRelated,
): PresentedTracker {
  const { tracker } = view;
  const uri = `trackers/${tracker.id}`;
  return {
    id: tracker.id,
    uri,
    html_url: `/plugins/tracker/?tracker=${tracker.id}`,
    project: presentProject(tracker.project),
    label: tracker.name,
    description: tracker.description,
    item_name: tracker.itemName,
    fields,
    structure: structureOf(tracker),
    semantics: presentSemantics(view, (id) => id === timeframeSource?.id),
    workflow: presentWorkflow(view),
    permissions_for_groups: view.isAdmin ? presentTrackerPermissions(tracker, group) : null,
    parent: parent === undefined ? null : presentTrackerReference(parent),
    resources: [
      { type: 'reports', uri: `${uri}/tracker_reports` },
      { type: 'artifacts', uri: `${uri}/artifacts` },
    ],
    color_name: tracker.color,
    notifications: { enabled: tracker.notificationLevel !== noNotifications },
    may_submit: view.canSubmit && takesChanges,
    is_administrator: view.isAdmin,
    has_private_comments: tracker.hasPrivateComments,
  };
}
