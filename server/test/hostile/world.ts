import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { change, submit } from '../fixtures/artifact.ts';
import { keyOf, send, tusHeaders, upload, uploadInChunks } from '../fixtures/file.ts';
import { type Receiver, until } from '../fixtures/notify.ts';
import { createGroup, createProject, setMembers } from '../fixtures/project.ts';
import { saveReport } from '../fixtures/report.ts';
import { createRepository, lacksSubversion, SvnClient } from '../fixtures/svn.ts';
import {
  addField,
  createTracker,
  fieldNamed,
  readTracker,
  setFieldPermissions,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { addTransition, changeWorkflow, setRules, setTriggers } from '../fixtures/workflow.ts';
import type { Atelier, Caller, Person } from '../harness/atelier.ts';
import type { Markers } from './markers.ts';

/** The people of the world, by what they are. */
export const roles = [
  'outsider',
  'member',
  'crew',
  'keeper',
  'chief',
  'mole',
  'vaulter',
  'founder',
  'suspended',
  'deleted',
  'restricted',
  'guest',
  'readonly',
  'overseer',
  'tracksman',
  'registrar',
  'genealogist',
  'chronicler',
] as const;
export type Role = (typeof roles)[number];
export type People = Readonly<Record<Role, Person>>;

type Id = number | string;

/** Something of every kind: what examples of requests are made from. */
export interface World {
  readonly people: People;
  /** What stands for the variables of a path, by the path up to the last of them. */
  readonly places: Readonly<Record<string, readonly (readonly Id[])[]>>;
  /** Ids of single things, by what they are called below. */
  readonly ids: Readonly<Record<string, number>>;
  /** Addresses from the root of the server that lead to what is hidden, beside the routes of the contract. */
  readonly addresses: readonly string[];
  readonly spare: Readonly<Record<string, Id>>;
}

async function made(
  caller: Caller,
  path: string,
  body: unknown,
): Promise<{ id: number } & Record<string, unknown>> {
  const reply = await caller.post(path, body);
  expect([200, 201], `POST ${path} ${reply.text}`).toContain(reply.status);
  return reply.body;
}

async function sent(caller: Caller, method: string, path: string, body?: unknown): Promise<void> {
  const reply = await caller.request(method, path, { body });
  expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300);
}

async function makePeople(atelier: Atelier, markers: Markers): Promise<People> {
  const people: Partial<Record<Role, Person>> = {};
  for (const role of roles) {
    const email = `${markers.word('people', `the address of ${role}`)}@example.com`;
    const status = role === 'restricted' || role === 'guest' ? 'R' : 'A';
    people[role] = await atelier.createUser(role, { email, status });
  }
  return people as People;
}

/** Delegated permissions, each for a group of one. */
async function delegate({ admin }: Atelier, people: People, markers: Markers): Promise<number> {
  const holders: readonly (readonly [Role, number])[] = [
    ['readonly', 9],
    ['overseer', 8],
    ['tracksman', 2],
    ['registrar', 5],
    ['genealogist', 4],
    ['chronicler', 6],
  ];
  let id = 0;
  for (const [role, permission] of holders) {
    const name = markers.word('site administrators', `the name of the platform group of ${role}`);
    ({ id } = await made(admin, '/platform/groups', { name }));
    await sent(admin, 'PUT', `/platform/groups/${id}`, {
      user_ids: [people[role].id],
      permissions: [permission],
    });
  }
  return id;
}

const secretFields = (markers: Markers) => [
  { type: 'string', name: 'secret', label: markers.word('task form readers', 'the label of a hidden field') },
  {
    type: 'int',
    name: 'secret_number',
    label: markers.word('task form readers', 'the label of a hidden number'),
  },
  {
    type: 'file',
    name: 'secret_files',
    label: markers.word('task form readers', 'the label of a hidden field of files'),
  },
  {
    type: 'sb',
    name: 'secret_list',
    label: markers.word('task form readers', 'the label of a hidden list'),
    bind: {
      type: 'static',
      values: [{ label: markers.word('task form readers', 'a value of a hidden list') }, { label: 'other' }],
    },
  },
];

