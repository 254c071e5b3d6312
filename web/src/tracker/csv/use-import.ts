import { ApiError } from '@atelier/client';
import type { Tracker } from '@atelier/client/routes';
import { useRef, useState } from 'react';
import {
  type CsvSeparator,
  type CsvTable,
  plainCell,
  readCsv,
  separatorIn,
  writeCsv,
} from '../../kernel/csv.ts';
import { newUuid } from '../../kernel/uuid.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { notify } from '../../shell/index.ts';
import { markListOld, markOld, withoutPhrase, wordsOfError } from '../../store/index.ts';
import { type DateOrder, importTable, presentCells, type SentTable } from './calls.ts';
import { dateOrderIn, type ImportColumn, idTarget, matchColumns } from './columns.ts';

export interface ImportFile {
  readonly name: string;
  readonly encoding: string;
  readonly separator: CsvSeparator;
  readonly table: CsvTable;
}

export type Outcome = 'created' | 'changed' | 'unchanged' | 'refused';

/** What is known about a row. */
export interface RowState {
  readonly cells: readonly string[];
  /** By the place of the column; -1: the row as a whole. */
  readonly faults: ReadonlyMap<number, string>;
  /** Places that had a fault and were put right. */
  readonly fixed: ReadonlySet<number>;
  /** Places whose cells are not what the artifact has. */
  readonly changed: ReadonlySet<number>;
  /** What the artifact has, by the place of the column. */
  readonly present: ReadonlyMap<number, string>;
  readonly outcome: Outcome | undefined;
  /** Of the artifact that was made or changed. */
  readonly id: number | undefined;
  readonly isDone: boolean;
}

export type ImportPhase =
  | { readonly kind: 'empty' }
  | { readonly kind: 'checking'; readonly done: number; readonly all: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'importing'; readonly done: number; readonly all: number }
  /** An answer got lost: nothing can be changed before it is known what was stored. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'done' };

export const mostRows = 10_000;

/** Rows that are looked at, and stored, by one request: one sees how far it is. */
const rowsAtOnce = 200;

const none: ReadonlyMap<number, string> = new Map();
const nowhere: ReadonlySet<number> = new Set();

const freshRow = (cells: readonly string[]): RowState => ({
  cells,
  faults: none,
  fixed: nowhere,
  changed: nowhere,
  present: none,
  outcome: undefined,
  id: undefined,
  isDone: false,
});

const imported = (columns: readonly ImportColumn[]) => columns.filter(({ target }) => target !== null);
const idPlace = (columns: readonly ImportColumn[]) =>
  columns.find(({ target }) => target === idTarget)?.place ?? -1;

