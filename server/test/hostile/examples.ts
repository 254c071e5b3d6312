import { type RouteContract, routes } from '@atelier/contract';
import { lacksSubversion, needsSubversion } from '../fixtures/svn.ts';
import type { Audience } from './markers.ts';
import type { World } from './world.ts';

/** Requests that reach what a route of the contract is about: one thing, in every form in which it can be asked for. */
export interface Example {
  readonly route: RouteContract;
  /** Below `/api`. */
  readonly paths: readonly string[];
  /** Whether it is the first of its route. */
  readonly isFirst: boolean;
}

export const labelOf = ({ method, path }: RouteContract) => `${method} ${path}`;

const inQuery = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));

/** What routes are asked for beside nothing: needed parameters, and those that show more. */
const searches: Readonly<Record<string, (world: World) => readonly string[]>> = {
  'GET /users': ({ people }) => [
    'query=crew',
    `query=${inQuery({ username: 'crew' })}`,
    `query=${inQuery({ loginname: people.deleted.name })}`,
    `query=${inQuery({ username: people.suspended.name })}`,
  ],
  'GET /events': ({ ids }) => [`topics=user&topics=platform&topics=projects/${ids['project']}`],
  'GET /users/{id}/membership': () => ['', 'scope=project&format=full', 'scope=project&format=id'],
  'GET /users/{id}/preferences': () => ['key=wish'],
  'GET /users_memberships': () => ['query=with_ssh_key'],
  'GET /projects': () => [
    '',
    `query=${inQuery({ with_status: 'suspended' })}`,
    `query=${inQuery({ is_tracker_admin: true })}`,
    `query=${inQuery({ words: 'zq' })}&order=activity`,
  ],
  'GET /projects/{id}/user_groups': () => [`query=${inQuery({ with_system_user_groups: true })}`],
  'GET /projects/{id}/trackers': () => [
    'representation=full',
    `query=${inQuery({ is_tracker_admin: true })}`,
  ],
  'GET /artifacts': ({ ids: { open, limited, print, request, treasure, doomed } }) => [
    `query=${inQuery({ id: [open, limited, print, request, treasure, doomed] })}`,
  ],
  'GET /artifacts/{id}': () => [
    '',
    'values_format=by_field',
    'values_format=all&tracker_structure_format=complete',
  ],
  'GET /artifacts/{id}/changesets': () => ['fields=all', 'fields=comments', 'fields=all&order=desc'],
  'GET /artifacts/{id}/timeline': () => [
    '',
    'order=asc&limit=100',
    'kinds=comments',
    'kinds=references,commits',
  ],
  'GET /artifacts/{id}/linked_artifacts': () =>
    ['forward', 'reverse'].flatMap((direction) =>
      ['', '_is_child'].map((nature) => `direction=${direction}&nature=${nature}`),
    ),
  'GET /trackers/{id}/artifacts': () => [
    '',
    'values=all',
    `values=all&expert_query=${inQuery('@comments != ""')}`,
  ],
  'GET /users/{id}/artifacts': () => [
    `query=${inQuery({ assigned_to: true })}`,
    `query=${inQuery({ submitted_by: true })}`,
  ],
  'GET /deleted_artifacts': ({ ids }) => ['', `query=${inQuery({ tracker_id: ids['tasks'] })}`],
  'GET /dashboards': ({ ids }) => ['', `project_id=${ids['project']}`, `project_id=${ids['vault']}`],
  'GET /crosstracker_widget': ({ ids }) => ['', `project_id=${ids['project']}`, `project_id=${ids['vault']}`],
  'GET /crosstracker_widget/{id}/forward_links': ({ ids }) => linkSearches('source_artifact_id', ids),
  'GET /crosstracker_widget/{id}/reverse_links': ({ ids }) => linkSearches('target_artifact_id', ids),
  'GET /crosstracker_query': ({ ids }) => ['', `project_id=${ids['project']}`, `project_id=${ids['vault']}`],
  'GET /crosstracker_query/content': () => [
    `query=${inQuery({ tql_query: 'SELECT @id, @pretty_title, @project.name, @tracker.name, secret, title FROM @project = MY_PROJECTS() WHERE @id >= 1' })}`,
    `query=${inQuery({ tql_query: "SELECT @pretty_title, secret, secret_number, secret_list, @assigned_to FROM @project.name = 'workshop' WHERE @id >= 1" })}`,
  ],
  'GET /trackers/{id}/artifact_rows': ({ ids }) => [
    '',
    'columns=title,secret,secret_number,secret_list,@links,@parent,@children,@comments,@files,@watched,@submitted_by&sort=-secret',
    `query=${inQuery({ '@comments': { operator: 'filled' } })}&sort=-id`,
    `linked_to=${ids['treasure']}&sort=title`,
    `overlaps=2020-01-01/2030-01-01`,
  ],
  'GET /trackers/{id}/artifact_counts': () => [
    'by=is_open',
    'by=secret_list&sum=secret_number',
    'by=@submitted_by',
    'by=@submitted_on:day',
  ],
  'GET /trackers/{id}/artifact_trends': () => [
    'kind=states',
    'kind=flow&step=week',
    'kind=total&step=month',
    'kind=effort&field=secret_number',
  ],
  'GET /trackers/{id}/artifacts_export': () => ['format=csv', 'format=jsonl'],
  'GET /search': ({ ids }) => ['words=zq', 'words=bytes', `words=zq&project_id=${ids['vault']}`],
  'GET /search/trackers': () => ['words=zq', 'words=bytes'],
  'GET /quick_search': ({ ids }) => [
    'words=zq',
    '',
    `words=%23${ids['treasure']}`,
    `words=zq&project_id=${ids['vault']}`,
  ],
  'GET /svn/{id}/tree': () => ['', 'path=/secret'],
  'GET /svn/{id}/blame': ({ spare }) => [`path=${encodeURIComponent(String(spare['svnSecret']))}`],
  'GET /svn/{id}/files': () => ['words=txt', 'words=txt&path=/secret'],
  'GET /tracker_reports/{id}/artifacts': () => [
    'values=all',
    'output_format=flat',
    'values=all&output_format=flat_with_semicolon_string_array',
  ],
};

