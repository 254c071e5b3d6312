import { ApiError } from '@atelier/client';
import {
  type AwaitedProject,
  type BodyOf,
  countArtifacts,
  createPasswordLink,
  createProject,
  createTracker,
  createUser,
  deleteProject,
  getHeartbeats,
  getProjectImport,
  type Heartbeats,
  listMembers,
  listProjectFields,
  listProjectImports,
  listProjectSvn,
  listTemplates,
  listUsers,
  type Project,
  type ProjectMember,
  patchGroupUsers,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { possibleChoices } from '../fields/index.ts';
import { idOfUri } from '../kernel/addresses.ts';
import { trackersKey, trackersOf } from '../shell/index.ts';
import {
  client,
  type Facet,
  type ListSource,
  listAddress,
  markListOld,
  queries,
  useLive,
  useStanding,
  useTracker,
  wordsOfError,
} from '../store/index.ts';

export type { Heartbeats, Project, ProjectMember };

const memberFacet: Facet<ProjectMember> = { name: 'member' };

/** Members of a project, by user name. */
export function membersSource(project: string, words: string): ListSource<ProjectMember> {
  return {
    address: listAddress(`/${project}/members`, { query: words }),
    pageSize: 100,
    read: async (offset, limit, signal) => {
      const query = { ...(words === '' ? {} : { query: words }), limit, offset };
      const { body, page } = await client.send(listMembers, {
        params: { id: idOfUri(project) },
        query,
        signal,
      });
      return { items: body, size: page?.size ?? body.length };
    },
    uriOf: ({ user }) => `${project}/members/${user.id}`,
    facet: memberFacet,
  };
}

/** What happened last; what is committed meanwhile is told. */
export function useHeartbeats(project: string | undefined) {
  const answer = useQuery({
    queryKey: [project ?? '', 'heartbeats'],
    enabled: project !== undefined,
    queryFn: ({ signal }) => client.call(getHeartbeats, { params: { id: idOfUri(project ?? '') }, signal }),
  });
  useLive(project === undefined ? undefined : `projects/${idOfUri(project)}`, ({ event }) => {
    if (event === 'svn' || event === 'reset') void answer.refetch();
  });
  return answer;
}

export const useRepositories = (project: string | undefined) =>
  useQuery({
    queryKey: [project ?? '', 'svn'],
    enabled: project !== undefined,
    queryFn: async ({ signal }) => {
      const { repositories } = await client.call(listProjectSvn, {
        params: { id: idOfUri(project ?? '') },
        query: { limit: 50 },
        signal,
      });
      return repositories;
    },
  });

/** Groups that every project has. */
const membersGroup = (project: string) => `${idOfUri(project)}_3`;
const administratorsGroup = (project: string) => `${idOfUri(project)}_4`;

async function patchGroup(
  group: string,
  body: { add?: { id: number }[]; remove?: { id: number }[] },
): Promise<void> {
  await client.call(patchGroupUsers, { params: { id: group }, body });
  await markListOld();
}

export const addMembers = (project: string, ids: readonly number[]) =>
  patchGroup(membersGroup(project), { add: ids.map((id) => ({ id })) });

export const removeMember = (project: string, id: number) =>
  patchGroup(membersGroup(project), { remove: [{ id }] });

export const setAdministrator = (project: string, id: number, is: boolean) =>
  patchGroup(administratorsGroup(project), is ? { add: [{ id }] } : { remove: [{ id }] });

/** The account of somebody by user name or mail address; undefined where there is none. */
export async function findPerson(name: string): Promise<number | undefined> {
  const criterion = name.includes('@') ? { email: name } : { username: name };
  const [user] = await client.call(listUsers, { query: { query: JSON.stringify(criterion), limit: 1 } });
  return user?.id ?? undefined;
}

/** The part of an address before its sign, as a name of an account can be written. */
const loginFor = (address: string): string => {
  const letters = (address.split('@')[0] ?? '').toLowerCase().replace(/[^a-z0-9._-]/g, '');
  return /^[a-z]/.test(letters) ? letters : `u${letters}`;
};

/** Makes an account for an address, which becomes a member, and gives the link by which its owner chooses a password. */
export async function invite(project: string, address: string): Promise<string> {
  const username = loginFor(address);
  const { id } = await client.call(createUser, { body: { username, real_name: username, email: address } });
  await addMembers(project, [id ?? 0]);
  return (await client.call(createPasswordLink, { params: { id: String(id) } })).href;
}

/** How many artifacts of a tracker have each value of its status, open ones only and in the order of the values. */
export interface StatusCount {
  readonly id: string;
  readonly label: string;
  readonly color: string | null;
  readonly count: number;
}

export function useStatusCounts(trackerUri: string | undefined): readonly StatusCount[] | undefined {
  const { thing: tracker } = useTracker(trackerUri);
  const status = tracker?.semantics.status;
  const field = tracker?.fields.find(({ field_id: id }) => id === status?.field_id);
  const { data } = useQuery({
    queryKey: [trackerUri, 'status-counts', field?.name],
    enabled: field !== undefined,
    queryFn: async ({ signal }) => {
      const { buckets } = await client.call(countArtifacts, {
        params: { id: idOfUri(trackerUri ?? '') },
        query: { by: [`${field?.name ?? ''}:first`] },
        signal,
      });
      return buckets;
    },
  });
  const open = new Set((status?.value_ids ?? []).map(String));
  const order = field === undefined ? [] : possibleChoices(field).map(({ id }) => String(id));
  return data
    ?.filter(({ key, count }) => key !== null && open.has(String(key)) && count > 0)
    .map(({ key, label, color, count }) => ({ id: String(key), label, color, count }))
    .sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}

/** What new projects and trackers can begin with. */
export const useTemplates = () =>
  useQuery({
    queryKey: ['platform', 'templates'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => client.call(listTemplates, { signal }),
  });

export interface AdministeredTracker {
  readonly id: number;
  readonly label: string;
  readonly color: string;
  readonly project: string;
}

/** Trackers that one administers, in all of one's projects: those can be copied. */
export function useAdministeredTrackers(): readonly AdministeredTracker[] {
  const { memberships } = useStanding();
  const { data } = useQuery({
    queryKey: ['users/self', 'administered', memberships.map(({ project }) => project.id).join()],
    queryFn: async () => {
      const found = await Promise.all(
        memberships.map(async ({ project }) =>
          (await trackersOf(project.uri))
            .filter(({ isAdministered }) => isAdministered)
            .map(({ id, label, color }) => ({ id, label, color, project: project.label_without_icon })),
        ),
      );
      return found.flat();
    },
  });
  return data ?? [];
}

export type TrackerColour = NonNullable<BodyOf<typeof createTracker>['color_name']>;

export interface NewTracker {
  readonly label: string;
  readonly itemName: string;
  readonly description: string;
  /** Of an empty one; others bring theirs. */
  readonly color: TrackerColour;
  readonly source:
    | { readonly kind: 'empty' }
    | { readonly kind: 'copy'; readonly trackerId: number }
    | { readonly kind: 'template'; readonly name: string; readonly itemName: string };
}

export async function makeTracker(project: string, wish: NewTracker): Promise<number> {
  const { label, itemName, description, color, source } = wish;
  const made = await client.call(createTracker, {
    params: { id: idOfUri(project) },
    body: {
      label,
      item_name: itemName,
      ...(description === '' ? {} : { description }),
      ...(source.kind === 'empty' ? { color_name: color } : {}),
      ...(source.kind === 'copy' ? { from_tracker_id: source.trackerId } : {}),
      ...(source.kind === 'template'
        ? { from_template: { name: source.name, item_name: source.itemName } }
        : {}),
    },
  });
  await queries.invalidateQueries({ queryKey: trackersKey(project) });
  return made.id;
}

/** A project whose archive is on its way; kept, so that an upload that was cut off goes on later. */
export interface AwaitedArchive {
  readonly uploadHref: string;
  readonly importId: number;
  readonly fileName: string;
  readonly fileSize: number;
  readonly shortname: string;
  readonly label: string;
}

/** Makes a project whose content comes from an archive that is still to be uploaded. */
export async function awaitArchive(project: NewProject, file: File): Promise<AwaitedArchive> {
  const made = await client.call(createProject, { body: bodyOf(project, file) });
  const uploadHref = 'upload_href' in made ? made.upload_href : '';
  const imports = await client.call(listProjectImports, { query: { limit: 50 } });
  const own = imports.find(({ upload_href: href }) => href === uploadHref);
  if (own === undefined) throw new Error('The import that was asked for is not listed.');
  const { label, shortname } = project;
  return { uploadHref, importId: own.id, fileName: file.name, fileSize: file.size, shortname, label };
}

/** Small pieces: an upload can be halted soon, and little is sent twice. */
const pieceSize = 1_048_576;

/** Sends an archive from where an earlier attempt ended. */
export const uploadArchive = (
  { uploadHref }: AwaitedArchive,
  file: File,
  options: { onProgress(arrived: number, size: number): void; readonly signal: AbortSignal },
) => client.upload({ upload_href: uploadHref }, file, { ...options, pieceSize });

/** How far an import is; asked every second until it is over. */
export const useImport = (id: number, isWatched: boolean) =>
  useQuery({
    queryKey: [`project_imports/${id}`, 'full'],
    enabled: isWatched,
    meta: { isKept: false },
    queryFn: ({ signal }) => client.call(getProjectImport, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'done' || data?.state === 'failed' ? false : 1000,
  });

export interface NewProject {
  readonly label: string;
  readonly shortname: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly template: string;
  /** A project to copy, in place of a template. */
  readonly copyOf: number | undefined;
  readonly fields: readonly { readonly field_id: number; readonly value: string }[];
}

type Origin = Partial<
  Pick<BodyOf<typeof createProject>, 'xml_template_name' | 'template_id' | 'from_archive'>
>;

function originOf({ template, copyOf }: NewProject, file: File | undefined): Origin {
  if (copyOf !== undefined) return { template_id: copyOf };
  if (template !== 'archive') return { xml_template_name: template };
  return { from_archive: { file_name: file?.name ?? 'archive.zip', file_size: file?.size ?? 0 } };
}

function bodyOf(project: NewProject, file?: File) {
  const { label, shortname, description, isPublic, fields } = project;
  return {
    label,
    shortname,
    description,
    is_public: isPublic,
    ...originOf(project, file),
    ...(fields.length === 0 ? {} : { fields: [...fields] }),
  };
}

/** What is wrong with a project that is about to be made, in the server's words; null where nothing is. */
export async function checkProject(project: NewProject, signal: AbortSignal): Promise<string | null> {
  // An archive is not there yet: what can be checked are the names.
  const checked = project.template === 'archive' ? { ...project, template: 'empty' } : project;
  try {
    await client.call(createProject, { body: bodyOf(checked), query: { dry_run: true }, signal });
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return wordsOfError(error);
    throw error;
  }
}

/** What changes when a project is there: one's own projects, and all lists of projects. */
export async function projectIsThere(): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['users/self'] });
  await markListOld();
}

/** With all that is in it; the trash of the platform has it for a while. */
export async function removeProject(uri: string): Promise<void> {
  await client.call(deleteProject, { params: { id: idOfUri(uri) } });
  await projectIsThere();
}

export async function makeProject(project: NewProject): Promise<Project | AwaitedProject> {
  const made = await client.call(createProject, { body: bodyOf(project) });
  await projectIsThere();
  return made;
}

/** Fields that the platform asks for of every project. */
export const useProjectFields = () =>
  useQuery({
    queryKey: ['platform', 'project-fields'],
    queryFn: ({ signal }) => client.call(listProjectFields, { signal }),
  });
