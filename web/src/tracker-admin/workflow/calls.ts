import {
  createTransition,
  deleteTransition,
  getTransition,
  listPostActions,
  type PostAction,
  patchTracker,
  patchTransition,
  putPostActions,
  type Transition,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../store/index.ts';
import { inTurn, readAgain, trackerUri } from '../calls.ts';

export type { PostAction, Transition };

type WorkflowChange =
  | { readonly set_transitions_rules: { readonly field_id: number } | { readonly is_used: boolean } }
  | { readonly delete_transitions_rules: true }
  | { readonly is_advanced: boolean };

export async function changeWorkflow(
  trackerId: number,
  ...changes: readonly WorkflowChange[]
): Promise<void> {
  for (const workflow of changes)
    await client.call(patchTracker, { params: { id: trackerId }, body: { workflow } });
  await readAgain(trackerId);
}

export async function addTransition(trackerId: number, from: number | null, to: number): Promise<number> {
  const { id } = await client.call(createTransition, {
    body: { tracker_id: trackerId, from_id: from ?? 0, to_id: to },
  });
  await readAgain(trackerId);
  return id;
}

export interface WholeTransition {
  readonly conditions: Transition;
  readonly actions: readonly PostAction[];
}

async function readTransition(id: number): Promise<WholeTransition> {
  const params = { id };
  const [conditions, actions] = await Promise.all([
    client.call(getTransition, { params }),
    client.call(listPostActions, { params }),
  ]);
  return { conditions, actions };
}

export const useTransition = (trackerId: number, id: number) =>
  useQuery({
    queryKey: [trackerUri(trackerId), 'transition', id],
    staleTime: 0,
    retry: false,
    queryFn: () => readTransition(id),
  });

/** Every transition with its actions: what a switch to the advanced mode would take away. */
export const readActionsOf = async (ids: readonly number[]): Promise<readonly PostAction[][]> =>
  Promise.all(ids.map((id) => client.call(listPostActions, { params: { id } })));

/** Takes a transition away; gives what was there, so that it can be made again. */
export async function removeTransition(trackerId: number, id: number): Promise<WholeTransition> {
  const before = await readTransition(id);
  await client.call(deleteTransition, { params: { id } });
  await readAgain(trackerId);
  return before;
}

type Conditions = Pick<
  Transition,
  'authorized_user_group_ids' | 'not_empty_field_ids' | 'is_comment_required'
>;

/** Changes what is asked for, on top of what somebody else may have changed meanwhile. */
export const changeConditions = (
  trackerId: number,
  id: number,
  change: (now: Conditions) => Partial<Conditions>,
): Promise<void> =>
  inTurn(async () => {
    const now = await client.call(getTransition, { params: { id } });
    const { authorized_user_group_ids, not_empty_field_ids, is_comment_required } = {
      ...now,
      ...change(now),
    };
    await client.call(patchTransition, {
      params: { id },
      body: { authorized_user_group_ids, not_empty_field_ids, is_comment_required },
    });
    await readAgain(trackerId);
  });

type NewAction = Omit<PostAction, 'id'>;

export const changeActions = (
  trackerId: number,
  id: number,
  change: (now: readonly PostAction[]) => readonly (NewAction | PostAction)[],
): Promise<void> =>
  inTurn(async () => {
    const now = await client.call(listPostActions, { params: { id } });
    await client.call(putPostActions, { params: { id }, body: { post_actions: [...change(now)] } });
    await readAgain(trackerId);
  });

/** Makes a transition again that was taken away. */
export async function makeAgain(trackerId: number, { conditions, actions }: WholeTransition): Promise<void> {
  const { id } = await client.call(createTransition, {
    body: { tracker_id: trackerId, from_id: conditions.from_id ?? 0, to_id: conditions.to_id },
  });
  const { authorized_user_group_ids, not_empty_field_ids, is_comment_required } = conditions;
  if (authorized_user_group_ids.length > 0)
    await client.call(patchTransition, {
      params: { id },
      body: { authorized_user_group_ids, not_empty_field_ids, is_comment_required },
    });
  if (actions.length > 0)
    await client.call(putPostActions, { params: { id }, body: { post_actions: [...actions] } });
  await readAgain(trackerId);
}
