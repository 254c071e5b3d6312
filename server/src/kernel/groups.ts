/** Things that are read together, and how long they are. */
export interface Group<Item> {
  readonly items: Item[];
  bytes: number;
}

/** Puts things together in their order, as many as have so many bytes at the most, or one that has more. */
export function groupsByBytes<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  most: number,
): Group<Item>[] {
  const groups: Group<Item>[] = [];
  for (const item of items) {
    const bytes = bytesOf(item);
    const last = groups.at(-1);
    if (last === undefined || last.bytes + bytes > most) groups.push({ items: [item], bytes });
    else {
      last.items.push(item);
      last.bytes += bytes;
    }
  }
  return groups;
}
