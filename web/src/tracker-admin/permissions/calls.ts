import {
  type BodyOf,
  checkPermissions,
  getTrackerPermissions,
  listFormElements,
  type PermissionCheck,
  putAllFieldPermissions,
  putTrackerPermissions,
  type TrackerPermissions,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../store/index.ts';
import { inTurn, readAgain, trackerUri } from '../calls.ts';
import { changed, type Marks, marksOf, type Right } from './model.ts';

export type { PermissionCheck, TrackerPermissions };
export type TrackerGrants = Required<BodyOf<typeof putTrackerPermissions>>;

export const useTrackerPermissions = (trackerId: number) =>
  useQuery({
    queryKey: [trackerUri(trackerId), 'permissions'],
    staleTime: 0,
    queryFn: ({ signal }) => client.call(getTrackerPermissions, { params: { id: trackerId }, signal }),
  });

const idsOf = (groups: readonly { readonly id: string }[]) => groups.map(({ id }) => id);

/** Changes one grant, on top of what others may have changed meanwhile. */
export const setTrackerGrant = (
  trackerId: number,
  right: keyof TrackerGrants,
  groupId: string,
  isGiven: boolean,
): Promise<void> => inTurn(() => giveGrant(trackerId, right, groupId, isGiven));

async function giveGrant(
  trackerId: number,
  right: keyof TrackerGrants,
  groupId: string,
  isGiven: boolean,
): Promise<void> {
  const params = { id: trackerId };
  const now = await client.call(getTrackerPermissions, { params });
  const lists: TrackerGrants = {
    can_access: idsOf(now.can_access),
    can_access_submitted_by_user: idsOf(now.can_access_submitted_by_user),
    can_access_assigned_to_group: idsOf(now.can_access_assigned_to_group),
    can_access_submitted_by_group: idsOf(now.can_access_submitted_by_group),
    can_admin: idsOf(now.can_admin),
  };
  const others = lists[right].filter((id) => id !== groupId);
  const body = { ...lists, [right]: isGiven ? [...others, groupId] : others };
  await client.call(putTrackerPermissions, { params, body });
  await readAgain(trackerId);
}

const members: Readonly<Record<Right, 'can_read' | 'can_submit' | 'can_update'>> = {
  read: 'can_read',
  submit: 'can_submit',
  update: 'can_update',
};

/** Stores all changes of the table or none of them, on top of what others have stored meanwhile. */
export async function storeMarks(trackerId: number, changes: Marks): Promise<void> {
  const params = { id: trackerId };
  const now = marksOf(await client.call(listFormElements, { params }));
  const after = changed(now, changes);
  const touched = new Set([...changes.keys()].map((key) => key.split(' ')[0] ?? ''));
  const fields: Record<string, Record<string, string[]>> = {};
  for (const id of touched) fields[id] = { can_read: [], can_submit: [], can_update: [] };
  for (const [key, isGiven] of after) {
    const [id = '', right = '', group = ''] = key.split(' ');
    if (!isGiven || !touched.has(id)) continue;
    if (right === 'read' || right === 'submit' || right === 'update')
      fields[id]?.[members[right]]?.push(group);
  }
  await client.call(putAllFieldPermissions, { params, body: { fields } });
  await readAgain(trackerId);
}

export const usePersonCheck = (trackerId: number, userId: number | undefined) =>
  useQuery({
    queryKey: [trackerUri(trackerId), 'person-check', userId],
    enabled: userId !== undefined,
    staleTime: 0,
    queryFn: () =>
      client.call(checkPermissions, { params: { id: trackerId }, body: { user_id: userId ?? 0 } }),
  });
