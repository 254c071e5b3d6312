import {
  type BodyOf,
  createLabel,
  createProjectService,
  createProjectWebhook,
  createUserGroup,
  deleteBanner,
  deleteHeaderBackground,
  deleteLabel,
  deleteProjectService,
  deleteUserGroup,
  deleteWebhook,
  extractReferences,
  getDisabledLinkTypes,
  getIntegrationData,
  getProject,
  getProjectArchive,
  getProjectService,
  getProjectSettings,
  getUserGroup,
  getWebhook,
  type Label,
  listDeletedArtifacts,
  listDeletedTrackers,
  listGroupUsers,
  listLabels,
  listLinkTypes,
  listMembers,
  listProjectFields,
  listProjectHistory,
  listProjectServices,
  listProjectWebhooks,
  listTrackerWebhooks,
  listUserGroups,
  listUsers,
  listWebhookDeliveries,
  type MinimalUser,
  type MinimalUserGroup,
  type ProjectHistoryEntry,
  type ProjectService,
  type ProjectSettings,
  patchGroupUsers,
  patchLabel,
  patchProjectService,
  patchProjectSettings,
  patchUserGroup,
  patchWebhook,
  pingWebhook,
  putBanner,
  putDisabledLinkTypes,
  putHeaderBackground,
  putProjectService,
  putProjectServicesOrder,
  type ResponseOf,
  redeliverWebhook,
  restoreArtifact,
  restoreTracker,
  type Webhook,
  type WebhookDelivery,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { idOfUri } from '../kernel/addresses.ts';
import { followed } from '../kernel/followed.ts';
import type { HeaderBackground } from '../projects/index.ts';
import { trackersOf } from '../shell/index.ts';
import { client, keepStored, markListOld, markOld, projectFacet, queries } from '../store/index.ts';
import { notKept, usePaged } from './paged.ts';

export type {
  Label,
  MinimalUser,
  MinimalUserGroup,
  ProjectHistoryEntry,
  ProjectService,
  ProjectSettings,
  Webhook,
  WebhookDelivery,
};

const keyOf = (project: string, ...parts: readonly unknown[]) => [project, 'admin', ...parts];
const renew = (project: string, ...parts: readonly unknown[]) =>
  queries.invalidateQueries({ queryKey: keyOf(project, ...parts) });
const paramsOf = (project: string) => ({ id: idOfUri(project) });

export const useProjectSettings = (project: string) =>
  useQuery({
    queryKey: keyOf(project, 'settings'),
    meta: notKept,
    queryFn: ({ signal }) => client.call(getProjectSettings, { params: paramsOf(project), signal }),
  });

export const readProjectSettings = (project: string): Promise<ProjectSettings> =>
  client.call(getProjectSettings, { params: paramsOf(project) });

/** Stores some settings; the project is shown by them everywhere. */
export async function saveProjectSettings(
  project: string,
  body: BodyOf<typeof patchProjectSettings>,
): Promise<ProjectSettings> {
  const settings = await client.call(patchProjectSettings, { params: paramsOf(project), body });
  keepStored(keyOf(project, 'settings'), settings);
  await Promise.all([
    markOld(project),
    markListOld(),
    queries.invalidateQueries({ queryKey: ['users/self', 'standing'] }),
    renew(project, 'history'),
  ]);
  return settings;
}

/** The groups that are given and taken away, on top of what somebody else has given meanwhile. */
export async function changeDelegation(
  project: string,
  seen: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const { membership_delegation: now } = await readProjectSettings(project);
  await saveProjectSettings(project, { membership_delegation: followed(now, seen, wanted) });
}

export const readBanner = async (project: string): Promise<string> =>
  (await client.call(getProject, { params: paramsOf(project) })).banner ?? '';

export async function saveBanner(project: string, message: string): Promise<void> {
  const params = paramsOf(project);
  if (message.trim() === '') await client.call(deleteBanner, { params });
  else await client.call(putBanner, { params, body: { message } });
  await queries.invalidateQueries({ queryKey: [project, projectFacet.name] });
}

/** Chooses the picture above the page of a project; none for null. */
export async function saveHeaderPicture(project: string, identifier: HeaderBackground | null): Promise<void> {
  const params = paramsOf(project);
  if (identifier === null) await client.call(deleteHeaderBackground, { params });
  else await client.call(putHeaderBackground, { params, body: { identifier } });
  await Promise.all([markOld(project), renew(project, 'settings')]);
}

export const useAllProjectFields = () =>
  useQuery({
    queryKey: ['platform', 'all-project-fields'],
    meta: notKept,
    queryFn: async ({ signal }) =>
      (await client.call(listProjectFields, { query: { limit: 100 }, signal })).project_fields_representation,
  });

const groupsQuery = (project: string) => ({
  queryKey: keyOf(project, 'groups'),
  meta: notKept,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.call(listUserGroups, { params: paramsOf(project), signal }),
});

export const useGroups = (project: string) => useQuery(groupsQuery(project));

export interface MatrixPerson {
  readonly user: MinimalUser;
  /** Ids of the groups that they are in. */
  readonly groups: readonly string[];
}

export interface Matrix {
  readonly groups: readonly MinimalUserGroup[];
  readonly people: readonly MatrixPerson[];
}

export const membersGroupOf = (project: string) => `${idOfUri(project)}_3`;
const administratorsGroupOf = (project: string) => `${idOfUri(project)}_4`;

/** Whether a group is one that the project made; the others are those that every project has. */
export const isOwnGroup = ({ id }: MinimalUserGroup) => /^\d+$/.test(id);

async function readMatrix(project: string, signal: AbortSignal): Promise<Matrix> {
  const params = paramsOf(project);
  const all = await queries.fetchQuery(groupsQuery(project));
  const [members, administrators] = [membersGroupOf(project), administratorsGroupOf(project)];
  const groups = all.filter(
    (group) => isOwnGroup(group) || group.id === members || group.id === administrators,
  );
  const people = new Map<number, { user: MinimalUser; groups: string[] }>();
  for await (const member of client.all(listMembers, { params, query: { limit: 100 }, signal })) {
    const own = member.user_groups.map(({ id }) => id);
    people.set(member.user.id ?? 0, {
      user: member.user,
      groups: [members, ...(member.is_administrator ? [administrators] : []), ...own],
    });
  }
  // Groups of a project may hold people who are no members of it.
  for (const { id } of groups.filter(isOwnGroup)) {
    const known = [...people.values()].filter((person) => person.groups.includes(id)).length;
    const { page } = await client.send(listGroupUsers, { params: { id }, query: { limit: 1 }, signal });
    if ((page?.size ?? 0) === known) continue;
    for await (const user of client.all(listGroupUsers, { params: { id }, query: { limit: 50 }, signal })) {
      const person = people.get(user.id ?? 0) ?? { user, groups: [] };
      if (!person.groups.includes(id)) person.groups.push(id);
      people.set(user.id ?? 0, person);
    }
  }
  return { groups, people: [...people.values()] };
}

export const useMatrix = (project: string) =>
  useQuery({
    queryKey: keyOf(project, 'matrix'),
    meta: notKept,
    queryFn: ({ signal }) => readMatrix(project, signal),
  });

export interface GroupChange {
  readonly group: string;
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

/** One call for each group that changed; everybody who is not named stays where they are. */
export async function changeGroups(project: string, changes: readonly GroupChange[]): Promise<void> {
  const naming = (ids: readonly number[]) => ids.map((id) => ({ id }));
  try {
    for (const { group, add, remove } of changes)
      await client.call(patchGroupUsers, {
        params: { id: group },
        body: { add: naming(add), remove: naming(remove) },
      });
  } finally {
    await Promise.all([renew(project, 'matrix'), renew(project, 'history'), markListOld()]);
  }
}

/** People by user name or mail address; the names that nobody has. */
export async function findPeople(
  names: readonly string[],
): Promise<{ readonly found: readonly MinimalUser[]; readonly unknown: readonly string[] }> {
  const looked = await Promise.all(
    names.map(async (name) => {
      const criterion = name.includes('@') ? { email: name } : { username: name };
      const [user] = await client.call(listUsers, { query: { query: JSON.stringify(criterion), limit: 1 } });
      return { name, user };
    }),
  );
  return {
    found: looked.flatMap(({ user }) => (user === undefined ? [] : [user])),
    unknown: looked.filter(({ user }) => user === undefined).map(({ name }) => name),
  };
}

/** A group with what lists do not tell of it. */
export type UserGroup = ResponseOf<typeof getUserGroup>;

export const readGroup = (id: string): Promise<UserGroup> => client.call(getUserGroup, { params: { id } });

export async function makeGroup(
  project: string,
  body: Omit<BodyOf<typeof createUserGroup>, 'project_id'>,
): Promise<void> {
  await client.call(createUserGroup, { body: { project_id: idOfUri(project), ...body } });
  await Promise.all([renew(project, 'groups'), renew(project, 'matrix')]);
}

export async function changeGroup(
  project: string,
  id: string,
  body: BodyOf<typeof patchUserGroup>,
): Promise<void> {
  await client.call(patchUserGroup, { params: { id }, body });
  await Promise.all([renew(project, 'groups'), renew(project, 'matrix')]);
}

export async function removeGroup(project: string, id: string): Promise<void> {
  await client.call(deleteUserGroup, { params: { id } });
  await Promise.all([renew(project, 'groups'), renew(project, 'matrix')]);
}

export const useServices = (project: string) =>
  useQuery({
    queryKey: [project, 'services'],
    queryFn: ({ signal }) =>
      client.call(listProjectServices, { params: paramsOf(project), query: { limit: 50 }, signal }),
  });

const servicesChanged = (project: string) => queries.invalidateQueries({ queryKey: [project, 'services'] });

export async function switchService(project: string, id: number, is_enabled: boolean): Promise<void> {
  await client.call(putProjectService, { params: { id }, body: { is_enabled } });
  await servicesChanged(project);
}

export async function orderServices(project: string, ids: readonly number[]): Promise<void> {
  await client.call(putProjectServicesOrder, { params: paramsOf(project), body: { ids: [...ids] } });
  await servicesChanged(project);
}

export const readService = (id: number): Promise<ProjectService> =>
  client.call(getProjectService, { params: { id } });

export async function makeLink(project: string, body: BodyOf<typeof createProjectService>): Promise<void> {
  await client.call(createProjectService, { params: paramsOf(project), body });
  await servicesChanged(project);
}

export async function changeLink(
  project: string,
  id: number,
  body: BodyOf<typeof patchProjectService>,
): Promise<void> {
  await client.call(patchProjectService, { params: { id }, body });
  await servicesChanged(project);
}

export async function removeLink(project: string, id: number): Promise<void> {
  await client.call(deleteProjectService, { params: { id } });
  await servicesChanged(project);
}

export const useLabels = (project: string) =>
  usePaged(keyOf(project, 'labels'), async (offset, signal) => {
    const { body, page } = await client.send(listLabels, {
      params: paramsOf(project),
      query: { limit: 50, offset },
      signal,
    });
    return { items: body.labels, size: page?.size ?? body.labels.length };
  });

/** As it is now; as it was known where it is gone. */
export async function readLabel(project: string, label: Label): Promise<Label> {
  const query = { limit: 50 };
  for (let offset = 0; ; offset += query.limit) {
    const { labels } = await client.call(listLabels, {
      params: paramsOf(project),
      query: { ...query, offset },
    });
    const found = labels.find(({ id }) => id === label.id);
    if (found !== undefined || labels.length < query.limit) return found ?? label;
  }
}

export async function makeLabel(project: string, body: BodyOf<typeof createLabel>): Promise<void> {
  await client.call(createLabel, { params: paramsOf(project), body });
  await renew(project, 'labels');
}

export async function changeLabel(
  project: string,
  id: number,
  body: BodyOf<typeof patchLabel>,
): Promise<void> {
  await client.call(patchLabel, { params: { ...paramsOf(project), label_id: id }, body });
  await renew(project, 'labels');
}

export async function removeLabel(project: string, id: number): Promise<void> {
  await client.call(deleteLabel, { params: { id: idOfUri(project), label_id: id } });
  await renew(project, 'labels');
}

export const useLinkTypes = (project: string) =>
  useQuery({
    queryKey: keyOf(project, 'link-types'),
    meta: notKept,
    queryFn: async ({ signal }) => {
      const [types, { shortnames }] = await Promise.all([
        client.call(listLinkTypes, { signal }),
        client.call(getDisabledLinkTypes, { params: paramsOf(project), signal }),
      ]);
      return types.map((type) => ({ ...type, isOn: !shortnames.includes(type.shortname) }));
    },
  });

/** All that are off are stored together: each change goes on from what is stored after the one before. */
let lastSwitch: Promise<unknown> = Promise.resolve();

export async function switchLinkType(project: string, shortname: string, isOn: boolean): Promise<void> {
  const params = paramsOf(project);
  const send = async () => {
    const { shortnames } = await client.call(getDisabledLinkTypes, { params });
    const others = shortnames.filter((other) => other !== shortname);
    await client.call(putDisabledLinkTypes, {
      params,
      body: { shortnames: isOn ? others : [...others, shortname] },
    });
  };
  const sent = lastSwitch.then(send, send);
  lastSwitch = sent;
  await sent;
  await renew(project, 'link-types');
}

export const useReferenceWords = (project: string) =>
  useQuery({
    queryKey: keyOf(project, 'references'),
    meta: notKept,
    queryFn: async ({ signal }) =>
      (await client.call(getIntegrationData, { params: paramsOf(project), signal })).references,
  });

export const findReferences = (project: string, text: string) =>
  client.call(extractReferences, { params: paramsOf(project), body: { text } });

export interface PlacedWebhook extends Webhook {
  /** The tracker that it listens to; undefined for the whole project. */
  readonly trackerLabel: string | undefined;
}

export const useWebhooks = (project: string) =>
  useQuery({
    queryKey: keyOf(project, 'webhooks'),
    meta: notKept,
    queryFn: async ({ signal }): Promise<PlacedWebhook[]> => {
      const params = paramsOf(project);
      const query = { limit: 50 };
      const [whole, trackers] = await Promise.all([
        client.call(listProjectWebhooks, { params, query, signal }),
        trackersOf(project),
      ]);
      const ofTracker = async ({ id, label }: (typeof trackers)[number]) => {
        const own = await client.call(listTrackerWebhooks, { params: { id }, query, signal });
        return own.map((hook) => ({ ...hook, trackerLabel: label }));
      };
      const administered = trackers.filter(({ isAdministered }) => isAdministered);
      const others = await Promise.all(administered.map(ofTracker));
      return [...whole.map((hook) => ({ ...hook, trackerLabel: undefined })), ...others.flat()];
    },
  });

/** Gives the secret: it is told this once. */
export async function makeWebhook(
  project: string,
  body: BodyOf<typeof createProjectWebhook>,
): Promise<string> {
  const { secret } = await client.call(createProjectWebhook, { params: paramsOf(project), body });
  await renew(project, 'webhooks');
  return secret;
}

export const readWebhook = (id: number) => client.call(getWebhook, { params: { id } });

export async function changeWebhook(
  project: string,
  id: number,
  body: BodyOf<typeof patchWebhook>,
): Promise<string | null> {
  const { secret } = await client.call(patchWebhook, { params: { id }, body });
  await renew(project, 'webhooks');
  return secret;
}

export async function removeWebhook(project: string, id: number): Promise<void> {
  await client.call(deleteWebhook, { params: { id } });
  await renew(project, 'webhooks');
}

/** Deliveries are looked at again while one of them is on its way. */
export const useWebhookDeliveries = (id: number) =>
  useQuery({
    queryKey: [`webhooks/${id}`, 'deliveries'],
    meta: notKept,
    queryFn: ({ signal }) =>
      client.call(listWebhookDeliveries, { params: { id }, query: { limit: 50 }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state, attempts }) => state === 'waiting' && attempts < 2) === true ? 500 : 10_000,
  });

const deliveriesChanged = (id: number) =>
  queries.invalidateQueries({ queryKey: [`webhooks/${id}`, 'deliveries'] });

export async function ping(id: number): Promise<void> {
  await client.call(pingWebhook, { params: { id } });
  await deliveriesChanged(id);
}

export async function sendAgain(id: number, delivery: number): Promise<void> {
  await client.call(redeliverWebhook, { params: { id, delivery_id: delivery } });
  await deliveriesChanged(id);
}

export const useArchives = (project: string) =>
  useQuery({
    queryKey: keyOf(project, 'archive'),
    meta: notKept,
    queryFn: ({ signal }) => client.call(getProjectArchive, { params: paramsOf(project), signal }),
  });

export const useHistory = (project: string, event: string | undefined) =>
  usePaged(keyOf(project, 'history', event), async (offset, signal) => {
    const { body, page } = await client.send(listProjectHistory, {
      params: paramsOf(project),
      query: { ...(event === undefined ? {} : { query: JSON.stringify({ event }) }), limit: 50, offset },
      signal,
    });
    return { items: body, size: page?.size ?? body.length };
  });

export const useDeletedTrackers = (project: string) =>
  usePaged(keyOf(project, 'trash', 'trackers'), async (offset, signal) => {
    const { body, page } = await client.send(listDeletedTrackers, {
      params: paramsOf(project),
      query: { limit: 50, offset },
      signal,
    });
    return { items: body, size: page?.size ?? body.length };
  });

/** Deleted artifacts of this project, of all that one can bring back. */
export const useDeletedArtifacts = (project: string) =>
  useQuery({
    queryKey: keyOf(project, 'trash', 'artifacts'),
    meta: notKept,
    queryFn: async ({ signal }) => {
      const trackers = await trackersOf(project);
      const found = await Promise.all(
        trackers
          .filter(({ isAdministered }) => isAdministered)
          .map(({ id }) =>
            client.call(listDeletedArtifacts, {
              query: { query: JSON.stringify({ tracker_id: id }), limit: 50 },
              signal,
            }),
          ),
      );
      return found.flat();
    },
  });

export async function bringBackTracker(
  project: string,
  id: number,
  itemName: string | undefined,
): Promise<void> {
  await client.call(restoreTracker, {
    params: { id },
    body: itemName === undefined ? {} : { item_name: itemName },
  });
  await Promise.all([
    renew(project, 'trash'),
    queries.invalidateQueries({ queryKey: [project, 'trackers'] }),
  ]);
}

export async function bringBackArtifact(project: string, id: number): Promise<void> {
  await client.call(restoreArtifact, { params: { id } });
  await Promise.all([renew(project, 'trash'), markListOld()]);
}
