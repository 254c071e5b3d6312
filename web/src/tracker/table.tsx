import type { ArtifactRow, RowColumn, Tracker } from '@atelier/client/routes';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
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
  type FieldValue,
  fieldTypes,
  type StatusStages,
  statusField,
  statusStages,
} from '../fields/index.ts';
import { highest } from '../kernel/scaled-rows.ts';
import { type SectionedList, sectionedList } from '../kernel/sections.ts';
import { type Formats, useFormats, useMessages } from '../messages/index.ts';
import { announce, followList, notify, provideConflict, provideEditAgain } from '../shell/index.ts';
import {
  knownThing,
  type List,
  moveInList,
  onChangeEvent,
  type PendingChange,
  useList,
  wordsOfError,
} from '../store/index.ts';
import { AskingLine, classes, later } from '../ui/index.ts';
import { RowConflict, RowStep, type StepWish } from './artifact-parts.tsx';
import { moveInRank, type RowSource, rowFacet } from './calls.ts';
import { reasonNotToEdit, type TableColumn, tableColumns } from './columns.ts';
import { followStored, saveCell, stepOf } from './editing.ts';
import { type Group, GroupHeading } from './groups.tsx';
import { TableHead } from './head.tsx';
import { type KeyFields, useTableKeys } from './keys.ts';
import { useLasting } from './lasting.ts';
import { SelectionBar } from './later-bulk.tsx';
import type { TableModel } from './model.ts';
import { leadingCells, Row } from './row.tsx';
import { type RowsInView, useScaledRows } from './scaled-rows.ts';
import { useSelection } from './selection.ts';
import { useFrozenColumns, useNarrow, useRowHeight, useWidth } from './sizes.ts';
import styles from './table.module.css';
import { dateSteps, titleField, type View, type ViewChange } from './view.ts';

export interface TableProps {
  readonly tracker: Tracker;
  readonly view: View;
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
}

/** The place of the cell that has the focus: a row, and a cell of it. */
interface Spot {
  readonly place: number;
  readonly cell: number;
}

/** The cell that an element is in. */
function spotOf(target: EventTarget): Spot | undefined {
  const { place, cell } =
    (target instanceof Element && target.closest<HTMLElement>('[data-cell]')?.dataset) || {};
  return place === undefined ? undefined : { place: Number(place), cell: Number(cell) };
}

interface Edited {
  readonly place: number;
  readonly column: string;
  readonly typed?: FieldValue | undefined;
}

const overscan = 10;
/** Rows before and after those that are seen which were read with them. */
const around = 100;

/** Rows that are drawn as bars until it is known how many there are. */
const outlines = 8;