/** The id that a row names; undefined: it is a new one, or no id. */
export function idIn(columns: readonly ImportColumn[], { cells }: RowState): number | undefined {
  const digits = /^#?(\d{1,15})$/.exec((cells[idPlace(columns)] ?? '').trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What the columns of a table are, and how its days are meant. */
interface Matching {
  readonly columns: readonly ImportColumn[];
  readonly dateOrder: DateOrder | undefined;
}

function sentTable({ columns, dateOrder }: Matching, rows: readonly RowState[]): SentTable {
  const some = imported(columns);
  const csv = writeCsv([
    some.map(({ target }) => target ?? ''),
    ...rows.map(({ cells }) => some.map(({ place }) => cells[place] ?? '')),
  ]);
  return { csv, dateOrder };
}

/** Rows that are about an artifact that an earlier row is about: the places of both. */
function twins(columns: readonly ImportColumn[], rows: readonly RowState[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  const found = new Map<number, number>();
  for (const [place, row] of rows.entries()) {
    const id = idIn(columns, row);
    if (id === undefined) continue;
    const before = first.get(id);
    if (before === undefined) first.set(id, place);
    else found.set(place, before);
  }
  return found;
}

/** What a dry run says about some rows. */
async function verdictsOn(
  tracker: Tracker,
  matching: Matching,
  rows: readonly RowState[],
): Promise<readonly RowState[]> {
  if (rows.length === 0) return [];
  const { columns } = matching;
  const ids = rows.flatMap((row) => idIn(columns, row) ?? []);
  const targets = imported(columns);
  const names = targets.flatMap(({ target }) => (target === null || target === idTarget ? [] : target));
  const [answer, present] = await Promise.all([
    importTable(tracker, sentTable(matching, rows), true),
    presentCells(tracker, ids, names),
  ]);
  const placeOf = (column: string | null) => targets.find(({ target }) => target === column)?.place ?? -1;
  const faults = new Map<number, Map<number, string>>();
  for (const { row, column, reason } of answer.faults) {
    const known = faults.get(row - 2) ?? new Map<number, string>();
    faults.set(row - 2, known.set(placeOf(column), reason));
  }
  // Without the bad rows it tells what would come of the others.
  const sound = rows.map((_, place) => place).filter((place) => !faults.has(place));
  const results =
    answer.fault_count === 0
      ? answer.results
      : sound.length === 0
        ? []
        : (
            await importTable(
              tracker,
              sentTable(
                matching,
                sound.flatMap((place) => rows[place] ?? []),
              ),
              true,
            )
          ).results;
  const outcomes = new Map(results.map(({ row, outcome }) => [sound[row - 2] ?? -1, outcome]));
  return rows.map((row, place) => {
    const id = idIn(columns, row);
    const cells = id === undefined ? undefined : present.get(id);
    const had = new Map<number, string>();
    for (const { place: at, target } of targets) {
      const cell = target === null ? undefined : cells?.get(target);
      if (cell !== undefined) had.set(at, cell);
    }
    const same = (text: string) => plainCell(text).replaceAll('\r\n', '\n');
    const changed = [...had].filter(([at, cell]) => same(cell) !== same(row.cells[at] ?? ''));
    const bad = faults.get(place) ?? none;
    const outcome = bad.size > 0 ? undefined : outcomes.get(place);
    return {
      ...row,
      faults: bad,
      fixed: new Set([...row.fixed].filter((at) => !bad.has(at))),
      present: had,
      // Days and numbers that a spreadsheet writes in its own way are what they were.
      changed: new Set(outcome === 'unchanged' ? [] : changed.map(([at]) => at)),
      outcome,
    };
  });
}

/** A table on its way into a tracker: read, matched, looked at, put right, stored. */
export function useImport(tracker: Tracker) {
  const { csv: words } = useMessages();
  const formats = useFormats();
  const [file, setFile] = useState<ImportFile>();
  const [matching, setMatching] = useState<Matching>({ columns: [], dateOrder: undefined });
  const { columns } = matching;
  const [rows, setRows] = useState<readonly RowState[]>([]);
  const [phase, setPhase] = useState<ImportPhase>({ kind: 'empty' });
  const [fault, setFault] = useState<string>();
  /** What is looked at is thrown away once something else is. */
  const round = useRef(0);
  /** Names of parts that were sent, by their first row, until it is known what came of them. */
  const sent = useRef(new Map<number, string>());
  const isStopWanted = useRef(false);
  /** Whether cells were typed that are in no file. */
  const [isEdited, setEdited] = useState(false);

  const put = (places: readonly number[], next: readonly RowState[]) =>
    setRows((before) => {
      const changed = [...before];
      for (const [at, place] of places.entries()) {
        const row = next[at];
        if (row !== undefined) changed[place] = row;
      }
      return changed;
    });
  const failed = (error: unknown, mine: number, kind: 'ready' | 'stopped' = 'ready') => {
    if (mine !== round.current) return;
    setFault(error instanceof ApiError ? wordsOfError(error) : words.noAnswer);
    setPhase({ kind });
  };
  const check = async (
    given: readonly RowState[],
    matched: Matching,
    numbers: readonly number[] = file?.table.numbers ?? [],
  ) => {
    const mine = ++round.current;
    setFault(undefined);
    if (imported(matched.columns).length === 0) {
      setFault(words.nothingMatched);
      return setPhase({ kind: 'ready' });
    }
    const same = twins(matched.columns, given);
    setPhase({ kind: 'checking', done: 0, all: given.length });
    try {
      for (let from = 0; from < given.length; from += rowsAtOnce) {
        const places = given.slice(from, from + rowsAtOnce).map((_, at) => from + at);
        const asked = places.filter((place) => !same.has(place) && given[place]?.isDone !== true);
        const told = await verdictsOn(
          tracker,
          matched,
          asked.flatMap((place) => given[place] ?? []),
        );
        if (mine !== round.current) return;
        put(asked, told);
        for (const [place, other] of same)
          if (places.includes(place)) {
            const row = given[place] ?? freshRow([]);
            // As the server says it of rows that it sees together.
            const reason = `Row ${numbers[other] ?? other + 2} is about the same artifact.`;
            put(
              [place],
              [{ ...row, outcome: undefined, faults: new Map([[idPlace(matched.columns), reason]]) }],
            );
          }
        setPhase({ kind: 'checking', done: Math.min(given.length, from + rowsAtOnce), all: given.length });
      }
      setPhase({ kind: 'ready' });
    } catch (error) {
      failed(error, mine);
    }
  };
  return {
    file,
    ...matching,
    rows,
    phase,
    fault,
    /** Whether leaving loses something, or leaves it half done. */
    isAtStake: isEdited || phase.kind === 'importing' || phase.kind === 'stopped',
    refuse: setFault,
    take(name: string, text: string, encoding: string): void {
      try {
        const separator = separatorIn(text);
        const table = readCsv(text, separator);
        if (table.rows.length === 0) return setFault(words.noRows);
        if (table.rows.length > mostRows) return setFault(words.tooMany(formats.number(mostRows)));
        const found = matchColumns(tracker, table.header);
        const matched = { columns: found, dateOrder: dateOrderIn(tracker, found, table.rows) };
        const fresh = table.rows.map(freshRow);
        setFile({ name, encoding, separator, table });
        setMatching(matched);
        setRows(fresh);
        setEdited(false);
        void check(fresh, matched, table.numbers);
      } catch (error) {
        setFault(wordsOfUnreadable(error, words.unreadable));
      }
    },
    match(place: number, target: string | null): void {
      const next = columns.map((column) => {
        if (column.place === place) return { ...column, target };
        return column.target === target ? { ...column, target: null } : column;
      });
      const dateOrder = dateOrderIn(
        tracker,
        next,
        rows.map(({ cells }) => cells),
      );
      const matched = { columns: next, dateOrder: dateOrder && (matching.dateOrder ?? dateOrder) };
      setMatching(matched);
      void check(rows, matched);
    },
    /** Reads the days of the table in another order. */
    orderDays(dateOrder: DateOrder): void {
      const matched = { columns, dateOrder };
      setMatching(matched);
      void check(rows, matched);
    },
    /** A cell that was typed anew is looked at by itself. */
    async edit(place: number, column: number, cell: string): Promise<void> {
      const row = rows[place];
      if (row === undefined || row.cells[column] === cell) return;
      const hadFault = row.faults.has(column);
      const next: RowState = {
        ...row,
        cells: row.cells.with(column, cell),
        fixed: hadFault ? new Set([...row.fixed, column]) : row.fixed,
      };
      const all = rows.with(place, next);
      setRows(all);
      setEdited(true);
      if (column === idPlace(columns) && twins(columns, all).size + twins(columns, rows).size > 0)
        return check(all, matching);
      const mine = round.current;
      try {
        const told = await verdictsOn(tracker, matching, [next]);
        // What was typed into the row meanwhile is looked at by itself.
        if (mine === round.current)
          setRows((before) => (before[place] === next ? before.with(place, told[0] ?? next) : before));
      } catch (error) {
        failed(error, mine);
      }
    },
    /** Looks at all that is left again. */
    checkAgain: () => void check(rows, matching),
    /** What is on its way is stored; nothing after it is sent. */
    stop: () => {
      isStopWanted.current = true;
    },
    async store(): Promise<void> {
      const mine = ++round.current;
      isStopWanted.current = false;
      setFault(undefined);
      const left = rows.map((_, place) => place).filter((place) => rows[place]?.isDone !== true);
      setPhase({ kind: 'importing', done: 0, all: left.length });
      let refused = 0;
      for (let from = 0; from < left.length; from += rowsAtOnce) {
        const places = left.slice(from, from + rowsAtOnce);
        const some = places.flatMap((place) => rows[place] ?? []);
        const first = places[0] ?? 0;
        const name = sent.current.get(first) ?? newUuid();
        sent.current.set(first, name);
        try {
          const { results } = await importTable(tracker, sentTable(matching, some), false, name);
          sent.current.delete(first);
          refused += results.filter(({ outcome }) => outcome === 'refused').length;
          const byRow = new Map(results.map((result) => [result.row - 2, result]));
          put(
            places,
            some.map((row, at) => {
              const result = byRow.get(at);
              const { message } = result?.error ?? {};
              const reason = message === undefined ? undefined : withoutPhrase(message);
              return {
                ...row,
                isDone: true,
                outcome: result?.outcome,
                id: result?.id ?? undefined,
                faults: reason === undefined ? none : new Map([[-1, reason]]),
              };
            }),
          );
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 400) return failed(error, mine, 'stopped');
          sent.current.delete(first);
          // Nothing of this part was stored: what is wrong with it now is told in its cells.
          put(places, await verdictsOn(tracker, matching, some));
          setFault(words.stopped);
          return setPhase({ kind: 'ready' });
        }
        const done = Math.min(left.length, from + rowsAtOnce);
        setPhase({ kind: 'importing', done, all: left.length });
        void markListOld();
        markOld(tracker.uri);
        if (isStopWanted.current && done < left.length) return setPhase({ kind: 'ready' });
      }
      setPhase({ kind: 'done' });
      setEdited(false);
      const stored = left.length - refused;
      if (stored > 0) notify({ text: words.imported(formats.number(stored), stored) });
    },
    forget(): void {
      round.current += 1;
      setFile(undefined);
      setRows([]);
      setFault(undefined);
      setEdited(false);
      sent.current.clear();
      setPhase({ kind: 'empty' });
    },
  };
}

function wordsOfUnreadable(error: unknown, unreadable: (line: number) => string): string {
  const line: unknown = error instanceof Error ? Reflect.get(error, 'line') : undefined;
  return typeof line === 'number' ? unreadable(line) : wordsOfError(error);
}
