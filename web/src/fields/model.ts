import type { Artifact, FormElement, Tracker } from '@atelier/client/routes';
import type { ComponentType } from 'react';
import type { Formats } from '../messages/index.ts';
import type { FieldEntry } from '../store/index.ts';

export type Field = FormElement;

type Members = Readonly<Record<string, unknown>>;

/** The value of a field as an artifact has it: what is beside the three members depends on the type. */
export type FieldValue = Members & {
  readonly field_id: number;
  readonly type: string;
  readonly label: string;
};

/** A cell of a row, by the type of its column. */
export type RowCell = Members & { readonly value?: unknown };

export type RowColumn = { readonly name: string; readonly type: string; readonly label: string };

/** Where a field stands: what its control must know beside its own value. */
export interface FieldPlace {
  readonly projectId: number;
  readonly tracker: Tracker;
  /** It stands for many artifacts: what one of them may become another may not, so everything is offered. */
  readonly isMany?: boolean | undefined;
  /** Absent while it is created. */
  readonly artifact?: Artifact | undefined;
  /** The value as it is stored, where a row is all that is known of an artifact: steps of the workflow begin there. */
  storedValue?(fieldId: number): FieldValue | undefined;
  /** Values of the other fields as they are seen now: dependent lists and date rules look at them. */
  seenValue(fieldId: number): FieldValue | undefined;
}

export interface CellProps {
  readonly column: RowColumn;
  readonly cell: RowCell | undefined;
  /** Of the tracker, where the column is its status. */
  readonly stages?: StatusStages | undefined;
  /** Whether the day is one that the artifact is late after. */
  readonly isDue?: boolean | undefined;
}

export interface ReaderProps {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly place: FieldPlace;
  readonly isDue?: boolean | undefined;
  /** Where a part of the value can be changed without opening a control: tasks of a text. */
  readonly onChange?: ((value: FieldValue) => void) | undefined;
}

/** A file that was put into a text: it is attached when the text is stored. */
export interface TextFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  /** As it stands in the text. */
  readonly address: string;
}

export interface ControlProps {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly onChange: (value: FieldValue) => void;
  readonly place: FieldPlace;
  /** Shown above it; without one it is named by the field for screen readers alone. */
  readonly label?: string | undefined;
  readonly fault?: string | null | undefined;
  readonly isRequired?: boolean | undefined;
  readonly autoFocus?: boolean | undefined;
  /** `value`: in place of the value, without an edge until it is pointed at. */
  readonly look?: 'field' | 'value' | undefined;
  readonly isOpen?: boolean | undefined;
  readonly onOpenChange?: ((isOpen: boolean) => void) | undefined;
  /** Ctrl Enter in texts, Enter in lines. */
  readonly onSend?: (() => void) | undefined;
  /** Files that were put into a text; whoever stores the text attaches them. Without it no files are taken. */
  readonly onFile?: ((file: TextFile) => void) | undefined;
  readonly onEscape?: (() => void) | undefined;
  /** Told where something is still on its way into the value: files that are uploaded. */
  readonly onBusy?: ((isBusy: boolean) => void) | undefined;
}

/** A criterion of a search, as the API takes it; an operator that begins with `!` turns it around. */
export interface Criterion {
  readonly operator: string;
  readonly value: string | number | readonly (string | number)[];
}

export interface FilterProps {
  readonly field: Field;
  readonly criterion: Criterion | null;
  readonly onChange: (criterion: Criterion | null) => void;
  readonly place: Omit<FieldPlace, 'seenValue'>;
}

/** What values consist of. Several types may hold the same: whoever asks for this takes types along that nobody has made yet. */
export type FieldContent = 'line' | 'text' | 'number' | 'day' | 'files' | 'links' | 'references' | 'burndown';

/** What every artifact tells of itself, whatever its tracker: as columns and queries over several trackers name it. */
export type ArtifactFact =
  | '@id'
  | '@submitted_by'
  | '@submitted_on'
  | '@last_update_by'
  | '@last_update_date';

/** All that is known about fields of one type; adding a type is one entry beside its likes and one line in `types.ts`. */
export interface FieldType {
  readonly code: string;
  readonly holds?: FieldContent | undefined;
  /** The fact that it repeats; nobody can change it. */
  readonly fact?: ArtifactFact | undefined;
  readonly Cell: ComponentType<CellProps>;
  readonly Reader: ComponentType<ReaderProps>;
  /** Absent where nobody can change it. */
  readonly Control?: ComponentType<ControlProps> | undefined;
  /** Absent where it cannot be searched. */
  readonly Filter?: ComponentType<FilterProps> | undefined;
  /** For many artifacts at once; the usual control where there is no other. */
  readonly BulkControl?: ComponentType<ControlProps> | undefined;
  /** A choice is stored at once; what is typed is stored when somebody says so. */
  readonly isChoice: boolean;
  /** What rows can stand in groups by: a value of a list, the day, week or month of a date, or the parent that links tell. */
  readonly groupedBy?: 'value' | 'date' | 'parent' | undefined;
  /** How many values of a list somebody chooses: columns of a board can stand for those of one. Absent where nobody does. */
  readonly chooses?: 'one' | 'several' | undefined;
  /** An open list: what is typed becomes a value of it. */
  readonly takesNewWords?: boolean | undefined;
  /** One person, whom the server tells. */
  readonly isPerson?: boolean | undefined;
  /** Too much for the few fields of a quick creation. */
  readonly isForWholeForm?: boolean | undefined;
  /** Takes the whole width of a page. */
  readonly isWide: boolean;
  /** What is sent to store a value. */
  entryOf(field: Field, value: FieldValue): FieldEntry;
  /** How a row shows a value that is not stored yet. */
  cellOf(field: Field, value: FieldValue): RowCell;
  /** The value that a row shows. */
  valueOfCell(field: Field, cell: RowCell): FieldValue;
  /** What a new artifact has, unless somebody says otherwise. */
  defaultOf(field: Field): FieldValue | undefined;
  isEmpty(value: FieldValue | undefined): boolean;
  /** The value in words, for titles, screen readers and notices. */
  summary(value: FieldValue | undefined, formats: Formats): string;
  /** A filter in words: operator and value. */
  filterWords?(field: Field, criterion: Criterion, formats: Formats): string;
}

export const withValue = (field: Field, members: Members): FieldValue => ({
  ...members,
  field_id: field.field_id,
  type: field.type,
  label: field.label,
});

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : null;
}

export const membersIn = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : []);

export function may(field: Field, right: 'read' | 'update' | 'create'): boolean {
  return field.permissions.includes(right);
}

export function propertiesOf(field: Field): Members {
  return isMembers(field.specific_properties) ? field.specific_properties : {};
}

/** How far each value of the status of a tracker is, and which it is. */
export type StatusStages = ReadonlyMap<string, import('../ui/index.ts').StatusStage>;
