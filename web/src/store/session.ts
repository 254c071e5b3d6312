import { ApiError, ForbiddenError, UnauthorizedError } from '@atelier/client';
import {
  createSession,
  deleteSession,
  getAbout,
  getStanding,
  type PlatformAbout,
  patchPreference,
  type Standing,
} from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { takeAppearance } from './appearance.ts';
import { client, onSessionLost, signIns } from './client.ts';
import { forgetPerson, rememberPerson, setSharedComputer } from './device.ts';
import { forgetAnswers, keepAnswers, keepAnswersOf, restoreAnswers } from './kept-answers.ts';
import { putChangesAway, restoreChanges, sendWaiting, startSending } from './pending.ts';
import { personSignal } from './person.ts';
import { queries, whenAnswered } from './queries.ts';
import { createSignal } from './signal.ts';

const standingKey = ['users/self', 'standing'] as const;
const aboutKey = ['platform', 'about'] as const;

const standingQuery = {
  queryKey: standingKey,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Standing> => {
    const begun = nextMoment();
    const told = await client.call(getStanding, { params: { id: 'self' }, signal });
    const standing = withChoices(told, begun);
    isNow(standing);
    return standing;
  },
};

/** A preference that was chosen here. What the server is asked before it has stored it does not take it back. */
interface Choice {
  readonly person: number | null;
  readonly value: string;
  /** One change of a preference after the other: the last one counts. */
  readonly sending: Promise<unknown>;
  storedAt: number | undefined;
}

const choices = new Map<string, Choice>();
let moment = 0;
const nextMoment = () => ++moment;

function withChoices(standing: Standing, begun: number): Standing {
  const preferences = { ...standing.preferences };
  for (const [key, { person, value, storedAt }] of choices) {
    const isKnown = storedAt !== undefined && storedAt < begun;
    if (isKnown || standing.user?.id !== person) choices.delete(key);
    else preferences[key] = value;
  }
  return unreadAt > begun
    ? { ...standing, preferences, unread_notifications: knownUnread() }
    : { ...standing, preferences };
}

/** The build that was served when this page was opened. */
let firstBuild: string | undefined;

const aboutQuery = {
  queryKey: aboutKey,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<PlatformAbout> => {
    const about = await client.call(getAbout, { signal });
    if (about.build !== '') firstBuild ??= about.build;
    return about;
  },
};

/** A part of the application is not there any more: with another build there are others, and drafts stay. */
export async function reloadWhenOutdated(): Promise<void> {
  const { build } = await queries.fetchQuery({ ...aboutQuery, staleTime: 0 });
  if (firstBuild !== undefined && build !== firstBuild) window.location.reload();
}

/** Where somebody stands who has no account here. */
const nobody: Standing = {
  user: null,
  is_site_administrator: false,
  is_read_only_administrator: false,
  permissions: [],
  may_create_projects: false,
  must_change_password: false,
  memberships: [],
  preferences: {},
  unread_notifications: 0,
  client_limit: { upload_bytes: 0, body_bytes: 0 },
};

/** Whether the session ended while somebody was at work: they sign in again in place. */
const ended = createSignal(false);

export function useSessionEnded(): boolean {
  return useSyncExternalStore(ended.subscribe, ended.get);
}

/** Who one is and what one may do: that of nobody until it is known. */
export function useStanding(): Standing {
  return useQuery(standingQuery).data ?? nobody;
}

/** What this platform is; absent until the first answer. */
export function useAbout(): PlatformAbout | undefined {
  return useQuery({ ...aboutQuery, staleTime: 300_000 }).data;
}

export type SessionState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly standing: Standing }
  /** The platform is closed, and nobody is signed in. */
  | { readonly kind: 'closed' }
  /** The account may not be used: the words of the server. */
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'failed'; readonly error: Error; askAgain(): void };

/** How far signing in has come; what was known on an earlier visit is good enough to begin with. */
export function useSession(): SessionState {
  const { data, error, refetch } = useQuery(standingQuery);
  const hasEnded = useSessionEnded();
  if (error instanceof UnauthorizedError && !(hasEnded && data !== undefined)) return { kind: 'closed' };
  if (error instanceof ForbiddenError) return { kind: 'refused', error };
  if (data !== undefined) return { kind: 'known', standing: data };
  if (error !== null) return { kind: 'failed', error, askAgain: () => void refetch() };
  return { kind: 'asking' };
}

/** What the device does not do is as if it had nothing. */
const inTheBackground = (work: Promise<unknown>): void => void work.catch(() => undefined);

/** Keeps what is read under the person who reads it. What the device has to do for that is not waited for. */
function isNow({ user, preferences }: Standing): void {
  const id = user?.id ?? undefined;
  const before = personSignal.get();
  takeAppearance(preferences);
  inTheBackground(keepAnswersOf(id));
  if (id === before) return;
  if (before !== undefined) belongsToSomebodyElse(before);
  personSignal.set(id);
  rememberPerson(id);
  if (id !== undefined) inTheBackground(restoreChanges(id));
}

/** Things and lists of the first person go; what they typed and did not send stays, for them. */
function belongsToSomebodyElse(before: number): void {
  putChangesAway();
  inTheBackground(forgetAnswers(before));
  const stays = [standingKey, aboutKey].map((key) => JSON.stringify(key));
  queries.removeQueries({ predicate: ({ queryKey }) => !stays.includes(JSON.stringify(queryKey)) });
}

