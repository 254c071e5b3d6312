import type { FormElement, Tracker } from '@atelier/contract';
import { expect } from 'vitest';
import type { Caller, Reply } from './harness/atelier.ts';
import { addField, createTracker, readTracker, valueIds } from './tracker-fixtures.ts';

type Members = Readonly<Record<string, unknown>>;

/** Sends a change of a workflow, which must be accepted. */
export async function changeWorkflow(caller: Caller, trackerId: number, workflow: Members): Promise<Tracker> {
  const { status, body, text } = await caller.patch(`/trackers/${trackerId}`, { workflow });
  expect(status, text).toBe(200);
  return body;
}

export async function addTransition(
  caller: Caller,
  tracker_id: number,
  from_id: number,
  to_id: number,
): Promise<number> {
  const reply = await caller.post('/tracker_workflow_transitions', { tracker_id, from_id, to_id });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

/** Replaces conditions; those that are not given are that members of the project may, and nothing else. */
export async function setConditions(
  caller: Caller,
  transitionId: number,
  conditions: Members & { readonly authorized_user_group_ids: readonly string[] },
): Promise<void> {
  const usual = { not_empty_field_ids: [], is_comment_required: false };
  const path = `/tracker_workflow_transitions/${transitionId}`;
  const reply = await caller.patch(path, { ...usual, ...conditions });
  expect([reply.status, reply.text]).toEqual([200, '']);
}

export const putActions = (
  caller: Caller,
  transitionId: number,
  post_actions: readonly unknown[],
): Promise<Reply> => caller.put(`/tracker_workflow_transitions/${transitionId}/actions`, { post_actions });

export async function setActions(
  caller: Caller,
  transitionId: number,
  actions: readonly Members[],
): Promise<void> {
  const reply = await putActions(caller, transitionId, actions);
  expect([reply.status, reply.text]).toEqual([200, '']);
}

export async function setRules(caller: Caller, trackerId: number, rules: Members): Promise<void> {
  const { status, text } = await caller.put(`/trackers/${trackerId}/rules`, rules);
  expect(status, text).toBe(200);
}

export async function setTriggers(
  caller: Caller,
  trackerId: number,
  triggers: readonly Members[],
): Promise<void> {
  const { status, text } = await caller.put(`/trackers/${trackerId}/triggers`, { triggers });
  expect(status, text).toBe(200);
}

/** The words of a refusal, whether they are meant for people or for programs. */
export const wordsOf = ({ body }: Reply): string =>
  body?.error?.i18n_error_message ?? body?.error?.message ?? '';

/** The values of every status in these tests. */
export const stateNames = ['Todo', 'Doing', 'Done'] as const;
export type StateName = (typeof stateNames)[number];

/** A tracker with a title, a status of three values and whatever else a test adds. */
export interface Flow {
  readonly id: number;
  readonly status: FormElement;
  /** Ids of the values of the status. */
  readonly states: Readonly<Record<StateName, number>>;
  readonly title: number;
  readonly links: number;
  /** An entry of `values` that sets the status. */
  set(state: StateName | undefined): Members;
}

export async function createFlow(caller: Caller, projectId: number, more: Members = {}): Promise<Flow> {
  const { id } = await createTracker(caller, projectId, more);
  const title = await addField(caller, id, { type: 'string', name: 'title' });
  const links = await addField(caller, id, { type: 'art_link', name: 'links' });
  const values = stateNames.map((label) => ({ label }));
  const bind = { type: 'static', values };
  const status = await addField(caller, id, { type: 'sb', name: 'status', label: 'Status', bind });
  const { Todo = 0, Doing = 0, Done = 0 } = valueIds(status);
  const states = { Todo, Doing, Done };
  return {
    id,
    status,
    states,
    title: title.field_id,
    links: links.field_id,
    set: (state) => ({
      field_id: status.field_id,
      bind_value_ids: state === undefined ? [100] : [states[state]],
    }),
  };
}

/** Transitions by their names: `new Todo`, `Todo Doing`. */
export type Transitions = Readonly<Record<string, number>>;

/** Gives a tracker a workflow that is used, with these transitions. */
export async function startWorkflow(
  caller: Caller,
  { id, status, states }: Flow,
  steps: readonly string[],
): Promise<Transitions> {
  await changeWorkflow(caller, id, { set_transitions_rules: { field_id: status.field_id } });
  const made: Record<string, number> = {};
  for (const step of steps) {
    const [from, to] = step.split(' ').map((name) => stateNames.find((known) => known === name));
    made[step] = await addTransition(caller, id, from === undefined ? 0 : states[from], to ? states[to] : 0);
  }
  await changeWorkflow(caller, id, { set_transitions_rules: { is_used: true } });
  return made;
}

/** All that the compatible API tells of the workflow of a tracker. */
export async function workflowOf(
  caller: Caller,
  trackerId: number,
): Promise<NonNullable<Tracker['workflow']>> {
  const { workflow } = await readTracker(caller, trackerId);
  if (workflow === null) throw new Error('The workflow is not shown to this caller.');
  return workflow;
}
