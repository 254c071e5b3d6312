import { threadName } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/index.ts';
import { change, readArtifact, submit } from '../fixtures/artifact.ts';
import { createProject, setMembers } from '../fixtures/project.ts';
import { addField, createTracker, valueIds } from '../fixtures/tracker.ts';
import {
  type Atelier,
  createInstance,
  type Instance,
  type Person,
  startAtelier,
} from '../harness/atelier.ts';
import { type LineUse, PostgresLine } from '../harness/postgres-line.ts';

/*
 * Between a service and its database is a network. Each trip over it that a request has to wait for makes the request longer,
 * however quick both are. What the service does by itself goes over the same line now and then, so that of several requests the
 * one with the fewest counts: nothing makes them fewer.
 */

let instance: Instance;
let line: PostgresLine;
let lineUrl: string;
let atelier: Atelier;
let member: Person;
let tracker: number;
let fields: { title: number; status: number; points: number; links: number };
let values: Readonly<Record<string, number>>;

beforeAll(async () => {
  instance = await createInstance('PostgreSQL');
  line = new PostgresLine(instance.environment['ATELIER_DATABASE_URL'] ?? '', { delay: 2 });
  lineUrl = await line.listen();
  const env = { ATELIER_DATABASE_URL: lineUrl };
  atelier = await startAtelier('PostgreSQL', { instance, env });
  const { admin } = atelier;
  const project = await createProject(admin, 'trips');
  ({ id: tracker } = await createTracker(admin, project.id));
  const list = { type: 'static', values: ['Open', 'Done'].map((label) => ({ label })) };
  const title = await addField(admin, tracker, { type: 'string', name: 'title', label: 'Title' });
  const status = await addField(admin, tracker, { type: 'sb', name: 'status', label: 'Status', bind: list });
  const points = await addField(admin, tracker, { type: 'int', name: 'points', label: 'Points' });
  const links = await addField(admin, tracker, { type: 'art_link', name: 'links', label: 'Links' });
  fields = { title: title.field_id, status: status.field_id, points: points.field_id, links: links.field_id };
  values = valueIds(status);
  member = await atelier.createUser('ada');
  await setMembers(admin, `${project.id}_3`, [member]);
}, 120_000);

afterAll(async () => {
  await atelier?.stop();
  line?.close();
});

const entries = (title: string, status: string, points: number, linked: readonly number[] = []) => [
  { field_id: fields.title, value: title },
  { field_id: fields.status, bind_value_ids: [values[status]] },
  { field_id: fields.points, value: points },
  ...(linked.length === 0 ? [] : [{ field_id: fields.links, links: linked.map((id) => ({ id })) }]),
];

/** Statements that read values of artifacts look at their length first. */
const readsValues = (text: string) => text.includes('octet_length');

