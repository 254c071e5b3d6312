import type { ArtifactRow, RowColumn } from '@atelier/client/routes';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { highest } from '../kernel/scaled-rows.ts';
import { type SectionedList, sectionedList } from '../kernel/sections.ts';
import { followList } from '../shell/index.ts';
import { knownThing, type List, useList } from '../store/index.ts';
import { type KnownRows, type RowSource, rowFacet } from './calls.ts';
import type { Group } from './groups.tsx';
import { type RowsInView, useScaledRows } from './scaled-rows.ts';
import { useRowHeight } from './sizes.ts';

type ListOfRows = List<ArtifactRow, readonly RowColumn[]>;

const overscan = 10;
/** Rows before and after those that are seen which were read with them. */
const around = 100;
/** Rows that are drawn as bars until it is known how many there are. */
const outlines = 8;
/** Height of a card of two lines on a small screen, until it was measured. */
const cardHeight = 73;

function useRows(scroller: RefObject<HTMLDivElement | null>, items: SectionedList, isNarrow: boolean) {
  const height = useRowHeight();
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? cardHeight : height),
    overscan,
    // Rows that come into sight have room before them: whoever scrolls need not wait for those.
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights that were measured are of another density.
  useLayoutEffect(() => virtual.measure(), [height, isNarrow]);
  const isScaled = !isNarrow && items.length * height > highest;
  const scaled = useScaledRows(scroller, isScaled ? items.length : 0, height);
  const rows: RowsInView = isScaled
    ? scaled
    : {
        shown: virtual.getVirtualItems(),
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

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

interface RowsWish {
  readonly source: RowSource;
  readonly groups: readonly Group[] | undefined;
  readonly waitsForGroups: boolean;
}

/** The rows of a table: which there are and below which headings, those that are seen, and what is known of each. */
export function useTableRows(
  { source, groups, waitsForGroups }: RowsWish,
  scroller: RefObject<HTMLDivElement | null>,
  isNarrow: boolean,
) {
  const [seen, setSeen] = useState({ from: 0, to: 50 });
  const list = useList(source, seen);
  const { size } = list;
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const isWaiting = waitsForGroups || (size === undefined && list.error === null);
  const items = useMemo(
    () => sectionedList(isWaiting ? outlines : (size ?? 0), groups, folded),
    [size, groups, folded, isWaiting],
  );
  const { virtual, rows } = useRows(scroller, items, isNarrow);
  useSeenRows(rows, items, list, setSeen);
  const [from, to] = [seen.from - around, seen.to + around];
  useEffect(() => {
    if (size !== undefined) followList({ size, from, to, uriAt: list.uriAt });
  }, [size, from, to, list]);
  const rowAt = (place: number): ArtifactRow | undefined => {
    const uri = list.uriAt(place);
    return uri === undefined ? undefined : knownThing(uri, rowFacet)?.body;
  };
  return {
    list,
    items,
    rows,
    virtual,
    isWaiting,
    folded,
    fold: (key: string) => setFolded(toggled(folded, key)),
    rowAt,
    known(): KnownRows | undefined {
      if (size === undefined || list.more === undefined) return undefined;
      const rows: ArtifactRow[] = [];
      for (let row = rowAt(0); row !== undefined; row = rowAt(rows.length)) rows.push(row);
      return { rows, columns: list.more, size };
    },
    /** Where an artifact stands among the rows that are known around what is seen. */
    placeOf(uri: string): number | undefined {
      for (let place = Math.max(0, from); place < to; place += 1) if (list.uriAt(place) === uri) return place;
      return undefined;
    },
  };
}
export type TableRows = ReturnType<typeof useTableRows>;
