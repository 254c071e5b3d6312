import type { platformEventKinds } from '@atelier/contract';
import { day, type Instant } from '../kernel/clock.ts';
import type { Page, Slice } from '../kernel/paging.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Reader, Transaction } from '../storage/index.ts';
import { requireSiteAdministrator } from './policy.ts';

export type PlatformEventKind = (typeof platformEventKinds)[number];

export interface PlatformEvent {
  readonly id: number;
  readonly at: Instant;
  /** 0: nobody who is known, or the platform itself. */
  readonly by: number;
  readonly kind: string;
  /** To whom or what, in words. */
  readonly subject: string;
  /** Where the request came from, of what is done before anybody is known. */
  readonly address: string;
  readonly details: { readonly before: string; readonly after: string } | null;
}

export interface NewPlatformEvent {
  readonly kind: PlatformEventKind;
  readonly subject: string;
  readonly address?: string;
  readonly details?: { readonly before: string; readonly after: string } | undefined;
}

const longestText = 500;
const clipped = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

/** Writes something down, in the transaction in which it happens. */
export async function recordPlatformEvent(
  tx: Transaction,
  by: number,
  { kind, subject, address = '', details }: NewPlatformEvent,
): Promise<void> {
  const told = details && { before: clipped(details.before), after: clipped(details.after) };
  const row = {
    ...{ happened_at: Date.now(), account_id: by, kind, subject: clipped(subject), address },
    details: told === undefined ? null : JSON.stringify(told),
  };
  await tx.run(tx.sql.insertInto('platform_event').values(row));
}

/** Writes down the same of several, however many. */
export async function recordPlatformEvents(
  tx: Transaction,
  by: number,
  kind: PlatformEventKind,
  subjects: readonly string[],
): Promise<void> {
  const now = Date.now();
  const rows = subjects.map((subject) => [now, by, kind, clipped(subject), '', null] as const);
  const columns = ['happened_at', 'account_id', 'kind', 'subject', 'address', 'details'] as const;
  await tx.insertMany('platform_event', columns, rows);
}

/** Writes down what is not as it was, where something is not. */
export async function recordDifference(
  tx: Transaction,
  by: number,
  {
    kind,
    subject,
    details,
  }: Required<Pick<NewPlatformEvent, 'kind' | 'subject'>> & {
    readonly details: { readonly before: string; readonly after: string };
  },
): Promise<void> {
  if (details.before !== details.after) await recordPlatformEvent(tx, by, { kind, subject, details });
}

/**
 * Somebody gave a wrong password. Only names that there are get written down: what is none may well be a password that was
 * typed into the wrong place.
 */
export async function recordFailedSignIn(
  tx: Transaction,
  _: Viewer,
  { name, address }: { readonly name: string | undefined; readonly address: string },
): Promise<void> {
  await recordPlatformEvent(tx, 0, { kind: 'sign_in_failed', subject: name ?? '', address });
}

/** A backup is begun from the browser. */
export async function recordBackupStart(
  tx: Transaction,
  viewer: Viewer,
  { place }: { readonly place: string },
): Promise<void> {
  requireSiteAdministrator(viewer);
  await recordPlatformEvent(tx, viewer.userId, { kind: 'backup_start', subject: place });
}

export interface PlatformEventSearch extends Page {
  readonly actor?: number | undefined;
  readonly kind?: PlatformEventKind | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** What happened on the platform, the last first, for site administrators. */
export async function listPlatformEvents(
  reader: Reader,
  viewer: Viewer,
  { actor, kind, from, to, limit, offset }: PlatformEventSearch,
): Promise<Slice<PlatformEvent>> {
  requireSiteAdministrator(viewer);
  let matching = reader.sql.selectFrom('platform_event');
  if (actor !== undefined) matching = matching.where('account_id', '=', actor);
  if (kind !== undefined) matching = matching.where('kind', '=', kind);
  if (from !== undefined) matching = matching.where('happened_at', '>=', from);
  if (to !== undefined) matching = matching.where('happened_at', '<', to);
  const counted = await reader.first(matching.select((row) => row.fn.countAll<number>().as('size')));
  const rows = await reader.all(matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset));
  const items = rows.map(({ id, happened_at, account_id, kind: word, subject, address, details }) => ({
    ...{ id, at: happened_at, by: account_id, kind: word, subject, address },
    details: details === null ? null : JSON.parse(details),
  }));
  return { items, size: counted?.size ?? 0 };
}

const lifetime = 366 * day;

/** After a year nobody needs to know any more. */
export async function purgePlatformEvents(tx: Transaction): Promise<void> {
  await tx.run(tx.sql.deleteFrom('platform_event').where('happened_at', '<', Date.now() - lifetime));
}
