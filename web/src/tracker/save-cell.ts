import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import {
  type Choice,
  chosenIn,
  type Field,
  type FieldPlace,
  type FieldValue,
  fieldTypes,
  isWorkflowField,
  type RowCell,
  transitionsFrom,
} from '../fields/index.ts';
import { currentMessages, type Formats } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import { changeArtifact, knownThing, versionMadeBy } from '../store/index.ts';
import { rowFacet } from './calls.ts';

/** What a control of a cell knows about the rest of the row. */
export function placeOfRow(tracker: Tracker, row: ArtifactRow): FieldPlace {
  const valueIn = (from: ArtifactRow | undefined) => (fieldId: number) => {
    const field = tracker.fields.find((one) => one.field_id === fieldId);
    const cell = field === undefined ? undefined : from?.cells[field.name];
    return field === undefined || cell === undefined
      ? undefined
      : fieldTypes[field.type]?.valueOfCell(field, cell);
  };
  return {
    projectId: tracker.project.id,
    tracker,
    seenValue: valueIn(row),
    storedValue: valueIn(knownThing(row.uri, rowFacet)?.body),
  };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Stores what somebody typed or chose in a cell, unless it is what stood there. */
export function saveCell(row: ArtifactRow, field: Field, value: FieldValue, formats: Formats): void {
  const type = fieldTypes[field.type];
  if (type === undefined) return;
  const before: RowCell = row.cells[field.name] ?? {};
  const entry = type.entryOf(field, value);
  if (isSame(entry, type.entryOf(field, type.valueOfCell(field, before)))) return;
  const { field_id: fieldId, name, label } = field;
  const change = { fieldId, name, label, entry, before, value, cell: type.cellOf(field, value) };
  const changeId = changeArtifact(row.uri, { fields: [change], etag: row.etag });
  const { shell, ui } = currentMessages();
  const said = type.summary(value, formats);
  notify({
    text: shell.palette.isNow(label, said === '' ? ui.none : said),
    change: changeId,
    undo: () => putBack(row.uri, field, before, { cell: change.cell, etag: versionMadeBy(changeId) }),
  });
}

/** The inverse change, of what the change made: what somebody else wrote since is not overwritten. */
function putBack(
  uri: string,
  field: Field,
  cell: RowCell,
  made: { readonly cell: unknown; readonly etag: string | undefined },
): void {
  const type = fieldTypes[field.type];
  if (type === undefined) return;
  const { field_id: fieldId, name, label } = field;
  const value = type.valueOfCell(field, cell);
  changeArtifact(uri, {
    fields: [{ fieldId, name, label, entry: type.entryOf(field, value), before: made.cell, value, cell }],
    etag: made.etag,
  });
}

/** What a step of the workflow asks for beside the value, as far as the tracker tells; undefined where nothing. */
export function stepOf(
  tracker: Tracker,
  row: ArtifactRow,
  field: Field,
  value: FieldValue,
): Choice | undefined {
  const [choice] = chosenIn(value);
  if (choice === undefined || !isWorkflowField(tracker, field)) return undefined;
  const stored = placeOfRow(tracker, row).storedValue?.(field.field_id);
  const step = transitionsFrom(tracker, stored, false).find(({ to_id: id }) => String(id) === choice.id);
  const asks = (step?.not_empty_field_ids ?? []).length > 0 || step?.is_comment_required === true;
  return asks ? choice : undefined;
}
