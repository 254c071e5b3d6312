import * as contract from '@atelier/contract';
import {
  isSiteAdministrator,
  listPreferences,
  permissionNames,
  readAccount,
  requireSelf,
} from '../../../identity/index.ts';
import { delegation, isAnonymous, type Viewer } from '../../../kernel/viewer.ts';
import { countUnread } from '../../../notify/index.ts';
import { presentMinimalProject, presentUser } from '../../../present/index.ts';
import { delegatedMemberships, listProjects, mayCreateProjects } from '../../../projects/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { userIdOf } from './users.ts';

const mostMemberships = 1000;
/** Characters of an announcement that is told with its project: a page that learns of it later moves down. */
const longestBanner = 500;
/** Characters of all preferences together. */
const mostPreferences = 1024 * 1024;

/** Those of the web pages, and those that change what the API answers. */
const isToldPreference = (name: string) =>
  /^web\.|^fieldset_\d+$/.test(name) ||
  ['username_display', 'user_edition_default_format', 'sidebar_state'].includes(name);

async function preferencesOf({ database }: Services, viewer: Viewer): Promise<Record<string, string>> {
  const all = await listPreferences(database, viewer, { accountId: viewer.userId });
  let length = 0;
  const told = all.filter(({ name, value }) => {
    if (!isToldPreference(name)) return false;
    length += name.length + value.length;
    return length <= mostPreferences;
  });
  return Object.fromEntries(told.map(({ name, value }) => [name, value]));
}

async function membershipsOf(
  { database }: Services,
  viewer: Viewer,
): Promise<contract.Standing['memberships']> {
  const listing = { criterion: { kind: 'member' }, limit: mostMemberships, offset: 0 } as const;
  const { items } = await listProjects(database, viewer, listing, []);
  const delegated = await delegatedMemberships(database, viewer.userId);
  return items.map((project) => {
    const { id, membership, banner } = project;
    const isAdministrator = membership === 'administrator';
    return {
      project: presentMinimalProject(project),
      is_administrator: isAdministrator,
      may_manage_members: isAdministrator || delegated.has(id),
      ...(banner !== null && banner.length <= longestBanner ? { banner } : {}),
    };
  });
}

const clientLimit = ({ config }: Services) => ({
  upload_bytes: config.maxFileSize,
  body_bytes: config.bodyLimit,
});

const standingOfNobody = (services: Services): contract.Standing => ({
  user: null,
  is_site_administrator: false,
  is_read_only_administrator: false,
  permissions: [],
  may_create_projects: false,
  must_change_password: false,
  memberships: [],
  preferences: {},
  unread_notifications: 0,
  client_limit: clientLimit(services),
});

/** A read-only administrator reads as a site administrator, and is told apart here. */
async function standingOf(services: Services, caller: Viewer): Promise<contract.Standing> {
  const { database, authenticator, publicUrl, trackers } = services;
  const viewer = { ...caller, isSiteAdmin: await isSiteAdministrator(database, caller.userId) };
  const permissions = viewer.delegations.toSorted((left, right) => left - right);
  return {
    user: presentUser(publicUrl, viewer, await readAccount(database, viewer.userId)),
    is_site_administrator: viewer.isSiteAdmin,
    is_read_only_administrator: permissions.includes(delegation.readOnlyAdministration),
    permissions: permissions.map((id) => ({ id, name: permissionNames.get(id) ?? '' })),
    may_create_projects: mayCreateProjects(viewer, await authenticator.settings()),
    must_change_password: await authenticator.mustChangePassword(viewer),
    memberships: await membershipsOf(services, viewer),
    preferences: await preferencesOf(services, viewer),
    unread_notifications: await countUnread(database, viewer, trackers),
    client_limit: clientLimit(services),
  };
}

export function standingBindings(services: Services): RouteBinding[] {
  return [
    bind(contract.getStanding, async ({ viewer, params }) => {
      const id = userIdOf(viewer, params.id);
      const version = { tag: `standing_${id}` };
      if (isAnonymous(viewer) && id === 0) return { body: standingOfNobody(services), version };
      requireSelf(viewer, id);
      return { body: await standingOf(services, viewer), version };
    }),
  ];
}
