import {
  type BodyOf,
  checkPermissions,
  createField,
  createListValues,
  deleteField,
  deleteListValue,
  type FieldSettings,
  type FieldUse,
  getFieldSettings,
  listFieldUses,
  listFormElements,
  listUserGroups,
  type MinimalUserGroup,
  type PermissionCheck,
  patchField,
  patchFieldSettings,
  patchListValue,
  putSemantics,
  restoreField,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import type { FormPlace } from '../kernel/form-places.ts';
import { client, queries } from '../store/index.ts';
import { newElements } from './form-elements.ts';

export type { FieldSettings, FieldUse, MinimalUserGroup, PermissionCheck };

export type SettingsChange = BodyOf<typeof patchFieldSettings>;
export type NewFieldBody = BodyOf<typeof createField>;
export type ValueChange = BodyOf<typeof patchListValue>;
export type ListValue = NonNullable<FieldSettings['bind']>['values'][number];

export const trackerUri = (id: number): string => `trackers/${id}`;
const elementsKey = (id: number) => [trackerUri(id), 'form-elements'] as const;

/** Whatever is shown of the tracker is read anew: one act may change its form, its rights and what rests on what. */
export const readAgain = (trackerId: number): Promise<void> =>
  queries.invalidateQueries({ queryKey: [trackerUri(trackerId)] });

/** Throws what somebody else has made of a text since one began to type there, and shows it: whoever stores theirs once more replaces it. */
export async function notOvertaken(
  trackerId: number,
  { now, replaced, value }: { readonly now: string; readonly replaced: string; readonly value: string },
  words: { changedMeanwhile(theirs: string): string },
): Promise<void> {
  if (now === replaced || now === value) return;
  await readAgain(trackerId);
  throw new Error(words.changedMeanwhile(now));
}

/** What this page changed last: what follows reads what it left behind. */
let changed: Promise<unknown> = Promise.resolve();

/** One change begins after the one before: each reads first, and would else write back what the other has just changed. */
export function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
  const own = changed.then(change, change);
  changed = own.catch(() => undefined);
  return own;
}

export const useFormElements = (trackerId: number) =>
  useQuery({
    queryKey: elementsKey(trackerId),
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const elements = await client.call(listFormElements, { params: { id: trackerId }, signal });
      const moves = [...(moving.get(trackerId) ?? [])];
      return moves.reduce((known, move) => move(known), elements);
    },
  });

type ElementsChange = (elements: readonly FieldSettings[]) => FieldSettings[];

/** Moves that are on their way to the server: what it told before they arrived is shown with them. */
const moving = new Map<number, Set<ElementsChange>>();

/** Shows an element at its new place at once, and stores that. `show` may be done to what it has done already. */
export async function moveElement(
  trackerId: number,
  id: number,
  { parentId, nextId }: FormPlace,
  show: ElementsChange,
): Promise<void> {
  const moves = moving.get(trackerId) ?? new Set();
  moving.set(trackerId, moves.add(show));
  const body = { parent_id: parentId, next_sibling_id: nextId };
  try {
    await showElements(trackerId, show);
    await inTurn(() => client.call(patchFieldSettings, { params: { id }, body }));
  } finally {
    moves.delete(show);
  }
  await readAgain(trackerId);
}

/** Shows what an act will have done before the server has answered. */
export async function showElements(trackerId: number, change: ElementsChange): Promise<void> {
  // An answer that was given before would show the form as it was, until the next one.
  await queries.cancelQueries({ queryKey: elementsKey(trackerId) });
  queries.setQueryData<FieldSettings[]>(elementsKey(trackerId), (known) => known && change(known));
}

export const useFieldUses = (trackerId: number) =>
  useQuery({
    queryKey: [trackerUri(trackerId), 'field-uses'],
    staleTime: 0,
    queryFn: ({ signal }) => client.call(listFieldUses, { params: { id: trackerId }, signal }),
  });

/** Groups that permissions can be given to. */
export const useGroups = (projectId: number) =>
  useQuery({
    queryKey: [`projects/${projectId}`, 'all-groups'],
    queryFn: ({ signal }) =>
      client.call(listUserGroups, {
        params: { id: projectId },
        query: { query: JSON.stringify({ with_system_user_groups: true }) },
        signal,
      }),
  });

export async function addElement(
  trackerId: number,
  body: Omit<NewFieldBody, 'parent_id' | 'next_sibling_id'>,
  { parentId, nextId }: FormPlace,
): Promise<number> {
  const { field_id: id } = await client.call(createField, {
    params: { id: trackerId },
    body: { ...body, parent_id: parentId, ...(nextId === null ? {} : { next_sibling_id: nextId }) },
  });
  await readAgain(trackerId);
  return id;
}