/** The tracker that everybody sees, with fields that only the crew does. */
async function makeTasks(chief: Caller, markers: Markers, project: number, { crewGroup, keepers }: Groups) {
  const { id: tasks } = await createTracker(chief, project, {
    item_name: 'task',
    has_private_comments: true,
  });
  const states = { type: 'static', values: [{ label: 'todo' }, { label: 'done' }] };
  const plain = [
    { type: 'string', name: 'title' },
    { type: 'text', name: 'details' },
    { type: 'date', name: 'start' },
    { type: 'date', name: 'end' },
    { type: 'sb', name: 'state', bind: states },
    { type: 'sb', name: 'assignee', bind: { type: 'users', groups: ['3'] } },
    { type: 'file', name: 'files' },
    { type: 'art_link', name: 'links' },
    { type: 'perm', name: 'perm' },
    { type: 'cross', name: 'cross' },
    { type: 'subby', name: 'submitter' },
  ];
  const secret = secretFields(markers);
  for (const element of [...plain, ...secret]) await addField(chief, tasks, element);
  const shown = await readTracker(chief, tasks);
  const field = (name: string) => fieldNamed(shown, name).field_id;
  const { todo = 0, done = 0 } = valueIds(fieldNamed(shown, 'state'));
  const secretIds = Object.values(valueIds(fieldNamed(shown, 'secret_list')));
  await setSemantics(chief, tasks, {
    title: { field_id: field('title') },
    description: { field_id: field('details') },
    status: { field_id: field('state'), value_ids: [todo] },
    contributor: { field_id: field('assignee') },
  });
  await changeWorkflow(chief, tasks, { set_transitions_rules: { field_id: field('state') } });
  const transition = await addTransition(chief, tasks, 0, todo);
  const spareTransition = await addTransition(chief, tasks, todo, done);
  await setRules(chief, tasks, {
    dates: [{ source_field_id: field('start'), target_field_id: field('end'), comparator: '≤' }],
    lists: [],
  });
  const crew = [crewGroup];
  for (const { name } of secret)
    await setFieldPermissions(chief, field(name), { can_read: crew, can_submit: crew, can_update: crew });
  await setPermissions(chief, tasks, { can_access: ['1'], can_admin: [keepers] });
  return { tasks, field, todo, done, secretIds, transition, spareTransition };
}

type Tasks = Awaited<ReturnType<typeof makeTasks>>;

/** The tracker that only the crew sees; its artifacts are children of tasks, and set them off. */
async function makeBlueprints(
  chief: Caller,
  markers: Markers,
  project: number,
  { crewGroup }: Groups,
  { tasks, field, done }: Tasks,
) {
  const word = (what: string) => markers.word('blueprint readers', `${what} of a hidden tracker`);
  const { id: blueprints } = await createTracker(chief, project, {
    item_name: word('the short name'),
    label: word('the name'),
    description: word('the description'),
    parent_id: tasks,
  });
  const title = await addField(chief, blueprints, {
    type: 'string',
    name: 'title',
    label: word('the label of a field'),
  });
  const stage = await addField(chief, blueprints, {
    type: 'sb',
    name: 'stage',
    label: word('the label of a list'),
    bind: { type: 'static', values: [{ label: word('a value of a list') }, { label: 'over' }] },
  });
  await setSemantics(chief, blueprints, { title: { field_id: title.field_id } });
  await setPermissions(chief, blueprints, { can_access: [crewGroup] });
  await setTriggers(chief, tasks, [
    {
      condition: 'at_least_one',
      target: { field_id: field('state'), value_id: done },
      children: [{ field_id: stage.field_id, value_id: Object.values(valueIds(stage))[0] }],
    },
  ]);
  return { blueprints, blueprintTitle: title.field_id };
}

/** The tracker in which people see what they submitted themselves. */
async function makeDesk(chief: Caller, project: number) {
  const { id: desk } = await createTracker(chief, project, { item_name: 'desk' });
  const { field_id: deskTitle } = await addField(chief, desk, { type: 'string', name: 'title' });
  await setSemantics(chief, desk, { title: { field_id: deskTitle } });
  await setPermissions(chief, desk, { can_access_submitted_by_user: ['2'] });
  return { desk, deskTitle };
}

interface Groups {
  readonly crewGroup: string;
  readonly keepers: string;
}

/** The public project, with trackers that are hidden in part or whole. */
async function makeWorkshop(people: People, markers: Markers) {
  const { chief, crew, member, keeper, guest, suspended, deleted } = people;
  const { id: project } = await createProject(chief, 'workshop', {
    description: markers.word('everybody', 'the description of a public project'),
  });
  await setMembers(chief, `${project}_3`, [chief, crew, member, keeper, guest, suspended, deleted]);
  const groups = {
    crewGroup: await createGroup(chief, project, 'crew'),
    keepers: await createGroup(chief, project, 'keepers'),
  };
  await setMembers(chief, groups.crewGroup, [crew, suspended, deleted]);
  await setMembers(chief, groups.keepers, [keeper]);
  const tasks = await makeTasks(chief, markers, project, groups);
  const blueprints = await makeBlueprints(chief, markers, project, groups, tasks);
  const { id: gone } = await createTracker(chief, project, {
    item_name: 'gone',
    label: markers.word('workshop form administrators', 'the name of a deleted tracker'),
  });
  await sent(chief, 'DELETE', `/trackers/${gone}`);
  return { project, ...groups, ...tasks, ...blueprints, ...(await makeDesk(chief, project)), gone };
}

