import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Caller, Credentials } from '../../identity/index.ts';
import { withoutPort } from '../../kernel/addresses.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import type { FlatHeaders } from '../headers.ts';
import type { Services } from '../services.ts';

const sessionCookie = 'atelier_session';

declare module 'node:http' {
  interface IncomingMessage {
    /** Set once it is known that the session cookie of the request stands for no session. */
    hasEndedSession?: boolean;
  }
}

/** Keeps a session in the browser: for some seconds, or until it is closed. */
export function cookieHeader(publicUrl: string, value: string, seconds?: number): string {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${sessionCookie}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure}`;
}

/** Of a 401: takes a cookie away that opens nothing any more, so that it is not sent for ever. */
export const cookieRemoval = ({ hasEndedSession }: IncomingMessage, publicUrl: string): FlatHeaders =>
  hasEndedSession ? ['Set-Cookie', cookieHeader(publicUrl, '', 0)] : [];

/** A session cookie came from a page that is not ours. */
export class ForeignPage extends Error {}

function cookieValue(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const pair = header.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1);
}

/** Whether a browser says that somebody signed in, which need not be true any more. */
export const saysSignedIn = ({ cookie }: IncomingHttpHeaders): boolean =>
  cookieValue(cookie, sessionCookie) !== undefined;

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function credentialsOf(headers: IncomingHttpHeaders): Credentials {
  const token = single(headers['x-auth-token']);
  const userId = single(headers['x-auth-userid']);
  return {
    session: cookieValue(headers.cookie, sessionCookie),
    accessKey: single(headers['x-auth-accesskey']),
    token: token === undefined || userId === undefined ? undefined : { token, userId },
    authorization: headers.authorization,
  };
}

/** The caller's address; a proxy's word is taken only where the configuration says so. */
export function addressOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? single(request.headers['x-forwarded-for'])?.split(',').at(-1)?.trim()
    : undefined;
  const told = forwarded === undefined ? undefined : withoutPort(forwarded);
  const address = told ?? request.socket.remoteAddress ?? 'unknown';
  return address.replace(/^::ffff:/, '').slice(0, 64);
}

/** What a request that only reads brings along to prove who sends it, for asking again later. */
export const readingCaller = (headers: IncomingHttpHeaders, address: string): Caller => ({
  credentials: credentialsOf(headers),
  address,
  isReading: true,
  withExpiredPassword: false,
});

function hostOf(referer: string): string | undefined {
  return URL.canParse(referer) ? new URL(referer).host : undefined;
}

/** Browsers send cookies along with requests that other sites make; those must not act for the user. */
function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string, modes: readonly string[]): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site !== undefined) return site === 'same-origin' && modes.includes(String(mode));
  const host = hostOf(headers.referer ?? '');
  return host !== undefined && (host === headers.host || host === new URL(publicUrl).host);
}

/** For routes that anybody may call: another site must not log its visitors in under a name of its choosing, nor act in their place. */
export function refuseForeignPages({ headers }: IncomingMessage, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  const origin = headers.origin === undefined ? undefined : hostOf(headers.origin);
  const isOwnOrigin =
    headers.origin === undefined || origin === headers.host || origin === new URL(publicUrl).host;
  if (isOwnOrigin && (site === undefined || site === 'same-origin' || site === 'none')) return;
  throw new ForeignPage('Logging in is possible from pages of this server only.');
}

/** Whether finding out who calls may take as long as checking a password does. */
export const mayTakeLong = ({ headers }: IncomingMessage) => headers.authorization !== undefined;

export interface Leniency {
  /** Lets people in whose password has expired. */
  readonly withExpiredPassword?: boolean;
  /** Takes a session from a link of our own pages, too: only where the answer is a file to save. */
  readonly fromOwnLinks?: boolean;
  /** Takes a session from wherever the request comes: only where other sites gain nothing by it. */
  readonly fromAnyPage?: boolean;
}

/** How a page asks: by a script, or by a link. */
const byScript = ['cors'];
const byScriptOrLink = [...byScript, 'navigate'];

export async function authenticate(
  services: Services,
  request: IncomingMessage,
  { withExpiredPassword = false, fromOwnLinks = false, fromAnyPage = false }: Leniency = {},
): Promise<Viewer> {
  const isReading = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
  const credentials = credentialsOf(request.headers);
  const caller = {
    credentials,
    address: addressOf(request, services.config.trustProxy),
    isReading,
    withExpiredPassword,
  };
  // Refusals of other credentials come only where the session is none.
  request.hasEndedSession = credentials.session !== undefined;
  const viewer = await services.authenticator.authenticate(caller);
  const isSession = viewer.credential.kind === 'session';
  request.hasEndedSession &&= !isSession;
  const modes = fromOwnLinks ? byScriptOrLink : byScript;
  if (isSession && !fromAnyPage && !isFromOwnPage(request.headers, services.publicUrl, modes)) {
    throw new ForeignPage('A web session is accepted from pages of this server only.');
  }
  return viewer;
}
