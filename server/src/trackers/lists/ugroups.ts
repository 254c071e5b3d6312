import { readSettings, type Settings } from '../../identity/index.ts';
import { fold } from '../../kernel/text.ts';
import { attributeOf } from '../../kernel/xml.ts';
import { builtInGroups, formatGroupId, groupIds, groupLabel } from '../../projects/index.ts';
import { wrongValue } from '../field-kit/index.ts';
import type { Field, ListValue } from '../model.ts';
import type { BindRules } from './bind-rules.ts';
import {
  archivedItem,
  archivedValue,
  archivedValues,
  everValue,
  everValueById,
  itemFrom,
  numberedInArchive,
  visibleDefaults,
} from './static.ts';

const valuesOf = ({ bind }: Field) => bind?.values ?? [];

function chosen(field: Field, ids: readonly number[]): (ListValue & { groupId: number })[] {
  return ids.flatMap((id) => {
    const value = everValueById(field, id);
    return value === undefined || value.groupId === null ? [] : { ...value, groupId: value.groupId };
  });
}

/** A request names a group by its own id, or by that of the possible value. */
function valueFor(field: Field, projectId: number, input: unknown): ListValue | undefined {
  const text = typeof input === 'number' || typeof input === 'string' ? String(input).trim() : '';
  const values = valuesOf(field);
  return (
    values.find(({ groupId }) => groupId !== null && formatGroupId(groupId, projectId) === text) ??
    values.find(({ id }) => String(id) === text)
  );
}

/** What answers call a group that every project has. */
const labelOf = ({ groupId }: ListValue) => builtInGroups.get(groupId ?? 0)?.label;

/** What queries call groups that every project has beside the label that answers give them, whatever language somebody reads. */
const otherNames: ReadonlyMap<number, readonly string[]> = new Map([
  [groupIds.everybody, ['Anonymes', 'Utilisateurs anonymes']],
  [groupIds.registered, ['Utilisateurs enregistrés']],
  [groupIds.projectMembers, ['Membres du projet']],
  [groupIds.projectAdmins, ['Administrateurs du projet']],
  [
    groupIds.authenticated,
    ['Authenticated users', 'Utilisateurs authentifiés', 'Utilisateurs enregistrés et restreints'],
  ],
  [
    groupIds.fileManagerAdmins,
    [
      'File manager administrators',
      'Administrateurs du gestionnaire de fichiers',
      'Administrateurs des fichiers',
    ],
  ],
  [groupIds.wikiAdmins, ['Administrateurs du wiki', 'Administrateurs wiki']],
  [groupIds.nobody, ['Personne']],
]);

/** What people call a group that every project has, on a platform that may have renamed it. */
function labelsOn(settings: Settings): (groupId: number) => readonly string[] {
  const input = new Map<number, string>([
    [groupIds.registered, settings.registered_users_label],
    [groupIds.authenticated, settings.authenticated_users_label],
  ]);
  return (groupId) =>
    [
      builtInGroups.get(groupId)?.label ?? '',
      input.get(groupId) ?? '',
      ...(otherNames.get(groupId) ?? []),
    ].filter((label) => label !== '');
}

/** Whether the project made the group itself: those of another project are the same by name only. */
const isOwnGroup = (groupId: number | null) => groupId !== null && !builtInGroups.has(groupId);

/** User groups of the project. */
export const ugroupsBind: BindRules = {
  isFixed: false,
  async accept(field, ids, { tracker }) {
    return ids.map((input) => {
      const value = valueFor(field, tracker.project.id, input);
      if (value === undefined)
        throw wrongValue(field, `${JSON.stringify(input)} is not the id of a user group of this field.`);
      return value.id;
    });
  },
  async named(field, text) {
    return valuesOf(field).find((value) => value.label === text || labelOf(value) === text)?.id;
  },
  async searched(field, texts, { reader }) {
    const sought = new Set(texts.map(fold));
    const labels = labelsOn(await readSettings(reader));
    const namesOf = ({ groupId, label }: ListValue) => [label, ...labels(groupId ?? 0)];
    return valuesOf(field).flatMap((value) =>
      namesOf(value).some((name) => sought.has(fold(name))) ? value.id : [],
    );
  },
  defaults: async (field) => visibleDefaults(field),
  async counterpart(field, id, from) {
    const [meant] = chosen(from, [id]);
    const isMeant = ({ groupId, label }: ListValue) =>
      groupId === meant?.groupId || (isOwnGroup(groupId) && label === meant?.label);
    return meant === undefined ? undefined : valuesOf(field).find(isMeant)?.id;
  },
  show: (field, ids, context) => chosen(field, ids).flatMap(({ groupId }) => context.group(groupId) ?? []),
  showIds: (field, ids) =>
    chosen(field, ids).map(({ groupId }) => JSON.stringify(formatGroupId(groupId, field.projectId))),
  labels: (field, ids, context) =>
    chosen(field, ids).map(({ groupId, label }) => context.groupLabel(groupId) ?? label),
  names: (field, ids) => chosen(field, ids).map(({ label }) => label),
  items: (field, ids, context) =>
    ugroupsBind.labels(field, ids, context).map((label) => JSON.stringify({ label })),
  rowItems: (field, ids, context) =>
    chosen(field, ids).map(({ groupId, label }) =>
      JSON.stringify({
        id: formatGroupId(groupId, field.projectId),
        label: context.groupLabel(groupId) ?? label,
      }),
    ),
  async sortTexts(field, { reader }) {
    const settings = await readSettings(reader);
    return new Map(
      everValue(field).map(({ id, label, groupId }) => [
        id,
        groupLabel({ id: groupId ?? 0, name: label }, settings),
      ]),
    );
  },
  async describe(field, context) {
    const known = chosen(
      field,
      valuesOf(field).map(({ id }) => id),
    ).filter(({ groupId }) => context.group(groupId) !== undefined);
    const defaults = known.filter(({ id, isHidden }) => field.bind?.defaults.includes(id) && !isHidden);
    return {
      values: known.map(({ id, label, groupId }) => ({
        id,
        label: builtInGroups.get(groupId)?.key ?? label,
        ugroup_reference: context.group(groupId),
      })),
      default_value: defaults.map(({ groupId }) => context.group(groupId)),
    };
  },
  sources: () => [],
  toArchive: archivedValue,
  fromArchive: numberedInArchive,
  namedInArchive(field, label, context) {
    const group = context.group(label);
    return valuesOf(field).find(({ groupId }) => groupId !== null && groupId === group)?.id;
  },
  toItems: (field, nameOf) =>
    archivedValues(field).flatMap((value) => {
      const name = value.groupId === null ? undefined : nameOf(value.groupId);
      return name === undefined ? [] : archivedItem(field, value, name);
    }),
  fromItems: (items, context) => ({
    groups: [],
    values: items.flatMap((item) => {
      const name = attributeOf(item, 'label') ?? '';
      const groupId = context.group(name);
      if (groupId !== undefined) return { ...itemFrom(item, context), groupId };
      context.warn('unknown_group', item, `There is no user group ${JSON.stringify(name)}.`);
      return [];
    }),
  }),
};
