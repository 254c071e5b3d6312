import type { Tracker } from '@atelier/client/routes';
import { fieldTypes, statusField } from '../fields/index.ts';
import { type Filter, usualOperator } from '../kernel/filters.ts';

/** What people look for most; each is an ordinary filter once it is chosen. */
export interface QuickFilter {
  readonly name: 'open' | 'mine' | 'unassigned' | 'updated';
  readonly filter: Filter;
}

/** The id by which searches find artifacts without a value. */
const noValue = '100';

const listed = (name: string, values: readonly string[]): Filter => ({
  name,
  operator: usualOperator,
  values,
});

/** Those that a tracker has the fields for; nothing is one's own without an account. */
export function quickFilters(tracker: Tracker, isSignedIn: boolean): readonly QuickFilter[] {
  const status = statusField(tracker);
  const open = tracker.semantics.status?.value_ids ?? [];
  const assigneeId = tracker.semantics.contributor?.field_id;
  const assignee = tracker.fields.find(({ field_id }) => field_id === assigneeId);
  const updated = tracker.fields.find(({ type }) => fieldTypes[type]?.fact === '@last_update_date');
  return [
    ...(status === undefined || open.length === 0
      ? []
      : [{ name: 'open' as const, filter: listed(status.name, open.map(String)) }]),
    ...(assignee === undefined || !isSignedIn
      ? []
      : [{ name: 'mine' as const, filter: listed(assignee.name, ['me']) }]),
    ...(assignee === undefined
      ? []
      : [{ name: 'unassigned' as const, filter: listed(assignee.name, [noValue]) }]),
    ...(updated === undefined
      ? []
      : [{ name: 'updated' as const, filter: { name: updated.name, operator: 'last', values: ['7d'] } }]),
  ];
}
