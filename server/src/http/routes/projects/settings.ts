import * as contract from '@atelier/contract';
import { presentSettings } from '../../../present/index.ts';
import { type ProjectSettingsChanges, readProjectSettings } from '../../../projects/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

function changesOf(
  id: number,
  body: contract.BodyOf<typeof contract.patchProjectSettings>,
): ProjectSettingsChanges {
  const { is_template, has_synchronised_membership, membership_delegation, fields, ...others } = body;
  const { has_truncated_mails: hasTruncatedMails, ...named } = others;
  return {
    id,
    ...named,
    ...(is_template === undefined ? {} : { isTemplate: is_template }),
    ...(has_synchronised_membership === undefined
      ? {}
      : { hasSynchronisedMembership: has_synchronised_membership }),
    ...(hasTruncatedMails === undefined ? {} : { hasTruncatedMails }),
    ...(membership_delegation === undefined ? {} : { membershipDelegation: membership_delegation }),
    ...(fields === undefined
      ? {}
      : { fields: fields.map(({ field_id, value }) => ({ fieldId: field_id, value })) }),
  };
}

export function projectSettingsBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.getProjectSettings, async ({ viewer, params }) => ({
      body: presentSettings(await readProjectSettings(database, viewer, params.id)),
    })),
    bind(contract.patchProjectSettings, async ({ viewer, params, body }) => ({
      body: presentSettings(await operations.changeProjectSettings(viewer, changesOf(params.id, body))),
    })),
  ];
}
