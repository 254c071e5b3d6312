import type { ArtifactRow } from '@atelier/client/routes';
import type { Day } from './days.ts';
import type { Item } from './items.ts';

/** Items below one heading. */
export interface Group {
  readonly key: string;
  readonly name: string;
  readonly items: readonly Item[];
  readonly start: Day;
  readonly end: Day;
  readonly closed: number;
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By parent unless somebody says otherwise; the settings name a field, or null for none. */
function headingOf(row: ArtifactRow, by: unknown): { readonly key: string; readonly name: string } {
  if (by === null) return { key: '', name: '' };
  const cell: unknown = row.cells[typeof by === 'string' ? by : '@parent']?.value;
  const first: unknown = Array.isArray(cell) ? cell[0] : cell;
  if (!isMembers(first)) return { key: '', name: '' };
  const name = first['title'] ?? first['label'] ?? first['display_name'] ?? '';
  return { key: String(first['id'] ?? name), name: String(name) };
}

export function groupsOf(items: readonly Item[], by: unknown): readonly Group[] {
  const found = new Map<string, { name: string; items: Item[] }>();
  for (const item of items) {
    const { key, name } = headingOf(item.row, by);
    const group = found.get(key) ?? { name, items: [] };
    group.items.push(item);
    found.set(key, group);
  }
  const groups = [...found].map(([key, group]) => ({
    key,
    ...group,
    start: Math.min(...group.items.map(({ start }) => start)),
    end: Math.max(...group.items.map(({ end }) => end)),
    closed: group.items.filter(({ row }) => !row.is_open).length,
  }));
  // Those without a heading come last.
  return groups.sort(
    (one, other) => Number(one.key === '') - Number(other.key === '') || one.start - other.start,
  );
}

export function progressOf(row: ArtifactRow): number | null {
  const value: unknown = row.cells['@progress']?.value;
  return typeof value === 'number' ? value : null;
}

/** One that must be over before another begins. */
export interface Dependency {
  readonly before: Item;
  readonly follower: Item;
}

/** Types of links that say so, by their names; those of the first kind lead to what comes before. */
const leadsBack = /depend|blocked|after|follows|requires/i;
const leadsOn = /blocks|before|precedes/i;

export function dependenciesOf(items: readonly Item[]): readonly Dependency[] {
  const byId = new Map(items.map((item) => [item.row.id, item]));
  const found = new Map<string, Dependency>();
  for (const item of items) {
    const links: unknown = item.row.cells['@links']?.value;
    for (const link of Array.isArray(links) ? links : []) {
      if (!isMembers(link)) continue;
      const other = byId.get(Number(link['id']));
      const type = String(link['type'] ?? '');
      const isBack = leadsBack.test(type);
      if (other === undefined || (!isBack && !leadsOn.test(type))) continue;
      const isForward = link['direction'] !== 'reverse';
      const [before, follower] = isBack === isForward ? [other, item] : [item, other];
      found.set(`${before.row.id}>${follower.row.id}`, { before, follower });
    }
  }
  return [...found.values()];
}

/** Those that begin before what they wait for has ended. */
export const brokenOrders = (items: readonly Item[]): readonly Dependency[] =>
  dependenciesOf(items).filter(({ before, follower }) => follower.start <= before.end);