export async function changeElement(trackerId: number, id: number, body: SettingsChange): Promise<void> {
  await client.call(patchFieldSettings, { params: { id }, body });
  await readAgain(trackerId);
}

export const readElement = (id: number): Promise<FieldSettings> =>
  client.call(getFieldSettings, { params: { id } });

export async function setElementUsed(trackerId: number, id: number, isUsed: boolean): Promise<void> {
  await client.call(patchField, { params: { id }, body: { use_it: isUsed } });
  await readAgain(trackerId);
}

export async function removeElement(trackerId: number, id: number): Promise<void> {
  await client.call(deleteField, { params: { id } });
  await readAgain(trackerId);
}

export async function restoreElement(trackerId: number, id: number): Promise<void> {
  await client.call(restoreField, { params: { id }, body: {} });
  await readAgain(trackerId);
}

export async function addValues(
  trackerId: number,
  fieldId: number,
  labels: readonly string[],
): Promise<void> {
  const values = labels.map((label) => ({ label }));
  await client.call(createListValues, { params: { id: fieldId }, body: { values } });
  await readAgain(trackerId);
}

export async function addGroupValues(trackerId: number, fieldId: number, groups: string[]): Promise<void> {
  await client.call(createListValues, { params: { id: fieldId }, body: { groups } });
  await readAgain(trackerId);
}

export async function changeValue(
  trackerId: number,
  { fieldId, valueId }: { readonly fieldId: number; readonly valueId: number },
  body: ValueChange,
): Promise<void> {
  await client.call(patchListValue, { params: { id: fieldId, value_id: valueId }, body });
  await readAgain(trackerId);
}

export async function removeValue(trackerId: number, fieldId: number, valueId: number): Promise<void> {
  await client.call(deleteListValue, { params: { id: fieldId, value_id: valueId } });
  await readAgain(trackerId);
}

export interface UsualNames {
  readonly details: string;
  readonly title: string;
  readonly status: string;
  readonly open: string;
  readonly progress: string;
  readonly closed: string;
  readonly assignee: string;
  readonly description: string;
  readonly more: string;
  readonly files: string;
  readonly links: string;
}

/** What most trackers begin with, in the language of whoever asks for it. */
export async function makeUsualFields(trackerId: number, names: UsualNames): Promise<void> {
  const params = { id: trackerId };
  const add = async (body: NewFieldBody) => client.call(createField, { params, body });
  const { field_id: details } = await add({ ...newElements.group, label: names.details, name: 'details' });
  const within = { parent_id: details };
  const title = await add({
    ...within,
    ...newElements.line,
    label: names.title,
    name: 'title',
    required: true,
  });
  const status = await add({
    ...within,
    ...newElements.choice,
    label: names.status,
    name: 'status',
    required: true,
    bind: {
      type: 'static',
      values: [
        { label: names.open, color: 'chrome-silver', is_default: true },
        { label: names.progress, color: 'lake-placid-blue' },
        { label: names.closed, color: 'neon-green' },
      ],
    },
  });
  const assignee = await add({
    ...within,
    ...newElements.person,
    label: names.assignee,
    name: 'assigned_to',
  });
  const description = await add({
    ...within,
    ...newElements.text,
    label: names.description,
    name: 'description',
  });
  const { field_id: more } = await add({ ...newElements.group, label: names.more, name: 'files_and_links' });
  await add({ parent_id: more, ...newElements.files, label: names.files, name: 'files' });
  await add({ parent_id: more, ...newElements.links, label: names.links, name: 'links' });
  const { bind } = await readElement(status.field_id);
  const [open, progress, closed] = (bind?.values ?? []).map(({ id }) => id);
  const openIds = [open, progress].filter((id) => id !== undefined);
  await client.call(putSemantics, {
    params,
    body: {
      title: { field_id: title.field_id },
      description: { field_id: description.field_id },
      status: { field_id: status.field_id, value_ids: openIds },
      contributor: { field_id: assignee.field_id },
    },
  });
  if (closed !== undefined)
    await client.call(putSemantics, { params, body: { done: { value_ids: [closed] } } });
  await readAgain(trackerId);
}

const checkGroup = (trackerId: number, groupId: string): Promise<PermissionCheck> =>
  client.call(checkPermissions, { params: { id: trackerId }, body: { group_ids: [groupId] } });

export const useGroupCheck = (trackerId: number, groupId: string | null) =>
  useQuery({
    queryKey: [trackerUri(trackerId), 'permission-check', groupId],
    enabled: groupId !== null,
    staleTime: 0,
    queryFn: () => checkGroup(trackerId, groupId ?? ''),
  });
