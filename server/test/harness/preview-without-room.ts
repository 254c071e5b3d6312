import { closeSync, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { makeSmall } from '../../src/files/preview-maker.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { DiskBlobs } from '../../src/storage/blobs/disk.ts';

/*
 * Asks for a preview while hardly another file can be opened, and says how that was refused. A file that is left open ends
 * this process when the collector finds it.
 */
const blobs = new DiskBlobs(process.argv[2] ?? '');
const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#2f6f4f' } })
  .png()
  .toBuffer();
const [blob] = await Array.fromAsync(blobs.store(Readable.from([picture])));
if (blob === undefined) throw new Error('Nothing was stored.');

const opened: number[] = [];
try {
  for (;;) opened.push(openSync('/dev/null', 'r'));
} catch {
  // Room for the picture itself, and for none of the pipes of the program.
  for (const file of opened.splice(0, 2)) closeSync(file);
}
const outcome = await makeSmall(() => blobs.read(blob.hash)).catch((error: unknown) => error);
for (const file of opened) closeSync(file);
for (let round = 0; round < 5; round++) {
  globalThis.gc?.();
  await pause(20);
}
console.log(outcome instanceof Refusal ? outcome.kind : String(outcome));
