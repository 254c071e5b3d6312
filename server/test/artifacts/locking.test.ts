import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArtifact, submit } from '../fixtures/artifact.ts';
import { createProject } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import { type Atelier, engines, type Person, type Reply, startAtelier } from '../harness/atelier.ts';

const clients = 12;
const rounds = 4;

describe.each(engines)('many who change artifacts that hang together on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let text: number;
  let links: number;
  let ids: number[];
  /** Three of the artifacts, others for every call. */
  const some = (seed: number) => [0, 2, 3].map((step) => ids[(seed + step) % ids.length] ?? 0);
  const names = (seed: number) =>
    some(seed)
      .map((id) => `art #${id}`)
      .join(' ');
  beforeAll(async () => {
    atelier = await startAtelier(engine);
    alice = await atelier.createUser('alice');
    const project = (await createProject(alice, 'knots')).id;
    const tracker = (await createTracker(alice, project)).id;
    text = (await addField(alice, tracker, { type: 'text', name: 'text' })).field_id;
    links = (await addField(alice, tracker, { type: 'art_link', name: 'links' })).field_id;
    await addField(alice, tracker, { type: 'cross', name: 'cross' });
    ids = [];
    for (let made = 0; made < 6; made++)
      ids.push(await submit(alice, tracker, [{ field_id: text, value: 'nothing yet' }]));
  });
  afterAll(() => atelier?.stop());

  /** How often the database had to break a circle of transactions that waited for each other, in all that was done before. */
  async function circles(): Promise<number> {
    if (engine === 'SQLite') return 0;
    // The database counts a little behind.
    await pause(1500);
    const client = new pg.Client({
      connectionString: atelier.instance.environment['ATELIER_DATABASE_URL'],
    });
    await client.connect();
    const { rows } = await client.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    await client.end();
    return Number(rows[0].deadlocks);
  }

  test.each<[string, (seed: number, id: number) => Promise<Reply>]>([
    [
      'comments that name each other',
      (seed, id) => alice.post(`/artifacts/${id}/comments`, { body: names(seed), format: 'text' }),
    ],
    [
      'texts that name others than before',
      (seed, id) => alice.put(`/artifacts/${id}`, { values: [{ field_id: text, value: names(seed) }] }),
    ],
    [
      'links to each other',
      (seed, id) => {
        const wanted = some(seed).map((other) => ({ id: other }));
        return alice.put(`/artifacts/${id}`, { values: [{ field_id: links, links: wanted }] });
      },
    ],
    [
      'links from each other',
      (seed, id) => {
        const wanted = some(seed)
          .filter((other) => other !== id)
          .map((other) => ({ id: other, direction: 'reverse', type: '' }));
        return alice.put(`/artifacts/${id}`, { values: [{ field_id: links, all_links: wanted }] });
      },
    ],
  ])('%s are all stored', async (_, change) => {
    const replies = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const statuses: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const id = ids[(client + round) % ids.length] ?? 0;
          statuses.push((await change(client * 5 + round * 3, id)).status);
        }
        return statuses;
      }),
    );
    expect(replies.flat().filter((status) => status !== 200 && status !== 201)).toEqual([]);
    for (const id of ids) expect((await readArtifact(alice, id)).id).toBe(id);
  });

  test('nobody waits for another in a circle', async () => {
    expect(await circles()).toBe(0);
  });
});
