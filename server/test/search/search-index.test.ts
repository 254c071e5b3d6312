import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLineViewer, type Viewer } from '../../src/kernel/viewer.ts';
import { createPlatform } from '../../src/operations.ts';
import {
  findAcross,
  findAllIds,
  findIds,
  findIdsAfter,
  findSorted,
  IndexKeeper,
  type Limits,
  newestFirst,
  orderOf,
  tableOrder,
} from '../../src/search/index.ts';
import { type Database, operationsOn } from '../../src/storage/index.ts';
import { sortedNumbers } from '../../src/storage/migrations/0038-sorted-numbers.ts';
import { type Condition, type Tracker, Trackers } from '../../src/trackers/index.ts';
import { submit } from '../fixtures/artifact.ts';
import { someBytes, upload } from '../fixtures/file.ts';
import { createGroup, createProject, databaseOf, setMembers } from '../fixtures/project.ts';
import { Judge, lookAs, World } from '../fixtures/search-model.ts';
import { conditionsOver, entriesFor, type Known } from '../fixtures/search-samples.ts';
import {
  addField,
  createTracker,
  everyField,
  setPermissions,
  setSemantics,
  valueIds,
} from '../fixtures/tracker.ts';
import { type Atelier, type Person, startAtelier, usuallyOn } from '../harness/atelier.ts';

const seed = 7_2024;
/** Limits that let a few artifacts be looked for in every way that many are. */
const allWays: readonly Limits[] = [
  { pending: 1000, pendingTexts: 1000, candidates: 1000, words: 0, few: 0, sorted: 3 },
  { pending: 1000, pendingTexts: 1000, candidates: 0, words: 0, few: 0, sorted: 1000 },
  { pending: 1000, pendingTexts: 1000, candidates: 0, words: 1000, few: 0, sorted: 1000 },
  { pending: 1000, pendingTexts: 1000, candidates: 0, words: 1, few: 0, sorted: 1000 },
  { pending: 0, pendingTexts: 0, candidates: 1000, words: 0, few: 1000, sorted: 0 },
];
const ways = fc.constantFrom(...allWays);
const platform = commandLineViewer('regular');