/** The private project. Whatever it says is for its members. */
async function makeVault(people: People, markers: Markers) {
  const { vaulter, mole, suspended, deleted } = people;
  const word = (what: string) => markers.word('vault members', `${what} of a private project`);
  const shortname = markers.word('vault name readers', 'the short name of a private project');
  const { id: project } = await createProject(vaulter, shortname, {
    is_public: false,
    label: markers.word('vault name readers', 'the name of a private project'),
    description: markers.word('vault project readers', 'the description of a private project'),
  });
  await setMembers(vaulter, `${project}_3`, [vaulter, mole, suspended, deleted]);
  const group = await createGroup(
    vaulter,
    project,
    markers.word('vault group readers', 'the name of a group of a private project'),
  );
  await setMembers(vaulter, group, [mole]);
  const tracker = await createTracker(vaulter, project, {
    label: markers.word('vault tracker readers', 'the name of a tracker of a private project'),
    item_name: markers.word('vault tracker readers', 'the short name of a tracker of a private project'),
  });
  const field = await addField(vaulter, tracker.id, {
    type: 'string',
    name: 'title',
    label: markers.word('vault tracker readers', 'the label of a field of a private project'),
  });
  const text = await addField(vaulter, tracker.id, { type: 'text', name: 'details' });
  const links = await addField(vaulter, tracker.id, { type: 'art_link', name: 'links' });
  await setSemantics(vaulter, tracker.id, { title: { field_id: field.field_id } });
  await sent(vaulter, 'PUT', `/projects/${project}/banner`, { message: word('the banner') });
  const label = await made(vaulter, `/projects/${project}/labels`, { label: word('a label') });
  const service = await made(vaulter, `/projects/${project}/project_services`, {
    label: word('a service'),
    service_url: 'https://service.example/',
  });
  const report = await saveReport(vaulter, tracker.id, {
    label: markers.word('vault tracker readers', 'a report of a private project'),
    is_public: true,
  });
  const widget = await made(vaulter, '/crosstracker_widget', {
    project_id: project,
    title: word('a widget'),
  });
  const query = await made(vaulter, '/crosstracker_query', {
    widget_id: widget.id,
    title: word('a query'),
    tql_query: "SELECT @pretty_title FROM @project = 'self' WHERE @id >= 1",
  });
  const dashboard = await made(vaulter, '/dashboards', {
    project_id: project,
    title: word('a dashboard'),
  });
  const hook = await made(vaulter, `/projects/${project}/webhooks`, {
    url: `https://hooks.example/${markers.word('vault administrators', 'the address of a webhook of a private project')}`,
    is_enabled: false,
  });
  return {
    project,
    shortname,
    group,
    tracker: tracker.id,
    title: field.field_id,
    text: text.field_id,
    links: links.field_id,
    label: label.id,
    service: service.id,
    report: report.id,
    widget: widget.id,
    query: query.id,
    dashboard: dashboard.id,
    hook: hook.id,
  };
}

type Workshop = Awaited<ReturnType<typeof makeWorkshop>>;
type Vault = Awaited<ReturnType<typeof makeVault>>;

