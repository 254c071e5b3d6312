import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnswerMemory, AnswerRoom } from '../../src/http/limits/answer-memory.ts';
import { atOnce } from '../../src/http/limits/slices.ts';
import { xmlInSteps } from '../../src/http/pipeline/xml.ts';
import { entryOf, readArtifact, submit } from '../fixtures/artifact.ts';
import { createProject, databaseOf } from '../fixtures/project.ts';
import { addField, createTracker } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, type Person, startAtelier } from '../harness/atelier.ts';
import { MetricsText } from '../harness/metrics.ts';
import { thoroughTest } from '../harness/thorough.ts';

/** Much text, which is longer where it is written in HTML or JSON, with what is more than a byte in it. */
const much = `é😀${'"<&'.repeat(700)}`;

/** The value that an answer in XML stands for; all leaves are texts. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
const fromXml = (text: string): any => atOnce(xmlInSteps(text));

/** A request on a connection of its own, of which the answer is read or left. */
class RawReader {
  readonly socket: Socket;
  readonly #parts: Buffer[] = [];

  constructor(url: string, path: string, { reads = true } = {}) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('error', () => {});
    this.socket.write(`GET /api${path} HTTP/1.1\r\nHost: atelier\r\nConnection: close\r\n\r\n`);
    if (reads) this.read();
  }

  read(): void {
    this.socket.on('data', (part: Buffer) => this.#parts.push(part));
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString('latin1');
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.text)?.[1]);
  }

  /** Whether the answer came to its end, by its own words. */
  get isWhole(): boolean {
    const [head = '', ...body] = this.text.split('\r\n\r\n');
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    return length === undefined
      ? this.text.endsWith('0\r\n\r\n')
      : body.join('\r\n\r\n').length === Number(length);
  }

  async closed(): Promise<void> {
    // However it ends: what was broken tells so by what is missing.
    if (!this.socket.destroyed) await new Promise((done) => this.socket.once('close', done));
  }

  async begun(): Promise<void> {
    while (this.text === '' && !this.socket.destroyed) await pause(5);
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20);
}

test('of many answers under way one goes on in each turn, and others are answered in between', async () => {
  const memory = new AnswerMemory(1_000_000, { count: () => {} });
  const rooms = Array.from({ length: 5 }, () => new AnswerRoom(memory, () => {}));
  await Promise.all(rooms.map((room) => room.need(10)));
  const turns: string[] = [];
  const answerOthers = () => {
    turns.push('other');
    if (turns.length < 30) setImmediate(answerOthers);
  };
  setImmediate(answerOthers);
  const goOn = async (room: AnswerRoom) => {
    await room.need(10);
    turns.push('answer');
  };
  await Promise.all(rooms.map(goOn));
  expect(turns.filter((turn) => turn === 'answer').length).toBe(5);
  expect(turns.join(' ')).not.toContain('answer answer');
});

const engines = oneEngine('SQLite', 'texts are bounded in code, before and after they are stored');

