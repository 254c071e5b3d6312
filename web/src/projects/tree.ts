import type { TrackerEntry } from '../shell/index.ts';

export interface TreeEntry {
  readonly tracker: TrackerEntry;
  /** How many stand above it. */
  readonly depth: number;
  /** The name of the one above it. */
  readonly parent?: string | undefined;
}

/** Trackers with their children below them. One whose parent is not seen stands by itself. */
export function treeOf(trackers: readonly TrackerEntry[]): readonly TreeEntry[] {
  const ids = new Set(trackers.map(({ id }) => id));
  const isAlone = ({ parentId }: TrackerEntry) => parentId === null || !ids.has(parentId);
  const withChildren = (tracker: TrackerEntry, depth: number, parent?: string): TreeEntry[] => [
    { tracker, depth, parent },
    ...trackers
      .filter(({ parentId }) => parentId === tracker.id)
      .flatMap((child) => withChildren(child, depth + 1, tracker.label)),
  ];
  return trackers.filter(isAlone).flatMap((tracker) => withChildren(tracker, 0));
}
