import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { second } from '../kernel/clock.ts';
import { unavailable } from '../kernel/errors.ts';
import { commandLineViewer } from '../kernel/viewer.ts';
import type { Reader } from '../storage/index.ts';
import { addBytes, type Depot, discard } from './depot.ts';
import { isPicture, type StoredFile } from './model.ts';
import { findPieces, openSpan, type Piece } from './pieces.ts';

const program = fileURLToPath(new URL('./preview-process.ts', import.meta.url));

/** Files that are larger get no preview, whatever is in them. */
const largestPicture = 64 * 1024 * 1024;
const longestWork = 20 * second;
/** What the program ends with when the bytes make no picture. */
const noPicture = 3;

const platform = commandLineViewer('regular');

/** Runs the program on some bytes. Undefined when they make no picture, or none in time. */
async function makeSmall(bytes: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const child = spawn(process.execPath, [program], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: longestWork,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close').catch((error: unknown) => {
    throw cannotNow(String(error));
  });
  const written = pipeline(Readable.from(bytes), child.stdin);
  // A program that ends early leaves bytes unread; how it ended tells why.
  const [, picture, [code, signal]] = await Promise.all([
    written.catch((error: unknown) => onlyIfUnread(error)),
    child.stdout.toArray(),
    ended,
  ]);
  if (code === 0) return Buffer.concat(picture);
  if (code === noPicture || signal === 'SIGKILL') return undefined;
  throw cannotNow(`It ended with ${code ?? signal}.`);
}

const cannotNow = (cause: string) =>
  unavailable('The preview could not be made now.', { retryAfter: 5, cause });

function onlyIfUnread(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}

/** Small pictures of files, made when they are first asked for, one at a time in each thread. */
export class PreviewMaker {
  readonly #depot: Depot;
  readonly #reader: Reader;
  readonly #running = new Map<number, Promise<void>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(depot: Depot, reader: Reader) {
    this.#depot = depot;
    this.#reader = reader;
  }

  /** Where the preview of a complete file is; nowhere when there can be none. */
  async find(file: StoredFile): Promise<readonly Piece[]> {
    if (!isPicture(file) || file.preview === 'none') return [];
    if (file.preview === null) await this.#made(file);
    return findPieces(this.#reader, file.id, 'preview');
  }

  #made(file: StoredFile): Promise<void> {
    const running = this.#running.get(file.id) ?? this.#begin(file);
    this.#running.set(file.id, running);
    return running.finally(() => this.#running.delete(file.id));
  }

  #begin(file: StoredFile): Promise<void> {
    const work = this.#last.then(() => this.#make(file));
    this.#last = work.catch(() => {});
    return work;
  }

  async #make({ id, size }: StoredFile): Promise<void> {
    const small = size > largestPicture ? undefined : await this.#small(id, size);
    const { operations } = this.#depot;
    if (small === undefined)
      return void (await operations.rememberPreview(platform, { id, picture: undefined }));
    await addBytes(this.#depot, small, async (picture) => {
      const outcome = await operations.rememberPreview(platform, { id, picture });
      if (outcome === 'not needed') await discard(this.#depot, picture.blobs);
      return outcome;
    });
  }

  async #small(id: number, size: number): Promise<Buffer | undefined> {
    const pieces = await findPieces(this.#reader, id, 'original');
    return makeSmall(await openSpan(this.#depot.keeper.blobs, pieces, { start: 0, end: size }));
  }
}