describe.each(engines)('long answers on %s', (engine) => {
  let atelier: Atelier;
  let alice: Person;
  let project: number;
  /** Two fields with text, and many artifacts with much of it. */
  let tracker: number;
  let fields: number[];
  let ids: number[];

  const listPath = (more = '') => `/trackers/${tracker}/artifacts?values=all&limit=1000${more}`;
  const metric = async (name: string) => {
    const text = await (await fetch(`${atelier.url}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`atelier_${name} `));
    return Number(line?.split(' ')[1]);
  };

  beforeAll(async () => {
    // Little room and little patience, so that little is enough to use them up.
    atelier = await startAtelier(engine, {
      env: { ATELIER_ANSWER_MEMORY: String(2 * 1024 * 1024), ATELIER_SEND_SECONDS: '2' },
    });
    await atelier.configure({ access_mode: 'anonymous' });
    alice = await atelier.createUser('alice');
    project = (await createProject(alice, 'library', { is_public: true })).id;
    tracker = (await createTracker(alice, project)).id;
    fields = [];
    for (const name of ['one', 'two', 'three', 'four'])
      fields.push((await addField(alice, tracker, { type: 'text', name })).field_id);
    ids = [];
    for (let index = 0; index < 16; index++)
      ids.push(
        await submit(
          alice,
          tracker,
          fields.map((field_id) => ({ field_id, value: { content: `${index} ${much}`, format: 'text' } })),
        ),
      );
  });
  afterAll(() => atelier?.stop());

  test('a long list comes in parts, and is what its artifacts are one by one', async () => {
    const list = await alice.get(listPath());
    expect([list.status, list.headers.get('content-length')]).toEqual([200, null]);
    expect(list.headers.get('x-pagination-size')).toBe(String(ids.length));
    expect(list.body.map(({ id }: { id: number }) => id)).toEqual(ids);
    const { body: first } = await alice.get(`/artifacts/${ids[0]}`);
    // By itself an artifact also tells what the caller may do with it.
    expect(first).toMatchObject(list.body[0]);
    const short = await alice.get(`/trackers/${tracker}/artifacts?limit=1000`);
    expect(short.headers.get('content-length')).toBe(String(Buffer.byteLength(short.text)));
  });

  test('so do its other forms', async () => {
    const query = encodeURIComponent(JSON.stringify({ id: ids }));
    const list = await alice.get(listPath());
    const batch = await alice.get(`/artifacts?query=${query}`);
    expect(batch.body.collection.map(({ values }: { values: unknown }) => values)).toEqual(
      list.body.map(({ values }: { values: unknown }) => values),
    );
    const xml = await alice.get(listPath('').replace('?', '.xml?'));
    const asXml: { id: string; values: { value: string }[] }[] = fromXml(xml.text);
    expect(asXml.map(({ id }) => Number(id))).toEqual(ids);
    expect(asXml[3]?.values[0]?.value).toBe(`3 ${much}`);
    const lines = await alice.get(`/trackers/${tracker}/artifacts_export?format=jsonl`);
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(ids);
    const table = await alice.get(`/trackers/${tracker}/artifacts_export?format=csv`);
    expect(table.text.split('"<&""<&').length).toBeGreaterThan(1);
    const { body: reports } = await alice.get(`/trackers/${tracker}/tracker_reports`);
    const report = await alice.get(`/tracker_reports/${reports[0].id}/artifacts?values=all&limit=50`);
    expect(report.body).toEqual(list.body);
  });

  test('the history of an artifact with much text comes whole, in either direction', async () => {
    const [id] = ids;
    for (const word of ['a', 'b', 'c']) {
      const values = [{ field_id: fields[0], value: { content: `${word} ${much}`, format: 'text' } }];
      expect((await alice.put(`/artifacts/${id}`, { values })).status).toBe(200);
    }
    const contents = async (more: string) => {
      const { body } = await alice.get(`/artifacts/${id}/changesets?fields=all&limit=50${more}`);
      return body.map(({ values }: { values: { value: string }[] }) => values[0]?.value.slice(0, 2));
    };
    expect(await contents('')).toEqual(['0 ', 'a ', 'b ', 'c ']);
    expect(await contents('&order=desc')).toEqual(['c ', 'b ', 'a ', '0 ']);
    const xml = await alice.get(`/artifacts/${id}/changesets.xml?limit=50`);
    expect(fromXml(xml.text)).toHaveLength(4);
  });

  test('many readers at once all get whole answers, or are told to come again', async () => {
    const readers = Array.from({ length: 40 }, () => new RawReader(atelier.url, listPath()));
    await Promise.all(readers.map((reader) => reader.closed()));
    for (const reader of readers) {
      expect([200, 503]).toContain(reader.status);
      expect(reader.isWhole).toBe(true);
      if (reader.status === 503) expect(reader.text).toMatch(/^retry-after: \d+/im);
    }
    expect(readers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  test('what is larger than all limits, from earlier times, can still be read', async () => {
    const [id = 0] = ids;
    const value = { content: '"'.repeat(65_000), format: 'text', html: '&quot;'.repeat(65_000), renderer: 1 };
    const document = JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])));
    const database = await databaseOf(atelier);
    // As every change does, this one counts.
    await database.transaction((tx) =>
      tx.run(
        tx.sql
          .updateTable('artifact')
          .set((row) => ({ document, version: row('version', '+', 1) }))
          .where('tracker_id', '=', tracker),
      ),
    );
    await database.close();
    const one = await alice.get(`/artifacts/${id}?values_format=all`);
    expect([one.status, one.body.values[3].value.length]).toEqual([200, 65_000]);
    expect(one.headers.get('content-length')).toBe(String(Buffer.byteLength(one.text)));
    const again = await alice.get(`/artifacts/${id}?values_format=all`, {
      headers: { 'If-None-Match': one.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    const readers = ['/artifacts', '/artifacts.xml'].map(
      (path) => new RawReader(atelier.url, `/trackers/${tracker}${path}?values=all&limit=1000`),
    );
    await Promise.all(readers.map((reader) => reader.begun()));
    expect(readers.map(({ status }) => status)).toEqual([200, 200]);
    for (const { socket } of readers) socket.destroy();
    expect((await alice.get(`/artifacts/${id}`)).status).toBe(200);
  });

  test('who does not read is cut, and keeps nobody else from reading', async () => {
    const before = await metric('answers_cut_total');
    const idle = Array.from({ length: 2 }, () => new RawReader(atelier.url, listPath(), { reads: false }));
    const { status, body } = await alice.get(listPath());
    expect([status, body.length]).toEqual([200, ids.length]);
    await until(async () => (await metric('answers_cut_total')) >= before + idle.length);
    for (const reader of idle) reader.read();
    await Promise.all(idle.map((reader) => reader.closed()));
    expect(idle.filter(({ isWhole }) => isWhole)).toEqual([]);
  });

  test('requests that come all at once are answered one by one, as their answers are taken', async () => {
    const answered = async () =>
      (await MetricsText.of(atelier)).sum('atelier_http_requests_total', { status: '2xx' });
    const [before, cut] = [await answered(), await metric('answers_cut_total')];
    const { hostname, port } = new URL(atelier.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    const request = `GET /api/artifacts/${ids[1]} HTTP/1.1\r\nHost: atelier\r\n\r\n`;
    socket.write(request.repeat(200));
    await until(async () => (await metric('answers_cut_total')) > cut);
    socket.destroy();
    expect((await answered()) - before).toBeLessThan(150);
    const reader = connect(Number(port), hostname);
    reader.write(request.repeat(3) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    const text = Buffer.concat(await reader.toArray()).toString('latin1');
    expect(text.split('HTTP/1.1 200 OK').length - 1).toBe(4);
  });

  describe('the text of one artifact', () => {
    const most = 4 * 1024 * 1024;
    const perField = 65_000;
    const count = Math.ceil(most / perField);
    let wide: number;
    let texts: number[];
    const entries = (some: readonly number[], letter = 'x') =>
      some.map((field_id) => ({ field_id, value: { content: letter.repeat(perField), format: 'text' } }));

    beforeAll(async () => {
      wide = (await createTracker(alice, project)).id;
      texts = [];
      for (let index = 0; index < count; index++)
        texts.push((await addField(alice, wide, { type: 'text', name: `text_${index}` })).field_id);
    });

    test('has a limit, in whatever way it is written', async () => {
      const refused = await alice.post('/artifacts', { tracker: { id: wide }, values: entries(texts) });
      expect([refused.status, refused.body.error.message]).toEqual([
        413,
        expect.stringContaining(`at most ${most} bytes in all`),
      ]);
      const id = await submit(alice, wide, entries(texts.slice(1)));
      const last = texts.slice(0, 1);
      const put = await alice.put(`/artifacts/${id}`, { values: entries(last) });
      expect(put.status).toBe(413);
      const bulk = await alice.post(`/trackers/${wide}/artifact_changes`, {
        artifacts: [{ id }],
        values: entries(last),
      });
      expect(bulk.body.results[0].error.code).toBe(413);
      const csv = `aid,text_0\n${id},${'y'.repeat(perField)}\n`;
      const table = await alice.post(`/trackers/${wide}/artifacts_import`, { csv });
      expect(table.text).toContain(`at most ${most} bytes in all`);
      const { body } = await alice.get(`/artifacts/${id}/changesets`);
      expect(body).toHaveLength(1);
    });

    test('may be changed where it is larger from earlier times, but not grow', async () => {
      const id = await submit(alice, wide, entries(texts.slice(1)));
      const database = await databaseOf(atelier);
      const value = { content: 'z'.repeat(perField), format: 'text' };
      const document = JSON.stringify(Object.fromEntries(texts.map((field) => [field, value])));
      await database.transaction((tx) =>
        tx.run(tx.sql.updateTable('artifact').set({ document }).where('id', '=', id)),
      );
      await database.close();
      const [first = 0, second = 0] = texts;
      const write = (content: string) =>
        alice.put(`/artifacts/${id}`, { values: [{ field_id: first, value: { content, format: 'text' } }] });
      expect((await write('z'.repeat(perField + 1))).status).toBe(413);
      expect((await write('a'.repeat(perField))).status).toBe(200);
      expect((await write('short')).status).toBe(200);
      const { body } = await alice.get(`/artifacts/${id}`);
      const shown = new Map(
        body.values.map((entry: { field_id: number; value: string }) => [entry.field_id, entry.value.length]),
      );
      expect([shown.get(first), shown.get(second)]).toEqual([5, perField]);
    });

    test('of many artifacts is not written by one change of links', async () => {
      const links = (await addField(alice, wide, { type: 'art_link', name: 'links' })).field_id;
      const short = [{ field_id: texts[0], value: { content: 'short', format: 'text' } }];
      const others: number[] = [];
      for (let index = 0; index < 5; index++) others.push(await submit(alice, wide, short));
      const value = { content: 'z'.repeat(7 * 1024 * 1024), format: 'text' };
      const document = JSON.stringify({ [texts[0] ?? 0]: value });
      const database = await databaseOf(atelier);
      await database.transaction((tx) =>
        tx.run(tx.sql.updateTable('artifact').set({ document }).where('id', 'in', others)),
      );
      await database.close();
      const id = await submit(alice, wide, short);
      const linkTo = (some: readonly number[]) =>
        alice.put(`/artifacts/${id}`, {
          values: [
            {
              field_id: links,
              all_links: some.map((other) => ({ id: other, direction: 'reverse', type: '' })),
            },
          ],
        });
      const refused = await linkTo(others);
      expect([refused.status, refused.text]).toEqual([
        413,
        expect.stringContaining('Link fewer of them at once'),
      ]);
      expect((await linkTo(others.slice(0, 2))).status).toBe(200);
    });

    // There a thread that dies ends the service.
    if (engine === 'SQLite')
      thoroughTest('of all that a sum is made of is never held together', async () => {
        const sums = (await createTracker(alice, project)).id;
        const effort = { type: 'float', name: 'effort' };
        const sum = (await addField(alice, sums, { ...effort, type: 'computed' })).field_id;
        const links = (await addField(alice, sums, { type: 'art_link', name: 'links' })).field_id;
        const parts = (await createTracker(alice, project)).id;
        const part = (await addField(alice, parts, effort)).field_id;
        const text = (await addField(alice, parts, { type: 'text', name: 'text' })).field_id;
        const children: number[] = [];
        // Together more than a thread may hold.
        for (let index = 0; index < 80; index++)
          children.push(await submit(alice, parts, [{ field_id: part, value: 1 }]));
        const id = await submit(alice, sums, [
          { field_id: links, links: children.map((child) => ({ id: child })) },
        ]);
        const database = await databaseOf(atelier);
        const document = JSON.stringify({
          [text]: { content: 'z'.repeat(7 * 1024 * 1024), format: 'text' },
          [part]: 2,
        });
        await database.transaction((tx) =>
          tx.run(tx.sql.updateTable('artifact').set({ document }).where('id', 'in', children)),
        );
        // The sum is made anew, from what is there now.
        await database.transaction((tx) =>
          tx.run(tx.sql.updateTable('artifact_total').set({ is_stale: 1 }).where('artifact_id', '=', id)),
        );
        await database.close();
        const sumOf = async () => entryOf(await readArtifact(alice, id), sum).value;
        expect(await sumOf()).toBe(160);
        const [first = 0] = children;
        const changed = await alice.put(`/artifacts/${first}`, { values: [{ field_id: part, value: 5 }] });
        expect(changed.status).toBe(200);
        expect(await sumOf()).toBe(163);
        // Nor in the background, where all of them are taken into the search once more.
        await atelier.sql(
          `insert into search_pending (artifact_id, ticket) select id, 1 from artifact where tracker_id = ${parts}
            on conflict (artifact_id) do update set ticket = search_pending.ticket + 1`,
        );
        const waiting = async () =>
          (await atelier.sql('select artifact_id from search_pending limit 1')).length;
        await expect.poll(waiting).toBe(0);
        expect(atelier.server.output()).not.toContain('thread failed');
      });
  });
});
