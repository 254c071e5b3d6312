import {
  type BackupRun,
  type BodyOf,
  cancelProjectImport,
  createLinkType,
  createPasswordLink,
  createPlatformGroup,
  createProjectField,
  createProjectImport,
  createUser,
  deleteFailedMail,
  deleteLinkType,
  deletePlatformGroup,
  deleteProjectField,
  endUserSessions,
  type FailedMail,
  getPlatformBackups,
  getPlatformHealth,
  getProjectImport,
  getUser,
  type LinkType,
  type ListedProjectImport,
  listDeletedArtifacts,
  listDeletedProjects,
  listDeletedSvn,
  listFailedMails,
  listLinkTypes,
  listPlatformDeliveries,
  listPlatformEvents,
  listPlatformGroups,
  listPlatformUsers,
  listProjectFields,
  listProjectImports,
  listProjects,
  listSettings,
  listSystemEvents,
  listUsers,
  type PlatformBackups,
  type PlatformDelivery,
  type PlatformEvent,
  type PlatformGroup,
  type PlatformHealth,
  type PlatformUser,
  type Project,
  type ProjectField,
  type ProjectImport,
  patchLinkType,
  patchProject,
  patchProjectField,
  patchProjectSettings,
  patchSettings,
  patchUser,
  purgeProject,
  putPlatformGroup,
  type ResponseOf,
  redeliverWebhook,
  restoreArtifact,
  restoreProject,
  restoreSvn,
  retryFailedMail,
  revokeUserKeys,
  type SystemEvent,
  sendTestMail,
  startPlatformBackup,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { notKept, usePaged } from '../project-admin/index.ts';
import { client, keepStored, queries } from '../store/index.ts';

export type {
  BackupRun,
  FailedMail,
  LinkType,
  ListedProjectImport,
  PlatformBackups,
  PlatformDelivery,
  PlatformEvent,
  PlatformGroup,
  PlatformHealth,
  PlatformUser,
  Project,
  ProjectField,
  ProjectImport,
  SystemEvent,
};

const pageSize = 50;
const key = (...parts: readonly unknown[]) => ['platform', 'admin', ...parts];

/** What was changed is asked for again, and waited for. */
const renew = (...parts: readonly unknown[]) => queries.invalidateQueries({ queryKey: key(...parts) });

export type UserOrder = 'name' | 'created' | 'last_access';
export type UserStatus = 'A' | 'R' | 'P' | 'V' | 'W' | 'S' | 'D';

export interface UserSearch {
  readonly words: string;
  readonly status: UserStatus | undefined;
  readonly order: UserOrder;
}

const userQuery = ({ words, status, order }: UserSearch) => ({
  order,
  ...(words === '' ? {} : { words }),
  ...(status === undefined ? {} : { status }),
});

export const useUsers = (search: UserSearch) =>
  usePaged(key('users', search), async (offset, signal) => {
    const { body, page } = await client.send(listPlatformUsers, {
      query: { ...userQuery(search), limit: pageSize, offset },
      signal,
    });
    return { items: body, size: page?.size ?? body.length };
  });

/** One account by its id, as far as a search for its name finds it. */
export const useUserCount = (isOn: boolean) =>
  useQuery({
    queryKey: key('user-count'),
    enabled: isOn,
    meta: notKept,
    queryFn: async ({ signal }) => {
      const { page } = await client.send(listPlatformUsers, { query: { limit: 1 }, signal });
      return page?.size ?? 0;
    },
  });

export async function readAllUsers(search: UserSearch): Promise<PlatformUser[]> {
  const all: PlatformUser[] = [];
  const query = { ...userQuery(search), limit: 100 };
  for await (const user of client.all(listPlatformUsers, { query })) all.push(user);
  return all;
}

export const readUser = (id: number) => client.call(getUser, { params: { id: String(id) } });

/** Makes an account; gives its id. */
export async function makeUser(body: BodyOf<typeof createUser>): Promise<number> {
  const { id } = await client.call(createUser, { body });
  await renew('users');
  return id ?? 0;
}

/** A link by which somebody chooses a password: told in this answer only. */
export const makePasswordLink = async (id: number): Promise<string> =>
  (await client.call(createPasswordLink, { params: { id: String(id) } })).href;

export async function changeUser(id: number, body: BodyOf<typeof patchUser>): Promise<void> {
  await client.call(patchUser, { params: { id: String(id) }, body });
  await renew('users');
}

export async function endSessions(id: number): Promise<number> {
  const { ended } = await client.call(endUserSessions, { params: { id } });
  await renew('users');
  return ended;
}

export async function revokeKeys(id: number): Promise<number> {
  const { ended } = await client.call(revokeUserKeys, { params: { id } });
  await renew('users');
  return ended;
}

export type ProjectState = 'active' | 'pending' | 'suspended' | 'deleted';

export const useProjects = (state: ProjectState, words: string, isOn = true) =>
  usePaged(
    key('projects', state, words),
    async (offset, signal) => {
      const criteria = { with_status: state, ...(words === '' ? {} : { words }) };
      const { body, page } = await client.send(listProjects, {
        query: { query: JSON.stringify(criteria), limit: pageSize, offset },
        signal,
      });
      return { items: body, size: page?.size ?? body.length };
    },
    { isOn },
  );

const projectsChanged = async () => {
  await renew('projects');
  await queries.invalidateQueries({ queryKey: ['users/self', 'standing'] });
};

/** Those who approve projects may do it by the settings of the project alone. */
export async function approveProject(id: number): Promise<void> {
  await client.call(patchProjectSettings, { params: { id }, body: { status: 'active' } });
  await projectsChanged();
}

export async function setProjectState(id: number, status: 'active' | 'suspended'): Promise<void> {
  await client.call(patchProject, { params: { id }, body: { status } });
  await projectsChanged();
}

export async function refuseProject(id: number): Promise<void> {
  await client.call(patchProjectSettings, { params: { id }, body: { status: 'deleted' } });
  await projectsChanged();
}

export async function setTemplate(id: number, is_template: boolean): Promise<void> {
  await client.call(patchProjectSettings, { params: { id }, body: { is_template } });
  await projectsChanged();
}

export type Setting = ResponseOf<typeof listSettings>[number];

export const useSettings = () =>
  useQuery({
    queryKey: key('settings'),
    meta: notKept,
    queryFn: ({ signal }) => client.call(listSettings, { signal }),
  });

export const readSettings = () => client.call(listSettings, {});

export async function saveSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
  await client.call(patchSettings, { body: { ...changes } });
  await renew('settings');
}

