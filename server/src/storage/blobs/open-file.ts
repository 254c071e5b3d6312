import type { FileHandle } from 'node:fs/promises';
import type { ByteRange, OpenBlob, Take } from './blobs.ts';
import { giveBack, portionSize, takePortion } from './portions.ts';

/** Bytes of an opened file. */
export class OpenFile implements OpenBlob {
  readonly #file: FileHandle;
  readonly #end: number;
  #next: number;
  #closing: Promise<void> | undefined;

  constructor(file: FileHandle, { start, end }: ByteRange) {
    this.#file = file;
    this.#next = start;
    this.#end = end;
  }

  /** A file that is left open ends the process when the collector finds it. */
  close(): Promise<void> {
    this.#closing ??= this.#file.close();
    return this.#closing;
  }

  get #left(): number {
    return this.#end - this.#next;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      while (this.#left > 0)
        yield await this.#readInto(Buffer.allocUnsafe(Math.min(this.#left, portionSize)));
    } finally {
      await this.close();
    }
  }

  /** One portion is read while the other is being taken. */
  async pour(take: Take): Promise<void> {
    let [here, there] = [takePortion(), takePortion()];
    try {
      let reading = this.#readInto(here);
      for (let bytes = await reading; bytes.length > 0; bytes = await reading) {
        [here, there] = [there, here];
        reading = this.#readInto(here);
        // Awaited in the next turn; that it failed must not end the process before.
        reading.catch(() => {});
        await take(bytes);
      }
      giveBack(here, there);
    } finally {
      await this.close();
    }
  }

  /** The next bytes; none at the end. */
  async #readInto(memory: Uint8Array): Promise<Uint8Array> {
    if (this.#left === 0) return memory.subarray(0, 0);
    const { bytesRead } = await this.#file.read(memory, 0, Math.min(this.#left, memory.length), this.#next);
    if (bytesRead === 0) throw new Error('A blob ends too soon: it is damaged.');
    this.#next += bytesRead;
    return memory.subarray(0, bytesRead);
  }
}
