import { createClient } from '@atelier/client';
import { newUuid } from '../kernel/uuid.ts';

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

const send: typeof globalThis.fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('X-Client-Uuid', clientId);
  const response = await globalThis.fetch(input, { ...init, headers });
  if (response.status === 401 && !isSignIn(String(input), init?.method))
    for (const listener of lost) listener();
  return response;
};

/** The one door to the server. */
export const client = createClient({ baseUrl: '', fetch: send });
