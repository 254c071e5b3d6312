import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ApiError,
  BadRequestError,
  type Client,
  ConflictError,
  createClient,
  ForbiddenError,
  NotFoundError,
  NotModifiedError,
  type Page,
  PreconditionFailedError,
  ServerError,
  TooLargeError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
} from '@atelier/client';
import {
  createAccessKey,
  createArtifact,
  createPlatformGroup,
  deletePlatformGroup,
  exportArtifacts,
  getArtifact,
  getTrackerSettings,
  getUser,
  getVersion,
  listAccessKeys,
  listPlatformGroups,
  listUsers,
  type PlatformGroup,
  patchPreference,
  putArtifact,
  putPlatformGroup,
  reserveUpload,
  type UserWithResources,
} from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { CuttingProxy, createWorkplace, someBytes, type Workplace } from '../fixtures/file.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

const engines = oneEngine('PostgreSQL', 'the client sees nothing but HTTP');

describe.each(engines)('the client on %s', (engine) => {
  let atelier: Atelier;
  let admin: Client;
  let anonymous: Client;
  let place: Workplace;
  let bob: Client;
  const names = Array.from({ length: 7 }, (_, index) => `walked-${index}`);

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    admin = createClient({ baseUrl: atelier.url, accessKey: atelier.admin.key });
    anonymous = createClient({ baseUrl: `${atelier.url}/` });
    place = await createWorkplace(atelier);
    bob = createClient({ baseUrl: atelier.url, accessKey: place.bob.key });
    for (const name of names) await admin.call(createPlatformGroup, { body: { name } });
  });
  afterAll(() => atelier.stop());

  test('call answers what the route answers, for the holder of the key', async () => {
    const user = await admin.call(getUser, { params: { id: 'self' } });
    expectTypeOf(user).toEqualTypeOf<UserWithResources>();
    expect(user.username).toBe('admin');
    expect((await anonymous.call(getVersion)).flavor_name).toBe('Atelier');
  });

  test('call sends path variables, query and body', async () => {
    const group = await admin.call(createPlatformGroup, { body: { name: 'Émilie & co' } });
    const changed = await admin.call(putPlatformGroup, {
      params: { id: group.id },
      body: { name: 'Émilie? #2', user_ids: [101] },
    });
    expect(changed).toMatchObject({ name: 'Émilie? #2', users: [{ id: 101 }] });
    const empty = await admin.call(deletePlatformGroup, { params: { id: group.id } });
    expect(empty).toBeUndefined();
    const found = await admin.call(listUsers, { query: { query: '{"username":"admin"}', limit: 1 } });
    expect(found.map(({ username }) => username)).toEqual(['admin']);
  });

  test('an answer without a body is undefined', async () => {
    const preference = { key: 'colour', value: 'blue' };
    expect(await admin.call(patchPreference, { params: { id: '101' }, body: preference })).toBeUndefined();
  });

  test('a refusal throws an ApiError with status, message and body', async () => {
    const failure = await failureOf(anonymous.call(createAccessKey, { body: {} }));
    expect(failure.status).toBe(401);
    expect(failure.message).toBe('Unauthorized: Authentication is required.');
    expect(failure.body).toEqual({ error: { code: 401, message: failure.message } });
    const stranger = createClient({ baseUrl: atelier.url, accessKey: 'tlp-k1-1.0000' });
    expect((await failureOf(stranger.call(getUser, { params: { id: 'self' } }))).status).toBe(401);
  });

  test('a path variable cannot lead to another route', async () => {
    for (const id of ['', '.', '..']) {
      await expect(admin.call(getUser, { params: { id } })).rejects.toThrow(TypeError);
    }
    for (const id of ['101/access_keys', '101?query=x', '101#', '101.xml', 'self.json']) {
      expect((await failureOf(admin.call(getUser, { params: { id } }))).status, id).toBe(400);
    }
  });

  test('pages walks a collection to its end', async () => {
    const pages = await collect(admin.pages(listPlatformGroups, { query: { limit: 3 } }));
    expectTypeOf(pages).toEqualTypeOf<Page<typeof listPlatformGroups>[]>();
    expect(pages.map(({ offset, limit, size, body }) => [offset, limit, size, body.length])).toEqual([
      [0, 3, 7, 3],
      [3, 3, 7, 3],
      [6, 3, 7, 1],
    ]);
  });

  test('all gives every item once, from the offset that was asked for', async () => {
    const groups = await collect(admin.all(listPlatformGroups, { query: { limit: 2 } }));
    expectTypeOf(groups).toEqualTypeOf<PlatformGroup[]>();
    expect(groups.map(({ name }) => name).sort()).toEqual(names);
    const rest = await collect(admin.all(listPlatformGroups, { query: { offset: 5, limit: 1 } }));
    expect(rest).toEqual(groups.slice(5));
    expect(await collect(admin.all(listPlatformGroups))).toEqual(groups);
  });

  test('walking ends at once where there is nothing to walk', async () => {
    const nobody = { query: { query: '{"username":"nobody-at-all"}' } };
    const pages = await collect(admin.pages(listUsers, nobody));
    expect(pages).toEqual([{ body: [], limit: 10, offset: 0, size: 0 }]);
    expect(await collect(admin.all(listPlatformGroups, { query: { offset: 100 } }))).toEqual([]);
    expect(await collect(admin.all(listPlatformGroups, { query: { limit: 0 } }))).toEqual([]);
  });

  test('no page is read before it is asked for', async () => {
    let requests = 0;
    const counting = createClient({
      baseUrl: atelier.url,
      accessKey: atelier.admin.key,
      fetch: (input, init) => {
        requests++;
        return fetch(input, init);
      },
    });
    for await (const group of counting.all(listPlatformGroups, { query: { limit: 2 } })) {
      if (group.name === 'walked-2') break;
    }
    expect(requests).toBe(2);
  });

  test('a refusal ends a walk', async () => {
    const walk = collect(anonymous.all(listAccessKeys, { params: { id: 'self' } }));
    expect((await failureOf(walk)).status).toBe(401);
  });

  /** A new artifact, as it was first read. */
  async function report(text: string) {
    const values = [{ field_id: place.title, value: text }];
    const body = { tracker: { id: place.tracker }, values };
    const { id } = await bob.call(createArtifact, { body });
    return { ...(await bob.send(getArtifact, { params: { id } })), id };
  }

  const titled = (value: string) => ({ values: [{ field_id: place.title, value }] });

  test('send tells the version, and a change of another one is refused', async () => {
    const { id, etag, lastModified, page, status } = await report('first');
    expect({ etag, page, status }).toEqual({ etag: expect.any(String), page: undefined, status: 200 });
    expect(lastModified).toBeInstanceOf(Date);
    const params = { id };
    const changed = await bob.send(putArtifact, { params, body: titled('second'), ifMatch: etag });
    expect(changed.etag).not.toBe(etag);
    const late = bob.call(putArtifact, { params, body: titled('third'), ifMatch: etag });
    expect(await failureOf(late)).toBeInstanceOf(PreconditionFailedError);
    const again = bob.send(getArtifact, { params, ifNoneMatch: changed.etag });
    expect(await failureOf(again)).toBeInstanceOf(NotModifiedError);
    expect((await bob.send(getArtifact, { params, ifNoneMatch: etag })).etag).toBe(changed.etag);
  });

  test('send tells where a page lies', async () => {
    const { page } = await admin.send(listPlatformGroups, { query: { limit: 3, offset: 1 } });
    expect(page).toEqual({ limit: 3, offset: 1, size: 7 });
  });

  test('kinds of refusals have classes', async () => {
    const missing = bob.call(getArtifact, { params: { id: 999_999 } });
    expect(await failureOf(missing)).toBeInstanceOf(NotFoundError);
    const forbidden = bob.call(getTrackerSettings, { params: { id: place.tracker } });
    expect(await failureOf(forbidden)).toBeInstanceOf(ForbiddenError);
    const unknown = anonymous.call(createAccessKey, { body: {} });
    expect(await failureOf(unknown)).toBeInstanceOf(UnauthorizedError);
    const short = bob.call(listUsers, { query: { query: 'a' } });
    expect(await failureOf(short)).toBeInstanceOf(BadRequestError);
  });

  /** Reserves an upload of these bytes. */
  const reserveFor = (bytes: Uint8Array) =>
    bob.call(reserveUpload, {
      params: { id: place.files },
      body: {
        name: `of ${bytes.length}.bin`,
        file_size: bytes.length,
        file_type: 'application/octet-stream',
      },
    });

  test('an upload in pieces survives cuts, and comes back as it was', async () => {
    const bytes = someBytes(5_000_011);
    const reserved = await reserveFor(bytes);
    const proxy = await CuttingProxy.before(atelier.url, { cuts: 3, after: 1_500_000 });
    const far = createClient({ baseUrl: proxy.url, accessKey: place.bob.key });
    const told: number[] = [];
    await far.upload(reserved, bytes, { pieceSize: 2_000_000, onProgress: (arrived) => told.push(arrived) });
    proxy.close();
    expect(proxy.cuts).toBe(3);
    expect(told.at(-1)).toBe(bytes.length);
    expect(told).toEqual(told.toSorted((left, right) => left - right));
    const { id } = await report('with a file');
    const values = [{ field_id: place.files, value: [reserved.id] }];
    await bob.call(putArtifact, { params: { id }, body: { values } });
    const response = await bob.bytes(reserved.download_href);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await failureOf(bob.bytes('/plugins/tracker/attachments/999999-x'))).toBeInstanceOf(NotFoundError);
  });

  test('an upload ends by its signal, is refused at once where waiting does not help, and sends nothing when there is nothing', async () => {
    const bytes = someBytes(1000);
    const reserved = await reserveFor(bytes);
    const ended = bob.upload(reserved, bytes, { signal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    const stranger = createClient({ baseUrl: atelier.url, accessKey: 'tlp-k1-1.0000' });
    expect(await failureOf(stranger.upload(reserved, bytes))).toBeInstanceOf(UnauthorizedError);
    await bob.upload(reserved, bytes);
    const nothing = await reserveFor(new Uint8Array());
    expect(nothing.upload_href).toBeNull();
    await bob.upload(nothing, new Uint8Array());
  });

  test('routes that answer files stream them', async () => {
    await report('in a table');
    const table = await bob.download(exportArtifacts, {
      params: { id: place.tracker },
      query: { columns: ['title'] },
    });
    expect(table.headers.get('Content-Type')).toMatch(/^text\/csv/);
    expect(await table.text()).toContain('in a table');
  });

  test('credentials go to no other server', async () => {
    for (const href of [
      'https://example.org/x',
      '//example.org/x',
      '/\\example.org',
      'relative',
      `${atelier.url}.org/x`,
    ])
      await expect(bob.bytes(href)).rejects.toThrow(TypeError);
    expect((await bob.bytes(`${atelier.url}/api/version`)).ok).toBe(true);
  });

  test('a signal ends a call early', async () => {
    const call = admin.call(getUser, { params: { id: 'self' }, signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('an answer of something that is not the server throws an ApiError too', async () => {
  const portal = createServer((request, response) => {
    response.writeHead(request.url === '/api/version' ? 200 : 502, { 'Content-Type': 'text/html' });
    response.end('<h1>Please log in</h1>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => portal.once('listening', resolve));
  const { port } = portal.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}` });
  const page = await failureOf(client.call(getVersion));
  expect({ status: page.status, body: page.body }).toEqual({ status: 200, body: '<h1>Please log in</h1>' });
  expect((await failureOf(client.call(listAccessKeys, { params: { id: 'self' } }))).status).toBe(502);
  portal.close();
});

test('every status that one can do something about has a class, and tells when to come again', async () => {
  const answers = new Map([
    [409, ConflictError],
    [410, NotFoundError],
    [413, TooLargeError],
    [429, TooManyRequestsError],
    [500, ServerError],
    [503, UnavailableError],
  ]);
  for (const [status, kind] of answers) {
    const headers = { 'Content-Type': 'application/json', 'Retry-After': '7' };
    const body = JSON.stringify({ error: { code: status, message: 'No.', details: { line: 1 } } });
    const client = createClient({ baseUrl: '', fetch: async () => new Response(body, { status, headers }) });
    const failure = await failureOf(client.call(getVersion));
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject({ status, message: 'No.', retryAfter: 7, details: { line: 1 } });
  }
});

/** Read by the compiler only: what it must refuse. */
export function refusedByTheCompiler(client: Client): void {
  // @ts-expect-error the path has a variable
  client.call(getUser);
  // @ts-expect-error it has another name
  client.call(getUser, { params: { name: 'self' } });
  // @ts-expect-error the query is needed
  client.call(listUsers);
  // @ts-expect-error there is no such member of the query
  client.call(listPlatformGroups, { query: { limitt: 1 } });
  // @ts-expect-error the body is needed
  client.call(createPlatformGroup);
  // @ts-expect-error a member of the body has the wrong type
  client.call(createPlatformGroup, { body: { name: 1 } });
  // @ts-expect-error the route takes no body
  client.call(getVersion, { body: {} });
  // @ts-expect-error the route has no pages
  client.pages(getVersion);
}
