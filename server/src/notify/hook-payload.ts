import type { AnnouncedChange } from '../artifacts/index.ts';
import { viewerFor } from '../identity/index.ts';
import type { Reader } from '../storage/index.ts';
import type { Tracker } from '../trackers/index.ts';
import { type Archives, type SeenChange, seenBy, seenByPlatform } from './artifact-changes.ts';
import type { NewDelivery } from './deliveries.ts';
import type { Showing } from './model.ts';
import { type HookEvent, toWebhook, type Webhook } from './webhooks.ts';

/** The webhooks that listen to an event in a tracker. */
async function hooksFor(reader: Reader, tracker: Tracker, event: HookEvent): Promise<Webhook[]> {
  const query = reader.sql
    .selectFrom('webhook')
    .selectAll()
    .where('project_id', '=', tracker.project.id)
    .where((row) => row.or([row('tracker_id', 'is', null), row('tracker_id', '=', tracker.id)]))
    .where('is_enabled', '=', 1)
    .orderBy('id');
  return (await reader.all(query)).map(toWebhook).filter(({ events }) => events.includes(event));
}

/** Whether the owner of a webhook sees something change. */
async function isVisible(
  { readContext, artifact, change, comment }: SeenChange,
  showing: Showing,
): Promise<boolean> {
  if (change.isCreation || comment !== undefined) return true;
  return (await showing.describe(readContext, artifact, change)).differences.length > 0;
}

async function bodyFor(
  webhook: Webhook,
  event: HookEvent,
  announced: AnnouncedChange,
  { archives, showing }: { archives: Archives; showing: Showing },
): Promise<string | undefined> {
  const owner = await viewerFor(archives.database, webhook.ownerId);
  const seen = owner && (await seenBy(owner, announced, archives));
  if (seen === undefined || !(await isVisible(seen, showing))) return undefined;
  const { artifact, changeset, user } = await showing.present(seen.readContext, seen.artifact, seen.change);
  return (
    `{"event":"${event}","webhook_id":${webhook.id},"user":${user}` +
    `,"artifact":${artifact},"changeset":${changeset}}`
  );
}

/** What webhooks are told of a change, each as its owner may see it. */
export async function artifactDeliveries(
  announced: AnnouncedChange,
  archives: Archives,
  loadShowing: () => Promise<Showing>,
): Promise<NewDelivery[]> {
  const seen = await seenByPlatform(announced, archives);
  if (seen === undefined) return [];
  const event = seen.change.isCreation ? 'artifact.created' : 'artifact.updated';
  const hooks = await hooksFor(archives.database, seen.artifact.view.tracker, event);
  const deliveries: NewDelivery[] = [];
  for (const webhook of hooks) {
    const body = await bodyFor(webhook, event, announced, { archives, showing: await loadShowing() });
    if (body !== undefined) deliveries.push({ webhookId: webhook.id, ownerId: webhook.ownerId, event, body });
  }
  return deliveries;
}
