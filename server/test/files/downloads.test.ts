import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, entryOf, readArtifact, submit } from '../fixtures/artifact.ts';
import {
  createWorkplace,
  isStored,
  keyOf,
  type RootReply,
  send,
  someBytes,
  uploadInChunks,
  type Workplace,
} from '../fixtures/file.ts';
import { setFieldPermissions } from '../fixtures/tracker.ts';
import { type Atelier, oneEngine, startAtelier } from '../harness/atelier.ts';

type Headers = Readonly<Record<string, string>>;

const picture = (format: 'png' | 'jpeg' | 'gif' | 'webp', width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f6f4f' } })
    .toFormat(format)
    .toBuffer();

/** A picture that claims to be larger than it is. */
async function hugePicture(): Promise<Buffer> {
  const bytes = Buffer.from(await picture('png', 1, 1));
  bytes.writeUInt32BE(200_000, 16);
  bytes.writeUInt32BE(200_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

const engines = oneEngine('SQLite', 'headers and ranges of files are made in code');

describe.each(engines)('downloads on %s', (engine) => {
  let atelier: Atelier;
  let place: Workplace;

  beforeAll(async () => {
    atelier = await startAtelier(engine);
    place = await createWorkplace(atelier);
  });
  afterAll(() => atelier.stop());

  /** Attaches a file and gives what the artifact tells of it. */
  async function attach(bytes: Buffer | string, name = 'notes.txt', mimetype = 'text/plain') {
    const { alice, files, tracker } = place;
    const id = await uploadInChunks(alice, Buffer.from(bytes), { name, mimetype });
    const artifact = await submit(alice, tracker, [{ field_id: files, value: [id] }]);
    const [file] = entryOf(await readArtifact(alice, artifact), files).file_descriptions;
    return {
      artifact,
      id,
      url: `${atelier.url}${file.html_url}`,
      preview: `${atelier.url}${file.html_preview_url}`,
    };
  }
  const get = (url: string, headers: Headers = keyOf(place.bob)) => send(url, 'GET', headers);
  const disposition = ({ headers }: RootReply) => headers['content-disposition'];

  test('give the bytes, with headers that let no browser do anything but save them', async () => {
    const { url } = await attach('hello', 'run log.txt');
    const reply = await get(url);
    expect([reply.status, reply.text]).toEqual([200, 'hello']);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename="run log.txt"',
      'content-length': '5',
      'accept-ranges': 'bytes',
      'cache-control': 'private',
      pragma: 'no-cache',
      'x-dns-prefetch-control': 'off',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': expect.stringMatching(/X-Auth-AccessKey$/),
      'access-control-expose-headers': 'X-PAGINATION-SIZE, X-PAGINATION-LIMIT-MAX, X-PAGINATION-LIMIT',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    const head = await send(url, 'HEAD', keyOf(place.bob));
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '5']);
    expect(head.headers['etag']).toBe(reply.headers['etag']);
  });

  test.each([
    ['Größe.txt', `attachment; filename="Gre.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`],
    ['say "hi".txt', 'attachment; filename="say \\"hi\\".txt"'],
    ["it's (1)!*.txt", `attachment; filename="it's (1)!*.txt"`],
    ['🎉', `attachment; filename=""; filename*=UTF-8''%F0%9F%8E%89`],
    ['100%25.txt', 'attachment; filename="100%25.txt"'],
  ])('of %s keep the name', async (name, expected) => {
    const { url } = await attach('x', name);
    expect(disposition(await get(url))).toBe(expected);
  });

  test.each([
    ['evil.html', 'text/html', '<script>alert(1)</script>', 'text/html'],
    [
      'evil.svg',
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'image/svg+xml',
    ],
    ['evil.js', 'text/javascript', 'alert(1)', 'application/octet-stream'],
    ['evil.mjs', 'application/x-javascript; charset=utf-8', 'alert(1)', 'application/octet-stream'],
    ['evil.css', 'text/css', '* {}', 'application/octet-stream'],
    ['odd', 'what ever', 'x', 'application/octet-stream'],
    ['odder', 'text/plain; x="\u00e9"', 'x', 'application/octet-stream'],
  ])('%s as %s runs nowhere, also when it is asked to be shown', async (name, type, content, served) => {
    const { url } = await attach(content, name, type);
    for (const address of [url, `${url}?disposition=inline`]) {
      const { headers, text } = await get(address);
      expect(text).toBe(content);
      expect(headers['content-type']).toBe(served);
      expect(headers['content-disposition']).toMatch(/^attachment;/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      );
    }
  });

  test.each(['image/png', 'image/webp', 'text/plain; charset=utf-8', 'application/pdf'])(
    '%s is shown to those who ask for it',
    async (type) => {
      const { url } = await attach('x', 'file', type);
      expect(disposition(await get(url))).toMatch(/^attachment;/);
      const shown = await get(`${url}?disposition=inline`);
      expect([disposition(shown), shown.headers['content-type']]).toEqual(['inline; filename="file"', type]);
      expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
    },
  );

  test('have an Etag for their bytes; who has them already gets 304', async () => {
    const { url } = await attach('the same', 'one');
    const etag = String((await get(url)).headers['etag']);
    expect(etag).toMatch(/^"[0-9a-f]{40}"$/);
    for (const tags of [etag, `"other", ${etag}`, '*', `W/${etag}`]) {
      const reply = await get(url, { ...keyOf(place.bob), 'If-None-Match': tags });
      expect([reply.status, reply.text, reply.headers['etag']]).toEqual([304, '', etag]);
    }
    expect((await get(url, { ...keyOf(place.bob), 'If-None-Match': '"other"' })).status).toBe(200);
    const other = await attach('not the same', 'two');
    expect((await get(other.url)).headers['etag']).not.toBe(etag);
  });

  test('give one range of the bytes', async () => {
    const bytes = someBytes(1_048_576 + 50);
    const { url } = await attach(bytes, 'large');
    const etag = String((await get(url)).headers['etag']);
    const range = (text: string, more: Headers = {}) =>
      get(url, { ...keyOf(place.bob), Range: text, ...more });
    const size = bytes.length;
    for (const [text, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=10-', 10, size],
      [`bytes=1048570-1048590`, 1_048_570, 1_048_591],
      [`bytes=${size - 1}-${size - 1}`, size - 1, size],
    ] as const) {
      const reply = await range(text);
      expect([reply.status, reply.headers['content-range']]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${size}`,
      ]);
      expect(reply.headers['content-length']).toBe(String(end - start));
      expect(reply.bytes.equals(bytes.subarray(start, end))).toBe(true);
    }
    for (const text of [
      `bytes=0-${size}`,
      `bytes=${size}-`,
      'bytes=5-2',
      'bytes=-5',
      'bytes=0-1,3-4',
      'lines=1-2',
      'bytes=a-b',
      '',
    ]) {
      const reply = await range(text);
      expect([reply.status, reply.bytes.length, reply.headers['content-range']], text).toEqual([
        200,
        size,
        undefined,
      ]);
    }
    expect((await range('bytes=0-9', { 'If-Range': etag })).status).toBe(206);
    expect((await range('bytes=0-9', { 'If-Range': '"other"' })).status).toBe(200);
    const head = await send(url, 'HEAD', { ...keyOf(place.bob), Range: 'bytes=0-9' });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([206, '10', '']);
  });

  test('of an empty file are empty', async () => {
    const { alice, files, tracker } = place;
    const wish = { name: 'empty', file_size: 0, file_type: 'text/plain' };
    const { body } = await alice.post(`/tracker_fields/${files}/files`, wish);
    await submit(alice, tracker, [{ field_id: files, value: [body.id] }]);
    const reply = await get(`${atelier.url}${body.download_href}`);
    expect([reply.status, reply.text, reply.headers['content-length']]).toEqual([200, '', '0']);
  });

  describe('know who asks:', () => {
    test('by key, token, password, session from anywhere, or nobody where that is enough', async () => {
      const { alice, files, project } = place;
      const { url } = await attach('members only');
      await setFieldPermissions(alice, files, {
        can_read: [`${project}_3`],
        can_submit: ['2'],
        can_update: [`${project}_3`],
      });
      const { name: username, password } = place.bob;
      const token = (await atelier.anonymous.post('/tokens', { username, password })).body;
      const login = await atelier.anonymous.post('/sessions', { username, password });
      const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
      const basic = Buffer.from(`${username}:${password}`).toString('base64');
      const ways: Headers[] = [
        keyOf(place.bob),
        { 'X-Auth-Token': token.token, 'X-Auth-UserId': token.user_id },
        { Authorization: `Basic ${basic}` },
        { cookie },
        { cookie, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
      ];
      for (const headers of ways) expect((await get(url, headers)).text).toBe('members only');
      const outsider = await atelier.createUser('outsider');
      for (const headers of [{}, keyOf(outsider)]) expect((await get(url, headers)).status).toBe(404);
      const wrong = await get(url, { 'X-Auth-AccessKey': 'tlp-k1-1.wrong' });
      expect([wrong.status, wrong.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      expect(wrong.headers['www-authenticate']).toContain('AccessKey');
      expect((await atelier.admin.patch(`/users/${outsider.id}`, { status: 'S' })).status).toBe(200);
      expect((await get(url, keyOf(outsider))).status).toBe(403);
      await setFieldPermissions(alice, files, {
        can_read: ['1'],
        can_submit: ['2'],
        can_update: [`${project}_3`],
      });
      expect((await get(url, {})).text).toBe('members only');
    });

    test('a browser of somebody unknown is sent to the login page', async () => {
      await atelier.configure({ access_mode: 'regular' });
      const { url } = await attach('x', 'a b.txt');
      const path = new URL(url).pathname;
      const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
      const reply = await get(url, browser);
      expect([reply.status, reply.headers['location']]).toEqual([
        302,
        `/login?return_to=${encodeURIComponent(path)}`,
      ]);
      for (const accept of ['*/*', 'image/png,text/html;q=0.5'])
        expect((await get(url, { Accept: accept })).status).toBe(404);
      expect(
        (await get(`${atelier.url}/plugins/tracker/attachments/9-x`, { ...browser, ...keyOf(place.bob) }))
          .status,
      ).toBe(404);
      await atelier.configure({ access_mode: 'anonymous' });
    });
  });

  test('are 404, as a page, for what there is not', async () => {
    const { id, url } = await attach('x', 'name.txt');
    const folder = `${atelier.url}/plugins/tracker/attachments`;
    const waiting = await uploadInChunks(place.alice, Buffer.from('x'), { name: 'waiting' });
    for (const path of [
      `${id}-other.txt`,
      `${id}-name.TXT`,
      `${id}-`,
      `${id}`,
      `x-name.txt`,
      `99999-name.txt`,
      `${id}-name.txt/more`,
      `${id}-%zz`,
      `${waiting}-waiting`,
      '',
    ]) {
      const reply = await get(`${folder}/${path}`, keyOf(place.alice));
      expect([reply.status, reply.headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8']);
      expect(reply.text).toContain('<h1>Not Found</h1>');
    }
    const post = await send(url, 'POST', keyOf(place.alice));
    expect([post.status, post.headers['allow']]).toEqual([405, 'OPTIONS, GET, HEAD']);
    const options = await send(url, 'OPTIONS');
    expect([options.status, options.headers['allow']]).toEqual([200, 'OPTIONS, GET, HEAD']);
  });

  test('end when the file leaves the artifact, or its bytes are missing', async () => {
    const { alice, files } = place;
    const removed = await attach(`removed on ${engine}`);
    await change(alice, removed.artifact, [{ field_id: files, value: [] }]);
    expect((await get(removed.url)).status).toBe(404);
    const bytes = Buffer.from(`lost on ${engine}`);
    const lost = await attach(bytes);
    expect(isStored(atelier, bytes)).toBe(true);
    rmSync(join(atelier.instance.folder, 'blobs'), { recursive: true });
    expect([(await get(lost.url)).status, (await send(lost.url, 'HEAD', keyOf(alice))).status]).toEqual([
      404, 404,
    ]);
  });

  describe('of previews', () => {
    const sizeOf = async (bytes: Buffer) => {
      const { format, width, height } = await sharp(bytes).metadata();
      return [format, width, height];
    };

    test.each([
      ['png', 600, 300, 150, 75],
      ['jpeg', 300, 600, 56, 112],
      ['gif', 1000, 1000, 112, 112],
      ['gif', 20, 10, 20, 10],
    ] as const)('a %s of %i × %i becomes %i × %i', async (format, width, height, smallWidth, smallHeight) => {
      const { preview, url } = await attach(
        await picture(format, width, height),
        `p.${format}`,
        `image/${format}`,
      );
      const small = await get(preview);
      expect(await sizeOf(small.bytes)).toEqual([format, smallWidth, smallHeight]);
      expect(small.headers).toMatchObject({
        'content-type': `image/${format}`,
        'content-disposition': `attachment; filename="p.${format}"`,
        'x-content-type-options': 'nosniff',
        'content-length': String(small.bytes.length),
      });
      const again = await get(preview, {
        ...keyOf(place.bob),
        'If-None-Match': String(small.headers['etag']),
      });
      expect(again.status).toBe(304);
      expect((await get(url)).headers['etag']).not.toBe(small.headers['etag']);
    });

    test('are of the kind that the picture really is', async () => {
      const { preview } = await attach(await picture('jpeg', 300, 300), 'p.png', 'image/png');
      expect(await sizeOf((await get(preview)).bytes)).toEqual(['jpeg', 112, 112]);
    });

    test('follow the artifact, and go with the file', async () => {
      const { alice, files } = place;
      const { artifact, preview } = await attach(await picture('png', 400, 401), 'gone.png', 'image/png');
      const many = await Promise.all(Array.from({ length: 4 }, () => get(preview)));
      const [small] = many;
      expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await get(preview, {})).status).toBe(200);
      expect(small && isStored(atelier, small.bytes)).toBe(true);
      await change(alice, artifact, [{ field_id: files, value: [] }]);
      expect((await get(preview)).status).toBe(404);
      expect(small && isStored(atelier, small.bytes)).toBe(false);
    });

    test.each([
      ['a broken one', async () => (await picture('png', 300, 300)).subarray(0, 100)],
      ['one of another kind', () => picture('webp', 300, 300)],
      ['one that claims to be huge', hugePicture],
    ])('there is none of %s, though its address is given', async (_, make) => {
      const { preview, url } = await attach(await make(), 'p.png', 'image/png');
      expect(preview).toContain('/preview/');
      for (const _time of [1, 2]) expect((await get(preview)).status).toBe(404);
      expect((await get(url)).status).toBe(200);
    });

    test('are announced for pictures only', async () => {
      for (const type of ['image/webp', 'image/svg+xml', 'text/plain', 'image/png2']) {
        const { id, preview } = await attach('x', 'p', type);
        expect(preview).toBe(`${atelier.url}null`);
        const address = `${atelier.url}/plugins/tracker/attachments/preview/${id}-p`;
        expect((await get(address)).status).toBe(404);
      }
      expect((await attach('x', 'p', 'image/JPG')).preview).toContain('/preview/');
    });
  });
});
