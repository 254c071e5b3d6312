import {
  type Account,
  findAccountByName,
  findAccountsByEmail,
  findAccountsByLdapId,
  isUsable,
} from '../../identity/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Reader } from '../../storage/index.ts';
import type { UserAction, UserMap } from './user-map.ts';

/** A person as an archive tells of them. */
export interface ArchivedUser {
  readonly id: string;
  readonly username: string;
  readonly realName: string;
  readonly email: string;
  readonly ldapId: string;
}

/** What somebody of an archive is here. */
export type Likeness = 'existing' | 'inactive' | 'email-mismatch' | 'same-email' | 'unknown';

export interface Classified {
  readonly user: ArchivedUser;
  readonly likeness: Likeness;
  readonly account: Account | undefined;
}

/** What becomes of somebody: an account that is there, or one that will be. */
export interface Decided {
  readonly user: ArchivedUser;
  readonly account: Account | undefined;
  /** The status of the account that is made; undefined where none is. */
  readonly status: 'A' | 'R' | 'S' | undefined;
}

async function findAlike(reader: Reader, { ldapId, username }: ArchivedUser): Promise<Account | undefined> {
  const [byLdap] = ldapId === '' ? [] : await findAccountsByLdapId(reader, ldapId);
  return byLdap ?? findAccountByName(reader, username);
}

async function classify(reader: Reader, user: ArchivedUser, emailCounts: boolean): Promise<Classified> {
  const account = await findAlike(reader, user);
  if (account === undefined) {
    const isKnown =
      emailCounts && user.email !== '' && (await findAccountsByEmail(reader, user.email)).length > 0;
    return { user, account, likeness: isKnown ? 'same-email' : 'unknown' };
  }
  const isSame = !emailCounts || (account.ldapId ?? '') !== '' || account.email === user.email;
  if (!isSame) return { user, account, likeness: 'email-mismatch' };
  return { user, account, likeness: isUsable(account.status) ? 'existing' : 'inactive' };
}

const possible: Readonly<Record<Likeness, readonly UserAction['kind'][]>> = {
  existing: ['keep', 'map'],
  inactive: ['keep', 'map'],
  'email-mismatch': ['map'],
  'same-email': ['map'],
  unknown: ['create', 'map'],
};

const words: Readonly<Record<Likeness, string>> = {
  existing: 'has an account here',
  inactive: 'has an account here that cannot be used',
  'email-mismatch': 'has the name of an account here with another e-mail address',
  'same-email': 'has the e-mail address of an account here with another name',
  unknown: 'has no account here',
};

/** The action for somebody, or what is wrong. */
function actionFor({ user, likeness }: Classified, map: UserMap): UserAction | string {
  if (map.kind === 'automap') return likeness === 'unknown' ? map.action : { kind: 'keep' };
  const action = map.actions.get(user.username) ?? (likeness === 'existing' ? { kind: 'keep' } : undefined);
  if (action === undefined)
    return `${user.username} ${words[likeness]}, and the mapping of users does not name them.`;
  if (possible[likeness].includes(action.kind)) return action;
  const allowed = possible[likeness].map((kind) => (kind === 'keep' ? 'noop' : kind)).join(' or ');
  return `${user.username} ${words[likeness]}: the mapping must say ${allowed}.`;
}

async function decide(reader: Reader, classified: Classified, map: UserMap): Promise<Decided | string> {
  const { user, account } = classified;
  const action = actionFor(classified, map);
  if (typeof action === 'string') return action;
  if (action.kind === 'create') return { user, account: undefined, status: action.status };
  if (action.kind === 'keep') return { user, account, status: undefined };
  const other = await findAccountByName(reader, action.to);
  if (other === undefined) return `${user.username} is mapped to ${action.to}, who has no account here.`;
  return { user, account: other, status: undefined };
}

/** What is wrong with a name that an account is to get. */
function nameFault({ username }: ArchivedUser): string | undefined {
  const isPossible = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/.test(username);
  return isPossible ? undefined : `"${username}" cannot be the name of an account.`;
}

function repeatedNames(users: readonly ArchivedUser[]): string[] {
  const keys = users.map(({ username }) => username.toLowerCase());
  const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
  return [...repeated].map((name) => `users.xml names ${name} twice.`);
}

export function classifyAll(
  reader: Reader,
  users: readonly ArchivedUser[],
  map: Pick<UserMap, 'kind'>,
): Promise<Classified[]> {
  return Array.fromAsync(users, (user) => classify(reader, user, map.kind === 'file'));
}

/** Decides about everybody before anybody is created; refuses with every fault at once. */
export async function decideAll(
  reader: Reader,
  users: readonly ArchivedUser[],
  map: UserMap,
): Promise<Decided[]> {
  const faults = repeatedNames(users);
  const decided: Decided[] = [];
  for (const classified of await classifyAll(reader, users, map)) {
    const decision = await decide(reader, classified, map);
    if (typeof decision === 'string') faults.push(decision);
    else decided.push(decision);
  }
  for (const { user, status } of decided) {
    const fault = status === undefined ? undefined : nameFault(user);
    if (fault !== undefined) faults.push(fault);
  }
  if (faults.length > 0) throw new Refusal('invalid', faults.join('\n'), { userMessages: faults });
  return decided;
}

const suggested: Readonly<Record<Exclude<Likeness, 'existing'>, string>> = {
  unknown: 'create:S',
  inactive: 'noop',
  'email-mismatch': 'map:',
  'same-email': 'map:',
};

const quoted = (cell: string) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A mapping file to complete: a line for everybody who is not simply here already. */
export function writeUserMap(people: readonly Classified[]): string {
  const lines = people.flatMap(({ user, likeness }) =>
    likeness === 'existing'
      ? []
      : [[user.username, suggested[likeness], `${user.realName || user.username} ${words[likeness]}`]],
  );
  return ['name,action,comments', ...lines.map((cells) => cells.map(quoted).join(','))]
    .join('\n')
    .concat('\n');
}
