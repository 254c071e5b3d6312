import * as contract from '@atelier/contract';
import { presentService } from '../../../present/index.ts';
import { listServices, readService } from '../../../projects/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

export function projectServiceBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.listProjectServices, async ({ viewer, params, query }) => {
      const services = await listServices(database, viewer, { projectId: params.id, ...query });
      return pageOf(query, services, presentService);
    }),
    bind(contract.getProjectService, async ({ viewer, params }) => ({
      body: presentService(await readService(database, viewer, params)),
    })),
    bind(contract.putProjectService, async ({ viewer, params, body }) => {
      await operations.switchService(viewer, { id: params.id, isEnabled: body.is_enabled });
      return {};
    }),
    bind(contract.createProjectService, async ({ viewer, params, body }) => {
      const service = await operations.createService(viewer, {
        projectId: params.id,
        label: body.label,
        url: body.service_url,
        description: body.description ?? '',
        icon: body.icon ?? '',
        isEnabled: body.is_enabled ?? true,
        opensInNewTab: body.open_in_new_tab ?? false,
        rank: body.rank,
      });
      return { body: presentService(service) };
    }),
    bind(contract.patchProjectService, async ({ viewer, params, body }) => {
      const { service_url: url, is_enabled: isEnabled, open_in_new_tab: opensInNewTab, ...named } = body;
      const changes = { id: params.id, ...named, url, isEnabled, opensInNewTab };
      return { body: presentService(await operations.changeService(viewer, changes)) };
    }),
    bind(contract.putProjectServicesOrder, async ({ viewer, params, body }) => {
      await operations.orderServices(viewer, { projectId: params.id, ids: body.ids });
      return {};
    }),
    bind(contract.deleteProjectService, async ({ viewer, params }) => {
      await operations.deleteService(viewer, params);
      return {};
    }),
  ];
}
