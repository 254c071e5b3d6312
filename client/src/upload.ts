import { successOf } from './answer.ts';
import { ApiError } from './error.ts';

/** What a reservation tells about where its bytes go: null when there are none. */
export interface UploadTarget {
  readonly upload_href: string | null;
}

export interface UploadOptions {
  /** Is told after every piece how many bytes have arrived, of how many. */
  readonly onProgress?: ((arrived: number, size: number) => void) | undefined;
  /** Bytes of one request at the most: 8 MiB unless given. */
  readonly pieceSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request to an upload. */
export type SendPiece = (init: RequestInit) => Promise<Response>;

const usualPieceSize = 8 * 1_048_576;
const version = { 'Tus-Resumable': '1.0.0' };

/** Seconds to wait after each failure in a row; after the last one the upload fails. What has arrived stays, so it can be begun again. */
const waits = [0.2, 0.5, 1, 2, 5, 10, 20];

/** Where somebody else sends too (409, 423), or the server or the way to it fails, the same may go well a moment later. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return [409, 423, 429].includes(error.status) || error.status >= 500;
  // What `fetch` throws when the connection is cut.
  return error instanceof TypeError;
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', end, { once: true });
  });
}

function offsetIn({ headers }: Response): number {
  const text = headers.get('Upload-Offset');
  if (text === null) throw new Error('The answer does not tell how much has arrived: is this an upload?');
  return Number(text);
}

class Upload {
  readonly #send: SendPiece;
  readonly #bytes: Blob;
  readonly #options: UploadOptions;

  constructor(send: SendPiece, bytes: Blob, options: UploadOptions) {
    this.#send = send;
    this.#bytes = bytes;
    this.#options = options;
  }

  async run(): Promise<void> {
    let offset: number | undefined;
    let failures = 0;
    while (offset === undefined || offset < this.#bytes.size) {
      try {
        offset = await (offset === undefined ? this.#arrived() : this.#sendPiece(offset));
        failures = 0;
        this.#options.onProgress?.(offset, this.#bytes.size);
      } catch (error) {
        await this.#waitAfter(error, failures++);
        // A piece that was cut may have arrived in part.
        offset = undefined;
      }
    }
  }

  async #waitAfter(error: unknown, failures: number): Promise<void> {
    const { signal } = this.#options;
    const wait = waits[failures];
    if (wait === undefined || !mayPass(error)) throw error;
    signal?.throwIfAborted();
    const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    await sleep(Math.max(wait, asked), signal);
  }

  async #request(init: RequestInit): Promise<Response> {
    const { signal } = this.#options;
    return successOf(await this.#send({ ...init, ...(signal === undefined ? {} : { signal }) }));
  }

  async #arrived(): Promise<number> {
    return offsetIn(await this.#request({ method: 'HEAD', headers: version }));
  }

  async #sendPiece(offset: number): Promise<number> {
    const { pieceSize = usualPieceSize } = this.#options;
    const headers = {
      ...version,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
    };
    // A blob would bring a type of its own where it has one.
    const body = this.#bytes.slice(offset, offset + pieceSize, 'application/offset+octet-stream');
    return offsetIn(await this.#request({ method: 'PATCH', headers, body }));
  }
}

/** Sends bytes by tus 1.0, in pieces, from where an earlier attempt ended. */
export function upload(send: SendPiece, bytes: Blob, options: UploadOptions): Promise<void> {
  const { pieceSize = usualPieceSize } = options;
  if (!Number.isInteger(pieceSize) || pieceSize < 1)
    throw new TypeError('pieceSize must be a whole number of bytes.');
  return new Upload(send, bytes, options).run();
}