async function makeArtifacts(
  atelier: Atelier,
  people: People,
  markers: Markers,
  workshop: Workshop,
  vault: Vault,
) {
  const { crew, chief, mole } = people;
  const { tasks, field } = workshop;
  const titled = (title: string) => ({ field_id: field('title'), value: title });
  const open = await submit(crew, tasks, [
    titled(markers.word('everybody', 'the title of an artifact that everybody sees')),
    { field_id: field('secret'), value: markers.word('crew', 'a value of a hidden field') },
    { field_id: field('secret_number'), value: markers.number('crew', 'the value of a hidden number') },
    { field_id: field('secret_list'), bind_value_ids: [workshop.secretIds[0]] },
    { field_id: field('assignee'), bind_value_ids: [crew.id] },
  ]);
  const limited = await submit(crew, tasks, [
    titled(markers.word('whisper readers', 'the title of an artifact for the crew')),
    {
      field_id: field('details'),
      value: {
        content: markers.word('whisper readers', 'the text of an artifact for the crew'),
        format: 'html',
      },
    },
    { field_id: field('perm'), value: { granted_groups: [workshop.crewGroup] } },
  ]);
  const print = await submit(crew, workshop.blueprints, [
    {
      field_id: workshop.blueprintTitle,
      value: markers.word('blueprint readers', 'the title of an artifact of a hidden tracker'),
    },
  ]);
  const request = await submit(crew, workshop.desk, [
    {
      field_id: workshop.deskTitle,
      value: markers.word('desk readers', 'the title of an artifact that its submitter sees'),
    },
  ]);
  const treasure = await submit(mole, vault.tracker, [
    {
      field_id: vault.title,
      value: markers.word('vault tracker readers', 'the title of an artifact of a private project'),
    },
    { field_id: vault.text, value: { content: `see art #${open}`, format: 'text' } },
    { field_id: vault.links, links: [{ id: open }] },
  ]);
  const spare = await submit(crew, tasks, [titled('spare')]);
  const moved = await submit(chief, tasks, [titled('to be moved')]);
  const doomed = await submit(crew, tasks, [
    titled(markers.word('task administrators', 'the title of a deleted artifact')),
  ]);
  const restored = await submit(crew, tasks, [titled('to be restored')]);
  for (const id of [doomed, restored]) await sent(chief, 'DELETE', `/artifacts/${id}`);

  // Hidden values in the past, in files, in links and in texts of what everybody sees.
  const file = (name: string, audience: 'crew' | 'everybody' | 'whisper readers') =>
    uploadInChunks(crew, Buffer.from(`bytes ${markers.word(audience, `the bytes of ${name}`)}`), {
      name: `${markers.word(audience, `the name of ${name}`)}.txt`,
      description: markers.word(audience, `the description of ${name}`),
    });
  const [plainFile, secretFile, limitedFile] = [
    await file('a file that everybody sees', 'everybody'),
    await file('a file in a hidden field', 'crew'),
    await file('a file of an artifact for the crew', 'whisper readers'),
  ];
  await change(crew, open, [
    { field_id: field('secret'), value: markers.word('crew', 'a later value of a hidden field') },
    { field_id: field('files'), value: [plainFile] },
    { field_id: field('secret_files'), value: [secretFile] },
    {
      field_id: field('details'),
      value: { content: `see art #${print} and art #${treasure}`, format: 'text' },
    },
    { field_id: field('links'), links: [{ id: limited }, { id: print, type: '_is_child' }] },
  ]);
  await change(crew, limited, [{ field_id: field('files'), value: [limitedFile] }]);
  await sent(crew, 'POST', `/artifacts/${open}/comments`, { body: 'for all', format: 'text' });
  const whisper = markers.word('whisper readers', 'a comment for the crew');
  await sent(crew, 'POST', `/artifacts/${open}/comments`, {
    body: whisper,
    format: 'text',
    ugroups: [workshop.crewGroup],
  });
  const changesets = (await crew.get(`/artifacts/${open}/changesets?limit=50&fields=comments`)).body;
  const whispered: number = changesets.at(-1).id;
  await sent(crew, 'PUT', `/artifacts/${open}/changesets/${whispered}/comment`, {
    body: markers.word('whisper readers', 'a changed comment for the crew'),
    format: 'text',
    ugroups: [workshop.crewGroup],
  });
  const limitedChangesets = (await crew.get(`/artifacts/${limited}/changesets`)).body;
  const waiting = await uploadInChunks(crew, Buffer.from('temporary'), {
    name: `${markers.word('the crew woman', 'the name of a temporary file')}.txt`,
  });
  const spareFile = await uploadInChunks(crew, Buffer.from('spare'));
  const reserved = await upload(
    atelier,
    crew,
    field('files'),
    Buffer.from(markers.word('the crew woman', 'the bytes of an upload')),
    {
      name: `${markers.word('the crew woman', 'the name of an upload')}.txt`,
      type: 'text/plain',
    },
  );
  return {
    open,
    limited,
    print,
    request,
    treasure,
    spare,
    moved,
    doomed,
    restored,
    plainFile,
    secretFile,
    limitedFile,
    waiting,
    spareFile,
    reserved,
    whispered,
    limitedChangeset: Number(limitedChangesets[0].id),
  };
}

