import { NotFoundError } from '@atelier/client';
import {
  type AccessKey,
  createAccessKey,
  deleteAccessKey,
  deleteSession,
  getMailWishes,
  getNotificationWishes,
  getSshKeys,
  listAccessKeys,
  listMutedSubjects,
  listSessions,
  type MutedSubject,
  type NotificationWishes,
  patchMailWishes,
  patchProfile,
  putArtifactMuting,
  putHistory,
  putNotificationWishes,
  putPassword,
  putSshKeys,
  putTrackerMuting,
  type Session,
} from '@atelier/client/routes';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { trackersOf } from '../shell/index.ts';
import { client, keepStored, queries, useStanding } from '../store/index.ts';

export type { AccessKey, MutedSubject, Session };

const self = { id: 'self' };
const keysKey = ['users/self', 'access-keys'] as const;
const sessionsKey = ['users/self', 'sessions'] as const;
const sshKey = ['users/self', 'ssh-keys'] as const;
const pageSize = 50;

/** All access keys, the newest first, read page by page: most people have one page. */
export function useAccessKeys() {
  const query = useInfiniteQuery({
    queryKey: keysKey,
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const { body, page } = await client.send(listAccessKeys, {
        params: self,
        query: { limit: pageSize, offset: pageParam },
        signal,
      });
      return { keys: body, offset: pageParam, size: page?.size ?? body.length };
    },
    getNextPageParam: ({ offset, size }) => (offset + pageSize < size ? offset + pageSize : undefined),
  });
  return {
    keys: query.data?.pages.flatMap(({ keys }) => keys),
    size: query.data?.pages[0]?.size,
    error: query.error,
    isAsking: query.isFetching,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    askAgain: () => void query.refetch(),
  };
}

export interface NewKey {
  readonly description: string;
  /** The last day on which it works, to its last second on the clock of the server; empty for no end. */
  readonly lastDay: string;
  readonly scopes: readonly string[];
}

/** Gives the text of the key: it is told this once. */
export async function makeAccessKey({ description, lastDay, scopes }: NewKey): Promise<string> {
  const { identifier } = await client.call(createAccessKey, {
    body: {
      description,
      scopes: [...scopes],
      ...(lastDay === '' ? {} : { expiration_date: `${lastDay}T23:59:59` }),
    },
  });
  await queries.invalidateQueries({ queryKey: keysKey });
  return identifier;
}

export async function removeAccessKey(id: number): Promise<void> {
  await client.call(deleteAccessKey, { params: { id } });
  await queries.invalidateQueries({ queryKey: keysKey });
}

export const useSessions = () =>
  useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => {
      const found: Session[] = [];
      for await (const session of client.all(listSessions, { query: { limit: 50 }, signal }))
        found.push(session);
      return found;
    },
  });

/** One that has ended already, since somebody signed out there, is what was asked for. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

export async function endSession(id: number): Promise<void> {
  await client.call(deleteSession, { params: { id: String(id) } }).catch(unlessEnded);
  await queries.invalidateQueries({ queryKey: sessionsKey });
}

export async function endOtherSessions(sessions: readonly Session[]): Promise<void> {
  for (const { id, is_current: isCurrent } of sessions)
    if (!isCurrent) await client.call(deleteSession, { params: { id: String(id) } }).catch(unlessEnded);
  await queries.invalidateQueries({ queryKey: sessionsKey });
}

export const changeOwnPassword = (body: {
  readonly current_password: string;
  readonly password: string;
  readonly revoke_access_keys: boolean;
}) => client.call(putPassword, { params: self, body });

export const changeProfile = (body: {
  readonly real_name?: string;
  readonly email?: string;
  readonly current_password?: string;
}) => client.call(patchProfile, { params: self, body });

export const useSshKeys = () =>
  useQuery({
    queryKey: sshKey,
    queryFn: async ({ signal }) => (await client.call(getSshKeys, { params: self, signal })).keys,
  });

/**
 * Stores keys as they were changed. All are sent, so what another device added or took away since they were seen stays so: what is seen
 * first may be what this one has kept.
 */
export async function saveSshKeys(seen: readonly string[], wanted: readonly string[]): Promise<void> {
  const { keys: now } = await client.call(getSshKeys, { params: self });
  const left = now.filter((key) => wanted.includes(key) || !seen.includes(key));
  const added = wanted.filter((key) => !seen.includes(key) && !now.includes(key));
  const isAsSeen = now.join('\n') === seen.join('\n');
  const keys = isAsSeen ? [...wanted] : [...left, ...added];
  await client.call(putSshKeys, { params: self, body: { keys } });
  await queries.invalidateQueries({ queryKey: sshKey });
}

