import type { ArtifactRow } from '@atelier/client/routes';
import { memo, type ReactNode, Suspense, useRef, useState } from 'react';
import { FieldCell, type FieldValue, fieldTypes } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { useChangesOf, useThing } from '../store/index.ts';
import { classes, HeldKeys, Icon, type IconName, later, NotSavedYet } from '../ui/index.ts';
import { rowFacet } from './calls.ts';
import type { CellEditorProps } from './cell-editor.tsx';
import { isPendingIn, withPending } from './changed-rows.ts';
import { reasonNotToEdit, type TableColumn } from './columns.ts';
import { type Edge, useEdgeDrag } from './edge-drag.ts';
import type { TableModel } from './model.ts';

import styles from './table.module.css';
import { useInTurn } from './turns.ts';
import { addressOf } from './view.ts';

export interface RowProps {
  readonly uri: string | undefined;
  /** Its place among all rows, from 0. */
  readonly place: number;
  readonly model: TableModel;
  readonly columns: readonly TableColumn[];
  readonly isCurrent: boolean;
  /** The cell that has the focus, when the row is the current one. */
  readonly cell: number;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  /** The name of the column that is edited. */
  readonly edited: string | undefined;
  /** What was typed into it before, where that was refused. */
  readonly typed: FieldValue | undefined;
  /** In the order of ranks rows are dragged to another place. */
  readonly isRanked: boolean;
}

/** Rows are seen before any of their cells is edited. */
const editors = later(() => import('./cell-editor.tsx'));

function LoadedEditor(props: CellEditorProps) {
  const { CellEditor } = editors.use();
  return <CellEditor {...props} />;
}

function Editor(props: CellEditorProps) {
  return (
    <Suspense fallback={<HeldKeys />}>
      <LoadedEditor {...props} />
    </Suspense>
  );
}

/** Cells before the columns of the view. */
export const leadingCells = { box: 0, id: 1, title: 2, first: 3 } as const;

/**
 * The columns whose cells a row draws; undefined while it draws none. Rows that come into sight together show what they are at once, and
 * their values when it is their turn, as they do with columns that come back: whoever jumps or throws through a long table sees titles in
 * every frame. Columns that go do so at once.
 */
function useColumnsInTurn(
  columns: readonly TableColumn[],
  isReady: boolean,
  isAtOnce: boolean,
): readonly TableColumn[] | undefined {
  const [drawn, setDrawn] = useState<readonly TableColumn[]>();
  const isMore =
    drawn === undefined ||
    (columns.length > drawn.length && drawn.every((column, index) => column === columns[index]));
  const isWaiting = isMore && !isAtOnce;
  useInTurn(isReady && isWaiting, () => setDrawn(columns));
  if (isWaiting) return drawn;
  if (drawn !== columns) setDrawn(columns);
  return columns;
}

/** One artifact. What it shows is looked up by its uri, so that a change of it draws this row alone. */
export const Row = memo(function Row(props: RowProps) {
  const { uri, place, model, isCurrent, isSelected, isOpen, isRanked } = props;
  const { thing } = useThing(uri, rowFacet);
  const element = useRef<HTMLDivElement>(null);
  const edge = useEdgeDrag(element, {
    isOn: isRanked && thing?.may_update === true,
    kind: 'row',
    key: String(place),
    onDrop: (from, at) => model.moveRow(Number(from), placeAt(Number(from), place, at)),
  });
  const pending = useChangesOf(uri);
  // Whatever is done in a row finds all of it.
  const columns = useColumnsInTurn(
    props.columns,
    thing !== undefined,
    isCurrent || isSelected || isOpen || props.edited !== undefined,
  );
  const look = classes(
    styles['row'],
    isCurrent && styles['current'],
    isSelected && styles['selected'],
    isOpen && styles['open'],
    isRanked && styles['ranked'],
    edge === 'top' && styles['dropAbove'],
    edge === 'bottom' && styles['dropBelow'],
  );
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      className={look}
      data-outline={columns === undefined ? '' : undefined}
    >
      {thing === undefined ? (
        <Outline columns={props.columns} />
      ) : (
        <Cells
          {...props}
          row={withPending(thing, pending)}
          pending={pending}
          columns={columns ?? []}
          isFilled={columns !== undefined}
        />
      )}
    </div>
  );
});

/** Where a row comes to stand that is let go at an edge of another one: its own place is free by then. */
function placeAt(from: number, place: number, edge: Edge): number {
  if (from < place) return edge === 'top' ? place - 1 : place;
  return edge === 'top' ? place : place + 1;
}

/** Where text will be. */
function Outline({ columns }: { readonly columns: readonly TableColumn[] }) {
  const { ui } = useMessages();
  return (
    <div
      role="gridcell"
      className={styles['outline']}
      aria-label={ui.loading}
      aria-colspan={columns.length + 3}
    >
      <span className={styles['bar']} />
    </div>
  );
}

interface CellsProps extends RowProps {
  readonly row: ArtifactRow;
  /** Whether its values are drawn, too. */
  readonly isFilled: boolean;
  readonly pending: ReturnType<typeof useChangesOf>;
}

