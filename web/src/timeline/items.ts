import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { type Field, fieldTypes, type RowCell, stageNamed } from '../fields/index.ts';
import { type ChangeLog, changeArtifact, type FieldChange } from '../store/index.ts';
import { withPending } from '../tracker/index.ts';
import type { StatusStage } from '../ui/index.ts';
import { type Day, dayIn, onDay } from './days.ts';
import type { Timing } from './timing.ts';

/** An artifact with its days. */
export interface Item {
  readonly row: ArtifactRow;
  readonly title: string;
  readonly start: Day;
  /** The last day; the first one where it has none. */
  readonly end: Day;
  /** Without an end of its own it is a point in time. */
  readonly isPoint: boolean;
  readonly colour: string | null;
  readonly stage: StatusStage;
  readonly isLate: boolean;
  readonly isMovable: boolean;
  readonly isSaving: boolean;
}

const cellOf = (row: ArtifactRow, name: string | undefined): unknown =>
  name === undefined ? undefined : row.cells[name]?.value;

/** The colour of the value that a field has, else that of the status. */
function colourOf(row: ArtifactRow, by: string | undefined): string | null {
  const value = cellOf(row, by);
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  const colour: unknown =
    typeof first === 'object' && first !== null ? Reflect.get(first, 'color') : undefined;
  return by === undefined ? (row.full_status?.color ?? null) : typeof colour === 'string' ? colour : null;
}

export interface ItemContext {
  readonly tracker: Tracker;
  readonly timing: Timing;
  readonly colourBy: string | undefined;
  readonly today: Day;
  readonly waiting: ChangeLog;
}

/** A row with its days; undefined where it has none. */
export function itemOf(
  told: ArtifactRow,
  { tracker, timing, colourBy, today, waiting }: ItemContext,
): Item | undefined {
  const own = waiting.filter(({ uri }) => uri === told.uri);
  const row = withPending(told, own);
  const toldStart = dayIn(cellOf(told, timing.isImplied ? '@start' : timing.start?.name));
  const start = dayIn(cellOf(row, timing.isImplied ? '@start' : timing.start?.name));
  const ownEnd = dayIn(cellOf(row, timing.end?.name));
  const impliedEnd = dayIn(cellOf(told, '@end'));
  // An end that follows from the start goes with it.
  const moved = start !== null && toldStart !== null ? start - toldStart : 0;
  const end =
    timing.end !== undefined && !timing.isImplied ? ownEnd : impliedEnd === null ? null : impliedEnd + moved;
  const first = start ?? (timing.isFrame ? end : null);
  if (first === null) return undefined;
  const last = timing.isFrame && end !== null ? Math.max(first, end) : first;
  const { full_status: status, is_open: isOpen } = row;
  return {
    row,
    title: row.title ?? '',
    start: first,
    end: last,
    isPoint: timing.isFrame && (end === null || start === null),
    colour: colourOf(row, colourBy),
    stage: (status && stageNamed(tracker, status.value)) ?? 'empty',
    isLate: isOpen && last < today,
    isMovable: row.may_update && !timing.isImplied,
    isSaving: own.length > 0,
  };
}

function changeOf(row: ArtifactRow, field: Field, day: Day): FieldChange | undefined {
  const type = fieldTypes[field.type];
  const before: RowCell = row.cells[field.name] ?? {};
  if (type === undefined || dayIn(before.value) === day) return undefined;
  const value = { ...type.valueOfCell(field, before), value: onDay(before.value, day) };
  return {
    fieldId: field.field_id,
    name: field.name,
    label: field.label,
    entry: type.entryOf(field, value),
    before,
    value,
    cell: type.cellOf(field, value),
  };
}

/** Puts an artifact on other days: one change, whichever of them are others. */
export function moveItem(
  row: ArtifactRow,
  { start, end }: Timing,
  to: { readonly start?: Day; readonly end?: Day },
): void {
  const changes = [
    start !== undefined && to.start !== undefined ? changeOf(row, start, to.start) : undefined,
    end !== undefined && to.end !== undefined ? changeOf(row, end, to.end) : undefined,
  ].filter((change) => change !== undefined);
  if (changes.length > 0) changeArtifact(row.uri, { fields: changes, etag: row.etag });
}

/** Moves the whole of an item by some days. */
export const shifted = ({ start, end, isPoint }: Item, days: number, timing: Timing) => ({
  ...(timing.start !== undefined ? { start: start + days } : {}),
  ...(timing.end !== undefined && !isPoint ? { end: end + days } : {}),
});
