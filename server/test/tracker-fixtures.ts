import type { FormElement, Tracker } from '@atelier/contract';
import { expect } from 'vitest';
import type { Caller } from './harness/atelier.ts';

type Members = Readonly<Record<string, unknown>>;

let trackers = 0;

/** Creates a tracker without any field; the caller administers the project. */
export async function createTracker(caller: Caller, projectId: number, more: Members = {}): Promise<Tracker> {
  const name = `tracker_${++trackers}`;
  const { status, body, text } = await caller.post(`/projects/${projectId}/trackers`, {
    label: `Tracker ${trackers}`,
    item_name: name,
    ...more,
  });
  expect(status, text).toBe(201);
  return body;
}

/** Adds a form element; its short name is made from its label, and that from its type, unless given. */
export async function addField(
  caller: Caller,
  trackerId: number,
  field: Members & { readonly type: string },
): Promise<FormElement> {
  const { status, body, text } = await caller.post(`/trackers/${trackerId}/fields`, {
    label: field['name'] ?? field.type,
    ...field,
  });
  expect(status, text).toBe(201);
  return body;
}

/** Replaces the permissions of a tracker: lists of group ids by `can_access` and the like. */
export async function setPermissions(caller: Caller, trackerId: number, permissions: Members): Promise<void> {
  const { status, text } = await caller.put(`/trackers/${trackerId}/permissions`, permissions);
  expect(status, text).toBe(200);
}

/** Replaces the permissions of a field: lists of group ids by `can_read`, `can_submit` and `can_update`. */
export async function setFieldPermissions(
  caller: Caller,
  fieldId: number,
  permissions: Members,
): Promise<void> {
  const { status, text } = await caller.put(`/tracker_fields/${fieldId}/permissions`, permissions);
  expect(status, text).toBe(200);
}

export async function setSemantics(caller: Caller, trackerId: number, semantics: Members): Promise<void> {
  const { status, text } = await caller.put(`/trackers/${trackerId}/semantics`, semantics);
  expect(status, text).toBe(200);
}

export async function readTracker(caller: Caller, trackerId: number): Promise<Tracker> {
  const { status, body, text } = await caller.get(`/trackers/${trackerId}`);
  expect(status, text).toBe(200);
  return body;
}

/** The element with this short name. */
export function fieldNamed({ fields }: Pick<Tracker, 'fields'>, name: string): FormElement {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`The tracker has no readable field ${name}.`);
  return field;
}

/** The ids of the possible values of a list by their labels; of users by their names. */
export function valueIds({ values }: Pick<FormElement, 'values'>): Record<string, number> {
  const listed = Array.isArray(values) ? values : [];
  return Object.fromEntries(listed.map(({ label, id }) => [label, id]));
}

const colours = ['red', 'green', 'blue'].map((label) => ({ label }));
const ofUsers = { type: 'users', groups: ['3'] };
const ofGroups = { type: 'ugroups' };

/** One element of every type and, of lists, with every bind; each is named as here. */
const plainElements: readonly (Members & { readonly type: string; readonly name: string })[] = [
  { type: 'string', name: 'string' },
  { type: 'text', name: 'text' },
  { type: 'int', name: 'int' },
  { type: 'float', name: 'float' },
  { type: 'date', name: 'date' },
  { type: 'date', name: 'datetime', specific_properties: { display_time: 1 } },
  ...['sb', 'rb', 'msb', 'cb', 'tbl'].flatMap((type) => [
    { type, name: type, bind: { type: 'static', values: colours } },
    { type, name: `${type}_users`, bind: ofUsers },
    { type, name: `${type}_ugroups`, bind: ofGroups },
  ]),
  { type: 'file', name: 'file' },
  { type: 'art_link', name: 'art_link' },
  { type: 'perm', name: 'perm' },
  { type: 'computed', name: 'computed' },
  { type: 'burndown', name: 'burndown' },
  { type: 'aid', name: 'aid' },
  { type: 'atid', name: 'atid' },
  { type: 'priority', name: 'priority' },
  { type: 'subby', name: 'subby' },
  { type: 'luby', name: 'luby' },
  { type: 'subon', name: 'subon' },
  { type: 'lud', name: 'lud' },
  { type: 'cross', name: 'cross' },
  { type: 'linebreak', name: 'linebreak' },
  { type: 'separator', name: 'separator' },
  { type: 'staticrichtext', name: 'staticrichtext', specific_properties: { static_value: 'Be kind.' } },
];

export interface EveryField {
  readonly tracker: Tracker;
  /** Ids of the elements by name. */
  readonly ids: Readonly<Record<string, number>>;
}

/**
 * A tracker with every type of form element and every bind, without semantics. Static lists hold red, green and blue;
 * lists of users take project members, lists of groups all groups of the project.
 */
export async function everyField(caller: Caller, projectId: number): Promise<EveryField> {
  const { id } = await createTracker(caller, projectId);
  const fieldset = await addField(caller, id, { type: 'fieldset', name: 'fieldset' });
  const parent = { parent_id: fieldset.field_id };
  const column = await addField(caller, id, { type: 'column', name: 'column', ...parent });
  for (const element of plainElements) await addField(caller, id, { ...element, parent_id: column.field_id });
  const tracker = await readTracker(caller, id);
  const ids = Object.fromEntries(tracker.fields.map(({ name, field_id }) => [name, field_id]));
  return { tracker, ids };
}
