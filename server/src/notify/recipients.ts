import { type Artifact, type ArtifactChange, findCommenters, findMentioned } from '../artifacts/index.ts';
import { noneId } from '../identity/index.ts';
import { findMembersOfGroups } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import { type Field, type Stored, type Tracker, type TrackerView, typedLabels } from '../trackers/index.ts';
import { isAddress } from './model.ts';
import type { Reason } from './reasons.ts';
import { findWatchers } from './watchers.ts';

/** A reason to tell somebody, and what gives it: who may not read that is not to learn it from the reason. */
export interface Cause {
  readonly reason: Reason;
  /** The field that names them, or the comment that came with the change; absent: nothing that could be hidden. */
  readonly in?: Field['id'] | 'comment';
}

/** Those who are told of a change. */
export interface Audience {
  /** With all reasons that there are, the strongest first. */
  readonly accounts: ReadonlyMap<number, readonly Cause[]>;
  /** Addresses that somebody typed into a list of people. */
  readonly addresses: ReadonlyMap<string, Reason>;
}

type Items = readonly (number | string)[];
const isItem = (item: unknown): item is number | string =>
  typeof item === 'number' || typeof item === 'string';
const itemsIn = (value: Stored | undefined): Items => (Array.isArray(value) ? value.filter(isItem) : []);

/** Whoever is chosen now, and whoever was before the change: they should know that they are not any more. */
function chosenIn(field: Field, { before, after }: ArtifactChange): Items {
  return [...new Set([...itemsIn(after[field.id]), ...itemsIn(before[field.id])])];
}

function groupsChosen({ bind }: Field, items: Items): number[] {
  const values = [...(bind?.values ?? []), ...(bind?.removed ?? [])];
  return items.flatMap((item) => values.find(({ id }) => id === item)?.groupId ?? []);
}

/** Open lists keep what somebody typed as `o12`. */
async function addressesTyped(reader: Reader, items: Items): Promise<string[]> {
  const ids = items.filter((item) => typeof item === 'string').map((item) => Number(item.slice(1)));
  if (ids.length === 0) return [];
  return [...(await typedLabels(reader, ids)).values()].filter(isAddress);
}

class Gathering implements Audience {
  readonly accounts = new Map<number, Cause[]>();
  readonly addresses = new Map<string, Reason>();

  add(cause: Cause, accounts: readonly number[], addresses: readonly string[] = []): void {
    for (const id of accounts) {
      if (id === noneId || id === 0) continue;
      const known = this.accounts.get(id) ?? [];
      const isKnown = known.some((other) => other.reason === cause.reason && other.in === cause.in);
      if (!isKnown) this.accounts.set(id, [...known, cause]);
    }
    for (const address of addresses)
      if (!this.addresses.has(address)) this.addresses.set(address, cause.reason);
  }
}

/** The reasons that somebody may know, the strongest first. */
export function reasonsFor(
  causes: readonly Cause[],
  view: TrackerView,
  mayReadComment: boolean,
): readonly Reason[] {
  const isKnown = ({ in: place }: Cause) => {
    if (place === undefined) return true;
    if (place === 'comment') return mayReadComment;
    const field = view.tracker.elementById.get(place);
    return field !== undefined && view.canRead(field);
  };
  return causes.filter(isKnown).map(({ reason }) => reason);
}

async function addChosen(
  reader: Reader,
  audience: Gathering,
  field: Field,
  change: ArtifactChange,
  reason: Reason,
): Promise<void> {
  const items = chosenIn(field, change);
  const accounts = items.filter((item) => typeof item === 'number');
  const cause: Cause = { reason, in: field.id };
  if (field.bind?.kind === 'users') audience.add(cause, accounts, await addressesTyped(reader, items));
  if (field.bind?.kind === 'ugroups')
    audience.add(cause, await findMembersOfGroups(reader, field.projectId, groupsChosen(field, items)));
}

const isAssigning = ({ semantics }: Tracker, { id }: Field) => semantics.contributor?.fieldId === id;

/** Everybody who has to do with an artifact, whatever they may see and wish, as far as the viewer of the artifact may know. */
export async function audienceOf(
  reader: Reader,
  { row, view }: Artifact,
  change: ArtifactChange,
): Promise<Audience> {
  const { tracker } = view;
  const audience = new Gathering();
  for (const { accountId, fieldId } of await findMentioned(reader, change.id))
    audience.add({ reason: 'mention', in: fieldId ?? 'comment' }, [accountId]);
  const fields = tracker.elements.filter(
    (field) => field.isUsed && field.bind !== null && view.canRead(field),
  );
  for (const field of fields.filter((candidate) => isAssigning(tracker, candidate)))
    await addChosen(reader, audience, field, change, 'assignee');
  for (const field of fields.filter(({ hasNotifications }) => hasNotifications))
    await addChosen(reader, audience, field, change, 'chosen');
  audience.add({ reason: 'commenter' }, await findCommenters(reader, view, row.id));
  audience.add({ reason: 'submitter' }, [row.submitted_by]);
  audience.add({ reason: 'watcher' }, await findWatchers(reader, { kind: 'artifact', id: row.id }));
  if (change.isCreation)
    audience.add({ reason: 'watcher' }, await findWatchers(reader, { kind: 'tracker', id: tracker.id }));
  return audience;
}
