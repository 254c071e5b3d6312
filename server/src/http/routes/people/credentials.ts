import * as contract from '@atelier/contract';
import {
  type AccessKey,
  listAccessKeys,
  listSessions,
  readAccessKey,
  type WebSession,
} from '../../../identity/index.ts';
import { formatInstant, parseInstant } from '../../../kernel/clock.ts';
import { invalidMember, notFound } from '../../../kernel/errors.ts';
import { anonymousViewer, type Viewer } from '../../../kernel/viewer.ts';
import { cookieHeader } from '../../pipeline/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { userIdOf } from './users.ts';

const nobody = anonymousViewer('regular');

function presentAccessKey(key: AccessKey): contract.AccessKey {
  const optional = (instant: number | null) => (instant === null ? null : formatInstant(instant));
  return {
    id: key.id,
    creation_date: formatInstant(key.createdAt),
    expiration_date: optional(key.expiresAt),
    description: key.description,
    last_used_on: optional(key.lastUsedAt),
    last_used_by: key.lastUsedBy,
    scopes: key.scopes.map((identifier) => ({ identifier })),
  };
}

function presentSession(viewer: Viewer, session: WebSession): contract.Session {
  return {
    id: session.id,
    uri: `sessions/${session.id}`,
    creation_date: formatInstant(session.createdAt),
    expiration_date: formatInstant(session.expiresAt),
    address: session.address,
    user_agent: session.agent,
    is_current: viewer.credential.kind === 'session' && viewer.credential.id === session.id,
  };
}

/** `self` is the key or session of this very request. */
function credentialId(viewer: Viewer, kind: 'access-key' | 'session', id: string): number {
  if (id === 'self') {
    if (viewer.credential.kind !== kind) throw notFound();
    return viewer.credential.id;
  }
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
}

function expiryOf(text: string | null | undefined): number | null {
  if (text === undefined || text === null || text === '') return null;
  const instant = /\.\d/.test(text) ? undefined : parseInstant(text);
  if (instant === undefined)
    throw invalidMember('expiration_date', 'It is not a date of the form 2026-01-31T12:00:00+01:00.');
  return instant;
}

function loginOf({ username, password }: { username: string; password: string }, address: string) {
  return { name: username, password, address, refused: 'Invalid Password Or User Name' };
}

const setCookie = ({ publicUrl }: Services, value: string, seconds?: number): Record<string, string> => ({
  'Set-Cookie': cookieHeader(publicUrl, value, seconds),
});

function tokenBindings({ authenticator, operations }: Services): RouteBinding[] {
  return [
    bind(contract.createToken, async ({ body, address }) => {
      const checked = await authenticator.checkPassword(loginOf(body, address));
      const token = await operations.createToken(nobody, { ...checked, address });
      return { body: { user_id: String(checked.accountId), token, uri: `tokens/${token}` } };
    }),
    bind(contract.deleteTokens, async ({ viewer }) => {
      await operations.deleteAllTokens(viewer, undefined);
      return {};
    }),
    bind(contract.deleteToken, async ({ viewer, params }) => {
      await operations.deleteToken(viewer, params);
      return {};
    }),
  ];
}

function accessKeyBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.createAccessKey, async ({ viewer, body }) => {
      const identifier = await operations.createAccessKey(viewer, {
        accountId: viewer.userId,
        description: body.description ?? '',
        expiresAt: expiryOf(body.expiration_date),
        scopes: body.scopes ?? ['write:rest'],
      });
      return { body: { identifier } };
    }),
    bind(contract.getAccessKey, async ({ viewer, params }) => {
      const key = await readAccessKey(database, viewer, credentialId(viewer, 'access-key', params.id));
      return { body: presentAccessKey(key) };
    }),
    bind(contract.deleteAccessKey, async ({ viewer, params }) => {
      await operations.deleteAccessKey(viewer, { id: params.id, accountId: viewer.userId });
      return {};
    }),
    bind(contract.listAccessKeys, async ({ viewer, params, query }) => {
      const accountId = userIdOf(viewer, params.id);
      return pageOf(query, await listAccessKeys(database, viewer, { accountId, ...query }), presentAccessKey);
    }),
  ];
}

function sessionBindings(services: Services): RouteBinding[] {
  const { authenticator, database, operations } = services;
  return [
    bind(contract.createSession, async ({ body, address, userAgent }) => {
      const checked = await authenticator.checkPassword(loginOf(body, address), { mayBeExpired: true });
      const { accountId } = checked;
      const isSharedComputer = body.is_shared_computer ?? false;
      const session = await operations.createSession(nobody, {
        ...checked,
        address,
        agent: userAgent,
        isSharedComputer,
      });
      const seconds = Math.floor((session.expiresAt - Date.now()) / 1000);
      const headers = setCookie(services, session.text, isSharedComputer ? undefined : seconds);
      return { body: { user_id: accountId, uri: `users/${accountId}` }, headers };
    }),
    bind(contract.listSessions, async ({ viewer, query }) =>
      pageOf(query, await listSessions(database, viewer, query), (session) =>
        presentSession(viewer, session),
      ),
    ),
    bind(contract.deleteSessions, async ({ viewer }) => {
      await operations.endOtherSessions(viewer, undefined);
      return {};
    }),
    bind(contract.deleteSession, async ({ viewer, params }) => {
      await operations.endSession(viewer, { id: credentialId(viewer, 'session', params.id) });
      return params.id === 'self' ? { headers: setCookie(services, '', 0) } : {};
    }),
  ];
}

export function credentialBindings(services: Services): RouteBinding[] {
  return [...tokenBindings(services), ...accessKeyBindings(services), ...sessionBindings(services)];
}
