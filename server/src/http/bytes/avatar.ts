import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const cells = 5;
const cellSize = 24;
const margin = 12;
const size = cells * cellSize + 2 * margin;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** A PNG of two colours, one bit a pixel. */
function png(isInk: (x: number, y: number) => boolean, ink: readonly number[]): Buffer {
  const stride = Math.ceil(size / 8) + 1;
  const pixels = Buffer.alloc(stride * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const index = y * stride + 1 + (x >> 3);
      if (isInk(x, y)) pixels[index] = (pixels[index] ?? 0) | (0x80 >> (x & 7));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([0xf1, 0xf3, 0xf5, ...ink])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Draws a picture of its own for every name: a pattern that is the same left and right, in one of many colours. */
export function drawAvatar(name: string): Buffer {
  const digest = createHash('sha256').update(name).digest();
  const ink = [digest[0], digest[1], digest[2]].map((byte) => 40 + ((byte ?? 0) % 140));
  const isInk = (x: number, y: number) => {
    const column = Math.floor((x - margin) / cellSize);
    const row = Math.floor((y - margin) / cellSize);
    if (x < margin || y < margin || column >= cells || row >= cells) return false;
    const mirrored = column < cells / 2 ? column : cells - 1 - column;
    return ((digest[3 + row * 3 + mirrored] ?? 0) & 1) === 1;
  };
  return png(isInk, ink);
}
