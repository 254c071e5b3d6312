import {
  type Account,
  emailKey,
  findAccountByName,
  findAccountsByEmail,
  findAccountsByLdapId,
  isReservedName,
  isUsable,
} from '../../identity/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Reader } from '../../storage/index.ts';
import type { NamedPerson } from '../artifact-survey.ts';
import type { Warn } from '../model.ts';
import { clipped, listed } from '../words.ts';
import { projectFile } from './file-names.ts';
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
export type AccountMatch = 'existing' | 'inactive' | 'email-mismatch' | 'same-email' | 'unknown';

export interface Classified {
  readonly user: ArchivedUser;
  readonly likeness: AccountMatch;
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
  const isSame =
    !emailCounts || (account.ldapId ?? '') !== '' || emailKey(account.email) === emailKey(user.email);
  if (!isSame) return { user, account, likeness: 'email-mismatch' };
  return { user, account, likeness: isUsable(account.status) ? 'existing' : 'inactive' };
}

const possible: Readonly<Record<AccountMatch, readonly UserAction['kind'][]>> = {
  existing: ['keep', 'map'],
  inactive: ['keep', 'map'],
  'email-mismatch': ['map'],
  'same-email': ['map'],
  unknown: ['create', 'map'],
};

const words: Readonly<Record<AccountMatch, string>> = {
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

/** What is wrong with a name that an account is to get. They may be shorter and longer than those that people choose here. */
function nameFault({ username }: ArchivedUser): string | undefined {
  const isPossible = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/.test(username);
  if (!isPossible) return `${JSON.stringify(clipped(username))} cannot be the name of an account.`;
  const isKept = isReservedName(username) || username.toLowerCase().startsWith('forge__');
  return isKept
    ? `${username} cannot be created: the name is reserved. Map it to another account.`
    : undefined;
}

function repeatedNames(users: readonly ArchivedUser[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { username } of users) {
    const key = username.toLowerCase();
    if (seen.has(key)) repeated.add(key);
    seen.add(key);
  }
  return [...repeated].map((name) => `users.xml names ${name} twice.`);
}

/** How whoever imports can decide about people, where a mapping does not. */
export const mappingAdvice =
  'Say what becomes of people by a mapping file (--user-map FILE, user_map of POST /project_imports, or user_map.csv in ' +
  'the archive; --write-user-map prints one to complete), or by an automatic mapping, which finds them by name alone ' +
  '(--automap no-email,create:A, or automap of POST /project_imports).';

const addressAdvice =
  'Where the account is the same person, its e-mail address can also be changed: atelier user set NAME --email ADDRESS.';

/** Faults that are told at the most; the first of them are enough to begin with. */
const mostFaults = 100;

/** Refuses with every fault, or so many that they say enough. */
export function refuseAll(faults: readonly string[], advice: readonly string[] = []): void {
  if (faults.length === 0) return;
  const more = faults.length - mostFaults;
  const told = [...faults.slice(0, mostFaults), ...(more > 0 ? [`And ${more} more.`] : []), ...advice];
  throw new Refusal('invalid', told.join('\n'), { userMessages: told });
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
  const advice = new Set<string>();
  for (const classified of await classifyAll(reader, users, map)) {
    const decision = await decide(reader, classified, map);
    if (typeof decision !== 'string') {
      decided.push(decision);
      continue;
    }
    faults.push(decision);
    advice.add(mappingAdvice);
    if (classified.likeness === 'email-mismatch') advice.add(addressAdvice);
  }
  for (const { user, status } of decided) {
    const fault = status === undefined ? undefined : nameFault(user);
    if (fault !== undefined) faults.push(fault);
  }
  refuseAll(faults, [...advice]);
  return decided;
}

/** Those whom an archive names, by all that it tells of them; somebody of whom it tells nothing may have a name. */
function toldOf(users: readonly ArchivedUser[], named: readonly NamedPerson[]): ArchivedUser[] {
  const names = new Set(users.map(({ username }) => username));
  const bare = new Set(named.filter(({ format }) => format === 'username').map(({ value }) => value));
  return [
    ...users,
    ...[...bare]
      .filter((username) => username !== 'None' && !names.has(username))
      .map((username) => ({ id: '', username, realName: '', email: '', ldapId: '' })),
  ];
}

/** The people of an archive who have an account here that can be used. Nobody is created, and the others are left out. */
export async function findPeople(
  reader: Reader,
  users: readonly ArchivedUser[],
  named: readonly NamedPerson[],
  warn: Warn,
): Promise<Decided[]> {
  refuseAll(repeatedNames(users));
  const known: Decided[] = [];
  for (const user of toldOf(users, named)) {
    const account = await findAlike(reader, user);
    if (account !== undefined && isUsable(account.status)) known.push({ user, account, status: undefined });
  }
  const isKnown = personFinder(known.map(({ user }) => user));
  const missing = named.filter((person) => person.format !== 'email' && !isKnown(person));
  const [first] = missing;
  if (first !== undefined)
    warn({
      code: 'unknown_reference',
      place: projectFile,
      line: first.line,
      text: `${listed(
        'person',
        'people',
        missing.map(({ value }) => value),
      )} cannot be chosen, for want of an account here.`,
    });
  return known;
}

/** Tells whether an archive that tells of these people tells of somebody whom it names. */
export function personFinder(users: readonly ArchivedUser[]): (person: NamedPerson) => boolean {
  const ids = new Set(users.map(({ id }) => id));
  const ldapIds = new Set(users.map(({ ldapId }) => ldapId));
  const names = new Set(users.map(({ username }) => username));
  return ({ format, value }) => {
    if (format === 'email') return true;
    if (format === 'id') return ids.has(value);
    return format === 'ldap' ? ldapIds.has(value) : value === 'None' || names.has(value);
  };
}

const suggested: Readonly<Record<Exclude<AccountMatch, 'existing'>, string>> = {
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
