import { once } from 'node:events';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { type RouteContract, routes, type Tracker } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Receiver } from '../fixtures/notify.ts';
import { lacksSubversion } from '../fixtures/svn.ts';
import { valueIds } from '../fixtures/tracker.ts';
import { type Atelier, engines, startAtelier } from '../harness/atelier.ts';
import { seed } from '../harness/seed.ts';
import {
  asCurl,
  type GeneratedRequest,
  type Grounds,
  generateRequest,
  type Places,
} from './generated-requests.ts';
import { Markers } from './markers.ts';
import { makeWorld, type World } from './world.ts';

/** `npm run fuzz` asks for more of them, and can ask for the same again. */
const wanted = Number(process.env['ATELIER_FUZZ_REQUESTS'] ?? 2_000);
const perEngine = Math.ceil(wanted / engines.length);

/** Nothing takes this long, even on a machine that is busy with other things. */
const patience = 100_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

async function answerTo(
  url: string,
  { method, path, headers, body }: GeneratedRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<Answered> {
  const { hostname, port } = new URL(url);
  const all = {
    ...credentials,
    ...(body === undefined ? {} : { 'Content-Length': String(body.length) }),
    ...headers,
  };
  const outgoing = sendRequest({ hostname, port, method, path, headers: all, agent, timeout: patience });
  outgoing.on('timeout', () => outgoing.destroy(new Error('There was no answer.')));
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await incoming.toArray()).toString('utf8');
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}

/** Only what a client of HTTP can send at all. */
const isSendable = ({ headers, path }: GeneratedRequest) =>
  !/[^\x21-\x7e]/.test(path) &&
  Object.values(headers).every((value) => !/[^\t\x20-\x7e\x80-\xff]/.test(value));

/** The status that the body of an error tells. */
function errorCode({ status, headers, text }: Answered): number {
  if (!headers['content-type']?.startsWith('application/json'))
    return Number(/<error><code>(\d+)<\/code>/.exec(text)?.[1]);
  const { error } = JSON.parse(text);
  // What a session from another site is told has a form of its own.
  return typeof error === 'string' && status === 403 ? status : error?.code;
}

/** What is wrong with an answer. A refusal for the time being must say when to come back. */
function faultOf({ method, path }: GeneratedRequest, answer: Answered): string | undefined {
  const { status, headers, text } = answer;
  // Without mail nobody can be sent a link, and without Subversion there are no repositories, now or later.
  const isForGood =
    (/\/password_resets\b/.test(path) && text.includes('sends no mail')) ||
    (lacksSubversion && text.includes('Subversion is not installed'));
  if (status >= 500 && !(status === 503 && (headers['retry-after'] !== undefined || isForGood)))
    return `${status} ${text.slice(0, 300)}`;
  const isOfApi = /^\/api\//.test(path) && !path.startsWith('/api/explorer') && method !== 'HEAD';
  return isOfApi && status >= 400 && errorCode(answer) !== status
    ? `${status} without the body of an error: ${text.slice(0, 300)}`
    : undefined;
}

const beside = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/users/crew/avatar.png',
  '/users/default/avatar-ab.png',
  '/themes/common/images/avatar_default.png',
  '/api/explorer/',
  '/api/openapi.json',
  '/uploads/tracker/file/1',
  '/uploads/project/file/1',
  '/plugins/tracker/attachments/1-a.txt',
  '/plugins/tracker/attachments/preview/1-a.png',
  '/svnplugin/workshop/code/trunk',
  '/unsubscribe',
];

/** What a request may end without taking the ground from the others. */
function sparesOf({ ids, spare, people }: World): Places {
  const one = (id: number | string | undefined) => [[id ?? 0]];
  return {
    'projects/{id}': one(ids['elsewhere']),
    'trackers/{id}': one(spare['tracker']),
    'tracker_fields/{id}': one(spare['field']),
    'tracker_reports/{id}': one(spare['spareReport']),
    'tracker_workflow_transitions/{id}': one(spare['spareTransition']),
    'artifacts/{id}': [...one(ids['spare']), ...one(ids['moved'])],
    'artifact_temporary_files/{id}': one(ids['spareFile']),
    'users/{id}': one(people.chronicler.id),
    'user_groups/{id}': one(spare['group']),
    'platform/groups/{id}': one(spare['spareGroup']),
    'dashboards/{id}': one(spare['spareDashboard']),
    'crosstracker_widget/{id}': one(spare['spareWidget']),
    'crosstracker_query/{id}': one(spare['spareQuery']),
    'webhooks/{id}': one(spare['spareHook']),
    'svn/{id}': one(spare['spareSvn']),
  };
}

