import type { ArtifactRow, Tracker } from '@atelier/client/routes';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  CHILD_LINK,
  type Choice,
  type Field,
  type FieldValue,
  fieldTypes,
  isParentLink,
  linksIn,
  valueWith,
  withLinks,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import {
  artifactFacet,
  type ChangeEvent,
  changeArtifact,
  type FieldChange,
  knownThing,
  onChangeEvent,
  type PendingChange,
  wordsOfError,
} from '../store/index.ts';
import type { StepWish } from '../tracker/index.ts';
import type { Move, Spot } from './arrange.ts';
import { askBoardAgain, rankCard, readArtifact } from './calls.ts';

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
  /** The value of its new column; undefined where it stays. */
  readonly column?: { readonly field: Field; readonly choice: Choice | undefined } | undefined;
  /** The value of its new lane, where lanes stand for a list. */
  readonly lane?: { readonly field: Field; readonly choice: Choice | undefined } | undefined;
  readonly parent?: ParentCell | null | undefined;
  /** Whether the step asks for more than the drop. */
  readonly asks: boolean;
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

const linkField = (tracker: Tracker): Field | undefined =>
  tracker.fields.find(({ type }) => type === 'art_link');

/** The links of an artifact with another parent. */
async function parentChange(
  tracker: Tracker,
  uri: string,
  parent: ParentCell | null,
): Promise<{ change: FieldChange; etag: string | undefined }> {
  const field = linkField(tracker);
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

/** Cards that were put elsewhere, and how that is stored. */
export function useMoves(tracker: Tracker) {
  const { board: words } = useMessages();
  const [moves, setMoves] = useState<readonly CardMove[]>([]);
  const [step, setStep] = useState<AskedStep>();
  const answer = useRef<(isSent: boolean) => void>(undefined);
  const nextKey = useRef(1);
  const forget = useCallback(
    (key: number) => setMoves((before) => before.filter((move) => move.key !== key)),
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

  const askStep = (drop: Drop, key: number): Promise<boolean> =>
    new Promise((resolve) => {
      const { row, column } = drop;
      if (column?.choice === undefined) return resolve(true);
      answer.current = resolve;
      setStep({ key, uri: row.uri, id: row.id, field: column.field, choice: column.choice });
    });

  /** Stores the values; gives whether they are stored. */
  const store = async (drop: Drop, key: number): Promise<boolean> => {
    const { row, column, lane, parent, asks } = drop;
    const isStep = asks && column !== undefined;
    if (isStep) {
      const end = settled(row.uri);
      if (!(await askStep(drop, key))) return false;
      if ((await end) !== 'stored') return false;
    }
    const lists = [isStep ? undefined : column, lane].flatMap((one) =>
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

  const rank = async ({ row, spot: { before, after } }: Drop) => {
    const next = before ?? after;
    if (next === undefined) return;
    await rankCard(row.id, before === undefined ? 'after' : 'before', Number(next.split('/')[1]));
  };

  const tell = ({ row, column, parent }: Drop, undo: () => void) => {
    if (column !== undefined)
      notify({ text: words.isNow(row.xref, column.field.label, column.choice?.name ?? words.noValue), undo });
    else if (parent !== undefined && parent !== null)
      notify({ text: words.isUnder(row.xref, `${parent.xref} ${parent.title}`), undo });
  };

  /** Puts a card somewhere: seen at once; value, lane and rank are stored one after the other, as one change in view. */
  const drop = async (wish: Drop, undo: () => void): Promise<void> => {
    const key = nextKey.current++;
    const { row, spot, parent } = wish;
    underWay.current.add(row.uri);
    setMoves((before) => [
      ...before.filter(({ uri }) => uri !== row.uri),
      { ...spot, uri: row.uri, key, row, parent },
    ]);
    try {
      if (!(await store(wish, key))) return;
      await rank(wish);
      tell(wish, undo);
      await askBoardAgain(tracker);
    } catch (error) {
      notify({ kind: 'bad', text: wordsOfError(error) });
      void askBoardAgain(tracker);
    } finally {
      underWay.current.delete(row.uri);
      forget(key);
      setFresh((before) => withoutKey(before, row.uri));
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
  };
}
