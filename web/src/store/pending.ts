import { ApiError } from '@atelier/client';
import {
  type Artifact,
  type ArtifactReference,
  createArtifact as createRoute,
  putArtifact,
} from '@atelier/client/routes';
import { useMemo, useSyncExternalStore } from 'react';
import { idOfUri } from '../kernel/addresses.ts';
import {
  type ChangeComment,
  type ChangeLog,
  changesOf,
  type FieldChange,
  type FieldEntry,
  nextToSend,
  type PendingChange,
  put,
  resolved,
  secondsToWait,
  sending,
  stored,
  waitingAgain,
  withChanges,
  without,
} from '../kernel/change-log.ts';
import { newUuid } from '../kernel/uuid.ts';
import { client, onSessionLost } from './client.ts';
import { deviceDatabase } from './device.ts';
import { markListOld } from './lists.ts';
import { personSignal } from './person.ts';
import { mayPass, queries } from './queries.ts';
import { createSignal } from './signal.ts';
import { artifactFacet, feed, knownThing, markOld, type Thing, useThing } from './things.ts';

const mostAtOnce = 4;

const log = createSignal<ChangeLog>([]);

/** All that is not stored yet, for those who draw nothing. */
export const pendingChanges: Pick<typeof log, 'get' | 'subscribe'> = log;
/** Nothing is sent while somebody has to sign in again. */
const held = createSignal(false);

/** What came of a change, for those who tell it to people. */
export type ChangeEvent =
  | { readonly kind: 'stored'; readonly change: PendingChange; readonly artifact: Artifact }
  | { readonly kind: 'refused'; readonly change: PendingChange; readonly error: ApiError }
  | { readonly kind: 'gone'; readonly change: PendingChange }
  | { readonly kind: 'conflict'; readonly change: PendingChange };

const listeners = new Set<(event: ChangeEvent) => void>();

