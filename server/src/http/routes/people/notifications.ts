import * as contract from '@atelier/contract';
import { gather } from '../../../artifacts/index.ts';
import { findAccounts } from '../../../identity/index.ts';
import { formatInstant, type Instant, parseInstant, second } from '../../../kernel/clock.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import {
  countUnread,
  type InboxEntry,
  listNotifications,
  type NotificationWishes,
  type Reason,
  readNotificationWishes,
} from '../../../notify/index.ts';
import {
  type PresentationContext,
  presentAnonymous,
  presentMinimalTracker,
  presentMinimalUser,
  statusOf,
  titleOf,
  ValueWriter,
} from '../../../present/index.ts';
import { presentationOf } from '../../in-parts.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { userIdOf } from './users.ts';

type ReasonWord = contract.Notification['reason'];

/** The words of the API for why somebody is told. */
const words: Readonly<Record<Reason, ReasonWord>> = {
  mention: 'mention',
  assignee: 'assigned',
  chosen: 'chosen',
  commenter: 'commented',
  submitter: 'submitted',
  watcher: 'watching',
  search: 'search',
};

const reasonOf: Readonly<Record<ReasonWord, Reason>> = {
  mention: 'mention',
  assigned: 'assignee',
  chosen: 'chosen',
  commented: 'commenter',
  submitted: 'submitter',
  watching: 'watcher',
  search: 'search',
};

const dateOf = (instant: Instant | null) => (instant === null ? null : formatInstant(instant));

/** The instant that a member of a request names. */
function instantIn(member: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined)
    throw invalid(
      `Invalid value specified for \`${member}\`. Expected a date such as 2026-11-16T09:00:00+01:00.`,
    );
  return instant;
}

type Person = contract.Notification['by'][number];

/** Those who changed something, as the viewer sees them. */
async function peopleIn(
  { database, publicUrl }: Services,
  viewer: Viewer,
  items: readonly InboxEntry[],
): Promise<(id: number) => Person> {
  const ids = [...new Set(items.flatMap(({ people }) => people))].filter((id) => id !== 0);
  const accounts = ids.length === 0 ? [] : await findAccounts(database, ids);
  const known = new Map(
    accounts.map((account) => [account.id, presentMinimalUser(publicUrl, viewer, account)]),
  );
  return (id) => known.get(id) ?? presentAnonymous(publicUrl);
}

function present(
  item: InboxEntry,
  writer: ValueWriter,
  personOf: (id: number) => Person,
): contract.Notification {
  const { id, artifact } = item;
  const { row, view } = artifact;
  const { tracker } = view;
  return {
    id,
    uri: `notifications/${id}`,
    date: formatInstant(item.changedAt),
    reason: words[item.reason],
    is_read: item.readAt !== null,
    read_date: dateOf(item.readAt),
    is_done: item.isDone,
    snoozed_until: dateOf(item.snoozedUntil),
    count: item.changeCount,
    artifact: {
      id: row.id,
      uri: `artifacts/${row.id}`,
      xref: `${tracker.itemName} #${row.id}`,
      html_url: `/plugins/tracker/?aid=${row.id}`,
      title: titleOf(artifact, writer),
      full_status: statusOf(artifact, writer),
      tracker: presentMinimalTracker(tracker),
      project: {
        id: tracker.project.id,
        uri: `projects/${tracker.project.id}`,
        label: tracker.project.label,
        icon: tracker.project.icon,
      },
    },
    by: item.people.map(personOf),
    changes: [...item.labels],
    excerpt: item.excerpt,
    first_changeset_id: item.firstChangesetId,
    last_changeset_id: item.lastChangesetId,
  };
}

function presentWishes({ reasons, digest }: NotificationWishes): contract.NotificationWishes {
  return {
    reasons: {
      mention: reasons.mention,
      assigned: reasons.assignee,
      chosen: reasons.chosen,
      commented: reasons.commenter,
      submitted: reasons.submitter,
      watching: reasons.watcher,
      search: reasons.search,
    },
    digest,
  };
}

function inboxBindings(services: Services): RouteBinding[] {
  const { database, operations, trackers, readings } = services;
  return [
    bind(contract.listNotifications, async ({ viewer, params, query }) => {
      const { state, reason, project_id, artifact_id, limit, offset } = query;
      const accountId = userIdOf(viewer, params.id);
      const criteria = {
        state,
        reason: reason && reasonOf[reason],
        projectId: project_id,
        artifactId: artifact_id,
      };
      await readings.settled(accountId);
      const page = { accountId, limit, offset, ...criteria };
      const { items, size, readContext } = await listNotifications(database, viewer, page, trackers);
      const presentation: PresentationContext = await presentationOf(services, readContext);
      const nothing = await gather(readContext, []);
      const personOf = await peopleIn(services, viewer, items);
      const body = items.map((item) =>
        present(item, new ValueWriter(item.artifact, nothing, presentation), personOf),
      );
      return { body, page: { limit, offset, size } };
    }),
    bind(contract.patchNotifications, async ({ viewer, params, body }) => {
      const { until, snoozed_until: snoozed } = body;
      const accountId = userIdOf(viewer, params.id);
      await operations.changeNotifications(viewer, {
        accountId,
        ids: body.ids,
        artifactId: body.artifact_id,
        until: until === undefined ? undefined : instantIn('until', until) + second - 1,
        isRead: body.is_read,
        isDone: body.is_done,
        snoozedUntil: typeof snoozed === 'string' ? instantIn('snoozed_until', snoozed) : snoozed,
      });
      return { body: { unread: await countUnread(database, viewer, trackers) } };
    }),
  ];
}

function wishBindings({ database, operations }: Services): RouteBinding[] {
  const wishesOf = async (viewer: Viewer, accountId: number) => ({
    body: presentWishes(await readNotificationWishes(database, viewer, accountId)),
  });
  return [
    bind(contract.getNotificationWishes, ({ viewer, params }) =>
      wishesOf(viewer, userIdOf(viewer, params.id)),
    ),
    bind(contract.putNotificationWishes, async ({ viewer, params, body }) => {
      const accountId = userIdOf(viewer, params.id);
      const { reasons: wished = {}, digest } = body;
      const reasons = {
        mention: wished.mention,
        assignee: wished.assigned,
        chosen: wished.chosen,
        commenter: wished.commented,
        submitter: wished.submitted,
        watcher: wished.watching,
        search: wished.search,
      };
      await operations.changeNotificationWishes(viewer, { accountId, reasons, digest });
      return wishesOf(viewer, accountId);
    }),
  ];
}

export function notificationBindings(services: Services): RouteBinding[] {
  return [...inboxBindings(services), ...wishBindings(services)];
}
