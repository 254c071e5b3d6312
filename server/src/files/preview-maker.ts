import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { hour, second } from '../kernel/clock.ts';
import { unavailable } from '../kernel/errors.ts';
import { systemViewer } from '../kernel/viewer.ts';
import type { OpenBlob, Reader } from '../storage/index.ts';
import { addBytes, discard, type FileDeps } from './deps.ts';
import { isPicture, type StoredFile } from './model.ts';
import { findPieces, openSpan, type Piece } from './pieces.ts';

const program = fileURLToPath(new URL('./preview-process.ts', import.meta.url));

/** Files that are larger get no preview, whatever is in them. */
const largestPicture = 64 * 1024 * 1024;
const longestWork = 20 * second;
/** Nothing of what the service was told reaches the program: only where a library that Node needs lies, if it had to be told. */
const { LD_LIBRARY_PATH: libraries } = process.env;
const forNode = libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries };
/** What the program ends with when the bytes make no picture. */
const noPicture = 3;

/** What the program makes: the preview of a file, or the picture of a person. */
type PictureKind = 'preview' | 'face';

/** Starts the program, before anything is opened for it. */
function startProgram(kind: PictureKind) {
  const child = spawn(process.execPath, [program, kind], { env: forNode, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'close').catch((error: unknown) => {
    throw cannotNow(String(error));
  });
  // Awaited later; that it failed must not end the process before.
  ended.catch(() => {});
  // Where there is no room for its pipes there are none, whatever the types say.
  const isRunning = child.pid !== undefined;
  return { child, ended, isRunning };
}

type SourceOfBytes = AsyncIterable<Uint8Array> & Pick<OpenBlob, 'close'>;

/** Runs the program on some bytes. Undefined when they make no picture. */
export async function makeSmall(
  open: () => Promise<SourceOfBytes>,
  kind: PictureKind = 'preview',
): Promise<Buffer | undefined> {
  const { child, ended, isRunning } = startProgram(kind);
  if (!isRunning) await ended;
  const timer = setTimeout(() => child.kill('SIGKILL'), longestWork);
  // From the beginning: what it says is gone when it ends before somebody listens.
  const said = child.stdout.toArray();
  said.catch(() => {});
  try {
    const bytes = await open();
    const written = pipeline(Readable.from(bytes), child.stdin).finally(() => bytes.close());
    // A program that ends early leaves bytes unread; how it ended tells why.
    const [, picture, [code, signal]] = await Promise.all([
      written.catch((error: unknown) => onlyIfUnread(error)),
      said,
      ended,
    ]);
    if (code === 0) return Buffer.concat(picture);
    if (code === noPicture) return undefined;
    // Who killed it, and why, says nothing about the picture.
    throw cannotNow(`It ended with ${code ?? signal}.`);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

const cannotNow = (cause: string) =>
  unavailable('The picture could not be made now.', { retryAfter: 5, cause });

/** How it shows that nobody reads any more, or never did. */
const unread: readonly unknown[] = [
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_UNABLE_TO_PIPE',
];

function onlyIfUnread(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && unread.includes(error.code))) throw error;
}

/** Tries in a row after which a picture that ends the program is left alone, how long, and how many are remembered. */
const most = { tries: 3, files: 1000 };
const respite = hour;

/** Pictures for which the program did not get to its end. They are tried again, but not again and again. */
class Failures {
  readonly #known = new Map<number, { readonly tries: number; readonly at: number }>();

  /** Refuses what was tried too often of late. */
  requireWorth(id: number): void {
    const { tries, at } = this.#known.get(id) ?? { tries: 0, at: 0 };
    const rest = at + respite - performance.now();
    if (tries >= most.tries && rest > 0)
      throw unavailable('The preview could not be made. It is tried again later.', {
        retryAfter: Math.ceil(rest / second),
      });
  }

  note(id: number): void {
    const tries = (this.#known.get(id)?.tries ?? 0) + 1;
    this.#known.delete(id);
    this.#known.set(id, { tries, at: performance.now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > most.files && oldest !== undefined) this.#known.delete(oldest);
  }

  forget(id: number): void {
    this.#known.delete(id);
  }
}

/** Small pictures of files, made when they are first asked for, one at a time in each thread. */
export class PreviewMaker {
  readonly #fileDeps: FileDeps;
  readonly #reader: Reader;
  readonly #running = new Map<number, Promise<void>>();
  readonly #failures = new Failures();
  #last: Promise<unknown> = Promise.resolve();

  constructor(fileDeps: FileDeps, reader: Reader) {
    this.#fileDeps = fileDeps;
    this.#reader = reader;
  }

  /** The picture of a person from what they uploaded: square, and written anew. Undefined when it is no picture. */
  face(bytes: Buffer): Promise<Buffer | undefined> {
    const open = () => Promise.resolve(Object.assign(Readable.from([bytes]), { close: async () => {} }));
    const work = this.#last.then(() => makeSmall(open, 'face'));
    this.#last = work.catch(() => {});
    return work;
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
    const { operations } = this.#fileDeps;
    if (small === undefined)
      return void (await operations.rememberPreview(systemViewer, { id, picture: undefined }));
    await addBytes(this.#fileDeps, small, async (picture) => {
      const outcome = await operations.rememberPreview(systemViewer, { id, picture });
      if (outcome === 'not needed') await discard(this.#fileDeps, picture.blobs);
      return outcome;
    });
  }

  async #small(id: number, size: number): Promise<Buffer | undefined> {
    this.#failures.requireWorth(id);
    const pieces = await findPieces(this.#reader, id, 'original');
    try {
      const { blobs } = this.#fileDeps.keeper;
      const small = await makeSmall(() => openSpan(blobs, pieces, { start: 0, end: size }));
      this.#failures.forget(id);
      return small;
    } catch (error) {
      this.#failures.note(id);
      throw error;
    }
  }
}
