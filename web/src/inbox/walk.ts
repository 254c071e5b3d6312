import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Notification } from '../store/index.ts';
import { useGo } from './address.ts';

/** Pixels of a window below which an artifact is opened as a page. */
const roomForPanel = 1100;

/** From entry to entry: which one is at hand, and whose artifact is open beside the list. */
export function useWalk(entries: readonly Notification[], opened: number | undefined) {
  const router = useRouter();
  const go = useGo();
  const [currentId, setCurrent] = useState<number>();
  const openEntry = entries.find(({ artifact }) => artifact.id === opened);
  const current = entries.find(({ id }) => id === currentId) ?? openEntry;
  // What was opened from elsewhere is at hand, too.
  useEffect(() => {
    if (openEntry !== undefined) setCurrent(openEntry.id);
  }, [openEntry]);

  const show = (entry: Notification | undefined) =>
    go(
      { artifact: entry === undefined ? undefined : String(entry.artifact.id) },
      opened !== undefined && entry !== undefined,
    );
  const focus = (entry: Notification | undefined) => {
    if (entry === undefined) return;
    setCurrent(entry.id);
    document.querySelector<HTMLElement>(`[data-entry="${entry.id}"]`)?.focus();
  };
  return {
    current,
    openEntry,
    setCurrent: (entry: Notification) => setCurrent(entry.id),
    show,
    open(entry: Notification) {
      setCurrent(entry.id);
      if (window.innerWidth < roomForPanel) router.history.push(`/artifacts/${entry.artifact.id}`);
      else show(entry);
    },
    move(step: number) {
      const at = current === undefined ? (step > 0 ? -1 : entries.length) : entries.indexOf(current);
      const next = entries[Math.max(0, Math.min(entries.length - 1, at + step))];
      focus(next);
      if (opened !== undefined && next !== undefined) show(next);
    },
    /** Whatever leaves the list gives its place to the next one. */
    leave(entry: Notification) {
      const at = entries.indexOf(entry);
      const next = entries[at + 1] ?? entries[at - 1];
      focus(next);
      if (entry.artifact.id === opened) show(next);
    },
  };
}
