import { useRef, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { type RowSource, readSelected, readUris } from './calls.ts';

/** Artifacts that one request changes at the most. */
export const mostAtOnce = 1000;

interface Rows {
  uriAt(place: number): string | undefined;
}

/** Which rows are selected: one by one, from one to another, or all that match. */
export function useSelection(list: Rows, source: RowSource) {
  const { tracker: words } = useMessages();
  const formats = useFormats();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  const anchor = useRef(0);
  const change = (uris: readonly string[], isSelected: boolean) =>
    setSelected((before) => {
      const next = new Set(before);
      for (const uri of uris)
        if (isSelected) next.add(uri);
        else next.delete(uri);
      return next;
    });
  /** Rows between two places, read where nobody looked yet. */
  const between = async (from: number, to: number): Promise<readonly string[]> => {
    const known: string[] = [];
    for (let place = from; place <= to; place += 1) {
      const uri = list.uriAt(place);
      if (uri === undefined) return readUris(source, from, to + 1 - from);
      known.push(uri);
    }
    return known;
  };
  return {
    selected,
    setSelected,
    toggle(place: number): void {
      const uri = list.uriAt(place);
      anchor.current = place;
      if (uri !== undefined) change([uri], !selected.has(uri));
    },
    /** From where the last one was selected. */
    selectTo(place: number): void {
      const [from, to] = [Math.min(anchor.current, place), Math.max(anchor.current, place)];
      between(from, to).then((uris) => change(uris, true), tellFault);
    },
    /** All that match; of too many the first. */
    selectAll(): void {
      readSelected(source, mostAtOnce).then(({ uris, size }) => {
        setSelected(new Set(uris));
        if (size > uris.length)
          notify({ text: words.mostSelected(formats.number(uris.length), formats.number(size)) });
      }, tellFault);
    },
    /** Ranges begin here while nothing is selected. */
    beginAt(place: number): void {
      if (selected.size === 0) anchor.current = place;
    },
    /** Shift and an arrow: a row more, or one less where one goes back. */
    extend(from: number, to: number): void {
      if (selected.size === 0) anchor.current = from;
      const isBack = Math.abs(to - anchor.current) < Math.abs(from - anchor.current);
      const [here, there] = [list.uriAt(from), list.uriAt(to)];
      if (isBack && here !== undefined) change([here], false);
      else
        change(
          [here, there].filter((uri) => uri !== undefined),
          true,
        );
    },
    deselect: () => setSelected(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
