import type { TimelineEntry } from './calls.ts';

const FIVE_MINUTES = 5 * 60_000;

/** An entry as it is shown, and all the changesets that it stands for. */
export interface JoinedEntry {
  readonly entry: TimelineEntry;
  readonly changesetIds: readonly number[];
}

const idsOf = ({ changeset_id: id }: TimelineEntry): number[] => (id === null ? [] : [id]);

/** Changes of one person within five minutes, without a comment between them, are one entry; the newest comes first. */
export function joined(entries: readonly TimelineEntry[]): JoinedEntry[] {
  const result: JoinedEntry[] = [];
  for (const entry of entries) {
    const later = result.at(-1);
    if (later !== undefined && belongTogether(later.entry, entry))
      result[result.length - 1] = {
        entry: together(later.entry, entry),
        changesetIds: [...later.changesetIds, ...idsOf(entry)],
      };
    else result.push({ entry, changesetIds: idsOf(entry) });
  }
  return result;
}

const isPlainChange = ({ kind, is_creation: isCreation }: TimelineEntry): boolean =>
  kind === 'change' && !isCreation;

function belongTogether(later: TimelineEntry, earlier: TimelineEntry): boolean {
  if (!isPlainChange(later) || !isPlainChange(earlier)) return false;
  if (later.submitted_by.id !== earlier.submitted_by.id) return false;
  return Date.parse(later.submitted_on) - Date.parse(earlier.submitted_on) <= FIVE_MINUTES;
}

/** A field that was changed twice shows what it was first and what it is in the end. */
function together(later: TimelineEntry, earlier: TimelineEntry): TimelineEntry {
  const changes = new Map(earlier.changes.map((change) => [change.field_id, change]));
  for (const change of later.changes) {
    const first = changes.get(change.field_id);
    changes.set(change.field_id, first === undefined ? change : { ...change, before: first.before });
  }
  return { ...later, changes: [...changes.values()] };
}
