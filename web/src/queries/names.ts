import type { Tracker } from '@atelier/client/routes';
import { crossQueryFieldOf, type Field, fieldTypeOf, may, queriedValues } from '../fields/index.ts';
import type { QueryOperator } from '../kernel/query.ts';
import { operatorsOf, type QueryField } from '../kernel/query-check.ts';
import { quoted } from '../kernel/quoted.ts';
import type { Messages } from '../messages/index.ts';

/** What a name is compared to: as fields of one tracker, or whether something is open, or the number of an artifact. */
export type NameKind = QueryField['kind'] | 'state' | 'id' | 'assignee';

/** A name that queries over several trackers know: of every artifact, or of a field in some of the trackers. */
export interface QueryName {
  readonly name: string;
  readonly label: string;
  /** Undefined where nothing can be compared to it. */
  readonly kind?: NameKind | undefined;
  readonly mayOrder: boolean;
  readonly labels?: readonly string[] | undefined;
  /** One of those that have this name: for what can be chosen in it. */
  readonly field?: Field | undefined;
}

const everywhere: readonly Omit<QueryName, 'label'>[] = [
  { name: '@pretty_title', mayOrder: false },
  { name: '@id', kind: 'id', mayOrder: true },
  { name: '@title', kind: 'words', mayOrder: true },
  { name: '@description', kind: 'words', mayOrder: true },
  { name: '@status', kind: 'state', mayOrder: true },
  { name: '@assigned_to', kind: 'assignee', mayOrder: true },
  { name: '@submitted_by', kind: 'person', mayOrder: true },
  { name: '@submitted_on', kind: 'time', mayOrder: true },
  { name: '@last_update_by', kind: 'person', mayOrder: true },
  { name: '@last_update_date', kind: 'time', mayOrder: true },
  { name: '@project.name', mayOrder: false },
  { name: '@tracker.name', mayOrder: false },
  { name: '@link_type', mayOrder: false },
];

function nameOf(field: Field): QueryName | undefined {
  const asked = may(field, 'read') ? crossQueryFieldOf(field) : undefined;
  return asked && { ...asked, mayOrder: fieldTypeOf(field.type).chooses !== 'several', field };
}

function joined(one: QueryName, other: QueryName): QueryName {
  const labels =
    one.labels === undefined || other.labels === undefined
      ? undefined
      : [...new Set([...one.labels, ...other.labels])];
  return { ...one, labels, mayOrder: one.mayOrder && other.mayOrder };
}

/** All names that mean something in some trackers, those of every artifact first. */
export function namesIn(trackers: readonly Tracker[], { queries: words }: Messages): readonly QueryName[] {
  const known: Readonly<Record<string, string>> = words.names;
  const fields = new Map<string, QueryName>();
  for (const field of trackers.flatMap((tracker) => tracker.fields)) {
    const name = nameOf(field);
    if (name === undefined) continue;
    const before = fields.get(name.name);
    fields.set(name.name, before === undefined ? name : joined(before, name));
  }
  const sorted = [...fields.values()].sort((one, other) => one.label.localeCompare(other.label));
  return [...everywhere.map((one) => ({ ...one, label: known[one.name] ?? one.name })), ...sorted];
}

const lists: readonly QueryOperator[] = ['=', '!=', 'IN', 'NOT IN'];

/** The operators that a name takes, the usual one first. */
export function operatorsFor({ kind }: QueryName): readonly QueryOperator[] {
  if (kind === undefined) return [];
  if (kind === 'state') return ['=', '!='];
  if (kind === 'id') return operatorsOf('number');
  return kind === 'assignee' ? lists : operatorsOf(kind);
}

/** A name as the check of one tracker knows fields. */
export function asQueryField({ name, label, kind, labels }: QueryName): QueryField | undefined {
  if (kind === undefined || kind === 'state' || kind === 'id') return undefined;
  return { name, label, kind: kind === 'assignee' ? 'list' : kind, labels };
}

export interface OfferedValue {
  readonly text: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** Values that are offered for a name; `isPeople`: somebody can be looked for as well. */
export function valuesFor(
  one: QueryName,
  { fields, queries: words }: Messages,
): { readonly values: readonly OfferedValue[]; readonly isPeople: boolean } {
  const none = { text: '""', label: '""', detail: fields.query.noValue };
  const me = { text: 'MYSELF()', label: 'MYSELF()', detail: fields.query.myself };
  if (one.kind === 'state')
    return { values: [{ text: 'OPEN()', label: 'OPEN()', detail: words.open }], isPeople: false };
  if (one.kind === 'assignee') return { values: [me, none], isPeople: true };
  if (one.kind === 'person') return { values: [me], isPeople: true };
  if (one.kind === 'time' && one.field === undefined)
    return {
      isPeople: false,
      values: [
        { text: 'NOW()', label: 'NOW()', detail: fields.query.now },
        { text: 'NOW() - 7d', label: 'NOW() - 7d', detail: fields.query.weekAgo },
      ],
    };
  if (one.field === undefined) return { values: one.kind === 'words' ? [none] : [], isPeople: false };
  if (one.kind !== 'list' || one.labels === undefined) return queriedValues(one.field);
  const values = one.labels.map((label) => ({ text: quoted(label), label }));
  return { values: [...values, none], isPeople: false };
}
