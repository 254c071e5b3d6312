import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Atelier, Caller, Person } from './harness/atelier.ts';
import { createProject, setMembers } from './project-fixtures.ts';
import { addField, createTracker } from './tracker-fixtures.ts';

export const chunkSize = 1_048_576;

/** Bytes that no codec leaves alone by chance, the same in each part of a test that uses them. */
export const someBytes = (size: number): Buffer => randomBytes(size);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** An answer to a request for an address from the root of the server. */
export interface RootReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends a request to the root of the server; below `/api` a `Caller` does. */
export async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Buffer | string,
): Promise<RootReply> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const outgoing = request(url, { method, headers: { ...length, ...headers }, agent: false });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await incoming.toArray());
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text: bytes.toString('utf8') };
}

export const keyOf = ({ key }: Person) => ({ 'X-Auth-AccessKey': key });
export const tusHeaders = { 'Tus-Resumable': '1.0.0' };
export const patchHeaders = (offset: number) => ({
  ...tusHeaders,
  'Content-Type': 'application/offset+octet-stream',
  'Upload-Offset': String(offset),
});

/** Makes a temporary file from chunks of at most a mebibyte, and gives its id. */
export async function uploadInChunks(
  caller: Caller,
  bytes: Buffer,
  { name = 'notes.txt', mimetype = 'text/plain', description }: Readonly<Record<string, string>> = {},
): Promise<number> {
  const content = bytes.subarray(0, chunkSize).toString('base64');
  const first = await caller.post('/artifact_temporary_files', { name, mimetype, content, description });
  expect(first.status, first.text).toBe(201);
  for (let start = chunkSize, offset = 2; start < bytes.length; start += chunkSize, offset++) {
    const next = { content: bytes.subarray(start, start + chunkSize).toString('base64'), offset };
    const { status, text } = await caller.put(`/artifact_temporary_files/${first.body.id}`, next);
    expect(status, text).toBe(200);
  }
  return first.body.id;
}

/** The loop that every client has: offset, limit and size from the headers, each chunk decoded by itself. */
export async function readInChunks(caller: Caller, id: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let offset = 0; ; ) {
    const { status, body, headers, text } = await caller.get(`/artifact_files/${id}?offset=${offset}`);
    expect(status, text).toBe(200);
    chunks.push(Buffer.from(body.data, 'base64'));
    const limit = Number(headers.get('X-Pagination-Limit'));
    const size = Number(headers.get('X-Pagination-Size'));
    if (offset + limit >= size) return Buffer.concat(chunks);
    offset += limit;
  }
}

export interface Reserved {
  readonly id: number;
  readonly download_href: string;
  readonly upload_href: string;
}

export async function reserve(
  caller: Caller,
  fieldId: number,
  size: number,
  { name = 'plan.pdf', type = 'application/pdf' }: { name?: string; type?: string } = {},
): Promise<Reserved> {
  const wish = { name, file_size: size, file_type: type };
  const { status, body, text } = await caller.post(`/tracker_fields/${fieldId}/files`, wish);
  expect(status, text).toBe(200);
  return body;
}

/** Reserves an upload and sends it in one PATCH. */
export async function upload(
  atelier: Atelier,
  person: Person,
  fieldId: number,
  bytes: Buffer,
  more: { name?: string; type?: string } = {},
): Promise<Reserved> {
  const reserved = await reserve(person, fieldId, bytes.length, more);
  if (bytes.length === 0) return reserved;
  const headers = { ...keyOf(person), ...patchHeaders(0) };
  const { status, text } = await send(`${atelier.url}${reserved.upload_href}`, 'PATCH', headers, bytes);
  expect(status, text).toBe(204);
  return reserved;
}

/** Whether bytes are stored in the data folder. */
export function isStored({ instance }: Atelier, bytes: Buffer): boolean {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return existsSync(join(instance.folder, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash));
}

/** A public project of two people, with a tracker that has a title and two fields for files. */
export interface Workplace {
  readonly alice: Person;
  readonly bob: Person;
  readonly project: number;
  readonly tracker: number;
  readonly title: number;
  readonly files: number;
  readonly others: number;
}

export async function createWorkplace(atelier: Atelier): Promise<Workplace> {
  const [alice, bob] = [await atelier.createUser('alice'), await atelier.createUser('bob')];
  const { id: project } = await createProject(alice, 'workplace');
  await setMembers(alice, `${project}_3`, [alice, bob]);
  const { id: tracker } = await createTracker(alice, project);
  const field = async (type: string, name: string) =>
    (await addField(alice, tracker, { type, name })).field_id;
  return {
    alice,
    bob,
    project,
    tracker,
    title: await field('string', 'title'),
    files: await field('file', 'files'),
    others: await field('file', 'others'),
  };
}

/** Stands between a client and the server, and cuts connections after a number of bytes. */
export class CuttingProxy {
  /** Connections that were cut. */
  cuts = 0;
  readonly #server: Server;
  readonly #most: number;
  readonly #after: number;
  readonly #clients = new Set<Socket>();

  private constructor(target: URL, { cuts, after }: { cuts: number; after: number }) {
    this.#most = cuts;
    this.#after = after;
    this.#server = createServer((client) =>
      this.#join(client, connect(Number(target.port), target.hostname)),
    );
  }

  static async before(target: string, wish: { cuts: number; after: number }): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(target), wish);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  #join(client: Socket, server: Socket): void {
    let sent = 0;
    this.#clients.add(client);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    client.on('data', (bytes) => {
      sent += bytes.length;
      if (sent > this.#after && this.cuts < this.#most) {
        this.cuts++;
        // What was passed on arrives; after that nothing more comes, in either direction.
        client.destroy();
        server.end();
      }
    });
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.pipe(server).pipe(client);
  }

  close(): void {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
  }
}
