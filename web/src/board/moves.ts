import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  CHILD_LINK,
  type Choice,
  type Field,
  type FieldValue,
  fieldHolding,
  fieldTypes,
  isParentLink,
  linksIn,
  valueWith,
  withLinks,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import {
  artifactFacet,
  type ChangeEvent,
  changeArtifact,
  type FieldChange,
  knownThing,
  onChangeEvent,
  type PendingChange,
} from '../store/index.ts';
import type { StepWish } from '../tracker/index.ts';
import type { Way } from './allowed.ts';
import type { Move, Spot } from './arrange.ts';
import { askBoardAgain, rankCards, readArtifact } from './calls.ts';

/** The artifact above a card, as rows have it. */
export interface ParentCell {
  readonly id: number;
  readonly xref: string;
  readonly title: string;
}

/** A card on its way: seen at once where it was put, until the server says so, too. */
export interface CardMove extends Move {
  readonly key: number;
  /** As it was: its old column may be read again before its new one. */
  readonly row: ArtifactRow;
  /** Its new parent; null for none; undefined where that stays. */
  readonly parent?: ParentCell | null | undefined;
}

/** What a drop asks for. */
export interface Drop {
  readonly row: ArtifactRow;
  readonly spot: Spot;
  /** The values that its new column can give it; undefined where it stays. */
  readonly column?: { readonly field: Field; readonly ways: readonly ChoiceWay[] } | undefined;
  /** The value of its new lane, where lanes stand for a list. */
  readonly lane?: { readonly field: Field; readonly choice: Choice | undefined } | undefined;
  readonly parent?: ParentCell | null | undefined;
}

/** A value that a drop can give, and whether the step asks for more. */
export interface ChoiceWay extends Way {
  /** Undefined: no value. */
  readonly choice: Choice | undefined;
}

function changeOf(field: Field, choice: Choice | undefined, before: unknown): FieldChange {
  const type = fieldTypes[field.type];
  const value: FieldValue = valueWith(field, choice === undefined ? [] : [choice]);
  return {
    fieldId: field.field_id,
    name: field.name,
    label: field.label,
    entry: type?.entryOf(field, value) ?? {},
    before,
    value,
    cell: type?.cellOf(field, value),
  };
}

/** The links of an artifact with another parent. */
async function parentChange(
  tracker: Tracker,
  uri: string,
  parent: ParentCell | null,
): Promise<{ change: FieldChange; etag: string | undefined }> {
  const field = fieldHolding(tracker.fields, 'links');
  if (field === undefined) throw new Error(`${tracker.label}: no links`);
  const { artifact, etag } = await readArtifact(uri);
  const stored: FieldValue | undefined = artifact.values?.find(({ field_id: id }) => id === field.field_id);
  const others = linksIn(stored).filter((link) => !isParentLink(link));
  const own =
    parent === null ? [] : [{ id: parent.id, type: CHILD_LINK, direction: 'reverse' as const, colour: '' }];
  const value = withLinks(field, [...others, ...own], true);
  const entry = fieldTypes[field.type]?.entryOf(field, value) ?? {};
  const change = {
    fieldId: field.field_id,
    name: field.name,
    label: field.label,
    entry,
    before: stored,
    value,
  };
  return { change, etag };
}

/** What came of the change that is under way for an artifact. */
function settled(uri: string): Promise<ChangeEvent['kind']> {
  return new Promise((resolve) => {
    const stop = onChangeEvent((event) => {
      if (event.change.uri !== uri) return;
      stop();
      resolve(event.kind);
    });
  });
}

type Cells = ArtifactRow['cells'];

const cellsOf = ({ fields }: PendingChange): Cells =>
  Object.fromEntries(
    fields.flatMap(({ name, cell }) => (cell === undefined ? [] : [[name, { value: undefined, ...cell }]])),
  );

function withoutKey<Kept>(kept: ReadonlyMap<string, Kept>, key: string): ReadonlyMap<string, Kept> {
  const left = new Map(kept);
  return left.delete(key) ? left : kept;
}

/** A step that asks for more: answered by its form. */
export interface AskedStep extends StepWish {
  readonly key: number;
  readonly uri: string;
}

