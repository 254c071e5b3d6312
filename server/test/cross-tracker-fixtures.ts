import type { Tracker } from '@atelier/contract';
import { expect } from 'vitest';
import { submit } from './artifact-fixtures.ts';
import type { Atelier, Caller, Person, Reply } from './harness/atelier.ts';
import { createGroup, createProject, query, setMembers } from './project-fixtures.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  readTracker,
  setFieldPermissions,
  setSemantics,
  valueIds,
} from './tracker-fixtures.ts';

type Members = Readonly<Record<string, unknown>>;

const staticList = (...labels: string[]) => ({
  type: 'static',
  values: labels.map((label) => ({ label, ...(label === 'Open' ? { color: 'acid-green' } : {}) })),
});
const people = { type: 'users', groups: ['3'] };
const groups = { type: 'ugroups' };

const taskFields = [
  { type: 'string', name: 'summary' },
  { type: 'text', name: 'details' },
  { type: 'sb', name: 'state', bind: staticList('Open', 'Closed') },
  { type: 'sb', name: 'owner', bind: people },
  { type: 'int', name: 'points' },
  { type: 'date', name: 'due' },
  { type: 'sb', name: 'level', bind: staticList('10 high', '2 mid', 'low') },
  { type: 'sb', name: 'lead', bind: people },
  { type: 'rb', name: 'team', bind: groups },
  { type: 'tbl', name: 'tags', bind: staticList('red', 'green') },
  { type: 'tbl', name: 'helpers', bind: people },
  { type: 'msb', name: 'many', bind: staticList('one', 'two') },
  { type: 'string', name: 'secret' },
  { type: 'int', name: 'clash' },
  { type: 'date', name: 'moment' },
  { type: 'subon', name: 'made' },
  { type: 'file', name: 'papers' },
  { type: 'perm', name: 'readers' },
  { type: 'art_link', name: 'links' },
];

const bugFields = [
  { type: 'string', name: 'summary' },
  { type: 'rb', name: 'state', bind: staticList('Open', 'Done') },
  { type: 'float', name: 'points' },
  { type: 'date', name: 'due' },
  { type: 'sb', name: 'level', bind: staticList('2 mid', '1 tiny') },
  { type: 'string', name: 'secret' },
  { type: 'string', name: 'clash' },
  { type: 'date', name: 'moment', specific_properties: { display_time: 1 } },
  { type: 'subby', name: 'author' },
  { type: 'art_link', name: 'links' },
];

async function makeTracker(
  caller: Caller,
  projectId: number,
  name: string,
  fields: readonly (Members & { readonly type: string; readonly name: string })[],
): Promise<Tracker> {
  const { id } = await createTracker(caller, projectId, { item_name: name, label: `The ${name}s` });
  for (const field of fields) await addField(caller, id, field);
  return readTracker(caller, id);
}

/** Entries of `values` from values by short name; texts of lists are labels. */
export function entries(tracker: Tracker, values: Members): Members[] {
  return Object.entries(values).map(([name, value]) => {
    const { field_id, type, values: known } = fieldNamed(tracker, name);
    if (type === 'tbl') return { field_id, value: { bind_value_objects: value } };
    if (type === 'art_link') return { field_id, links: value };
    if (!['sb', 'rb', 'msb'].includes(type)) return { field_id, value };
    const ids = valueIds({ values: known });
    const chosen = Array.isArray(value) ? value : [value];
    return { field_id, bind_value_ids: chosen.map((label) => ids[label] ?? label) };
  });
}

/** Two projects, each with a tracker, and five artifacts in them. */
export interface World {
  readonly alice: Person;
  readonly bob: Person;
  /** Member of nothing. */
  readonly carol: Person;
  readonly alpha: number;
  /** Private. */
  readonly beta: number;
  readonly task: Tracker;
  readonly bug: Tracker;
  /** Ids by A to E. */
  readonly ids: Readonly<Record<string, number>>;
}

/**
 * alice administers both projects, bob is a member of them. In `bug` only administrators read `secret` and, with it,
 * `author`; C is for administrators only.
 */
