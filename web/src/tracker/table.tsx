import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import {
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  dueFieldId,
  type Field,
  fieldTypes,
  type StatusStages,
  statusField,
  statusStages,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { announce, notify, provideConflict } from '../shell/index.ts';
import { moveInList, onChangeEvent, wordsOfError } from '../store/index.ts';
import { AskingLine, classes, later } from '../ui/index.ts';
import { RowDialog, type StepWish } from './artifact-parts.tsx';
import { type KnownRows, moveInRank, type RowSource } from './calls.ts';
import { type EditedCell, useCellActs } from './cell-acts.ts';
import { followStored } from './changed-rows.ts';
import { gridStyle, useColumnRoom } from './column-room.ts';
import { tableColumns } from './columns.ts';
import { useGridEvents } from './grid-events.ts';
import { type Group, GroupHeading } from './groups.tsx';
import { TableHead } from './head.tsx';
import { type KeyFields, useTableKeys } from './keys.ts';
import { useLasting } from './lasting.ts';
import { SelectionBar } from './later-bulk.tsx';
import type { TableModel } from './model.ts';
import { leadingCells, Row } from './row.tsx';
import { useSelection } from './selection.ts';
import { useNarrow } from './sizes.ts';
import { type Standpoint, useSpot } from './spot.ts';
import styles from './table.module.css';
import { type TableRows, useTableRows } from './table-rows.ts';
import { dateSteps, titleField, type View, type ViewChange } from './view.ts';

export interface TableProps {
  readonly tracker: Tracker;
  /** What rows are drawn of. */
  readonly view: View;
  /** What somebody has chosen: heads and widths follow at once, rows after that. */
  readonly chosen: View;
  readonly source: RowSource;
  readonly groups: readonly Group[] | undefined;
  /** Headings are on their way: rows without them would jump. */
  readonly waitsForGroups: boolean;
  /** The id of the artifact in the side panel. */
  readonly opened: number | undefined;
  readonly onOpen: (row: ArtifactRow, place: number) => void;
  readonly onChangeView: (change: ViewChange) => void;
  /** Told what the list has, for the bar above. */
  readonly acts: RefObject<TableActs | null>;
  /** Told where the opened artifact stands. */
  readonly onPosition: (position: Position | undefined) => void;
  readonly onExport: (ids: readonly number[]) => void;
  readonly onList: (list: { readonly size: number | undefined; readonly error: Error | null }) => void;
}

/** Where an artifact stands among the rows, from 0. */
export interface Position {
  readonly place: number;
  readonly size: number;
}

/** What others can ask of the table. */
export interface TableActs {
  openAt(place: number): void;
  /** Gives the focus back to where it was. */
  focus(): void;
  /** Rows that are there from the first one on, for what cannot wait for the others. */
  known(): KnownRows | undefined;
}

/** Small screens alone show them. */
const cards = later(() => import('./cards.tsx'));

/** Rows of artifacts as a grid of its exact height, in which only what is seen is there. */
export function Table(props: TableProps) {
  return (
    <Suspense fallback={null}>
      <LoadedTable {...props} />
    </Suspense>
  );
}

function LoadedTable(props: TableProps) {
  const { tracker, view, chosen, source, groups, opened, onOpen, onChangeView, onExport } = props;
  const words = useMessages();
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  const Cards = isNarrow ? cards.use().Cards : undefined;
  const tableRows = useTableRows(props, scroller, isNarrow);
  const { list, items, rows, isWaiting, folded, fold, rowAt } = tableRows;
  const selection = useSelection(list, source);
  const { selected, setSelected } = selection;
  const [wasSelected, setWasSelected] = useState(false);
  if (selected.size > 0 && !wasSelected) setWasSelected(true);
  // The mark of the first row is seen before there is a bar.
  const hasBar = useDeferredValue(wasSelected);
  const searched = JSON.stringify([view.filters, view.query, view.words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected belongs to what was looked for.
  useEffect(() => selection.deselect(), [searched]);
  const [asked, setAsked] = useState<{ readonly field: Field }>();
  const [edited, setEdited] = useState<EditedCell>();
  const heading = headingOf(view, tracker);
  const wanted = useMemo(
    () => tableColumns(tracker, chosen.columns, list.more, words),
    [tracker, chosen.columns, list.more, words],
  );
  const { columns, room, areFrozen } = useColumnRoom(scroller, wanted, opened !== undefined);
  const lastCell = columns.length + leadingCells.first - 1;
  const size = list.size ?? 0;
  useEffect(() => onChangeEvent((event) => followStored(tracker, event)), [tracker]);

  const onRow = (place: number) => {
    const row = rowAt(place);
    if (row === undefined) return;
    // The panel follows whoever goes through the rows.
    if (opened !== undefined) onOpen(row, place);
    else announce(words.tracker.rowSaid(row.xref, row.title ?? '', row.full_status?.value ?? ''));
  };
  const at = useSpot(scroller, tableRows, lastCell, edited?.place, onRow);
  const { spot, setSpot, focusSoon, go } = at;
  const isRanked = isByRank(view);
  const moveRow = (from: number, to: number) => {
    const [row, other] = [rowAt(from), rowAt(to)];
    if (row === undefined || other === undefined || from === to) return;
    if (!isRanked || !row.may_update)
      return announce(isRanked ? words.tracker.cannotEdit : words.tracker.rankFirst);
    moveInList(source, from, to);
    const fail = (error: unknown) => notify({ kind: 'bad', text: wordsOfError(error) });
    moveInRank(source, row.id, to < from ? 'before' : 'after', other.id).catch(fail);
    setSpot({ ...spot, place: to });
    focusSoon(to);
    announce(words.tracker.movedTo(row.xref, to + 1, size));
  };
  const [step, setStep] = useState<StepWish>();
  const [conflict, setConflict] = useState<string>();
  useEffect(() => provideConflict(({ uri }) => setConflict(uri)), []);
  const model = useModel({
    tracker,
    onOpen,
    select: (place, isRange) => (isRange ? selection.selectTo(place) : selection.toggle(place)),
    setEdited,
    setStep,
    moveRow,
    at,
  });
  useTold(props, tableRows, at);
  useImperativeHandle(props.acts, () => ({
    openAt: (place) => go(place),
    focus: () => focusSoon(spot.place),
    known: tableRows.known,
  }));

  const acts = useCellActs({ tracker, tableRows, columns, at, setEdited, onOpen });
  const { openSpot, editAt } = acts;
  useTableKeys({
    next: () => go(spot.place + 1),
    previous: () => go(spot.place - 1),
    open: openSpot,
    edit: () => editAt(spot),
    editField: (field) => (selected.size > 0 ? setAsked({ field }) : acts.editField(field)),
    fields: keyFields(tracker),
    select: () => selection.toggle(spot.place),
    selectAll: selection.selectAll,
    hasSelection: selected.size > 0,
    deselect: selection.deselect,
  });
  const events = useGridEvents({
    ...{ at, size, lastCell, selection, moveRow, openSpot, editAt },
    isEditing: edited !== undefined,
  });

  const allSeen = rows.shown.flatMap(({ index }) => uriOf(tableRows, index) ?? []);
  const isAllSelected = allSeen.length > 0 && allSeen.every((uri) => selected.has(uri));
  const selectAllSeen = useLasting(() =>
    setSelected(isAllSelected ? new Set() : new Set([...selected, ...allSeen])),
  );
  const changeView = useLasting(onChangeView);
  if (Cards !== undefined)
    return (
      <Cards
        scroller={scroller}
        virtual={tableRows.virtual}
        items={items}
        list={list}
        isWaiting={isWaiting}
        model={model}
        columns={columns}
        groups={groups}
        heading={heading(model.stages)}
        folded={folded}
        onToggle={fold}
      />
    );
  const stuck = stuckGroup(tableRows, groups);
  const foldStuck = (group: Group) => {
    // What was below its heading is gone: the heading itself comes into sight.
    const section = groups?.indexOf(group) ?? 0;
    fold(group.key);
    const row = groups?.slice(0, section).reduce((sum, { count }) => sum + count, 0) ?? 0;
    rows.scrollTo(Math.max(0, items.indexOfRow(row) - 1), 'start');
  };
  return (
    <div className={styles['place']}>
      <AskingLine isAsking={list.isAsking && list.size !== undefined} />
      <div
        ref={scroller}
        role="grid"
        aria-label={words.tracker.rowsOf(tracker.label)}
        aria-rowcount={size + 1}
        aria-colcount={lastCell + 1}
        aria-multiselectable
        className={classes(styles['scroller'], areFrozen && styles['frozenColumns'])}
        style={gridStyle(columns, room)}
        {...events}
      >
        <TableHead
          columns={columns}
          view={chosen}
          tracker={tracker}
          isAllSelected={isAllSelected}
          isSomeSelected={selected.size > 0}
          onSelectAll={selectAllSeen}
          onChangeView={changeView}
        />
        <div role="rowgroup" className={styles['rows']} style={{ height: rows.height }}>
          {stuck !== undefined && (
            <div className={styles['stuck']}>
              <GroupHeading
                group={stuck}
                isFolded={false}
                {...heading(model.stages)}
                onToggle={() => foldStuck(stuck)}
                kind="copy"
              />
            </div>
          )}
          {rows.shown.map(({ index, start, size: height }) => {
            const item = items.at(index);
            if (item === undefined) return null;
            const style = { height, transform: `translateY(${start}px)` };
            const group = item.kind === 'heading' ? groups?.[item.section] : undefined;
            const isEdited = item.kind === 'row' && edited?.place === item.row;
            const look = classes(styles['slot'], isEdited && styles['editedSlot']);
            return (
              <div key={index} role="presentation" className={look} style={style}>
                {item.kind === 'heading' ? (
                  group && (
                    <GroupHeading
                      kind="row"
                      group={group}
                      isFolded={folded.has(group.key)}
                      {...heading(model.stages)}
                      onToggle={() => fold(group.key)}
                    />
                  )
                ) : (
                  <Row
                    uri={isWaiting ? undefined : list.uriAt(item.row)}
                    place={item.row}
                    model={model}
                    columns={columns}
                    isCurrent={spot.place === item.row}
                    cell={spot.cell}
                    isSelected={selected.has(list.uriAt(item.row) ?? '')}
                    isOpen={opened !== undefined && list.uriAt(item.row) === `artifacts/${opened}`}
                    edited={isEdited ? edited.column : undefined}
                    isRanked={isRanked}
                    typed={isEdited ? edited.typed : undefined}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {step !== undefined && (
        <RowDialog
          key={`${step.id} ${step.choice.id}`}
          step={step}
          onDone={() => {
            setStep(undefined);
            focusSoon(spot.place);
          }}
        />
      )}
      {conflict !== undefined && <RowDialog uri={conflict} onDone={() => setConflict(undefined)} />}
      {(hasBar || asked !== undefined) && (
        <SelectionBar
          tracker={tracker}
          source={source}
          size={list.size}
          selected={selected}
          asked={asked}
          onSelectAll={selection.selectAll}
          onDeselect={selection.deselect}
          onExport={onExport}
        />
      )}
    </div>
  );
}

/** Tells those around the table what it has, and where in it the opened artifact stands. */
function useTold(
  { opened, source, onList, onPosition }: TableProps,
  { list: { size, error, uriAt }, isWaiting, placeOf }: TableRows,
  { spot, setSpot }: Standpoint,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the list has is told.
  useEffect(() => onList({ size, error }), [size, error, source.address]);
  // Who comes by an address stands at what it names.
  // biome-ignore lint/correctness/useExhaustiveDependencies: from then on they go where they want.
  useEffect(() => {
    const place = placeOf(`artifacts/${opened}`);
    if (place !== undefined) setSpot({ ...spot, place });
  }, [opened, isWaiting]);
  const isOpenedHere = opened !== undefined && uriAt(spot.place) === `artifacts/${opened}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the place is told.
  useEffect(
    () => onPosition(isOpenedHere && size !== undefined ? { place: spot.place, size } : undefined),
    [isOpenedHere, spot.place, size],
  );
}

/** What the tracker says its status, its assignee and its last day are. */
function keyFields(tracker: Tracker): KeyFields {
  const withId = (id: number | undefined) => tracker.fields.find(({ field_id }) => field_id === id);
  return {
    status: statusField(tracker),
    assignee: withId(tracker.semantics.contributor?.field_id),
    due: withId(dueFieldId(tracker)),
    priority: tracker.fields.find(({ name }) => /^(priority|severity)$/.test(name)),
    labels: tracker.fields.find(
      ({ name, type }) => fieldTypes[type]?.takesNewWords || /^(labels?|tags?)$/.test(name),
    ),
  };
}

/** Rows stand in the order that people gave them, and in no other. */
const isByRank = ({ sort: [first, ...more], group }: View): boolean =>
  first?.name === '@rank' && !first.isDescending && more.length === 0 && group === undefined;

/** What headings of a view show beside their words. */
function headingOf({ group }: View, tracker: Tracker) {
  const isStatus = group !== undefined && group === statusField(tracker)?.name;
  const step = dateSteps.find((one) => group?.endsWith(`:${one}`));
  return (stages: StatusStages) => ({ stages: isStatus ? stages : undefined, step });
}

function uriOf({ items, list }: TableRows, index: number): string | undefined {
  const item = items.at(index);
  return item?.kind === 'row' ? list.uriAt(item.row) : undefined;
}

/** The group of the topmost row, whose heading is out of sight. */
function stuckGroup({ items, rows }: TableRows, groups: readonly Group[] | undefined): Group | undefined {
  const topItem = items.at(rows.topIndex);
  return topItem?.kind === 'row' && topItem.section >= 0 ? groups?.[topItem.section] : undefined;
}

interface ModelParts {
  readonly tracker: Tracker;
  readonly at: Standpoint;
  onOpen(row: ArtifactRow, place: number): void;
  select(place: number, isRange: boolean): void;
  setEdited(edited: EditedCell | undefined): void;
  setStep(step: StepWish): void;
  moveRow(from: number, to: number): void;
}

/** One object for all rows that never changes, so that moving about draws two rows and not forty. */
function useModel(parts: ModelParts): TableModel {
  const latest = useRef(parts);
  useLayoutEffect(() => {
    latest.current = parts;
  });
  const { tracker } = parts;
  return useMemo(() => {
    return {
      tracker,
      stages: statusStages(tracker),
      titleField: titleField(tracker),
      select: (place, isRange) => latest.current.select(place, isRange),
      askForStep: (step) => latest.current.setStep(step),
      moveRow: (from, to) => latest.current.moveRow(from, to),
      editDone(next) {
        const { at, setEdited } = latest.current;
        setEdited(undefined);
        at.go(at.spot.place, at.spot.cell + (next === 'next' ? 1 : next === 'previous' ? -1 : 0));
      },
      follow(event, place, row) {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        // Of two presses the second may meet another row: what the first opens takes room.
        if (event.detail > 1) return;
        latest.current.at.setSpot({ place, cell: leadingCells.title });
        latest.current.onOpen(row, place);
      },
    };
  }, [tracker]);
}
