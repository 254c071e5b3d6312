import * as contract from '@atelier/contract';
import {
  type Account,
  type CheckedPassword,
  checkPassword,
  findAccountByName,
  findAccountsByEmail,
  type KeysAfterChange,
  listPreferences,
  readAccount,
  readPreference,
  readSettings,
  readSshKeys,
  requireSelf,
  requireUserManagement,
  samePassword,
} from '../../../identity/index.ts';
import { forbidden, invalid, invalidMember, notFound, Refusal } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { presentAnonymous, presentUser, presentUserWithResources } from '../../../present/index.ts';
import type { Reader } from '../../../storage/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from '../artifacts/index.ts';

/** The id in a path below `/users`: a number, or `self` for the caller. */
export function userIdOf(viewer: Viewer, id: string): number {
  if (id === 'self') return viewer.userId;
  if (!/^\d+$/.test(id)) throw invalid('Provided User Id is not well formed.');
  const number = Number(id);
  if (!Number.isSafeInteger(number)) throw notFound('User Id not found');
  return number;
}

/** Exactly one of username, loginname and email, matched exactly. */
async function findExact(reader: Reader, criteria: Readonly<Record<string, unknown>>): Promise<Account[]> {
  const { username, loginname, email } = criteria;
  if (username !== undefined && loginname !== undefined) {
    throw invalid('parameter "query": use either "username" or "loginname", not both');
  }
  const name = username ?? loginname;
  if (name === undefined && email === undefined) {
    throw invalid('parameter "query" must have one of the members "username", "loginname" or "email"');
  }
  const input = [username, loginname, email].filter((value) => value !== undefined);
  if (input.some((value) => typeof value !== 'string')) throw invalid('parameter "query": expecting a text');
  if (name === undefined) return findAccountsByEmail(reader, String(email));
  const account = await findAccountByName(reader, String(name));
  return account === undefined ? [] : [account];
}

const shortestSearch = 3;

function readingBindings({ database, searches, publicUrl }: Services): RouteBinding[] {
  return [
    bind(contract.listUsers, async ({ viewer, query }) => {
      const present = (account: Account) => presentUser(publicUrl, viewer, account);
      const criteria = parseQueryObject(query.query);
      if (criteria !== undefined) {
        const items = await findExact(database, criteria);
        return pageOf(query, { items, size: items.length }, present);
      }
      if ([...query.query].length < shortestSearch) {
        throw invalid(`parameter "query": at least ${shortestSearch} characters are needed`);
      }
      return pageOf(query, await searches.searchAccounts(viewer, { text: query.query, ...query }), present);
    }),
    bind(contract.getUser, async ({ viewer, params }) => {
      const id = userIdOf(viewer, params.id);
      if (id === 0) return { body: { ...presentAnonymous(publicUrl), resources: [] } };
      return { body: presentUserWithResources(publicUrl, viewer, await readAccount(database, id)) };
    }),
  ];
}

function accountBindings({
  database,
  operations,
  hasher,
  authenticator,
  publicUrl,
}: Services): RouteBinding[] {
  async function hashed(password: string): Promise<string> {
    checkPassword(password, (await readSettings(database)).password_min_length);
    return hasher.hash(password);
  }
  return [
    bind(contract.createUser, async ({ viewer, body }) => {
      requireUserManagement(viewer);
      const account = await operations.createAccount(viewer, {
        name: body.username,
        realName: body.real_name ?? '',
        email: body.email ?? '',
        ldapId: body.ldap_id ?? null,
        status: body.status ?? 'A',
        passwordHash: body.password === undefined ? null : await hashed(body.password),
      });
      return { body: presentUser(publicUrl, viewer, account) };
    }),
    bind(contract.patchUser, async ({ viewer, params, body }) => {
      if (params.id === 'self') throw notFound('User Id not found');
      const { status, email, real_name: realName, username: name } = body;
      const known = status !== undefined && ['A', 'R', 'D', 'S', 'P'].includes(status) ? { status } : {};
      const changes = {
        ...known,
        ...(email === undefined ? {} : { email }),
        ...(realName === undefined ? {} : { realName }),
        ...(name === undefined ? {} : { name }),
      };
      await operations.changeAccount(viewer, { id: userIdOf(viewer, params.id), ...changes });
      return { body: true };
    }),
    bind(contract.putPassword, async ({ viewer, params, body, address }) => {
      const id = userIdOf(viewer, params.id);
      const account = await readAccount(database, id);
      const revokesKeys = body.revoke_access_keys ?? false;
      if (id !== viewer.userId) {
        requireUserManagement(viewer);
        const change = { id, passwordHash: await hashed(body.password), revokesKeys };
        return { body: presentKeys(await operations.changeAccount(viewer, change)) };
      }
      if (body.current_password === undefined) throw invalid('`current_password` is required.');
      const checked = await checkCurrent(authenticator, account, body.current_password, address);
      const { password_lifetime_days } = await readSettings(database);
      if (password_lifetime_days > 0 && body.password === body.current_password) throw samePassword();
      const { passwordSetAt } = checked;
      const change = { passwordHash: await hashed(body.password), passwordSetAt, revokesKeys };
      return { body: presentKeys(await operations.changeOwnPassword(viewer, change)) };
    }),
  ];
}

