import { createHmac } from 'node:crypto';
import * as contract from '@atelier/contract';
import { listShippedTemplates } from '../../../archive/index.ts';
import {
  describeSettings,
  listPlatformGroups,
  listSystemEvents,
  type PlatformGroup,
  permissionNames,
  type SystemEvent,
} from '../../../identity/index.ts';
import { version } from '../../../kernel/version.ts';
import { isAnonymous, type Viewer } from '../../../kernel/viewer.ts';
import { membershipWords, readMemberships } from '../../../projects/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const productName = 'Atelier';

function presentGroup(group: PlatformGroup): contract.PlatformGroup {
  return {
    id: group.id,
    uri: `platform/groups/${group.id}`,
    name: group.name,
    permissions: group.permissions.map((id) => ({ id, name: permissionNames.get(id) ?? '' })),
    users: group.members.map(({ id, name }) => ({ id, uri: `users/${id}`, username: name })),
  };
}

function presentEvent(event: SystemEvent): contract.SystemEvent {
  return { ...event, status: event.status as contract.SystemEvent['status'] };
}

/** Languages of the web pages. */
const languages = ['en', 'fr'];
const monday = 1;

async function presentAbout({
  authenticator,
  config,
  web,
  svnDeps,
}: Services): Promise<contract.PlatformAbout> {
  const { access_mode, password_min_length } = await authenticator.settings();
  return {
    name: productName,
    version,
    access_mode,
    has_mail: config.mail !== undefined,
    has_subversion: await svnDeps.parts.areThere(),
    has_demo: config.hasDemo,
    password_min_length,
    languages,
    time_zone: Temporal.Now.timeZoneId(),
    first_day_of_week: monday,
    build: web.digest ?? '',
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: object, secret: string): string {
  const text = `${part({ typ: 'JWT', alg: 'HS512' })}.${part(claims)}`;
  return `${text}.${createHmac('sha512', secret).update(text).digest('base64url')}`;
}

const jwtLifetime = 30 * 60;

/** The viewer's own groups, as words. */
async function ownWords({ database }: Services, viewer: Viewer): Promise<string[]> {
  if (isAnonymous(viewer)) return [];
  return membershipWords(await readMemberships(database, viewer, viewer.userId), { withSite: true });
}

function discoveryBindings(services: Services): RouteBinding[] {
  return [
    bind(contract.getVersion, async () => ({ body: { flavor_name: productName, version_number: version } })),
    bind(contract.getAbout, async () => ({ body: await presentAbout(services) })),
    bind(contract.listTemplates, async () => {
      const templates = await listShippedTemplates();
      const body = templates.map(({ trackers, ...template }) => ({
        ...template,
        trackers: trackers.map(({ label, itemName, color }) => ({
          label,
          item_name: itemName,
          color_name: color,
        })),
      }));
      return { body };
    }),
    bind(contract.getJwt, async ({ viewer }) => {
      const rights = (await ownWords(services, viewer)).map((word) => `@${word}`);
      const data = { user_id: viewer.userId, user_rights: rights };
      const claims = { exp: Math.floor(Date.now() / 1000) + jwtLifetime, data };
      return { body: { token: signed(claims, services.jwtSecret) } };
    }),
  ];
}

function settingBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.listSettings, async ({ viewer }) => ({ body: await describeSettings(database, viewer) })),
    bind(contract.patchSettings, async ({ viewer, body }) => {
      await operations.changeSettings(viewer, body);
      return {};
    }),
  ];
}

function groupBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.listPlatformGroups, async ({ viewer, query }) =>
      pageOf(query, await listPlatformGroups(database, viewer, query), presentGroup),
    ),
    bind(contract.createPlatformGroup, async ({ viewer, body }) => ({
      body: presentGroup(await operations.createPlatformGroup(viewer, body)),
    })),
    bind(contract.putPlatformGroup, async ({ viewer, params, body }) => {
      const { name, user_ids: members, permissions } = body;
      return {
        body: presentGroup(
          await operations.changePlatformGroup(viewer, { id: params.id, name, members, permissions }),
        ),
      };
    }),
    bind(contract.deletePlatformGroup, async ({ viewer, params }) => {
      await operations.deletePlatformGroup(viewer, params);
      return {};
    }),
  ];
}

export function platformBindings(services: Services): RouteBinding[] {
  return [
    ...discoveryBindings(services),
    bind(contract.listSystemEvents, async ({ viewer, query }) =>
      pageOf(
        query,
        await listSystemEvents(services.database, viewer, { ...query, status: query.status }),
        presentEvent,
      ),
    ),
    ...settingBindings(services),
    ...groupBindings(services),
  ];
}