describe.each(usuallyOn('SQLite'))('the search index on %s', (engine) => {
  let atelier: Atelier;
  let database: Database;
  let tracker: Tracker;
  let other: Tracker;
  let known: Known;
  let viewers: Record<string, Viewer>;
  const ids: number[] = [];
  const trackers = new Trackers();
  const operate = () => operationsOn(database, createPlatform({ tellsPeople: false }).operations);
  const keeper = () => new IndexKeeper({ database, trackers, operations: operate() });

  const viewerOf = ({ id }: Person): Viewer => ({
    ...platform,
    userId: id,
    isSiteAdmin: false,
    credential: { kind: 'access-key', id: 1, expiresAt: null },
  });

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    const { admin } = atelier;
    const [owner, member, mate, outsider] = [
      await atelier.createUser('owner'),
      await atelier.createUser('member'),
      await atelier.createUser('mate'),
      await atelier.createUser('outsider'),
    ];
    const project = (await createProject(owner, 'found')).id;
    await setMembers(owner, `${project}_3`, [owner, member, mate]);
    const team = await createGroup(owner, project, 'team');
    await setMembers(owner, team, [mate]);
    const made = await everyField(owner, project);
    await setSemantics(owner, made.tracker.id, { contributor: { field_id: made.ids['msb_users'] } });
    await setPermissions(owner, made.tracker.id, {
      can_access: [`${project}_3`],
      can_access_submitted_by_user: ['2'],
    });
    const beside = await createTracker(owner, project, { item_name: 'beside' });
    const besideLinks = (await addField(owner, beside.id, { type: 'art_link', name: 'links' })).field_id;
    const people = [owner, member, mate, outsider];
    const groups = [`${project}_3`, `${project}_4`, team];
    const chosen = { accounts: [owner, member, mate].map(({ id }) => id), groups };
    const always = [{ field_id: made.ids['computed'], is_autocomputed: true }];
    for (let count = 0; count < 4; count++)
      ids.push(await submit(owner, beside.id, [{ field_id: besideLinks, links: [] }]));
    for (let count = 0; count < 36; count++) {
      // Far apart, so that they are in several blocks.
      if (count % 5 === 4) await skipIds(30_000);
      const [entries] = fc.sample(entriesFor(made.tracker, chosen, ids), { numRuns: 1, seed: seed + count });
      const by = people[count % people.length] ?? owner;
      const isLink = (entry: object) => 'links' in entry;
      const plain = (entries ?? []).filter((entry) => !isLink(entry));
      const id = await submit(by, made.tracker.id, [...plain, ...always]);
      ids.push(id);
      // Only administrators see all that is linked.
      const links = await owner.put(`/artifacts/${id}`, { values: (entries ?? []).filter(isLink) });
      expect(links.status, links.text).toBe(200);
      if (count % 9 === 0) {
        const name = count === 0 ? 'Café.pdf' : `alpha_${count}.txt`;
        const { id: file } = await upload(atelier, owner, made.ids['file'] ?? 0, someBytes(10), { name });
        const values = [{ field_id: made.ids['file'], value: [file] }];
        await admin.put(`/artifacts/${id}`, { values });
      }
    }
    const links = ids.slice(6, 12).map((id) => ({ id, type: '_is_child' }));
    await owner.put(`/artifacts/${ids[0]}`, { values: [{ field_id: besideLinks, links }] });
    await atelier.server.end();
    database = await databaseOf(atelier);
    const revisions = await database.revisions();
    tracker = given(await trackers.find(database, made.tracker.id, revisions));
    other = given(await trackers.find(database, beside.id, revisions));
    viewers = {
      administrator: platform,
      owner: viewerOf(owner),
      member: viewerOf(member),
      mate: viewerOf(mate),
      outsider: viewerOf(outsider),
    };
    const colours = ['sb', 'msb', 'tbl'].flatMap((name) =>
      Object.values(valueIds(made.tracker.fields.find((field) => field.name === name) ?? { values: [] })),
    );
    known = {
      fields: made.ids,
      entries: [100, -1, -2, ...colours, ...chosen.accounts],
      accounts: people.map(({ id }) => id),
      ids,
      trackerNames: ['beside', tracker.itemName],
      now: Date.now(),
    };
    await comment();
  });
  afterAll(async () => {
    await database.close();
    await atelier.stop();
  });

  const skipIds = (many: number) =>
    atelier.sql(
      engine === 'SQLite'
        ? `update sqlite_sequence set seq = seq + ${many} where name = 'artifact'`
        : `select setval(pg_get_serial_sequence('artifact', 'id'), (select max(id) + ${many} from artifact))`,
    );

  const given = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('There is no such tracker.');
    return value;
  };

  /** Comments for everybody and for some, edited ones and one that was emptied. */
  async function comment(): Promise<void> {
    const { administrator = platform } = viewers;
    await database.transaction(async (tx) => {
      const own = tx.sql.updateTable('tracker').where('id', '=', tracker.id);
      await tx.run(own.set({ has_private_comments: 1 }));
      await tx.touch('structure');
    });
    const say = (artifactId: number, body: string, groups?: string[]) =>
      operate().addComment(administrator, { artifactId, body, format: 'commonmark', groups });
    const own = ids.slice(4);
    for (const [index, id] of own.entries()) {
      if (index % 3 === 0) await say(id, `**Alpha** café ${index} art #${own[0]}`);
      if (index % 4 === 0) await say(id, 'beta one', [`${tracker.project.id}_4`]);
      if (index % 5 === 0) {
        const { id: changesetId } = await say(id, 'Straße');
        const body = index % 2 === 0 ? 'xyz' : '';
        await operate().editComment(administrator, {
          artifactId: id,
          changesetId,
          body,
          format: 'text',
          groups: undefined,
        });
      }
    }
  }

  /** Holds the index against what the artifacts say, for everybody. */
  async function check(runs: number): Promise<void> {
    const world = await World.of(database);
    for (const [name, viewer] of Object.entries(viewers)) {
      const { readContext, view } = await lookAs(database, trackers, viewer, tracker);
      const judge = await Judge.of(readContext, world, view);
      const holds = async (condition: Condition, offset: number, isDescending: boolean, limits: Limits) => {
        const expected = judge.found(condition);
        const page = await findIds(readContext, view, condition, { limit: 5, offset, isDescending, limits });
        const ordered = isDescending ? expected.toReversed() : expected;
        expect(page, name).toEqual({ ids: ordered.slice(offset, offset + 5), size: expected.length });
        const after = expected[2] ?? 0;
        expect(await findIdsAfter(readContext, view, condition, { after, limit: 4, limits })).toEqual(
          expected.filter((id) => id > after).slice(0, 4),
        );
        expect(await findAllIds(readContext, view, condition)).toEqual(expected);
      };
      await fc.assert(fc.asyncProperty(conditionsOver(known), fc.nat(12), fc.boolean(), ways, holds), {
        numRuns: runs,
        seed,
      });
    }
  }

  const pendingCount = async () =>
    (await database.all(database.sql.selectFrom('search_pending').select('artifact_id'))).length;

  const forget = () =>
    database.transaction(async (tx) => {
      await tx.run(tx.sql.deleteFrom('posting'));
      await tx.run(tx.sql.deleteFrom('search_pending'));
      const rows = ids.map((artifact_id) => ({ artifact_id, ticket: 1 }));
      await tx.run(tx.sql.insertInto('search_pending').values(rows));
    });

  // Before links are changed: later all parents are seen by everybody.
  test('P5.9 puts children of the same parent together, whoever looks, in every way alike', async () => {
    const { sql } = database;
    const links = await database.all<{ source_id: number; target_id: number }>(
      sql.selectFrom('artifact_link').select(['source_id', 'target_id']).where('type', '=', '_is_child'),
    );
    const condition: Condition = { is: 'anything' };
    // So that rows answer by themselves where they can.
    const everyWay = [...allWays, { ...allWays[0], pending: -1 } as Limits];
    const groups: number[] = [];
    for (const viewer of Object.values(viewers)) {
      const { readContext, view } = await lookAs(database, trackers, viewer, tracker);
      const { view: besideView } = await lookAs(database, trackers, viewer, other);
      const own = await findAllIds(readContext, view, condition);
      const seen = new Set([...own, ...(await findAllIds(readContext, besideView, condition))]);
      const parents = new Map(
        own.map((id) => {
          const known = links.filter(({ source_id, target_id }) => target_id === id && seen.has(source_id));
          return [id, Math.min(...known.map(({ source_id }) => source_id))];
        }),
      );
      groups.push(new Set(parents.values()).size);
      for (const isDescending of [false, true]) {
        const keyOf = (id: number) => {
          const parent = parents.get(id) ?? Number.POSITIVE_INFINITY;
          return isDescending && Number.isFinite(parent) ? -parent : parent;
        };
        const expected = [...own].sort((left, right) => {
          const [one, two] = [keyOf(left), keyOf(right)];
          return one === two ? right - left : one - two;
        });
        const order = await tableOrder(readContext, view, [isDescending ? '-@parent' : '@parent', '-id']);
        for (const limits of everyWay) {
          const paged: number[] = [];
          for (let offset = 0; offset < own.length; offset += 15)
            paged.push(
              ...(await findSorted(readContext, view, condition, { order, limit: 15, offset, limits })).ids,
            );
          expect([isDescending, limits, paged]).toEqual([isDescending, limits, expected]);
        }
      }
    }
    // Not everybody sees the same parents.
    expect(new Set(groups).size).toBeGreaterThan(1);
    expect(Math.max(...groups)).toBeGreaterThan(2);
  });

  test('finds what it should while nothing is merged', async () => {
    await forget();
    await check(30);
  });

  test('finds what it should after half of it changed since it was merged', async () => {
    await keeper().mergePostings();
    await keeper().mergeTexts({ isAlone: true, leastWaiting: 1 });
    expect(await pendingCount()).toBe(0);
    await change();
    expect(await pendingCount()).toBeGreaterThan(5);
    await check(30);
  });

  test('finds what it should with everything merged', async () => {
    await keeper().mergePostings();
    await keeper().mergeTexts({ isAlone: true, leastWaiting: 1 });
    expect(await pendingCount()).toBe(0);
    await check(30);
  });

  test('takes in many changes of one block before their time', async () => {
    const inTime = () => keeper().mergePostingsInTime(new AbortController().signal);
    await inTime();
    const notes = Array.from({ length: 64 }, (_, index) => ({ artifact_id: index + 1, ticket: 1 }));
    await database.transaction((tx) => tx.run(tx.sql.insertInto('search_pending').values(notes)));
    await inTime();
    expect(await pendingCount()).toBe(0);
  });

  test('knows all words of all texts', async () => {
    const { sql } = database;
    const told = await database.all(
      sql.selectFrom('word_block').select('words').where('words', 'is not', null),
    );
    expect(told.length).toBeGreaterThan(0);
    expect(await database.first(sql.selectFrom('word_pending').selectAll())).toBeUndefined();
  });

  test('finds what it should in what a version merged that knew no sorted numbers', async () => {
    await database.transaction((tx) => tx.run(tx.sql.deleteFrom('posting').where('key', 'like', 'sorted %')));
    // PostgreSQL had no postings then.
    if (engine === 'SQLite')
      for (const statement of sortedNumbers.statements(database.capabilities)) await atelier.sql(statement);
    else await forget();
    expect(await pendingCount()).toBeGreaterThan(5);
    await check(15);
    await keeper().mergePostings();
    expect(await pendingCount()).toBe(0);
    await check(15);
  });

  /** Changes every other artifact, and deletes none: what is linked goes and comes. */
  async function change(): Promise<void> {
    const { owner = platform } = viewers;
    const own = ids.slice(4);
    for (const [index, id] of own.entries()) {
      if (index % 2 === 0) continue;
      const entries = [
        { field_id: known.fields['string'], value: index % 4 === 1 ? 'Café alpha' : '' },
        { field_id: known.fields['int'], value: index },
        { field_id: known.fields['date'], value: index % 4 === 1 ? '' : '2024-03-05' },
        { field_id: known.fields['sb'], bind_value_ids: [100] },
        {
          field_id: known.fields['art_link'],
          links: index % 4 === 1 ? [] : [{ id: ids[1], type: '_is_child' }],
        },
      ];
      await operate().updateArtifact(index % 3 === 0 ? owner : platform, {
        id,
        entries,
        comment: undefined,
        precondition: {},
      });
    }
  }

  test('finds artifacts of several trackers together', async () => {
    const world = await World.of(database);
    const { readContext, view } = await lookAs(database, trackers, viewers['member'] ?? platform, tracker);
    const { view: besideView } = await lookAs(database, trackers, readContext.viewer, other);
    const conditions: [Condition, Condition] = [
      { is: 'by', who: 'submitter', accountIds: known.accounts.slice(0, 2) },
      { is: 'anything' },
    ];
    const expected = [
      ...(await Judge.of(readContext, world, view)).found(conditions[0]),
      ...(await Judge.of(readContext, world, besideView)).found(conditions[1]),
    ].sort((left, right) => right - left);
    const targets = [
      { view, condition: conditions[0] },
      { view: besideView, condition: conditions[1] },
    ];
    const found = await findAcross(readContext, targets, newestFirst, { limit: 7, offset: 2 });
    expect(found).toEqual({ ids: expected.slice(2, 9), size: expected.length });
  });

  /** What artifacts are sorted by, read from their rows; those that have nothing are not in it. */
  async function keysOf(name: string): Promise<ReadonlyMap<number, number | string>> {
    const id = known.fields[name] ?? 0;
    const { sql } = database;
    const texts = sql.selectFrom('artifact_text').select(['artifact_id', 'text as key']);
    const measures = sql.selectFrom('artifact_measure').select(['artifact_id', 'value as key']);
    type KeyRow = { artifact_id: number; key: number | string };
    const rows = await database.all<KeyRow>(texts.where('field_id', '=', id));
    rows.push(...(await database.all<KeyRow>(measures.where('field_id', '=', id))));
    return new Map(rows.map(({ artifact_id, key }) => [artifact_id, key]));
  }

  const numberIn = (key: number | string) => Number(/^\s*[-+]?\d+/.exec(String(key))?.[0] ?? 0);
  function compareKeys(left: number | string | undefined, right: number | string | undefined): number {
    if (left === undefined || right === undefined)
      return Number(left !== undefined) - Number(right !== undefined);
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return (
      numberIn(left) - numberIn(right) || Buffer.compare(Buffer.from(`${left}`), Buffer.from(`${right}`))
    );
  }

  test('sorts what it finds in several trackers, page by page and in every way alike', async () => {
    const { readContext, view } = await lookAs(database, trackers, platform, tracker);
    const { view: besideView } = await lookAs(database, trackers, platform, other);
    const condition: Condition = { is: 'anything' };
    const targets = [view, besideView].map((seen) => ({ view: seen, condition }));
    const plain = ['string', 'text', 'int', 'float', 'date', 'datetime'];
    const listed = [
      'sb',
      'rb',
      'sb_users',
      'rb_ugroups',
      '@submitted_by',
      '@last_update_by',
      '@submitted_on',
    ];
    for (const name of [...plain, ...listed])
      for (const isDescending of [false, true]) {
        const order = await orderOf(readContext, [view, besideView], { name, isDescending });
        const whole = await findAcross(readContext, targets, order, { limit: 100, offset: 0 });
        expect([...whole.ids].sort((a, b) => a - b)).toEqual([...ids].sort((a, b) => a - b));
        for (const limits of allWays) {
          const paged: number[] = [];
          for (let offset = 0; offset < whole.size; offset += 9)
            paged.push(...(await findAcross(readContext, targets, order, { limit: 9, offset, limits })).ids);
          expect([name, isDescending, paged]).toEqual([name, isDescending, whole.ids]);
        }
        if (!plain.includes(name)) continue;
        const keys = await keysOf(name);
        const sorted = [...ids].sort((left, right) => {
          const difference = compareKeys(keys.get(left), keys.get(right));
          return (isDescending ? -difference : difference) || right - left;
        });
        expect([name, isDescending, whole.ids]).toEqual([name, isDescending, sorted]);
      }
  });

  test('gives up a search that takes too long', async () => {
    const { readContext, view } = await lookAs(database, trackers, platform, tracker);
    const condition: Condition = {
      is: 'matching',
      fieldId: known.fields['string'] ?? 0,
      pattern: 'a',
      isNot: false,
    };
    const page = { limit: 5, offset: 0, isDescending: false, patience: 0.0001 };
    await expect(findIds(readContext, view, condition, page)).rejects.toMatchObject({ kind: 'unavailable' });
    const targets = [{ view, condition: { is: 'anything' } as const }];
    await expect(findAcross(readContext, targets, newestFirst, page)).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});
