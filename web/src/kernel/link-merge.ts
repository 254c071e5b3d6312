import type { FieldEntry } from './change-log.ts';

type Members = Readonly<Record<string, unknown>>;
type Link = { readonly id: number; readonly type: string; readonly direction: string };

const membersIn = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];

function read(value: unknown, member: string, direction: string): Link[] {
  const holder: Members = typeof value === 'object' && value !== null ? { ...value } : {};
  return membersIn(holder[member]).map((link) => ({
    id: Number(link['id']),
    type: typeof link['type'] === 'string' ? link['type'] : '',
    direction: typeof link['direction'] === 'string' ? link['direction'] : direction,
  }));
}

const placeOf = ({ id, direction }: Link) => `${direction} ${id}`;
const byPlace = (links: readonly Link[]) => new Map(links.map((link) => [placeOf(link), link]));

/**
 * The entry of a field of links with what both sides added and took away; undefined where both gave another type to the same link, or where
 * the entry holds no links. Who adds a link does not say that there are no others.
 */
export function mergedLinks(before: unknown, mine: FieldEntry, theirs: unknown): FieldEntry | undefined {
  const isBothWays = Array.isArray(mine['all_links']);
  if (!isBothWays && !Array.isArray(mine['links'])) return undefined;
  const linksOf = (value: unknown) => [
    ...read(value, 'links', 'forward'),
    ...(isBothWays ? read(value, 'reverse_links', 'reverse') : []),
  ];
  const old = byPlace(linksOf(before));
  const wanted = byPlace(read(mine, isBothWays ? 'all_links' : 'links', 'forward'));
  const merged = byPlace(linksOf(theirs));
  for (const [place, link] of wanted) {
    const [was, is] = [old.get(place)?.type, merged.get(place)?.type];
    if (link.type === was || link.type === is) continue;
    if (was !== is) return undefined;
    merged.set(place, link);
  }
  for (const place of old.keys()) if (!wanted.has(place)) merged.delete(place);
  const links = [...merged.values()];
  if (isBothWays) return { ...mine, all_links: links };
  return { ...mine, links: links.map(({ id, type }) => ({ id, type })) };
}