/** Looked at again every ten seconds while it is seen. */
export const useHealth = (isOn = true) =>
  useQuery({
    queryKey: key('health'),
    enabled: isOn,
    meta: notKept,
    refetchInterval: 10_000,
    queryFn: ({ signal }) => client.call(getPlatformHealth, { signal }),
  });

/** The backup that runs, asked for every second, or the last one. */
export const useBackups = () =>
  useQuery<PlatformBackups>({
    queryKey: key('backups'),
    meta: notKept,
    refetchInterval: ({ state }) => (state.data?.run?.state === 'running' ? 1000 : 10_000),
    queryFn: ({ signal }) => client.call(getPlatformBackups, { signal }),
  });

export async function startBackup(): Promise<void> {
  keepStored(key('backups'), await client.call(startPlatformBackup, {}));
}

export const checkHealthNow = () => renew('health');

export const tryMail = (address: string) => client.call(sendTestMail, { body: { address } });

export const useFailedMails = () =>
  usePaged(key('mails'), async (offset, signal) => {
    const { body, page } = await client.send(listFailedMails, { query: { limit: pageSize, offset }, signal });
    return { items: body, size: page?.size ?? body.length };
  });

export async function retryMail(id: number): Promise<void> {
  await client.call(retryFailedMail, { params: { id } });
  await renew('mails');
}

export async function forgetMail(id: number): Promise<void> {
  await client.call(deleteFailedMail, { params: { id } });
  await renew('mails');
}

export type DeliveryState = PlatformDelivery['state'];

export const useDeliveries = (state: DeliveryState | undefined) =>
  usePaged(key('deliveries', state), async (offset, signal) => {
    const query = { ...(state === undefined ? {} : { state }), limit: pageSize, offset };
    const { body, page } = await client.send(listPlatformDeliveries, { query, signal });
    return { items: body, size: page?.size ?? body.length };
  });

export async function sendAgain({ id, webhook_id }: PlatformDelivery): Promise<void> {
  await client.call(redeliverWebhook, { params: { id: webhook_id, delivery_id: id } });
  await renew('deliveries');
}

export const useGroups = () =>
  usePaged(key('groups'), async (offset, signal) => {
    const { body, page } = await client.send(listPlatformGroups, { query: { limit: 50, offset }, signal });
    return { items: body, size: page?.size ?? body.length };
  });