function linkSearches(name: string, { open, print, treasure }: World['ids']): string[] {
  const tql_query = inQuery(
    "SELECT @id, @pretty_title, secret FROM @project.name = 'workshop' WHERE @id >= 1",
  );
  return [open, print, treasure].map((id) => `tql_query=${tql_query}&${name}=${id}`);
}

/** A path with its variables filled in, for everything that stands at its place. */
function pathsOf({ path }: RouteContract, { places }: World): readonly string[] {
  if (!path.includes('{')) return [path];
  const place = path.slice(1, path.lastIndexOf('}') + 1);
  return (places[place] ?? []).map((ids) => {
    const left = [...ids];
    return path.replace(/\{\w+\}/g, () => encodeURIComponent(String(left.shift())));
  });
}

/** Whether the place of a route is known at all. */
export const hasPlace = ({ path }: RouteContract, { places }: World) =>
  !path.includes('{') || places[path.slice(1, path.lastIndexOf('}') + 1)] !== undefined;

/** The routes whose things can be made on this machine. */
export const reachableRoutes: readonly RouteContract[] = (routes as readonly RouteContract[]).filter(
  (route) => !(lacksSubversion && needsSubversion(route)),
);

/** Everything that can be read, each with as much of it as there is. */
export function readingExamples(world: World): Example[] {
  return reachableRoutes
    .filter(({ method }) => method === 'GET')
    .flatMap((route) => {
      const page =
        route.paging === undefined || route.paging.unit !== undefined ? '' : `limit=${route.paging.maximum}`;
      const asked = searches[labelOf(route)]?.(world) ?? [''];
      const all = asked.map((query) => [query, page].filter((part) => part !== '').join('&'));
      return pathsOf(route, world).map((path, index) => ({
        route,
        paths: all.map((query) => `${path}?${query}`),
        isFirst: index === 0,
      }));
    });
}

/** An attempt to change something, and who may. */
export interface Attempt {
  readonly path: string;
  readonly body?: unknown;
  readonly may: Audience;
  /** Who does it in the end; somebody who may unless named here. */
  readonly by?: string;
  /** True where others get no refusal, since there is nothing of the kind of theirs. */
  readonly isHarmless?: true;
  /** The refusal that everybody gets, where the world lacks what it takes. */
  readonly answers?: number;
}

type Attempts = Readonly<Record<string, Attempt>>;

const access = {
  commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
  immutable_tags: { paths: [], whitelist: [] },
};

