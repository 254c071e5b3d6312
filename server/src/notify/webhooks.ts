import { projectEvents, type WebhookEvent, webhookEvents } from '@atelier/contract/webhook-events';
import { hostsIn } from '../artifacts/index.ts';
import { readSettings } from '../identity/index.ts';
import type { Instant } from '../kernel/clock.ts';
import { invalid, invalidMember, notFound, Refusal } from '../kernel/errors.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  readProjectAccess,
  recordInHistory,
  requireAdministrator,
  requireProject,
  requireProjectWritable,
} from '../projects/index.ts';
import { type Reader, readRevisions, type Transaction } from '../storage/index.ts';
import { requireTrackerAdministrator, requireTrackersOf, type Trackers } from '../trackers/index.ts';
import { ForbiddenAddress, requirePublic } from './outgoing.ts';
import { newWebhookSecret } from './signing.ts';
import { reschedule, type WebhookRow, wakeDeliveries } from './webhook-schedule.ts';

/** Where a webhook listens: one tracker, or all of a project. */
export type WebhookPlace =
  | { readonly kind: 'project'; readonly id: number }
  | { readonly kind: 'tracker'; readonly id: number };

export interface Webhook {
  readonly id: number;
  readonly projectId: number;
  readonly trackerId: number | null;
  /** Deliveries show what this person may see. */
  readonly ownerId: number;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly isEnabled: boolean;
  readonly createdAt: Instant;
}

/** What people chose of a webhook. */
type ChosenRow = Pick<
  WebhookRow,
  'id' | 'project_id' | 'tracker_id' | 'owner_id' | 'url' | 'events' | 'is_enabled' | 'created_at'
>;

const isEvent = (text: string): text is WebhookEvent => webhookEvents.some((event) => event === text);

export const toWebhook = (row: ChosenRow): Webhook => ({
  id: row.id,
  projectId: row.project_id,
  trackerId: row.tracker_id,
  ownerId: row.owner_id,
  url: row.url,
  events: row.events.split(' ').filter(isEvent),
  isEnabled: row.is_enabled === 1,
  createdAt: row.created_at,
});

/** Webhooks of one place at the most. */
const mostHooks = 20;
const longestUrl = 2000;

/** The project and tracker of a place, for those who administer it. */
async function requirePlace(
  reader: Reader,
  viewer: Viewer,
  place: WebhookPlace,
  trackers: Trackers,
): Promise<{ projectId: number; trackerId: number | null }> {
  if (place.kind === 'project') {
    requireAdministrator(viewer, await requireProject(reader, viewer, place.id, 'project'));
    return { projectId: place.id, trackerId: null };
  }
  const view = await trackers.require(reader, viewer, place.id, await readRevisions(reader));
  requireTrackerAdministrator(view);
  return { projectId: view.tracker.project.id, trackerId: place.id };
}

async function requireUrl(reader: Reader, text: string): Promise<string> {
  const fault = (words: string) => invalidMember('url', words);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || text.length > longestUrl)
    throw fault(`It must be an http or https address of at most ${longestUrl} characters.`);
  if (url.username !== '' || url.password !== '') throw fault('It must not hold a name or a password.');
  try {
    requirePublic(url, hostsIn((await readSettings(reader)).webhook_hosts));
  } catch (error) {
    throw error instanceof ForbiddenAddress ? fault(error.message) : error;
  }
  return url.href;
}

/** What webhooks of a tracker, or those of a project, can listen to. */
const eventsAt = (trackerId: number | null): readonly WebhookEvent[] =>
  trackerId === null ? webhookEvents : webhookEvents.filter((event) => !projectEvents.includes(event));

function requireEvents(input: readonly string[], trackerId: number | null): string {
  const wrong = input.find((event) => !isEvent(event));
  if (wrong !== undefined)
    throw invalidMember(
      'events',
      `There is no event ${JSON.stringify(wrong)}. There are: ${webhookEvents.join(', ')}.`,
    );
  const known = eventsAt(trackerId);
  const foreign = input.find((event) => isEvent(event) && !known.includes(event));
  if (foreign !== undefined)
    throw invalidMember('events', `Only webhooks of a project can listen to ${foreign}.`);
  if (input.length === 0) throw invalidMember('events', 'At least one event is needed.');
  return webhookEvents.filter((event) => input.includes(event)).join(' ');
}

const hooksAt = (
  { sql }: Reader,
  { projectId, trackerId }: { projectId: number; trackerId: number | null },
) => {
  const ofProject = sql.selectFrom('webhook').where('project_id', '=', projectId);
  return trackerId === null
    ? ofProject.where('tracker_id', 'is', null)
    : ofProject.where('tracker_id', '=', trackerId);
};