const largestAvatar = 2 * 1024 * 1024;

/** The bytes of an uploaded picture. */
function avatarBytes(text: string): Buffer {
  const encoded = text.replace(/\s+/g, '');
  if (encoded.length > Math.ceil(largestAvatar / 3) * 4)
    throw new Refusal('too-large', `The picture is larger than ${largestAvatar} bytes.`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw invalidMember('picture', 'It is not base64.');
  return Buffer.from(encoded, 'base64');
}

function profileBindings({
  database,
  operations,
  authenticator,
  previews,
  publicUrl,
}: Services): RouteBinding[] {
  return [
    bind(contract.putAvatar, async ({ viewer, params, body }) => {
      const accountId = userIdOf(viewer, params.id);
      requireSelf(viewer, accountId);
      const picture = await previews.face(avatarBytes(body.picture));
      if (picture === undefined)
        throw invalidMember('picture', 'It is no PNG, JPEG or WebP picture, or has too many pixels.');
      await operations.replaceAvatar(viewer, { accountId, picture });
      return { body: presentUser(publicUrl, viewer, await readAccount(database, accountId)) };
    }),
    bind(contract.deleteAvatar, async ({ viewer, params }) => {
      await operations.replaceAvatar(viewer, { accountId: userIdOf(viewer, params.id), picture: null });
      return {};
    }),
    bind(contract.patchProfile, async ({ viewer, params, body, address }) => {
      const accountId = userIdOf(viewer, params.id);
      requireSelf(viewer, accountId);
      const account = await readAccount(database, accountId);
      const { real_name: realName, email, current_password: password } = body;
      let checked: CheckedPassword | undefined;
      if (email !== undefined && email !== account.email) {
        if (password === undefined) throw forbidden('`current_password` is required to change `email`.');
        checked = await checkCurrent(authenticator, account, password, address);
      }
      const changes = {
        ...(checked && { passwordSetAt: checked.passwordSetAt }),
        ...(realName === undefined ? {} : { realName }),
        ...(email === undefined ? {} : { email }),
      };
      const changed = await operations.changeOwnProfile(viewer, { accountId, ...changes });
      return { body: presentUser(publicUrl, viewer, changed) };
    }),
  ];
}

const presentKeys = ({ revoked, left }: KeysAfterChange): contract.ChangedPassword => ({
  access_keys_revoked: revoked,
  access_keys_left: left,
});

async function checkCurrent(
  authenticator: Services['authenticator'],
  account: Account,
  password: string,
  address: string,
): Promise<CheckedPassword> {
  const wrong = forbidden('The current password is not right.');
  const input = { name: account.name, password, address, refused: '' };
  return authenticator.checkCurrentPassword(input).catch((error: unknown) => {
    // The caller is known: a wrong current password is no question of authentication.
    throw error instanceof Error && 'kind' in error && error.kind === 'unauthenticated' ? wrong : error;
  });
}

function ownBindings({ database, operations }: Services): RouteBinding[] {
  return [
    bind(contract.getPreference, async ({ viewer, params, query }) => {
      const accountId = userIdOf(viewer, params.id);
      const { key } = query;
      if (key === undefined) {
        const preferences = await listPreferences(database, viewer, { accountId });
        return { body: preferences.map(({ name, value }) => ({ key: name, value })) };
      }
      const value = await readPreference(database, viewer, { accountId, name: key });
      return { body: { key, value: value ?? false } };
    }),
    bind(contract.patchPreference, async ({ viewer, params, body }) => {
      const accountId = userIdOf(viewer, params.id);
      await operations.setPreference(viewer, { accountId, name: body.key, value: body.value });
      return {};
    }),
    bind(contract.deletePreference, async ({ viewer, params, query }) => {
      const accountId = userIdOf(viewer, params.id);
      await operations.deletePreference(viewer, { accountId, name: query.key });
      return {};
    }),
    bind(contract.getSshKeys, async ({ viewer, params }) => ({
      body: { keys: await readSshKeys(database, viewer, userIdOf(viewer, params.id)) },
    })),
    bind(contract.putSshKeys, async ({ viewer, params, body }) => {
      await operations.replaceSshKeys(viewer, { accountId: userIdOf(viewer, params.id), keys: body.keys });
      return {};
    }),
  ];
}

export function userBindings(services: Services): RouteBinding[] {
  return [
    ...readingBindings(services),
    ...accountBindings(services),
    ...profileBindings(services),
    ...ownBindings(services),
  ];
}
