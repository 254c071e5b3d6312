// Moves bytes as a process of its own: an order as JSON on stdin, the result as JSON on stdout.
import { once } from 'node:events';
import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Upload } from 'tus-js-client';
import type { Transfer, Transferred } from './transfer.ts';

type Order<Kind> = Extract<Transfer, { kind: Kind }>;

const portion = 1024 * 1024;

async function copy({ from, to }: Order<'copy'>): Promise<number> {
  const source = await open(from);
  const target = await open(to, 'w');
  const buffer = Buffer.allocUnsafe(portion);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer);
    if (bytesRead === 0) break;
    await target.writeFile(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  await target.sync();
  await Promise.all([source.close(), target.close()]);
  return bytes;
}

async function upload({ from, to, accessKey }: Order<'upload'>): Promise<number> {
  const { size } = statSync(from);
  const source: ReadStream = createReadStream(from, { highWaterMark: portion });
  await new Promise<void>((resolve, reject) => {
    new Upload(source, {
      uploadUrl: to,
      uploadSize: size,
      chunkSize: Number.POSITIVE_INFINITY,
      retryDelays: null,
      headers: { 'X-Auth-AccessKey': accessKey },
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
  return size;
}

async function download({ from, accessKey, copies }: Order<'download'>): Promise<number> {
  const agent = new Agent({ maxSockets: copies });
  const sizes = await Promise.all(Array.from({ length: copies }, () => downloadOnce(from, accessKey, agent)));
  agent.destroy();
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function downloadOnce(from: string, accessKey: string, agent: Agent): Promise<number> {
  const request = get(from, { agent, headers: { 'X-Auth-AccessKey': accessKey } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`GET ${from} answered ${answer.statusCode}`);
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  return bytes;
}

function run(transfer: Transfer): Promise<number> {
  switch (transfer.kind) {
    case 'copy':
      return copy(transfer);
    case 'upload':
      return upload(transfer);
    case 'download':
      return download(transfer);
  }
}

const transfer: Transfer = JSON.parse(await text(process.stdin));
const start = performance.now();
const bytes = await run(transfer);
const result: Transferred = { bytes, seconds: (performance.now() - start) / 1000 };
process.stdout.write(JSON.stringify(result));
