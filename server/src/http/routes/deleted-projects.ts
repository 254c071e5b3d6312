import * as contract from '@atelier/contract';
import { findAccount } from '../../identity/index.ts';
import { formatInstant } from '../../kernel/clock.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { presentMinimalUser } from '../../present/index.ts';
import {
  type DeletedProject,
  listDeletedProjects,
  readDeletedProject,
  shortnameKey,
} from '../../projects/index.ts';
import { bind, type RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';

async function present(
  { database, publicUrl }: Services,
  viewer: Viewer,
  { project: { id, label, shortname }, deletedAt, deletedBy, purgeDueAt }: DeletedProject,
): Promise<contract.DeletedProject> {
  const account = deletedBy === 0 ? undefined : await findAccount(database, deletedBy);
  return {
    ...{ id, uri: `deleted_projects/${id}`, label, shortname: shortnameKey(shortname) },
    deleted_on: formatInstant(deletedAt),
    deleted_by: account === undefined ? null : presentMinimalUser(publicUrl, viewer, account),
    purge_due_on: purgeDueAt === null ? null : formatInstant(purgeDueAt),
  };
}

export function deletedProjectBindings(services: Services): RouteBinding[] {
  const { database, operations } = services;
  return [
    bind(contract.deleteProject, async ({ viewer, params }) => {
      await operations.deleteProject(viewer, { id: params.id });
      return {};
    }),
    bind(contract.listDeletedProjects, async ({ viewer, query }) => {
      const { items, size } = await listDeletedProjects(database, viewer, query);
      const body = await Array.fromAsync(items, (item) => present(services, viewer, item));
      return { body, page: { ...query, size } };
    }),
    bind(contract.getDeletedProject, async ({ viewer, params }) => ({
      body: await present(services, viewer, await readDeletedProject(database, viewer, params.id)),
    })),
    bind(contract.restoreProject, async ({ viewer, params: { id } }) => {
      await operations.restoreProject(viewer, { id });
      return { body: { id, uri: `projects/${id}` } };
    }),
    bind(contract.purgeProject, async ({ viewer, params }) => {
      await operations.requestPurge(viewer, { id: params.id });
      return {};
    }),
  ];
}