async function makeSearches(
  people: People,
  markers: Markers,
  { tasks, project, field, secretIds, blueprints }: Workshop,
) {
  const { crew, chief } = people;
  const shared = await saveReport(chief, tasks, {
    label: 'shared',
    is_public: true,
    criteria: {
      secret: markers.word('task form readers', 'a criterion on a hidden field'),
      secret_list: secretIds,
    },
    renderers: [{ label: 'table', columns: [{ field_id: field('title') }, { field_id: field('secret') }] }],
  });
  const personal = await saveReport(crew, tasks, {
    label: markers.word('the crew woman', 'the name of a report of her own'),
    is_public: false,
  });
  const spare = await saveReport(chief, tasks, { label: 'spare', is_public: true });
  const tql_query = `SELECT @id, @pretty_title, secret, secret_number, secret_list FROM @project.name = 'workshop' WHERE @id >= 1`;
  const widget = await made(chief, '/crosstracker_widget', { project_id: project, title: 'all' });
  const query = await made(chief, '/crosstracker_query', { widget_id: widget.id, title: 'all', tql_query });
  const ownWidget = await made(crew, '/crosstracker_widget', {
    title: markers.word('the crew woman', 'the title of a widget of her own'),
  });
  const ownQuery = await made(crew, '/crosstracker_query', {
    widget_id: ownWidget.id,
    title: markers.word('the crew woman', 'the title of a query of her own'),
    tql_query,
  });
  const dashboard = await made(chief, '/dashboards', { project_id: project, title: 'all' });
  const secret = {
    kind: 'count',
    title: markers.word('blueprint readers', 'the title of a widget about a hidden tracker'),
    settings: { tracker_id: blueprints },
  };
  await sent(chief, 'PUT', `/dashboards/${dashboard.id}`, {
    version: 1,
    title: 'all',
    rows: [{ cells: [{ width: 12, widgets: [secret, { kind: 'recent' }] }] }],
  });
  const ownDashboard = await made(crew, '/dashboards', {
    title: markers.word('the crew woman', 'the title of a dashboard of her own'),
  });
  const spareDashboard = await made(chief, '/dashboards', { project_id: project, title: 'spare' });
  const spareWidget = await made(chief, '/crosstracker_widget', { project_id: project, title: 'spare' });
  const spareQuery = await made(chief, '/crosstracker_query', {
    widget_id: widget.id,
    title: 'spare',
    tql_query,
  });
  return {
    shared: shared.id,
    personal: personal.id,
    spareReport: spare.id,
    widget: widget.id,
    query: query.id,
    dashboard: dashboard.id,
    ownDashboard: ownDashboard.id,
    spareDashboard: spareDashboard.id,
    ownWidget: ownWidget.id,
    ownQuery: ownQuery.id,
    spareWidget: spareWidget.id,
    spareQuery: spareQuery.id,
  };
}