/** The ids of people by user name or mail address; the names that nobody has. */
export async function findPeople(
  names: readonly string[],
): Promise<{ readonly ids: readonly number[]; readonly unknown: readonly string[] }> {
  const found = await Promise.all(
    names.map(async (name) => {
      const criterion = name.includes('@') ? { email: name } : { username: name };
      const [user] = await client.call(listUsers, { query: { query: JSON.stringify(criterion), limit: 1 } });
      return { name, id: user?.id ?? undefined };
    }),
  );
  return {
    ids: found.flatMap(({ id }) => (id === undefined ? [] : [id])),
    unknown: found.filter(({ id }) => id === undefined).map(({ name }) => name),
  };
}

export interface GroupWish {
  readonly id: number | undefined;
  readonly name: string;
  readonly userIds: readonly number[];
  readonly permissions: readonly number[];
}

/** As it is now; as it was known where it is gone. */
export async function readGroup(group: PlatformGroup): Promise<PlatformGroup> {
  for await (const now of client.all(listPlatformGroups, { query: { limit: 50 } }))
    if (now.id === group.id) return now;
  return group;
}

export async function saveGroup({ id, name, userIds, permissions }: GroupWish): Promise<void> {
  const known = id ?? (await client.call(createPlatformGroup, { body: { name } })).id;
  await client.call(putPlatformGroup, {
    params: { id: known },
    body: { name, user_ids: [...userIds], permissions: [...permissions] },
  });
  await renew('groups');
}

export async function removeGroup(id: number): Promise<void> {
  await client.call(deletePlatformGroup, { params: { id } });
  await renew('groups');
}

export const useLinkTypes = () =>
  useQuery({
    queryKey: key('link-types'),
    meta: notKept,
    queryFn: ({ signal }) => client.call(listLinkTypes, { signal }),
  });

/** As it is now; as it was known where it is gone. */
export const readLinkType = async (type: LinkType): Promise<LinkType> =>
  (await client.call(listLinkTypes, {})).find(({ shortname }) => shortname === type.shortname) ?? type;

export async function makeLinkType(body: BodyOf<typeof createLinkType>): Promise<void> {
  await client.call(createLinkType, { body });
  await renew('link-types');
}

export async function changeLinkType(shortname: string, body: BodyOf<typeof patchLinkType>): Promise<void> {
  await client.call(patchLinkType, { params: { shortname }, body });
  await renew('link-types');
}

export async function removeLinkType(shortname: string): Promise<void> {
  await client.call(deleteLinkType, { params: { shortname } });
  await renew('link-types');
}

export const useProjectFields = () =>
  useQuery({
    queryKey: key('project-fields'),
    meta: notKept,
    queryFn: async ({ signal }) =>
      (await client.call(listProjectFields, { query: { limit: 100 }, signal })).project_fields_representation,
  });

/** As it is now; as it was known where it is gone. */
export async function readProjectField(field: ProjectField): Promise<ProjectField> {
  const answer = await client.call(listProjectFields, { query: { limit: 100 } });
  return answer.project_fields_representation.find(({ id }) => id === field.id) ?? field;
}

export async function makeProjectField(body: BodyOf<typeof createProjectField>): Promise<void> {
  await client.call(createProjectField, { body });
  await renew('project-fields');
}

export async function changeProjectField(id: number, body: BodyOf<typeof patchProjectField>): Promise<void> {
  await client.call(patchProjectField, { params: { id }, body });
  await renew('project-fields');
}

export async function orderProjectFields(fields: readonly ProjectField[]): Promise<void> {
  for (const [place, { id, rank }] of fields.entries())
    if (rank !== (place + 1) * 10)
      await client.call(patchProjectField, { params: { id }, body: { rank: (place + 1) * 10 } });
  await renew('project-fields');
}

export async function removeProjectField(id: number): Promise<void> {
  await client.call(deleteProjectField, { params: { id } });
  await renew('project-fields');
}

const isOver = ({ state }: { readonly state: string }) => state === 'done' || state === 'failed';

export const useImports = () => {
  const isAnyOpen = queries
    .getQueryData<{ pages: { items: ListedProjectImport[] }[] }>(key('imports'))
    ?.pages.some(({ items }) => items.some((one) => !isOver(one)));
  return usePaged(
    key('imports'),
    async (offset, signal) => {
      const { body, page } = await client.send(listProjectImports, {
        query: { limit: pageSize, offset },
        signal,
      });
      return { items: body, size: page?.size ?? body.length };
    },
    { every: isAnyOpen === true ? 2000 : false },
  );
};

