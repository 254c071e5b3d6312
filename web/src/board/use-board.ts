import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Field, statusStages } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { useLive, usePendingChanges, useStanding } from '../store/index.ts';
import { titleField, type ViewProps, withPending } from '../tracker/index.ts';
import { type ColumnVerdict, judgeColumns, sourcesOf, together, valueIdOf } from './allowed.ts';
import { arranged, type Move } from './arrange.ts';
import { askBoardAgain, cardsOfRequest, type ReadColumn, useCards, useCounts } from './calls.ts';
import type { CardLook } from './card.tsx';
import { type Column, columnsOf, searchOfColumn, type Value, valuesOf } from './columns.ts';
import { type Cell, keyOfCell } from './drag.ts';
import type { Carried } from './keys.ts';
import { type Lane, laneIdOf, lanesOf, onlyLane } from './lanes.ts';
import { type CardMove, useMoves } from './moves.ts';
import { type BoardPlan, parentLanes } from './settings.ts';

export interface BoardProps extends ViewProps {
  readonly plan: BoardPlan;
  readonly by: Field;
}

const mostPagesInLanes = 20;
const secondBetween = 1000;

/** The board is read again at most once a second when others change something. */
function useOthersChanges({ tracker }: Pick<ViewProps, 'tracker'>) {
  const last = useRef(0);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  useLive(`trackers/${tracker.id}`, () => {
    if (waiting.current !== undefined) return;
    const wait = Math.max(0, last.current + secondBetween - Date.now());
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      last.current = Date.now();
      void askBoardAgain(tracker);
    }, wait);
  });
}

/** What of the cards is read. */
const namesFor = (tracker: Tracker, plan: BoardPlan, by: Field): readonly string[] => {
  const title = titleField(tracker)?.name;
  const lane = plan.lanesBy === undefined || plan.lanesBy === parentLanes ? plan.lanesBy : plan.lanesBy.name;
  const wanted = [title, by.name, lane, plan.coloursBy?.name, ...plan.cardFields, ...sourcesOf(tracker, by)];
  const marks = ['@children', '@comments'];
  return [...new Set([...wanted, ...marks])].filter((name) => name !== undefined);
};

type Moves = ReturnType<typeof useMoves>;

/** A row as it is seen: what was just stored, what is not stored yet, and a parent that it was dragged to. */
function seenRow(
  row: ArtifactRow,
  { fresh, moves }: Moves,
  pending: ReturnType<typeof usePendingChanges>,
): ArtifactRow {
  const known = fresh.get(row.uri);
  const base = known === undefined ? row : { ...row, cells: { ...row.cells, ...known } };
  const changes = pending.filter(({ uri }) => uri === row.uri);
  const seen = withPending(base, changes);
  const move = moves.find(({ uri, parent }) => uri === row.uri && parent !== undefined);
  if (move === undefined) return seen;
  return { ...seen, cells: { ...seen.cells, [parentLanes]: { value: move.parent } } };
}

/** Columns, how many pages of them are looked at, and the cards that are known. */
function useColumns({ tracker, view, search, plan, by }: BoardProps) {
  const { user } = useStanding();
  const me = user?.id ?? undefined;
  const counts = useCounts(tracker, search, [by.name]);
  const buckets = counts.data?.buckets;
  const columns = useMemo(
    () => (buckets === undefined ? [] : columnsOf(plan, buckets, view, me)),
    [plan, buckets, view, me],
  );
  const every = buckets === undefined ? [] : valuesOf(by, buckets, undefined);
  const [pages, setPages] = useState<ReadonlyMap<string, number>>(new Map());
  const shown = columns.filter(({ id }) => !plan.folded.has(id));
  const pagesOf = ({ id, count }: Column) =>
    plan.lanesBy === undefined
      ? (pages.get(id) ?? 1)
      : Math.max(1, Math.min(mostPagesInLanes, Math.ceil(count / cardsOfRequest)));
  const names = useMemo(() => namesFor(tracker, plan, by), [tracker, plan, by]);
  const asked = shown.map((column) => ({
    id: column.id,
    search: searchOfColumn(tracker, view, by, column),
    pages: pagesOf(column),
  }));
  const cards = useCards(tracker, names, asked);
  /** Reads on where the end of a column is seen; undefined where there is no more. */
  const readOn = (id: string): (() => void) | undefined => {
    const own = cards.read.get(id);
    if (plan.lanesBy !== undefined || own?.size === undefined || own.rows.length >= own.size)
      return undefined;
    return () => setPages(new Map(pages).set(id, Math.ceil(own.rows.length / cardsOfRequest) + 1));
  };
  return { me, counts, columns, every, shown, readOn, ...cards };
}

/** The lanes of a list are those of its values. */
function useLaneValues({ tracker, search, plan }: BoardProps): readonly Value[] {
  const field = plan.lanesBy === parentLanes ? undefined : plan.lanesBy;
  const counts = useCounts(tracker, search, field === undefined ? [] : [field.name]);
  return field === undefined ? [] : valuesOf(field, counts.data?.buckets ?? [], undefined);
}

/** What a column has read, as arranging takes it. */
const toldOf = ({ id, count }: Column, read: ReadonlyMap<string, ReadColumn>) => ({
  id,
  uris: read.get(id)?.rows.map(({ uri }) => uri) ?? [],
  size: read.get(id)?.size ?? count,
});

