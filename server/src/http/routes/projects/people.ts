import * as contract from '@atelier/contract';
import { presentMinimalUser, presentUserGroup } from '../../../present/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const usualPeople = 20;

export function projectPeopleBindings({ searches, authenticator, publicUrl }: Services): RouteBinding[] {
  return [
    bind(contract.listPeople, async ({ viewer, params, query: { query = '', limit = usualPeople } }) => {
      const people = await searches.listPeople(viewer, { projectId: params.id, query, limit });
      return {
        body: people.map(({ account, isMember }) => ({
          ...presentMinimalUser(publicUrl, viewer, account),
          is_member: isMember,
        })),
      };
    }),
    bind(contract.renderText, async ({ viewer, params, body: { text: content, format = 'commonmark' } }) => {
      const search = { projectId: params.id, content, format };
      const { html, references, mentions } = await searches.renderForProject(viewer, search);
      const people = mentions.map((account) => presentMinimalUser(publicUrl, viewer, account));
      return { body: { html, references: [...references], mentions: people } };
    }),
    bind(contract.listMembers, async ({ viewer, params, query: { query = '', limit, offset } }) => {
      const listing = { projectId: params.id, query, limit, offset };
      const members = await searches.listProjectMembers(viewer, listing);
      const settings = await authenticator.settings();
      return pageOf({ limit, offset }, members, ({ account, isAdministrator, groups }) => ({
        user: presentMinimalUser(publicUrl, viewer, account),
        is_administrator: isAdministrator,
        user_groups: groups.map((group) => presentUserGroup(group, settings)),
      }));
    }),
  ];
}