/** Keys, sessions, wishes: what belongs to the crew woman alone. */
async function makeOwnThings(atelier: Atelier, { crew }: People, markers: Markers) {
  const own = (what: string) => markers.word('the crew woman', what);
  const key = await made(crew, '/access_keys', { description: own('the description of an access key') });
  const keys = (await crew.get('/users/self/access_keys')).body;
  const agent = own('the browser of a session');
  const credentials = { username: crew.name, password: crew.password };
  const login = await atelier.anonymous.request('POST', '/sessions', {
    body: credentials,
    headers: { 'User-Agent': agent },
  });
  expect(login.status, login.text).toBe(201);
  await sent(crew, 'PATCH', '/users/self/preferences', { key: 'wish', value: own('a preference') });
  await sent(crew, 'PUT', '/users/self/ssh_keys', {
    keys: [
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8mGcDYHYlXNUUhkDKLCqNn1mDwMTJDoGLb5w9CsG3M ${own('the comment of an SSH key')}`,
    ],
  });
  const sessions = (await crew.get('/sessions')).body;
  const token = await atelier.anonymous.post('/tokens', credentials);
  return {
    key: key['identifier'],
    keyId: keys.at(-1).id as number,
    sessionId: sessions[0].id as number,
    token: token.body.token as string,
  };
}

/** Repositories: one that everybody may look at but for a folder, and one of the private project. */
async function makeRepositories(
  atelier: Atelier,
  people: People,
  markers: Markers,
  workshop: Workshop,
  vault: Vault,
) {
  const { chief, crew, vaulter } = people;
  const client = new SvnClient();
  const access_file = `[/]\n* = r\n[/secret]\n* = \n@crew = rw\n# ${markers.word('workshop administrators', 'a line of an access file')}`;
  const code = await createRepository(chief, workshop.project, 'code', {
    access_file,
    layout: ['/trunk', '/secret'],
    email_notifications: [
      {
        path: '/',
        emails: [
          `${markers.word('workshop administrators', 'an address that is told of commits')}@example.com`,
        ],
        users: [],
        user_groups: [],
      },
    ],
  });
  const hoard = await createRepository(
    vaulter,
    vault.project,
    `h${markers.word('vault name readers', 'the name of a repository of a private project')}`,
    {
      layout: [`/${markers.word('vault members', 'a folder of a repository of a private project')}`],
    },
  );
  const spare = await createRepository(chief, workshop.project, 'spare');
  const pending = await createRepository(chief, workshop.project, 'pending');
  // However long the machine takes for the tests.
  await atelier.configure({ svn_deletion_delay: 1000 });
  await sent(chief, 'DELETE', `/svn/${pending.id}`);
  const deleted = await createRepository(chief, workshop.project, 'deleted');
  await atelier.configure({ svn_deletion_delay: 0 });
  await sent(chief, 'DELETE', `/svn/${deleted.id}`);
  const secret = `/secret/${markers.word('crew', 'the name of a file in a hidden folder')}.txt`;
  const source = `${client.folder}/source`;
  writeFileSync(source, `bytes ${markers.word('crew', 'the bytes of a file in a hidden folder')}`);
  const said = await client.mucc(
    crew,
    code.svn_url,
    markers.word('crew', 'the message of a commit to a hidden folder'),
    'put',
    source,
    secret.slice(1),
  );
  expect(said.code, said.error).toBe(0);
  client.remove();
  await atelier.configure({ svn_deletion_delay: 5 });
  return {
    code: code.id,
    hoard: hoard.id,
    spare: spare.id,
    pending: pending.id,
    deleted: deleted.id,
    secret,
  };
}

/** Hooks that were called, so that there is a log. */
async function makeHooks(
  atelier: Atelier,
  people: People,
  markers: Markers,
  { project, tasks }: Workshop,
  receiver: Receiver,
) {
  const { chief, keeper } = people;
  await atelier.configure({ webhook_hosts: receiver.host });
  const answer = markers.word('workshop administrators', 'what a receiver answered');
  receiver.answer = (response) => response.end(answer);
  const url = (what: string) => `http://${receiver.host}/${what}`;
  const hook = await made(chief, `/projects/${project}/webhooks`, {
    url: url(markers.word('workshop administrators', 'the address of a webhook')),
  });
  const trackerHook = await made(keeper, `/trackers/${tasks}/webhooks`, {
    url: `https://hooks.example/${markers.word('task administrators', 'the address of a webhook of a tracker')}`,
    is_enabled: false,
  });
  const spare = await made(chief, `/projects/${project}/webhooks`, { url: url('spare'), is_enabled: false });
  await sent(chief, 'POST', `/webhooks/${hook.id}/ping`);
  const log = () => chief.get(`/webhooks/${hook.id}/deliveries`);
  await until(async () => (await log()).body.some(({ state }: { state: string }) => state === 'delivered'));
  const delivery: number = (await log()).body[0].id;
  return { hook: hook.id, trackerHook: trackerHook.id, spareHook: spare.id, delivery };
}

/** What administrators of the platform see, and a mail that could not be sent. */
async function makePlatform(atelier: Atelier, people: People, markers: Markers) {
  const { admin } = atelier;
  const spareGroup = await made(admin, '/platform/groups', { name: 'spare' });
  const projectField = await made(admin, '/project_fields', { name: 'Cost centre' });
  await sent(admin, 'POST', '/link_types', {
    shortname: 'spare',
    forward_label: 'spares',
    reverse_label: 'spared by',
  });
  const siteImport = await made(admin, '/project_imports', {
    file_name: `${markers.word('site administrators', 'the name of an archive')}.zip`,
    file_size: 10,
  });
  // Given up, so that another one can be asked for.
  const { status } = await send(`${atelier.url}${siteImport['upload_href']}`, 'DELETE', {
    ...keyOf(admin),
    ...tusHeaders,
  });
  expect(status).toBe(204);
  await made(people.founder, '/projects', {
    shortname: 'imported',
    label: 'Imported',
    is_public: true,
    from_archive: {
      file_name: `${markers.word('the founder', "the name of an archive of one's own")}.zip`,
      file_size: 10,
    },
  });
  const fault = markers.word('site administrators', 'why a mail was given up');
  const mail = (id: number) =>
    `(${id}, 'key-created', '{}', null, '${fault}@example.com', 9, null, '${fault}', 1700000000000)`;
  await atelier.sql(
    `insert into mail (id, kind, payload, account_id, address, attempts, due_at, fault, created_at) values ${mail(900_001)}, ${mail(900_002)}`,
  );
  const { id: freezer } = await createProject(people.founder, 'freezer', {
    description: markers.word('freezer readers', 'the description of a suspended project'),
  });
  const { id: elsewhere } = await createProject(people.founder, 'elsewhere');
  const { id: ownTracker } = await createTracker(people.founder, elsewhere, { item_name: 'own' });
  const ownTitle = await addField(people.founder, ownTracker, { type: 'string', name: 'title' });
  await setSemantics(people.founder, ownTracker, { title: { field_id: ownTitle.field_id } });
  await sent(admin, 'PATCH', `/projects/${freezer}`, { status: 'suspended' });
  const spare = async (shortname: string, more: object = {}) =>
    (await createProject(people.founder, shortname, { ...more })).id;
  const spareProject = await spare('spare-project');
  const [deletedProject, purgedProject] = [
    await spare('undone', { label: markers.word('site administrators', 'the label of a deleted project') }),
    await spare('done-for'),
  ];
  for (const id of [deletedProject, purgedProject]) await sent(admin, 'DELETE', `/projects/${id}`);
  return {
    spareGroup: spareGroup.id,
    projectField: projectField.id,
    siteImport: siteImport.id,
    freezer,
    elsewhere,
    ownTracker,
    ...{ spareProject, deletedProject, purgedProject },
  };
}

/** Things that are there to be deleted by whoever may. */
async function makeSpares({ chief }: People, { project, tasks }: Workshop) {
  const { id: tracker } = await createTracker(chief, project, { item_name: 'spare' });
  const { id: deletedTracker } = await createTracker(chief, project, { item_name: 'lost' });
  await sent(chief, 'DELETE', `/trackers/${deletedTracker}`);
  const field = await addField(chief, tasks, {
    type: 'sb',
    name: 'spare',
    bind: { type: 'static', values: [{ label: 'a' }, { label: 'b' }] },
  });
  const lost = await addField(chief, tasks, { type: 'string', name: 'lost' });
  await sent(chief, 'DELETE', `/tracker_fields/${lost.field_id}`);
  const label = await made(chief, `/projects/${project}/labels`, { label: 'spare' });
  const service = await made(chief, `/projects/${project}/project_services`, {
    label: 'spare',
    service_url: 'https://spare.example/',
  });
  const services: { id: number; name: string }[] = (
    await chief.get(`/projects/${project}/project_services?limit=50`)
  ).body;
  const group = await createGroup(chief, project, 'spare');
  await sent(chief, 'PUT', `/projects/${project}/banner`, { message: 'welcome' });
  return {
    tracker,
    deletedTracker,
    field: field.field_id,
    value: Object.values(valueIds(field))[0] ?? 0,
    lostField: lost.field_id,
    label: label.id,
    service: service.id,
    builtInService: services.find(({ name }) => name === 'plugin_svn')?.id ?? 0,
    group,
  };
}

/** Makes a world in which every kind of thing is hidden from somebody. The platform must be in the mode `restricted`. */
export async function makeWorld(atelier: Atelier, markers: Markers, receiver: Receiver): Promise<World> {
  const people = await makePeople(atelier, markers);
  const platformGroup = await delegate(atelier, people, markers);
  const workshop = await makeWorkshop(people, markers);
  const vault = await makeVault(people, markers);
  const artifacts = await makeArtifacts(atelier, people, markers, workshop, vault);
  const searches = await makeSearches(people, markers, workshop);
  const own = await makeOwnThings(atelier, people, markers);
  const svn = lacksSubversion ? undefined : await makeRepositories(atelier, people, markers, workshop, vault);
  const hooks = await makeHooks(atelier, people, markers, workshop, receiver);
  const platform = await makePlatform(atelier, people, markers);
  const spares = await makeSpares(people, workshop);
  for (const [role, status] of [
    ['suspended', 'S'],
    ['deleted', 'D'],
  ] as const)
    await sent(atelier.admin, 'PATCH', `/users/${people[role].id}`, { status });

  if (svn !== undefined)
    await until(async () => (await atelier.admin.get('/deleted_svn')).text.includes(`"id":${svn.deleted},`));

  const each = (...ids: readonly Id[]) => ids.map((id) => [id]);
  const { field } = workshop;
  const places = {
    'projects/{id}': each(workshop.project, vault.project, platform.freezer),
    'projects/{id}/labels/{label_id}': [[workshop.project, spares.label]],
    'trackers/{id}': each(workshop.tasks, workshop.blueprints, workshop.desk, vault.tracker, workshop.gone),
    'deleted_projects/{id}': each(platform.deletedProject),
    'deleted_trackers/{id}': each(spares.deletedTracker),
    'tracker_fields/{id}': each(
      field('title'),
      field('secret'),
      field('secret_list'),
      workshop.blueprintTitle,
      vault.title,
    ),
    'tracker_fields/{id}/values/{value_id}': [[spares.field, spares.value]],
    'tracker_reports/{id}': each(searches.shared, searches.personal, vault.report),
    'tracker_workflow_transitions/{id}': each(workshop.transition),
    'artifacts/{id}': each(
      artifacts.open,
      artifacts.limited,
      artifacts.print,
      artifacts.request,
      artifacts.treasure,
      artifacts.doomed,
    ),
    'artifacts/{id}/changesets/{changeset_id}': [
      [artifacts.open, artifacts.whispered],
      [artifacts.limited, artifacts.limitedChangeset],
    ],
    'deleted_artifacts/{id}': each(artifacts.restored),
    'artifact_files/{id}': each(
      artifacts.plainFile,
      artifacts.secretFile,
      artifacts.limitedFile,
      artifacts.waiting,
    ),
    'artifact_temporary_files/{id}': each(artifacts.waiting, artifacts.reserved.id),
    'users/{id}': each('self', people.crew.id, people.mole.id),
    'access_keys/{id}': each('self', own.keyId),
    'sessions/{id}': each(own.sessionId),
    'tokens/{token}': each(own.token),
    'user_groups/{id}': each(
      workshop.crewGroup,
      `${workshop.project}_3`,
      `${workshop.project}_4`,
      vault.group,
      `${vault.project}_3`,
    ),
    'project_names/{shortname}': each('workshop', vault.shortname),
    'project_services/{id}': each(spares.service),
    'project_fields/{id}': each(platform.projectField),
    'project_imports/{id}': each(platform.siteImport, platform.siteImport + 1),
    'platform/groups/{id}': each(platformGroup),
    'platform/failed_mails/{id}': each(900_001),
    'platform/users/{id}': each(people.crew.id),
    'link_types/{shortname}': each('spare'),
    'dashboards/{id}': each(searches.dashboard, searches.ownDashboard, vault.dashboard),
    'crosstracker_widget/{id}': each(searches.widget, searches.ownWidget, vault.widget),
    'crosstracker_query/{id}': each(searches.query, searches.ownQuery, vault.query),
    'webhooks/{id}': each(hooks.hook, hooks.trackerHook, vault.hook),
    'webhooks/{id}/deliveries/{delivery_id}': [[hooks.hook, hooks.delivery]],
    'svn/{id}': svn === undefined ? [] : each(svn.code, svn.hoard),
    'svn/{id}/revisions/{revision}':
      svn === undefined
        ? []
        : [
            [svn.code, 2],
            [svn.hoard, 1],
          ],
    'deleted_svn/{id}': svn === undefined ? [] : each(svn.deleted),
  };
  const addresses = [
    ...(svn === undefined
      ? []
      : [
          `/svn-content/${svn.code}/file?path=${encodeURIComponent(svn.secret)}`,
          `/svn-content/${svn.code}/file?path=${encodeURIComponent(svn.secret)}&inline=1`,
          `/svn-content/${svn.code}/diff?revision=2`,
          `/svn-content/${svn.code}/diff?path=/&from=1&to=2`,
          `/svn-content/${svn.code}/diff?path=/secret&from=1&to=2`,
          `/svn-content/${svn.hoard}/diff?revision=1`,
        ]),
    artifacts.reserved.download_href,
    `/exports/project/${workshop.project}.zip?mode=all`,
    `/exports/project/${vault.project}.zip?mode=structure`,
  ];
  return {
    people,
    places,
    addresses,
    ids: {
      ...artifacts,
      reserved: artifacts.reserved.id,
      project: workshop.project,
      tasks: workshop.tasks,
      blueprints: workshop.blueprints,
      desk: workshop.desk,
      deskTitle: workshop.deskTitle,
      vault: vault.project,
      vaultTracker: vault.tracker,
      title: field('title'),
      todo: workshop.todo,
      done: workshop.done,
      elsewhere: platform.elsewhere,
      spareProject: platform.spareProject,
      deletedProject: platform.deletedProject,
      purgedProject: platform.purgedProject,
    },
    spare: {
      ...spares,
      ...searches,
      ...hooks,
      ...platform,
      keepers: workshop.keepers,
      crewGroup: workshop.crewGroup,
      transition: workshop.transition,
      spareTransition: workshop.spareTransition,
      keyId: own.keyId,
      sessionId: own.sessionId,
      token: own.token,
      blueprintTitle: workshop.blueprintTitle,
      secretField: field('secret'),
      secretList: field('secret_list'),
      secretValue: workshop.secretIds[0] ?? 0,
      secretFiles: field('secret_files'),
      vaultGroup: vault.group,
      ownTracker: platform.ownTracker,
      svn: svn?.code ?? 0,
      svnSecret: svn?.secret ?? '',
      spareSvn: svn?.spare ?? 0,
      pendingSvn: svn?.pending ?? 0,
      deletedSvn: svn?.deleted ?? 0,
    },
  };
}
