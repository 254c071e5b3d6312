import type { TimelineChange, TimelineEntry } from './calls.ts';

const FIVE_MINUTES = 5 * 60_000;

/** A change as it is shown, with the changesets that tell all of what the field was before and is after. */
export interface ShownChange extends TimelineChange {
  readonly firstIn: number | null;
  readonly lastIn: number | null;
}

export interface ShownEntry extends Omit<TimelineEntry, 'changes'> {
  readonly changes: readonly ShownChange[];
}

/** An entry as it is shown, and all the changesets that it stands for. */
export interface JoinedEntry {
  readonly entry: ShownEntry;
  readonly changesetIds: readonly number[];
}

const idsOf = ({ changeset_id: id }: TimelineEntry): number[] => (id === null ? [] : [id]);

const asShown = (entry: TimelineEntry): ShownEntry => ({
  ...entry,
  changes: entry.changes.map((change) => ({
    ...change,
    ...{ firstIn: entry.changeset_id, lastIn: entry.changeset_id },
  })),
});

/** Changes of one person within five minutes, without a comment between them, are one entry; the newest comes first. */
export function joined(entries: readonly TimelineEntry[]): JoinedEntry[] {
  const result: JoinedEntry[] = [];
  for (const entry of entries) {
    const later = result.at(-1);
    const own = asShown(entry);
    if (later !== undefined && belongTogether(later.entry, own))
      result[result.length - 1] = {
        entry: together(later.entry, own),
        changesetIds: [...later.changesetIds, ...idsOf(entry)],
      };
    else result.push({ entry: own, changesetIds: idsOf(entry) });
  }
  return result;
}

const isPlainChange = ({ kind, is_creation: isCreation }: ShownEntry): boolean =>
  kind === 'change' && !isCreation;

function belongTogether(later: ShownEntry, earlier: ShownEntry): boolean {
  if (!isPlainChange(later) || !isPlainChange(earlier)) return false;
  if (later.submitted_by.id !== earlier.submitted_by.id) return false;
  const isSoon = Date.parse(later.submitted_on) - Date.parse(earlier.submitted_on) <= FIVE_MINUTES;
  return isSoon && !isUndone(earlier, later);
}

/** Together they would say that a field was set to what it was. */
function isUndone(earlier: ShownEntry, later: ShownEntry): boolean {
  const after = new Map(later.changes.map((change) => [change.field_id, JSON.stringify(change.after)]));
  return earlier.changes.some(({ field_id: id, before }) => after.get(id) === JSON.stringify(before));
}

/** A field that was changed twice shows what it was first and what it is in the end. */
function together(later: ShownEntry, earlier: ShownEntry): ShownEntry {
  const changes = new Map(earlier.changes.map((change) => [change.field_id, change]));
  for (const last of later.changes) {
    const first = changes.get(last.field_id);
    changes.set(last.field_id, first === undefined ? last : fromTo(first, last));
  }
  return { ...later, changes: [...changes.values()] };
}

const fromTo = (first: ShownChange, last: ShownChange): ShownChange => ({
  ...last,
  ...{ before: first.before, firstIn: first.firstIn, is_cut: first.is_cut || last.is_cut },
});