function Cells(props: CellsProps) {
  const { row, model, columns, place, isCurrent, cell, isSelected, pending, edited, typed, isFilled } = props;
  const { tracker: words } = useMessages();
  const at = (index: number) => ({ place, index, hasFocus: isCurrent && cell === index });
  const title = titleOf(row, model) || words.noTitle;
  return (
    <>
      <GridCell {...at(leadingCells.box)} className={styles['boxCell']}>
        {isFilled && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={words.selectRow(title)}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              model.select(place, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
            className={styles['box']}
          />
        )}
      </GridCell>
      <GridCell {...at(leadingCells.id)} className={styles['id']}>
        {row.id}
      </GridCell>
      <TitleCell {...props} title={title} place={at(leadingCells.title)} />
      {columns.map((column, index) => (
        <ValueCell
          key={column.name}
          {...at(leadingCells.first + index)}
          row={row}
          column={column}
          model={model}
          isPending={isPendingIn(pending, column.name)}
          isEdited={edited === column.name}
          typed={typed}
        />
      ))}
    </>
  );
}

const titleOf = (row: ArtifactRow, { titleField }: TableModel): string => {
  const cell = row.cells[titleField?.name ?? ''];
  return typeof cell?.value === 'string' ? cell.value : (row.title ?? '');
};

interface GridCellProps {
  readonly place: number;
  readonly index: number;
  readonly hasFocus: boolean;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** The grid is one stop of Tab; arrows go from cell to cell. */
function GridCell({ place, index, hasFocus, className, title, children }: GridCellProps) {
  return (
    <div
      role="gridcell"
      tabIndex={hasFocus ? 0 : -1}
      data-place={place}
      data-cell={index}
      className={classes(styles['cell'], className)}
      title={title}
    >
      {children}
    </div>
  );
}

interface TitleCellProps extends Omit<CellsProps, 'place'> {
  readonly title: string;
  readonly place: { place: number; index: number; hasFocus: boolean };
}

function TitleCell({ row, model, title, place, edited, typed, pending, isFilled }: TitleCellProps) {
  const { titleField } = model;
  const { tracker: words } = useMessages();
  const canEdit = reasonNotToEdit(titleField, row.may_update, words) === undefined;
  if (titleField !== undefined && edited === titleField.name && canEdit)
    return (
      <GridCell {...place} className={classes(styles['title'], styles['editedTitle'])}>
        <Editor model={model} row={row} field={titleField} typed={typed} onDone={model.editDone} />
      </GridCell>
    );
  return (
    <GridCell {...place} className={styles['title']}>
      {/* No link of the router: where it leads is known, and each would follow every change of address. */}
      <a
        href={addressOf(row)}
        tabIndex={-1}
        dir="auto"
        className={styles['link']}
        onClick={(event) => model.follow(event, place.place, row)}
      >
        {title}
      </a>
      {isFilled && <Marks row={row} />}
      {titleField && isPendingIn(pending, titleField.name) && <NotSavedYet />}
    </GridCell>
  );
}

const countIn = (row: ArtifactRow, name: string): number => {
  const value = row.cells[name]?.value;
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null) return 0;
  const { open = 0, closed = 0 }: { open?: number; closed?: number } = value;
  return Number(open) + Number(closed);
};

/** Children, comments and files, where there are any. */
function Marks({ row }: { readonly row: ArtifactRow }) {
  const { marks } = useMessages().tracker;
  return (
    <span className={styles['marks']}>
      <Mark icon="list-tree" count={countIn(row, '@children')} words={marks.children} />
      <Mark icon="message-2" count={countIn(row, '@comments')} words={marks.comments} />
      <Mark icon="paperclip" count={countIn(row, '@files')} words={marks.files} />
    </span>
  );
}

function Mark({
  icon,
  count,
  words,
}: {
  readonly icon: IconName;
  readonly count: number;
  readonly words: (count: number) => string;
}) {
  if (count === 0) return null;
  return (
    <span className={styles['mark']} title={words(count)}>
      <Icon name={icon} size={14} label={words(count)} />
      {count}
    </span>
  );
}

interface ValueCellProps {
  readonly place: number;
  readonly index: number;
  readonly hasFocus: boolean;
  readonly row: ArtifactRow;
  readonly column: TableColumn;
  readonly model: TableModel;
  readonly isPending: boolean;
  readonly isEdited: boolean;
  readonly typed: FieldValue | undefined;
}

/** Where others of its row change, or come and go, it stays as it is. */
const ValueCell = memo(function ValueCell(props: ValueCellProps) {
  const { row, column, model, isPending, isEdited, typed, ...at } = props;
  const { tracker: words } = useMessages();
  const { field, isRight, isStatus, isDue } = column;
  const reason = reasonNotToEdit(field, row.may_update, words);
  if (isEdited && field !== undefined && reason === undefined)
    return (
      <GridCell {...at} className={styles['edited']}>
        <Editor model={model} row={row} field={field} typed={typed} onDone={model.editDone} />
      </GridCell>
    );
  const Shown = (field === undefined ? undefined : fieldTypes[field.type]?.Cell) ?? FieldCell;
  // Whoever may change nothing of the row need not be told at every cell.
  const isLocked = reason !== undefined && row.may_update;
  const look = classes(
    isRight && styles['right'],
    reason === undefined && styles['editable'],
    isLocked && styles['locked'],
  );
  return (
    <GridCell {...at} className={look} title={isLocked ? reason : undefined}>
      <Shown
        column={column}
        cell={row.cells[column.name]}
        stages={isStatus ? model.stages : undefined}
        isDue={isDue && row.is_open}
      />
      {isPending && <NotSavedYet />}
    </GridCell>
  );
});
