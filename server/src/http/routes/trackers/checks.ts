import * as contract from '@atelier/contract';
import { readArtifact } from '../../../artifacts/index.ts';
import { viewerFor } from '../../../identity/index.ts';
import { invalid, invalidMember, Refusal } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentFieldPermissions } from '../../../present/index.ts';
import { groupIds, type ProjectAccess } from '../../../projects/index.ts';
import {
  chosenValueObstacle,
  countReportsByField,
  type Field,
  type FieldPermission,
  maySeeTrackersOf,
  requireGroups,
  requireTrackerAdministrator,
  stateOf,
  type Tracker,
  type TrackerView,
  usesOf,
  viewOf,
} from '../../../trackers/index.ts';
import { groupPresenter } from '../../forms/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { fieldWithId, viewAfter } from './forms.ts';

async function administered({ database, trackers }: Services, viewer: Viewer, id: number) {
  const view = await trackers.require(database, viewer, id, await database.revisions());
  requireTrackerAdministrator(view);
  return view;
}

async function fieldUses(
  { database, searches }: Services,
  viewer: Viewer,
  tracker: Tracker,
): Promise<contract.FieldUse[]> {
  const counts = await searches.countFieldValues(viewer, { trackerId: tracker.id });
  const reports = await countReportsByField(database, tracker);
  const having = new Map(counts.fields);
  return tracker.elements.map((field) => {
    const uses = usesOf(tracker, field);
    const chosen = new Map(
      counts.values.flatMap(([id, value, count]) => (id === field.id ? [[value, count]] : [])),
    );
    const values = field.bind?.kind === 'users' ? [] : (field.bind?.values ?? []).filter(({ id }) => id > 0);
    return {
      field_id: field.id,
      artifact_count: having.get(field.id) ?? 0,
      semantics: [...uses.semantics],
      workflow: [...uses.workflow],
      rules: [...uses.rules],
      triggers: [...uses.triggers],
      reports: reports.get(field.id) ?? 0,
      obstacle: uses.obstacle ?? null,
      values: values.map(({ id, label }) => {
        const count = chosen.get(id) ?? 0;
        const obstacle = uses.valueObstacles.get(id) ?? (count > 0 ? chosenValueObstacle(label) : null);
        return { id, artifact_count: count, obstacle };
      }),
    };
  });
}

type CheckBody = contract.BodyOf<typeof contract.checkPermissions>;

/** Somebody whose rights are asked for. */
interface Subject {
  readonly access: ProjectAccess;
  /** Absent where it is whoever is in certain groups. */
  readonly viewer?: Viewer;
}

/** All groups that somebody is in who is in these. */
function groupsWith(named: readonly number[]): number[] {
  const has = (id: number) => named.includes(id);
  if (named.every((id) => id === groupIds.everybody)) return [groupIds.everybody];
  const isMember = has(groupIds.projectMembers) || has(groupIds.projectAdmins);
  const isRegistered =
    isMember || named.some((id) => id !== groupIds.authenticated && id !== groupIds.everybody);
  return [
    ...new Set([
      groupIds.everybody,
      groupIds.authenticated,
      ...(isRegistered ? [groupIds.registered] : []),
      ...(isMember ? [groupIds.projectMembers] : []),
      ...named,
    ]),
  ];
}

async function subjectOf(
  services: Services,
  asker: Viewer,
  view: TrackerView,
  body: CheckBody,
): Promise<Subject> {
  const { database, trackers } = services;
  const { tracker } = view;
  const revisions = await database.revisions();
  const { user_id: userId, group_ids: named } = body;
  if ((userId === undefined) === (named === undefined))
    throw invalid('Give either `user_id` or `group_ids`.');
  if (userId !== undefined) {
    const viewer = await viewerFor(database, userId);
    if (viewer === undefined) throw invalidMember('user_id', 'There is no such account that can be used.');
    return { viewer, access: await trackers.projectAccess(database, viewer, tracker.project.id, revisions) };
  }
  const own = await trackers.projectAccess(database, asker, tracker.project.id, revisions);
  const groups = groupsWith(requireGroups(tracker, 'group_ids', named ?? []));
  const access: ProjectAccess = {
    project: own.project,
    groups,
    isAdmin: groups.includes(groupIds.projectAdmins),
    administersTrackers: false,
    isSiteAdmin: false,
    isAnonymous: !groups.includes(groupIds.authenticated),
  };
  return { access };
}