export async function listWebhooks(
  reader: Reader,
  viewer: Viewer,
  { place, limit, offset }: Page & { place: WebhookPlace },
  trackers: Trackers,
): Promise<Slice<Webhook>> {
  const at = hooksAt(reader, await requirePlace(reader, viewer, place, trackers));
  const count = await reader.first(at.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await reader.all(at.selectAll().orderBy('id').limit(limit).offset(offset));
  return { items: rows.map(toWebhook), size: count?.size ?? 0 };
}

/** One webhook, for those who administer its place; to everybody else there is none. */
export async function requireWebhook(
  reader: Reader,
  viewer: Viewer,
  id: number,
  trackers: Trackers,
): Promise<WebhookRow> {
  const row = await reader.first(reader.sql.selectFrom('webhook').selectAll().where('id', '=', id));
  const unknown = notFound('There is no such webhook.');
  if (row === undefined) throw unknown;
  const place: WebhookPlace =
    row.tracker_id === null
      ? { kind: 'project', id: row.project_id }
      : { kind: 'tracker', id: row.tracker_id };
  try {
    await requirePlace(reader, viewer, place, trackers);
  } catch (error) {
    throw error instanceof Refusal ? unknown : error;
  }
  return row;
}

/** What a webhook shall be. */
export interface WebhookRequest {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly isEnabled?: boolean | undefined;
}

/** A webhook with the secret of its signatures: it is shown in this answer and never again. */
export type WebhookWithSecret = Webhook & { readonly secret: string };

async function requireRoom(
  tx: Transaction,
  at: { projectId: number; trackerId: number | null },
): Promise<void> {
  await tx.lock(tx.sql.selectFrom('project').select('id').where('id', '=', at.projectId));
  const count = await tx.first(hooksAt(tx, at).select((row) => row.fn.countAll<number>().as('size')));
  if ((count?.size ?? 0) >= mostHooks) throw invalid(`There can be at most ${mostHooks} webhooks here.`);
}

async function requireWritable(tx: Transaction, viewer: Viewer, projectId: number): Promise<void> {
  requireProjectWritable(requireTrackersOf(viewer, await readProjectAccess(tx, viewer, projectId)));
}

/** Whoever administers the project should know where its changes are told. The rest of an address may be secret. */
async function noteInHistory(
  tx: Transaction,
  viewer: Viewer,
  { id, projectId, url }: Pick<Webhook, 'id' | 'projectId' | 'url'>,
  what: 'create' | 'change' | 'delete',
): Promise<void> {
  const subject = `webhook ${id} to ${new URL(url).host}`;
  await recordInHistory(tx, viewer, projectId, { event: `webhook_${what}`, subject });
}

export async function createWebhook(
  tx: Transaction,
  viewer: Viewer,
  { place, url, events, isEnabled = true }: WebhookRequest & { place: WebhookPlace; url: string },
  trackers: Trackers,
): Promise<WebhookWithSecret> {
  const at = await requirePlace(tx, viewer, place, trackers);
  await requireWritable(tx, viewer, at.projectId);
  const row = {
    project_id: at.projectId,
    tracker_id: at.trackerId,
    owner_id: viewer.userId,
    url: await requireUrl(tx, url),
    secret: newWebhookSecret(),
    events: requireEvents(events ?? eventsAt(at.trackerId), at.trackerId),
    is_enabled: isEnabled ? (1 as const) : (0 as const),
    created_at: Date.now(),
  };
  await requireRoom(tx, at);
  const [made] = await tx.all(tx.sql.insertInto('webhook').values(row).returning('id'));
  if (made === undefined) throw new Error('The new webhook has no id.');
  const webhook = toWebhook({ id: made.id, ...row });
  await noteInHistory(tx, viewer, webhook, 'create');
  await tx.touch('structure');
  return { ...webhook, secret: row.secret };
}

/** What is remembered of a receiver that nobody tried yet. */
const afresh = { failures: 0, failing_since: null, answered_at: null, given_up_at: null, warned_at: null };

/** Changes a webhook; deliveries show from then on what the changer may see. */
export async function changeWebhook(
  tx: Transaction,
  viewer: Viewer,
  {
    id,
    url,
    events,
    isEnabled,
    renewSecret = false,
  }: WebhookRequest & { id: number; renewSecret?: boolean | undefined },
  trackers: Trackers,
): Promise<Webhook & { readonly secret: string | undefined }> {
  const row = await requireWebhook(tx, viewer, id, trackers);
  await requireWritable(tx, viewer, row.project_id);
  const secret = renewSecret ? newWebhookSecret() : undefined;
  // Whoever changes a webhook may have mended what failed.
  const mayBeMended = url !== undefined || isEnabled === true;
  const columns = {
    owner_id: viewer.userId,
    ...(url === undefined ? {} : { url: await requireUrl(tx, url) }),
    ...(events === undefined ? {} : { events: requireEvents(events, row.tracker_id) }),
    ...(isEnabled === undefined ? {} : { is_enabled: isEnabled ? (1 as const) : (0 as const) }),
    ...(secret === undefined ? {} : { secret }),
    ...(mayBeMended ? afresh : {}),
  };
  await tx.run(tx.sql.updateTable('webhook').set(columns).where('id', '=', id));
  if (mayBeMended) await wakeDeliveries(tx, id);
  await reschedule(tx, row, { paused_until: 0 });
  const webhook = toWebhook({ ...row, ...columns });
  await noteInHistory(tx, viewer, webhook, 'change');
  await tx.touch('structure');
  return { ...webhook, secret };
}

/** Deletes a webhook with the log of its deliveries. */
export async function deleteWebhook(
  tx: Transaction,
  viewer: Viewer,
  { id }: { id: number },
  trackers: Trackers,
): Promise<void> {
  const row = await requireWebhook(tx, viewer, id, trackers);
  await requireWritable(tx, viewer, row.project_id);
  await tx.run(tx.sql.deleteFrom('webhook').where('id', '=', id));
  await noteInHistory(tx, viewer, toWebhook(row), 'delete');
  await tx.touch('structure');
}
