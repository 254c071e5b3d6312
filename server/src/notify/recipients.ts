import { type Artifact, type ArtifactChange, findCommenters, findMentioned } from '../artifacts/index.ts';
import { noneId } from '../identity/index.ts';
import { findMembersOfGroups } from '../projects/index.ts';
import type { Reader } from '../storage/index.ts';
import { type Field, type Stored, type Tracker, typedLabels } from '../trackers/index.ts';
import { isAddress } from './model.ts';
import type { Reason } from './reasons.ts';
import { findWatchers } from './watchers.ts';

/** Those who are told of a change. */
export interface Audience {
  /** With all reasons that there are, the strongest first. */
  readonly accounts: ReadonlyMap<number, readonly Reason[]>;
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
  readonly accounts = new Map<number, Reason[]>();
  readonly addresses = new Map<string, Reason>();

  add(reason: Reason, accounts: readonly number[], addresses: readonly string[] = []): void {
    for (const id of accounts) {
      if (id === noneId || id === 0) continue;
      const known = this.accounts.get(id) ?? [];
      if (!known.includes(reason)) this.accounts.set(id, [...known, reason]);
    }
    for (const address of addresses) if (!this.addresses.has(address)) this.addresses.set(address, reason);
  }
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
  if (field.bind?.kind === 'users') audience.add(reason, accounts, await addressesTyped(reader, items));
  if (field.bind?.kind === 'ugroups')
    audience.add(reason, await findMembersOfGroups(reader, field.projectId, groupsChosen(field, items)));
}

const isAssigning = ({ semantics }: Tracker, { id }: Field) => semantics.contributor?.fieldId === id;

/** Everybody who has to do with an artifact, whatever they may see and wish. */
export async function audienceOf(
  reader: Reader,
  { row, view: { tracker } }: Artifact,
  change: ArtifactChange,
): Promise<Audience> {
  const audience = new Gathering();
  audience.add('mention', await findMentioned(reader, change.id));
  const fields = tracker.elements.filter(({ isUsed, bind }) => isUsed && bind !== null);
  for (const field of fields.filter((candidate) => isAssigning(tracker, candidate)))
    await addChosen(reader, audience, field, change, 'assignee');
  for (const field of fields.filter(({ hasNotifications }) => hasNotifications))
    await addChosen(reader, audience, field, change, 'chosen');
  audience.add('commenter', await findCommenters(reader, row.id));
  audience.add('submitter', [row.submitted_by]);
  audience.add('watcher', await findWatchers(reader, { kind: 'artifact', id: row.id }));
  if (change.isCreation)
    audience.add('watcher', await findWatchers(reader, { kind: 'tracker', id: tracker.id }));
  return audience;
}