export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly isSharedComputer: boolean;
}

/** Signs in; what waited for it is sent, and what is shown is asked for again. */
export async function signIn({ name, password, isSharedComputer }: Credentials): Promise<void> {
  await client.call(createSession, {
    body: { username: name, password, is_shared_computer: isSharedComputer },
  });
  setSharedComputer(isSharedComputer);
  await standingChanged();
  channel?.postMessage('signed-in');
}

/** Reads anew who one is. */
export async function standingChanged(): Promise<void> {
  // One that is on its way was asked for before.
  await queries.cancelQueries({ queryKey: standingKey });
  await queries.fetchQuery({ ...standingQuery, staleTime: 0 });
  ended.set(false);
  signIns.set(signIns.get() + 1);
  sendWaiting();
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== standingKey[0] });
}

async function forgetAll(): Promise<void> {
  const person = personSignal.get();
  putChangesAway();
  await keepAnswersOf(undefined);
  personSignal.set(undefined);
  rememberPerson(undefined);
  if (person !== undefined) await forgetPerson(person);
}

/** Ends the session and removes what this browser keeps; all other tabs follow. */
export async function signOut(): Promise<void> {
  try {
    await client.call(deleteSession, { params: { id: 'self' } });
  } catch (error) {
    // One that has ended already is what was asked for.
    if (!(error instanceof ApiError)) throw error;
  }
  channel?.postMessage('signed-out');
  await forgetAll();
  setSharedComputer(false);
  leave();
}

/** A fresh document has nothing of before in its memory. */
function leave(): void {
  window.location.replace('/login');
}

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('atelier.session');

function hear({ data }: MessageEvent<unknown>): void {
  if (data === 'signed-out') {
    // Nothing is kept any more from here on: the other tab removes what was.
    personSignal.set(undefined);
    void keepAnswersOf(undefined);
    leave();
  } else if (data === 'signed-in') void standingChanged();
}

/** Whether there is somebody to sign in again: visitors are refused without having had a session. */
const isSignedIn = () => (queries.getQueryData<Standing>(standingKey)?.user ?? null) !== null;

/** Milliseconds in which a device gives what it keeps; usually some ten. */
const longestStart = 1000;

/** Begins: shows what is kept, and asks who one is. Ends before anything is drawn, within milliseconds. */
export async function startStore(): Promise<void> {
  onSessionLost(() => {
    if (isSignedIn()) ended.set(true);
  });
  if (channel !== undefined) channel.onmessage = hear;
  const person = personSignal.get();
  if (person !== undefined)
    await Promise.race([
      Promise.all([restoreAnswers(person), restoreChanges(person)]).catch(() => undefined),
      // A device that is slow, or of which another page holds on to something, is not waited for: what it keeps comes later.
      new Promise((over) => setTimeout(over, longestStart)),
    ]);
  keepAnswers();
  startSending();
  void queries.prefetchQuery(aboutQuery);
  void queries.prefetchQuery({ ...standingQuery, staleTime: 0 });
  void whenAnswered()
    .then(async () => (await import('./live-stream.ts')).startLive())
    .then(async () => (await import('./people.ts')).keepPeopleAlike())
    .then(async () => (await import('./upkeep.ts')).keepUp(personSignal.get()))
    .catch(() => undefined);
}

/** A preference as it is known without asking; for what must be decided before anything is drawn. */
export const knownPreference = (key: string): string | undefined =>
  queries.getQueryData<Standing>(standingKey)?.preferences[key];

/** A preference of the person, and a way to set it: seen at once, kept by the server for every browser. */
export function usePreference(
  key: string,
): readonly [value: string | undefined, set: (value: string) => void] {
  const { preferences } = useStanding();
  return [preferences[key], (value) => void setPreference(key, value)];
}

export async function setPreference(key: string, value: string): Promise<void> {
  const before = queries.getQueryData<Standing>(standingKey);
  if (before === undefined) return;
  queries.setQueryData<Standing>(standingKey, {
    ...before,
    preferences: { ...before.preferences, [key]: value },
  });
  if (before.user === null) return;
  const send = () => client.call(patchPreference, { params: { id: 'self' }, body: { key, value } });
  const earlier = choices.get(key);
  const isUnderWay = earlier !== undefined && earlier.storedAt === undefined;
  const sending = isUnderWay ? earlier.sending.then(send, send) : send();
  const choice: Choice = { person: before.user.id, value, sending, storedAt: undefined };
  choices.set(key, choice);
  await sending.finally(() => {
    choice.storedAt = nextMoment();
  });
}

/** How many entries of the inbox are unread, as it is known without asking. */
export const knownUnread = (): number =>
  queries.getQueryData<Standing>(standingKey)?.unread_notifications ?? 0;

/** When the number was told: a standing that was asked for before may be older. */
let unreadAt = 0;

/** The number is told by whatever changes the inbox. */
export function setUnread(unread: number): void {
  unreadAt = nextMoment();
  queries.setQueryData<Standing>(standingKey, (before) =>
    before === undefined || before.unread_notifications === unread
      ? before
      : { ...before, unread_notifications: unread },
  );
}

/** Empties what this browser keeps of things and lists; drafts and waiting changes stay. */
export async function emptyDevice(): Promise<void> {
  const person = personSignal.get();
  if (person !== undefined) await forgetAnswers(person);
}
