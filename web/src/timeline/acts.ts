import type { KeyboardEvent } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import type { ViewProps } from '../tracker/index.ts';
import { type Day, textOf } from './days.ts';
import type { Dragged } from './drag.ts';
import { type Item, moveItem, shifted } from './items.ts';
import type { Timing } from './timing.ts';

/** What can be done to the days of artifacts, by whatever means; `say` tells it to those who do not see it. */
export function useDayActs(
  timing: Timing | undefined,
  say: (words: string) => void,
  onOpen: ViewProps['onOpen'],
) {
  const { timeline: words } = useMessages();
  const formats = useFormats();
  const told = (start: Day, end: Day) =>
    start === end
      ? formats.longDay(textOf(start))
      : words.fromTo(formats.day(textOf(start)), formats.day(textOf(end)));
  const put = (item: Item, to: { readonly start?: Day; readonly end?: Day }) => {
    if (timing === undefined) return;
    moveItem(item.row, timing, to);
    const start = to.start ?? item.start;
    say(words.movedTo(item.title, told(start, to.end ?? Math.max(start, item.end))));
  };
  const shift = (item: Item, days: number) => {
    if (timing !== undefined) put(item, shifted(item, days, timing));
  };
  const lengthen = (item: Item, days: number) => put(item, { end: Math.max(item.start, item.end + days) });
  const drop = ({ item, grip, days }: Dragged) => {
    if (grip === 'whole') shift(item, days);
    else if (grip === 'end') lengthen(item, days);
    else put(item, { start: Math.min(item.end, item.start + days) });
  };
  /** Alt with arrows moves, with Shift the end alone; Enter opens. */
  const press = (event: KeyboardEvent, item: Item, step = 1) => {
    const days = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0;
    if (event.key === 'Enter') onOpen(item.row);
    else if (days !== 0 && event.altKey && !item.isMovable) say(words.notMovable);
    else if (days !== 0 && event.altKey && event.shiftKey && timing?.end !== undefined) lengthen(item, days);
    else if (days !== 0 && event.altKey) shift(item, days);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { put, drop, press, told };
}
