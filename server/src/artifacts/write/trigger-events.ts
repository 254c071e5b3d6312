import type { FieldValue, Stored, StoredLink, Tracker } from '../../trackers/index.ts';
import type { Document } from '../model.ts';
import type { Changes } from './changes.ts';

/** A change of one artifact that may set values of its parents, or of itself because of its children. */
export interface TriggerEvent {
  readonly id: number;
  readonly tracker: Tracker;
  /** The values of lists that it has now and had not before. */
  readonly gained: readonly FieldValue[];
  readonly linksBefore: readonly StoredLink[];
  readonly linksAfter: readonly StoredLink[];
}

const has = (value: Stored | undefined, id: number) => Array.isArray(value) && value.includes(id);

function gainedValues({ triggers }: Tracker, before: Document, values: Changes['values']): FieldValue[] {
  const after = new Map([...values].map(([field, value]) => [field.id, value]));
  return triggers.upwards
    .flatMap(({ children }) => children)
    .filter(({ fieldId, valueId }) => has(after.get(fieldId), valueId) && !has(before[fieldId], valueId));
}

/** What a changeset may set off; undefined where no trigger looks at it. */
export function triggerEventOf(
  tracker: Tracker,
  { id, document, links }: { id: number; document: Document; links: readonly StoredLink[] },
  changes: Changes,
): TriggerEvent | undefined {
  const { own, upwards } = tracker.triggers;
  const gained = upwards.length === 0 ? [] : gainedValues(tracker, document, changes.values);
  const linksAfter = own.length === 0 ? undefined : changes.links;
  if (gained.length === 0 && linksAfter === undefined) return undefined;
  return { id, tracker, gained, linksBefore: links, linksAfter: linksAfter ?? links };
}