/** The use of the line by the one of several requests that used it least. */
async function leastOf(asking: readonly (() => Promise<unknown>)[]): Promise<LineUse> {
  let least: LineUse | undefined;
  for (const ask of asking) {
    line.use();
    await ask();
    const use = line.use();
    if (least === undefined || use.trips < least.trips) least = use;
  }
  if (least === undefined) throw new Error('Nothing was asked.');
  return least;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('round trips to PostgreSQL', () => {
  let ids: number[];
  beforeAll(async () => {
    const first = await submit(member, tracker, entries('First', 'Open', 1));
    ids = [first];
    for (const index of times(8, (each) => each))
      ids.push(await submit(member, tracker, entries(`One more ${index}`, 'Open', index, [first])));
    await readArtifact(member, first);
  });

  test('P19.2 an artifact that nobody has read yet is read by one statement', async () => {
    const use = await leastOf(ids.slice(1).map((id) => () => readArtifact(member, id)));
    expect(use.statements).toHaveLength(1);
    expect(use.statements.every(readsValues)).toBe(true);
    expect(use.trips).toBe(1);
  });

  test('P19.2 an artifact that is remembered is compared by one statement', async () => {
    const use = await leastOf(times(6, () => () => readArtifact(member, ids[1] ?? 0)));
    expect(use.statements).toHaveLength(1);
  });

  test('a tracker whose form was changed is put together again from one statement', async () => {
    line.use();
    const renamed = await atelier.admin.patch(`/tracker_fields/${fields.points}`, { label: 'Story points' });
    expect(renamed.status).toBe(200);
    await readArtifact(member, ids[1] ?? 0);
    const asked = line
      .use()
      .statements.filter((text) => /from "(tracker_field|field_grant|list_rule)"/.test(text));
    expect(asked.filter((text) => text.includes('json_agg')).length).toBeGreaterThan(0);
    // Those of whoever changes it look for something else.
    expect(asked.filter((text) => text.includes('"list_rule"') && !text.includes('json_agg'))).toEqual([]);
  });

  test('P19.2 a change waits for the database three times at the most', async () => {
    const use = await leastOf(
      times(6, (index) => async () => {
        const id = ids[index + 1] ?? 0;
        await change(member, id, entries(`Changed ${index}`, 'Done', 40 + index));
      }),
    );
    expect(use.trips).toBeLessThanOrEqual(3);
    // What is sent without waiting is written at once.
    expect(use.packets).toBeLessThanOrEqual(6);
    // One that touches nothing else tries nothing in vain, and reads the artifact once.
    expect(use.statements.filter((text) => text.includes('savepoint'))).toEqual([]);
    expect(use.statements.filter(readsValues)).toEqual([]);
    expect(use.statements.length).toBeLessThanOrEqual(15);
  });

  test.each([
    ['', 4],
    [' with a link', 5],
  ])('P19.2 a new artifact%s waits for the database %i times at the most', async (links, most) => {
    const linked = links === '' ? [] : [ids[0] ?? 0];
    const use = await leastOf(
      times(6, (index) => () => submit(member, tracker, entries(`New ${index}`, 'Open', index, linked))),
    );
    expect(use.trips).toBeLessThanOrEqual(most);
  });

  test('P19.2 what work side by side reads, of different kinds too, is one trip when it is gathered', async () => {
    const database = await openDatabase({ folder: instance.folder, databaseUrl: lineUrl, connections: 2 });
    const gathered = database.gathered();
    const reading = async (index: number) => {
      await gathered.all(gathered.sql.selectFrom('setting').selectAll().where('name', '=', `${index}`));
      await gathered.all(gathered.sql.selectFrom('account').select('id').where('id', '=', index));
    };
    await reading(0);
    line.use(`atelier ${threadName || 'main'}`);
    await Promise.all(times(20, reading));
    const use = line.use(`atelier ${threadName || 'main'}`);
    expect(use.statements).toHaveLength(40);
    expect(use.trips).toBe(2);
    await database.close();
  });

  test('P19.2 what somebody has to do in several trackers is asked for by one statement', async () => {
    const { admin } = atelier;
    const project = await createProject(admin, 'mine');
    await setMembers(admin, `${project.id}_3`, [member]);
    for (const name of ['one', 'two', 'three']) {
      const { id } = await createTracker(admin, project.id);
      const field = await addField(admin, id, { type: 'string', name, label: name });
      await submit(member, id, [{ field_id: field.field_id, value: name }]);
    }
    const query = encodeURIComponent('{"submitted_by":true,"mentioned":true}');
    const use = await leastOf(
      times(3, () => async () => {
        const { status, headers } = await member.get(`/users/self/artifacts?query=${query}`);
        expect(status).toBe(200);
        expect(Number(headers.get('x-pagination-size'))).toBeGreaterThan(3);
      }),
    );
    expect(use.statements.filter((text) => text.includes('submitted_by" ='))).toHaveLength(1);
    // That one, and which comments that name them they may not read.
    expect(use.statements.filter((text) => text.includes('like'))).toHaveLength(2);
  });

  test('trackers that are not known (any more) are asked for together', async () => {
    const { admin } = atelier;
    const project = await createProject(admin, 'ten');
    for (const index of times(10, (each) => each))
      await createTracker(admin, project.id, { item_name: `t${index}`, label: `T${index}` });
    const use = await leastOf(
      times(4, (index) => async () => {
        const label = `Renamed ${index}`;
        expect((await admin.patch(`/tracker_fields/${fields.title}`, { label })).status).toBe(200);
        line.use();
        const { status, body } = await admin.get(`/projects/${project.id}/trackers?representation=minimal`);
        expect([status, body.length]).toEqual([200, 10]);
      }),
    );
    expect(use.statements.filter((text) => text.includes('json_agg'))).toHaveLength(10);
    expect(use.trips).toBeLessThan(10);
  });

  test('P19.2 reads that arrive together are one statement', async () => {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 20 && least > 4; attempt++) {
      line.use();
      await Promise.all(ids.map((id) => readArtifact(member, id)));
      least = Math.min(least, line.use().statements.length);
    }
    expect(least).toBeLessThan(ids.length);
  });

  test.each(['', 'values=all&'])(
    'P19.2 a page by the value of a list (%s) waits for the database four times at the most, while changes wait to be merged',
    async (more) => {
      const query = encodeURIComponent(JSON.stringify({ [fields.status]: [values['Open']] }));
      const use = await leastOf(
        times(6, () => async () => {
          const path = `/trackers/${tracker}/artifacts?${more}limit=50&query=${query}`;
          const { status, text } = await member.get(path);
          expect(status, text).toBe(200);
        }),
      );
      expect(use.trips).toBeLessThanOrEqual(4);
    },
  );

  test('P19.2 a page that is shown again and again reads no values of artifacts that are the same', async () => {
    const query = encodeURIComponent(JSON.stringify({ [fields.status]: [values['Open']] }));
    const path = `/trackers/${tracker}/artifacts?values=all&limit=50&query=${query}`;
    const use = await leastOf(times(8, () => () => member.get(path)));
    expect(use.statements.filter(readsValues)).toEqual([]);
  });

  test('P19.2 changes that came together are told of together, each looked at once', async () => {
    const outbox = () => atelier.sql('select id from outbox where due_at is not null');
    await expect.poll(outbox).toEqual([]);
    line.use('atelier background');
    await Promise.all(times(60, (index) => submit(member, tracker, entries(`Told ${index}`, 'Open', index))));
    await expect.poll(outbox).toEqual([]);
    const { statements } = line.use('atelier background');
    const changes = statements.filter((text) => text.includes('from "changeset" where "id" ='));
    expect(changes).toHaveLength(60);
    const settled = statements.filter((text) => text.startsWith('delete from "outbox"'));
    expect(settled.length).toBeGreaterThan(0);
    expect(settled.length).toBeLessThan(30);
  });

  test('P19.2 whoever lost their key is refused by the next read, whatever was remembered', async () => {
    const key = await atelier
      .withPassword('ada', 'ada-password')
      .post('/access_keys', { description: 'short' });
    const { identifier } = key.body;
    const [, id] = /^tlp-k1-(\d+)\./.exec(identifier) ?? [];
    const caller = atelier.callerWith({ 'X-Auth-AccessKey': identifier });
    for (const each of ids.slice(0, 3)) await readArtifact(caller, each);
    expect((await member.delete(`/access_keys/${id}`)).status).toBe(200);
    for (const each of ids.slice(0, 4)) expect((await caller.get(`/artifacts/${each}`)).status).toBe(401);
  });
});
