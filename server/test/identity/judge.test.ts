import { describe, expect, test } from 'vitest';
import { type Asked, judgeKey, type KnownAccount, type KnownKey } from '../../src/identity/judge.ts';
import type { KeyArea } from '../../src/identity/scopes.ts';
import { day } from '../../src/kernel/clock.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { delegation } from '../../src/kernel/viewer.ts';

const settings = { access_mode: 'anonymous', password_lifetime_days: 30 } as const;
const key: KnownKey = {
  ...{ id: 3, accountId: 102, expiresAt: null, scopes: ['write:rest', 'read:svn'] },
  ...{ lastUsedAt: null, lastUsedBy: null },
};
const account: KnownAccount = {
  row: {
    ...{ id: 102, name: 'ines', real_name: 'Ines', email: 'ines@example.com', status: 'A', ldap_id: null },
    ...{ name_key: 'ines', search_text: 'ines', avatar_hash: null, password_hash: null, created_at: 0 },
    ...{ password_set_at: Date.now() - day, last_access_at: null, last_login_at: null },
  },
  ...{ isSiteAdmin: false, delegations: [], nameDisplay: '0' },
};
const read: Asked & { area: KeyArea } = { area: 'rest', isReading: true, withExpiredPassword: false };

interface Change {
  readonly key?: Partial<KnownKey>;
  readonly row?: Partial<KnownAccount['row']>;
  readonly asked?: Partial<typeof read>;
}

const judged = ({ key: ofKey, row, asked }: Change) =>
  judgeKey(
    { ...key, ...ofKey },
    { ...account, row: { ...account.row, ...row } },
    { ...read, ...asked },
    settings,
  );

describe('an access key', () => {
  test.each<[string, Change]>([
    ['to read', {}],
    ['to write with write:rest', { asked: { isReading: false } }],
    ['to read a repository with read:svn', { asked: { area: 'svn' } }],
    ['that ends later', { key: { expiresAt: Date.now() + day } }],
    ['of a restricted account', { row: { status: 'R' } }],
    [
      'to change a password that has expired',
      { row: { password_set_at: 0 }, asked: { withExpiredPassword: true } },
    ],
  ])('lets its owner in %s', (_, change) => {
    expect(judged(change)).toMatchObject({ userId: 102, credential: { kind: 'access-key', id: 3 } });
  });

  test.each<[string, Change, Partial<Refusal>]>([
    ['that has ended', { key: { expiresAt: Date.now() - 1 } }, { detail: 'Invalid access key' }],
    ['without a scope there', { key: { scopes: ['write:svn'] } }, { kind: 'unauthenticated' }],
    ['that opens nothing', { key: { scopes: ['write:git_repository'] } }, { kind: 'unauthenticated' }],
    [
      'for reading, to write',
      { asked: { area: 'svn', isReading: false } },
      { detail: 'This access key is for reading only; changes need one with write:svn.' },
    ],
    ['of a suspended account', { row: { status: 'S' } }, { extras: { reason: 'account_unusable' } }],
    ['whose password is old', { row: { password_set_at: 0 } }, { extras: { reason: 'password_expired' } }],
  ])('%s is refused', (_, change, refusal) => {
    const verdict = judged(change);
    expect(verdict).toBeInstanceOf(Refusal);
    expect(verdict).toMatchObject(refusal);
  });

  test('of an account that is gone is refused', () => {
    expect(judgeKey(key, undefined, read, settings)).toMatchObject({ detail: 'Unknown user' });
  });

  test('of a read-only administrator has their rights while it reads', () => {
    const administrator = { ...account, delegations: [delegation.readOnlyAdministration] };
    expect(judgeKey(key, administrator, read, settings)).toMatchObject({ isSiteAdmin: true });
    const writing = { ...read, isReading: false };
    expect(judgeKey(key, administrator, writing, settings)).toMatchObject({ isSiteAdmin: false });
  });
});
