import { setTimeout as pause } from 'node:timers/promises';
import { second } from '../kernel/clock.ts';
import { Refusal, unauthenticated } from '../kernel/errors.ts';
import { anonymousViewer, type Credential, type Viewer } from '../kernel/viewer.ts';
import type { Calls, Database, Reader } from '../storage/index.ts';
import { isSpelling, parseBasic } from './basic.ts';
import {
  type Asked,
  admitted,
  hasOldPassword,
  judgeAccount,
  judgeKey,
  type KnownAccount,
  type KnownKey,
  refusalOf,
  viewerOf,
} from './judge.ts';
import { digest, isSameDigest, isUsable, parseKey } from './model.ts';
import type { IdentityOperations } from './operations.ts';
import { PasswordCheck, type PasswordInput } from './password-check.ts';
import type { PasswordHasher } from './passwords.ts';
import { nameDisplayPreference } from './preferences.ts';
import type { KeyArea } from './scopes.ts';
import { readSettings, type Settings } from './settings.ts';
import { isSiteAdministrator } from './site-administrators.ts';
import {
  type AccessKeyRow,
  type AccountRow,
  accessKeyById,
  accountById,
  findDelegations,
  findPreference,
  sessionByHash,
  tokenByHash,
} from './store.ts';
import { type CheckedPassword, tokenLifetime } from './tokens.ts';

/** What a request brings along to prove who sends it. */
export interface Credentials {
  readonly session?: string | undefined;
  readonly accessKey?: string | undefined;
  readonly token?: { readonly token: string; readonly userId: string } | undefined;
  /** The whole Authorization header. */
  readonly authorization?: string | undefined;
}

export interface Caller extends Asked {
  readonly credentials: Credentials;
  readonly address: string;
}

/** What a direct read asks of a key. */
const plainRead = { area: 'rest', isReading: true, withExpiredPassword: false } as const;

const nobody = anonymousViewer('regular');
/** Keys that are remembered; the others are checked on every use. */
const mostKnownKeys = 10_000;

/** How soon a change of address alone is worth another record: two machines with one key must not write all day. */
const addressChangePause = 5 * second;

/**
 * Finds out who calls. What it learned it remembers until something about identity changes anywhere; that is asked
 * before every request, so a deleted key or a suspended account is refused by the very next one.
 */
export class Authenticator {
  readonly #database: Database;
  readonly #operations: Calls<IdentityOperations>;
  readonly #passwords: PasswordCheck;
  #revision = -1;
  #settings: Settings | undefined;
  readonly #accounts = new Map<number, KnownAccount>();
  /** By the text of the key, in this thread's memory only. */
  readonly #keys = new Map<string, KnownKey>();

  constructor(database: Database, operations: Calls<IdentityOperations>, hasher: PasswordHasher) {
    this.#database = database;
    this.#operations = operations;
    this.#passwords = new PasswordCheck(database, operations, hasher);
  }

  /** Platform settings as they are now. */
  async settings(): Promise<Settings> {
    return this.#currentSettings() ?? this.#database.readNewest(() => this.#readSettings());
  }