export const forgetVisited = () => client.call(putHistory, { params: self, body: [] });

const wishesKey = ['users/self', 'mail-wishes'] as const;
const reasonsKey = ['users/self', 'notification-wishes'] as const;
const mutedKey = ['users/self', 'muted'] as const;

export const useMailWishes = () =>
  useQuery({
    queryKey: wishesKey,
    queryFn: ({ signal }) => client.call(getMailWishes, { params: self, signal }),
  });

export async function changeMailWishes(body: {
  is_enabled?: boolean;
  includes_own_changes?: boolean;
}): Promise<void> {
  keepStored(wishesKey, await client.call(patchMailWishes, { params: self, body }));
}

export const useNotificationWishes = () =>
  useQuery({
    queryKey: reasonsKey,
    queryFn: ({ signal }) => client.call(getNotificationWishes, { params: self, signal }),
  });

export type NotificationReason = keyof NotificationWishes['reasons'];

/** One after the other, so that the last answer has all of them. */
let lastChange: Promise<unknown> = Promise.resolve();

/** What is told where: seen at once, and as it was when it is refused. */
export async function changeNotificationWishes(change: {
  readonly reason?: NotificationReason;
  readonly wish?: Partial<NotificationWishes['reasons'][NotificationReason]>;
  readonly digest?: NotificationWishes['digest'];
}): Promise<void> {
  const { reason, wish, digest } = change;
  // An answer that was given before would show what was chosen before.
  await queries.cancelQueries({ queryKey: reasonsKey });
  const before = queries.getQueryData<NotificationWishes>(reasonsKey);
  if (before !== undefined)
    queries.setQueryData<NotificationWishes>(reasonsKey, {
      reasons:
        reason === undefined
          ? before.reasons
          : { ...before.reasons, [reason]: { ...before.reasons[reason], ...wish } },
      digest: digest ?? before.digest,
    });
  const body = {
    ...(reason === undefined ? {} : { reasons: { [reason]: { ...wish } } }),
    ...(digest === undefined ? {} : { digest }),
  };
  const send = () => client.call(putNotificationWishes, { params: self, body });
  const sent = lastChange.then(send, send);
  lastChange = sent;
  try {
    const stored = await sent;
    // An earlier answer knows nothing of what was chosen after it.
    if (lastChange === sent) keepStored(reasonsKey, stored);
  } catch (error) {
    queries.setQueryData(reasonsKey, before);
    await queries.invalidateQueries({ queryKey: reasonsKey });
    throw error;
  }
}

export const useMutedSubjects = () =>
  useQuery({
    queryKey: mutedKey,
    queryFn: async ({ signal }) => {
      const found: MutedSubject[] = [];
      for await (const subject of client.all(listMutedSubjects, {
        params: self,
        query: { limit: 100 },
        signal,
      }))
        found.push(subject);
      return found;
    },
  });

export interface MutableTracker {
  readonly id: number;
  readonly label: string;
  readonly color: string;
  readonly project: string;
}

/** Trackers of one's own projects: mails come from these. */
export function useOwnTrackers(isAsked: boolean) {
  const { memberships } = useStanding();
  return useQuery({
    queryKey: ['users/self', 'trackers', memberships.map(({ project }) => project.id).join()],
    enabled: isAsked,
    queryFn: async (): Promise<readonly MutableTracker[]> => {
      const found = await Promise.all(
        memberships.map(async ({ project }) =>
          (await trackersOf(project.uri)).map(({ id, label, color }) => ({
            id,
            label,
            color,
            project: project.label_without_icon,
          })),
        ),
      );
      return found.flat();
    },
  });
}

export async function muteTracker(id: number): Promise<void> {
  await client.call(putTrackerMuting, { params: { id }, body: { is_muted: true } });
  await queries.invalidateQueries({ queryKey: mutedKey });
}

export async function hearAgain({ kind, id }: MutedSubject): Promise<void> {
  const input = { params: { id }, body: { is_muted: false } };
  await (kind === 'tracker' ? client.call(putTrackerMuting, input) : client.call(putArtifactMuting, input));
  await queries.invalidateQueries({ queryKey: mutedKey });
}
