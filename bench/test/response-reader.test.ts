import { describe, expect, it } from 'vitest';
import { ResponseReader } from '../src/load/response-reader.ts';

const whole = 'HTTP/1.1 200 OK\r\nX-Content-Length-Not: 9\r\ncontent-length: 5\r\nDate: now\r\n\r\nhello';
const answer = { status: 200, bodyBytes: 5, head: whole.slice(0, -'\r\n\r\nhello'.length) };

function pushAll(reader: ResponseReader, chunks: string[]) {
  return chunks.map((chunk) => reader.push(Buffer.from(chunk, 'latin1')));
}

describe('ResponseReader', () => {
  it('completes an answer that comes at once, and the one after it', () => {
    expect(pushAll(new ResponseReader(), [whole, whole])).toEqual([answer, answer]);
  });

  it('completes an answer cut at any byte exactly when the last byte is there', () => {
    for (let cut = 1; cut < whole.length; cut++) {
      const answers = pushAll(new ResponseReader(), [whole.slice(0, cut), whole.slice(cut)]);
      expect(answers).toEqual([undefined, answer]);
    }
  });

  it('completes an answer that comes byte by byte', () => {
    const answers = pushAll(new ResponseReader(), [...whole]);
    expect(answers.filter((answer) => answer !== undefined)).toEqual([answer]);
    expect(answers.at(-1)).toBeDefined();
  });

  it('completes an answer in chunks with the last of them, wherever it is cut', () => {
    const inChunks = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
    for (let cut = 1; cut < inChunks.length; cut++) {
      const answers = pushAll(new ResponseReader(), [inChunks.slice(0, cut), inChunks.slice(cut)]);
      expect(answers).toEqual([undefined, expect.objectContaining({ status: 200 })]);
    }
  });

  it('takes an answer without a body', () => {
    const [empty, none] = pushAll(new ResponseReader(), [
      'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 204 No Content\r\n\r\n',
    ]);
    expect(empty).toMatchObject({ status: 500, bodyBytes: 0 });
    expect(none).toMatchObject({ status: 204, bodyBytes: 0 });
  });

  it.each([
    ['without Content-Length', 'HTTP/1.1 200 OK\r\nDate: now\r\n\r\n'],
    ['longer than its Content-Length', `${whole}!`],
    ['that is not HTTP/1.1', 'SSH-2.0\r\n\r\n'],
  ])('refuses an answer %s', (reason, text) => {
    expect(() => pushAll(new ResponseReader(), [text])).toThrow(reason);
  });
});
