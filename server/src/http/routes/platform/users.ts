import * as contract from '@atelier/contract';
import type { PlatformUser } from '../../../identity/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentUser } from '../../../present/index.ts';
import { countMemberships } from '../../../projects/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const presentPlatformUser = (
  publicUrl: string,
  viewer: Viewer,
  { account, createdAt, lastAccessAt, ...user }: PlatformUser,
  projectCount: number,
): contract.PlatformUser => ({
  ...presentUser(publicUrl, viewer, account),
  created_on: formatInstant(createdAt),
  last_access_on: lastAccessAt === null ? null : formatInstant(lastAccessAt),
  is_site_administrator: user.isSiteAdmin,
  has_password: user.hasPassword,
  access_key_count: user.keyCount,
  session_count: user.sessionCount,
  project_count: projectCount,
});

export function platformUserBindings({
  database,
  searches,
  operations,
  publicUrl,
}: Services): RouteBinding[] {
  return [
    bind(contract.listPlatformUsers, async ({ viewer, query }) => {
      const { words = '', status, order = 'name', limit, offset } = query;
      const found = await searches.listPlatformUsers(viewer, { words, status, order, limit, offset });
      const projects = await countMemberships(
        database,
        found.items.map(({ account }) => account.id),
      );
      return pageOf(query, found, (user) =>
        presentPlatformUser(publicUrl, viewer, user, projects.get(user.account.id) ?? 0),
      );
    }),
    bind(contract.endUserSessions, async ({ viewer, params }) => ({
      body: { ended: await operations.endSessionsOf(viewer, { accountId: params.id }) },
    })),
    bind(contract.revokeUserKeys, async ({ viewer, params }) => ({
      body: { ended: await operations.revokeKeysOf(viewer, { accountId: params.id }) },
    })),
  ];
}
