import * as contract from '@atelier/contract';
import { invalid } from '../../../kernel/errors.ts';
import { presentFullUserGroup } from '../../../present/index.ts';
import { type Memberships, membershipWords, readMemberships, restIdOf } from '../../../projects/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { userIdOf } from './users.ts';

type MembershipQuery = contract.QueryOf<typeof contract.getMembership>;

async function presentMemberships(
  { authenticator }: Services,
  memberships: Memberships,
  { scope, format }: MembershipQuery,
): Promise<(string | contract.FullUserGroup)[]> {
  if (scope === undefined) return membershipWords(memberships, { withSite: true });
  if (format === undefined) return membershipWords(memberships, { withSite: false });
  if (format === 'id') return memberships.groups.map(restIdOf);
  const settings = await authenticator.settings();
  return memberships.groups.map((group) => presentFullUserGroup(group, settings));
}

export function membershipBindings(services: Services): RouteBinding[] {
  const { database, searches } = services;
  return [
    bind(contract.getMembership, async ({ viewer, params, query }) => {
      const { scope, format } = query;
      if (format !== undefined && scope === undefined) throw invalid('`format` needs `scope=project`.');
      const memberships = await readMemberships(database, viewer, userIdOf(viewer, params.id));
      return { body: await presentMemberships(services, memberships, { scope, format }) };
    }),
    bind(contract.listMemberships, async ({ viewer, query }) => {
      const { limit, offset } = query;
      const slice = await searches.listMemberships(viewer, { limit, offset });
      return pageOf(query, slice, ({ username, words }) => ({ username, user_groups: [...words] }));
    }),
  ];
}
