import { expect } from 'vitest';
import { type Database, openDatabase } from '../src/storage/index.ts';
import type { Atelier, Caller, Person, Reply } from './harness/atelier.ts';

export interface CreatedProject {
  readonly id: number;
  readonly shortname: string;
}

/** Creates a project; the caller administers it. */
export async function createProject(
  caller: Caller,
  shortname: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<CreatedProject> {
  const body = {
    shortname,
    label: `Project ${shortname}`.slice(0, 40),
    is_public: true,
    xml_template_name: 'empty',
    ...more,
  };
  const reply = await caller.post('/projects', body);
  expect(reply.status, reply.text).toBe(201);
  return { id: reply.body.id, shortname };
}

export async function createGroup(caller: Caller, projectId: number, name: string): Promise<string> {
  const reply = await caller.post('/user_groups', { project_id: projectId, short_name: name });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

export const references = (people: readonly Person[]) => people.map(({ id }) => ({ id }));

/** Replaces the members of a group. */
export async function setMembers(caller: Caller, groupId: string, people: readonly Person[]): Promise<void> {
  const reply = await caller.put(`/user_groups/${groupId}/users`, references(people));
  expect(reply.status, reply.text).toBe(200);
}

export async function membersOf(caller: Caller, groupId: string): Promise<string[]> {
  const { status, body, text } = await caller.get(`/user_groups/${groupId}/users?limit=50`);
  expect(status, text).toBe(200);
  return body.map((user: { username: string }) => user.username);
}

/** Gives delegated platform permissions to one person. */
export async function delegate(
  atelier: Atelier,
  person: Person,
  permissions: readonly number[],
): Promise<void> {
  const name = `delegation-${person.name}-${permissions.join('-')}`;
  const group = await atelier.admin.post('/platform/groups', { name });
  expect(group.status, group.text).toBe(201);
  const change = { user_ids: [person.id], permissions };
  const { status, text } = await atelier.admin.put(`/platform/groups/${group.body.id}`, change);
  expect(status, text).toBe(200);
}

export const query = (criteria: unknown) => encodeURIComponent(JSON.stringify(criteria));

export const idsOf = ({ body }: Reply): number[] => body.map(({ id }: { id: number }) => id);
export const sizeOf = ({ headers }: Reply) => Number(headers.get('x-pagination-size'));

/** The types of system events so far, oldest first. */
export async function taskTypesOf(atelier: Atelier): Promise<string[]> {
  const types: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const { body } = await atelier.admin.get(`/system_event?limit=100&offset=${offset}`);
    types.push(...body.map(({ type }: { type: string }) => type));
    if (body.length < 100) return types;
  }
}

/** The database of a running instance, for states that no route leads to. */
export function databaseOf({ instance }: Atelier): Promise<Database> {
  const databaseUrl = instance.environment['ATELIER_DATABASE_URL'];
  return openDatabase({ folder: instance.folder, databaseUrl, connections: 2 });
}

/** Changes a project past all rules, and tells every thread. */
export async function forceProject(
  atelier: Atelier,
  id: number,
  change: { status?: 'importing'; withoutMembers?: true },
): Promise<void> {
  const database = await databaseOf(atelier);
  await database.transaction(async (tx) => {
    const { status } = change;
    if (status !== undefined)
      await tx.run(tx.sql.updateTable('project').set({ status }).where('id', '=', id));
    if (change.withoutMembers) await tx.run(tx.sql.deleteFrom('project_member').where('project_id', '=', id));
    await tx.touch('identity');
  });
  await database.close();
}