export async function makeWorld(atelier: Atelier): Promise<World> {
  const alice = await atelier.createUser('alice', { real_name: 'Zoe' });
  const bob = await atelier.createUser('bob', { real_name: 'Adam' });
  const carol = await atelier.createUser('carol');
  const { id: alpha } = await createProject(alice, 'alpha');
  const { id: beta } = await createProject(alice, 'beta', { is_public: false });
  for (const id of [alpha, beta]) await setMembers(alice, `${id}_3`, [alice, bob]);
  await createGroup(alice, alpha, 'Artists');
  const task = await makeTracker(alice, alpha, 'task', taskFields);
  const bug = await makeTracker(alice, beta, 'bug', bugFields);
  const idOf = (tracker: Tracker, name: string) => fieldNamed(tracker, name).field_id;
  const status = (tracker: Tracker) => ({
    field_id: idOf(tracker, 'state'),
    value_ids: [valueIds(fieldNamed(tracker, 'state'))['Open']],
  });
  await setSemantics(alice, task.id, {
    title: { field_id: idOf(task, 'summary') },
    description: { field_id: idOf(task, 'details') },
    status: status(task),
    contributor: { field_id: idOf(task, 'owner') },
  });
  await setSemantics(alice, bug.id, {
    title: { field_id: idOf(bug, 'summary') },
    status: status(bug),
  });
  const administrators = [`${beta}_4`];
  await setFieldPermissions(alice, idOf(bug, 'secret'), {
    can_read: administrators,
    can_submit: administrators,
  });
  await setFieldPermissions(alice, idOf(bug, 'author'), { can_read: administrators });
  const add = (caller: Caller, tracker: Tracker, values: Members) =>
    submit(caller, tracker.id, entries(tracker, values));
  const E = await add(bob, bug, { summary: '', state: 'Done' });
  const D = await add(alice, bug, {
    summary: 'Éclair <b>',
    state: 'Open',
    points: 3.5,
    due: '2024-01-20',
    level: '1 tiny',
    secret: 'sesame',
    clash: 'x',
    moment: '2024-01-20T10:30:00+01:00',
  });
  const C = await add(alice, task, {
    summary: 'apple',
    details: { content: 'a & b', format: 'text' },
    state: 'Closed',
    points: 8,
    due: '2024-02-01',
    level: 'low',
  });
  const B = await add(alice, task, { summary: '9 lives', level: '2 mid', lead: alice.id, secret: 'sesame' });
  const A = await add(bob, task, {
    summary: '10 pins',
    details: { content: '**bold**', format: 'commonmark' },
    state: 'Open',
    owner: bob.id,
    points: 3,
    due: '2024-01-10',
    level: '10 high',
    lead: bob.id,
    team: valueOfGroup(task, 'Artists'),
    tags: [{ label: 'Café' }, { id: valueIds(fieldNamed(task, 'tags'))['red'] }],
    helpers: [{ id: alice.id }, { email: 'zed@example.org' }],
    many: ['one', 'two'],
    links: [{ id: B, type: '_is_child' }, { id: C }, { id: D }],
  });
  // Hidden from Bob only now: nobody links what they cannot see.
  const readers = entries(task, { readers: { granted_groups: [`${alpha}_4`] } });
  expect((await alice.put(`/artifacts/${C}`, { values: readers })).status).toBe(200);
  return { alice, bob, carol, alpha, beta, task, bug, ids: { A, B, C, D, E } };
}

/** The id of a group among the values of `team`. */
function valueOfGroup(tracker: Tracker, name: string): number {
  const { values } = fieldNamed(tracker, 'team');
  const listed: readonly { id: number; label: string }[] = Array.isArray(values) ? values : [];
  return listed.find(({ label }) => label === name)?.id ?? 0;
}

export const everywhere = `@project.name IN('alpha', 'beta')`;

/** Runs a query. */
export const run = (caller: Caller, tql_query: string, more: Members = {}, page = ''): Promise<Reply> =>
  caller.get(`/crosstracker_query/content?query=${query({ tql_query, ...more })}${page}`);

/** The letters of what was found, in its order. */
export function lettersOf({ ids }: Pick<World, 'ids'>, { body }: Reply): string {
  const letters = new Map(Object.entries(ids).map(([letter, id]) => [id, letter]));
  const found: readonly { '@artifact': { id: number } }[] = body.artifacts;
  return found.map((artifact) => letters.get(artifact['@artifact'].id) ?? '?').join('');
}

export const wordsOf = ({ body }: Reply): string => body?.error?.i18n_error_message ?? '';
