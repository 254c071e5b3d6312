import { useEffect, useRef, useState } from 'react';
import { atMostOnceASecond, type FreshList, readListAgain, useLive } from '../store/index.ts';
import { askGroupsAgain, type RowSource } from './calls.ts';

/**
 * Rows follow what others do. Values are seen at once; while the pointer is over the rows none of them moves, comes or goes: that is held
 * until it leaves, or until somebody asks for it.
 */
export function useLiveRows(trackerUri: string, source: RowSource, hasGroups: boolean) {
  const isOver = useRef(false);
  const [held, setHeld] = useState<FreshList>();
  const current = useRef(source);
  current.current = source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was held belongs to the list that was shown then.
  useEffect(() => setHeld(undefined), [source.address]);

  const show = (fresh: FreshList | undefined) => {
    fresh?.show();
    setHeld(undefined);
    if (fresh?.hasMoved === true && hasGroups) askGroupsAgain(current.current);
  };
  const look = async () => {
    const { address } = current.current;
    const fresh = await readListAgain(current.current);
    if (current.current.address !== address) return;
    if (isOver.current && fresh.hasMoved) setHeld(fresh);
    else show(fresh);
  };
  useLive(`trackers/${Number(trackerUri.split('/')[1])}`, ({ event }) => {
    if (event === 'artifact')
      atMostOnceASecond(`rows of ${trackerUri}`, () => void look().catch(() => undefined));
  });
  return {
    /** What waits to be shown: how many are new, 0 where others only stand elsewhere. */
    waiting: held?.more,
    show: () => show(held),
    pointer: {
      onPointerEnter: () => {
        isOver.current = true;
      },
      onPointerLeave: () => {
        isOver.current = false;
        if (held !== undefined) show(held);
      },
    },
  };
}