export function onChangeEvent(listener: (event: ChangeEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tell(event: ChangeEvent): void {
  for (const listener of listeners) listener(event);
}

/** Kept before it is seen, so that a crash in between loses nothing. */
async function keepOnDevice(before: ChangeLog, after: ChangeLog): Promise<void> {
  const database = await deviceDatabase(personSignal.get());
  if (database === undefined) return;
  const transaction = database.transaction('changes', 'readwrite');
  const known = new Map(before.map((change) => [change.id, change]));
  const left = new Set(after.map(({ id }) => id));
  for (const change of after) if (known.get(change.id) !== change) void transaction.store.put(change);
  for (const { id } of before) if (!left.has(id)) void transaction.store.delete(id);
  // Also where the page is left in this moment.
  transaction.commit();
  await transaction.done;
}

function replace(next: ChangeLog): void {
  const before = log.get();
  log.set(next);
  keepOnDevice(before, next).catch(() => undefined);
}

function currentVersion(artifact: Artifact, etag: string | undefined) {
  const values = new Map((artifact.values ?? []).map((value) => [value.field_id, value]));
  return { etag, valueOf: (fieldId: number): unknown => values.get(fieldId) };
}

async function readAnew(
  uri: string,
): Promise<{ readonly artifact: Artifact; readonly etag: string | undefined }> {
  const { read } = artifactFacet;
  if (read === undefined) throw new Error('Cannot read.');
  const { body, etag } = await read(uri, new AbortController().signal);
  feed(uri, artifactFacet, { body, etag });
  return { artifact: body, etag };
}

async function mergeWithCurrent(change: PendingChange): Promise<void> {
  // Merging texts is seldom needed, and large.
  const [{ rebased }, { artifact, etag }] = await Promise.all([
    import('../kernel/rebase.ts'),
    readAnew(change.uri),
  ]);
  const next = rebased(change, currentVersion(artifact, etag), newUuid());
  replace(put(log.get(), next, change.id));
  if (next === undefined) tell({ kind: 'stored', change, artifact });
  else if (next.state === 'conflict') tell({ kind: 'conflict', change: next });
}

/** The versions that changes of this visit made, so that they can be taken back from there. */
const versionsMade = new Map<string, string>();
const mostVersionsMade = 200;

/** The version that a change made, once it is stored. */
export const versionMadeBy = (changeId: string): string | undefined => versionsMade.get(changeId);

function keepVersion(changeId: string, etag: string | undefined): void {
  if (etag === undefined) return;
  versionsMade.set(changeId, etag);
  const [oldest] = versionsMade.keys();
  if (versionsMade.size > mostVersionsMade && oldest !== undefined) versionsMade.delete(oldest);
}

function isStored(change: PendingChange, artifact: Artifact, etag: string | undefined): void {
  keepVersion(change.id, etag);
  feed(change.uri, artifactFacet, { body: artifact, etag });
  replace(stored(log.get(), change.id, etag));
  tell({ kind: 'stored', change, artifact });
}

function waitAndSendAgain(change: PendingChange, retryAfter: number | undefined): void {
  const seconds = Math.max(secondsToWait(change.attempts + 1), retryAfter ?? 0);
  dueAt.set(change.id, Date.now() + seconds * 1000);
  replace(waitingAgain(log.get(), change.id));
  setTimeout(sendNext, seconds * 1000);
}

/** Whether an artifact cannot be read any more: what was not found may be something that a change names, such as a file. */
async function isGone(uri: string): Promise<boolean> {
  try {
    await readAnew(uri);
    return false;
  } catch (error) {
    return error instanceof ApiError && (error.status === 404 || error.status === 410);
  }
}

/** Drafts come with what is written in. */
async function giveBackComment(uri: string, { body }: ChangeComment): Promise<void> {
  const { giveBack } = await import('./drafts.ts');
  await giveBack(uri, 'comment', body);
}

/** What was not stored, and why. */
async function failed(change: PendingChange, error: unknown): Promise<void> {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 412) {
    await mergeWithCurrent(change).catch((reason: unknown) => failed(change, reason));
  } else if (status === 401) {
    held.set(true);
    replace(waitingAgain(log.get(), change.id));
  } else if ((status === 404 || status === 410) && (await isGone(change.uri))) {
    replace(without(log.get(), change.id));
    markOld(change.uri);
    tell({ kind: 'gone', change });
  } else if (error instanceof ApiError && status !== undefined && status < 500 && !mayPass(error)) {
    replace(without(log.get(), change.id));
    if (change.comment !== undefined) giveBackComment(change.uri, change.comment).catch(() => undefined);
    tell({ kind: 'refused', change, error });
  } else {
    waitAndSendAgain(change, error instanceof ApiError ? error.retryAfter : undefined);
  }
}

async function send(change: PendingChange): Promise<void> {
  const { uri, fields, comment, etag, key } = change;
  try {
    const answer = await client.send(putArtifact, {
      params: { id: idOfUri(uri) },
      body: { values: fields.map(({ entry }) => entry), ...(comment === undefined ? {} : { comment }) },
      ...(fields.length > 0 && etag !== undefined ? { ifMatch: etag } : {}),
      idempotencyKey: key,
    });
    isStored(change, answer.body, answer.etag);
  } catch (error) {
    await failed(change, error);
  }
  sendNext();
}

function sendNext(): void {
  if (held.get() || isAway()) return;
  const next = nextToSend(log.get(), mostAtOnce).filter(isDue);
  for (const change of next) {
    dueAt.delete(change.id);
    postponed.delete(change.id);
    replace(sending(log.get(), change.id));
    void send(change);
  }
}

/** Until when those wait that were sent in vain. */
const dueAt = new Map<string, number>();
const isDue = ({ id }: PendingChange) => (dueAt.get(id) ?? 0) <= Date.now();
const isAway = () => typeof navigator !== 'undefined' && navigator.onLine === false;

export interface ArtifactChange {
  readonly fields?: readonly FieldChange[] | undefined;
  readonly comment?: ChangeComment | undefined;
  /** The version that was seen, where it is not the one that is kept: the etag of a row. */
  readonly etag?: string | undefined;
  /** For what cannot be undone once it is stored: milliseconds in which it can still be taken back. Others of the artifact pass it meanwhile. */
  readonly postponedFor?: number | undefined;
}

/** Those that wait for a while though they could be sent. */
const postponed = new Set<string>();

/** Where a new change stands in the log: behind all others of its artifact, but for those that are postponed and change other fields. */
function placeOf(uri: string, fields: readonly FieldChange[]): number {
  const all = log.get();
  const ids = new Set(fields.map(({ fieldId }) => fieldId));
  const later = all.filter((change) => change.uri === uri && postponed.has(change.id));
  const meets = later.some((change) => change.fields.some(({ fieldId }) => ids.has(fieldId)));
  // What is chosen on top of it stands on it: it is sent now.
  if (meets) for (const { id } of later) dueAt.delete(id);
  const [first] = later;
  return first === undefined || meets ? all.length : all.indexOf(first);
}

/** Takes back a change that was postponed; false where it was sent already. */
export function takeBack(id: string): boolean {
  const change = log.get().find((one) => one.id === id);
  if (change === undefined || change.state !== 'waiting' || isDue(change)) return false;
  dropChange(id);
  return true;
}

/** What stood there: in the artifact as it is seen, unless whoever changes it says so. */
function withBefore(uri: string, field: FieldChange): FieldChange {
  if ('before' in field) return field;
  const known = knownThing(uri, artifactFacet)?.body;
  const seen = known === undefined ? undefined : withChanges(known, changesOf(log.get(), uri));
  return { ...field, before: seen?.values?.find(({ field_id: id }) => id === field.fieldId) };
}

/** Changes an artifact: seen at once, kept on this device, sent as soon as can be. Gives the id of the change. */
export function changeArtifact(
  uri: string,
  { fields = [], comment, etag, postponedFor }: ArtifactChange,
): string {
  const place = placeOf(uri, fields);
  const isFirst = changesOf(log.get().slice(0, place), uri).length === 0;
  const change: PendingChange = {
    id: newUuid(),
    key: newUuid(),
    uri,
    fields: fields.map((field) => withBefore(uri, field)),
    comment,
    etag: isFirst && fields.length > 0 ? (etag ?? knownThing(uri, artifactFacet)?.etag) : undefined,
    state: 'waiting',
    attempts: 0,
    merges: 0,
    madeAt: Date.now(),
  };
  if (postponedFor !== undefined) {
    postponed.add(change.id);
    dueAt.set(change.id, Date.now() + postponedFor);
    setTimeout(sendNext, postponedFor);
  }
  replace(log.get().toSpliced(place, 0, change));
  sendNext();
  return change.id;
}

/** Settles a conflict: for each field the entry to be sent, or undefined to keep what the other side wrote. */
export function resolveConflict(id: string, choices: ReadonlyMap<number, FieldEntry | undefined>): void {
  const change = log.get().find((pending) => pending.id === id);
  if (change === undefined) return;
  replace(put(log.get(), resolved(change, choices, newUuid()), id));
  sendNext();
}

/** Takes a change that is not stored out of the log: what it wanted is not wanted any more. */
function dropChange(id: string): void {
  replace(without(log.get(), id));
  sendNext();
}

/** Whether something of an artifact is not stored yet. */
export const isChanging = (uri: string): boolean => changesOf(log.get(), uri).length > 0;

/** All that is not stored yet. */
export function usePendingChanges(): ChangeLog {
  return useSyncExternalStore(log.subscribe, log.get);
}

/** Changes of one artifact that are not stored yet. */
export function useChangesOf(uri: string | undefined): ChangeLog {
  const all = usePendingChanges();
  return useMemo(() => (uri === undefined ? [] : changesOf(all, uri)), [all, uri]);
}

/** An artifact as it is seen: what the server told, and what is not stored yet on top of it. */
export function useArtifact(uri: string | undefined): Thing<Artifact> & { readonly pending: ChangeLog } {
  const base = useThing(uri, artifactFacet);
  const pending = useChangesOf(uri);
  const thing = useMemo(
    () => (base.thing === undefined ? undefined : withChanges(base.thing, pending)),
    [base.thing, pending],
  );
  return { ...base, thing, pending };
}

export interface NewArtifact {
  readonly trackerId: number;
  readonly values: readonly FieldEntry[];
  /** The same for every attempt to create the same artifact: a lost answer creates nothing twice. */
  readonly key: string;
}

/** Creates an artifact; lists are asked again. */
export async function createArtifact({ trackerId, values, key }: NewArtifact): Promise<ArtifactReference> {
  const body = { tracker: { id: trackerId }, values: [...values] };
  const created = await client.call(createRoute, { body, idempotencyKey: key });
  void markListOld();
  // One more is open beside the name of its tracker.
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'trackers' });
  return created;
}