export const useImport = (id: number) =>
  useQuery({
    queryKey: key('import', id),
    meta: notKept,
    queryFn: ({ signal }) => client.call(getProjectImport, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOver(data) ? false : 1000),
  });

export interface ImportWish {
  readonly file: File;
  readonly automap: string;
  readonly userMap: string;
  readonly name: string;
  readonly isTemplate: boolean;
  readonly isDryRun: boolean;
}

/** Asks for an import and sends its archive; gives its id. */
export async function startImport(
  { file, automap, userMap, name, isTemplate, isDryRun }: ImportWish,
  onProgress: (arrived: number) => void,
): Promise<number> {
  const { id, upload_href } = await client.call(createProjectImport, {
    body: {
      file_name: file.name,
      file_size: file.size,
      ...(userMap.trim() !== '' ? { user_map: userMap } : automap === '' ? {} : { automap }),
      ...(name === '' ? {} : { name }),
      is_template: isTemplate,
      dry_run: isDryRun,
    },
  });
  await renew('imports');
  if (upload_href !== null) await client.upload({ upload_href }, file, { onProgress });
  await renew('imports');
  return id;
}

/** Lets an import come to nothing. */
export async function cancelImport(id: number): Promise<void> {
  const after = await client.call(cancelProjectImport, { params: { id } });
  keepStored(key('import', id), after);
  await renew('imports');
}

export interface EventSearch {
  readonly kind: PlatformEvent['kind'] | undefined;
  readonly actor: number | undefined;
  /** A day: what happened on it and later. */
  readonly from: string | undefined;
}

const eventQuery = ({ kind, actor, from }: EventSearch) => ({
  ...(kind === undefined ? {} : { kind }),
  ...(actor === undefined ? {} : { actor }),
  ...(from === undefined ? {} : { from }),
});

export const useEvents = (search: EventSearch) =>
  usePaged(key('audit', search), async (offset, signal) => {
    const query = { ...eventQuery(search), limit: pageSize, offset };
    const { body, page } = await client.send(listPlatformEvents, { query, signal });
    return { items: body, size: page?.size ?? body.length };
  });

/** All that a search finds, up to a number of them; the newest first. */
export async function readAllEvents(
  search: EventSearch,
  most: number,
): Promise<{ readonly events: readonly PlatformEvent[]; readonly isAll: boolean }> {
  const events: PlatformEvent[] = [];
  const query = { ...eventQuery(search), limit: 1000 };
  for await (const event of client.all(listPlatformEvents, { query })) {
    if (events.length === most) return { events, isAll: false };
    events.push(event);
  }
  return { events, isAll: true };
}

export type TaskState = 'new' | 'running' | 'done' | 'warning' | 'error';

export const useSystemEvents = (status: TaskState | undefined) =>
  usePaged(key('tasks', status), async (offset, signal) => {
    const query = { ...(status === undefined ? {} : { status }), limit: 100, offset };
    const { body, page } = await client.send(listSystemEvents, { query, signal });
    return { items: body, size: page?.size ?? body.length };
  });

export const useDeletedProjects = () =>
  usePaged(key('trash', 'projects'), async (offset, signal) => {
    const { body, page } = await client.send(listDeletedProjects, { query: { limit: 50, offset }, signal });
    return { items: body, size: page?.size ?? body.length };
  });

export const useDeletedArtifacts = () =>
  usePaged(key('trash', 'artifacts'), async (offset, signal) => {
    const { body, page } = await client.send(listDeletedArtifacts, { query: { limit: 50, offset }, signal });
    return { items: body, size: page?.size ?? body.length };
  });

export const useDeletedRepositories = () =>
  usePaged(key('trash', 'svn'), async (offset, signal) => {
    const { body, page } = await client.send(listDeletedSvn, { query: { limit: 50, offset }, signal });
    return { items: body, size: page?.size ?? body.length };
  });

export async function bringBackProject(id: number): Promise<void> {
  await client.call(restoreProject, { params: { id } });
  await renew('trash');
}

export async function purgeForGood(id: number): Promise<void> {
  await client.call(purgeProject, { params: { id } });
  await renew('trash');
}

export async function bringBackArtifact(id: number): Promise<void> {
  await client.call(restoreArtifact, { params: { id } });
  await renew('trash');
}

export async function bringBackRepository(id: number): Promise<void> {
  await client.call(restoreSvn, { params: { id } });
  await renew('trash');
}