/** A column of several values: which of them cards are to get. */
export interface AskedValue {
  readonly key: number;
  readonly cards: readonly string[];
  readonly field: Field;
  readonly ways: readonly ChoiceWay[];
}

/** A drop whose value is known. */
interface Chosen extends Omit<Drop, 'column'> {
  readonly key: number;
  readonly column?: { readonly field: Field; readonly way: ChoiceWay } | undefined;
}

const allowedWays = (ways: readonly ChoiceWay[]) => ways.filter(({ isAllowed }) => isAllowed);

/** The values that at least one of the cards may get, each once. */
function waysOfAll(wishes: readonly Drop[]): readonly ChoiceWay[] {
  const ways = wishes.flatMap(({ column }) => allowedWays(column?.ways ?? []));
  return [...new Map(ways.map((way) => [way.id, way])).values()];
}

/** Cards that were put elsewhere, and how that is stored. */
export function useMoves(tracker: Tracker) {
  const { board: words } = useMessages();
  const [moves, setMoves] = useState<readonly CardMove[]>([]);
  const [step, setStep] = useState<AskedStep>();
  const [which, setWhich] = useState<AskedValue>();
  const answer = useRef<(isSent: boolean) => void>(undefined);
  const answerWhich = useRef<(id: string | undefined) => void>(undefined);
  const nextKey = useRef(1);
  const forget = useCallback(
    (keys: readonly number[]) => setMoves((before) => before.filter(({ key }) => !keys.includes(key))),
    [],
  );
  const underWay = useRef(new Set<string>());
  const [fresh, setFresh] = useState<ReadonlyMap<string, Cells>>(new Map());
  // What was stored is seen until the columns are read again; what is changed elsewhere, in the panel for example, makes them be read.
  useEffect(
    () =>
      onChangeEvent((event) => {
        const { kind, change } = event;
        if (kind !== 'stored') return;
        setFresh((before) =>
          new Map(before).set(change.uri, { ...before.get(change.uri), ...cellsOf(change) }),
        );
        if (!underWay.current.has(change.uri))
          void askBoardAgain(tracker).then(() => setFresh((before) => withoutKey(before, change.uri)));
      }),
    [tracker],
  );

  /** Which of several values; undefined: none, after all. */
  const askWhich = (asked: AskedValue): Promise<string | undefined> =>
    new Promise((resolve) => {
      answerWhich.current = resolve;
      setWhich(asked);
    });

  const askStep = ({ row, column, key }: Chosen): Promise<boolean> =>
    new Promise((resolve) => {
      if (column?.way.choice === undefined) return resolve(true);
      answer.current = resolve;
      setStep({ key, uri: row.uri, id: row.id, field: column.field, choice: column.way.choice });
    });

  /** Each drop with the value that it gets; without those that may not have it, or nothing where nobody chose. */
  const choose = async (wishes: readonly (Drop & { key: number })[]): Promise<readonly Chosen[]> => {
    const [first] = wishes;
    const ways = waysOfAll(wishes);
    const isOpen = wishes.some(({ column }) => allowedWays(column?.ways ?? []).length > 1);
    const cards = wishes.map(({ row }) => row.xref);
    const field = first?.column?.field;
    const id =
      isOpen && field !== undefined && first !== undefined
        ? await askWhich({ key: first.key, cards, field, ways })
        : undefined;
    if (isOpen && id === undefined) return [];
    return wishes.flatMap(({ column, ...wish }): Chosen[] => {
      if (column === undefined) return [wish];
      const way = column.ways.find((one) => (id === undefined ? one.isAllowed : one.id === id));
      if (way?.isAllowed === true) return [{ ...wish, column: { field: column.field, way } }];
      notify({ kind: 'bad', text: words.notMoved(wish.row.xref, way?.reason ?? '') });
      return [];
    });
  };

  /** Stores the values; gives whether they are stored. */
  const store = async (drop: Chosen): Promise<boolean> => {
    const { row, column, lane, parent } = drop;
    const isStep = column?.way.asks !== undefined;
    if (isStep) {
      const end = settled(row.uri);
      if (!(await askStep(drop))) return false;
      if ((await end) !== 'stored') return false;
    }
    const own = column === undefined ? undefined : { field: column.field, choice: column.way.choice };
    const lists = [isStep ? undefined : own, lane].flatMap((one) =>
      one === undefined ? [] : [changeOf(one.field, one.choice, row.cells[one.field.name] ?? {})],
    );
    const above = parent === undefined ? undefined : await parentChange(tracker, row.uri, parent);
    const fields = [...lists, ...(above === undefined ? [] : [above.change])];
    if (fields.length === 0) return true;
    const end = settled(row.uri);
    const etag = above?.etag ?? (isStep ? knownThing(row.uri, artifactFacet)?.etag : row.etag);
    changeArtifact(row.uri, { fields, etag });
    return (await end) === 'stored';
  };

  /** Stores all: what asks for nothing at once, the others one after the other. Gives those that are stored. */
  const storeAll = async (drops: readonly Chosen[]): Promise<readonly Chosen[]> => {
    const isAsking = ({ column }: Chosen) => column?.way.asks !== undefined;
    const stored = new Set<Chosen>();
    const one = async (drop: Chosen) => {
      if (await store(drop)) stored.add(drop);
      else forget([drop.key]);
    };
    const quiet = Promise.all(drops.filter((drop) => !isAsking(drop)).map(one));
    for (const drop of drops.filter(isAsking)) await one(drop);
    await quiet;
    return drops.filter((drop) => stored.has(drop));
  };

  const rank = async (drops: readonly Chosen[]) => {
    const { before, after } = drops[0]?.spot ?? {};
    const next = before ?? after;
    if (next === undefined) return;
    const ids = drops.map(({ row }) => row.id);
    await rankCards(ids, before === undefined ? 'after' : 'before', Number(next.split('/')[1]));
  };

  const tell = (drops: readonly Chosen[], undo: () => void) => {
    const [first] = drops;
    if (first === undefined) return;
    const { row, column, parent } = first;
    const value = column?.way.choice?.name ?? words.noValue;
    if (drops.length > 1) notify({ text: words.areMoved(drops.length), undo });
    else if (column !== undefined) notify({ text: words.isNow(row.xref, column.field.label, value), undo });
    else if (parent !== undefined && parent !== null)
      notify({ text: words.isUnder(row.xref, `${parent.xref} ${parent.title}`), undo });
  };

  /** Puts cards somewhere: seen at once; values, lanes and ranks are stored one after the other, as one change in view. Gives how many are stored. */
  const drop = async (given: readonly Drop[], undo: () => void): Promise<number> => {
    const wishes = given.map((wish) => ({ ...wish, key: nextKey.current++ }));
    const uris = new Set(wishes.map(({ row }) => row.uri));
    for (const uri of uris) underWay.current.add(uri);
    setMoves((before) => [
      ...before.filter(({ uri }) => !uris.has(uri)),
      ...wishes.map(({ row, spot, parent, key }) => ({ ...spot, uri: row.uri, key, row, parent })),
    ]);
    try {
      const chosen = await choose(wishes);
      forget(wishes.filter(({ key }) => !chosen.some((one) => one.key === key)).map(({ key }) => key));
      const stored = await storeAll(chosen);
      if (stored.length === 0) return 0;
      await rank(stored);
      tell(stored, undo);
      await askBoardAgain(tracker);
      return stored.length;
    } catch (error) {
      tellFault(error);
      void askBoardAgain(tracker);
      return 0;
    } finally {
      for (const uri of uris) underWay.current.delete(uri);
      forget(wishes.map(({ key }) => key));
      setFresh((before) => [...uris].reduce(withoutKey, before));
    }
  };
  return {
    moves,
    fresh,
    drop,
    step,
    /** The form of a step was closed. */
    endStep: (isSent: boolean) => {
      setStep(undefined);
      answer.current?.(isSent);
    },
    which,
    /** One of several values was chosen, or none. */
    endWhich: (id: string | undefined) => {
      setWhich(undefined);
      answerWhich.current?.(id);
    },
  };
}
