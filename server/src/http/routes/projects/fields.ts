import * as contract from '@atelier/contract';
import { presentProjectField } from '../../../present/index.ts';
import { listProjectFields } from '../../../projects/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

export function projectFieldBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.listProjectFields, async ({ viewer, query: { limit, offset } }) => {
      const { items, size } = await listProjectFields(database, viewer, { limit, offset });
      const fields = items.map(presentProjectField);
      // Existing clients know this member as the number of elements in the answer.
      const body = { project_fields_representation: fields, total_size: fields.length };
      return { body, page: { limit, offset, size } };
    }),
    bind(contract.createProjectField, async ({ viewer, body }) => {
      const { name, description = '', type = 'line', rank, is_required: isRequired = false } = body;
      const field = await operations.createProjectField(viewer, {
        name,
        description,
        type,
        rank,
        isRequired,
      });
      return { body: presentProjectField(field) };
    }),
    bind(contract.patchProjectField, async ({ viewer, params, body }) => {
      const { is_required: isRequired, ...named } = body;
      const field = await operations.changeProjectField(viewer, { id: params.id, ...named, isRequired });
      return { body: presentProjectField(field) };
    }),
    bind(contract.deleteProjectField, async ({ viewer, params }) => {
      await operations.deleteProjectField(viewer, params);
      return {};
    }),
  ];
}
