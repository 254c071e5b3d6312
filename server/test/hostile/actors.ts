import { expect } from 'vitest';
import { type Atelier, Caller, type Person } from '../harness/atelier.ts';
import type { Audience } from './markers.ts';
import type { People, Role } from './world.ts';

/** A kind of caller, with what they may read and whom they may write as. */
export interface Actor {
  readonly name: string;
  readonly caller: Caller;
  readonly credentials: Readonly<Record<string, string>>;
  readonly reads: ReadonlySet<Audience>;
  readonly writes: ReadonlySet<Audience>;
  /** True for those who are like another but for how they say who they are, or are let in by nothing. */
  readonly isVariant: boolean;
}

const everybody: readonly Audience[] = ['everybody'];
const somebody: readonly Audience[] = ['everybody', 'people'];
const member: readonly Audience[] = [...somebody, 'members'];
const crew: readonly Audience[] = [
  ...member,
  'crew',
  'task form readers',
  'blueprint readers',
  'whisper readers',
  'desk readers',
  'the crew woman',
];
const vaultMember: readonly Audience[] = [
  ...somebody,
  'vault members',
  'vault name readers',
  'vault project readers',
  'vault group readers',
  'vault tracker readers',
];
/** Administrators see every artifact of their trackers, but fields only where those are shown to them. */
const everyTracker: readonly Audience[] = [
  'task form readers',
  'task administrators',
  'workshop form administrators',
  'whisper readers',
  'blueprint readers',
  'desk readers',
];
const platform: readonly Audience[] = [
  ...member,
  ...vaultMember,
  ...everyTracker,
  'crew',
  'workshop administrators',
  'vault administrators',
  'freezer readers',
  'the founder',
  'account administrators',
  'tracker administrators',
  'project managers',
  'site administrators',
];

/** What each person may read, on a platform that lets anonymous callers in. */
const byRole: Readonly<Record<Role, readonly Audience[]>> = {
  outsider: somebody,
  member,
  crew,
  keeper: [...member, 'task form readers', 'task administrators', 'whisper readers'],
  chief: [...member, ...everyTracker, 'workshop administrators'],
  mole: vaultMember,
  vaulter: [...vaultMember, 'vault administrators'],
  founder: [...somebody, 'the founder'],
  suspended: [],
  deleted: [],
  // Restricted people see what is of their projects; and who else has an account.
  restricted: ['people'],
  guest: member,
  readonly: platform,
  overseer: [
    ...somebody,
    'project managers',
    'vault name readers',
    'vault project readers',
    'freezer readers',
  ],
  tracksman: [
    ...somebody,
    ...everyTracker,
    'tracker administrators',
    'vault name readers',
    'vault project readers',
    'vault tracker readers',
  ],
  registrar: [...somebody, 'account administrators', 'vault name readers', 'vault group readers'],
  genealogist: [...somebody, 'vault name readers', 'vault group readers'],
  // What happened names what it happened to.
  chronicler: [...somebody, 'vault name readers', 'vault group readers'],
};

/** A session of somebody, as a page of this server sends it. */
async function sessionOf(atelier: Atelier, { name, password }: Person): Promise<string> {
  const { status, headers } = await atelier.anonymous.post('/sessions', { username: name, password });
  expect(status).toBe(201);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** A key that its owner asked for by password: a key makes none that may more than itself. */
async function keyOf(
  atelier: Atelier,
  { name, password }: Person,
  more: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { status, body, text } = await atelier.withPassword(name, password).post('/access_keys', more);
  expect(status, text).toBe(201);
  return body.identifier;
}

type Credentials = Readonly<Record<string, string>>;

/** All ways in which one person can say who they are. */
async function waysOf(atelier: Atelier, person: Person): Promise<Readonly<Record<string, Credentials>>> {
  const { name, password } = person;
  const token = (await atelier.anonymous.post('/tokens', { username: name, password })).body;
  const session = await sessionOf(atelier, person);
  return {
    key: { 'X-Auth-AccessKey': person.key },
    'bearer key': { Authorization: `Bearer ${person.key}` },
    password: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
    token: { 'X-Auth-Token': token.token, 'X-Auth-UserId': token.user_id },
    session: { Cookie: session, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' },
  };
}

/** Credentials that let nobody in, though each was good for something. */
async function uselessWays(atelier: Atelier, person: Person): Promise<Readonly<Record<string, Credentials>>> {
  const expiration_date = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
  const expired = await keyOf(atelier, person, { expiration_date });
  await atelier.sql('update access_key set expires_at = 1700000000000 where expires_at is not null');
  return {
    impostor: { 'X-Auth-AccessKey': `tlp-k1-1.${'ab'.repeat(32)}` },
    'expired key': { 'X-Auth-AccessKey': expired },
    'key for Subversion': { 'X-Auth-AccessKey': await keyOf(atelier, person, { scopes: ['write:svn'] }) },
    "token under another's name": { 'X-Auth-Token': 'ab'.repeat(16), 'X-Auth-UserId': String(person.id) },
    'session from another site': {
      Cookie: await sessionOf(atelier, person),
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'cors',
    },
  };
}

/** Every kind of caller. People whose accounts are closed by now kept their keys. */
export async function makeActors(atelier: Atelier, people: People): Promise<readonly Actor[]> {
  const actor = (
    name: string,
    credentials: Credentials,
    reads: readonly Audience[],
    writes: readonly Audience[] = reads,
  ): Actor => ({
    name,
    credentials,
    caller: new Caller(atelier.url, credentials),
    reads: new Set(reads),
    writes: new Set(writes),
    isVariant: false,
  });
  const variant = (name: string, credentials: Credentials, reads: readonly Audience[]): Actor => ({
    ...actor(name, credentials, reads),
    isVariant: true,
  });
  const { admin } = atelier;
  const withKeys = (Object.keys(byRole) as Role[]).map((role) => {
    const writes = role === 'readonly' ? somebody : byRole[role];
    const one = actor(role, { 'X-Auth-AccessKey': people[role].key }, byRole[role], writes);
    return { ...one, isVariant: role === 'suspended' || role === 'deleted' };
  });
  const others = Object.entries(await waysOf(atelier, people.crew)).filter(([way]) => way !== 'key');
  const readingKey = await keyOf(atelier, people.crew, { scopes: ['read:rest'] });
  const useless = Object.entries(await uselessWays(atelier, people.crew));
  return [
    actor('anonymous', {}, everybody),
    ...withKeys,
    ...others.map(([way, credentials]) => variant(`crew by ${way}`, credentials, crew)),
    { ...variant('key for reading', { 'X-Auth-AccessKey': readingKey }, crew), writes: new Set<never>() },
    ...useless.map(([way, credentials]) => variant(way, credentials, [])),
    actor('site administrator', { 'X-Auth-AccessKey': admin.key }, platform),
  ];
}
