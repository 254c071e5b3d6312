import * as contract from '@atelier/contract';
import { formatInstant, second } from '../../../kernel/clock.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import {
  type FailedMail,
  isMuted,
  listFailedMails,
  listMuted,
  type Muted,
  mostWatchedMatches,
  readMailPreferences,
  readSearchWatching,
  readWatching,
  requireMutable,
} from '../../../notify/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { userIdOf } from '../people/index.ts';

const presentMuted = ({ kind, id }: Muted): contract.MutedSubject => ({ kind, id, uri: `${kind}s/${id}` });

const presentFailed = ({ id, accountId, createdAt, ...mail }: FailedMail): contract.FailedMail => ({
  id,
  uri: `platform/failed_mails/${id}`,
  ...mail,
  user_id: accountId,
  creation_date: formatInstant(createdAt),
});

function mailPreferenceBindings({ database, operations }: Services): RouteBinding[] {
  const preferencesOf = async (viewer: Viewer, accountId: number) => {
    const { isEnabled, includesOwnChanges } = await readMailPreferences(database, viewer, accountId);
    return { is_enabled: isEnabled, includes_own_changes: includesOwnChanges };
  };
  return [
    bind(contract.getMailWishes, async ({ viewer, params }) => ({
      body: await preferencesOf(viewer, userIdOf(viewer, params.id)),
    })),
    bind(contract.patchMailWishes, async ({ viewer, params, body }) => {
      const accountId = userIdOf(viewer, params.id);
      const { is_enabled: isEnabled, includes_own_changes: includesOwnChanges } = body;
      await operations.changeMailPreferences(viewer, { accountId, isEnabled, includesOwnChanges });
      return { body: await preferencesOf(viewer, accountId) };
    }),
    bind(contract.listMutedSubjects, async ({ viewer, params, query }) => {
      const page = { accountId: userIdOf(viewer, params.id), ...query };
      return pageOf(query, await listMuted(database, viewer, page), presentMuted);
    }),
  ];
}

function mutingBindings({ database, operations, trackers }: Services): RouteBinding[] {
  const read = async (viewer: Viewer, subject: Muted) => {
    await requireMutable(database, viewer, subject, trackers);
    return { body: { is_muted: await isMuted(database, viewer, subject) } };
  };
  const write = async (viewer: Viewer, subject: Muted, { is_muted }: { is_muted: boolean }) => {
    await operations.muteMails(viewer, { ...subject, isMuted: is_muted });
    return { body: { is_muted } };
  };
  return [
    bind(contract.getTrackerMuting, ({ viewer, params }) => read(viewer, { kind: 'tracker', id: params.id })),
    bind(contract.putTrackerMuting, ({ viewer, params, body }) =>
      write(viewer, { kind: 'tracker', id: params.id }, body),
    ),
    bind(contract.getArtifactMuting, ({ viewer, params }) =>
      read(viewer, { kind: 'artifact', id: params.id }),
    ),
    bind(contract.putArtifactMuting, ({ viewer, params, body }) =>
      write(viewer, { kind: 'artifact', id: params.id }, body),
    ),
  ];
}

const reasonWords = {
  asked: 'asked',
  assignee: 'assigned',
  chosen: 'chosen',
  commenter: 'commented',
  mention: 'mentioned',
  submitter: 'submitted',
} as const;

/** Watching a saved search. What it finds at that moment is looked for first, off the event loop. */
function searchWatchingBindings({
  config,
  database,
  operations,
  searches,
  trackers,
}: Services): RouteBinding[] {
  const read = async (viewer: Viewer, id: number): Promise<{ body: contract.SearchWatching }> => {
    const { isWatching, watcherCount } = await readSearchWatching(database, viewer, id, trackers);
    return { body: { is_watching: isWatching, watcher_count: watcherCount } };
  };
  return [
    bind(contract.getReportWatching, ({ viewer, params: { id } }) => read(viewer, id)),
    bind(contract.putReportWatching, async ({ viewer, params: { id }, body }) => {
      const { body: before } = await read(viewer, id);
      if (before.is_watching === body.is_watching) return { body: before };
      const patience = config.searchSeconds * second;
      const page = { reportId: id, limit: mostWatchedMatches, offset: 0, patience };
      const matches = body.is_watching ? await searches.findReportArtifacts(viewer, page) : null;
      await operations.watchSearch(viewer, { reportId: id, matches });
      return read(viewer, id);
    }),
  ];
}

function watchingBindings({ database, operations, trackers }: Services): RouteBinding[] {
  const read = async (viewer: Viewer, subject: Muted): Promise<{ body: contract.Watching }> => {
    const {
      reason,
      isMuted: is_muted,
      watcherCount,
    } = await readWatching(database, viewer, subject, trackers);
    const word = reason === null ? null : reasonWords[reason];
    return { body: { is_watching: word !== null, reason: word, is_muted, watcher_count: watcherCount } };
  };
  const write = async (
    viewer: Viewer,
    subject: Muted,
    { is_watching: isWatching, is_muted: muted }: contract.BodyOf<typeof contract.putArtifactWatching>,
  ) => {
    await operations.changeWatching(viewer, { ...subject, isWatching, isMuted: muted });
    return read(viewer, subject);
  };
  return [
    bind(contract.getArtifactWatching, ({ viewer, params: { id } }) =>
      read(viewer, { kind: 'artifact', id }),
    ),
    bind(contract.putArtifactWatching, ({ viewer, params: { id }, body }) =>
      write(viewer, { kind: 'artifact', id }, body),
    ),
    bind(contract.getTrackerWatching, ({ viewer, params: { id } }) => read(viewer, { kind: 'tracker', id })),
    bind(contract.putTrackerWatching, ({ viewer, params: { id }, body }) =>
      write(viewer, { kind: 'tracker', id }, body),
    ),
  ];
}

export function mailNotificationBindings(services: Services): RouteBinding[] {
  const { database, operations } = services;
  return [
    ...mailPreferenceBindings(services),
    ...mutingBindings(services),
    ...watchingBindings(services),
    ...searchWatchingBindings(services),
    bind(contract.listFailedMails, async ({ viewer, query }) =>
      pageOf(query, await listFailedMails(database, viewer, query), presentFailed),
    ),
    bind(contract.retryFailedMail, async ({ viewer, params }) => {
      await operations.retryMail(viewer, params);
      return {};
    }),
    bind(contract.deleteFailedMail, async ({ viewer, params }) => {
      await operations.discardMail(viewer, params);
      return {};
    }),
  ];
}
