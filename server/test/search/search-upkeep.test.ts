import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Reader } from '../../src/storage/index.ts';
import { change, submit } from '../fixtures/artifact.ts';
import { createProject, databaseOf, idsOf, query, sizeOf } from '../fixtures/project.ts';
import { addField, createTracker, valueIds } from '../fixtures/tracker.ts';
import { type Atelier, startAtelier, usuallyOn } from '../harness/atelier.ts';

const indexTables = ['artifact_value', 'artifact_measure', 'artifact_text', 'comment_text'] as const;

/** Every row by which artifacts are found. */
async function rowsOf(reader: Reader): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of indexTables) {
    const rows = await reader.all(reader.sql.selectFrom(table).selectAll());
    found[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}

/** What is merged, in words. */
async function postingsOf(reader: Reader): Promise<string[]> {
  const rows = await reader.all(reader.sql.selectFrom('posting').selectAll());
  return rows.map(({ key, block, ids }) => `${key} ${block} ${Buffer.from(ids).toString('hex')}`).sort();
}

async function settled(reader: Reader): Promise<void> {
  for (const table of ['search_pending', 'text_pending', 'search_backlog'] as const) {
    const waiting = reader.sql.selectFrom(table).selectAll().limit(1);
    for (let tries = 0; (await reader.first(waiting)) !== undefined; tries++) {
      if (tries > 400) throw new Error(`${table} is never empty.`);
      await pause(50);
    }
  }
}

describe.each(usuallyOn('PostgreSQL'))('what artifacts are found by on %s', (engine) => {
  let atelier: Atelier;
  let database: Database;
  let tracker: number;
  let fields: Record<'title' | 'text' | 'points' | 'due' | 'status' | 'links', number>;
  let open: number;
  const ids: number[] = [];

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    const { admin } = atelier;
    const project = (await createProject(admin, 'upkeep')).id;
    tracker = (await createTracker(admin, project)).id;
    const status = await addField(admin, tracker, {
      type: 'sb',
      name: 'status',
      bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Closed' }] },
    });
    open = valueIds(status)['Open'] ?? 0;
    const add = async (type: string, name: string) =>
      (await addField(admin, tracker, { type, name })).field_id;
    fields = {
      title: await add('string', 'title'),
      text: await add('text', 'text'),
      points: await add('int', 'points'),
      due: await add('date', 'due'),
      status: status.field_id,
      links: await add('art_link', 'links'),
    };
    for (let index = 0; index < 12; index++) ids.push(await submit(admin, tracker, entries(index)));
    await change(admin, ids[0] ?? 0, [{ field_id: fields.title, value: 'Łódź' }], {
      comment: { body: 'A *word*', format: 'commonmark' },
    });
    database = await databaseOf(atelier);
  });
  afterAll(async () => {
    await database.close();
    await atelier.stop();
  });

  const entries = (index: number) => [
    { field_id: fields.title, value: `Title ${index}` },
    { field_id: fields.text, value: { content: `<b>Text</b> ${index}`, format: 'html' } },
    { field_id: fields.points, value: index },
    { field_id: fields.due, value: `2024-03-${10 + index}` },
    { field_id: fields.status, bind_value_ids: index % 3 === 0 ? [open] : [100] },
    { field_id: fields.links, links: ids.slice(-1).map((id) => ({ id, type: '_is_child' })) },
  ];

  const openOnes = async () => {
    const found = await atelier.admin.get(`/trackers/${tracker}/artifacts?query=${query({ status: open })}`);
    return { ids: idsOf(found), size: sizeOf(found) };
  };

  test('is made for artifacts of a version that did not know it, before the service answers', async () => {
    await settled(database);
    const before = { rows: await rowsOf(database), open: await openOnes() };
    await atelier.server.end();
    const tables = [
      'artifact_measure',
      'artifact_text',
      'comment_text',
      'posting',
      'search_pending',
      'text_pending',
      'word_block',
      'word_posting',
      'word_pending',
    ];
    const indexes = ['number', 'submission', 'change']
      .map((name) => `drop index artifact_by_${name};`)
      .join('');
    await atelier.sql(
      `${[...tables, 'search_backlog', ...(engine === 'SQLite' ? ['text_part'] : [])].map((name) => `drop table ${name};`).join('')}
      ${indexes} drop index artifact_grant_by_group; delete from revision where name = 'postings'; delete from migration where id in (9, 39, 41)`,
    );
    await atelier.restart();
    expect({ rows: await rowsOf(database), open: await openOnes() }).toEqual(before);
    await settled(database);
    expect(await openOnes()).toEqual(before.open);
  });

  test('survives a process that is killed at any moment', async () => {
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 8; index++) ids.push(await submit(atelier.admin, tracker, entries(index)));
      await pause(round * 300);
      await atelier.server.end('SIGKILL');
      await atelier.restart();
      const { body } = await atelier.admin.get(`/trackers/${tracker}/artifacts?limit=1000&values=all`);
      const expected = body.filter((one: { values: { field_id: number; bind_value_ids?: number[] }[] }) =>
        one.values.some((value) => value.field_id === fields.status && value.bind_value_ids?.includes(open)),
      );
      expect(await openOnes()).toEqual({ ids: idsOf({ body: expected } as never), size: expected.length });
    }
    await settled(database);
    const postings = await postingsOf(database);
    const { code, stderr } = await atelier.cli('reindex');
    expect(code, stderr).toBe(0);
    await settled(database);
    expect(await postingsOf(database)).toEqual(postings);
  });

  test('is put right by `atelier reindex`, whatever happened to it', async () => {
    const before = await rowsOf(database);
    const [id] = ids;
    await atelier.sql(
      `delete from artifact_text where artifact_id = ${id}; delete from comment_text;
      delete from artifact_value where artifact_id = ${id};
      insert into artifact_value (field_id, value, artifact_id) values (${fields.status}, 77, ${id});
      insert into artifact_measure (field_id, value, artifact_id) values (${fields.points}, 99, ${id}), (${fields.points}, 1, 987654);
      delete from posting`,
    );
    const { code, stdout } = await atelier.cli('reindex', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ removed: 3 });
    await settled(database);
    expect(await rowsOf(database)).toEqual(before);
    expect((await openOnes()).ids).toContain(id);
  });

  test('follows a date field that gets a time', async () => {
    const measures = async () =>
      (await rowsOf(database))['artifact_measure']
        ?.map((row) => JSON.parse(row))
        .filter((row) => row.field_id === fields.due);
    const days = await measures();
    const set = (display_time: number) =>
      atelier.admin.patch(`/tracker_fields/${fields.due}/settings`, {
        specific_properties: { display_time },
      });
    expect((await set(1)).status).toBe(200);
    await settled(database);
    const instants = await measures();
    expect(instants).toHaveLength(days?.length ?? 0);
    expect(instants?.every(({ value }) => value > 1_000_000_000_000)).toBe(true);
    await set(0);
    await settled(database);
    expect(await measures()).toEqual(days);
  });
});
