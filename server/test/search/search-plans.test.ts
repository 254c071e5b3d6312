import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLineViewer } from '../../src/kernel/viewer.ts';
import { findIds } from '../../src/search/index.ts';
import { type Database, type Reader, readRevisions, type Statement, sql } from '../../src/storage/index.ts';
import type { Executable } from '../../src/storage/session.ts';
import { type Condition, Trackers } from '../../src/trackers/index.ts';
import { submit } from '../fixtures/artifact.ts';
import { createProject, databaseOf } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import { type Atelier, engines, startAtelier } from '../harness/atelier.ts';

type Heard = Pick<Executable, 'sql' | 'values'>;
type Query = Statement<unknown, unknown> | { compile(): { sql: string; parameters: readonly unknown[] } };

/** A reader that writes down what it is asked, in whichever way. */
function listening(database: Database, reader: Reader, heard: Heard[]): Reader {
  const hear = (query: Query, parameters: unknown): Heard => {
    if ('on' in query) return query.on(database.capabilities, database.sql, parameters);
    const { sql, parameters: values } = query.compile();
    return { sql, values };
  };
  return new Proxy(reader, {
    get(target, name) {
      if (name === 'consistently')
        return (longest: number, work: (inner: Reader) => Promise<unknown>) =>
          target.consistently(longest, (inner) => work(listening(database, inner, heard)));
      const member: unknown = Reflect.get(target, name, target);
      if (name !== 'all' && name !== 'first' && name !== 'soon') return member;
      return (query: Query, parameters: unknown) => {
        heard.push(hear(query, parameters));
        return (member as Reader['all']).call(target, query as never, parameters as never);
      };
    },
  });
}

describe.each(engines)('searches on %s', (engine) => {
  let atelier: Atelier;
  let database: Database;
  let tracker: number;
  let fields: Record<'title' | 'points' | 'due' | 'status', number>;
  const trackers = new Trackers();

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    const { admin } = atelier;
    const project = (await createProject(admin, 'plans')).id;
    tracker = (await createTracker(admin, project)).id;
    const add = async (field: { type: string; name: string }) =>
      (await addField(admin, tracker, field)).field_id;
    fields = {
      title: await add({ type: 'string', name: 'title' }),
      points: await add({ type: 'int', name: 'points' }),
      due: await add({ type: 'date', name: 'due' }),
      status: (
        await addField(admin, tracker, {
          type: 'sb',
          name: 'status',
          bind: { type: 'static', values: [{ label: 'Open' }] },
        })
      ).field_id,
    };
    await submit(admin, tracker, [{ field_id: fields.title, value: 'Title' }]);
    await atelier.server.end();
    database = await databaseOf(atelier);
    // As it is where there is much: without it, PostgreSQL rightly reads small tables whole.
    if (engine === 'PostgreSQL')
      await atelier.sql(`alter database "${databaseName()}" set enable_seqscan = off`);
    if (engine === 'PostgreSQL') {
      await database.close();
      database = await databaseOf(atelier);
    }
  });
  afterAll(async () => {
    await database.close();
    await atelier.stop();
  });

  const databaseName = () =>
    new URL(atelier.instance.environment['ATELIER_DATABASE_URL'] ?? '').pathname.slice(1);

  /** How the database goes about each statement of a search. */
  async function plansOf(condition: Condition): Promise<string[]> {
    const heard: Heard[] = [];
    const revisions = await readRevisions(database);
    const viewer = commandLineViewer('regular');
    const view = await trackers.require(database, viewer, tracker, revisions);
    const readContext = { reader: listening(database, database, heard), viewer, trackers, revisions };
    const limits = { pending: 100, pendingTexts: 100, candidates: 100, words: 100, few: 0, sorted: 0 };
    await findIds(readContext, view, condition, { limit: 50, offset: 0, isDescending: false, limits });
    const plans: string[] = [];
    for (const { sql: text, values: parameters } of heard) {
      const words = engine === 'SQLite' ? 'explain query plan' : 'explain (costs off)';
      const compile = () => ({ ...sql.raw(`${words} ${text}`).compile(database.sql), parameters });
      const rows = await database.all<Record<string, unknown>>({ compile } as never);
      plans.push(`${text}\n${rows.map((row) => row['detail'] ?? row['QUERY PLAN']).join('\n')}`);
    }
    return plans;
  }

  const searches = (): [string, Condition][] => [
    ['a value of a list', { is: 'listed', fieldId: fields.status, entries: [100, 101] }],
    ['a number', { is: 'measured', fieldId: fields.points, range: { from: 1, to: 5 } }],
    ['days', { is: 'measured', fieldId: fields.due, range: { from: 19_783, to: 20_000 } }],
    ['a part of a text', { is: 'containing', fieldId: fields.title, part: 'title' }],
    ['a short part of a text', { is: 'containing', fieldId: fields.title, part: 'x' }],
    ['a submission', { is: 'fact', fact: 'submittedOn', range: { from: 1000 } }],
    ['a change', { is: 'fact', fact: 'modifiedOn', range: { from: 1000 } }],
    ['a number inside the tracker', { is: 'fact', fact: 'number', range: { from: 1, to: 1 } }],
    ['a comment', { is: 'commented', part: 'word' }],
    ['a child', { is: 'linked', direction: 'forward', type: '_is_child', end: { is: 'anything' } }],
    ['a parent', { is: 'linked', direction: 'reverse', type: '_is_child', end: { is: 'artifact', id: 1 } }],
    ['a reference', { is: 'referenced', id: 1 }],
    ['nothing in particular', { is: 'anything' }],
  ];

  /** Tables that grow with the artifacts; whoever reads one of them whole is too slow where there are many. */
  const large = [
    'artifact',
    'artifact_value',
    'artifact_measure',
    'artifact_text',
    'artifact_link',
    'cross_reference',
    'posting',
    'word_block',
    'word_posting',
    'comment_text',
  ];

  /** Of PostgreSQL, an index that is read from end to end has no condition below it. */
  const readsWhole = (table: string) =>
    engine === 'SQLite'
      ? new RegExp(`^SCAN ${table}\\b`, 'm')
      : new RegExp(`Seq Scan on ${table}\\b|Index (Only )?Scan.* on ${table}\\b.*(\\n(?!\\s+Index Cond:)|$)`);

  test('use an index for every statement', async () => {
    for (const [name, condition] of searches()) {
      const plans = await plansOf(condition);
      expect(plans, name).not.toEqual([]);
      for (const plan of plans) {
        for (const table of large) {
          expect(plan, name).not.toMatch(readsWhole(table));
        }
        expect(plan, name).not.toMatch(/AUTOMATIC|TEMP B-TREE/);
      }
    }
  });

  test('look for the parts of texts where those are known', async () => {
    const plans = (await plansOf({ is: 'containing', fieldId: fields.title, part: 'title' })).join('\n');
    expect(plans).toMatch(
      engine === 'SQLite' ? /text_part VIRTUAL TABLE INDEX/ : /artifact_text_(parts|pkey)/,
    );
  });
});
