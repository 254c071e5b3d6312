import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../fixtures/file.ts';
import { Receiver } from '../fixtures/notify.ts';
import { needsSubversion } from '../fixtures/svn.ts';
import { type Atelier, engines, oneEngine, type Reply, startAtelier, usuallyOn } from '../harness/atelier.ts';
import { eventually } from '../harness/eventually.ts';
import { type Actor, makeActors } from './actors.ts';
import {
  type Example,
  hasPlace,
  labelOf,
  type Probe,
  probes,
  reachableRoutes,
  readingExamples,
  writingAttempts,
} from './examples.ts';
import { Markers } from './markers.ts';
import { makeWorld, type World } from './world.ts';

/** Runs work for every item, some at a time. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 12 }, worker));
}

/** All that an answer says: its bytes where they are in another form, and its headers. */
function wordsOf({ text, body, headers }: Reply): string {
  const data = text.includes('"data"') && typeof body?.data === 'string' ? body.data : '';
  return `${[...headers].join('\n')}\n${text}\n${Buffer.from(data, 'base64').toString('utf8')}`;
}

/** Written by the service by itself: when somebody was last seen, who read a repository before, what is still to be told or looked at. */
const volatileTables = [
  'login_attempt',
  'platform_event',
  'job',
  'svn_use',
  'visit',
  'revision',
  'mail',
  'notification',
  'outbox',
  'webhook_delivery',
  'session',
];
const volatileColumns = ['last_access_at', 'last_used_at', 'last_used_by'];
/** Events are numbered when somebody listens. */
const volatileColumnsOf: Readonly<Record<string, readonly string[]>> = { event_log: ['number'] };

const tablesOn = {
  SQLite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  PostgreSQL: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
};

/** Every row that is stored, but for what changes by itself. */
async function stored(atelier: Atelier): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  const tables = (await atelier.sql(tablesOn[atelier.engine]))
    .map(({ name }) => String(name))
    .filter((table) => !volatileTables.includes(table));
  const contents = await atelier.sqlAll(tables.map((table) => `select * from "${table}"`));
  for (const [index, table] of tables.entries()) {
    const unsteady = [...volatileColumns, ...(volatileColumnsOf[table] ?? [])];
    const lasting = (contents[index] ?? []).map((row) =>
      Object.entries(row).filter(([column]) => !unsteady.includes(column)),
    );
    rows[table] = lasting
      .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
      .sort();
  }
  return rows;
}

/** Every row, once what the service does in the background is done. */
async function settled(atelier: Atelier): Promise<Record<string, string[]>> {
  // What is left of deleted artifacts is cleared away in the background, once a minute.
  await atelier.sql("delete from job where name = 'clear-remains'");
  await eventually(async () =>
    expect(await atelier.sql('select artifact_id from deleted_artifact where has_remains = 1')).toEqual([]),
  );
  let before = await stored(atelier);
  for (;;) {
    await pause(200);
    const now = await stored(atelier);
    if (isDeepStrictEqual(now, before)) return now;
    before = now;
  }
}

/** Refusals; a 400 comes where a thing that the caller may not see is as good as none. */
const isRefusal = (status: number) => [400, 401, 403, 404].includes(status);

const readingRoutes = reachableRoutes.filter(({ method }) => method === 'GET');
const writingRoutes = reachableRoutes.filter(({ method }) => method !== 'GET');

const engineOfWays = oneEngine(
  'SQLite',
  'how somebody says who they are is judged in code, and XML is written there, before and after anything is read',
);

/** Those to whom a repository shows different things, by its access file: programs read it for each of them, which is dear. */
const ofRepositories = [
  ...['anonymous', 'outsider', 'member', 'crew', 'chief', 'mole', 'vaulter', 'restricted', 'guest'],
  ...['tracksman', 'site administrator', 'suspended', 'key for Subversion'],
];

