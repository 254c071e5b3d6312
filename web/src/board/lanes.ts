import type { ArtifactRow } from '@atelier/client/routes';
import { type Choice, choicesIn } from '../fields/index.ts';
import type { Value } from './columns.ts';
import { noValue } from './columns.ts';
import type { ParentCell } from './moves.ts';
import { type BoardPlan, parentLanes } from './settings.ts';

/** A row of cells across all columns. */
export interface Lane {
  readonly id: string;
  /** Undefined: cards without a value, or without a parent. */
  readonly choice?: Choice | undefined;
  readonly parent?: ParentCell | undefined;
  readonly uris: readonly string[];
  readonly done: number;
}

/** The only lane of a board without lanes. */
export const onlyLane = '';

const isParent = (value: unknown): value is ParentCell =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'id') === 'number';

export const parentOf = (row: ArtifactRow): ParentCell | undefined => {
  const value = row.cells[parentLanes]?.value;
  return isParent(value) ? value : undefined;
};

/** The lane that a card stands in. */
export function laneIdOf(row: ArtifactRow, { lanesBy }: BoardPlan): string {
  if (lanesBy === undefined) return onlyLane;
  if (lanesBy === parentLanes) return String(parentOf(row)?.id ?? noValue);
  return choicesIn(row.cells[lanesBy.name]?.value)[0]?.id ?? noValue;
}

/** The lanes of the cards that are there: values in the order of the tracker, parents as their cards come; those without last. */
export function lanesOf(
  rows: readonly ArtifactRow[],
  plan: BoardPlan,
  values: readonly Value[],
): readonly Lane[] {
  const { lanesBy } = plan;
  const byLane = Map.groupBy(rows, (row) => laneIdOf(row, plan));
  const laneWith = (id: string, more: Pick<Lane, 'choice' | 'parent'>): Lane => {
    const own = byLane.get(id) ?? [];
    return {
      id,
      ...more,
      uris: own.map(({ uri }) => uri),
      done: own.filter(({ is_open }) => !is_open).length,
    };
  };
  if (lanesBy === undefined) return [laneWith(onlyLane, {})];
  const parents = (): Lane[] =>
    [...byLane].flatMap(([id, [first]]) => {
      const parent = first === undefined ? undefined : parentOf(first);
      return id === noValue ? [] : [laneWith(id, { parent })];
    });
  const lists = (): Lane[] =>
    values.filter(({ id }) => id !== noValue).map(({ id, choice }) => laneWith(id, { choice }));
  const known = lanesBy === parentLanes ? parents() : lists();
  const shown = plan.hidesEmptyLanes ? known.filter(({ uris }) => uris.length > 0) : known;
  return byLane.has(noValue) || shown.length === 0 ? [...shown, laneWith(noValue, {})] : shown;
}
