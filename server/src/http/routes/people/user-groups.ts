import * as contract from '@atelier/contract';
import { invalid, Refusal } from '../../../kernel/errors.ts';
import { presentFullUserGroup, presentUser, presentUserGroup } from '../../../present/index.ts';
import { listGroupMembers, listUserGroups, requireUserGroup } from '../../../projects/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from '../artifacts/index.ts';

function queryObject(query: string): Readonly<Record<string, unknown>> {
  const criteria = parseQueryObject(query);
  if (criteria === undefined) throw invalid('parameter "query" must be a JSON object');
  return criteria;
}

function withSystemGroups(query: string): boolean {
  if (query === '') return false;
  const { with_system_user_groups: input } = queryObject(query);
  if (typeof input === 'boolean') return input;
  const userMessage =
    'The query must have the member "with_system_user_groups" with the value true or false.';
  throw new Refusal('invalid', '', { userMessage });
}

function identifierOf(query: string): string | undefined {
  if (query === '') return undefined;
  const { identifier } = queryObject(query);
  if (typeof identifier === 'string') return identifier;
  throw invalid('parameter "query": "identifier" must be a text');
}

function groupBindings({ database, operations, authenticator }: Services): RouteBinding[] {
  return [
    bind(contract.listUserGroups, async ({ viewer, params, query }) => {
      const input = { projectId: params.id, withSystemGroups: withSystemGroups(query.query ?? '') };
      const groups = await listUserGroups(database, viewer, input);
      const settings = await authenticator.settings();
      return { body: groups.map((group) => presentUserGroup(group, settings)) };
    }),
    bind(contract.getUserGroup, async ({ viewer, params }) => {
      const group = await requireUserGroup(database, viewer, params.id, 'by-id');
      return { body: presentFullUserGroup(group, await authenticator.settings()) };
    }),
    bind(contract.createUserGroup, async ({ viewer, body }) => {
      const { project_id: projectId, short_name: name, description = '' } = body;
      const group = await operations.createUserGroup(viewer, { projectId, name, description });
      return { body: presentFullUserGroup(group, await authenticator.settings()) };
    }),
    bind(contract.patchUserGroup, async ({ viewer, params, body }) => {
      const { short_name: name, description } = body;
      const group = await operations.changeUserGroup(viewer, { id: params.id, name, description });
      return { body: presentFullUserGroup(group, await authenticator.settings()) };
    }),
    bind(contract.deleteUserGroup, async ({ viewer, params }) => {
      await operations.deleteUserGroup(viewer, params);
      return {};
    }),
  ];
}

function memberBindings({ database, operations, publicUrl }: Services): RouteBinding[] {
  return [
    bind(contract.listGroupUsers, async ({ viewer, params, query }) => {
      const { limit, offset } = query;
      const listing = { id: params.id, identifier: identifierOf(query.query ?? ''), limit, offset };
      const members = await listGroupMembers(database, viewer, listing);
      return pageOf(query, members, (account) => presentUser(publicUrl, viewer, account));
    }),
    bind(contract.putGroupUsers, async ({ viewer, params, body }) => {
      await operations.replaceGroupMembers(viewer, { id: params.id, references: body });
      return {};
    }),
    bind(contract.patchGroupUsers, async ({ viewer, params, body: { add = [], remove = [] } }) => ({
      body: { size: await operations.changeGroupMembers(viewer, { id: params.id, add, remove }) },
    })),
  ];
}

export function userGroupBindings(services: Services): RouteBinding[] {
  return [...groupBindings(services), ...memberBindings(services)];
}
