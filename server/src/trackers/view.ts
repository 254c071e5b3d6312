import type { ProjectAccess } from '../projects/index.ts';
import type { Need } from './field-type.ts';
import type { Field, FieldPermission, StatusSemantic, Tracker, TrackerPermission } from './model.ts';

/** Which artifacts of a tracker somebody sees, by the grants that their groups hold. */
export interface ArtifactAccess {
  /** Administrators see everything, whatever the permissions of an artifact. */
  readonly all: boolean;
  readonly full: boolean;
  /** Artifacts that somebody of the same group submitted. */
  readonly submitterGroups: readonly number[];
  /** Artifacts that are assigned to somebody of the same group. */
  readonly assigneeGroups: readonly number[];
  readonly own: boolean;
}

/** A tracker as the members of certain groups see it. */
export interface TrackerView {
  readonly tracker: Tracker;
  readonly groups: readonly number[];
  readonly isAdmin: boolean;
  /** Whether the viewer is in one of the groups; site administrators count as members of each. */
  isIn(groups: readonly number[]): boolean;
  /** Granted by the tracker; whether the project lets the viewer in is asked apart. */
  readonly canView: boolean;
  readonly canSubmit: boolean;
  readonly access: ArtifactAccess;
  /** Used elements that the viewer may read, in the order of the form. */
  readonly readable: readonly Field[];
  /** The fields among them that can have values. */
  readonly shown: readonly Field[];
  /** What showing them takes beside the stored values. */
  readonly needs: ReadonlySet<Need>;
  /** Which values are open, where the viewer may read the status: to others all artifacts are, as in a tracker without one. */
  readonly status: StatusSemantic | undefined;
  canRead(field: Field): boolean;
  canUpdate(field: Field): boolean;
  canSubmitField(field: Field): boolean;
  /** Whether the viewer may know that there is such a field, since they may read or write it. */
  knows(field: Field): boolean;
  /** What messages to the viewer call a field. */
  nameOf(field: Field): string;
}

const meets = (left: readonly number[], right: readonly number[]) => left.some((id) => right.includes(id));

function isGranted(field: Field, permission: FieldPermission, { isSiteAdmin, groups }: ProjectAccess) {
  return isSiteAdmin || meets(field.grants[permission], groups);
}

function mayRead(field: Field, projectAccess: ProjectAccess): boolean {
  if (field.type.kind !== 'field') return true;
  return isGranted(field, 'read', projectAccess) || isGranted(field, 'update', projectAccess);
}

function accessOf({ grants }: Tracker, isAdmin: boolean, groups: readonly number[]): ArtifactAccess {
  const held = (permission: TrackerPermission) => grants[permission].filter((id) => groups.includes(id));
  return {
    all: isAdmin,
    full: held('full').length > 0,
    submitterGroups: held('submitter'),
    assigneeGroups: held('assignee'),
    own: held('submitter_only').length > 0,
  };
}

const grantsSomething = ({ all, full, submitterGroups, assigneeGroups, own }: ArtifactAccess) =>
  all || full || own || submitterGroups.length > 0 || assigneeGroups.length > 0;

function makeView(tracker: Tracker, projectAccess: ProjectAccess): TrackerView {
  const { groups } = projectAccess;
  const { status } = tracker.semantics;
  const isAdmin =
    projectAccess.isAdmin || projectAccess.administersTrackers || meets(tracker.grants.admin, groups);
  const access = accessOf(tracker, isAdmin, groups);
  const canView = !tracker.isDeleted && grantsSomething(access);
  const used = tracker.elements.filter(({ isUsed }) => isUsed);
  const readable = used.filter((field) => mayRead(field, projectAccess));
  const readableIds = new Set(readable.map(({ id }) => id));
  const canUpdate = (field: Field) => field.type.isUpdatable && isGranted(field, 'update', projectAccess);
  const canSubmitField = (field: Field) =>
    field.type.isSubmittable && isGranted(field, 'submit', projectAccess);
  const knows = (field: Field) => readableIds.has(field.id) || canSubmitField(field);
  const shown = readable.filter(({ type }) => type.value !== undefined);
  return {
    tracker,
    groups,
    isAdmin,
    isIn: (wanted) => projectAccess.isSiteAdmin || meets(wanted, groups),
    canView,
    canSubmit: !projectAccess.isAnonymous && canView && used.some(canSubmitField),
    access,
    readable,
    shown,
    needs: new Set(shown.flatMap(({ type }) => type.value?.needs ?? [])),
    status: status && readableIds.has(status.fieldId) ? status : undefined,
    canRead: ({ id }) => readableIds.has(id),
    canUpdate,
    canSubmitField,
    knows,
    nameOf: (field) => (knows(field) ? field.label : `#${field.id}`),
  };
}

interface Views {
  /** For whoever was here before. */
  readonly byProjectAccess: WeakMap<ProjectAccess, TrackerView>;
  /** All viewers with the same rights share one. */
  readonly byRights: Map<string, TrackerView>;
}

const views = new WeakMap<Tracker, Views>();
/** Sets of rights that a tracker remembers the view of. */
const mostViews = 200;

function viewsOf(tracker: Tracker): Views {
  const known = views.get(tracker) ?? { byProjectAccess: new WeakMap(), byRights: new Map() };
  views.set(tracker, known);
  return known;
}

/** What somebody with this access to the project may see and do. Views are kept with the tracker. */
export function viewOf(tracker: Tracker, projectAccess: ProjectAccess): TrackerView {
  const { byProjectAccess, byRights } = viewsOf(tracker);
  const known = byProjectAccess.get(projectAccess);
  if (known !== undefined) return known;
  const key = rightsOf(projectAccess);
  const view = byRights.get(key) ?? makeView(tracker, projectAccess);
  if (byRights.size > mostViews) byRights.clear();
  byRights.set(key, view);
  byProjectAccess.set(projectAccess, view);
  return view;
}

function rightsOf({ isSiteAdmin, isAdmin, administersTrackers, isAnonymous, groups }: ProjectAccess): string {
  return `${isSiteAdmin} ${isAdmin} ${administersTrackers} ${isAnonymous} ${groups.join(' ')}`;
}
