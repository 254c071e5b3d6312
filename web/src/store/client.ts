import { createClient } from '@atelier/client';
import { newUuid } from '../kernel/uuid.ts';
import { awayWords } from '../messages/index.ts';
import { personSignal } from './person.ts';
import { createSignal } from './signal.ts';

/** Names this page to the server, so that it knows the echo of its own changes. */
export const clientId = newUuid();

type Listener = () => void;
const lost = new Set<Listener>();

/** Is called whenever an answer says that nobody, or nobody any more, is signed in. */
export function onSessionLost(listener: Listener): () => void {
  lost.add(listener);
  return () => lost.delete(listener);
}

/** A wrong password is no ended session. */
const isSignIn = (address: string, method: string | undefined) =>
  method === 'POST' && address.endsWith('/api/sessions');

/** What is written waits until the same person has signed in again in place, and is sent once more; what is read is asked for anew. */
async function afterSigningIn(refused: Response, repeat: () => Promise<Response>): Promise<Response> {
  const person = personSignal.get();
  if (person === undefined) return refused;
  await new Promise<void>((resolve) => {
    const stop = signIns.subscribe(() => {
      stop();
      resolve();
    });
  });
  return personSignal.get() === person ? repeat() : refused;
}

/** An answer, or the stream of events, says that nobody is signed in any more. */
export function tellSessionLost(): void {
  for (const listener of lost) listener();
}

/** Another number whenever somebody has signed in. */
export const signIns = createSignal(0);

/** When the server answered first, by its clock and by ours. */
let answered: { readonly there: number; readonly here: number } | undefined;

/** The time of the server when it answered first: what happened later may not be in what this page has read. */
export const firstAnswerTime = (): number => answered?.there ?? Date.now();

/** The time of the server now, within a second or so. */
export const serverTime = (): number =>
  answered === undefined ? Date.now() : answered.there + Date.now() - answered.here;

/** What is chosen on the way out is kept, though the page is left before it was sent. */
const outlivesPage = (address: string, method: string | undefined) =>
  method === 'PATCH' && address.endsWith('/preferences');

const send: typeof globalThis.fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('X-Client-Uuid', clientId);
  const keepalive = outlivesPage(String(input), init?.method);
  const response = await globalThis
    .fetch(input, { ...init, headers, ...(keepalive ? { keepalive } : {}) })
    .catch((error) => {
      // Browsers tell it in words of their own.
      throw error instanceof TypeError ? new TypeError(awayWords()) : error;
    });
  const date = Date.parse(response.headers.get('Date') ?? '');
  if (!Number.isNaN(date)) answered ??= { there: date, here: Date.now() };
  if (response.status !== 401 || isSignIn(String(input), init?.method)) return response;
  tellSessionLost();
  const isWrite =
    init?.method !== undefined && init.method !== 'GET' && !String(input).includes('/api/sessions');
  return isWrite ? afterSigningIn(response, () => send(input, init)) : response;
};

/** The one door to the server. */
export const client = createClient({ baseUrl: '', fetch: send });
