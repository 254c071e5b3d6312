export interface Answer {
  status: number;
  bodyBytes: number;
  /** The status line and the headers, as they came. */
  head: string;
}

const headEnd = '\r\n\r\n';
const contentLength = /\r\ncontent-length: *(\d+)/i;
const chunked = /\r\ntransfer-encoding: *chunked/i;
/** The last chunk. No body of ours holds a line end, so it stands nowhere else. */
const lastChunk = '\r\n0\r\n\r\n';

/** Recognises the end of each HTTP/1.1 answer of one connection that never has two requests under way. */
export class ResponseReader {
  #head = '';
  #answer: Answer | undefined;
  #bodyBytesLeft = 0;
  /** The end of what came of a body in chunks; undefined for bodies of known length. */
  #tail: string | undefined;

  /** The answer when these bytes complete it, otherwise undefined. */
  push(bytes: Buffer): Answer | undefined {
    if (this.#answer === undefined) this.#readHead(bytes);
    else this.#readBody(bytes);
    return this.#answer && this.#takeWhenComplete(this.#answer);
  }

  #readHead(bytes: Buffer): void {
    this.#head += bytes.toString('latin1');
    const end = this.#head.indexOf(headEnd);
    if (end === -1) return;
    this.#answer = parseHead(this.#head.slice(0, end));
    this.#bodyBytesLeft = this.#answer.bodyBytes;
    this.#tail = chunked.test(this.#answer.head) ? '' : undefined;
    this.#readBody(Buffer.from(this.#head.slice(end + headEnd.length), 'latin1'));
  }

  #readBody(bytes: Buffer): void {
    if (this.#tail === undefined || this.#answer === undefined) {
      this.#bodyBytesLeft -= bytes.length;
      return;
    }
    this.#answer.bodyBytes += bytes.length;
    this.#tail = (this.#tail + bytes.subarray(-lastChunk.length).toString('latin1')).slice(-lastChunk.length);
  }

  #takeWhenComplete(answer: Answer): Answer | undefined {
    const isOpen = this.#tail === undefined ? this.#bodyBytesLeft > 0 : this.#tail !== lastChunk;
    if (isOpen) return undefined;
    if (this.#bodyBytesLeft < 0) throw new Error('answer longer than its Content-Length');
    this.#head = '';
    this.#answer = undefined;
    return answer;
  }
}

function parseHead(head: string): Answer {
  if (!head.startsWith('HTTP/1.1 ')) throw new Error('answer that is not HTTP/1.1');
  const status = Number(head.slice(9, 12));
  return { status, bodyBytes: readBodyBytes(head, status), head };
}

function readBodyBytes(head: string, status: number): number {
  if (status === 204 || status === 304 || chunked.test(head)) return 0;
  const length = contentLength.exec(head)?.[1];
  if (length === undefined) throw new Error('answer without Content-Length');
  return Number(length);
}