type ListOfRows = List<ArtifactRow, readonly RowColumn[]>;

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
  const {
    tracker,
    view,
    source,
    groups,
    waitsForGroups,
    opened,
    onOpen,
    onChangeView,
    onList,
    acts,
    onPosition,
    onExport,
  } = props;
  const words = useMessages();
  const formats = useFormats();
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  const Cards = isNarrow ? cards.use().Cards : undefined;
  const [seen, setSeen] = useState({ from: 0, to: 50 });
  const list = useList(source, seen);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const selection = useSelection(list, source);
  const { selected, setSelected } = selection;
  const [wasSelected, setWasSelected] = useState(false);
  if (selected.size > 0 && !wasSelected) setWasSelected(true);
  const searched = JSON.stringify([view.filters, view.query, view.words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected belongs to what was looked for.
  useEffect(() => selection.deselect(), [searched]);
  const [asked, setAsked] = useState<{ readonly field: Field }>();
  const [spot, setSpot] = useState<Spot>({ place: 0, cell: leadingCells.title });
  const [edited, setEdited] = useState<Edited>();
  const isWaiting = waitsForGroups || (list.size === undefined && list.error === null);
  const items = useMemo(
    () => sectionedList(isWaiting ? outlines : (list.size ?? 0), groups, folded),
    [list.size, groups, folded, isWaiting],
  );
  const heading = headingOf(view, tracker);
  const wanted = useMemo(
    () => tableColumns(tracker, view.columns, list.more, words),
    [tracker, view.columns, list.more, words],
  );
  const width = useWidth(scroller);
  // Cells that come and go with the panel are drawn after it, and let the next keys through meanwhile.
  const roomNow = opened === undefined ? 0 : width;
  const room = useDeferredValue(roomNow);
  const columns = useMemo(() => (room === 0 ? wanted : fitting(wanted, room)), [wanted, room]);
  const [frozenWished] = useFrozenColumns();
  // Each cell that stays in sight costs time in every frame; where all fits, none need be told to stay.
  const areFrozen = frozenWished && width > 0 && room === roomNow && leastWidth(columns) > width;
  const { virtual, rows } = useRows(scroller, items, isNarrow);
  useSeenRows(rows, items, list, setSeen);
  const { size, error } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the list has is told.
  useEffect(() => onList({ size, error }), [size, error, source.address]);
  useEffect(() => onChangeEvent((event) => followStored(tracker, event)), [tracker]);
  useEffect(() => {
    if (size !== undefined)
      followList({ size, from: seen.from - around, to: seen.to + around, uriAt: list.uriAt });
  }, [size, seen, list]);

  const rowAt = (place: number) => {
    const uri = list.uriAt(place);
    return uri === undefined ? undefined : knownThing(uri, rowFacet)?.body;
  };
  const focusSoon = useFocus(scroller, rows, items, edited?.place);
  const go = (place: number, cell = spot.cell) => {
    const most = columns.length + leadingCells.first - 1;
    const next = {
      place: Math.max(0, Math.min((list.size ?? 1) - 1, place)),
      cell: Math.max(0, Math.min(most, cell)),
    };
    setSpot(next);
    focusSoon(next);
    const row = rowAt(next.place);
    if (row === undefined || next.place === spot.place) return;
    // The panel follows whoever goes through the rows.
    if (opened !== undefined) onOpen(row, next.place);
    else announce(words.tracker.rowSaid(row.xref, row.title ?? '', row.full_status?.value ?? ''));
  };
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
    focusSoon({ ...spot, place: to });
    announce(words.tracker.movedTo(row.xref, to + 1, size ?? 0));
  };
  const [step, setStep] = useState<StepWish>();
  const [conflict, setConflict] = useState<string>();
  const model = useModel({
    tracker,
    onOpen,
    select: (place, isRange) => (isRange ? selection.selectTo(place) : selection.toggle(place)),
    setEdited,
    setStep,
    moveRow,
    go,
    spot,
    setSpot,
    formats,
  });
  const editAgain = useRef((_change: PendingChange) => {});
  editAgain.current = ({ uri, fields: [field] }) => {
    const place = placeOf(uri, list, seen);
    if (field === undefined || place === undefined) return;
    setSpot({ ...spot, place });
    setEdited({ place, column: field.name, typed: isFieldValue(field.value) ? field.value : undefined });
  };
  useEffect(() => provideEditAgain((change) => editAgain.current(change)), []);
  useEffect(() => provideConflict(({ uri }) => setConflict(uri)), []);

  // Who comes by an address stands at what it names.
  // biome-ignore lint/correctness/useExhaustiveDependencies: from then on they go where they want.
  useEffect(() => {
    const place = placeOf(`artifacts/${opened}`, list, seen);
    if (place !== undefined) setSpot({ ...spot, place });
  }, [opened, isWaiting]);
  const isOpenedHere = opened !== undefined && list.uriAt(spot.place) === `artifacts/${opened}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the place is told.
  useEffect(
    () => onPosition(isOpenedHere && size !== undefined ? { place: spot.place, size } : undefined),
    [isOpenedHere, spot.place, size],
  );
  useImperativeHandle(acts, () => ({ openAt: (place) => go(place), focus: () => focusSoon(spot) }));

  const wished = useRef<{ readonly place: number; readonly isOpening: boolean }>(undefined);
  const actLater = (isOpening: boolean) => {
    wished.current = { place: spot.place, isOpening };
  };
  const editAt = ({ place, cell }: Spot) => {
    const row = rowAt(place);
    const field = cell === leadingCells.title ? model.titleField : columns[cell - leadingCells.first]?.field;
    if (row === undefined) return actLater(false);
    const reason = reasonNotToEdit(field, row.may_update, words.tracker);
    if (reason !== undefined || field === undefined) return announce(reason ?? '');
    setEdited({ place, column: field.name });
  };
  const editSpot = () => editAt(spot);
  const editField = (field: Field) => {
    if (selected.size > 0) return setAsked({ field });
    const row = rowAt(spot.place);
    const index = columns.findIndex(({ name }) => name === field.name);
    if (row === undefined) return;
    if (index < 0) return announce(words.tracker.notShown(field.label));
    const reason = reasonNotToEdit(field, row.may_update, words.tracker);
    if (reason !== undefined) return announce(reason);
    setSpot({ place: spot.place, cell: leadingCells.first + index });
    setEdited({ place: spot.place, column: field.name });
  };
  const openSpot = () => {
    const row = rowAt(spot.place);
    if (row === undefined) return actLater(true);
    onOpen(row, spot.place);
  };
  // Who steps to a row and acts on it at once need not wait until it was read.
  useEffect(() => {
    const wish = wished.current;
    if (wish === undefined || (wish.place === spot.place && rowAt(spot.place) === undefined)) return;
    wished.current = undefined;
    if (wish.place === spot.place) (wish.isOpening ? openSpot : editSpot)();
  });
  useTableKeys({
    next: () => go(spot.place + 1),
    previous: () => go(spot.place - 1),
    open: openSpot,
    edit: editSpot,
    editField,
    fields: keyFields(tracker),
    select: () => selection.toggle(spot.place),
    selectAll: selection.selectAll,
    hasSelection: selected.size > 0,
    deselect: selection.deselect,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(spot.place + 1),
      ArrowUp: () => go(spot.place - 1),
      ArrowLeft: () => go(spot.place, spot.cell - 1),
      ArrowRight: () => go(spot.place, spot.cell + 1),
      Home: () => go(event.ctrlKey ? 0 : spot.place, leadingCells.title),
      End: () => go(event.ctrlKey ? (list.size ?? 1) - 1 : spot.place, columns.length + 2),
      PageDown: () => go(spot.place + 10),
      PageUp: () => go(spot.place - 10),
      Enter: spot.cell >= leadingCells.first ? editSpot : openSpot,
      F2: editSpot,
      ' ': () => selection.toggle(spot.place),
    };
    const isOfCell = event.target instanceof HTMLElement && event.target.dataset['cell'] !== undefined;
    if ((event.ctrlKey || event.metaKey) && event.key === 'a' && isOfCell) {
      event.preventDefault();
      return selection.selectAll();
    }
    if (event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown') && !event.altKey) {
      event.preventDefault();
      const next = spot.place + (event.key === 'ArrowUp' ? -1 : 1);
      if (next < 0 || next >= (list.size ?? 0)) return;
      selection.extend(spot.place, next);
      return go(next);
    }
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      return moveRow(spot.place, spot.place + (event.key === 'ArrowUp' ? -1 : 1));
    }
    const move = moves[event.key];
    if (!isOfCell || move === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    move();
  };

  /** Keys act on the cell that has the focus, also where a mouse gave it. */
  const onFocus = ({ target }: FocusEvent) => {
    const focused = spotOf(target);
    if (focused && (focused.place !== spot.place || focused.cell !== spot.cell)) setSpot(focused);
  };

  const pressed = useRef<Spot>(undefined);
  /** Shift and a press select all rows up to there. */
  const onMouseDown = (event: MouseEvent) => {
    const { target, shiftKey } = event;
    const at = spotOf(target);
    if (event.detail < 2) pressed.current = at;
    if (!shiftKey || !at || !(target instanceof Element) || target.closest('a,input,button') !== null) return;
    event.preventDefault();
    selection.beginAt(spot.place);
    selection.selectTo(at.place);
  };
  /** The cell that was pressed first is meant, also where another one is under the pointer by now. */
  const onDoubleClick = () => {
    if (edited !== undefined || pressed.current === undefined) return;
    setSpot(pressed.current);
    editAt(pressed.current);
  };

  const allSeen = rows.shown.flatMap(({ index }) => uriOf(items, list, index) ?? []);
  const isAllSelected = allSeen.length > 0 && allSeen.every((uri) => selected.has(uri));
  const selectAllSeen = useLasting(() =>
    setSelected(isAllSelected ? new Set() : new Set([...selected, ...allSeen])),
  );
  const changeView = useLasting(onChangeView);
  if (Cards !== undefined)
    return (
      <Cards
        scroller={scroller}
        virtual={virtual}
        items={items}
        list={list}
        isWaiting={isWaiting}
        model={model}
        columns={columns}
        groups={groups}
        heading={heading(model.stages)}
        folded={folded}
        onToggle={(key) => setFolded(toggled(folded, key))}
      />
    );
  const topItem = items.at(rows.topIndex);
  const stuck =
    groups === undefined || topItem?.kind !== 'row' || topItem.section < 0
      ? undefined
      : groups[topItem.section];
  const foldStuck = (group: Group) => {
    // What was below its heading is gone: the heading itself comes into sight.
    const section = groups?.indexOf(group) ?? 0;
    setFolded(toggled(folded, group.key));
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
        aria-rowcount={(list.size ?? 0) + 1}
        aria-colcount={columns.length + leadingCells.first}
        aria-multiselectable
        className={classes(styles['scroller'], areFrozen && styles['frozenColumns'])}
        style={gridStyle(columns)}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onMouseDown={onMouseDown}
        onDoubleClick={onDoubleClick}
      >
        <TableHead
          columns={columns}
          view={view}
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
            return (
              <div key={index} role="presentation" className={styles['slot']} style={style}>
                {item.kind === 'heading' ? (
                  group && (
                    <GroupHeading
                      kind="row"
                      group={group}
                      isFolded={folded.has(group.key)}
                      {...heading(model.stages)}
                      onToggle={() => setFolded(toggled(folded, group.key))}
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
                    edited={edited?.place === item.row ? edited.column : undefined}
                    isRanked={isRanked}
                    typed={edited?.place === item.row ? edited.typed : undefined}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {step !== undefined && (
        <RowStep
          key={`${step.id} ${step.choice.id}`}
          step={step}
          onDone={() => {
            setStep(undefined);
            focusSoon(spot);
          }}
        />
      )}
      {conflict !== undefined && <RowConflict uri={conflict} onDone={() => setConflict(undefined)} />}
      {wasSelected && (
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

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

function uriOf(items: SectionedList, list: ListOfRows, index: number): string | undefined {
  const item = items.at(index);
  return item?.kind === 'row' ? list.uriAt(item.row) : undefined;
}

const isFieldValue = (value: object | undefined): value is FieldValue =>
  value !== undefined && 'field_id' in value && 'type' in value && 'label' in value;

/** Where an artifact stands among the rows that are known around what is seen. */
function placeOf(uri: string, list: ListOfRows, seen: { from: number; to: number }): number | undefined {
  for (let place = Math.max(0, seen.from - around); place < seen.to + around; place += 1)
    if (list.uriAt(place) === uri) return place;
  return undefined;
}

const leadingWidth = 44 + 48 + 12;
const leastTitle = 300;

/** Columns from the left, as long as titles keep their room. */
function fitting(columns: readonly TableColumn[], width: number): readonly TableColumn[] {
  let room = width - leadingWidth - leastTitle;
  const fits = columns.filter((column) => {
    room -= column.width;
    return room >= 0;
  });
  // The same list, so that no row is drawn anew.
  return fits.length === columns.length ? columns : fits;
}

const leastWidth = (columns: readonly TableColumn[]) =>
  columns.reduce((sum, column) => sum + column.width, leadingWidth + leastTitle);

/** Widths of all columns, once for head and rows. */
function gridStyle(columns: readonly TableColumn[]): CSSProperties {
  const widths = columns.map(({ width }) => `${width}px`).join(' ');
  const style: CSSProperties & Record<'--columns' | '--width', string> = {
    '--columns': `44px 48px minmax(${leastTitle}px, 1fr) ${widths} 12px`,
    '--width': `${leastWidth(columns)}px`,
  };
  return style;
}

/** Height of a card of two lines on a small screen, until it was measured. */
const cardHeight = 73;

function useRows(scroller: RefObject<HTMLDivElement | null>, items: SectionedList, isNarrow: boolean) {
  const height = useRowHeight();
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? cardHeight : height),
    overscan,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights that were measured are of another density.
  useLayoutEffect(() => virtual.measure(), [height, isNarrow]);
  const isScaled = !isNarrow && items.length * height > highest;
  const scaled = useScaledRows(scroller, isScaled ? items.length : 0, height);
  const rows: RowsInView = isScaled
    ? scaled
    : {
        shown: virtual.getVirtualItems().map(({ index, start, size }) => ({ index, start, size })),
        height: virtual.getTotalSize(),
        topIndex: virtual.range?.startIndex ?? 0,
        scrollTo: (index, align) => virtual.scrollToIndex(index, { align }),
      };
  return { virtual, rows };
}

/** Asks for the rows around what is seen, and for no others. */
function useSeenRows(
  { shown }: RowsInView,
  items: SectionedList,
  list: ListOfRows,
  setSeen: (seen: { from: number; to: number }) => void,
): void {
  const rows = shown.flatMap(({ index }) => {
    const item = items.at(index);
    return item?.kind === 'row' ? [item.row] : [];
  });
  const [from, to] = [rows[0] ?? 0, (rows.at(-1) ?? 49) + 1];
  useEffect(() => {
    if (list.size !== undefined) setSeen({ from, to: Math.max(to, from + 1) });
  }, [from, to, list.size, setSeen]);
}

/** Scrolls to a cell and gives it the focus once it is there. */
function useFocus(
  scroller: RefObject<HTMLDivElement | null>,
  rows: RowsInView,
  items: SectionedList,
  edited: number | undefined,
) {
  const wanted = useRef<Spot>(undefined);
  useEffect(() => {
    const spot = wanted.current;
    if (spot === undefined) return;
    const selector = `[data-place="${spot.place}"][data-cell="${spot.cell}"]`;
    const cell = scroller.current?.querySelector<HTMLElement>(selector);
    if (cell === null || cell === undefined) return;
    wanted.current = undefined;
    // The control in a cell that is edited has taken it, and would be left.
    if (spot.place !== edited) cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return (spot: Spot) => {
    wanted.current = spot;
    rows.scrollTo(items.indexOfRow(spot.place), 'auto');
  };
}

interface ModelParts {
  readonly tracker: Tracker;
  readonly formats: Formats;
  readonly spot: Spot;
  setSpot(spot: Spot): void;
  onOpen(row: ArtifactRow, place: number): void;
  select(place: number, isRange: boolean): void;
  setEdited(edited: Edited | undefined): void;
  setStep(step: StepWish): void;
  moveRow(from: number, to: number): void;
  go(place: number, cell?: number): void;
}

/** One object for all rows that never changes, so that moving about draws two rows and not forty. */
function useModel(parts: ModelParts): TableModel {
  const latest = useRef(parts);
  useLayoutEffect(() => {
    latest.current = parts;
  });
  const { tracker } = parts;
  return useMemo(() => {
    const field = titleField(tracker);
    return {
      tracker,
      stages: statusStages(tracker),
      titleField: field,
      titleName: field?.name,
      select: (place, isRange) => latest.current.select(place, isRange),
      save(row, field, value) {
        const choice = stepOf(tracker, row, field, value);
        if (choice === undefined) saveCell(row, field, value, latest.current.formats);
        else latest.current.setStep({ id: row.id, field, choice });
      },
      moveRow: (from, to) => latest.current.moveRow(from, to),
      editDone(next) {
        const { spot, go, setEdited } = latest.current;
        setEdited(undefined);
        go(spot.place, spot.cell + (next === 'next' ? 1 : next === 'previous' ? -1 : 0));
      },
      follow(event, place, row) {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        // Of two presses the second may meet another row: what the first opens takes room.
        if (event.detail > 1) return;
        latest.current.setSpot({ place, cell: leadingCells.title });
        latest.current.onOpen(row, place);
      },
    };
  }, [tracker]);
}