/** A picture, as small as they come. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function identityAttempts({ people, spare, ids }: World): Attempts {
  const { crew, outsider, chronicler } = people;
  return {
    'PATCH /platform/settings': {
      path: '/platform/settings',
      body: { file_deletion_delay: 10 },
      may: 'site administrators',
    },
    'POST /platform/groups': { path: '/platform/groups', body: { name: 'more' }, may: 'site administrators' },
    'PUT /platform/groups/{id}': {
      path: `/platform/groups/${spare['spareGroup']}`,
      body: { user_ids: [outsider.id], permissions: [7] },
      may: 'site administrators',
    },
    'DELETE /platform/groups/{id}': {
      path: `/platform/groups/${spare['spareGroup']}`,
      may: 'site administrators',
    },
    'POST /tokens': {
      path: '/tokens',
      body: { username: outsider.name, password: outsider.password },
      may: 'everybody',
    },
    'DELETE /tokens': { path: '/tokens', may: 'people', by: 'outsider' },
    'DELETE /tokens/{token}': { path: `/tokens/${spare['token']}`, may: 'the crew woman' },
    'POST /access_keys': {
      path: '/access_keys',
      body: { description: 'more' },
      may: 'people',
      by: 'outsider',
    },
    'DELETE /access_keys/{id}': {
      path: `/access_keys/${spare['keyId']}`,
      may: 'the crew woman',
      isHarmless: true,
    },
    'POST /sessions': {
      path: '/sessions',
      body: { username: outsider.name, password: outsider.password },
      may: 'everybody',
    },
    'DELETE /sessions': { path: '/sessions', may: 'people', by: 'outsider' },
    'POST /password_resets': {
      path: '/password_resets',
      body: { login: outsider.name },
      may: 'everybody',
      answers: 503,
    },
    'PUT /password_resets/{token}': {
      path: '/password_resets/nonsense',
      body: { password: 'another-password' },
      may: 'everybody',
      answers: 404,
    },
    'POST /users/{id}/password_links': {
      path: `/users/${chronicler.id}/password_links`,
      may: 'site administrators',
    },
    'DELETE /sessions/{id}': { path: `/sessions/${spare['sessionId']}`, may: 'the crew woman' },
    'POST /users': {
      path: '/users',
      body: { username: 'newcomer', password: 'newcomer-password' },
      may: 'account administrators',
    },
    'PATCH /users/{id}': {
      path: `/users/${chronicler.id}`,
      body: { real_name: 'Renamed' },
      may: 'account administrators',
    },
    'PUT /users/{id}/password': {
      path: `/users/${chronicler.id}/password`,
      body: { password: 'another-password' },
      may: 'site administrators',
    },
    'PATCH /users/{id}/preferences': {
      path: `/users/${crew.id}/preferences`,
      body: { key: 'wish', value: 'none' },
      may: 'the crew woman',
    },
    'DELETE /users/{id}/preferences': {
      path: `/users/${crew.id}/preferences?key=wish`,
      may: 'the crew woman',
    },
    'PUT /users/{id}/history': { path: `/users/${crew.id}/history`, body: [], may: 'the crew woman' },
    'POST /users/{id}/history': {
      path: `/users/${crew.id}/history`,
      body: { uri: `projects/${ids['project']}` },
      may: 'the crew woman',
    },
    'PUT /users/{id}/favorites': {
      path: `/users/${crew.id}/favorites`,
      body: { uris: [] },
      may: 'the crew woman',
    },
    'PATCH /users/{id}/notifications': {
      path: `/users/${crew.id}/notifications`,
      body: { until: '2100-01-01', is_read: true },
      may: 'the crew woman',
    },
    'PUT /users/{id}/notification_wishes': {
      path: `/users/${crew.id}/notification_wishes`,
      body: { digest: 'weekly' },
      may: 'the crew woman',
    },
    'PUT /users/{id}/ssh_keys': {
      path: `/users/${crew.id}/ssh_keys`,
      body: { keys: [] },
      may: 'the crew woman',
    },
    'PATCH /users/{id}/profile': {
      path: `/users/${crew.id}/profile`,
      body: { real_name: 'Renamed' },
      may: 'the crew woman',
    },
    'PUT /users/{id}/avatar': {
      path: `/users/${crew.id}/avatar`,
      body: { picture: onePixel },
      may: 'the crew woman',
    },
    'DELETE /users/{id}/avatar': { path: `/users/${crew.id}/avatar`, may: 'the crew woman' },
    'PATCH /users/{id}/mail_notifications': {
      path: `/users/${crew.id}/mail_notifications`,
      body: { is_enabled: false },
      may: 'the crew woman',
    },
    'DELETE /platform/users/{id}/sessions': {
      path: `/platform/users/${people.suspended.id}/sessions`,
      may: 'account administrators',
    },
    'DELETE /platform/users/{id}/access_keys': {
      path: `/platform/users/${people.suspended.id}/access_keys`,
      may: 'account administrators',
    },
    'GET /platform/backups': { path: '/platform/backups', may: 'site administrators' },
    'POST /platform/backups': { path: '/platform/backups', may: 'site administrators', answers: 409 },
    'POST /platform/test_mails': {
      path: '/platform/test_mails',
      body: { address: 'somebody@example.com' },
      may: 'site administrators',
      answers: 503,
    },
    'POST /platform/failed_mails/{id}/retry': {
      path: '/platform/failed_mails/900001/retry',
      may: 'site administrators',
    },
    'DELETE /platform/failed_mails/{id}': {
      path: '/platform/failed_mails/900002',
      may: 'site administrators',
    },
  };
}

function projectAttempts({ ids, spare, people }: World): Attempts {
  const at = (rest: string) => `/projects/${ids['project']}${rest}`;
  const may = 'workshop administrators';
  return {
    'POST /projects': {
      path: '/projects',
      body: { shortname: 'newone', label: 'New one', is_public: true, xml_template_name: 'empty' },
      may: 'people',
      by: 'outsider',
    },
    'PATCH /projects/{id}': {
      path: `/projects/${ids['elsewhere']}`,
      body: { status: 'suspended' },
      may: 'project managers',
    },
    'DELETE /projects/{id}': { path: `/projects/${ids['spareProject']}`, may: 'site administrators' },
    'POST /deleted_projects/{id}/restore': {
      path: `/deleted_projects/${ids['deletedProject']}/restore`,
      may: 'site administrators',
    },
    'DELETE /deleted_projects/{id}': {
      path: `/deleted_projects/${ids['purgedProject']}`,
      may: 'site administrators',
    },
    'PATCH /projects/{id}/settings': { path: at('/settings'), body: { has_truncated_mails: true }, may },
    'POST /project_imports': {
      path: '/project_imports',
      body: { file_name: 'more.zip', file_size: 10 },
      may: 'site administrators',
    },
    'POST /project_imports/{id}/cancellation': {
      path: `/project_imports/${spare['siteImport']}/cancellation`,
      may: 'site administrators',
      answers: 409,
    },
    'POST /project_fields': { path: '/project_fields', body: { name: 'More' }, may: 'site administrators' },
    'PATCH /project_fields/{id}': {
      path: `/project_fields/${spare['projectField']}`,
      body: { description: 'more' },
      may: 'site administrators',
    },
    'DELETE /project_fields/{id}': {
      path: `/project_fields/${spare['projectField']}`,
      may: 'site administrators',
    },
    'PUT /project_services/{id}': {
      path: `/project_services/${spare['builtInService']}`,
      body: { is_enabled: true },
      may,
    },
    'POST /projects/{id}/project_services': {
      path: at('/project_services'),
      body: { label: 'more', service_url: 'https://more.example/' },
      may,
    },
    'PUT /projects/{id}/project_services_order': {
      path: at('/project_services_order'),
      body: { ids: [spare['service']] },
      may,
    },
    'PATCH /project_services/{id}': {
      path: `/project_services/${spare['service']}`,
      body: { label: 'other' },
      may,
    },
    'DELETE /project_services/{id}': { path: `/project_services/${spare['service']}`, may },
    'PUT /projects/{id}/banner': { path: at('/banner'), body: { message: 'hello' }, may },
    'DELETE /projects/{id}/banner': { path: at('/banner'), may },
    'PUT /projects/{id}/header_background': {
      path: at('/header_background'),
      body: { identifier: 'beach-daytime' },
      may,
    },
    'DELETE /projects/{id}/header_background': { path: at('/header_background'), may },
    'POST /projects/{id}/extract_references': {
      path: `/projects/${ids['vault']}/extract_references`,
      body: { text: `see art #${ids['treasure']}` },
      may: 'vault members',
    },
    'POST /projects/{id}/rendered_texts': {
      path: `/projects/${ids['vault']}/rendered_texts`,
      body: { text: `see art #${ids['treasure']}` },
      may: 'vault members',
    },
    'POST /projects/{id}/labels': { path: at('/labels'), body: { label: 'more' }, may },
    'PATCH /projects/{id}/labels/{label_id}': {
      path: at(`/labels/${spare['label']}`),
      body: { label: 'other' },
      may,
    },
    'DELETE /projects/{id}/labels/{label_id}': { path: at(`/labels/${spare['label']}`), may },
    'POST /user_groups': {
      path: '/user_groups',
      body: { project_id: ids['project'], short_name: 'more' },
      may,
    },
    'PATCH /user_groups/{id}': { path: `/user_groups/${spare['group']}`, body: { description: 'more' }, may },
    'DELETE /user_groups/{id}': { path: `/user_groups/${spare['group']}`, may },
    'PATCH /user_groups/{id}/users': {
      path: `/user_groups/${spare['crewGroup']}/users`,
      body: { add: [{ id: people.crew.id }] },
      may,
    },
    'PUT /user_groups/{id}/users': {
      path: `/user_groups/${spare['crewGroup']}/users`,
      body: [{ id: people.crew.id }],
      may,
    },
    'PUT /projects/{id}/disabled_link_types': {
      path: at('/disabled_link_types'),
      body: { shortnames: [] },
      may,
    },
    'POST /link_types': {
      path: '/link_types',
      body: { shortname: 'more', forward_label: 'is more', reverse_label: 'is less' },
      may: 'site administrators',
    },
    'PATCH /link_types/{shortname}': {
      path: '/link_types/spare',
      body: { forward_label: 'other' },
      may: 'site administrators',
    },
    'DELETE /link_types/{shortname}': { path: '/link_types/spare', may: 'site administrators' },
    'POST /projects/{id}/webhooks': {
      path: at('/webhooks'),
      body: { url: 'https://hooks.example/more', is_enabled: false },
      may,
    },
    'POST /trackers/{id}/webhooks': {
      path: `/trackers/${ids['tasks']}/webhooks`,
      body: { url: 'https://hooks.example/more', is_enabled: false },
      may: 'task administrators',
    },
    'PATCH /webhooks/{id}': { path: `/webhooks/${spare['hook']}`, body: { renew_secret: true }, may },
    'DELETE /webhooks/{id}': { path: `/webhooks/${spare['spareHook']}`, may },
    'POST /webhooks/{id}/ping': { path: `/webhooks/${spare['hook']}/ping`, may },
    'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': {
      path: `/webhooks/${spare['hook']}/deliveries/${spare['delivery']}/redeliver`,
      may,
    },
  };
}

function trackerAttempts({ ids, spare }: World): Attempts {
  const { tasks = 0 } = ids;
  const at = (rest: string) => `/trackers/${tasks}${rest}`;
  const field = (rest: string) => `/tracker_fields/${spare['field']}${rest}`;
  const transition = (rest: string) => `/tracker_workflow_transitions/${spare['transition']}${rest}`;
  const may = 'task administrators';
  return {
    'POST /projects/{id}/trackers': {
      path: `/projects/${ids['project']}/trackers`,
      body: { label: 'More', item_name: 'more' },
      may: 'workshop form administrators',
    },
    'PATCH /trackers/{id}/settings': { path: at('/settings'), body: { description: 'more' }, may },
    'DELETE /trackers/{id}': { path: `/trackers/${spare['tracker']}`, may: 'workshop form administrators' },
    'POST /deleted_trackers/{id}/restore': {
      path: `/deleted_trackers/${spare['deletedTracker']}/restore`,
      body: { item_name: 'found' },
      may: 'workshop form administrators',
    },
    'POST /trackers/{id}/fields': { path: at('/fields'), body: { type: 'string', label: 'More' }, may },
    'POST /tracker_fields/{id}/values': { path: field('/values'), body: { values: [{ label: 'c' }] }, may },
    'PATCH /tracker_fields/{id}/values/{value_id}': {
      path: field(`/values/${spare['value']}`),
      body: { label: 'd' },
      may,
    },
    'DELETE /tracker_fields/{id}/values/{value_id}': { path: field(`/values/${spare['value']}`), may },
    'PUT /trackers/{id}/permissions': {
      path: at('/permissions'),
      body: { can_access: ['1'], can_admin: [spare['keepers']] },
      may,
    },
    'PUT /tracker_fields/{id}/permissions': { path: field('/permissions'), body: { can_read: ['1'] }, may },
    'PUT /trackers/{id}/field_permissions': {
      path: at('/field_permissions'),
      body: { fields: { [String(spare['field'])]: { can_read: ['1'] } } },
      may,
    },
    'POST /trackers/{id}/permission_checks': {
      path: at('/permission_checks'),
      body: { group_ids: ['1'] },
      may,
    },
    'PUT /trackers/{id}/semantics': {
      path: at('/semantics'),
      body: { title: { field_id: ids['title'] } },
      may,
    },
    'PATCH /tracker_fields/{id}': { path: field(''), body: { label: 'Other' }, may },
    'DELETE /tracker_fields/{id}': { path: field(''), may },
    'PATCH /tracker_fields/{id}/settings': { path: field('/settings'), body: { description: 'more' }, may },
    'POST /tracker_fields/{id}/restore': {
      path: `/tracker_fields/${spare['lostField']}/restore`,
      body: { name: 'found' },
      may,
    },
    'POST /trackers/{id}/tracker_reports': {
      path: at('/tracker_reports'),
      body: { label: 'more', is_public: true },
      may,
    },
    'PATCH /tracker_reports/{id}/settings': {
      path: `/tracker_reports/${spare['shared']}/settings`,
      body: { description: 'more' },
      may,
    },
    'DELETE /tracker_reports/{id}': { path: `/tracker_reports/${spare['spareReport']}`, may },
    'PUT /tracker_reports/{id}/watching': {
      path: `/tracker_reports/${spare['shared']}/watching`,
      body: { is_watching: true },
      may: 'people',
      by: 'outsider',
    },
    'PATCH /trackers/{id}': {
      path: at(''),
      body: { workflow: { set_transitions_rules: { is_used: false } } },
      may,
    },
    'POST /tracker_workflow_transitions': {
      path: '/tracker_workflow_transitions',
      body: { tracker_id: tasks, from_id: ids['done'], to_id: ids['todo'] },
      may,
    },
    'PATCH /tracker_workflow_transitions/{id}': {
      path: transition(''),
      body: {
        authorized_user_group_ids: [`${ids['project']}_3`],
        not_empty_field_ids: [],
        is_comment_required: false,
      },
      may,
    },
    'DELETE /tracker_workflow_transitions/{id}': {
      path: `/tracker_workflow_transitions/${spare['spareTransition']}`,
      may,
    },
    'PUT /tracker_workflow_transitions/{id}/actions': {
      path: transition('/actions'),
      body: { post_actions: [] },
      may,
    },
    'PUT /trackers/{id}/rules': { path: at('/rules'), body: { dates: [], lists: [] }, may },
    'PUT /trackers/{id}/triggers': { path: at('/triggers'), body: { triggers: [] }, may },
  };
}

function artifactAttempts({ ids, spare }: World): Attempts {
  const titled = [{ field_id: ids['title'], value: 'changed' }];
  const limited = (rest: string) => `/artifacts/${ids['limited']}${rest}`;
  const may = 'whisper readers';
  const comment = { body: 'words', format: 'text' };
  const tql_query = "SELECT @id FROM @project.name = 'workshop' WHERE @id >= 1";
  return {
    'POST /artifacts': {
      path: '/artifacts',
      body: {
        tracker: { id: ids['blueprints'] },
        values: [{ field_id: spare['blueprintTitle'], value: 'more' }],
      },
      may: 'blueprint readers',
    },
    'PUT /artifacts/{id}': { path: limited(''), body: { values: titled }, may },
    'POST /artifacts/{id}/comments': { path: limited('/comments'), body: comment, may },
    'PUT /artifacts/{id}/changesets/{changeset_id}/comment': {
      path: `/artifacts/${ids['open']}/changesets/${ids['whispered']}/comment`,
      body: comment,
      may: 'whisper readers',
    },
    'PATCH /artifacts/{id}': {
      path: `/artifacts/${ids['moved']}`,
      body: { move: { tracker_id: ids['desk'], dry_run: true } },
      may: 'workshop form administrators',
    },
    'DELETE /artifacts/{id}': { path: `/artifacts/${ids['spare']}`, may: 'task administrators' },
    'POST /deleted_artifacts/{id}/restore': {
      path: `/deleted_artifacts/${ids['restored']}/restore`,
      may: 'task administrators',
    },
    'PATCH /artifact_ranks': {
      path: '/artifact_ranks',
      body: { ids: [ids['limited']], direction: 'before', compared_to: ids['open'] },
      may,
    },
    'POST /dashboards': {
      path: '/dashboards',
      body: { project_id: ids['project'], title: 'more' },
      may: 'workshop administrators',
    },
    'PUT /dashboards/{id}': {
      path: `/dashboards/${spare['spareDashboard']}`,
      body: { version: 1, title: 'other', rows: [] },
      may: 'workshop administrators',
    },
    'DELETE /dashboards/{id}': {
      path: `/dashboards/${spare['spareDashboard']}`,
      may: 'workshop administrators',
    },
    'POST /crosstracker_widget': {
      path: '/crosstracker_widget',
      body: { project_id: ids['project'], title: 'more' },
      may: 'workshop administrators',
    },
    'PATCH /crosstracker_widget/{id}': {
      path: `/crosstracker_widget/${spare['widget']}`,
      body: { title: 'other' },
      may: 'workshop administrators',
    },
    'DELETE /crosstracker_widget/{id}': {
      path: `/crosstracker_widget/${spare['spareWidget']}`,
      may: 'workshop administrators',
    },
    'POST /crosstracker_query': {
      path: '/crosstracker_query',
      body: { widget_id: spare['widget'], title: 'more', tql_query },
      may: 'workshop administrators',
    },
    'PUT /crosstracker_query/{id}': {
      path: `/crosstracker_query/${spare['query']}`,
      body: { widget_id: spare['widget'], title: 'other', tql_query },
      may: 'workshop administrators',
    },
    'DELETE /crosstracker_query/{id}': {
      path: `/crosstracker_query/${spare['spareQuery']}`,
      may: 'workshop administrators',
    },
    'POST /trackers/{id}/artifacts_import': {
      path: `/trackers/${ids['blueprints']}/artifacts_import`,
      body: { csv: 'title\nmore\n' },
      may: 'blueprint readers',
    },
    'POST /trackers/{id}/artifact_changes': {
      path: `/trackers/${ids['blueprints']}/artifact_changes`,
      body: {
        artifacts: [{ id: ids['print'] }],
        values: [{ field_id: spare['blueprintTitle'], value: 'changed' }],
      },
      may: 'blueprint readers',
    },
    'POST /artifact_temporary_files': {
      path: '/artifact_temporary_files',
      body: { name: 'a.txt', mimetype: 'text/plain', content: 'YQ==' },
      may: 'people',
      by: 'outsider',
    },
    'PUT /artifact_temporary_files/{id}': {
      path: `/artifact_temporary_files/${ids['waiting']}`,
      body: { content: 'YQ==', offset: 2 },
      may: 'the crew woman',
    },
    'DELETE /artifact_temporary_files/{id}': {
      path: `/artifact_temporary_files/${ids['spareFile']}`,
      may: 'the crew woman',
    },
    'POST /tracker_fields/{id}/files': {
      path: `/tracker_fields/${spare['secretFiles']}/files`,
      body: { name: 'a.txt', file_size: 1, file_type: 'text/plain' },
      may: 'crew',
    },
    'PUT /trackers/{id}/mail_notifications': {
      path: `/trackers/${ids['blueprints']}/mail_notifications`,
      body: { is_muted: true },
      may: 'blueprint readers',
    },
    'PUT /artifacts/{id}/mail_notifications': {
      path: limited('/mail_notifications'),
      body: { is_muted: true },
      may,
    },
    'PUT /trackers/{id}/watching': {
      path: `/trackers/${ids['blueprints']}/watching`,
      body: { is_watching: true },
      may: 'blueprint readers',
    },
    'PUT /artifacts/{id}/watching': { path: limited('/watching'), body: { is_watching: true }, may },
  };
}

function svnAttempts({ ids, spare }: World): Attempts {
  const at = (rest: string) => `/svn/${spare['svn']}${rest}`;
  // What is hidden stays hidden.
  const hidden = '[/]\n* = r\n[/secret]\n* =\n@crew = rw';
  const may = 'workshop administrators';
  return {
    'POST /svn': { path: '/svn', body: { project_id: ids['project'], name: 'more' }, may },
    'PUT /svn/{id}': {
      path: at(''),
      body: { settings: { ...access, access_file: hidden, email_notifications: [] } },
      may,
    },
    'DELETE /svn/{id}': { path: `/svn/${spare['spareSvn']}`, may },
    'DELETE /svn/{id}/deletion': { path: `/svn/${spare['pendingSvn']}/deletion`, may },
    'POST /deleted_svn/{id}/restore': {
      path: `/deleted_svn/${spare['deletedSvn']}/restore`,
      may: 'site administrators',
    },
    'POST /svn/{id}/access_file_checks': { path: at('/access_file_checks'), body: { access_file: '' }, may },
    'POST /svn/{id}/immutable_tag_checks': {
      path: at('/immutable_tag_checks'),
      body: { paths: ['/secret'], whitelist: [] },
      may,
    },
    'PUT /svn/{id}/mail_settings': { path: at('/mail_settings'), body: { subject_header: '[code]' }, may },
    'PUT /projects/{id}/svn_administrators': {
      path: `/projects/${ids['project']}/svn_administrators`,
      body: { user_groups: [] },
      may,
    },
  };
}

/** One attempt at every writing route. */
export function writingAttempts(world: World): Attempts {
  return {
    ...identityAttempts(world),
    ...projectAttempts(world),
    ...trackerAttempts(world),
    ...artifactAttempts(world),
    ...svnAttempts(world),
  };
}