/** Whether nothing is sent until somebody signs in again. */
export const isHeld = (): boolean => held.get();

/** Everything that waited is sent: the network is back, or somebody signed in again. */
export function sendWaiting(): void {
  held.set(false);
  dueAt.clear();
  replace(
    log
      .get()
      .map((change) =>
        change.attempts > 0 && change.state === 'waiting' ? { ...change, attempts: 0 } : change,
      ),
  );
  sendNext();
}

/** Takes up what was left by an earlier visit. */
export async function restoreChanges(personId: number): Promise<void> {
  const kept = (await (await deviceDatabase(personId))?.getAll('changes')) ?? [];
  // Where the device gave late, somebody else may be there by now.
  if (personSignal.get() !== personId) return;
  const here = new Set(log.get().map(({ id }) => id));
  const older = kept.filter(({ id }) => !here.has(id)).sort((left, right) => left.madeAt - right.madeAt);
  const waiting = older.map(
    (change): PendingChange => (change.state === 'sending' ? { ...change, state: 'waiting' } : change),
  );
  log.set([...waiting, ...log.get()]);
  sendNext();
}

/** Leaves what waits to the person whom it belongs to: it is kept on the device and not shown any more. */
export function putChangesAway(): void {
  log.set([]);
}

/** Sends when the network comes back; asks before somebody leaves the site while changes wait. */
export function startSending(): void {
  onSessionLost(() => held.set(true));
  window.addEventListener('online', sendWaiting);
  window.addEventListener('beforeunload', (event) => {
    if (log.get().length > 0) event.preventDefault();
  });
}
