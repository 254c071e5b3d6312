import type { PendingChange } from '../store/index.ts';

/** Rooms that can open a control with what was typed say so here. */
type Open = (change: PendingChange) => void;
/** The one that was opened last is in front; the others take over when it is closed. */
const editors: Open[] = [];
const choosers: Open[] = [];

function provided(all: Open[], open: Open): () => void {
  all.push(open);
  return () => {
    const place = all.lastIndexOf(open);
    if (place >= 0) all.splice(place, 1);
  };
}

/** A room opens the control again that a refused change came from. */
export const provideEditAgain = (open: Open): (() => void) => provided(editors, open);

/** A room shows both versions, and lets somebody choose. */
export const provideConflict = (open: Open): (() => void) => provided(choosers, open);

/** Those of the room that is in front, if it has some. */
export const changeOpeners = () => ({ editAgain: editors.at(-1), choose: choosers.at(-1) });
