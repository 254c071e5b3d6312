import type { RowColumn, Tracker } from '@atelier/client/routes';
import { dueFieldId, type Field, fieldTypes, isRightAligned, may } from '../fields/index.ts';
import type { ColumnWish } from '../kernel/filters.ts';
import type { Messages } from '../messages/index.ts';
import { fieldNamed } from './view.ts';

/** A column as it is drawn. */
export interface TableColumn {
  readonly name: string;
  readonly label: string;
  readonly field: Field | undefined;
  /** Of its cells, as far as the server has told it. */
  readonly type: string;
  readonly width: number;
  readonly isRight: boolean;
  /** Whether the artifact is late after this day. */
  readonly isDue: boolean;
  readonly isStatus: boolean;
}

const usualWidth = 120;
const widths: Readonly<Record<string, number>> = {
  list_static: 124,
  list_user: 148,
  list_user_group: 140,
  user: 148,
  date: 116,
  numeric: 84,
  text: 200,
  artifact: 200,
  links: 160,
  files: 160,
};

const widestHead = 200;

/** About what the words of a head take, with the arrow that says how it is sorted. */
const headWidth = (label: string) => Math.min(widestHead, Math.ceil([...label].length * 6.9) + 36);

/** When it was changed is short: `2 h ago`. A head is not cut where there is room for it. */
function widthOf(name: string, type: string, label: string): number {
  const cells = name === '@last_update_date' || name === '@submitted_on' ? 104 : (widths[type] ?? usualWidth);
  return Math.max(cells, headWidth(label));
}

const isSpecial = (name: string, words: Messages['tracker']['special']): name is keyof typeof words =>
  Object.hasOwn(words, name);

function labelOf(
  name: string,
  told: RowColumn | undefined,
  field: Field | undefined,
  words: Messages,
): string {
  const { special } = words.tracker;
  return isSpecial(name, special) ? special[name] : (field?.label ?? told?.label ?? name);
}

/** The columns of a view beside id and title; those that nobody knows are left out once the server has answered. */
export function tableColumns(
  tracker: Tracker,
  wishes: readonly ColumnWish[],
  told: readonly RowColumn[] | undefined,
  words: Messages,
): readonly TableColumn[] {
  return wishes.flatMap(({ name, width }) => {
    const field = fieldNamed(tracker, name);
    const column = told?.find((one) => one.name === name);
    if (field === undefined && (told === undefined ? !name.startsWith('@') : column === undefined)) return [];
    const type = column?.type ?? '';
    const label = labelOf(name, column, field, words);
    return [
      {
        name,
        label,
        field,
        type,
        width: width ?? widthOf(name, type, label),
        isRight: isRightAligned(type),
        isDue: field !== undefined && field.field_id === dueFieldId(tracker),
        isStatus: field !== undefined && field.field_id === tracker.semantics.status?.field_id,
      },
    ];
  });
}

/** Why a cell cannot be changed in place; undefined where it can. */
export function reasonNotToEdit(
  field: Field | undefined,
  mayUpdate: boolean,
  words: Messages['tracker'],
): string | undefined {
  if (field === undefined || fieldTypes[field.type]?.Control === undefined) return words.cannotEditComputed;
  return mayUpdate && may(field, 'update') ? undefined : words.cannotEdit;
}
