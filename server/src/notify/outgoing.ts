import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isAllowedAddress } from '../artifacts/index.ts';
import { second } from '../kernel/clock.ts';
import { addressIn, isPublicAddress } from './public-addresses.ts';

/** For a whole exchange; less than the time for which a delivery that was taken is left alone. */
const patience = 15 * second;
/** Bytes of an answer that are kept; the rest is not even read. */
const mostAnswer = 4096;

/** The receiver is at an address that must not be called: no other try changes that. */
export class ForbiddenAddress extends Error {}

const forbidden = (address: string) =>
  new ForbiddenAddress(`${address} is a private address; the setting webhook_hosts allows private hosts.`);

/** Looks at the very addresses that are connected to: a name that leads elsewhere the next time gains nothing. */
const publicOnly: LookupFunction = (hostname, options, callback) => {
  process.getBuiltinModule('node:dns').lookup(hostname, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    const closed = found?.find(({ address }) => !isPublicAddress(address));
    const fault = error ?? (closed === undefined ? null : forbidden(closed.address));
    if (fault !== null || first === undefined) callback(fault ?? new Error('The host has no address.'), []);
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

/** Refuses an address that is private by itself. Names are looked at when they are called. */
export function requirePublic(url: URL, hosts: readonly string[]): void {
  const address = addressIn(url);
  const isPrivate = address === undefined ? isLocalName(url.hostname) : !isPublicAddress(address);
  if (isPrivate && !isAllowedAddress(url.href, hosts)) throw forbidden(address ?? url.hostname);
}

const isLocalName = (host: string) => /(^|\.)localhost\.?$/i.test(host);

export interface ReceiverAnswer {
  readonly status: number;
  /** Its beginning. */
  readonly text: string;
}

/** What came of it: the status says whether the receiver took the delivery, however the rest ends. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response) {
      parts.push(part);
      size += part.length;
      if (size >= mostAnswer) break;
    }
  } catch {
    // It was cut off, or did not end in time.
  }
  // A character may have been cut, and nothing unusual must reach the database.
  const text = Buffer.concat(parts).subarray(0, mostAnswer).toString('utf8');
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Posts a body, follows nothing, and gives the answer whatever its status. */
export function post(
  url: URL,
  { body, headers, hosts }: { body: string; headers: Record<string, string>; hosts: readonly string[] },
): Promise<ReceiverAnswer> {
  requirePublic(url, hosts);
  const bytes = Buffer.from(body);
  const { promise, resolve: answered, reject } = Promise.withResolvers<ReceiverAnswer>();
  const options = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(bytes.length) },
    // A connection of its own for every call, so that its address is looked at.
    agent: false,
    signal: AbortSignal.timeout(patience),
    ...(isAllowedAddress(url.href, hosts) ? {} : { lookup: publicOnly }),
  } as const;
  // Loaded where somebody is called: every thread that can write what is to be told would wait for it.
  const request =
    url.protocol === 'https:'
      ? process.getBuiltinModule('node:https').request(url, options)
      : process.getBuiltinModule('node:http').request(url, options);
  request.on('error', reject);
  // A receiver that turns to another protocol ends the call without an answer and without a fault.
  const unanswered = () => reject(new Error('The receiver gave no answer.'));
  request.on('close', unanswered);
  request.on('response', (response) => {
    request.off('close', unanswered);
    // That the rest does not end in time is no fault of the call.
    request.off('error', reject).on('error', () => {});
    const status = response.statusCode ?? 0;
    beginningOf(response)
      .then((text) => answered({ status, text }), reject)
      .finally(() => request.destroy());
  });
  request.end(bytes);
  return promise;
}
