import { ApiError } from '@atelier/client';
import {
  type AwaitedProject,
  createProject,
  getHeartbeats,
  type Heartbeats,
  listMembers,
  listProjectFields,
  listProjectSvn,
  listUsers,
  type Project,
  type ProjectMember,
  patchGroupUsers,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { idOfUri } from '../kernel/addresses.ts';
import {
  client,
  type Facet,
  type ListSource,
  listAddress,
  markListOld,
  queries,
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

export const useHeartbeats = (project: string | undefined) =>
  useQuery({
    queryKey: [project ?? '', 'heartbeats'],
    enabled: project !== undefined,
    queryFn: ({ signal }) => client.call(getHeartbeats, { params: { id: idOfUri(project ?? '') }, signal }),
  });

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

function bodyOf({ label, shortname, description, isPublic, template, copyOf, fields }: NewProject) {
  return {
    label,
    shortname,
    description,
    is_public: isPublic,
    ...(copyOf === undefined ? { xml_template_name: template } : { template_id: copyOf }),
    ...(fields.length === 0 ? {} : { fields: [...fields] }),
  };
}

/** What is wrong with a project that is about to be made, in the server's words; null where nothing is. */
export async function checkProject(project: NewProject, signal: AbortSignal): Promise<string | null> {
  try {
    await client.call(createProject, { body: bodyOf(project), query: { dry_run: true }, signal });
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return wordsOfError(error);
    throw error;
  }
}

export async function makeProject(project: NewProject): Promise<Project | AwaitedProject> {
  const made = await client.call(createProject, { body: bodyOf(project) });
  await queries.invalidateQueries({ queryKey: ['users/self'] });
  await markListOld();
  return made;
}

/** Fields that the platform asks for of every project. */
export const useProjectFields = () =>
  useQuery({
    queryKey: ['platform', 'project-fields'],
    queryFn: ({ signal }) => client.call(listProjectFields, { signal }),
  });