/** Those who are like others but for a permission that is judged in code. */
const delegates = ['founder', 'readonly', 'registrar', 'genealogist', 'chronicler'];

/** What was refused on the engine that everybody asks: on the other one it is asked for in turns. */
const refusedBefore = new Set<string>();

describe.each(usuallyOn('PostgreSQL'))('every route by every kind of caller on %s', (engine) => {
  const isInEveryWay = engineOfWays.includes(engine);
  const markers = new Markers();
  let receiver: Receiver;
  let atelier: Atelier;
  let world: World;
  let actors: readonly Actor[];

  beforeAll(async () => {
    receiver = await Receiver.start();
    atelier = await startAtelier(engine);
    await atelier.configure({ access_mode: 'restricted' });
    world = await makeWorld(atelier, markers, receiver);
    actors = (await makeActors(atelier, world.people)).filter(
      ({ name, isVariant }) => isInEveryWay || !(isVariant || delegates.includes(name)),
    );
  });
  afterAll(async () => {
    await atelier?.stop();
    await receiver?.stop();
  });

  const actorNamed = (name: string) => {
    const found = actors.find((actor) => actor.name === name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  };

  /** What is wrong with an answer, in words. */
  function faultsOf({ name, reads }: Actor, asked: string, reply: Reply): string[] {
    const leaks = markers.leaksIn(wordsOf(reply), reads).map((leak) => `shows ${leak}`);
    const failures = reply.status >= 500 ? [`fails with ${reply.status}`] : [];
    return [...leaks, ...failures].map((fault) => `${asked} by ${name} ${fault}`);
  }

  /** On the engine that everybody asks, all who are shown something see every form of it, on the other every second. */
  const isOnesTurn = (turn: number, isRefused: boolean) =>
    isRefused ? turn % 4 === engines.indexOf(engine) : isInEveryWay || turn % 2 === 0;

  /**
   * Asks everything of everybody; gives what was wrong, and the routes that told somebody something. What somebody is refused is refused
   * before the form of the question counts: each of its other forms is asked for by some of those who are refused, by others on either engine.
   */
  async function read(readers: readonly Actor[], mode: string, format = '') {
    const faults: string[] = [];
    const reached = new Set<string>();
    const asked = readingExamples(world).flatMap((example, at) =>
      readers
        .filter(({ isVariant }) => example.isFirst || !isVariant)
        .filter(({ name }) => !needsSubversion(example.route) || ofRepositories.includes(name))
        .map((actor, turn) => ({ actor, turn: at + turn, name: `${mode} ${actor.name} ${at}`, ...example })),
    );
    type Asked = Example & { actor: Actor; turn: number; name: string };
    await forEach(asked, async ({ actor, turn, name, route, paths }: Asked) => {
      if (refusedBefore.has(name) && !isOnesTurn(turn, true)) return;
      const ask = async (path: string) => {
        const reply = await actor.caller.get(path.replace('?', `${format}?`));
        if (reply.status === 200) reached.add(labelOf(route));
        faults.push(...faultsOf(actor, `GET ${path}`, reply));
        return reply.status;
      };
      const [first = '', ...others] = paths;
      const isRefused = [401, 403, 404].includes(await ask(first));
      if (isRefused && isInEveryWay) refusedBefore.add(name);
      if (actor.isVariant) return;
      for (const [form, path] of others.entries()) if (isOnesTurn(turn + form, isRefused)) await ask(path);
    });
    return { faults, reached };
  }

  test('a route that is in the contract has examples here', () => {
    const attempts = writingAttempts(world);
    const missing = reachableRoutes.filter((route) =>
      route.method === 'GET' ? !hasPlace(route, world) : attempts[labelOf(route)] === undefined,
    );
    expect(missing.map(labelOf)).toEqual([]);
  });

  test('a platform for people with an account shows nothing to others, and restricted people their projects', async () => {
    const anonymous = { ...actorNamed('anonymous'), reads: new Set<never>() };
    const { faults } = await read([anonymous, actorNamed('restricted'), actorNamed('guest')], 'closed');
    expect(faults).toEqual([]);
    await atelier.configure({ access_mode: 'anonymous' });
  });

  test('an answer has nothing in it that its reader may not see, and every route answers somebody', async () => {
    const { faults, reached } = await read(actors, 'open');
    expect(faults).toEqual([]);
    expect(readingRoutes.map(labelOf).filter((label) => !reached.has(label))).toEqual([]);
  });

  if (isInEveryWay) {
    test('nor in XML', async () => {
      expect((await read([actorNamed('member'), actorNamed('mole')], 'in XML', '.xml')).faults).toEqual([]);
    });
  }

  test('nor at the addresses beside the API', async () => {
    const faults: string[] = [];
    const closed = ['impostor', 'suspended', 'deleted'];
    const readers = actors.filter(({ name, isVariant }) => !isVariant || closed.includes(name));
    const asked = world.addresses.flatMap((address) => readers.map((actor) => ({ actor, address })));
    await forEach(asked, async ({ actor: { name, credentials, reads }, address }) => {
      const { status, headers, text } = await send(`${atelier.url}${address}`, 'GET', credentials);
      const leaks = markers.leaksIn(`${JSON.stringify(headers)}\n${text}`, reads);
      if (leaks.length > 0 || status >= 500) faults.push(`${address} by ${name}: ${status} ${leaks}`);
    });
    expect(faults).toEqual([]);
  });

  test('whoever may not change something is refused, and nothing changes', async () => {
    const before = await settled(atelier);
    const faults: string[] = [];
    const attempts = writingAttempts(world);
    const tried: readonly Probe[] = [
      ...writingRoutes
        .filter(({ kind }) => kind !== 'public')
        .map((route) => ({ ...attempts[labelOf(route)]!, method: route.method })),
      ...probes(world),
    ];
    const asked = tried.flatMap((probe, at) =>
      actors
        .filter(({ writes }) => !writes.has(probe.may))
        // How somebody says who they are is judged before anybody knows what for: each in their turn, but for the key that may only read.
        .filter(
          ({ name, isVariant }, turn) => !isVariant || name === 'key for reading' || (at + turn) % 3 === 0,
        )
        .filter((_, turn) => isInEveryWay || (at + turn) % 2 === 0)
        .map((actor) => ({ actor, probe })),
    );
    await forEach(asked, async ({ actor, probe: { method, path, body, isHarmless } }) => {
      const reply = await actor.caller.request(method, path, { body });
      const what = `${method} ${path}`;
      faults.push(...faultsOf(actor, what, reply));
      if (!isRefusal(reply.status) && !isHarmless)
        faults.push(`${what} ${JSON.stringify(body)} by ${actor.name} answers ${reply.status}`);
    });
    expect(faults).toEqual([]);
    expect(await stored(atelier)).toEqual(before);
  });

  test('whoever may, can', async () => {
    const faults: string[] = [];
    const attempts = writingAttempts(world);
    // What is deleted comes last, parts before wholes.
    const last = writingRoutes.filter(({ method }) => method === 'DELETE').reverse();
    for (const route of [...writingRoutes.filter(({ method }) => method !== 'DELETE'), ...last]) {
      const { path, body, may, by, answers } = attempts[labelOf(route)]!;
      const actor = by === undefined ? actors.find(({ writes }) => writes.has(may)) : actorNamed(by);
      const reply = await actor!.caller.request(route.method, path, { body });
      if (reply.status !== answers) faults.push(...faultsOf(actor!, labelOf(route), reply));
      if (reply.status >= 400 && reply.status !== answers)
        faults.push(`${labelOf(route)} by ${actor!.name} is refused: ${reply.text}`);
    }
    expect(faults).toEqual([]);
  });

  test('every marker was shown to somebody who may see it', () => {
    expect(markers.neverShown()).toEqual([]);
  });
});
