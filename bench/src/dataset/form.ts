import { type Client, createClient } from '@atelier/client';
import {
  createAccessKey,
  createField,
  createProject,
  createTracker,
  createUser,
  getUser,
  putGroupUsers,
  putSemantics,
} from '@atelier/contract';

/** The tracker that is filled, as far as filling it and asking for its artifacts need to know it. */
export interface Form {
  projectId: number;
  trackerId: number;
  /** Ids of the fields. */
  fields: Fields;
  /** Ids of the values of lists. */
  values: Values;
  /** Ids of the accounts that are members of the project. */
  members: readonly number[];
  /** How the first of them signs in, and an access key of theirs. */
  member: { username: string; password: string };
  memberKey: string;
}
type Fields = Awaited<ReturnType<typeof addFields>>['fields'];
type Values = Awaited<ReturnType<typeof addFields>>['values'];

const people = ['ada', 'berta', 'carl', 'dora', 'emil', 'frieda'] as const;
const statuses = [
  'New',
  'Assigned',
  'In progress',
  'In review',
  'Verified',
  'Closed',
  'Rejected',
  'Postponed',
];
const openStatuses = 5;
const severities = ['Cosmetic', 'Minor', 'Major', 'Critical'];
const categories = ['Interface', 'Database', 'Network', 'Documents', 'Import', 'Mail', 'Search', 'Security'];

/** A tracker to be filled with as many artifacts as somebody wants, and a small one beside it. */
export interface Forms {
  form: Form;
  beside: Form;
}

/** Creates a project with members and empty trackers, all over the API. */
export async function createForms(baseUrl: string, adminKey: string): Promise<Forms> {
  const admin = createClient({ baseUrl, accessKey: adminKey });
  const [first, ...others] = people;
  const members = [await createPerson(admin, first, { password: passwordOf(first) })];
  for (const name of others) members.push(await createPerson(admin, name));
  const projectId = await createProjectOf(admin, members);
  const member = { username: first, password: passwordOf(first) };
  const project = { projectId, members, member, memberKey: await createKey(baseUrl, first) };
  return {
    form: { ...project, ...(await createTrackerIn(admin, projectId, 'Requests', 'request')) },
    beside: { ...project, ...(await createTrackerIn(admin, projectId, 'Questions', 'question')) },
  };
}

async function createTrackerIn(admin: Client, projectId: number, label: string, item_name: string) {
  const { id: trackerId } = await admin.call(createTracker, {
    params: { id: projectId },
    body: { label, item_name },
  });
  const form = await addFields(admin, trackerId);
  await giveMeaning(admin, trackerId, form);
  return { trackerId, ...form };
}

const passwordOf = (name: string) => `${name}-of-the-benchmark`;

async function createPerson(admin: Client, name: string, more: { password?: string } = {}): Promise<number> {
  const real_name = `${name.charAt(0).toUpperCase()}${name.slice(1)} Example`;
  const body = { username: name, real_name, email: `${name}@example.com`, ...more };
  return known((await admin.call(createUser, { body })).id);
}

/** Only nobody has no id. */
function known(id: number | null): number {
  if (id === null) throw new Error('The account has no id');
  return id;
}

async function createProjectOf(admin: Client, members: readonly number[]): Promise<number> {
  const { id } = await admin.call(createProject, {
    body: { shortname: 'requests', label: 'Requests', is_public: true, xml_template_name: 'empty' },
  });
  const creator = await admin.call(getUser, { params: { id: 'self' } });
  const all = [known(creator.id), ...members].map((member) => ({ id: member }));
  await admin.call(putGroupUsers, { params: { id: `${id}_3` }, body: all });
  return id;
}

/** A key belongs to whoever makes it, so its owner logs in by password once. */
async function createKey(baseUrl: string, name: string): Promise<string> {
  const credentials = Buffer.from(`${name}:${passwordOf(name)}`).toString('base64');
  const owner = createClient({
    baseUrl,
    fetch: (address, init) => {
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `Basic ${credentials}`);
      return fetch(address, { ...init, headers });
    },
  });
  return (await owner.call(createAccessKey, { body: { description: 'benchmark' } })).identifier;
}

/** Twelve fields that show a value: an artifact answers about 4 kB. */
async function addFields(admin: Client, trackerId: number) {
  const add = (type: string, label: string, more = {}) =>
    admin.call(createField, { params: { id: trackerId }, body: { type, label, ...more } });
  const addList = async (type: string, label: string, labels: string[]) => {
    const values = labels.map((text) => ({ label: text }));
    const list = await add(type, label, { bind: { type: 'static', values } });
    return { field_id: list.field_id, values: idsIn(list.values) };
  };
  const elements = {
    title: await add('string', 'Title'),
    description: await add('text', 'Description'),
    status: await addList('sb', 'Status', statuses),
    severity: await addList('sb', 'Severity', severities),
    assignee: await add('sb', 'Assigned to', { bind: { type: 'users' } }),
    categories: await addList('msb', 'Categories', categories),
    startDate: await add('date', 'Start date'),
    dueDate: await add('date', 'Due date'),
    effort: await add('float', 'Effort'),
    points: await add('int', 'Points'),
    links: await add('art_link', 'Links'),
    submittedOn: await add('subon', 'Submitted on'),
  };
  return {
    fields: idsOf(elements),
    values: {
      status: elements.status.values,
      severity: elements.severity.values,
      categories: elements.categories.values,
    },
  };
}

function idsOf<Name extends string>(elements: Record<Name, { field_id: number }>): Record<Name, number> {
  const ids: Partial<Record<Name, number>> = {};
  for (const name in elements) ids[name] = elements[name].field_id;
  return ids as Record<Name, number>;
}

function idsIn(values: unknown): number[] {
  if (!Array.isArray(values)) throw new Error('The list has no values');
  return values.map(({ id }: { id: number }) => id);
}

async function giveMeaning(
  admin: Client,
  trackerId: number,
  { fields, values }: Pick<Form, 'fields' | 'values'>,
) {
  await admin.call(putSemantics, {
    params: { id: trackerId },
    body: {
      title: { field_id: fields.title },
      description: { field_id: fields.description },
      status: { field_id: fields.status, value_ids: values.status.slice(0, openStatuses) },
      contributor: { field_id: fields.assignee },
    },
  });
}