/** An attempt beside those: at what lies next to something that the caller may do. */
export interface Probe extends Attempt {
  readonly method: string;
}

/** Hidden fields, by everybody who may write something else of the artifacts that have them. */
function fieldProbes({ ids, spare }: World): Probe[] {
  const may: Audience = 'crew';
  const { open, tasks, title } = ids;
  const [secret, list, files] = [spare['secretField'], spare['secretList'], spare['secretFiles']];
  const entries = [
    { field_id: secret, value: 'guess' },
    { field_id: secret, value: { toString: 'guess' } },
    { field_id: list, bind_value_ids: [spare['secretValue']] },
    { field_id: list, bind_value_ids: [999_999] },
    { field_id: list, bind_value_ids: ['guess'] },
    { field_id: files, value: [ids['secretFile']] },
    { field_id: files, value: [999_999] },
  ];
  return entries.flatMap((entry) => [
    { method: 'PUT', path: `/artifacts/${open}`, body: { values: [entry] }, may },
    {
      method: 'POST',
      path: '/artifacts',
      body: { tracker: { id: tasks }, values: [{ field_id: title, value: 'a' }, entry] },
      may,
    },
  ]);
}

/** What is private, as a part of something that the caller may make or change. */
function borrowingProbes({ ids, spare }: World): Probe[] {
  const may: Audience = 'nobody';
  const { elsewhere, vault, vaultTracker, limited, treasure, blueprints } = ids;
  const own = `/projects/${elsewhere}`;
  const settings = { ...access, access_file: '', email_notifications: [] };
  const groups = [spare['vaultGroup']];
  return [
    {
      method: 'POST',
      path: '/projects',
      body: { shortname: 'borrowed', label: 'Borrowed', is_public: true, template_id: vault },
      may: 'vault administrators',
    },
    ...[vaultTracker, blueprints].map(
      (id): Probe => ({
        method: 'POST',
        path: `${own}/trackers`,
        body: { label: 'Borrowed', item_name: 'borrowed', from_tracker_id: id },
        may: 'tracker administrators',
      }),
    ),
    {
      method: 'POST',
      path: '/artifacts',
      body: { tracker: { id: spare['ownTracker'] }, from_artifact: { id: limited } },
      may: 'whisper readers',
    },
    {
      method: 'POST',
      path: '/artifacts',
      body: { tracker: { id: spare['ownTracker'] }, from_artifact: { id: treasure } },
      may: 'vault tracker readers',
    },
    { method: 'PATCH', path: `${own}/settings`, body: { membership_delegation: groups }, may },
    {
      method: 'PUT',
      path: `/trackers/${spare['ownTracker']}/permissions`,
      body: { can_access: groups },
      may,
    },
    {
      method: 'PATCH',
      path: `/trackers/${spare['ownTracker']}/settings`,
      body: { parent_id: vaultTracker },
      may,
    },
    { method: 'PUT', path: `${own}/svn_administrators`, body: { user_groups: groups }, may },
    {
      method: 'POST',
      path: '/svn',
      body: { project_id: vault, name: 'borrowed', settings },
      may: 'vault administrators',
    },
  ];
}

export const probes = (world: World): readonly Probe[] => [...fieldProbes(world), ...borrowingProbes(world)];
