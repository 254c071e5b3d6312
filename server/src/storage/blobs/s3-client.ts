import type http from 'node:http';
import type { IncomingMessage } from 'node:http';
import type https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { second } from '../../kernel/clock.ts';
import { Refusal, unavailable } from '../../kernel/errors.ts';
import type { S3Place } from '../../kernel/s3-place.ts';
import { reasonOf, systemFault } from '../../kernel/system-faults.ts';
import { readFaultCode } from './s3-answers.ts';

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Below the prefix; empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Opens the body anew for each try. Its hash is signed with the rest, so the store checks what arrives. */
  readonly body?: { readonly open: () => Readable; readonly size: number; readonly hash: string };
}

/** The store said no to a request that came through to it. */
export class S3Fault extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`The S3 store answered ${status} ${code}`.trim());
    this.status = status;
    this.code = code;
  }
}

/** No try takes longer without a sign of life; all tries of a request together stay below a minute. */
const usualPatience = 10 * second;
const attempts = 3;
const firstPause = 200;

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Speaks to one bucket of an S3-compatible store. */
export class S3Client {
  readonly #place: S3Place;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  readonly #patience: number;

  constructor(place: S3Place, patience = usualPatience) {
    this.#place = place;
    this.#patience = patience;
    // Loaded where there is a store: every thread would wait for it.
    const isSecure = place.endpoint.startsWith('https:');
    this.#protocol = isSecure
      ? process.getBuiltinModule('node:https')
      : process.getBuiltinModule('node:http');
    this.#agent = new this.#protocol.Agent({ keepAlive: true, keepAliveMsecs: 30 * second });
  }

  /** The answer, whose body must be read or destroyed. A status other than 2xx is thrown, as is silence. */
  async send(request: S3Request): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#try(request);
      } catch (error) {
        if (attempt === attempts || !isPassing(error)) refuseS3(error);
        await pause(firstPause * attempt);
      }
    }
  }

  async #try(request: S3Request): Promise<IncomingMessage> {
    const answer = await this.#exchange(request);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    throw new S3Fault(status, readFaultCode(await text(answer)));
  }

  async #exchange(request: S3Request): Promise<IncomingMessage> {
    const { method, body } = request;
    const { url, headers } = await this.#signed(request);
    const timeout = this.#patience;
    const outgoing = this.#protocol.request(url, { method, headers, agent: this.#agent, timeout });
    let answer: IncomingMessage | undefined;
    outgoing.on('timeout', () => {
      if (answer === undefined) outgoing.destroy(new Error('It does not answer.'));
      else if (isStopped(answer)) answer.destroy(new Error('It stopped in the middle of its answer.'));
      else answer.socket.setTimeout(timeout);
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    if (body === undefined) outgoing.end();
    // A fault of the body reaches `answered` as well, since it destroys the request.
    else pipeline(body.open(), outgoing).catch(() => {});
    answer = await answered;
    return answer;
  }

  async #signed({ method, key, query = {}, headers = {}, body }: S3Request) {
    const { endpoint, bucket, prefix, region, accessKey, secretKey } = this.#place;
    const path = key === '' ? bucket : `${bucket}/${prefix}${key}`;
    const { AwsV4Signer } = await import('aws4fetch');
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}/${path}?${new URLSearchParams(query)}`,
      headers: { ...headers, 'X-Amz-Content-Sha256': body?.hash ?? emptyHash },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
      cache: this.#signingKeys,
    });
    const signed = await signer.sign();
    const length = body === undefined ? {} : { 'Content-Length': String(body.size) };
    return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), ...length } };
  }
}

/** Whether more is to come of a silent answer. Where something is left to be taken, it is whoever reads that is slow. */
const isStopped = ({ complete, readableLength }: IncomingMessage) => !complete && readableLength === 0;

/** Whether another try may go better. */
function isPassing(error: unknown): boolean {
  return !(error instanceof S3Fault) || error.status >= 500 || error.status === 429;
}

/** Makes whatever went wrong a refusal; only that there is no such thing is for the caller to judge. */
export function refuseS3(error: unknown): never {
  if (error instanceof Refusal || (error instanceof S3Fault && error.code === 'NoSuchKey')) throw error;
  const cause = systemFault(error) ?? reasonOf(error);
  if (isPassing(error))
    throw unavailable('The store of files is away. Try again later.', { cause, retryAfter: 5 });
  throw unavailable('The store of files cannot be used; the log says why.', { cause });
}