export function toggled(all: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(all);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Which lane a card was put into and is not stored in yet. */
const laneOfMove = (uri: string, carried: Carried | undefined, moves: readonly CardMove[]) =>
  (carried?.uri === uri ? carried.spot.lane : undefined) ?? moves.findLast((move) => move.uri === uri)?.lane;

/** Everything that is seen of a board. */
export function useBoard(props: BoardProps) {
  const { tracker, plan, by } = props;
  const { board: words } = useMessages();
  const formats = useFormats();
  const known = useColumns(props);
  const laneValues = useLaneValues(props);
  const moving = useMoves(tracker);
  const pending = usePendingChanges();
  const [carried, setCarried] = useState<Carried>();
  useOthersChanges(props);

  const rows = new Map<string, ArtifactRow>();
  for (const { rows: own } of known.read.values())
    for (const row of own) rows.set(row.uri, seenRow(row, moving, pending));
  for (const { row } of moving.moves)
    if (!rows.has(row.uri)) rows.set(row.uri, seenRow(row, moving, pending));
  const columnOfValue = new Map(
    known.columns.flatMap(({ id, values }) => values.map((value) => [value.id, id] as const)),
  );
  const columnOf = (row: ArtifactRow | undefined): string => {
    const value = valueIdOf(row, by.name);
    return columnOfValue.get(value) ?? value;
  };
  const tentative: readonly Move[] = carried === undefined ? [] : [{ uri: carried.uri, ...carried.spot }];
  const seen = arranged(
    known.shown.map((value) => toldOf(value, known.read)),
    (uri) => columnOf(rows.get(uri)),
    [...moving.moves, ...tentative],
  );
  const laneOf = (uri: string): string => {
    const row = rows.get(uri);
    return laneOfMove(uri, carried, moving.moves) ?? (row === undefined ? onlyLane : laneIdOf(row, plan));
  };
  const all = seen.flatMap(({ uris }) => uris.flatMap((uri) => rows.get(uri) ?? []));
  const lanes = lanesOf(all, plan, laneValues);
  const cells = Map.groupBy(
    seen.flatMap(({ id: column, uris }) => uris.map((uri) => ({ uri, column, lane: laneOf(uri) }))),
    keyOfCell,
  );
  const urisOfCells = new Map([...cells].map(([key, cards]) => [key, cards.map(({ uri }) => uri)]));
  const cellUris = (cell: Cell): readonly string[] => urisOfCells.get(keyOfCell(cell)) ?? [];
  const sizeOf = (id: string) => seen.find((column) => column.id === id)?.size;

  const nameOfValue = ({ choice }: Value): string =>
    choice?.name ?? (by.bindings.type === 'users' ? words.nobody : words.noValue);
  const nameOf = ({ values }: Pick<Column, 'values'>): string => values.map(nameOfValue).join(' + ');
  const columnNamed = (id: string): string => {
    const value = known.columns.find((column) => column.id === id);
    return value === undefined ? '' : nameOf(value);
  };
  const laneName = ({ choice, parent }: Lane): string => {
    if (parent !== undefined) return `${parent.xref} ${parent.title}`;
    const none =
      plan.lanesBy === parentLanes ? words.noParent(tracker.parent?.label ?? words.parent) : words.noValue;
    return choice?.name ?? none;
  };
  /** Each column is judged once, however often it is asked about. */
  const verdictsFor = (uris: readonly string[]): ((column: string) => ColumnVerdict) => {
    const judges = uris.flatMap((uri) => {
      const row = rows.get(uri);
      return row === undefined ? [] : [judgeColumns(tracker, by, row, words, formats)];
    });
    const judged = new Map<string, ColumnVerdict>();
    return (id) => {
      const values = known.columns.find((column) => column.id === id)?.values ?? [];
      const verdict = judged.get(id) ?? together(judges.map((verdictOf) => verdictOf({ values })));
      judged.set(id, verdict);
      return verdict;
    };
  };
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = seen.flatMap(({ uris }) => uris.filter((uri) => chosen.has(uri)));
  const toggleSelected = (uri: string) => setChosen((before) => toggled(before, uri));

  const stages = useMemo(() => statusStages(tracker), [tracker]);
  const { told } = known;
  const look = useMemo(
    (): CardLook => ({
      tracker,
      stages,
      titleName: titleField(tracker)?.name,
      facts: plan.cardFields.flatMap((name) => told.find((column) => column.name === name) ?? []),
      coloursBy: plan.coloursBy?.name,
    }),
    [tracker, stages, plan, told],
  );
  const saving = useMemo(() => new Set(pending.map(({ uri }) => uri)), [pending]);
  return {
    ...known,
    ...moving,
    rows,
    lanes,
    laneOf,
    cellUris,
    sizeOf,
    nameOf,
    columnNamed,
    laneName,
    verdictsFor,
    columnOf,
    nameOfValue,
    /** In the order of the board. */
    selected,
    toggleSelected,
    deselect: () => setChosen(new Set()),
    /** The cards that go with one: those that are selected, if it is. */
    withSelected: (uri: string): readonly string[] => (chosen.has(uri) ? selected : [uri]),
    carried,
    setCarried,
    look,
    saving,
    hasLanes: plan.lanesBy !== undefined,
    /** Of the columns, where they stand for the status. */
    stages: by.field_id === tracker.semantics.status?.field_id ? stages : undefined,
  };
}

export type Board = ReturnType<typeof useBoard>;