async function groundsOf({ admin }: Atelier, world: World): Promise<Grounds> {
  const { places, ids, spare, addresses, people } = world;
  const at = (place: string) => (places[place] ?? []).map(([id]) => id ?? 0);
  const { fields }: Tracker = (await admin.get(`/trackers/${ids['tasks']}`)).body;
  const artifacts = at('artifacts/{id}');
  return {
    routes: routes as readonly RouteContract[],
    places,
    spares: sparesOf(world),
    addresses: [...addresses, ...beside],
    callers: ['site administrator', 'chief', 'crew', 'outsider', 'anonymous', 'impostor'],
    pools: {
      'field_ids?$': fields.map(({ field_id }) => field_id),
      'value_ids?$|^(from|to)_id$': [100, ...fields.flatMap((field) => Object.values(valueIds(field)))],
      'group|^can_|^groups$': [...at('user_groups/{id}'), '1', '2', '3', '4'],
      'tracker_id$|^parent_id$': at('trackers/{id}'),
      'project_id$|^template_id$': [...at('projects/{id}'), ids['elsewhere'] ?? 0],
      '^users?(_ids)?$': Object.values(people).map(({ id }) => id),
      widget: at('crosstracker_widget/{id}'),
      '^ids?$|artifact|compared_to|^value$': [...artifacts, ...artifacts, spare['hook'] ?? 0],
    },
  };
}

describe.each(engines)(`requests made by chance on %s (seed ${seed})`, (engine) => {
  let receiver: Receiver;
  let atelier: Atelier;
  let grounds: Grounds;
  let credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;

  beforeAll(async () => {
    receiver = await Receiver.start();
    atelier = await startAtelier(engine);
    await atelier.configure({ access_mode: 'restricted' });
    const world = await makeWorld(atelier, new Markers(), receiver);
    await atelier.configure({ access_mode: 'anonymous' });
    grounds = await groundsOf(atelier, world);
    const { chief, crew, outsider } = world.people;
    const keyed = (key: string) => ({ 'X-Auth-AccessKey': key });
    credentials = {
      'site administrator': keyed(atelier.admin.key),
      chief: keyed(chief.key),
      crew: keyed(crew.key),
      outsider: keyed(outsider.key),
      anonymous: {},
      impostor: { 'X-Auth-Token': 'nonsense', 'X-Auth-UserId': '102' },
    };
  });
  afterAll(async () => {
    await atelier?.stop();
    await receiver?.stop();
  });

  test(`${perEngine} of them get answers that are no fault of the service`, {
    timeout: 120_000 + perEngine * 20,
  }, async () => {
    const faults: string[] = [];
    const { child } = atelier.server;
    const isAlive = () => child.exitCode === null && child.signalCode === null;
    // Each engine gets others.
    let [index, sent] = [engines.indexOf(engine), 0];
    const sendOnes = async () => {
      while (sent < perEngine && faults.length < 5 && isAlive()) {
        const generated = generateRequest(seed, index, grounds);
        index += engines.length;
        if (!isSendable(generated)) continue;
        sent++;
        const own = credentials[generated.caller] ?? {};
        const fault = await answerTo(atelier.url, generated, own).then(
          (answer) => faultOf(generated, answer),
          (error: Error) => `no answer: ${error.message}`,
        );
        if (fault !== undefined) faults.push(`${fault} ${asCurl(atelier.url, generated, own)}`);
      }
    };
    await Promise.all(Array.from({ length: 12 }, sendOnes));
    if (faults.length > 0) throw new Error(faults.join('\n'));
    expect(isAlive(), atelier.server.output()).toBe(true);
  });

  test('and the service is as well as before', async () => {
    expect((await atelier.admin.get('/users/self')).status).toBe(200);
    expect((await fetch(`${atelier.url}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${atelier.url}/metrics`)).text();
    const replaced = [...metrics.matchAll(/^atelier_threads_replaced_total\{.*\} (\d+)$/gm)].map(
      ([, count]) => count,
    );
    expect(replaced.length).toBeGreaterThan(0);
    expect(new Set(replaced)).toEqual(new Set(['0']));
  });
});