/** Whether the subject sees the artifact; what its state freezes for everybody. */
async function artifactFacts(
  { database, trackers }: Services,
  asker: Viewer,
  { viewer }: Subject,
  { tracker, id }: { tracker: Tracker; id: number },
): Promise<{ readonly isSeen: boolean; readonly frozen: ReadonlySet<number> }> {
  const { artifact } = await readArtifact(database, asker, trackers, id);
  if (artifact.view.tracker.id !== tracker.id)
    throw invalidMember('artifact_id', 'The artifact is not of this tracker.');
  if (viewer === undefined)
    throw invalidMember('artifact_id', 'Who sees an artifact depends on who it is: give `user_id`.');
  const { frozen } = stateOf(tracker, artifact.document);
  try {
    await readArtifact(database, viewer, trackers, id);
    return { isSeen: true, frozen };
  } catch (error) {
    if (error instanceof Refusal) return { isSeen: false, frozen };
    throw error;
  }
}

const permissions: readonly FieldPermission[] = ['read', 'submit', 'update'];

/** Groups through which somebody holds anything on a field. */
const heldThrough = ({ grants }: Field, groups: readonly number[]) =>
  groups.filter((id) => permissions.some((permission) => grants[permission].includes(id)));

async function check(
  services: Services,
  asker: Viewer,
  trackerId: number,
  body: CheckBody,
): Promise<contract.PermissionCheck> {
  const { tracker, ...rest } = await administered(services, asker, trackerId);
  const subject = await subjectOf(services, asker, { tracker, ...rest }, body);
  const { access, viewer } = subject;
  const view = viewOf(tracker, access);
  const { artifact_id: id } = body;
  const artifact =
    id === undefined ? undefined : await artifactFacts(services, asker, subject, { tracker, id });
  // Members of a group are let into a project that its group belongs to.
  const isLetIn = viewer === undefined || maySeeTrackersOf(viewer, access);
  const maySee = isLetIn && view.canView;
  const present = await groupPresenter(services, tracker);
  const named = (ids: readonly number[]) =>
    ids.flatMap((group) => {
      const shown = present(group);
      return shown === undefined ? [] : [{ id: shown.id, label: shown.label }];
    });
  const fields = tracker.elements.filter(({ type, isUsed }) => isUsed && type.kind === 'field');
  const sees = maySee && artifact?.isSeen !== false;
  return {
    may_view: sees,
    may_submit: maySee && view.canSubmit,
    is_administrator: maySee && view.isAdmin,
    groups: named(access.groups),
    fields: fields.map((field) => ({
      field_id: field.id,
      read: sees && view.canRead(field),
      submit: maySee && view.canSubmit && view.canSubmitField(field),
      update: sees && !access.isAnonymous && view.canUpdate(field) && artifact?.frozen.has(field.id) !== true,
      because: {
        groups: named(heldThrough(field, access.groups)),
        is_site_administrator: access.isSiteAdmin,
        is_frozen: artifact?.frozen.has(field.id) ?? false,
      },
    })),
  };
}

export function trackerCheckBindings(services: Services): RouteBinding[] {
  const { operations } = services;
  return [
    bind(contract.listFieldUses, async ({ viewer, params }) => {
      const { tracker } = await administered(services, viewer, params.id);
      return { body: await fieldUses(services, viewer, tracker) };
    }),
    bind(contract.checkPermissions, async ({ viewer, params, body }) => ({
      body: await check(services, viewer, params.id, body),
    })),
    bind(contract.putAllFieldPermissions, async ({ viewer, params, body }) => {
      const fields = Object.fromEntries(
        Object.entries(body.fields).map(([id, lists]) => [
          id,
          { read: lists.can_read, submit: lists.can_submit, update: lists.can_update },
        ]),
      );
      await operations.setAllFieldPermissions(viewer, { id: params.id, fields });
      const view = await viewAfter(services, viewer, params.id);
      const group = await groupPresenter(services, view.tracker);
      const shown = Object.keys(body.fields).map(
        (id) => [id, presentFieldPermissions(fieldWithId(view, Number(id)), group)] as const,
      );
      return { body: { fields: Object.fromEntries(shown) } };
    }),
  ];
}
