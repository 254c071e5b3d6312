import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Atelier, startAtelier } from '../harness/atelier.ts';
import { head, RawConnection } from './raw-connection.ts';

/** Loopback has many addresses, so that one machine can be many. */
const address = (number: number) => `127.0.0.${number}`;

const question = head('GET', '/api/version', {});

describe('connections of people who mean harm', () => {
  let atelier: Atelier;
  let opened: RawConnection[] = [];
  beforeAll(async () => {
    atelier = await startAtelier('SQLite', {
      env: {
        ATELIER_HTTP_THREADS: '2',
        ATELIER_MAX_CONNECTIONS: '60',
        ATELIER_MAX_CONNECTIONS_PER_ADDRESS: '20',
        ATELIER_HEADER_SECONDS: '2',
        ATELIER_BODY_SECONDS: '2',
      },
      isAlone: true,
    });
  });
  afterAll(() => atelier.stop());

  async function open(from: number): Promise<RawConnection> {
    const connection = await RawConnection.open(atelier.url, address(from));
    opened.push(connection);
    return connection;
  }

  async function openMany(count: number, from: number): Promise<RawConnection[]> {
    return Promise.all(Array.from({ length: count }, () => open(from)));
  }

  /** Whether somebody from an address is answered; whoever is refused tries again. */
  async function isAnswered(from: number): Promise<boolean> {
    const connection = await open(from);
    const status = await connection
      .send(question)
      .status()
      .catch(() => 0);
    connection.end();
    return status === 200;
  }

  /** Nobody is there any more. */
  async function leave(): Promise<void> {
    for (const connection of opened) connection.end();
    opened = [];
  }

  test('end with 408 when they send nothing, or their headers do not end', async () => {
    const [silent, slow] = [await open(2), await open(2)];
    slow.send('GET /api/version HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    expect(await Promise.all([silent.status(), slow.status()])).toEqual([408, 408]);
    await Promise.all([silent.closed(), slow.closed()]);
    await leave();
  });

  test.each([
    ['GET /api/users?query=Éri HTTP/1.1', /percent signs/],
    ['GET /api/users?query=a b HTTP/1.1', /percent signs/],
    ['get /api/version HTTP/1.1', /in capitals/],
  ])('that say what is no request, “%s”, are told what to do', async (line, words) => {
    const connection = await open(2);
    expect(await connection.send(`${line}\r\nHost: a\r\n\r\n`).status()).toBe(400);
    await connection.closed();
    expect(connection.answer).toMatch(words);
    await leave();
  });

  test('end with 408 when a body does not arrive, whichever way it goes', async () => {
    const heads = [
      head('POST', '/api/tokens', { 'Content-Length': 100 }),
      head('POST', '/api/access_keys', { 'Content-Length': 100, 'X-Auth-AccessKey': atelier.admin.key }),
      head('PUT', '/api/artifacts/1', { 'Content-Length': 100 }),
      head('POST', '/api/access_keys', { 'Content-Length': 100_000, 'X-Auth-AccessKey': atelier.admin.key }),
    ];
    const slow = await openMany(heads.length, 2);
    for (const [at, connection] of slow.entries()) connection.send(`${heads[at]}{"a`);
    expect(await Promise.all(slow.map((connection) => connection.status()))).toEqual(heads.map(() => 408));
    await leave();
  });

  test('end when somebody goes on sending what nobody wants', async () => {
    const heads = [
      head('PATCH', '/uploads/tracker/file/1', { 'Transfer-Encoding': 'chunked', 'Tus-Resumable': '1.0.0' }),
      head('PUT', '/svnplugin/a/b/c', { 'Transfer-Encoding': 'chunked' }),
      head('POST', '/api/access_keys', { 'Transfer-Encoding': 'chunked' }),
      head('POST', '/api/nothing', { 'Transfer-Encoding': 'chunked' }),
      head('DELETE', '/api/artifacts/1', { 'Transfer-Encoding': 'chunked' }),
    ];
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    await Promise.all(
      heads.map(async (text) => {
        const connection = (await open(2)).send(text).send(chunk);
        expect(Math.floor((await connection.send(chunk).status()) / 100), text).toBe(4);
        while (!connection.isClosed) {
          connection.send(chunk);
          await pause(50);
        }
      }),
    );
    await leave();
  });

  test('from one address are so many and no more, over all threads; other addresses do not notice', async () => {
    const many = await openMany(20, 3);
    // Each has sent a request, so none of them is late.
    for (const connection of many) expect(await connection.send(question).status()).toBe(200);
    const next = (await open(3)).send(question);
    expect(await next.status()).toBe(503);
    expect(next.answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(next.answer).toMatch(/\r\nRetry-After: \d+\r\n/);
    expect(await isAnswered(4)).toBe(true);
    await leave();
    await vi.waitUntil(() => isAnswered(3), { timeout: 60_000 });
    await leave();
  });

  /** As many connections as there may be, from several addresses. */
  const openAll = async () => (await Promise.all([5, 6, 7].map((from) => openMany(20, from)))).flat();

  async function leaveRoom(): Promise<void> {
    await leave();
    await vi.waitUntil(() => isAnswered(9), { timeout: 60_000 });
    await leave();
  }

  test('that wait for another request give way when there are too many', async () => {
    for (const connection of await openAll()) expect(await connection.send(question).status()).toBe(200);
    // By themselves they would stay for longer than this waits.
    await vi.waitUntil(() => isAnswered(8), { timeout: 30_000 });
    await leaveRoom();
  });

  test('that never sent a request give way when there are too many', async () => {
    // Whoever gives way is cut off without a word; on a machine that is busy with other things all may be late before, and are told so.
    let haveGivenWay = false;
    for (let attempt = 0; attempt < 8 && !haveGivenWay; attempt++) {
      const silent = await openAll();
      await vi.waitUntil(() => isAnswered(8), { timeout: 60_000 });
      haveGivenWay = silent.some(({ isClosed, answer }) => isClosed && answer === '');
      await leaveRoom();
    }
    expect(haveGivenWay).toBe(true);
  });
});
