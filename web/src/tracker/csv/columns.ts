import type { Tracker } from '@atelier/client/routes';
import { type Field, fieldTypes, holds, may, possibleChoices } from '../../fields/index.ts';
import { distance } from '../../kernel/csv.ts';
import { fieldNamed } from '../view.ts';
import type { DateOrder } from './calls.ts';

/** The column that says which artifact a row is about, as the API takes it whatever fields are called. */
export const idTarget = '@id';

/** A column of a table, and what of an artifact it is. */
export interface ImportColumn {
  /** Where it stands in the file. */
  readonly place: number;
  /** As the file calls it. */
  readonly from: string;
  /** The short name of a field, or the id; null: it is not imported. */
  readonly target: string | null;
}

/** What nobody can change stays as it is, and files are more than a table can say. */
const isRead = (field: Field) => fieldTypes[field.type]?.Control !== undefined && !holds(field, 'files');

/** Fields that a table can fill. */
export const importFields = (tracker: Tracker): readonly Field[] =>
  tracker.fields.filter((field) => isRead(field) && (may(field, 'create') || may(field, 'update')));

const folded = (text: string) => text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Words that programs have for what trackers call otherwise, by what the field means. */
const meanings = (tracker: Tracker): readonly (readonly [number | undefined, readonly string[]])[] => [
  [tracker.semantics.title?.field_id, ['title', 'summary', 'name', 'titre', 'nom', 'subject']],
  [tracker.semantics.status?.field_id, ['status', 'state', 'etat', 'statut']],
  [tracker.semantics.contributor?.field_id, ['assignee', 'assigned to', 'owner', 'responsable']],
];

function targetOf(tracker: Tracker, header: string): string | null {
  const name = folded(header);
  const fields = importFields(tracker);
  const field =
    fields.find((one) => one.name === header.trim()) ??
    fields.find((one) => one.label === header.trim()) ??
    fields.find((one) => folded(one.name) === name || folded(one.label) === name);
  if (field !== undefined) return field.name;
  const isId = ['id', 'aid', idTarget, '#'].includes(name);
  const isIdField = tracker.fields.some(
    (one) =>
      fieldTypes[one.type]?.fact === '@id' && (folded(one.name) === name || folded(one.label) === name),
  );
  if (isId || isIdField) return idTarget;
  const meant = meanings(tracker).find(([, words]) => words.includes(name))?.[0];
  return fields.find(({ field_id: id }) => id === meant)?.name ?? null;
}

/** What each column of a header is; of two that are the same the second is left out. */
export function matchColumns(tracker: Tracker, header: readonly string[]): readonly ImportColumn[] {
  const taken = new Set<string>();
  return header.map((from, place) => {
    const target = targetOf(tracker, from);
    if (target === null || taken.has(target)) return { place, from, target: null };
    taken.add(target);
    return { place, from, target };
  });
}

const yearLast = /^\s*(\d{1,2})([./-])(\d{1,2})\2\d{4}(?!\d)/;

/** As this machine writes days. */
function usualOrder(): DateOrder {
  const parts = new Intl.DateTimeFormat(navigator.language).formatToParts();
  const [first] = parts.filter(({ type }) => type === 'day' || type === 'month');
  return first?.type === 'month' ? 'month_first' : 'day_first';
}

/** How a table means days whose year stands last: as any of them tells that has a day beyond the twelfth. Undefined: it has no such days. */
export function dateOrderIn(
  tracker: Tracker,
  columns: readonly ImportColumn[],
  rows: readonly (readonly string[])[],
): DateOrder | undefined {
  const places = columns.flatMap(({ place, target }) => {
    const { type = '' } = (target !== null && fieldNamed(tracker, target)) || {};
    return fieldTypes[type]?.groupedBy === 'date' ? place : [];
  });
  const days = places
    .flatMap((place) => rows.map((cells) => yearLast.exec(cells[place] ?? '')))
    .filter((parts) => parts !== null);
  if (days.length === 0) return undefined;
  if (days.some(([, first]) => Number(first) > 12)) return 'day_first';
  if (days.some(([, , , second]) => Number(second) > 12)) return 'month_first';
  return usualOrder();
}

/** What a cell of a list can say, the nearest to what it says first. */
export function suggestions(field: Field | undefined, typed: string): readonly string[] {
  if (field === undefined || typed.includes(',')) return [];
  const all = possibleChoices(field)
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ name, login }) => (login === undefined || login === '' ? name : login));
  const far = new Map(all.map((name) => [name, distance(typed, name)]));
  return all.toSorted((left, right) => (far.get(left) ?? 0) - (far.get(right) ?? 0));
}
