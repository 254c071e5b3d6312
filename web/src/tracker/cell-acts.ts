import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { useEffect, useRef } from 'react';
import type { Field, FieldValue } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { announce, letKeysWait, provideEditAgain } from '../shell/index.ts';
import type { PendingChange } from '../store/index.ts';
import { reasonNotToEdit, type TableColumn } from './columns.ts';
import { leadingCells } from './row.tsx';
import type { Spot, Standpoint } from './spot.ts';
import type { TableRows } from './table-rows.ts';
import { titleField } from './view.ts';

/** The cell that is edited. */
export interface EditedCell {
  readonly place: number;
  readonly column: string;
  readonly typed?: FieldValue | undefined;
}

const isFieldValue = (value: object | undefined): value is FieldValue =>
  value !== undefined && 'field_id' in value && 'type' in value && 'label' in value;

interface CellActsWish {
  readonly tracker: Tracker;
  readonly tableRows: TableRows;
  readonly columns: readonly TableColumn[];
  readonly at: Standpoint;
  setEdited(edited: EditedCell): void;
  onOpen(row: ArtifactRow, place: number): void;
}

/** What a change that could not be stored wanted is offered in its cell again. */
function useEditAgain({ tableRows, at, setEdited }: CellActsWish): void {
  const editAgain = useRef((_change: PendingChange) => {});
  editAgain.current = ({ uri, fields: [field] }) => {
    const place = tableRows.placeOf(uri);
    if (field === undefined || place === undefined) return;
    at.setSpot({ ...at.spot, place });
    setEdited({ place, column: field.name, typed: isFieldValue(field.value) ? field.value : undefined });
  };
  useEffect(() => provideEditAgain((change) => editAgain.current(change)), []);
}

/** What is to be done with a row that is not read yet. */
interface RowWish {
  readonly place: number;
  readonly act: 'open' | 'edit' | Field;
}

/** What can be done with the row and the cell where one stands: opened, edited. */
export function useCellActs(wish: CellActsWish) {
  const { tracker, tableRows, columns, setEdited, onOpen } = wish;
  const { spot, setSpot } = wish.at;
  const { rowAt } = tableRows;
  const { tracker: words } = useMessages();
  useEditAgain(wish);
  const wished = useRef<RowWish>(undefined);
  const actLater = (act: RowWish['act']) => {
    wished.current = { place: spot.place, act };
  };
  useEffect(() => letKeysWait(() => wished.current !== undefined), []);
  const editAt = ({ place, cell }: Spot) => {
    const row = rowAt(place);
    const field =
      cell === leadingCells.title ? titleField(tracker) : columns[cell - leadingCells.first]?.field;
    if (row === undefined) return actLater('edit');
    const reason = reasonNotToEdit(field, row.may_update, words);
    if (reason !== undefined || field === undefined) return announce(reason ?? '');
    setEdited({ place, column: field.name });
  };
  const editField = (field: Field) => {
    const row = rowAt(spot.place);
    const index = columns.findIndex(({ name }) => name === field.name);
    if (row === undefined) return actLater(field);
    if (index < 0) return announce(words.notShown(field.label));
    const reason = reasonNotToEdit(field, row.may_update, words);
    if (reason !== undefined) return announce(reason);
    setSpot({ place: spot.place, cell: leadingCells.first + index });
    setEdited({ place: spot.place, column: field.name });
  };
  const openSpot = () => {
    const row = rowAt(spot.place);
    if (row === undefined) return actLater('open');
    onOpen(row, spot.place);
  };
  // Who steps to a row and acts on it at once need not wait until it was read.
  useEffect(() => {
    const later = wished.current;
    if (later === undefined || (later.place === spot.place && rowAt(spot.place) === undefined)) return;
    wished.current = undefined;
    if (later.place !== spot.place) return;
    if (later.act === 'open') openSpot();
    else if (later.act === 'edit') editAt(spot);
    else editField(later.act);
  });
  return { editAt, editField, openSpot };
}