  /** The settings, when they are remembered and nothing has changed since. */
  #currentSettings(): Settings | undefined {
    return this.#database.knownRevision('identity') === this.#revision ? this.#settings : undefined;
  }

  /** The settings as they were at a revision of identity; undefined when it is not the one that is remembered. */
  settingsAt(revision: number): Settings | undefined {
    return revision === this.#revision ? this.#settings : undefined;
  }

  async #readSettings(): Promise<Settings> {
    const revision = await this.#database.revision('identity');
    if (revision !== this.#revision || this.#settings === undefined) {
      const settings = await readSettings(this.#database);
      // Whoever was slower than others takes nothing of theirs back.
      if (revision < this.#revision) return settings;
      this.#accounts.clear();
      this.#keys.clear();
      this.#settings = settings;
      this.#revision = revision;
    }
    return this.#settings;
  }

  async #account(id: number): Promise<KnownAccount | undefined> {
    const revision = this.#revision;
    const account = await this.#database.readNewest(async () => {
      const row = await this.#database.first<AccountRow>(accountById, { id });
      return row && knownAccount(this.#database, row);
    });
    if (account === undefined) return undefined;
    // What was read before a change must not be remembered after it.
    if (revision === this.#revision) this.#accounts.set(id, account);
    return account;
  }

  /** Who reads with this key, when that is remembered and nothing is to be noted; else only `authenticate` can tell. */
  recognise(accessKey: string, address: string): Viewer | undefined {
    return this.#known(this.#currentSettings(), accessKey, address);
  }

  /**
   * As `recognise`, from what was remembered at a revision of identity that may be old: what is read for them may be told only
   * after it was found, in the same read, to be the present one.
   */
  recall(accessKey: string, address: string): { viewer: Viewer; identity: number } | undefined {
    const viewer = this.#known(this.#settings, accessKey, address);
    return viewer && { viewer, identity: this.#revision };
  }

  #known(settings: Settings | undefined, accessKey: string, address: string): Viewer | undefined {
    const key = settings && this.#keys.get(accessKey);
    const account = key && this.#accounts.get(key.accountId);
    if (settings === undefined || key === undefined || account === undefined) return undefined;
    if (isWorthNoting(key, address, settings)) return undefined;
    const verdict = judgeKey(key, account, plainRead, settings);
    return verdict instanceof Refusal ? undefined : verdict;
  }

  /** The first credential that is present decides; a wrong one never falls through to the next. */
  async authenticate(caller: Caller): Promise<Viewer> {
    const settings = this.#currentSettings() ?? (await this.settings());
    const { session, accessKey, token, authorization } = caller.credentials;
    if (session !== undefined) {
      const viewer = await this.#bySession(session, caller, settings);
      if (viewer !== undefined) return viewer;
    }
    if (accessKey !== undefined) return this.#byKey(accessKey, caller, settings);
    if (authorization !== undefined && /^bearer\b/i.test(authorization))
      throw unauthenticated('Invalid bearer token');
    if (token !== undefined) return this.#byToken(token, caller, settings);
    if (authorization !== undefined) return this.#byBasic(authorization, caller, settings);
    return anonymousViewer(settings.access_mode);
  }

  async #bySession(text: string, caller: Caller, settings: Settings): Promise<Viewer | undefined> {
    const row = await this.#database.first<{ id: number; account_id: number; expires_at: number }>(
      sessionByHash,
      {
        hash: digest(text),
      },
    );
    if (row === undefined || row.expires_at <= Date.now()) return undefined;
    return this.#viewer(row.account_id, { kind: 'session', id: row.id }, caller, settings);
  }

  /**
   * Who talks to a repository: a user name with the password of the account, or with one of its access keys that is for
   * Subversion. What looks like a key is none of the guesses that passwords are slowed for. The name that is given is the
   * one of the account: rules about people know no other spelling.
   */
  async authenticateForSvn(
    caller: Omit<Caller, 'withExpiredPassword'>,
  ): Promise<{ viewer: Viewer; name: string }> {
    const settings = await this.settings();
    const refused = 'Authentication is required to access the repository.';
    const input = parseBasic(caller.credentials.authorization ?? '');
    if (input === undefined) throw unauthenticated(refused);
    const { name, password } = input;
    const whole = { ...caller, withExpiredPassword: false };
    if (parseKey(password) === undefined) {
      const row = await this.#passwords.check({ ...input, address: caller.address, refused }, settings);
      if (!isSpelling(name, row.name)) throw unauthenticated(refused);
      return { viewer: await this.#viewer(row.id, { kind: 'basic' }, whole, settings), name: row.name };
    }
    const viewer = await this.#byKey(password, whole, settings, 'svn');
    const owner = this.#accounts.get(viewer.userId) ?? (await this.#account(viewer.userId));
    if (owner === undefined || !isSpelling(name, owner.row.name)) throw unauthenticated(refused);
    return { viewer, name: owner.row.name };
  }

  async #byKey(text: string, caller: Caller, settings: Settings, area: KeyArea = 'rest'): Promise<Viewer> {
    const key = this.#keys.get(text) ?? (await this.#verifiedKey(text));
    const account = this.#accounts.get(key.accountId) ?? (await this.#account(key.accountId));
    const viewer = admitted(judgeKey(key, account, { ...caller, area }, settings));
    if (isWorthNoting(key, caller.address, settings)) await this.#noteUse(key, caller.address);
    return viewer;
  }

  /** Checks a key that was not seen since identity last changed. */
  async #verifiedKey(text: string): Promise<KnownKey> {
    const parsed = parseKey(text);
    if (parsed === undefined) throw unauthenticated('Key or token incorrectly formatted');
    const revision = this.#revision;
    const row = await this.#database.readNewest(() =>
      this.#database.first<AccessKeyRow>(accessKeyById, { id: parsed.id }),
    );
    const isRight = row !== undefined && isSameDigest(row.secret_hash, digest(parsed.secret));
    if (!isRight) throw unauthenticated('Invalid access key');
    const key = {
      id: row.id,
      accountId: row.account_id,
      expiresAt: row.expires_at,
      scopes: row.scopes.split(' '),
      lastUsedAt: row.last_used_at,
      lastUsedBy: row.last_used_by,
    };
    if (revision === this.#revision && this.#keys.size < mostKnownKeys) this.#keys.set(text, key);
    return key;
  }

  async #noteUse(key: KnownKey, address: string): Promise<void> {
    const now = Date.now();
    key.lastUsedAt = now;
    key.lastUsedBy = address;
    const use = { id: key.id, accountId: key.accountId, at: now, by: address };
    // A record that could not be written is no reason to refuse the request, and one that has to wait none to keep it waiting.
    const recorded = this.#operations.recordKeyUse(nobody, use).catch(() => {});
    const enough = new AbortController();
    await Promise.race([recorded, pause(longestRecording, undefined, enough).catch(() => {})]);
    enough.abort();
  }

  async #byToken(
    input: { token: string; userId: string },
    caller: Caller,
    settings: Settings,
  ): Promise<Viewer> {
    const row = await this.#database.first<{ account_id: number; created_at: number }>(tokenByHash, {
      hash: digest(input.token),
    });
    const isValid = row !== undefined && String(row.account_id) === input.userId.trim();
    if (!isValid || row.created_at + tokenLifetime <= Date.now()) throw unauthenticated('Invalid Token');
    return this.#viewer(row.account_id, { kind: 'token' }, caller, settings);
  }

  async #byBasic(authorization: string, caller: Caller, settings: Settings): Promise<Viewer> {
    const refused = 'Basic Authentication Required';
    const input = parseBasic(authorization);
    if (input === undefined) throw unauthenticated(refused);
    const { id } = await this.#passwords.check({ ...input, address: caller.address, refused }, settings);
    return this.#viewer(id, { kind: 'basic' }, caller, settings);
  }

  async #viewer(id: number, credential: Credential, caller: Caller, settings: Settings): Promise<Viewer> {
    const account = this.#accounts.get(id) ?? (await this.#account(id));
    return admitted(judgeAccount(account, credential, caller, settings));
  }

  /** Checks a user name and password for a new token or session; only a session is given for one that has expired. */
  async checkPassword(
    input: PasswordInput,
    { mayBeExpired = false }: { mayBeExpired?: boolean } = {},
  ): Promise<CheckedPassword> {
    const settings = await this.settings();
    const row = await this.#passwords.check(input, settings);
    const refusal = refusalOf(row, settings, mayBeExpired);
    if (refusal !== undefined) throw refusal;
    return { accountId: row.id, passwordSetAt: row.password_set_at };
  }

  /** Whether somebody must change their password before anything else. */
  async mustChangePassword({ userId }: Viewer): Promise<boolean> {
    const settings = await this.settings();
    const account = this.#accounts.get(userId) ?? (await this.#account(userId));
    return account !== undefined && hasOldPassword(account.row, settings);
  }

  /** Checks the password that somebody who is already known is about to change. */
  async checkCurrentPassword(input: Omit<PasswordInput, 'isRepeated'>): Promise<CheckedPassword> {
    const row = await this.#passwords.check({ ...input, isRepeated: true }, await this.settings());
    return { accountId: row.id, passwordSetAt: row.password_set_at };
  }
}

async function knownAccount(reader: Reader, row: AccountRow): Promise<KnownAccount> {
  return {
    row,
    isSiteAdmin: await isSiteAdministrator(reader, row.id),
    delegations: await findDelegations(reader, row.id),
    nameDisplay: (await findPreference(reader, row.id, nameDisplayPreference)) ?? '0',
  };
}

/** Milliseconds that a request waits for the record of its key: others may be writing for long. */
const longestRecording = second;

/** The first use, another address and the passing of an hour are written down; all else is not worth a write. */
function isWorthNoting(key: KnownKey, address: string, { access_key_use_interval }: Settings): boolean {
  const pauseNeeded = key.lastUsedBy === address ? access_key_use_interval * second : addressChangePause;
  return Date.now() - (key.lastUsedAt ?? 0) >= pauseNeeded;
}

/** Somebody as a viewer without their having come: for what is sent to them. Undefined where the account is unusable. */
export async function viewerFor(reader: Reader, accountId: number): Promise<Viewer | undefined> {
  const row = await reader.first(accountById, { id: accountId });
  if (row === undefined || !isUsable(row.status)) return undefined;
  const account = await knownAccount(reader, row);
  return viewerOf(account, { kind: 'none' }, await readSettings(reader), true);
}
